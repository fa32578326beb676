/** Compares the most frequent events field by field, the others generically. */
import type { Outcome, PlacedOrder } from "../../../src/domain/command.ts";
import type { OrderAccepted, OrderClosed, Trade, VenueEvent } from "../../../src/domain/event.ts";
import { difference } from "./same.ts";

/** Describes how an event differs from the expected one; null if it does not. */
export function eventDifference(actual: VenueEvent, expected: VenueEvent): string | null {
  return isSameEvent(actual, expected) ? null : difference(actual, expected, expected.kind);
}

/** Returns whether an outcome is the expected one. */
export function isSameOutcome(actual: Outcome, expected: Outcome): boolean {
  if ("rejected" in expected || expected.kind !== "orders_placed") {
    return difference(actual, expected) === null;
  }
  return "kind" in actual && actual.kind === "orders_placed" && Object.keys(actual).length === 2 &&
    actual.orders.length === expected.orders.length &&
    actual.orders.every((order, index) => isSamePlaced(order, expected.orders[index]));
}

function isSamePlaced(actual: PlacedOrder, expected: PlacedOrder | undefined): boolean {
  if (expected === undefined) return false;
  if ("repeats" in expected) return "repeats" in actual && actual.repeats === expected.repeats;
  return "accepted" in actual && actual.at === expected.at &&
    isSameAccepted(actual.accepted, expected.accepted);
}

function isSameEvent(actual: VenueEvent, expected: VenueEvent): boolean {
  switch (expected.kind) {
    case "nonce_spent":
      return actual.kind === "nonce_spent" && actual.key === expected.key &&
        actual.nonce === expected.nonce && actual.digest === expected.digest;
    case "order_accepted":
      return actual.kind === "order_accepted" && isSameAccepted(actual, expected);
    case "order_closed":
      return actual.kind === "order_closed" && isSameClosed(actual, expected);
    case "trade":
      return actual.kind === "trade" && isSameTrade(actual, expected) &&
        hasSameMoney(actual, expected);
    default:
      return difference(actual, expected) === null;
  }
}

function isSameAccepted(a: OrderAccepted, b: OrderAccepted): boolean {
  return a.id === b.id && a.member === b.member && a.market === b.market && a.side === b.side &&
    a.type === b.type && a.timeInForce === b.timeInForce && a.selfTrade === b.selfTrade &&
    a.price === b.price && a.triggerPrice === b.triggerPrice && a.volume === b.volume &&
    a.clientOrderId === b.clientOrderId && a.makerFee === b.makerFee &&
    a.takerFee === b.takerFee && a.orderLocked === b.orderLocked &&
    a.available === b.available && a.locked === b.locked && a.resting === b.resting &&
    a.keepsFees === b.keepsFees;
}

function isSameClosed(a: OrderClosed, b: OrderClosed): boolean {
  return a.id === b.id && a.member === b.member && a.state === b.state && a.reason === b.reason &&
    a.available === b.available && a.locked === b.locked && a.untraded === b.untraded;
}

function isSameTrade(a: Trade, b: Trade): boolean {
  return a.id === b.id && a.isOwn === b.isOwn && a.market === b.market && a.price === b.price &&
    a.volume === b.volume &&
    a.takerSide === b.takerSide && a.maker === b.maker && a.taker === b.taker &&
    a.makerMember === b.makerMember && a.takerMember === b.takerMember &&
    a.makerFee === b.makerFee && a.takerFee === b.takerFee;
}

function hasSameMoney(a: Trade, b: Trade): boolean {
  return a.makerLocked === b.makerLocked && a.takerLocked === b.takerLocked &&
    a.buyerQuoteAvailable === b.buyerQuoteAvailable && a.buyerQuoteLocked === b.buyerQuoteLocked &&
    a.buyerBaseAvailable === b.buyerBaseAvailable && a.sellerBaseLocked === b.sellerBaseLocked &&
    a.sellerQuoteAvailable === b.sellerQuoteAvailable &&
    a.feesBaseAvailable === b.feesBaseAvailable && a.feesQuoteAvailable === b.feesQuoteAvailable;
}
