import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Outcome } from "../../../src/domain/command.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { runTimers } from "../../../src/domain/trading/decide_timers.ts";
import {
  CANCEL_TIMER_MS_MAX,
  CANCEL_TIMER_MS_MIN,
  CANCEL_TIMERS_PER_KEY_MAX,
} from "../../../src/domain/limits.ts";
import { type ApiKey, OWN_TIMER } from "../../../src/domain/people/member.ts";
import { Timers } from "../../../src/domain/trading/timers.ts";
import { Prng } from "../../support/prng.ts";
import { stateText } from "../../support/state_text.ts";
import { DomainVenue, START } from "../../support/domain_venue.ts";

const SOCKET = 77;

/** Returns a venue with two markets; ann has the key `bot`, ben has `other`. */
function venue(capacity: number = Infinity): { test: DomainVenue; bot: number; other: number } {
  const test = new DomainVenue(capacity)
    .withMarket("btc", "usdt")
    .withMarket("eth", "usdt")
    .withMember("ann", { btc: "100", usdt: "1000" })
    .withMember("ben", { btc: "100", usdt: "1000" });
  return { test, bot: test.addKey("ann", "bot"), other: test.addKey("ben", "other") };
}

function set(
  test: DomainVenue,
  key: number,
  timeoutMs: number,
  timer: number = OWN_TIMER,
): Outcome {
  return test.do({ kind: "set_cancel_timer", key, timer, timeoutMs });
}

function refusal(outcome: Outcome): string {
  return isRejection(outcome) ? outcome.rejected : "";
}

/** Runs the due timers at this time after the start, over as many batches as needed. */
function runAt(test: DomainVenue, ms: number): void {
  test.sink.at = START + ms;
  test.sink.nextBatch();
  while (!runTimers(test.venue, test.sink)) test.sink.nextBatch();
}

function keyOf(test: DomainVenue, index: number): ApiKey | undefined {
  return test.venue.keys[index]?.key;
}

