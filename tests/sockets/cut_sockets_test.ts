import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OWN_TIMER } from "../../src/domain/people/member.ts";
import {
  CancelOnDisconnect,
  GRACE_MS,
  LEASE_MS,
  LEFT_MS_MAX,
} from "../../src/sockets/cancel_on_disconnect.ts";
import { START } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
import { guardsOf, left, RENEW_MS, withGuards } from "../support/guarding.ts";

const ORDER = { amount: "1", price: "100" } as const;

describe("a guarded socket that its client did not end", () => {
  it("keeps its time if the venue cuts it, and is replaced by the one that comes back", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const cut = await guards.guard(key);
      cut.open();
      clock.now += LEASE_MS / 2;
      await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
      cut.leave();
      cut.end();
      await test.must({ kind: "note_act" });
      // Less than a second later, which is all that the client's own end would leave.
      clock.now += GRACE_MS - 1;
      const back = await guards.guard(key);
      back.open();
      assertEquals(left(guarding), LEASE_MS - GRACE_MS + 1);
      clock.now += LEASE_MS - LEFT_MS_MAX;
      await eventually("its own timer alone", () => left(guarding) === LEASE_MS);
      clock.now += LEASE_MS - 1;
      await eventually("a timer that is postponed", () => left(guarding) === LEASE_MS);
      assert(test.venue.orders.get(id) !== undefined);
      back.end();
      await eventually("a timer that is shortened", () => left(guarding) === GRACE_MS);
      clock.now += GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.size === 0);
    }));

  it("cancels the orders twenty seconds later if it does not come back", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      const id = await test.placed("alice", ORDER);
      const before = await guards.guard(key);
      before.open();
      const [cut, other] = [await guards.guard(key), await guards.guard(key)];
      for (const one of [cut, other]) {
        one.open();
        one.leave();
      }
      await test.must({ kind: "note_act" });
      await guards.close();
      clock.now += LEASE_MS - 2 * GRACE_MS;
      // One socket replaces one.
      for (const one of [await guards.guard(key), await guards.guard(key)]) one.open();
      await eventually(
        "one timer that is left",
        () => test.venue.keys[key.index]?.key.cancelTimers?.length === 3,
      );
      clock.now += 2 * GRACE_MS;
      await eventually("the cancel", () => test.venue.orders.get(id) === undefined);
    }));

  it("is not replaced by one that never opens", () =>
    withGuards(async (guarding, key) => {
      const { clock, guards, test } = guarding;
      await test.placed("alice", ORDER);
      const cut = await guards.guard(key);
      cut.open();
      cut.leave();
      await test.must({ kind: "note_act" });
      clock.now += LEASE_MS - LEFT_MS_MAX + 1;
      const unopened = await guards.guard(key);
      await new Promise((resolve) => setTimeout(resolve, 10 * RENEW_MS));
      assertEquals(left(guarding), LEFT_MS_MAX - 1);
      unopened.drop();
      clock.now += LEFT_MS_MAX;
      await eventually("the cancel", () => test.venue.orders.size === 0);
    }));

  it("is not replaced while another process renews its timer", () =>
    withGuards(async (guarding, key) => {
      const { guards, test } = guarding;
      const { engine } = test;
      const others = new CancelOnDisconnect({ engine, onFault() {}, renewMs: LEASE_MS });
      (await others.guard(key)).open();
      (await guards.guard(key)).open();
      await test.must({ kind: "note_act" });
      assertEquals(test.venue.keys[key.index]?.key.cancelTimers?.length, 2);
      await others.close();
    }));

  it("has the time to come back once the next process owns the store", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const one = await EngineVenue.open({ path: file.path, clock });
    await one.addUsual();
    const key = await one.addKey("trade");
    const { guards } = guardsOf(one, clock);
    const id = await one.placed("alice", ORDER);
    (await guards.guard(key)).open();
    const own = { key: key.index, timer: OWN_TIMER, timeoutMs: 3 * LEASE_MS };
    await one.must({ kind: "set_cancel_timer", ...own });
    one.store.crash();
    await guards.close();
    await one.close();
    clock.now += LEASE_MS / 2;
    await using two = await EngineVenue.open({ path: file.path, clock });
    const next = guardsOf(two, clock);
    next.guards.keepAbandoned();
    await eventually("a timer that is postponed", () => left(next) === LEASE_MS);
    clock.now += LEASE_MS - GRACE_MS - 1;
    (await next.guards.guard(key)).open();
    await eventually("its own timer alone", () => left(next) === LEASE_MS);
    clock.now += GRACE_MS + 1;
    await two.must({ kind: "note_act" });
    assert(two.venue.orders.get(id) !== undefined);
    await next.guards.close();
    clock.now += LEASE_MS;
    await eventually("the cancel", () => two.venue.orders.size === 0);
    assertEquals(next.faults, []);
  });

  it("is left alone by that one if it is due by then, and cancels orders only once", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const one = await EngineVenue.open({ path: file.path, clock });
    await one.addUsual();
    const key = await one.addKey("trade");
    const id = await one.placed("alice", ORDER);
    const { guards } = guardsOf(one, clock);
    await guards.guard(key);
    one.store.crash();
    await guards.close();
    await one.close();
    clock.now += LEASE_MS;
    await using two = await EngineVenue.open({ path: file.path, clock });
    const next = guardsOf(two, clock);
    next.guards.keepAbandoned();
    await eventually("the cancel", () => two.venue.orders.get(id) === undefined);
    await two.placed("alice", ORDER);
    assertEquals(two.venue.timers.soonest, Infinity);
    clock.now += LEASE_MS;
    await two.must({ kind: "note_act" });
    assertEquals(two.venue.orders.size, 1);
    assertEquals(next.faults, []);
  });
});
