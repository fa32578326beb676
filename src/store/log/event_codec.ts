/** Events as bytes. The code of a kind or word is its index in its list, which only grows. */
import { assert, present } from "../../domain/assert.ts";
import type {
  OrderAccepted,
  OrderClosed,
  OrderRested,
  Trade,
  VenueEvent,
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
import { readMoneyEvent, writeMoneyEvent } from "./money_event_codec.ts";
import { renewedCurrency, renewedFrom } from "../older_records.ts";

/** A kind of event with a code of its own; an event that was extended has two. */
type CodedKind =
  | VenueEvent["kind"]
  | "order_rested_told"
  | "deposit_set_named"
  | "deposit_set_paid_back"
  | "act_noted_once"
  | "order_closed_counted"
  | "pnl_currencies_kept";

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
] as const satisfies readonly CodedKind[];

const KIND_CODES = new Map(KINDS.map((kind, code) => [kind as string, code]));

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
  switch (event.kind) {
    case "nonce_spent":
      writer.uint(event.key);
      writer.int(event.nonce - at);
      return writer.uint(event.digest);
    case "order_accepted":
      return writeOrderAccepted(writer, event);
    case "order_triggered":
      writer.uint(event.id);
      return writer.uint(event.member);
    case "order_rested":
      return writeOrderRested(writer, event);
    case "trade":
      return writeTrade(writer, event);
    case "order_closed":
      return writeOrderClosed(writer, event);
    case "balance_adjusted":
      writer.uint(event.id);
      writer.uint(event.member);
      writer.uint(event.currency);
      writer.bigint(event.amount);
      writer.bigint(event.available);
      return writer.bigint(event.outsideAvailable);
    case "member_set":
      return writer.record(event.member);
    case "key_set":
      return writer.record(event.key);
    case "currency_set":
      return writer.record(event.currency);
    case "market_set":
      return writer.record(event.market);
    case "fee_set":
    case "fee_deleted":
      return writer.record(event.row);
    case "levels_set":
      return writer.record(event.levels);
    default:
      writeMoneyEvent(writer, event);
  }
}

function codedKindOf(event: VenueEvent): CodedKind {
  switch (event.kind) {
    case "order_rested":
      return event.member === undefined ? event.kind : "order_rested_told";
    case "deposit_set":
      if (event.transaction === undefined) return event.kind;
      return event.payment === undefined ? "deposit_set_named" : "deposit_set_paid_back";
    case "act_noted":
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
  const kind = wordOf(KINDS, reader.byte());
  switch (kind) {
    case "nonce_spent":
      return { kind, key: reader.uint(), nonce: reader.int() + at, digest: reader.uint() };
    case "order_accepted":
      return readOrderAccepted(reader);
    case "order_triggered":
      return { kind, id: reader.uint(), member: reader.uint() };
    case "order_rested":
      return { kind, id: reader.uint() };
    case "order_rested_told":
      return { kind: "order_rested", id: reader.uint(), member: reader.uint() };
    case "trade":
      return readTrade(reader);
    case "order_closed":
    case "order_closed_counted":
      return readOrderClosed(reader, kind === "order_closed_counted");
    case "balance_adjusted":
      return {
        kind,
        id: reader.uint(),
        member: reader.uint(),
        currency: reader.uint(),
        amount: reader.bigint(),
        available: reader.bigint(),
        outsideAvailable: reader.bigint(),
      };
    case "member_set":
      return { kind, member: reader.record() };
    case "key_set":
      return { kind, key: reader.record() };
    case "currency_set":
      return { kind, currency: renewedFrom(format, reader.record(), renewedCurrency) };
    case "market_set":
      return { kind, market: reader.record() };
    case "fee_set":
      return { kind, row: reader.record() };
    case "fee_deleted":
      return { kind, row: reader.record() };
    case "levels_set":
      return { kind, levels: reader.record() };
    default:
      return readMoneyEvent(kind, reader, format);
  }
}

function writeOrderAccepted(writer: ByteWriter, event: OrderAccepted): void {
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

function writeOrderRested(writer: ByteWriter, { id, member }: OrderRested): void {
  writer.uint(id);
  if (member !== undefined) writer.uint(member);
}

function writeTrade(writer: ByteWriter, event: Trade): void {
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

function writeOrderClosed(writer: ByteWriter, event: OrderClosed): void {
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