describe("a cancel timer", () => {
  it("cancels everything its key's member has open, and nobody else's orders", () => {
    const { test, bot } = venue();
    const order = test.buy("ann", "2", "10");
    const stop = test.sell("ann", "1", "0", { type: "stop", trigger: "5" });
    const elsewhere = test.buy("ann", "1", "10", { market: "ethusdt" });
    const foreign = test.buy("ben", "1", "10");
    assertEquals(set(test, bot, 5000), {
      kind: "cancel_timer_set",
      at: START,
      firesAt: START + 5000,
    });
    runAt(test, 4999);
    assertEquals(order.state, "wait");
    runAt(test, 5000);
    for (const { state, reason } of [order, stop, elsewhere]) {
      assertEquals([state, reason], ["cancel", "timer"]);
    }
    assertEquals(foreign.state, "wait");
    assertEquals(test.balance("ann", "usdt"), "1000/0");
  });

  it("fires once", () => {
    const { test, bot } = venue();
    set(test, bot, 5000);
    runAt(test, 5000);
    assertEquals(keyOf(test, bot)?.cancelTimers, undefined);
    assertEquals(test.venue.timers.soonest, Infinity);
    const order = test.buy("ann", "2", "10");
    runAt(test, 60_000);
    assertEquals(order.state, "wait");
  });

  it("is postponed or advanced by setting it again", () => {
    const { test, bot } = venue();
    const order = test.buy("ann", "2", "10");
    set(test, bot, 5000);
    runAt(test, 4000);
    set(test, bot, 5000);
    runAt(test, 8999);
    assertEquals(order.state, "wait");
    set(test, bot, 1000);
    assertEquals(test.venue.timers.soonest, START + 9999);
    runAt(test, 9999);
    assertEquals(order.state, "cancel");
  });

  it("is cleared by a timeout of 0", () => {
    const { test, bot } = venue();
    const order = test.buy("ann", "2", "10");
    set(test, bot, 5000);
    assertEquals(set(test, bot, 0), { kind: "cancel_timer_set", at: START, firesAt: 0 });
    const events = test.sink.events.length;
    assertEquals(set(test, bot, 0), { kind: "cancel_timer_set", at: START, firesAt: 0 });
    assertEquals(test.sink.events.length, events);
    runAt(test, 60_000);
    assertEquals(order.state, "wait");
  });

  it("does not count as a change of the key", () => {
    const { test, bot } = venue();
    const before = keyOf(test, bot);
    test.sink.at = START + 1000;
    set(test, bot, 5000);
    assertEquals(keyOf(test, bot)?.updatedAt, before?.updatedAt);
    set(test, bot, 0);
    assertEquals(keyOf(test, bot), before);
  });

  it("is undone without a trace, both set and fired", () => {
    const { test, bot, other } = venue();
    test.buy("ann", "2", "10");
    set(test, other, 9000);
    const before = stateText(test.venue);
    const mark = test.sink.mark();
    set(test, bot, 5000);
    const whenSet = stateText(test.venue);
    const markSet = test.sink.mark();
    runAt(test, 5000);
    assert(stateText(test.venue) !== whenSet);
    test.sink.rollback(markSet);
    assertEquals(stateText(test.venue), whenSet);
    assertEquals(test.venue.timers.soonest, START + 5000);
    test.sink.rollback(mark);
    assertEquals(stateText(test.venue), before);
    assertEquals(test.venue.timers.soonest, START + 9000);
  });

  it("continues in the next batch if one is too small, and stays set until done", () => {
    const { test, bot } = venue(4);
    const orders = Array.from({ length: 11 }, () => test.buy("ann", "1", "10"));
    set(test, bot, 5000);
    test.sink.at = START + 5000;
    test.sink.nextBatch();
    const done: number[] = [];
    for (let batch = 0; batch < 3; batch++) {
      if (batch > 0) test.sink.nextBatch();
      assertEquals(runTimers(test.venue, test.sink), batch === 2);
      done.push(orders.filter(({ state }) => state === "cancel").length);
    }
    assertEquals(done, [4, 8, 11]);
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("cancels orders on halted markets too, since it fires once", () => {
    const { test, bot } = venue();
    const open = test.buy("ann", "1", "10");
    const halted = test.buy("ann", "1", "10", { market: "ethusdt" });
    test.must({ kind: "change_market", id: "ethusdt", changes: { state: "halted" } });
    set(test, bot, 5000);
    runAt(test, 5000);
    assertEquals([open.state, halted.state], ["cancel", "cancel"]);
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("of the holder is cleared with its key, and refused for an inactive one", () => {
    const { test, bot } = venue();
    const order = test.buy("ann", "1", "10");
    set(test, bot, 5000);
    const changes = { kind: "change_key", uid: "ann", kid: "bot" } as const;
    test.must({ ...changes, scopes: ["read"] });
    assertEquals(test.venue.timers.soonest, START + 5000);
    test.must({ ...changes, state: "disabled" });
    assertEquals(test.venue.timers.soonest, Infinity);
    assertEquals(refusal(set(test, bot, 5000)), "key_not_active");
    test.must({ ...changes, state: "active" });
    assertEquals(keyOf(test, bot)?.cancelTimers, undefined);
    runAt(test, 60_000);
    assertEquals(order.state, "wait");
    assertEquals(refusal(set(test, 99, 5000)), "key_not_active");
  });

  it("of a socket outlives its key, and can then be brought forward but not postponed", () => {
    for (const state of ["disabled", "deleted"] as const) {
      const { test, bot } = venue();
      const order = test.buy("ann", "1", "10");
      set(test, bot, 5000);
      set(test, bot, 20_000, SOCKET);
      test.must({ kind: "change_key", uid: "ann", kid: "bot", state });
      assertEquals(keyOf(test, bot)?.cancelTimers, [{ id: SOCKET, at: START + 20_000 }]);
      assertEquals(refusal(set(test, bot, 20_000, SOCKET)), "key_not_active");
      assertEquals(refusal(set(test, bot, 1000, SOCKET + 1)), "key_not_active");
      assertEquals(refusal(set(test, bot, 1000, SOCKET)), "");
      runAt(test, 1000);
      assertEquals([order.state, order.reason], ["cancel", "disconnected"]);
      assertEquals(test.venue.timers.soonest, Infinity);
    }
  });

  it("of a socket is cleared even if its key is not active", () => {
    const { test, bot } = venue();
    set(test, bot, 20_000, SOCKET);
    test.must({ kind: "change_key", uid: "ann", kid: "bot", state: "disabled" });
    assertEquals(refusal(set(test, bot, 0, SOCKET)), "");
    assertEquals(keyOf(test, bot)?.cancelTimers, undefined);
  });

  it("must be within bounds and whole", () => {
    const { test, bot } = venue();
    for (const ms of [-1, 1, CANCEL_TIMER_MS_MIN - 1, CANCEL_TIMER_MS_MAX + 1, 1500.5, NaN]) {
      assertEquals(refusal(set(test, bot, ms)), "cancel_timer_invalid", `${ms}`);
    }
    for (const ms of [CANCEL_TIMER_MS_MIN, CANCEL_TIMER_MS_MAX]) {
      assertEquals(refusal(set(test, bot, ms)), "");
    }
  });

  it("needs the caller's own key, with the right scope", () => {
    const { test, bot, other } = venue();
    const command = { kind: "set_cancel_timer", timer: OWN_TIMER, timeoutMs: 5000 } as const;
    const signature = { key: other, nonce: START, digest: 0 };
    assertEquals(refusal(test.do({ ...command, key: bot }, signature)), "scope_not_permitted");
    assertEquals(
      refusal(test.do({ ...command, key: other }, { ...signature, nonce: START + 1 })),
      "",
    );
    test.must({ kind: "change_key", uid: "ben", kid: "other", scopes: ["read"] });
    assertEquals(
      refusal(test.do({ ...command, key: other }, { ...signature, nonce: START + 2 })),
      "scope_not_permitted",
    );
    assertEquals(keyOf(test, bot)?.cancelTimers, undefined);
  });
});

describe("the timers of one key", () => {
  it("are independent, so neither postpones the other", () => {
    const { test, bot } = venue();
    set(test, bot, 5000);
    set(test, bot, 20_000, SOCKET);
    const first = test.buy("ann", "1", "10");
    runAt(test, 5000);
    assertEquals(first.reason, "timer");
    const second = test.buy("ann", "1", "10");
    runAt(test, 20_000);
    assertEquals([second.state, second.reason], ["cancel", "disconnected"]);
    assertEquals(test.venue.timers.soonest, Infinity);
    const later = venue();
    set(later.test, later.bot, 60_000);
    set(later.test, later.bot, 2000, SOCKET);
    const third = later.test.buy("ann", "1", "10");
    runAt(later.test, 2000);
    assertEquals(third.reason, "disconnected", "the key's own is not due yet");
  });

  it("are limited, and sockets leave room for the key's own", () => {
    const { test, bot } = venue();
    for (let id = 1; id < CANCEL_TIMERS_PER_KEY_MAX; id++) {
      assertEquals(refusal(set(test, bot, 5000, id)), "");
    }
    assertEquals(refusal(set(test, bot, 5000, SOCKET)), "cancel_timers_exceeded");
    assertEquals(refusal(set(test, bot, 5000, 1)), "");
    assertEquals(refusal(set(test, bot, 5000)), "");
    assertEquals(keyOf(test, bot)?.cancelTimers?.length, CANCEL_TIMERS_PER_KEY_MAX);
    set(test, bot, 0, 1);
    assertEquals(refusal(set(test, bot, 5000, SOCKET)), "");
  });
});

describe("the deadlines of many keys", () => {
  function keyAt(index: number, ...times: number[]): ApiKey {
    return {
      index,
      kid: `key-${index}`,
      member: 2,
      role: "member",
      scopes: [],
      state: "active",
      nonceMode: "single",
      createdAt: 0,
      updatedAt: 0,
      cancelTimers: times.map((at, id) => ({ id, at })),
    };
  }

  it("are sorted by time, then by key", () => {
    const timers = new Timers();
    for (const key of [keyAt(0, 30), keyAt(2, 10, 40), keyAt(1, 10), keyAt(3, 50)]) {
      timers.take(key);
    }
    assertEquals(timers.due(9), []);
    assertEquals(timers.due(10), [1, 2]);
    assertEquals(timers.due(49), [1, 2, 0]);
  });

  it("track the soonest through every change, and return the previous one", () => {
    const timers = new Timers();
    assertEquals(timers.soonest, Infinity);
    assertEquals(timers.take(keyAt(0, 30, 20)), Infinity);
    assertEquals(timers.take(keyAt(1, 10)), Infinity);
    assertEquals(timers.soonest, 10);
    assertEquals(timers.take(keyAt(1, 60)), 10);
    assertEquals(timers.soonest, 20);
    assertEquals(timers.take(keyAt(0)), 20);
    assertEquals(timers.soonest, 60);
    timers.set(0, 20);
    assertEquals(timers.soonest, 20);
    assertEquals(timers.take(keyAt(1)), 60);
    timers.set(0, Infinity);
    assertEquals(timers.soonest, Infinity);
  });
});

describe("the deadlines of many keys", () => {
  it("match a plain list of them, however often they are set again", () => {
    const prng = new Prng(20);
    const timers = new Timers();
    const expected = new Map<number, number>();
    for (let now = 0; now < 3000; now++) {
      const key = prng.below(40);
      const at = prng.chance(0.2) ? Infinity : now + prng.between(1, 30);
      timers.set(key, at);
      if (at === Infinity) expected.delete(key);
      else expected.set(key, at);
      if (prng.chance(0.5)) assertEquals(timers.soonest, Math.min(Infinity, ...expected.values()));
      const due = [...expected].filter(([, at]) => at <= now)
        .sort(([key, at], [other, otherAt]) => at - otherAt || key - other);
      assertEquals(timers.due(now), due.map(([key]) => key));
    }
  });
});
