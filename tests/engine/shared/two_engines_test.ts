import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import type { FaultPlan } from "../../support/faulty_store.ts";
import { Prng } from "../../support/prng.ts";
import { stateText } from "../../support/state_text.ts";
import type { OrderText } from "../../support/domain_venue.ts";

const ORDERS = 10_000;
const SUBMITTERS = 32;

/** Opens two engines on one file, with a market and two rich members. */
async function openTwo(path: string, isRemote = false): Promise<[EngineVenue, EngineVenue]> {
  const one = await EngineVenue.open({ path, isShared: true, isRemote });
  await one.addUsual();
  for (const uid of ["alice", "bob"]) {
    await one.must({ kind: "change_member", uid, changes: { openOrdersMax: ORDERS } });
  }
  return [one, await EngineVenue.open({ path, isShared: true, isRemote })];
}

function randomOrder(prng: Prng): OrderText {
  const side = prng.pick(["buy", "sell"] as const);
  const price = 100 + prng.below(10) - (side === "buy" ? 4 : 0);
  return {
    side,
    price: `${price}`,
    amount: `0.${prng.between(1, 999)}`,
    selfTrade: prng.pick(["none", "cancel_newest", "cancel_oldest"] as const),
  };
}

/** Places orders one after the other, repeating those that certainly failed; returns their ids. */
async function submitOrders(test: EngineVenue, prng: Prng, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const uid = prng.pick(["alice", "bob"]);
    const outcome = await test.place(uid, randomOrder(prng)).catch((error) => {
      if (error instanceof UnavailableError) return null;
      throw error;
    });
    if (outcome === null) continue;
    ids.push(...orderIds(outcome));
    if (prng.chance(0.3)) {
      const name = { id: prng.pick(ids) };
      const command = {
        kind: "cancel_orders",
        member: test.member(uid),
        names: [name],
        strict: false,
        isKnown: false,
      } as const;
      await test.engine.submit(command, null).catch((error) => {
        if (!(error instanceof UnavailableError)) throw error;
      });
    }
  }
  return ids;
}

/** Sends orders to both at the same time; asserts that each answered one exists once. */
async function race(
  path: string,
  both: readonly [EngineVenue, EngineVenue],
  orders: number,
  settled: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const [one, two] = both;
  const count = Math.ceil(orders / (2 * SUBMITTERS));
  const ids = await Promise.all(
    Array.from(
      { length: 2 * SUBMITTERS },
      (_, i) => submitOrders(i % 2 === 0 ? one : two, new Prng(i), count),
    ),
  );
  await settled();
  for (const { engine, store } of both) {
    store.plan = () => "none";
    await engine.fresh();
  }
  const answered = ids.flat();
  assertEquals(new Set(answered).size, answered.length, "no id was given out twice");
  assertEquals(one.venue.counters.orders, answered.length, "every order was answered once");
  assertEquals(stateText(two.venue), stateText(one.venue));
  for (const { engine, venue, faults } of both) {
    venue.checkInvariants();
    assertEquals(faults, []);
    // What was checked may have taken long.
    await engine.fresh();
    assertEquals(engine.health(), { isReady: true, reason: "" });
  }
  for (const { member } of one.venue.members()) {
    const all = { offset: 0, limit: 2 * ORDERS, direction: "asc" } as const;
    const pages = both.map(({ engine }) => engine.orders(member.index, {}, all));
    const [here, there] = await Promise.all(pages);
    assertEquals(there?.items.map(({ id }) => id), here?.items.map(({ id }) => id));
    assertEquals(there?.items.length, there?.total);
  }
  await one.close();
  await two.folded();
  await two.close();
  assertEquals((await runAudit(path)).differences, []);
}

