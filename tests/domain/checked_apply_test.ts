import { assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../src/domain/assert.ts";
import { checkedApply } from "../../src/domain/checked_apply.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { Venue } from "../../src/domain/venue.ts";
import { moneyVenue } from "../support/money_venue.ts";
import { DomainVenue, units } from "../support/domain_venue.ts";

type EventOf<K extends VenueEvent["kind"]> = Extract<VenueEvent, { kind: K }>;

const ONE = units("1");

/** Asserts that a wrong version of the last event of a kind cannot be applied in its place. */
function assertRefused<K extends VenueEvent["kind"]>(
  test: DomainVenue,
  kind: K,
  wrong: (event: EventOf<K>) => EventOf<K>,
  fact: string,
): void {
  const { events } = test.sink;
  const place = events.findLastIndex(({ event }) => event.kind === kind);
  const venue = new Venue({ nonceWindowMs: 5000, undo: null });
  for (const { event, at } of events.slice(0, place)) checkedApply(venue, event, at);
  const { event, at } = events[place] as { event: EventOf<K>; at: number };
  assertThrows(() => checkedApply(venue, wrong(event), at), InvariantError, fact);
}

/** Returns a venue where ann has sold to ben and has cancelled an order. */
function traded(): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
    .withMember("ann", { btc: "5" }).withMember("ben", { usdt: "500" });
  test.cancel("ann", test.sell("ann", "1", "200").id);
  test.sell("ann", "2", "100");
  test.buy("ben", "1", "100");
  return test;
}

describe("an event that creates or lends money", () => {
  it("is refused when an order is accepted", () => {
    const more = (event: EventOf<"order_accepted">) => ({
      ...event,
      locked: event.locked + 1n,
    });
    assertRefused(traded(), "order_accepted", more, "sums to zero");
    const lent = (event: EventOf<"order_accepted">) => ({
      ...event,
      available: -1n,
      locked: event.available + event.locked + 1n,
    });
    assertRefused(traded(), "order_accepted", lent, "not negative");
  });

  it("is refused when an order ends", () => {
    const more = (event: EventOf<"order_closed">) => ({
      ...event,
      available: event.available + 1n,
    });
    assertRefused(traded(), "order_closed", more, "sums to zero");
    const lent = (event: EventOf<"order_closed">) => ({
      ...event,
      available: event.available + event.locked + 1n,
      locked: -1n,
    });
    assertRefused(traded(), "order_closed", lent, "not negative");
  });

  it("is refused in an adjustment", () => {
    const more = (event: EventOf<"balance_adjusted">) => ({
      ...event,
      available: event.available + 1n,
    });
    assertRefused(traded(), "balance_adjusted", more, "sums to zero");
    const lent = (event: EventOf<"balance_adjusted">) => ({
      ...event,
      available: -ONE,
      outsideAvailable: ONE,
    });
    assertRefused(traded(), "balance_adjusted", lent, "not negative");
  });

  it("is refused in a trade, for base and quote alike", () => {
    type Wrong = (event: EventOf<"trade">) => EventOf<"trade">;
    const wrong: [Wrong, string][] = [
      [(event) => ({ ...event, buyerBaseAvailable: event.buyerBaseAvailable + 1n }), "to zero"],
      [(event) => ({ ...event, feesQuoteAvailable: event.feesQuoteAvailable + 1n }), "to zero"],
      // What is too much of one currency is no substitute for what another one lacks.
      [(event) => ({
        ...event,
        feesBaseAvailable: event.feesBaseAvailable + 1n,
        feesQuoteAvailable: event.feesQuoteAvailable - 1n,
      }), "to zero"],
      [(event) => ({
        ...event,
        buyerBaseAvailable: event.buyerBaseAvailable + event.sellerBaseLocked + ONE,
        sellerBaseLocked: -ONE,
      }), "not negative"],
      [(event) => ({
        ...event,
        sellerQuoteAvailable: event.sellerQuoteAvailable + event.feesQuoteAvailable + ONE,
        feesQuoteAvailable: -ONE,
      }), "not negative"],
    ];
    for (const [change, fact] of wrong) assertRefused(traded(), "trade", change, fact);
  });

  it("is refused in a trade with oneself, which sets two accounts twice", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
      .withMember("ann", { btc: "5", usdt: "500" });
    test.sell("ann", "2", "100", { selfTrade: "none" });
    test.buy("ann", "1", "100", { selfTrade: "none" });
    const venue = new Venue({ nonceWindowMs: 5000, undo: null });
    for (const { event, at } of test.sink.events) checkedApply(venue, event, at);
    const more = (event: EventOf<"trade">) => ({
      ...event,
      sellerQuoteAvailable: event.sellerQuoteAvailable + 1n,
    });
    assertRefused(test, "trade", more, "to zero");
  });

  it("is refused in a step of a deposit or withdrawal", () => {
    const test = moneyVenue();
    test.moveDeposit(test.deposit("ben", "btc", "3").id, "accept");
    test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    for (const kind of ["deposit_set", "withdraw_set"] as const) {
      type Step = EventOf<"deposit_set" | "withdraw_set">;
      const more = (event: Step) => ({ ...event, feesAvailable: event.feesAvailable + 1n });
      assertRefused(test, kind, more as never, "sums to zero");
      const lent = (event: Step) => ({
        ...event,
        feesAvailable: -ONE,
        available: event.available + event.feesAvailable + ONE,
      });
      assertRefused(test, kind, lent as never, "not negative");
    }
  });
});
