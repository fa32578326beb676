/** Events as bytes. The code of a kind or word is its index in its list, which only grows. */
import { assert, present } from "../../domain/assert.ts";
import {
  type ActNoted,
  type ByKind,
  type DepositAddressMade,
  type DepositSet,
  forEvent,
  type MoneyBalances,
  NO_KEY,
  type OrderAccepted,
  type OrderClosed,
  type PnlCurrenciesSet,
  type Trade,
  type VenueEvent,
} from "../../domain/event.ts";
import {
  CLOSE_REASONS,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../domain/trading/order.ts";
import type { ByteReader } from "../byte_reader.ts";
import type { ByteWriter } from "../byte_writer.ts";
import { CURRENCY_RENEWALS, LIMIT_RENEWALS, renewed } from "../older_records.ts";

const KINDS = [
  "nonce_spent",
  "order_accepted",
  "order_triggered",
  "order_rested",
  "trade",
  "order_closed",
  "balance_adjusted",
  "member_set",
  "key_set",
  "currency_set",
  "market_set",
  "fee_set",
  "levels_set",
  "deposit_set",
  "withdraw_set",
  "beneficiary_set",
  "withdraw_limit_set",
  "switches_set",
  "pnl_currencies_set",
  "act_noted",
  "deposit_address_made",
  "order_rested_told",
  "deposit_set_named",
  "act_noted_once",
  "order_closed_counted",
  "fee_deleted",
  "withdraw_limit_deleted",
  "pnl_currencies_kept",
  "settings_set",
  "deposit_set_paid_back",
  "act_noted_of_person",
  "deposit_address_made_on",
] as const;

/** A kind with a code of its own; that of an event that was extended has two. */
type CodedKind = typeof KINDS[number];

const KIND_CODES = new Map(KINDS.map((kind, code) => [kind, code]));

/** Returns the code of a word in its list. */
export function codeOf<T extends string>(words: readonly T[], word: T): number {
  const code = words.indexOf(word);
  assert(code >= 0, `"${word}" has a code`);
  return code;
}

/** Returns the word with this code. */
export function wordOf<T extends string>(words: readonly T[], code: number): T {
  return present(words[code], `code ${code} has a word`);
}

/** Appends an event; nonces are written relative to `at`, the entry's time. */
export function writeEvent(writer: ByteWriter, event: VenueEvent, at: number): void {
  const kind = codedKindOf(event);
  writer.byte(present(KIND_CODES.get(kind), `"${kind}" has a code`));
  forEvent(WRITERS, event)(event, writer, at);
}

const WRITERS: ByKind<[writer: ByteWriter, at: number], void> = {
  nonce_spent: (event, writer, at) => {
    writer.uint(event.key);
    writer.int(event.nonce - at);
    writer.uint(event.digest);
  },
  order_accepted: writeOrderAccepted,
  order_triggered: ({ id, member }, writer) => {
    writer.uint(id);
    writer.uint(member);
  },
  order_rested: ({ id, member }, writer) => {
    writer.uint(id);
    if (member !== undefined) writer.uint(member);
  },
  trade: writeTrade,
  order_closed: writeOrderClosed,
  balance_adjusted: (event, writer) => {
    writer.uint(event.id);
    writer.uint(event.member);
    writer.uint(event.currency);
    writer.bigint(event.amount);
    writer.bigint(event.available);
    writer.bigint(event.outsideAvailable);
  },
  member_set: ({ member }, writer) => writer.record(member),
  key_set: ({ key }, writer) => writer.record(key),
  currency_set: ({ currency }, writer) => writer.record(currency),
  market_set: ({ market }, writer) => writer.record(market),
  fee_set: ({ row }, writer) => writer.record(row),
  fee_deleted: ({ row }, writer) => writer.record(row),
  levels_set: ({ levels }, writer) => writer.record(levels),
  deposit_set: (event, writer) => {
    writer.record(event.deposit);
    writeBalances(writer, event);
    if (event.transaction !== undefined) writer.text(event.transaction);
    if (event.payment !== undefined) writer.text(event.payment);
  },
  withdraw_set: (event, writer) => {
    writer.record(event.withdraw);
    writeBalances(writer, event);
  },
  beneficiary_set: ({ beneficiary }, writer) => writer.record(beneficiary),
  withdraw_limit_set: ({ row }, writer) => writer.record(row),
  withdraw_limit_deleted: ({ row }, writer) => writer.record(row),
  switches_set: ({ switches }, writer) => writer.record(switches),
  pnl_currencies_set: ({ currencies, kept }, writer) => {
    writer.record(currencies);
    if (kept.length !== currencies.length) writer.record(kept);
  },
  settings_set: ({ settings }, writer) => writer.record(settings),
  act_noted: writeAct,
  deposit_address_made: ({ member, currency, network }, writer) => {
    writer.uint(member);
    writer.uint(currency);
    if (network !== undefined) writer.text(network);
  },
};

function codedKindOf(event: VenueEvent): CodedKind {
  switch (event.kind) {
    case "order_rested":
      return event.member === undefined ? event.kind : "order_rested_told";
    case "deposit_set":
      if (event.transaction === undefined) return event.kind;
      return event.payment === undefined ? "deposit_set_named" : "deposit_set_paid_back";
    case "deposit_address_made":
      return event.network === undefined ? event.kind : "deposit_address_made_on";
    case "act_noted":
      if (event.person !== undefined) return "act_noted_of_person";
      return event.once === undefined ? event.kind : "act_noted_once";
    case "order_closed":
      return event.untraded === 0 ? event.kind : "order_closed_counted";
    case "pnl_currencies_set":
      return event.kept.length === event.currencies.length ? event.kind : "pnl_currencies_kept";
    default:
      return event.kind;
  }
}

/** Reads the next event of an entry of this format. */
export function readEvent(reader: ByteReader, at: number, format: number): VenueEvent {
  return READERS[wordOf(KINDS, reader.byte())](reader, at, format);
}

const READERS: {
  readonly [Kind in CodedKind]: (reader: ByteReader, at: number, format: number) => VenueEvent;
} = {
  nonce_spent: (reader, at) => ({
    kind: "nonce_spent",
    key: reader.uint(),
    nonce: reader.int() + at,
    digest: reader.uint(),
  }),
  order_accepted: readOrderAccepted,
  order_triggered: (reader) => ({
    kind: "order_triggered",
    id: reader.uint(),
    member: reader.uint(),
  }),
  order_rested: (reader) => ({ kind: "order_rested", id: reader.uint() }),
  order_rested_told: (reader) => ({
    kind: "order_rested",
    id: reader.uint(),
    member: reader.uint(),
  }),
  trade: readTrade,
  order_closed: (reader) => readOrderClosed(reader, false),
  order_closed_counted: (reader) => readOrderClosed(reader, true),
  balance_adjusted: (reader) => ({
    kind: "balance_adjusted",
    id: reader.uint(),
    member: reader.uint(),
    currency: reader.uint(),
    amount: reader.bigint(),
    available: reader.bigint(),
    outsideAvailable: reader.bigint(),
  }),
  member_set: (reader) => ({ kind: "member_set", member: reader.record() }),
  key_set: (reader) => ({ kind: "key_set", key: reader.record() }),
  currency_set: (reader, _, format) => ({
    kind: "currency_set",
    currency: renewed("log", format, reader.record(), CURRENCY_RENEWALS),
  }),
  market_set: (reader) => ({ kind: "market_set", market: reader.record() }),
  fee_set: (reader) => ({ kind: "fee_set", row: reader.record() }),
  fee_deleted: (reader) => ({ kind: "fee_deleted", row: reader.record() }),
  levels_set: (reader) => ({ kind: "levels_set", levels: reader.record() }),
  deposit_set: readDeposit,
  deposit_set_named: (reader) => ({ ...readDeposit(reader), transaction: reader.text() }),
  deposit_set_paid_back: (reader) => ({
    ...readDeposit(reader),
    transaction: reader.text(),
    payment: reader.text(),
  }),
  withdraw_set: (reader) => ({
    kind: "withdraw_set",
    withdraw: reader.record(),
    ...readBalances(reader),
  }),
  beneficiary_set: (reader) => ({ kind: "beneficiary_set", beneficiary: reader.record() }),
  withdraw_limit_set: (reader, _, format) => ({
    kind: "withdraw_limit_set",
    row: renewed("log", format, reader.record(), LIMIT_RENEWALS),
  }),
  withdraw_limit_deleted: (reader) => ({ kind: "withdraw_limit_deleted", row: reader.record() }),
  switches_set: (reader) => ({ kind: "switches_set", switches: reader.record() }),
  pnl_currencies_set: (reader) => readPnlCurrencies(reader.record()),
  pnl_currencies_kept: (reader) => readPnlCurrencies(reader.record(), reader.record()),
  settings_set: (reader) => ({ kind: "settings_set", settings: reader.record() }),
  act_noted: (reader) => ({ kind: "act_noted", id: reader.uint(), key: reader.uint() }),
  act_noted_once: (reader) => ({
    kind: "act_noted",
    id: reader.uint(),
    key: reader.uint(),
    once: { name: reader.text(), request: reader.text() },
  }),
  act_noted_of_person: readActOfPerson,
  deposit_address_made: readDepositAddress,
  deposit_address_made_on: (reader) => ({
    ...readDepositAddress(reader),
    network: reader.text(),
  }),
};

function writeAct({ id, key, person, once }: ActNoted, writer: ByteWriter): void {
  writer.uint(id);
  writer.uint(person ?? key);
  if (person !== undefined) writer.byte(once === undefined ? 0 : 1);
  if (once === undefined) return;
  writer.text(once.name);
  writer.text(once.request);
}

function readActOfPerson(reader: ByteReader): ActNoted {
  const act = { kind: "act_noted", id: reader.uint(), key: NO_KEY, person: reader.uint() } as const;
  const isNamed = reader.byte() === 1;
  return isNamed ? { ...act, once: { name: reader.text(), request: reader.text() } } : act;
}

function writeOrderAccepted(event: OrderAccepted, writer: ByteWriter): void {
  writer.uint(event.id);
  writer.uint(event.member);
  writer.uint(event.market);
  writer.byte(codeOf(SIDES, event.side) + 2 * codeOf(ORDER_TYPES, event.type));
  writer.byte(
    codeOf(TIMES_IN_FORCE, event.timeInForce) +
      4 * codeOf(SELF_TRADE_PREVENTIONS, event.selfTrade) + 64 * (event.resting ? 1 : 0) +
      128 * (event.keepsFees ? 1 : 0),
  );
  writer.uint(event.price);
  writer.uint(event.triggerPrice);
  writer.uint(event.volume);
  writer.uint(event.makerFee);
  writer.uint(event.takerFee);
  writer.text(event.clientOrderId);
  writer.bigint(event.orderLocked);
  writer.bigint(event.available);
  writer.bigint(event.locked);
}

function readOrderAccepted(reader: ByteReader): OrderAccepted {
  const id = reader.uint();
  const member = reader.uint();
  const market = reader.uint();
  const what = reader.byte();
  const how = reader.byte();
  return {
    kind: "order_accepted",
    id,
    member,
    market,
    side: wordOf(SIDES, what % 2),
    type: wordOf(ORDER_TYPES, what >> 1),
    timeInForce: wordOf(TIMES_IN_FORCE, how % 4),
    selfTrade: wordOf(SELF_TRADE_PREVENTIONS, (how >> 2) % 16),
    resting: (how & 64) > 0,
    keepsFees: (how & 128) > 0,
    price: reader.uint(),
    triggerPrice: reader.uint(),
    volume: reader.uint(),
    makerFee: reader.uint(),
    takerFee: reader.uint(),
    clientOrderId: reader.text(),
    orderLocked: reader.bigint(),
    available: reader.bigint(),
    locked: reader.bigint(),
  };
}

function writeTrade(event: Trade, writer: ByteWriter): void {
  writer.uint(event.id);
  writer.uint(event.market);
  writer.uint(event.price);
  writer.uint(event.volume);
  writer.byte(codeOf(SIDES, event.takerSide) + (event.isOwn === true ? 2 : 0));
  writer.uint(event.maker);
  writer.uint(event.taker);
  writer.uint(event.makerMember);
  writer.uint(event.takerMember);
  writer.uint(event.makerFee);
  writer.uint(event.takerFee);
  writer.bigint(event.makerLocked);
  writer.bigint(event.takerLocked);
  writer.bigint(event.buyerQuoteAvailable);
  writer.bigint(event.buyerQuoteLocked);
  writer.bigint(event.buyerBaseAvailable);
  writer.bigint(event.sellerBaseLocked);
  writer.bigint(event.sellerQuoteAvailable);
  writer.bigint(event.feesBaseAvailable);
  writer.bigint(event.feesQuoteAvailable);
}

function readTrade(reader: ByteReader): Trade {
  const id = reader.uint();
  const market = reader.uint();
  const price = reader.uint();
  const volume = reader.uint();
  const what = reader.byte();
  return {
    kind: "trade",
    id,
    market,
    price,
    volume,
    takerSide: wordOf(SIDES, what % 2),
    ...(what < 2 ? {} : { isOwn: true as const }),
    maker: reader.uint(),
    taker: reader.uint(),
    makerMember: reader.uint(),
    takerMember: reader.uint(),
    makerFee: reader.uint(),
    takerFee: reader.uint(),
    makerLocked: reader.bigint(),
    takerLocked: reader.bigint(),
    buyerQuoteAvailable: reader.bigint(),
    buyerQuoteLocked: reader.bigint(),
    buyerBaseAvailable: reader.bigint(),
    sellerBaseLocked: reader.bigint(),
    sellerQuoteAvailable: reader.bigint(),
    feesBaseAvailable: reader.bigint(),
    feesQuoteAvailable: reader.bigint(),
  };
}

function writeOrderClosed(event: OrderClosed, writer: ByteWriter): void {
  writer.uint(event.id);
  writer.uint(event.member);
  writer.byte(codeOf(CLOSE_REASONS, event.reason) * 2 + (event.state === "reject" ? 1 : 0));
  writer.bigint(event.available);
  writer.bigint(event.locked);
  if (event.untraded > 0) writer.uint(event.untraded);
}

function readOrderClosed(reader: ByteReader, isCounted: boolean): OrderClosed {
  const id = reader.uint();
  const member = reader.uint();
  const code = reader.byte();
  return {
    kind: "order_closed",
    id,
    member,
    state: code % 2 === 1 ? "reject" : "cancel",
    reason: wordOf(CLOSE_REASONS, code >> 1),
    available: reader.bigint(),
    locked: reader.bigint(),
    untraded: isCounted ? reader.uint() : 0,
  };
}

function readDeposit(reader: ByteReader): DepositSet {
  return { kind: "deposit_set", deposit: reader.record(), ...readBalances(reader) };
}

function readDepositAddress(reader: ByteReader): DepositAddressMade {
  return { kind: "deposit_address_made", member: reader.uint(), currency: reader.uint() };
}

function readPnlCurrencies(
  currencies: readonly string[],
  kept: readonly string[] = currencies,
): PnlCurrenciesSet {
  return { kind: "pnl_currencies_set", currencies, kept };
}

function writeBalances(writer: ByteWriter, balances: MoneyBalances): void {
  writer.bigint(balances.available);
  writer.bigint(balances.locked);
  writer.bigint(balances.feesAvailable);
  writer.bigint(balances.outsideAvailable);
}

function readBalances(reader: ByteReader): MoneyBalances {
  return {
    available: reader.bigint(),
    locked: reader.bigint(),
    feesAvailable: reader.bigint(),
    outsideAvailable: reader.bigint(),
  };
}
