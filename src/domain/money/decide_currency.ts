/** Creates and changes currencies. */
import { isEmptyAccount } from "./account.ts";
import type {
  AddNetwork,
  ChangeCurrency,
  ChangeNetwork,
  CreateCurrency,
  Outcome,
} from "../command.ts";
import { type Currency, currencyOn, isOnPrecision, networkIn } from "./currency.ts";
import { keepPnl } from "../decide_settings.ts";
import type { EventSink } from "../event_sink.ts";
import { refusePriceMarket } from "./followed_price.ts";
import { CURRENCIES_MAX } from "../limits.ts";
import { formatDecimal, LEDGER_DIGITS } from "./money.ts";
import { type AmountRule, reject, rejectAmount, type Rejection } from "../rejection.ts";
import type { Venue } from "../venue.ts";
import { isContradicted } from "./withdraw_limits.ts";

const CODE = /^[a-z0-9]{2,16}$/;

/** Creates a currency. */
export function decideCreateCurrency(
  venue: Venue,
  command: CreateCurrency,
  sink: EventSink,
): Outcome {
  const { currency: definition } = command;
  if (venue.currencyById.has(definition.id)) return reject("currency_taken", "id");
  if (venue.currencies.length >= CURRENCIES_MAX) {
    return reject("currency_limit_exceeded", "id", String(CURRENCIES_MAX));
  }
  if (!CODE.test(definition.id)) return reject("currency_code_invalid", "id");
  const currency: Currency = { ...definition, index: venue.currencies.length };
  const refusal = refuseTerms(currency, null) ??
    refuseLimits(currency, definition) ?? refusePriceMarket(venue, currency) ??
    refuseTag(currency) ?? refuseNetworks(venue, currency);
  if (refusal !== null) return refusal;

  sink.emit({ kind: "currency_set", currency });
  keepPnl(venue, sink);
  return { kind: "currency_set", currency };
}

/** Changes a currency; its precision only while nobody holds any and none is on its way. */
export function decideChangeCurrency(
  venue: Venue,
  command: ChangeCurrency,
  sink: EventSink,
): Outcome {
  const old = venue.currencyById.get(command.id);
  if (old === undefined) return reject("currency_not_found", "id");
  const priced = command.changes.price === undefined ? {} : { pricedAt: sink.at };
  const currency: Currency = { ...old, ...command.changes, ...priced };
  const refusal = refuseTerms(currency, old) ??
    refuseLimits(currency, command.changes) ?? refusePriceMarket(venue, currency);
  if (refusal !== null) return refusal;
  const isFrozen = isHeld(venue, old.index) || isArriving(venue, old.index);
  if (currency.precision !== old.precision && isFrozen) {
    return reject("precision_frozen", "precision");
  }

  sink.emit({ kind: "currency_set", currency });
  return { kind: "currency_set", currency };
}

/** Adds a network to those that a currency lives on: addresses are given out by it from then on. */
export function decideAddNetwork(venue: Venue, command: AddNetwork, sink: EventSink): Outcome {
  const old = venue.currencyById.get(command.id);
  if (old === undefined) return reject("currency_not_found", "id");
  const currency: Currency = { ...old, networks: [...old.networks ?? [], command.network] };
  const refusal = refuseTaggedNetwork(currency) ?? refuseNetworks(venue, currency) ??
    refuseTerms(currency, old);
  if (refusal !== null) return refusal;

  sink.emit({ kind: "currency_set", currency });
  return { kind: "currency_set", currency };
}

/** Changes a currency's terms on one of its networks. */
export function decideChangeNetwork(
  venue: Venue,
  { id, network: name, changes }: ChangeNetwork,
  sink: EventSink,
): Outcome {
  const old = venue.currencyById.get(id);
  if (old === undefined) return reject("currency_not_found", "id");
  const { networks = [] } = old;
  if (networkIn({ networks }, name) === undefined) {
    return reject("currency_network_not_found", "network");
  }
  const changed = networks.map((one) => one.name === name ? { ...one, ...changes } : one);
  const currency: Currency = { ...old, networks: changed };
  const refusal = refuseTerms(currency, old);
  if (refusal !== null) return refusal;

  sink.emit({ kind: "currency_set", currency });
  return { kind: "currency_set", currency };
}

