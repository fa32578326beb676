/** One member floods the venue with orders that never match. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS_PER_LANE_MAX } from "../../src/engine/commit/command_queue.ts";
import { UnavailableError } from "../../src/engine/engine.ts";
import { EngineVenue } from "../support/engine_venue.ts";

const FOK = { amount: "1", price: "1", timeInForce: "fok" } as const;
const BULK = Array.from({ length: 100 }, () => FOK);

describe("a member that floods the venue with bulks that never match", () => {
  it("holds others up by one batch of its own at most", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const flood = Array.from({ length: 60 }, () => test.place("alice", ...BULK));
    await test.store.holding();
    const order = test.placed("bob", { side: "sell", amount: "1", price: "10" });
    const before = test.store.commits.log;
    test.store.release();
    await order;
    const commits = test.store.commits.log - before;
    assert(commits <= 2, `${commits} commits`);
    await Promise.all(flood);
    assertEquals(test.engine.metrics().orders, 6001);
  });

  it("has its own calls refused once too many wait, but not its cancels or others' calls", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const hold = () => test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    hold();
    const spend = (uid: string) =>
      test.engine.submit({ kind: "spend_nonce", member: test.member(uid) }, null);
    const flood = [test.place("alice", ...BULK)];
    await test.store.holding();
    flood.push(test.place("alice", FOK));
    for (let i = 0; i < COMMANDS_PER_LANE_MAX + 200; i++) flood.push(spend("alice"));
    test.store.release();
    hold();
    await flood[0];
    await test.store.holding();
    assertEquals(test.engine.health(), { isReady: true, reason: "" });
    await assertRejects(() => spend("alice"), UnavailableError, "queue_full");
    const member = test.member("alice");
    const cancelled = test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    const other = spend("bob");
    test.store.release();
    await Promise.all([cancelled, other, ...flood]);
  });
});
