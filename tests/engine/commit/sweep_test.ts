import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { CANCELS_PER_PORTION_MAX } from "../../../src/domain/limits.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { OutcomeUnknownError } from "../../../src/engine/engine.ts";
import { EngineVenue, orderIds, VenueFile } from "../../support/engine_venue.ts";
import type { OrderText } from "../../support/domain_venue.ts";

const MAKERS = 5000;
const BULK = 1000;

/** Fills a book with sell orders of 1, each at its own price, and waits until they rest. */
async function placeMakers(test: EngineVenue, makers: number = MAKERS): Promise<void> {
  await test.addUsual();
  await test.must({ kind: "change_member", uid: "bob", changes: { openOrdersMax: makers } });
  for (let placed = 0; placed < makers; placed += BULK) {
    const orders = Array.from({ length: BULK }, (_, i): OrderText => {
      return { side: "sell", amount: "1", price: (100 + (placed + i) / 100).toFixed(2) };
    });
    assertEquals(orderIds(await test.place("bob", ...orders)).length, BULK);
  }
}

/** An order that takes the whole book. */
const SWEEP: OrderText = { amount: `${MAKERS}`, price: "1000" };
/** An order for one at the best price. */
const NEXT: OrderText = { amount: "1", price: "1000" };

async function orderOf(test: EngineVenue, uid: string, id: number) {
  const order = await test.engine.order(test.member(uid), id);
  if (order === null) throw new Error(`No order ${id} of ${uid}`);
  return order;
}

describe("an order that takes more than fits into one commit", () => {
  it("continues before anything else touches its market", async () => {
    await using test = await EngineVenue.open();
    await placeMakers(test);
    let entries = 0;
    test.engine.onEntry(() => entries += 1);
    const sweeping = test.placed("alice", SWEEP);
    const selling = test.placed("bob", { side: "sell", amount: "1", price: "200" });
    const taking = test.placed("alice", NEXT);
    const [sweep, sale, next] = await Promise.all([sweeping, selling, taking]);
    const taker = await orderOf(test, "alice", sweep);
    assertEquals([taker.state, taker.tradesCount], ["done", MAKERS]);
    assertEquals(taker.lastTrade - taker.firstTrade, MAKERS - 1);
    assert(entries >= 3, `the sweep takes several commits, not ${entries}`);
    const after = await orderOf(test, "alice", next);
    assertEquals(after.firstTrade, taker.lastTrade + 1);
    assertEquals((await orderOf(test, "bob", sale)).state, "done");
    test.venue.checkInvariants();
  });

  it("continues after a restart halfway", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await placeMakers(first);
    const before = first.store.commits.log;
    first.store.plan = (purpose, count) =>
      purpose === "log" && count === before + 1 ? "none" : "fail";
    const sweep = await first.placed("alice", SWEEP);
    assertEquals(first.book.pending.map(({ id }) => id), [sweep]);
    const done = first.venue.order(sweep).tradesCount;
    assert(done > 0 && done < MAKERS, `${done} trades are in the first commit`);
    await first.close();

    await using second = await EngineVenue.open({ path: file.path });
    assertEquals(second.venue.order(sweep).tradesCount, done);
    const orders = await Promise.all([
      second.placed("bob", { side: "sell", amount: "1", price: "1" }),
      second.placed("alice", NEXT),
    ]);
    const taker = await orderOf(second, "alice", sweep);
    assertEquals([taker.state, taker.tradesCount], ["done", MAKERS]);
    assertEquals(taker.lastTrade - taker.firstTrade, MAKERS - 1);
    const next = await orderOf(second, "alice", orders[1]);
    assertEquals([next.firstTrade, next.quoteMoved], [MAKERS + 1, 10n ** 16n]);
    await second.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("is continued by another engine on the same store", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path, isShared: true });
    await placeMakers(first);
    await using second = await EngineVenue.open({ path: file.path, isShared: true });
    const done = new Promise<void>((resolve) =>
      second.engine.onEntry(() => {
        if (second.venue.counters.trades === MAKERS) resolve();
      })
    );
    const before = first.store.commits.log;
    first.store.plan = (purpose, count) =>
      purpose === "log" && count === before + 1 ? "none" : "fail";
    const sweep = await first.placed("alice", SWEEP);
    await first.close();
    await done;
    assertEquals((await orderOf(second, "alice", sweep)).state, "done");
  });

  it("keeps to its price band after a restart halfway, whatever the band is then", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await placeMakers(first);
    await first.placed("alice", NEXT);
    await first.must({ kind: "set_settings", changes: { priceBandBps: 4000 } });
    const before = first.store.commits.log;
    first.store.plan = (purpose, count) =>
      purpose === "log" && count === before + 1 ? "none" : "fail";
    // The last price is 100, so the bound is 140.
    const sweep = await first.placed("alice", { type: "market", amount: `${MAKERS}` });
    const done = first.venue.order(sweep).tradesCount;
    assert(done > 0 && done < 4000, `${done} trades are in the first commit`);
    await first.close();

    await using second = await EngineVenue.open({ path: file.path });
    await second.must({ kind: "set_settings", changes: { priceBandBps: 0 } });
    const taker = await orderOf(second, "alice", sweep);
    assertEquals([taker.state, taker.reason], ["cancel", "insufficient_market_liquidity"]);
    assertEquals([taker.tradesCount, second.book.lastPrice], [4000, 14_000]);
    await second.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});

