import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command, OrderName, OrderRequest } from "../../src/domain/command.ts";
import { isBrake, namesClientOrders, rulesOf, scopeOf } from "../../src/domain/command_rules.ts";
import { DomainVenue, orderRequest } from "../support/domain_venue.ts";

const ANN = 2;

function placing(...orders: OrderRequest[]): Command {
  return { kind: "place_orders", member: ANN, orders };
}

function cancelling(...names: OrderName[]): Command {
  return { kind: "cancel_orders", member: ANN, names, strict: true, isKnown: false };
}

const PLAIN = orderRequest({ amount: "1", price: "1" }, 0);
const NAMED = orderRequest({ amount: "1", price: "1", clientOrderId: "a" }, 0);
const CANCEL_ALL: Command = { kind: "cancel_all_orders", member: ANN, market: -1, side: null };
const TIMER: Command = { kind: "set_cancel_timer", key: 0, timer: 0, timeoutMs: 0 };
const SWEEPS: readonly Command[] = [
  { kind: "sweep_member", uid: "ann", market: -1, side: null },
  { kind: "sweep_market", id: "btcusdt" },
];

describe("a brake", () => {
  it("is a command that cancels orders, now or later", () => {
    for (const command of [cancelling(), CANCEL_ALL, TIMER, ...SWEEPS]) {
      assertEquals(isBrake(command), true, command.kind);
    }
    assertEquals(isBrake(placing(PLAIN)), false);
  });

  it("is a switch that stops something and opens nothing", () => {
    const switching = (trading?: boolean, withdrawals?: boolean) => {
      const given = Object.entries({ trading, withdrawals }).filter(([, is]) => is !== undefined);
      return isBrake({ kind: "set_switches", switches: Object.fromEntries(given) });
    };
    assertEquals([switching(false), switching(false, false)], [true, true]);
    assertEquals([switching(true), switching(false, true)], [false, false]);
  });

  it("is a change of a market that only stops its trading", () => {
    const changing = (changes: object) =>
      isBrake({ kind: "change_market", id: "btcusdt", changes });
    for (const state of ["halted", "cancel_only", "disabled"]) {
      assertEquals(changing({ state }), true, state);
      assertEquals(changing({ state, position: 7 }), false, state);
    }
    assertEquals([changing({}), changing({ state: "enabled" })], [false, false]);
  });
});

describe("the scope that a command needs", () => {
  it("is that of its kind, or the one that a read names", () => {
    assertEquals([placing(), cancelling(), CANCEL_ALL, TIMER].map(scopeOf), [
      "trade",
      "trade",
      "trade",
      "trade",
    ]);
    assertEquals(scopeOf({ kind: "spend_nonce", member: ANN }), "read");
    assertEquals(scopeOf({ kind: "spend_nonce", member: ANN, scope: "withdraw" }), "withdraw");
    assertEquals(SWEEPS.map(scopeOf), [null, null], "only operators' keys sign them");
  });
});

describe("the only key that may sign a command", () => {
  const keyOf = (command: Command) => rulesOf(command).keyOf?.(command);

  it("is the one whose timer is set", () => {
    assertEquals(keyOf({ ...TIMER, key: 7 } as Command), 7);
    assertEquals([placing(), cancelling(), CANCEL_ALL].map(keyOf), [
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a command about its member's own orders", () => {
  const countOf = (command: Command) => rulesOf(command).ownOrders?.count(command);

  it("counts as those that it places or names", () => {
    assertEquals([countOf(placing(PLAIN, NAMED)), countOf(cancelling({ id: 1 }))], [2, 1]);
    assertEquals([countOf(cancelling()), countOf(CANCEL_ALL), countOf(TIMER)], [0, 1, 1]);
    assertEquals(SWEEPS.map(countOf), [undefined, undefined]);
  });

  it("depends on client order ids if it has any", () => {
    const given = [placing(PLAIN, NAMED), cancelling({ id: 1 }, { clientOrderId: "a" })];
    assertEquals(given.map(namesClientOrders), [true, true]);
    const others = [placing(PLAIN), cancelling({ id: 1 }), CANCEL_ALL, TIMER, ...SWEEPS];
    assertEquals(others.map(namesClientOrders), others.map(() => false));
  });

  it("is the member's that gives it, or whose key has the timer", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("bob").withMember("ann");
    const key = test.addKey("ann", "bot");
    const memberOf = (command: Command) =>
      rulesOf(command).ownOrders?.memberOf(command, test.venue);
    const own = [placing(PLAIN), cancelling(), CANCEL_ALL].map(memberOf);
    assertEquals(own, [ANN, ANN, ANN]);
    const timer = { ...TIMER, key } as Command;
    assertEquals(memberOf(timer), test.member("ann"));
    assertEquals(memberOf({ ...timer, key: 99 } as Command), undefined, "no such key");
  });
});
