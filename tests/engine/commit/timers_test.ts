import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { CANCELS_PER_PORTION_MAX } from "../../../src/domain/limits.ts";
import { OWN_TIMER } from "../../../src/domain/people/member.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { TIMER_PATIENCE_MS_MAX } from "../../../src/engine/commit/timer_watch.ts";
import { isLockedFault } from "../../../src/store/store.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { stateText } from "../../support/state_text.ts";
import { START } from "../../support/domain_venue.ts";

const TIMEOUT_MS = 5000;
/** How often a call is made while another engine holds the file. */
const CALLS_MAX = 20;
const ORDER = { amount: "1", price: "100" } as const;
/** Trades with {@linkcode ORDER} if it is still open. */
const AGAINST = { side: "sell", amount: "1", price: "100" } as const;

function setting(key: number, timeoutMs: number = TIMEOUT_MS): Command {
  return { kind: "set_cancel_timer", key, timer: OWN_TIMER, timeoutMs };
}

/** Waits until an engine without calls has done something by itself. */
async function until(test: EngineVenue, isDone: () => boolean): Promise<void> {
  await eventually("what an engine does by itself", isDone);
  // An engine tries again when another one has held the file for too long.
  assertEquals(test.faults.filter((fault) => !isLockedFault(fault)), []);
}

/** Makes a call; repeats it while another engine holds the file: it has had no effect. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await call();
    } catch (error) {
      const isFailing = error instanceof UnavailableError && error.message === "store_failing";
      if (!isFailing || tries === CALLS_MAX) throw error;
    }
  }
}

/** Collects the kinds of the events of each further entry. */
function entriesOf(test: EngineVenue): VenueEvent["kind"][][] {
  const entries: VenueEvent["kind"][][] = [];
  test.engine.onEntry((events) => entries.push(events.map(({ kind }) => kind)));
  return entries;
}

async function reasonOf(test: EngineVenue, id: number): Promise<string> {
  return (await test.engine.order(test.member("alice"), id))?.reason ?? "";
}

