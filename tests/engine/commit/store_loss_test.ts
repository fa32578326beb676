import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../../src/engine/engine.ts";
import { OutcomeUnknownError, UnavailableError } from "../../../src/engine/engine.ts";
import { openEngine } from "../../../src/engine/start/open_engine.ts";
import { TIMER_TICK_MS } from "../../../src/engine/commit/timer_watch.ts";
import { Turns } from "../../../src/engine/shared/turns.ts";
import { LOG_FORMAT } from "../../../src/store/stored_formats.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { Store, UnreadableError } from "../../../src/store/store.ts";
import type { Head } from "../../../src/store/log/head_codec.ts";
import { forgeHead } from "../../support/damaged_file.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

/** Runs `step` with a path in a temporary directory. */
async function withPath(step: (path: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "store_loss_" });
  try {
    await step(`${directory}/venue.db`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Waits until the engine reports that it no longer writes; returns the reason. */
async function untilNotReady(engine: Engine): Promise<string> {
  await eventually("the loss noticed", () => !engine.health().isReady);
  return engine.health().reason;
}

async function assertTakesNothing(engine: Engine): Promise<void> {
  const command = { kind: "set_levels", levels: LEVELS } as const;
  await assertRejects(() => engine.submit(command, null), UnavailableError);
}

describe("a venue without a store", () => {
  it("does not start on handles that each have a memory of their own", async () => {
    const handles = await KvHandles.open(undefined, true, () => Deno.openKv(":memory:"));
    const store = new Store(handles, undefined, true);
    const opening = openEngine({ kvPath: undefined, store });
    const { cause } = await assertRejects(() => opening, UnreadableError);
    assert(String(cause).includes("is a Deno KV database attached"), String(cause));
  });
});

describe("a venue that loses its store", () => {
  it("accepts nothing once its file is removed", () =>
    withPath(async (path) => {
      const faults: unknown[] = [];
      const engine = await openEngine({
        kvPath: path,
        onFault: (fault) => faults.push(fault),
      });
      await engine.submit({ kind: "set_levels", levels: LEVELS }, null);
      await Deno.remove(path);
      assertEquals(await untilNotReady(engine), "invariant_broken");
      await assertTakesNothing(engine);
      assertEquals(faults.length, 1);
      await engine.close();
    }));

  it("fires no more timers", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const test = await EngineVenue.open({ path: file.path, clock });
    await test.addUsual();
    const key = { uid: "alice", kid: "key", role: "member", scopes: ["trade"] } as const;
    await test.must({ kind: "create_key", ...key, nonceMode: "single" });
    const id = await test.placed("alice", { amount: "1", price: "1" });
    await test.must({ kind: "set_cancel_timer", key: 0, timer: 0, timeoutMs: 5000 });
    await Deno.remove(file.path);
    assertEquals(await untilNotReady(test.engine), "invariant_broken");
    const { sequence } = test.venue;
    const commits = test.store.commits.log;
    clock.now += 10_000;
    await new Promise((resolve) => setTimeout(resolve, 5 * TIMER_TICK_MS));
    assertEquals(test.store.commits.log, commits);
    assertEquals(test.venue.sequence, sequence);
    assert(test.venue.orders.get(id) !== undefined);
    await test.close();
  });

  it("lets no timer fire where that is found while it waits for its turn", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const test = await EngineVenue.open({ path: file.path, clock, isShared: true });
    await test.addUsual();
    await test.addKey("trade");
    await test.must({ kind: "set_cancel_timer", key: 0, timer: 0, timeoutMs: 5000 });
    const { giveWay } = Turns.prototype;
    const asked = Promise.withResolvers<void>();
    const turn = Promise.withResolvers<void>();
    Turns.prototype.giveWay = () => {
      asked.resolve();
      return turn.promise;
    };
    try {
      clock.now += 10_000;
      await asked.promise;
      const commits = test.store.commits.log;
      await forgeHead(file.path, { epoch: "another" });
      assertEquals(await untilNotReady(test.engine), "invariant_broken");
      turn.resolve();
      await test.close();
      assertEquals(test.store.commits.log, commits);
    } finally {
      Turns.prototype.giveWay = giveWay;
    }
  });

  const other: Record<string, Partial<Head>> = {
    "has become shorter": { sequence: 1 },
    "is another one": { epoch: "another" },
    "has another last entry": { hash: new Uint8Array(32) },
    "is a newer program's": { format: LOG_FORMAT + 1 },
  };
  for (const [what, changes] of Object.entries(other)) {
    it(`accepts nothing once the log ${what}`, () =>
      withPath(async (path) => {
        const engine = await openEngine({ kvPath: path, isShared: true });
        for (let i = 0; i < 3; i++) {
          await engine.submit({ kind: "set_levels", levels: { ...LEVELS, trading: i } }, null);
        }
        await forgeHead(path, changes);
        assertEquals(await untilNotReady(engine), "invariant_broken");
        await assertTakesNothing(engine);
        await assertRejects(() => engine.fresh(), UnavailableError, "invariant_broken");
        assertEquals(engine.venue.levels.trading, 2);
        await engine.close();
      }));
  }

  it("does not know the outcome of a cancel that is durable only in part", async () => {
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path, isShared: true });
    await test.addUsual();
    const order = { amount: "1", price: "1" } as const;
    for (let i = 0; i < 6; i++) {
      await test.addMarket(`base${i}`, "usdt");
      const market = `base${i}usdt`;
      await test.place("alice", ...Array.from({ length: 1000 }, () => ({ ...order, market })));
    }
    const { log } = test.store.commits;
    test.store.plan = (purpose, count) => purpose === "log" && count === log + 2 ? "hold" : "none";
    const member = test.member("alice");
    const cancelling = assertRejects(
      () => test.must({ kind: "cancel_all_orders", member, market: -1, side: null }),
      OutcomeUnknownError,
    );
    await test.store.holding();
    assert(test.venue.orders.size < 6000, "a part of them has ended");
    await forgeHead(file.path, { epoch: "another" });
    test.store.release();
    await cancelling;
    assertEquals(test.engine.health().reason, "invariant_broken");
  });
});