/** Refuses terms, of a currency or of one of its networks, that contradict each other. */
function refuseTerms(currency: Currency, old: Currency | null): Rejection | null {
  const networks = currency.networks ?? [];
  const terms = networks.map(({ name }) =>
    [currencyOn(currency, name), old === null ? null : currencyOn(old, name)] as const
  );
  for (const [now, before] of [[currency, old] as const, ...terms]) {
    const refusal = refusePrecision(now) ?? refuseFees(now, before);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * Refuses fees that leave nothing of the smallest amount that is taken. A currency of an older
 * version that has such a one may still change in everything else.
 */
function refuseFees(currency: Currency, old: Currency | null): Rejection | null {
  const pairs = [
    ["deposit_fee", "depositFee", "minDepositAmount"],
    ["withdraw_fee", "withdrawFee", "minWithdrawAmount"],
  ] as const;
  for (const [field, fee, minimum] of pairs) {
    const least = currency[minimum];
    const isSame = old !== null && old[fee] === currency[fee] && old[minimum] === least;
    if (isSame || currency[fee] === 0n || least === 0n || currency[fee] < least) continue;
    return reject("fee_above_minimum", field, formatDecimal(least));
  }
  return null;
}

/** Refuses a precision in which the currency's own amounts are not whole. */
function refusePrecision(currency: Currency): Rejection | null {
  if (currency.precision < 0) return rejectAmount("precision_inexact", "precision", "minimum", 0);
  if (currency.precision > LEDGER_DIGITS) {
    return rejectAmount("precision_inexact", "precision", "maximum", LEDGER_DIGITS);
  }
  const amounts: readonly [string, bigint][] = [
    ["deposit_fee", currency.depositFee],
    ["min_deposit_amount", currency.minDepositAmount],
    ["withdraw_fee", currency.withdrawFee],
    ["min_withdraw_amount", currency.minWithdrawAmount],
  ];
  for (const [field, amount] of amounts) {
    if (!isOnPrecision(currency, amount)) {
      return rejectAmount("amount_off_precision", field, "precision", currency.precision);
    }
  }
  return null;
}

/** Refuses new limits of which that of 72 hours is below that of 24 hours. */
function refuseLimits(
  { withdrawLimit24h: daily, withdrawLimit72h: longer }: Currency,
  changes: ChangeCurrency["changes"],
): Rejection | null {
  if (daily === null || longer === null || !isContradicted(daily, longer)) return null;
  const refused = (field: string, rule: AmountRule, limit: bigint) =>
    rejectAmount("withdraw_limit_contradicted", field, rule, formatDecimal(limit));
  if (changes.withdrawLimit72h !== undefined) {
    return refused("withdraw_limit_72h", "minimum", daily);
  }
  // What stands since before this was a rule does not keep other changes from being made.
  if (changes.withdrawLimit24h === undefined) return null;
  return refused("withdraw_limit_24h", "maximum", longer);
}

/** Refuses tags of what has no addresses, or has them on networks. */
function refuseTag(currency: Currency): Rejection | null {
  if (currency.tag === undefined) return null;
  if (currency.type !== "coin") return reject("currency_tag_invalid", "tag");
  return refuseTaggedNetwork(currency);
}

/** No rail to a network carries a tag: what is sent without it would be lost. */
function refuseTaggedNetwork({ tag, networks = [] }: Currency): Rejection | null {
  if (tag === undefined || networks.length === 0) return null;
  return reject("currency_network_untagged", "network");
}

/**
 * Refuses networks that can't be the currency's: it is fiat or on one of them twice, or another
 * currency is the same coin there and would be credited, too.
 */
function refuseNetworks(venue: Venue, { index, type, networks = [] }: Currency): Rejection | null {
  if (networks.length > 0 && type !== "coin") return reject("currency_network_invalid", "network");
  const isTaken = networks.some(({ name, contract }, place) =>
    networks.findIndex((one) => one.name === name) !== place ||
    venue.currencies.some((other) =>
      other.index !== index &&
      other.networks?.some((one) => one.name === name && one.contract === contract)
    )
  );
  return isTaken ? reject("currency_network_taken", "network") : null;
}

function isHeld(venue: Venue, currency: number): boolean {
  return venue.holders.some((holder) => {
    const account = holder.accounts[currency];
    return account !== undefined && !isEmptyAccount(account);
  });
}

/** Whether a deposit is on its way, whose digits stay. A withdrawal is held until it has left. */
function isArriving(venue: Venue, currency: number): boolean {
  return venue.deposits.values().some((deposit) => deposit.currency === currency);
}
