import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import { ORDERS_PER_SHARE } from "../../../src/engine/commit/command_queue.ts";
import { OutcomeUnknownError, UnavailableError } from "../../../src/engine/engine.ts";
import { OUTCOME_MS_MAX } from "../../../src/engine/commit/queued_command.ts";
import { COMMANDS_QUEUED_MAX } from "../../../src/engine/commit/sequencer.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { Prng } from "../../support/prng.ts";
import { stateText } from "../../support/state_text.ts";
import { units } from "../../support/domain_venue.ts";

const ALL = { offset: 0, limit: 100, direction: "asc" } as const;

/** Opens the usual venue; its further commits of the log are held. */
async function openHeld(): Promise<EngineVenue> {
  const test = await EngineVenue.open();
  await test.addUsual();
  test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
  return test;
}

/** Returns whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 0));
  return await Promise.race([promise.then(() => true, () => true), late]);
}

/** Returns how many orders a receipt reports as accepted. */
function acceptedCount(outcome: Outcome | undefined): number {
  if (outcome === undefined || isRejection(outcome) || outcome.kind !== "orders_placed") return 0;
  return outcome.orders.filter((one) => "accepted" in one).length;
}

describe("an answer", () => {
  it("waits for the commit, while reads do not", async () => {
    await using test = await openHeld();
    const before = stateText(test.venue);
    const placing = test.placed("alice", { amount: "1", price: "10" });
    await test.store.holding();
    const member = test.member("alice");
    await test.engine.fresh();
    assertEquals((await test.engine.orders(member, {}, ALL)).items, []);
    assertEquals(await test.engine.order(member, 1), null);
    assertEquals(stateText(test.venue), before);
    assertEquals(await isSettled(placing), false);
    test.store.release();
    const id = await placing;
    assertEquals((await test.engine.order(member, id))?.state, "wait");
  });

  it("shares a commit with others requested during the previous one", async () => {
    await using test = await openHeld();
    const before = test.store.commits.log;
    const first = test.placed("alice", { amount: "1", price: "10" });
    await test.store.holding();
    const others = Array.from(
      { length: ORDERS_PER_SHARE },
      () => test.placed("bob", { amount: "1", price: "9" }),
    );
    await new Promise((resolve) => setTimeout(resolve, 0));
    test.store.release();
    const ids = await Promise.all([first, ...others]);
    assertEquals(ids, Array.from({ length: ORDERS_PER_SHARE + 1 }, (_, i) => i + 1));
    assertEquals(test.store.commits.log - before, 2);
  });

  it("that refuses waits for the commits it depends on", async () => {
    await using test = await openHeld();
    const all = test.placed("alice", { side: "sell", amount: "1000000", price: "10" });
    await test.store.holding();
    const more = test.place("alice", { side: "sell", amount: "1", price: "10" });
    assertEquals(await isSettled(more), false);
    test.store.release();
    await all;
    const outcome = await more;
    assertEquals(isRejection(outcome) && outcome.rejected, "balance_insufficient");
  });

  it("says that the outcome is unknown if a commit does not return", async () => {
    const test = await openHeld();
    const order = { amount: "1", price: "10" };
    const { now } = performance;
    try {
      const placing = test.place("alice", order);
      const refused = test.place("alice", { ...order, side: "sell", amount: "2000000" });
      await test.store.holding();
      const waiting = test.place("alice", order);
      const answers = Promise.all([
        assertRejects(() => placing, OutcomeUnknownError),
        assertRejects(() => refused, OutcomeUnknownError),
        assertRejects(() => waiting, UnavailableError),
      ]);
      performance.now = () => now.call(performance) + OUTCOME_MS_MAX;
      const [unknown, none] = await answers;
      assertEquals([unknown.orderIds, none.orderIds], [[1], []]);
    } finally {
      performance.now = now;
    }
    test.store.release();
    assertEquals(await test.placed("alice", order), 2);
    assertEquals((await test.engine.order(test.member("alice"), 1))?.state, "wait");
    await test.close();
  });
});

/** The error of a failing store. */
const OUT_OF_ORDER = "Error: The store is out of order";

