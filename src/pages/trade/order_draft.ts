/** An order as it is typed: what it comes to, and which rules of its market it breaks. */
import type { OrderInput } from "../../client/client.ts";
import type { Level, Records } from "../../client/client.ts";
import {
  floorTo,
  product,
  quotient,
  stepOf,
  toldUnits,
  typedUnits,
  unitsText,
} from "../shared/amounts.ts";

export type Side = "buy" | "sell";
/** Types of orders that a person chooses from. */
export type DraftType = "limit" | "market" | "stop" | "stop_limit";
export type TimeInForce = NonNullable<Records["OrderInput"]["time_in_force"]>;
export type SelfTrade = NonNullable<Records["OrderInput"]["self_trade_prevention"]>;

/** What is typed and chosen. */
export interface Draft {
  readonly side: Side;
  readonly type: DraftType;
  readonly price: string;
  readonly trigger: string;
  readonly amount: string;
  readonly timeInForce: TimeInForce;
  readonly isPostOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly clientOrderId: string;
}

/** Fields of the form. */
export type DraftField = "price" | "trigger_price" | "amount" | "total" | "client_order_id";

/** A rule that a field breaks, and its bound. */
export interface DraftFault {
  readonly field: DraftField;
  readonly rule:
    | "missing"
    | "number"
    | "digits"
    | "minimum"
    | "maximum"
    | "minimumTotal"
    | "funds"
    | "empty"
    | "clientOrderId";
  readonly limit: string;
}

/** The market's rules, as far as they concern orders. */
export type DraftMarket = Pick<
  Records["Market"],
  | "id"
  | "min_price"
  | "max_price"
  | "min_amount"
  | "min_total"
  | "amount_precision"
  | "price_precision"
>;

