import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Command, isRejection } from "../../../src/domain/command.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { FOLD_STEP } from "../../../src/store/kv/kv_limits.ts";
import { EngineVenue, orderIds } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { stateText } from "../../support/state_text.ts";
import { timeoutsAlone } from "../../support/timeouts_alone.ts";

const UNFOLDED_MAX = 800;
const ORDERS_PER_REQUEST = 100;
/** Orders of the first window: few, and so many that no pause is as long as other timeouts. */
const ORDERS_FIRST = 40;
const PAUSE_MS_PER_EVENT = 0.2;
const ORDER = { amount: "1", price: "10" };

/** Opens a venue whose fold is held. */
async function openBehind(): Promise<EngineVenue> {
  const test = await EngineVenue.open({ unfoldedEventsMax: UNFOLDED_MAX });
  await test.addUsual();
  await test.folded();
  test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
  return test;
}

/** Places orders in one request, and therefore in one batch. */
async function placeMany(test: EngineVenue, count = ORDERS_PER_REQUEST): Promise<number[]> {
  const many = Array.from({ length: count }, () => ORDER);
  return orderIds(await test.place("alice", ...many));
}

/** Returns the expected pause, quadratic in the backlog beyond a quarter of its limit. */
function pauseAfter(events: number, unfoldedEvents: number): number {
  const quarter = UNFOLDED_MAX / 4;
  const share = Math.max(0, unfoldedEvents - quarter) / (UNFOLDED_MAX - quarter);
  return Math.floor(events * PAUSE_MS_PER_EVENT * share ** 2);
}

function unfolded(test: EngineVenue): number {
  return test.engine.metrics().unfolded_events;
}

/** Places orders until the backlog is at its limit; returns their ids. */
async function fill(test: EngineVenue): Promise<number[]> {
  const ids: number[] = [];
  while (unfolded(test) < UNFOLDED_MAX) {
    ids.push(...await placeMany(test));
  }
  return ids;
}

function cancelling(test: EngineVenue, uid: string, id: number): Command {
  const member = test.member(uid);
  return { kind: "cancel_orders", member, names: [{ id }], strict: true, isKnown: false };
}

/** Returns all timeouts set during `act`, in ms. */
async function pausesOf(act: () => Promise<unknown>): Promise<number[]> {
  const pauses: number[] = [];
  const { setTimeout: original } = globalThis;
  globalThis.setTimeout = ((step: () => void, ms: number) => {
    pauses.push(ms);
    return original(step, ms);
  }) as typeof setTimeout;
  try {
    await act();
  } finally {
    globalThis.setTimeout = original;
  }
  return pauses;
}

/** Keeps timeouts of this length from firing until they are let go. */
class WithheldTimeouts implements Disposable {
  readonly #original = globalThis.setTimeout;
  #steps: (() => void)[] = [];

  constructor(length: number) {
    // As a plain function: older runtimes refuse it as the method of another object.
    const original = this.#original;
    globalThis.setTimeout = ((step: () => void, ms: number) => {
      if (ms !== length) return original(step, ms);
      this.#steps.push(step);
      return original(() => {}, 0);
    }) as typeof setTimeout;
  }

  get count(): number {
    return this.#steps.length;
  }