describe("a failing store", () => {
  it("is reported to the caller, with nothing done", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const before = stateText(test.venue);
    test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
    const order = { amount: "1", price: "10" };
    await assertRejects(() => test.place("alice", order), UnavailableError, "store_failing");
    assertEquals(test.engine.health(), { isReady: false, reason: "store_failing" });
    assertEquals(stateText(test.venue), before);
    test.store.plan = () => "none";
    assertEquals(await test.placed("alice", order), 1);
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
    assertEquals(test.venue.account(test.member("alice"), 1).locked, units("10"));
  });

  it("is reported once per outage, with its message", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const order = { amount: "1", price: "10" };
    for (const times of [1, 2]) {
      test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
      for (let i = 0; i < 3; i++) {
        await assertRejects(() => test.place("alice", order), UnavailableError);
      }
      assertEquals(test.faults.map(String), Array(times).fill(OUT_OF_ORDER));
      test.store.plan = () => "none";
      await test.placed("alice", order);
    }
  });

  it("is found to have recovered without any request", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
    const order = { amount: "1", price: "10" };
    await assertRejects(() => test.place("alice", order), UnavailableError);
    test.store.plan = () => "none";
    await test.health();
    assertEquals(await test.placed("alice", order), 1);
  });

  it("may be unreadable for a while, and recovers", async () => {
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path, isShared: true });
    await test.addUsual();
    test.store.areReadsFailing = true;
    const bad = { amount: "0.0000001", price: "10" };
    await assertRejects(() => test.place("alice", bad), UnavailableError, "store_failing");
    assertEquals(test.engine.health().reason, "store_failing");
    test.store.areReadsFailing = false;
    await test.health();
    assertEquals(isRejection(await test.place("alice", bad)), true);
    assertEquals(await test.placed("alice", { amount: "1", price: "10" }), 1);
  });

  it("still leaves every answered command done once, and no others", async () => {
    await using test = await EngineVenue.open();
    await addStream(test, 20n);
    const prng = new Prng(31);
    // A batch is given up after three consecutive failures.
    let failing = 0;
    test.store.plan = (purpose) => {
      if (failing === 0 && purpose === "log" && prng.chance(0.05)) failing = 3;
      if (failing === 0) return "none";
      failing -= 1;
      return "fail";
    };
    let orders = 0;
    let failed = 0;
    for (let round = 0; round < 300; round++) {
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, () => runStream(test, prng, 1)),
      );
      for (const answer of answers) {
        if (answer.status === "rejected") failed += 1;
        else orders += acceptedCount(answer.value[0]);
      }
    }
    assert(failed > 3, `${failed} commands failed`);
    assertEquals(test.venue.counters.orders, orders);
    test.venue.checkInvariants();
    assertEquals([...new Set(test.faults.map(String))], [OUT_OF_ORDER]);
  });

  it("keeps none of the rows sent along with the entry", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const command = test.placing("alice", { amount: "1", price: "10" });
    const submit = (value: number) =>
      test.engine.submit(command, null, () => [{ key: ["test"], value }]);
    test.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
    await assertRejects(() => submit(1), UnavailableError);
    assertEquals(await test.engine.readSidecar(["test"]), null);
    test.store.plan = () => "none";
    await submit(2);
    assertEquals(await test.engine.readSidecar(["test"]), 2);
  });
});

describe("a refused command", () => {
  it("leaves nothing of a bulk with one bad order", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    await test.placed("bob", { side: "sell", amount: "5", price: "10" });
    const before = stateText(test.venue);
    const good = { amount: "1", price: "10" };
    for (const bad of [{ amount: "0.0000001", price: "10" }, { amount: "1000", price: "1e9" }]) {
      const price = bad.price === "1e9" ? "1000000000" : bad.price;
      const outcome = await test.place("alice", good, good, { ...bad, price }, good);
      assertEquals(isRejection(outcome) && outcome.index, 2);
      assertEquals(stateText(test.venue), before);
    }
    assertEquals(orderIds(await test.place("alice", good, good)), [2, 3]);
    test.venue.checkInvariants();
  });

  it("writes no rows beside the log with an entry of others", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const refused = test.placing("alice", { amount: "0.0000001", price: "10" });
    const entries: number[] = [];
    test.engine.onEntry((_, first) => entries.push(first));
    await Promise.all([
      test.engine.submit(refused, null, () => [{ key: ["test"], value: 1 }]),
      test.placed("alice", { amount: "1", price: "10" }),
    ]);
    assertEquals(entries.length, 1);
    assertEquals(await test.engine.readSidecar(["test"]), null);
  });

  it("writes no rows beside the log", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const command = test.placing("alice", { amount: "0.0000001", price: "10" });
    await test.engine.submit(command, null, () => [{ key: ["test"], value: 1 }]);
    assertEquals(await test.engine.readSidecar(["test"]), null);
  });
});