describe("cancelling many orders", () => {
  it("goes on in portions, between which others' commands come but none of its member", async () => {
    await using test = await EngineVenue.open();
    await placeMakers(test, BULK);
    await test.must({ kind: "change_member", uid: "bob", changes: { openOrdersMax: 2 * BULK } });
    const told: string[] = [];
    test.engine.onEntry((events) => {
      const closed = events.filter(({ kind }) => kind === "order_closed").length;
      const accepted = events.flatMap((one) => one.kind === "order_accepted" ? [one.member] : []);
      told.push([closed, ...accepted].join(" "));
    });
    const [alice, bob] = [test.member("alice"), test.member("bob")];
    const cancel = { kind: "cancel_all_orders", member: bob, market: -1, side: null } as const;
    const buy = { amount: "1", price: "1" };
    // Its member has another one on its way when it begins.
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const first = test.placed("bob", buy);
    await test.store.holding();
    const [cancelling, ...later] = [
      test.must(cancel),
      test.placed("bob", buy),
      test.placed("alice", buy),
      test.must({ ...cancel, side: "buy" }),
    ];
    test.store.release();
    await Promise.all([first, cancelling, ...later]);
    const portion = CANCELS_PER_PORTION_MAX;
    assertEquals(told, [
      `0 ${bob}`,
      `${portion} ${alice}`,
      ...Array(BULK / portion - 1).fill(`${portion}`),
      // The rest of the first, and then what had to wait for it.
      `2 ${bob}`,
    ]);
    const outcome = await cancelling;
    assertEquals(outcome?.kind === "orders_cancelled" && outcome.ids.length, BULK + 1);
    assertEquals(Array.from(test.venue.orders.values(), ({ member }) => member), [alice]);
  });

  it("tells an operator how many its first portion has cancelled", async () => {
    await using test = await EngineVenue.open();
    await placeMakers(test, BULK);
    const sweep = { kind: "sweep_member", uid: "bob", market: -1, side: null } as const;
    const swept = { kind: "orders_swept", cancelled: CANCELS_PER_PORTION_MAX } as const;
    for (const isDone of [false, false, false, true]) {
      assertEquals(await test.must(sweep), { ...swept, isDone });
    }
  });
});

describe("cancelling more orders than fit into one commit", () => {
  it("cancels all of them, and returns all of them", async () => {
    await using test = await EngineVenue.open();
    const makers = 2 * MAKERS;
    await placeMakers(test, makers);
    const member = test.member("bob");
    const before = test.store.commits.log;
    const outcome = await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    assert(test.store.commits.log - before >= 3, "it takes more than two commits");
    assertEquals(outcome.kind === "orders_cancelled" && new Set(outcome.ids).size, makers);
    assertEquals(test.venue.orders.size, 0);
  });

  it("uses a signature once, and says so if only part is known to have happened", async () => {
    await using test = await EngineVenue.open();
    await placeMakers(test);
    const key = { uid: "bob", kid: "key", role: "member", nonceMode: "single" } as const;
    await test.must({ kind: "create_key", ...key, scopes: ["trade"] });
    const member = test.member("bob");
    const cancel = (side: "buy" | "sell" | null) => {
      const command = { kind: "cancel_all_orders", member, market: -1, side } as const;
      return test.engine.submit(command, { key: 0, nonce: test.engine.now(), digest: 0 });
    };
    const before = test.store.commits.log;
    test.store.plan = (purpose, count) => purpose === "log" && count > before + 1 ? "fail" : "none";
    await assertRejects(() => cancel("sell"), OutcomeUnknownError);
    const left = test.venue.orders.size;
    assert(left > 0 && left < MAKERS, `${left} orders are left`);
    test.store.plan = () => "none";
    await test.health();
    const outcome = await cancel(null);
    assertEquals(!isRejection(outcome) && outcome.kind, "orders_cancelled");
    assertEquals(test.venue.orders.size, 0);
  });

  it("leaves later orders alone", async () => {
    await using test = await EngineVenue.open();
    await placeMakers(test);
    const member = test.member("bob");
    const cancelling = test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    const behind = await test.placed("bob", { side: "sell", amount: "1", price: "500" });
    await cancelling;
    assertEquals(Array.from(test.venue.orders.values(), ({ id }) => id), [behind]);
  });
});
