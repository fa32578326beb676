import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { apply } from "../../src/domain/apply.ts";
import type { ByKind, VenueEvent } from "../../src/domain/event.ts";
import {
  accountOf,
  accountsSetBy,
  hasEffect,
  membersOf,
  messagesOf,
  ordersOf,
  ordersSetBy,
} from "../../src/domain/event_effects.ts";
import type { Account } from "../../src/domain/money/account.ts";
import { FEES_MEMBER, FIRST_MEMBER, OUTSIDE_MEMBER } from "../../src/domain/people/member.ts";
import type { Market } from "../../src/domain/trading/market.ts";
import { Venue } from "../../src/domain/venue.ts";
import { ANY_EVENT, EVENTS } from "../support/arbitrary_events.ts";
import { RECORDED_STREAMS } from "../support/recorded_events.ts";

/** Where every market has two currencies, and every order is a buy. */
const SCENE = {
  book: () => ({ market: { base: 1, quote: 2 } as Market }),
  order: () => ({ market: 0, side: "buy" as const }),
};
const UNSET = -(2n ** 200n);

/** Returns what a venue's accounts hold, by member, currency and half. */
function halvesOf(venue: Venue): Map<string, [Account, "available" | "locked"]> {
  const halves = new Map<string, [Account, "available" | "locked"]>();
  for (const { member } of venue.holders) {
    for (const { index } of venue.currencies) {
      const account = venue.account(member.index, index);
      halves.set(`${member.index} ${index} available`, [account, "available"]);
      halves.set(`${member.index} ${index} locked`, [account, "locked"]);
    }
  }
  return halves;
}

/** Applies an event, and returns which halves of accounts it has set, with what they hold then. */
function setBy(venue: Venue, event: VenueEvent, at: number): Map<string, bigint> {
  const halves = halvesOf(venue);
  const before = new Map([...halves].map(([name, [account, half]]) => [name, account[half]]));
  for (const [account, half] of halves.values()) account[half] = UNSET;
  apply(venue, event, at);
  const set = new Map<string, bigint>();
  for (const [name, [account, half]] of halves) {
    if (account[half] === UNSET) account[half] = before.get(name) ?? 0n;
    else set.set(name, account[half]);
  }
  return set;
}

/** Returns the same as the table of effects names it. */
function namedBy(venue: Venue, event: VenueEvent): Map<string, bigint> {
  const named = new Map<string, bigint>();
  for (const { member, currency, available, locked } of accountsSetBy(event, venue)) {
    if (available !== null) named.set(`${member} ${currency} available`, available);
    if (locked !== null) named.set(`${member} ${currency} locked`, locked);
  }
  return named;
}

describe("the effects of an event", () => {
  it("are said of every kind, since a table that lacks one does not compile", () => {
    const lacking = {} as Omit<ByKind<[], void>, "trade">;
    // @ts-expect-error: it says nothing of trades.
    const whole: ByKind<[], void> = lacking;
    assertEquals(whole, {} as ByKind<[], void>);
  });

  it("are tried on every kind", () => {
    const recorded = Object.values(RECORDED_STREAMS).flatMap((events) => events());
    const kinds = new Set(recorded.map(({ event }) => event.kind));
    assertEquals([...kinds].sort(), Object.keys(EVENTS).sort());
  });

  for (const [name, events] of Object.entries(RECORDED_STREAMS)) {
    it(`name exactly the balances that it sets: ${name}`, () => {
      const venue = new Venue({ nonceWindowMs: 5000, undo: null });
      for (const { event, at } of events()) {
        const named = namedBy(venue, event);
        const set = setBy(venue, event, at);
        assertEquals([...set].sort(), [...named].sort(), event.kind);
      }
    });
  }

  it("are messages for exactly those who own what it sets, one for each thing", () => {
    fc.assert(fc.property(ANY_EVENT, (event) => {
      const own = [FEES_MEMBER, OUTSIDE_MEMBER];
      const accounts = accountsSetBy(event, SCENE);
      const owners = [
        ...ordersSetBy(event).flatMap(({ member }) => member ?? []),
        ...accounts.map(({ member }) => member).filter((member) => !own.includes(member)),
      ];
      // Random numbers may be those of the venue's own accounts.
      fc.pre(membersOf(event).every((member) => member >= FIRST_MEMBER));
      assertEquals(new Set(membersOf(event)), new Set(owners));
      for (const member of membersOf(event)) {
        const touched = accounts.filter((one) => one.member === member);
        const made = messagesOf(event, member);
        assertEquals(made.accounts, new Set(touched.map(({ currency }) => currency)).size);
        assertEquals(made.orders, ordersOf(event, member).length);
        assertEquals(made.trades > 0, event.kind === "trade");
      }
      assertEquals(messagesOf(event, -1), { orders: 0, accounts: 0, trades: 0 });
    }));
  });

  it("move the funds of the first account, if it is no trade", () => {
    fc.assert(fc.property(ANY_EVENT, (event) => {
      if (!hasEffect(event, "movesFunds") || event.kind === "trade") return;
      const { member, currency } = accountOf(event);
      const [first] = accountsSetBy(event, SCENE);
      assertEquals([first?.member, first?.currency], [member, currency]);
    }));
  });
});