describe("an engine that cannot write", () => {
  it("refuses commands once its queue is full", async () => {
    await using test = await openHeld();
    const member = test.member("alice");
    const spend = () => test.engine.submit({ kind: "spend_nonce", member }, null);
    const first = test.placed("alice", { amount: "1", price: "10" });
    await test.store.holding();
    const waiting = Array.from({ length: COMMANDS_QUEUED_MAX - 1 }, spend);
    await assertRejects(spend, UnavailableError, "queue_full");
    const health = test.engine.health();
    test.store.release();
    await Promise.all([first, ...waiting]);
    assertEquals(health, { isReady: false, reason: "queue_full" });
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
    await spend();
  });

  it("refuses everything while its clock is far behind the log's", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const order = { amount: "1", price: "10" };
    await test.placed("alice", order);
    clock.now -= 1500;
    await test.placed("alice", order);
    clock.now -= 1500;
    await assertRejects(() => test.place("alice", order), UnavailableError, "clock_behind");
    assertEquals(test.engine.health().reason, "clock_behind");
    clock.now += 3000;
    const id = await test.placed("alice", order);
    assertEquals(test.venue.order(id).createdAt, clock.now);
  });

  it("refuses queued commands if its clock falls behind the log's", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const order = { amount: "1", price: "10" };
    const first = test.placed("alice", order);
    await test.store.holding();
    const waiting = test.place("alice", order);
    clock.now -= 3000;
    test.store.release();
    assertEquals(await first, 1);
    await assertRejects(() => waiting, UnavailableError, "clock_behind");
    clock.now += 3000;
    assertEquals(await test.placed("alice", order), 2);
  });

  it("refuses everything once it is closed", async () => {
    const test = await EngineVenue.open();
    await test.addUsual();
    await test.close();
    await assertRejects(
      () => test.place("alice", { amount: "1", price: "10" }),
      UnavailableError,
      "closing",
    );
  });
});

describe("an entry's time", () => {
  it("is never before that of the previous entry", async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    await using test = await EngineVenue.open({ clock });
    await test.addUsual();
    const times: number[] = [];
    test.engine.onEntry((_, __, at) => times.push(at));
    for (const step of [5, -3, -1000, 2000, 0]) {
      clock.now += step;
      await test.placed("alice", { amount: "1", price: "10" });
    }
    assertEquals(times, [...times].sort((a, b) => a - b));
    assertEquals(times.length, 5);
  });
});

describe("rows beside the log", () => {
  const much = "x".repeat(20_000);
  for (const [what, count, value] of [["many", 1000, "some"], ["long", 100, much]] as const) {
    it(`are split over commits with room for them if they are ${what}`, async () => {
      await using test = await openHeld();
      const first = test.placed("alice", { amount: "1", price: "1" });
      await test.store.holding();
      const adjustments = Array.from({ length: count }, (_, i) =>
        test.engine.submit(
          { kind: "adjust_balance", uid: "alice", currency: "btc", amount: 1n },
          null,
          () => [{ key: ["notes", i], value }],
        ));
      test.store.plan = () => "none";
      test.store.release();
      await first;
      for (const outcome of await Promise.all(adjustments)) assert(!isRejection(outcome));
      const { length } = await test.engine.listSidecar({ prefix: ["notes"], limit: 2 * count });
      assertEquals(length, count);
      assertEquals(test.faults, []);
    });
  }
});

describe("mutations per order", () => {
  it("are few, for the answer and for the fold", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const orders = 6400;
    for (const uid of ["alice", "bob"]) {
      await test.must({ kind: "change_member", uid, changes: { openOrdersMax: orders } });
    }
    const before = { ...test.store.sent.mutations };
    await Promise.all(Array.from({ length: 64 }, async (_, submitter) => {
      const prng = new Prng(submitter);
      for (let i = 0; i < orders / 64; i++) {
        const side = prng.pick(["buy", "sell"] as const);
        const price = `${100 + prng.below(6) - (side === "buy" ? 4 : 0)}`;
        await test.placed(prng.pick(["alice", "bob"]), {
          side,
          amount: "1",
          price,
          selfTrade: "none",
        });
      }
    }));
    await test.folded();
    const { log, fold } = test.store.sent.mutations;
    const logged = (log - before.log) / orders;
    const all = logged + (fold - before.fold) / orders;
    assert(logged < 0.2, `${logged} mutations of the log per order`);
    assert(all < 1, `${all} mutations per order`);
  });
});