describe("two engines on one store", () => {
  it("lose and duplicate nothing in a race", async () => {
    await using file = await VenueFile.create();
    await race(file.path, await openTwo(file.path), ORDERS);
  });

  it("lose and duplicate nothing if sends and answers are lost", async () => {
    await using file = await VenueFile.create();
    const both = await openTwo(file.path, true);
    const prng = new Prng(1);
    const late: Promise<unknown>[] = [];
    for (const { store } of both) {
      store.plan = (purpose) => {
        const draw = prng.below(100);
        if (draw < 4) return "lose";
        if (draw < 8) return "lose_answer";
        if (draw < 12) return "slow";
        if (draw >= 16 || purpose === "fold") return "none";
        late.push(new Promise((resolve) => setTimeout(resolve, prng.below(300)))
          .then(() => store.landLate()));
        return "land_late";
      };
    }
    await race(file.path, both, ORDERS / 4, () => Promise.all(late));
  });

  it("accept a signature once if both receive it at the same time", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({ path: file.path, isShared: true });
    const member = await one.addMember("alice");
    await one.addKey("read");
    await using two = await EngineVenue.open({ path: file.path, isShared: true });
    for (let round = 0; round < 20; round++) {
      const signature = { key: 0, nonce: Date.now() + round, digest: 0 };
      const answers = await Promise.all([one, two].map(async ({ engine }) => {
        const outcome = await engine.submit({ kind: "spend_nonce", member }, signature);
        return isRejection(outcome) ? outcome.rejected : "spent";
      }));
      assertEquals(answers.sort(), ["nonce_already_used", "spent"]);
    }
  });

  it("place one order if both receive it with the same client order id", async () => {
    await using file = await VenueFile.create();
    const both = await openTwo(file.path);
    await using one = both[0];
    await using two = both[1];
    for (let round = 0; round < 16; round++) {
      if (round % 6 === 3) await one.folded();
      const clientOrderId = `order ${round >> 1}`;
      const order: OrderText = { amount: "1", price: "10", clientOrderId };
      const ids = await Promise.all(both.map(async (test) => {
        return [await test.placed("alice", order), await test.placed("alice", order)];
      }));
      assertEquals(new Set(ids.flat()).size, 1, `${ids}`);
    }
    await two.engine.fresh();
    assertEquals(two.venue.counters.orders, 8);
  });

  it("show each other's answered orders to any later read", async () => {
    await using file = await VenueFile.create();
    const both = await openTwo(file.path);
    await using one = both[0];
    await using two = both[1];
    one.store.isWatchDropped = true;
    for (let round = 0; round < 50; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
      const id = await writer.placed("alice", { amount: "1", price: "10" });
      await reader.engine.fresh();
      assertEquals((await reader.engine.order(reader.member("alice"), id))?.id, id);
      assert(reader.venue.orders.get(id) !== undefined);
    }
  });

  it("see each other's trades without a request, with or without the watch", async () => {
    for (const isWatchDropped of [false, true]) {
      await using file = await VenueFile.create();
      const prepare = (store: { isWatchDropped: boolean }) => store.isWatchDropped = isWatchDropped;
      await using one = await EngineVenue.open({ path: file.path, isShared: true });
      await one.addUsual();
      await using two = await EngineVenue.open({ path: file.path, isShared: true, prepare });
      const { promise, resolve } = Promise.withResolvers<void>();
      two.engine.onEntry((events) => {
        if (events.some(({ kind }) => kind === "trade")) resolve();
      });
      await one.place("alice", { side: "sell", amount: "1", price: "10" });
      await one.place("bob", { side: "buy", amount: "1", price: "10" });
      await promise;
      assertEquals(two.book.lastPrice, 1000);
    }
  });

  it("can be joined by a third while they trade and fold", async () => {
    await using file = await VenueFile.create();
    const [one, two] = await openTwo(file.path);
    let isOver = false;
    const trading = Promise.all([one, two].map(async (test, i) => {
      const prng = new Prng(i);
      while (!isOver) {
        await Promise.all(Array.from({ length: 8 }, () => submitOrders(test, prng, 1)));
      }
    }));
    for (let round = 0; round < 6; round++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      const third = await EngineVenue.open({ path: file.path, isShared: true });
      await third.placed("alice", { amount: "1", price: "10" });
      third.venue.checkInvariants();
      assertEquals(third.faults, []);
      await third.close();
    }
    isOver = true;
    await trading;
    await one.engine.fresh();
    await two.engine.fresh();
    assert(one.venue.sequence > 100);
    assertEquals(stateText(two.venue), stateText(one.venue));
    await one.close();
    await two.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("accept a client order id once, even if the first order is folded meanwhile", async () => {
    await using file = await VenueFile.create();
    const [before, other] = await openTwo(file.path);
    const changes = { bulkOrdersMax: 1000 };
    await before.must({ kind: "change_member", uid: "alice", changes });
    // For a member without orders nothing has to be read.
    await before.placed("bob", { amount: "1", price: "1" });
    await before.folded();
    await before.close();
    const slow = await EngineVenue.open({ path: file.path, isShared: true });
    // Its commits are held: one in flight, then more commands than fit in a batch, then bob's.
    const hold: FaultPlan = (purpose) => purpose === "log" ? "hold" : "none";
    slow.store.plan = hold;
    const order = { amount: "1", price: "1" };
    const orders = [slow.place("alice", order)];
    await slow.store.holding();
    for (let i = 0; i < 8; i++) {
      orders.push(slow.place("alice", ...Array.from({ length: 1000 }, () => order)));
    }
    const named = { ...order, clientOrderId: "only once" };
    const late = slow.placed("bob", named);
    await sleep(50);
    const commits = slow.store.commits.log;
    const id = await other.placed("bob", named);
    const cancel = { kind: "cancel_orders", strict: true, isKnown: false } as const;
    await other.must({ ...cancel, member: other.member("bob"), names: [{ id }] });
    await other.folded();
    await eventually("what the other has done", () => slow.venue.sequence >= other.venue.sequence);
    // The commit fails, and the state it was decided on is released while the next one is held.
    slow.store.release();
    slow.store.plan = hold;
    await eventually("another commit", () => slow.store.commits.log > commits);
    await slow.store.holding();
    await slow.folded();
    await sleep(1000);
    slow.store.release();
    for (const outcome of await Promise.all(orders)) assert(orderIds(outcome).length > 0);
    assertEquals(await late, id);
    await other.close();
    await slow.close();
  });
});