/** What a person has, and what the book offers. */
export interface DraftMeans {
  /** Free base currency, and free quote currency; null where it is not known who asks. */
  readonly base: string | null;
  readonly quote: string | null;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

const CLIENT_ORDER_ID = /^[A-Za-z0-9_-]{1,36}$/;
const NOTHING = { asks: [], bids: [] };

export function hasPrice(type: DraftType): boolean {
  return type === "limit" || type === "stop_limit";
}

export function hasTrigger(type: DraftType): boolean {
  return type === "stop" || type === "stop_limit";
}

/** Returns the rules that a draft breaks, the first one of each field. */
export function draftFaults(
  draft: Draft,
  market: DraftMarket,
  means: DraftMeans,
): readonly DraftFault[] {
  const { type, price, trigger, amount, clientOrderId } = draft;
  const faults = [
    hasPrice(type) ? priceFault("price", price, market) : null,
    hasTrigger(type) ? priceFault("trigger_price", trigger, market) : null,
    amountFault(amount, market),
    clientOrderId === "" || CLIENT_ORDER_ID.test(clientOrderId)
      ? null
      : { field: "client_order_id", rule: "clientOrderId", limit: "" } as const,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return faults;
  const fault = totalFault(draft, market, means);
  return fault === null ? [] : [fault];
}

function priceFault(
  field: "price" | "trigger_price",
  text: string,
  market: DraftMarket,
): DraftFault | null {
  if (text.trim() === "") return { field, rule: "missing", limit: "" };
  const units = typedUnits(text);
  if (units === null) return { field, rule: "number", limit: "" };
  if (units % stepOf(market.price_precision) !== 0n) {
    return { field, rule: "digits", limit: String(market.price_precision) };
  }
  if (units < toldUnits(market.min_price)) {
    return { field, rule: "minimum", limit: market.min_price };
  }
  const most = toldUnits(market.max_price);
  return most !== 0n && units > most ? { field, rule: "maximum", limit: market.max_price } : null;
}

function amountFault(text: string, market: DraftMarket): DraftFault | null {
  const field = "amount";
  if (text.trim() === "") return { field, rule: "missing", limit: "" };
  const units = typedUnits(text);
  if (units === null) return { field, rule: "number", limit: "" };
  if (units % stepOf(market.amount_precision) !== 0n) {
    return { field, rule: "digits", limit: String(market.amount_precision) };
  }
  return units < toldUnits(market.min_amount)
    ? { field, rule: "minimum", limit: market.min_amount }
    : null;
}

function totalFault(draft: Draft, market: DraftMarket, means: DraftMeans): DraftFault | null {
  const amount = typedUnits(draft.amount) ?? 0n;
  const funds = draft.side === "buy" ? means.quote : means.base;
  if (draft.side === "sell" && funds !== null && amount > toldUnits(funds)) {
    return { field: "amount", rule: "funds", limit: funds };
  }
  const priced = pricedTotal(draft, means);
  if (priced === null) {
    const side = draft.side === "buy" ? means.asks : means.bids;
    return draft.type === "market" && side.length === 0
      ? { field: "amount", rule: "empty", limit: "" }
      : null;
  }
  // Where no total is typed, the amount is at fault.
  const field = hasPrice(draft.type) ? "total" : "amount";
  if (priced < toldUnits(market.min_total)) {
    return { field, rule: "minimumTotal", limit: market.min_total };
  }
  return draft.side === "buy" && funds !== null && priced > toldUnits(funds)
    ? { field, rule: "funds", limit: funds }
    : null;
}

/**
 * Returns what a draft comes to in the quote currency, in units: by its price, by its trigger, or by
 * the orders that it would meet; null if that can't be told.
 */
export function pricedTotal(
  draft: Draft,
  { asks, bids }: Pick<DraftMeans, "asks" | "bids"> = NOTHING,
): bigint | null {
  const amount = typedUnits(draft.amount);
  if (amount === null) return null;
  const named = hasPrice(draft.type)
    ? typedUnits(draft.price)
    : hasTrigger(draft.type)
    ? typedUnits(draft.trigger)
    : undefined;
  if (named !== undefined) return named === null ? null : product(amount, named);
  let left = amount;
  let total = 0n;
  for (const [price, volume] of draft.side === "buy" ? asks : bids) {
    const taken = minimum(left, toldUnits(volume));
    total += product(taken, toldUnits(price));
    left -= taken;
    if (left === 0n) return total;
  }
  return null;
}

/** Returns the amount for a total, cut off to the market's digits; "" if there is none. */
export function amountForTotal(total: string, price: string, market: DraftMarket): string {
  const [units, at] = [typedUnits(total), typedUnits(price)];
  if (units === null || at === null) return "";
  const amount = floorTo(quotient(units, at), market.amount_precision);
  return amount === 0n ? "" : unitsText(amount);
}

/**
 * Returns the amount that a part of what one has free is enough for; "" if for none.
 *
 * @param percent whole number from 1 to 100
 */
export function amountOfPart(
  draft: Draft,
  market: DraftMarket,
  means: DraftMeans,
  percent: number,
): string {
  const have = toldUnits((draft.side === "buy" ? means.quote : means.base) ?? "0");
  const part = have * BigInt(percent) / 100n;
  const amount = draft.side === "sell" ? part : amountFor(part, draft, means);
  const cut = floorTo(amount, market.amount_precision);
  return cut === 0n ? "" : unitsText(cut);
}

function amountFor(total: bigint, draft: Draft, { asks }: DraftMeans): bigint {
  if (draft.type !== "market") {
    const price = typedUnits(hasPrice(draft.type) ? draft.price : draft.trigger);
    return price === null ? 0n : quotient(total, price);
  }
  let left = total;
  let amount = 0n;
  for (const [price, volume] of asks) {
    const at = toldUnits(price);
    const taken = minimum(quotient(left, at), toldUnits(volume));
    amount += taken;
    left -= product(taken, at);
    if (taken < toldUnits(volume)) break;
  }
  return amount;
}

/** Returns the order that a draft without faults says, for the venue. */
export function orderOf(draft: Draft, market: string): OrderInput {
  const { type, side, isPostOnly, timeInForce, selfTrade, clientOrderId } = draft;
  const takesTime = hasPrice(type) && !(type === "limit" && isPostOnly);
  return {
    market,
    side,
    type: type === "limit" && isPostOnly ? "post_only" : type,
    amount: plainText(draft.amount),
    ...(hasPrice(type) ? { price: plainText(draft.price) } : {}),
    ...(hasTrigger(type) ? { trigger_price: plainText(draft.trigger) } : {}),
    ...(takesTime && timeInForce !== "gtc" ? { time_in_force: timeInForce } : {}),
    ...(selfTrade === "cancel_newest" ? {} : { self_trade_prevention: selfTrade }),
    ...(clientOrderId === "" ? {} : { client_order_id: clientOrderId }),
  };
}

/** Returns a typed amount as the venue reads it. */
function plainText(text: string): string {
  return unitsText(typedUnits(text) ?? 0n);
}

function minimum(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