describe("a cancel timer", () => {
  it("fires in an idle process, and not before its time", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const { index: key } = await test.addKey("trade");
    const id = await test.placed("alice", ORDER);
    await test.must(setting(key));
    clock.now = START + TIMEOUT_MS - 1;
    const entries = entriesOf(test);
    await test.must({ kind: "note_act" });
    assertEquals(test.venue.orders.size, 1);
    clock.now = START + TIMEOUT_MS;
    await until(test, () => test.venue.orders.size === 0);
    assertEquals(entries, [["order_closed", "key_set"]]);
    assertEquals(await reasonOf(test, id), "timer");
    assertEquals(test.venue.timers.soonest, Infinity);
  });

  it("fires before any new order in its batch", async () => {
    const clock = { now: START };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const { index: key } = await test.addKey("trade");
    await test.must(setting(key));
    const entries = entriesOf(test);
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const placing = test.placed("alice", ORDER);
    await until(test, () => test.store.held === 1);
    clock.now = START + TIMEOUT_MS;
    const selling = test.place("bob", AGAINST);
    test.store.plan = () => "none";
    test.store.release();
    assertEquals(await reasonOf(test, await placing), "");
    orderIds(await selling);
    assertEquals(entries.slice(1), [["order_closed", "key_set", "order_accepted"]]);
    assertEquals(test.venue.counters.trades, 0);
  });

  it("that expired while closed fires with the next commit, before a new order", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({ path: file.path, clock });
    await first.addUsual();
    const { index: key } = await first.addKey("trade");
    await first.must(setting(key));
    const id = await first.placed("alice", ORDER);
    await first.folded();
    await first.close();
    clock.now = START + 60 * TIMEOUT_MS;
    const second = await EngineVenue.open({ path: file.path, clock });
    const selling = second.place("bob", AGAINST);
    orderIds(await selling);
    assertEquals(await reasonOf(second, id), "timer");
    assertEquals(second.venue.counters.trades, 0);
    await second.folded();
    await second.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("is restored from the rows and from the log after them", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const first = await EngineVenue.open({ path: file.path, clock });
    await first.addUsual();
    const { index: key } = await first.addKey("trade");
    await first.must(setting(key, 9000));
    await first.folded();
    await first.must(setting(key));
    await first.must({ ...setting(key, 7000), timer: 5 } as Command);
    const before = stateText(first.venue);
    first.store.crash();
    await first.close();
    await using second = await EngineVenue.open({ path: file.path, clock });
    assertEquals(stateText(second.venue), before);
    assertEquals(second.venue.timers.soonest, START + TIMEOUT_MS);
  });

  it("that takes several commits lets others' orders in between, and ends only what was open", async () => {
    const count = 2000;
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open({ path: file.path, clock });
    await test.addUsual();
    await test.must({ kind: "change_member", uid: "alice", changes: { openOrdersMax: count + 1 } });
    const { index: key } = await test.addKey("trade");
    for (let placed = 0; placed < count; placed += 1000) {
      await test.place("alice", ...Array.from({ length: 1000 }, () => ORDER));
    }
    await test.must(setting(key));
    const entries = entriesOf(test);
    clock.now = START + TIMEOUT_MS;
    const [own, other] = await Promise.all([
      test.placed("alice", { ...ORDER, price: "1" }),
      test.placed("bob", { side: "sell", amount: "1", price: "200" }),
    ]);
    const left = test.venue.orders.size - 2;
    assert(left >= count - 2 * CANCELS_PER_PORTION_MAX, `${left} are left to be cancelled`);
    await until(test, () => test.venue.timers.soonest === Infinity);
    const closed = entries.map((kinds) => kinds.filter((kind) => kind === "order_closed").length);
    assertEquals(
      closed,
      Array(count / CANCELS_PER_PORTION_MAX).fill(CANCELS_PER_PORTION_MAX)
        .concat(0),
    );
    assertEquals(entries[0]?.slice(CANCELS_PER_PORTION_MAX), ["order_accepted", "order_accepted"]);
    assertEquals(Array.from(test.venue.orders.values(), ({ id }) => id), [own, other]);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("fires once if two processes share the store, whichever is first", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const shared = { path: file.path, clock, isShared: true };
    const one = await EngineVenue.open(shared);
    await one.addUsual();
    const { index: key } = await one.addKey("trade");
    const two = await EngineVenue.open(shared);
    const entries = entriesOf(two);
    const rounds = 5;
    for (let round = 0; round < rounds; round++) {
      await repeated(() => one.placed("alice", ORDER));
      await repeated(() => two.must(setting(key)));
      await one.engine.fresh();
      clock.now += TIMEOUT_MS + TIMER_PATIENCE_MS_MAX;
      for (const test of [one, two]) {
        await until(test, () => test.venue.timers.soonest === Infinity);
        assertEquals(test.venue.orders.size, 0);
      }
    }
    // Makes sure that neither engine is still about to fire the timer again.
    await repeated(() => two.must({ kind: "set_switches", switches: { trading: true } }));
    await one.engine.fresh();
    const closed = entries.flat().filter((kind) => kind === "order_closed");
    const sets = entries.flat().filter((kind) => kind === "key_set");
    assertEquals([closed.length, sets.length], [rounds, 2 * rounds]);
    await one.folded();
    await one.close();
    await two.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("fires in the remaining process", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const shared = { path: file.path, clock, isShared: true };
    const one = await EngineVenue.open(shared);
    await one.addUsual();
    const { index: key } = await one.addKey("trade");
    await using two = await EngineVenue.open(shared);
    await repeated(() => one.placed("alice", ORDER));
    await repeated(() => one.must(setting(key)));
    one.store.crash();
    await two.engine.fresh();
    clock.now += TIMEOUT_MS + TIMER_PATIENCE_MS_MAX;
    await until(two, () => two.venue.orders.size === 0);
    await one.close();
  });
});
