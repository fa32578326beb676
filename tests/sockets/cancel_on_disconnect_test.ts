import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../src/edge/errors.ts";
import type { Outcome } from "../../src/domain/command.ts";
import { CANCEL_TIMERS_PER_KEY_MAX } from "../../src/domain/limits.ts";
import { OWN_TIMER } from "../../src/domain/people/member.ts";
import { type Engine, OutcomeUnknownError, UnavailableError } from "../../src/engine/engine.ts";
import { TIMER_PATIENCE_MS_MAX } from "../../src/engine/commit/timer_watch.ts";
import { CancelOnDisconnect, GRACE_MS, LEASE_MS } from "../../src/sockets/cancel_on_disconnect.ts";
import { START } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
import { guardsOf, left, withGuards } from "../support/guarding.ts";

const ORDER = { amount: "1", price: "100" } as const;

/** Returns a venue's engine with a submit of the test's own. */
function engineOf({ engine }: EngineVenue, submit: Engine["submit"]) {
  return { submit, venue: engine.venue, now: () => engine.now(), isShared: engine.isShared };
}

describe("a guarded socket", () => {
  it("has a durable timer before it opens, renewed while it lives", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      await test.placed("alice", ORDER);
      await guards.guard(key);
      assertEquals(left(guarding), LEASE_MS);
      for (let round = 0; round < 3; round++) {
        clock.now += LEASE_MS - 1;
        await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
      }
      assertEquals(test.venue.orders.size, 1);
    }));

  it("has its timer renewed even if all sockets before it have ended", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      (await guards.guard(key)).drop();
      await eventually("the timer's end", () => test.venue.timers.soonest === Infinity);
      await guards.guard(key);
      clock.now += LEASE_MS - 1;
      await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
    }));

  it("cancels the member's orders shortly after it ends", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const foreign = await test.placed("bob", ORDER);
      const socket = await guards.guard(key);
      socket.end();
      socket.end();
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      clock.now += GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.get(id) === undefined);
      const order = await test.engine.order(test.member("alice"), id);
      assertEquals([order?.state, order?.reason], ["cancel", "disconnected"]);
      assert(test.venue.orders.get(foreign) !== undefined);
    }));

  it("cancels them even if another socket of the key is open", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const socket = await guards.guard(key);
      await guards.guard(key);
      socket.end();
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      clock.now += GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.get(id) === undefined);
      await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
    }));

  it("opens once the orders of one that has just ended are cancelled, and keeps its own", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      await test.placed("alice", ORDER);
      (await guards.guard(key)).end();
      // At once: that the one before has ended is not in the log yet.
      const openBefore = guards.guard(key).then(() => test.venue.orders.size);
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      await new Promise((resolve) => setTimeout(resolve, 50));
      clock.now += GRACE_MS;
      assertEquals(await openBefore, 0);
      await test.placed("alice", ORDER);
      clock.now += LEASE_MS - 1;
      await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
      assertEquals(test.venue.orders.size, 1);
    }));

  it("is asked before its timer is renewed, and ends if it is gone", () =>
    withGuards(async (guarding, key) => {
      const { guards, test } = guarding;
      await test.placed("alice", ORDER);
      const socket = await guards.guard(key);
      let asked = 0;
      socket.onRenew = () => {
        asked += 1;
        socket.end();
      };
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      assertEquals(asked, 1);
    }));

  it("does not renew the key's own timer", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      await test.placed("alice", ORDER);
      await guards.guard(key);
      const own = { key: key.index, timer: OWN_TIMER, timeoutMs: 5000 };
      await test.must({ kind: "set_cancel_timer", ...own });
      clock.now += 5000;
      await eventually("the cancel", () => test.venue.orders.size === 0);
    }));

  it("cancels the orders even if its key is disabled", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const socket = await guards.guard(key);
      let lost = 0;
      socket.onLost = () => {
        lost += 1;
        socket.end();
      };
      await test.must({ kind: "change_key", uid: "alice", kid: "bot", state: "disabled" });
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      clock.now += GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.get(id) === undefined);
      const order = await test.engine.order(test.member("alice"), id);
      assertEquals([lost, order?.reason], [1, "disconnected"]);
    }));

  it("cancels the orders even if its key is deleted right after its end", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const socket = await guards.guard(key);
      socket.end();
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      await test.must({ kind: "change_key", uid: "alice", kid: "bot", state: "deleted" });
      clock.now += GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.get(id) === undefined);
      const order = await test.engine.order(test.member("alice"), id);
      assertEquals([order?.state, order?.reason], ["cancel", "disconnected"]);
    }));

  it("cancels nothing if never opened", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      await test.placed("alice", ORDER);
      const socket = await guards.guard(key);
      socket.drop();
      await eventually("the timer's end", () => test.venue.timers.soonest === Infinity);
      clock.now += 2 * LEASE_MS;
      await test.must({ kind: "note_act" });
      assertEquals(test.venue.orders.size, 1);
    }));

  it("is refused if its timer can't be set", () =>
    withGuards(async (guarding, key) => {
      const { guards, test } = guarding;
      test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
      await assertRejects(() => guards.guard(key), UnavailableError);
      test.store.plan = () => "none";
      for (let timer = 1; timer < CANCEL_TIMERS_PER_KEY_MAX; timer++) await guards.guard(key);
      const refused = await assertRejects(() => guards.guard(key), ApiError);
      assertEquals(refused.errors, ["market.order.cancel_timer_limit"]);
    }));

  it("leaves no timer if setting it had an unknown outcome", () =>
    withGuards(async ({ test }, key) => {
      await test.placed("alice", ORDER);
      let asked = 0;
      const submit: Engine["submit"] = async (...command) => {
        const outcome = await test.engine.submit(...command);
        asked += 1;
        if (asked === 1) throw new OutcomeUnknownError([]);
        return outcome;
      };
      const guards = new CancelOnDisconnect({ engine: engineOf(test, submit), onFault() {} });
      await assertRejects(() => guards.guard(key), OutcomeUnknownError);
      await eventually("the timer's end", () => test.venue.timers.soonest === Infinity);
      assertEquals(asked, 2);
    }));

  it("ends once, and with its process", () =>
    withGuards(async (guarding, key) => {
      const { test } = guarding;
      const asked: number[] = [];
      const submit: Engine["submit"] = async (...command) => {
        if (command[0].kind === "set_cancel_timer") asked.push(command[0].timeoutMs);
        return await test.engine.submit(...command);
      };
      const guards = new CancelOnDisconnect({ engine: engineOf(test, submit), onFault() {} });
      const [first] = [await guards.guard(key), await guards.guard(key)];
      for (let times = 0; times < 2; times++) first.end();
      first.drop();
      await guards.close();
      assertEquals(asked, [LEASE_MS, LEASE_MS, GRACE_MS, LEASE_MS]);
      assertEquals(left(guarding), GRACE_MS);
    }));

  it("reports unexpected errors, but not an unavailable store", () =>
    withGuards(async ({ test }, key) => {
      const [away, unknown, odd] = [
        new UnavailableError("away"),
        new OutcomeUnknownError([]),
        new TypeError("odd"),
      ];
      const errors: unknown[] = [away, unknown, odd];
      const submit: Engine["submit"] = async (...command) => {
        const isEnd = command[0].kind === "set_cancel_timer" && command[0].timeoutMs < LEASE_MS;
        if (isEnd) throw errors.shift();
        return await test.engine.submit(...command);
      };
      const faults: unknown[] = [];
      const onFault = (error: unknown) => faults.push(error);
      const guards = new CancelOnDisconnect({ engine: engineOf(test, submit), onFault });
      for (let times = 0; times < 3; times++) (await guards.guard(key)).end();
      await guards.close();
      assertEquals([errors, faults], [[], [odd]]);
    }));

  it("does not block a shutdown while the store hangs", () =>
    withGuards(async ({ test }, key) => {
      const submit: Engine["submit"] = async (...command) => {
        const outcome = await test.engine.submit(...command);
        const isEnd = command[0].kind === "set_cancel_timer" && command[0].timeoutMs < LEASE_MS;
        return isEnd ? await new Promise<Outcome>(() => {}) : outcome;
      };
      const guards = new CancelOnDisconnect({ engine: engineOf(test, submit), onFault() {} });
      await guards.guard(key);
      await guards.close();
    }));

  it("leaves its orders to the other processes when its own dies", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const shared = { path: file.path, clock, isShared: true };
    const one = await EngineVenue.open(shared);
    await one.addUsual();
    const key = await one.addKey("trade");
    await using two = await EngineVenue.open(shared);
    await one.placed("alice", ORDER);
    const { faults, guards } = guardsOf(one, clock);
    await guards.guard(key);
    one.store.crash();
    await two.engine.fresh();
    guardsOf(two, clock).guards.keepAbandoned();
    await two.must({ kind: "note_act" });
    assertEquals(two.venue.orders.size, 1);
    assertEquals(two.venue.timers.soonest - clock.now, LEASE_MS);
    clock.now += LEASE_MS + TIMER_PATIENCE_MS_MAX;
    await eventually("the cancel", () => two.venue.orders.size === 0);
    await guards.close();
    await one.close();
    assertEquals(faults, []);
  });
});
