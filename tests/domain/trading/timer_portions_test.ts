import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runTimers } from "../../../src/domain/trading/decide_timers.ts";
import { CANCEL_TIMERS_PER_KEY_MAX, CANCELS_PER_PORTION_MAX } from "../../../src/domain/limits.ts";
import { OWN_TIMER } from "../../../src/domain/people/member.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue, START } from "../../support/domain_venue.ts";

/** Returns a venue with one market; ann has the key `bot`, ben has `other`. */
function venue(): { test: DomainVenue; bot: number; other: number } {
  const test = new DomainVenue().withMarket("btc", "usdt")
    .withMember("ann", { usdt: "1000" }).withMember("ben", { usdt: "1000" });
  return { test, bot: test.addKey("ann", "bot"), other: test.addKey("ben", "other") };
}

function set(test: DomainVenue, key: number, timeoutMs: number): void {
  test.must({ kind: "set_cancel_timer", key, timer: OWN_TIMER, timeoutMs });
}

/** Runs the due timers at this time after the start, over as many batches as needed. */
function runAt(test: DomainVenue, ms: number): void {
  test.sink.at = START + ms;
  test.sink.nextBatch();
  while (!runTimers(test.venue, test.sink)) test.sink.nextBatch();
}

/** Fires a key's own timer until a portion is cancelled of what ann has open, and places an order. */
function firingHalfway(test: DomainVenue, bot: number): { before: Order[]; between: Order } {
  const before = Array.from({ length: CANCELS_PER_PORTION_MAX + 10 }, () => {
    return test.buy("ann", "0.01", "1");
  });
  set(test, bot, 5000);
  test.sink.at = START + 5000;
  test.sink.nextBatch();
  assertEquals(runTimers(test.venue, test.sink), false);
  return { before, between: test.buy("ann", "0.01", "1") };
}

describe("a cancel timer of many orders", () => {
  it("takes no more than a portion of a batch, over all keys, so that others have their turn", () => {
    const { test, bot, other } = venue();
    const orders = Array.from({ length: CANCELS_PER_PORTION_MAX - 1 }, () => {
      return test.buy("ann", "0.01", "1");
    });
    const others = ["1", "2"].map((price) => test.buy("ben", "0.01", price));
    set(test, bot, 5000);
    set(test, other, 5000);
    test.sink.at = START + 5000;
    const portions: number[] = [];
    for (let isDone = false; !isDone;) {
      test.sink.nextBatch();
      const before = test.sink.events.length;
      isDone = runTimers(test.venue, test.sink);
      portions.push(test.sink.events.length - before);
    }
    assertEquals(portions, [CANCELS_PER_PORTION_MAX, 3]);
    for (const { state } of [...orders, ...others]) assertEquals(state, "cancel");
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("needs a portion more to be cleared if its cancels take a whole one", () => {
    const { test, bot } = venue();
    for (let i = 0; i < CANCELS_PER_PORTION_MAX; i++) test.buy("ann", "0.01", "1");
    set(test, bot, 5000);
    test.sink.at = START + 5000;
    test.sink.nextBatch();
    assertEquals(runTimers(test.venue, test.sink), false);
    assertEquals([test.venue.orders.size, test.venue.timers.soonest], [0, START + 5000]);
    test.sink.nextBatch();
    assertEquals(runTimers(test.venue, test.sink), true);
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("leaves what is placed between its portions", () => {
    const { test, bot } = venue();
    const { before, between } = firingHalfway(test, bot);
    runAt(test, 5000);
    assertEquals(new Set(before.map(({ state }) => state)), new Set(["cancel"]));
    assertEquals(between.state, "wait");
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("goes on between its portions whatever is set, cleared or done to its key", () => {
    const changes = { kind: "change_key", uid: "ann", kid: "bot" } as const;
    const cases: Record<string, [(test: DomainVenue, bot: number) => unknown, number]> = {
      "set again": [(test, bot) => set(test, bot, 7000), START + 12_000],
      "cleared": [(test, bot) => set(test, bot, 0), Infinity],
      "key disabled": [(test) => test.must({ ...changes, state: "disabled" }), Infinity],
      "key deleted": [(test) => test.must({ ...changes, state: "deleted" }), Infinity],
    };
    for (const [name, [act, soonest]] of Object.entries(cases)) {
      const { test, bot } = venue();
      const { before, between } = firingHalfway(test, bot);
      act(test, bot);
      assertEquals(test.venue.timers.soonest, START + 5000, name);
      runAt(test, 5000);
      assertEquals(new Set(before.map(({ state }) => state)), new Set(["cancel"]), name);
      assertEquals(new Set(before.map(({ reason }) => reason)), new Set(["timer"]), name);
      assertEquals([between.state, test.venue.timers.soonest], ["wait", soonest], name);
    }
  });

  it("can't be cleared or brought forward once it has fired", () => {
    const { test, bot } = venue();
    firingHalfway(test, bot);
    const events = test.sink.events.length;
    set(test, bot, 0);
    assertEquals(test.sink.events.length, events);
    test.must({ kind: "change_key", uid: "ann", kid: "bot", state: "disabled" });
    const setting = { kind: "set_cancel_timer", key: bot, timer: OWN_TIMER } as const;
    assertEquals(test.do({ ...setting, timeoutMs: 1000 }), { rejected: "key_not_active" });
  });

  it("makes room for another one of its key once it has fired", () => {
    const { test, bot } = venue();
    const setting = { kind: "set_cancel_timer", key: bot, timeoutMs: 5000 } as const;
    for (let id = 1; id < CANCEL_TIMERS_PER_KEY_MAX; id++) test.must({ ...setting, timer: id });
    firingHalfway(test, bot);
    test.must({ ...setting, timer: CANCEL_TIMERS_PER_KEY_MAX });
    runAt(test, 5000);
    assertEquals(test.venue.timers.soonest, START + 10_000);
  });

  it("keeps one that has fired beside one that is set, however often it fires again", () => {
    const { test, bot } = venue();
    const { between } = firingHalfway(test, bot);
    for (let ms = 5000; ms < 9000; ms += 1000) {
      test.sink.at = START + ms;
      set(test, bot, 1000);
    }
    assertEquals(
      test.venue.keys[bot]?.key.cancelTimers,
      [8000, 9000].map((ms) => {
        return { id: OWN_TIMER, at: START + ms };
      }),
    );
    test.sink.at = START + 8999;
    const later = test.buy("ann", "0.01", "1");
    runAt(test, 8999);
    assertEquals([between.state, later.state], ["cancel", "wait"]);
    assertEquals(test.venue.timers.soonest, START + 9000);
  });
});