  letGo(): void {
    for (const step of this.#steps) step();
    this.#steps = [];
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#original;
    this.letGo();
  }
}

describe("a fold that is far behind", () => {
  it("takes larger steps than one that orders don't wait for", async () => {
    await using test = await openBehind();
    let most = 0;
    const commit = test.store.commit.bind(test.store);
    test.store.commit = (given, purpose) => {
      if (purpose === "fold") most = Math.max(most, given.mutations.length - 1);
      return commit(given, purpose);
    };
    await fill(test);
    test.store.plan = () => "none";
    test.store.release();
    await test.folded();
    assert(most > FOLD_STEP.mutations, `${most} mutations`);
  });

  it("holds off new orders, but not cancels or reads, until it has caught up", async () => {
    await using test = await openBehind();
    const ids = await fill(test);
    const before = stateText(test.venue);
    await assertRejects(() => test.place("bob", ORDER), UnavailableError, "fold_behind");
    const levels = { deposit: 1, withdraw: 3, trading: 2 };
    const setting = test.engine.submit({ kind: "set_levels", levels }, null);
    await assertRejects(() => setting, UnavailableError, "fold_behind");
    assertEquals(stateText(test.venue), before);

    const [first = 0, second = 0] = ids;
    const receipt = await test.must(cancelling(test, "alice", first));
    assertEquals(receipt.kind, "orders_cancelled");
    const alice = test.member("alice");
    assertEquals((await test.engine.order(alice, first))?.state, "cancel");
    await test.must({ kind: "cancel_all_orders", member: alice, market: 0, side: null });
    assertEquals((await test.engine.order(alice, second))?.state, "cancel");
    await test.must({ kind: "sweep_member", uid: "alice", market: -1, side: null });
    await test.must({ kind: "sweep_market", id: test.book.market.id });
    const timer = { kind: "set_cancel_timer", key: 0, timer: 0, timeoutMs: 60_000 } as const;
    const refused = await test.engine.submit(timer, null);
    assertEquals(isRejection(refused) && refused.rejected, "key_not_active");
    assertEquals(test.engine.health(), { isReady: false, reason: "fold_behind" });

    test.store.release();
    await test.folded();
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
    const id = await test.placed("bob", ORDER);
    assertEquals((await test.engine.order(test.member("bob"), id))?.state, "wait");
    assertEquals(test.faults, []);
  });

  it("does not hold off an operator who only stops things", async () => {
    await using test = await openBehind();
    await fill(test);
    const submit = (command: Command) => test.engine.submit(command, null);
    const changing = (changes: object): Command => ({
      kind: "change_market",
      id: "btcusdt",
      changes,
    });
    const switching = (switches: object): Command => ({ kind: "set_switches", switches });
    for (
      const command of [
        switching({ trading: true }),
        switching({ trading: false, withdrawals: true }),
        changing({ state: "enabled" }),
        changing({ state: "halted", position: 7 }),
        changing({ position: 7 }),
        changing({}),
      ]
    ) {
      await assertRejects(() => submit(command), UnavailableError, "fold_behind");
    }
    for (const state of ["halted", "cancel_only", "disabled"] as const) {
      await test.must(changing({ state }));
      assertEquals(test.book.market.state, state);
    }
    await test.must(switching({ trading: false, withdrawals: false }));
    assertEquals(test.venue.switches, { trading: false, withdrawals: false });
    test.store.release();
  });

  it("slows commands after a large batch, more so the further behind it is", async () => {
    using _alone = await timeoutsAlone();
    await using test = await openBehind();
    const asked: number[] = [];
    const made: number[] = [];
    while (unfolded(test) < UNFOLDED_MAX) {
      const next = await test.placed("bob", ORDER);
      await placeMany(test);
      const pause = pauseAfter(ORDERS_PER_REQUEST, unfolded(test));
      asked.push(pause);
      const pauses = await pausesOf(() => test.must(cancelling(test, "bob", next)));
      // Other timeouts are set as well: for lost commits, and for the folder's next look.
      made.push(pauses.includes(pause) ? pause : 0);
    }
    assertEquals(made, asked);
    assert(asked[0] === 0 && (asked.at(-1) ?? 0) >= PAUSE_MS_PER_EVENT * ORDERS_PER_REQUEST);
    test.store.release();
  });

  for (const [unfoldedMin, goes] of [[450, true], [650, false]] as const) {
    const does = goes ? "lets a slowed command go" : "slows commands for their whole time";
    it(`${does} while it waits for the store, ${unfoldedMin} of 800 events behind`, async () => {
      using _alone = await timeoutsAlone();
      await using test = await openBehind();
      using _releasing = { [Symbol.dispose]: () => test.store.release() };
      const [id = 0] = await placeMany(test, ORDERS_FIRST);
      await test.store.holding();
      while (unfolded(test) < unfoldedMin) await placeMany(test);
      using pauses = new WithheldTimeouts(pauseAfter(ORDERS_PER_REQUEST, unfolded(test)));
      let isCancelled = false;
      const cancelled = test.must(cancelling(test, "alice", id)).then(() => isCancelled = true);
      await eventually("a pause", () => pauses.count === 1);
      const logged = test.store.commits.log;
      test.store.release();
      test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
      await test.store.holding();
      if (goes) await eventually("the cancel", () => isCancelled);
      assertEquals([isCancelled, test.store.commits.log - logged], [goes, goes ? 1 : 0]);
      pauses.letGo();
      await cancelled;
    });
  }
});
