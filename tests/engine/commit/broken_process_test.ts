/** What a process writes once its log is no longer the one in the store: nothing at all. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { OtherRowsError } from "../../../src/engine/start/store_checks.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { entryKey, epochKey } from "../../../src/store/keys.ts";
import { WritingOverError } from "../../../src/store/store.ts";
import { readHead } from "../../../src/store/log/venue_log.ts";
import { readWatermark } from "../../../src/store/rows/watermark.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { forgeHead } from "../../support/damaged_file.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { forgeWatermark } from "../../support/forged_watermark.ts";

/** Longer than an idle venue waits until it folds, and than any timer. */
const IDLE_MS = 800;

/** Everything that the file holds. */
async function contents(path: string): Promise<unknown[]> {
  const kv = await Deno.openKv(path);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  kv.close();
  return rows.map(({ key, versionstamp }) => [...key, versionstamp]);
}

/** Changes a file's rows by another handle. */
async function change(path: string, how: (kv: Deno.Kv) => Promise<unknown>): Promise<void> {
  const kv = await Deno.openKv(path);
  await how(kv);
  kv.close();
}

async function used(path: string): Promise<EngineVenue> {
  const test = await EngineVenue.open({ path, isShared: true });
  await test.addUsual();
  await test.folded();
  return test;
}

describe("a process that is broken", () => {
  it("writes nothing: no entry, no row, no watermark, and nothing beside the log", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    await test.placed("alice", { amount: "1", price: "10" });
    await forgeHead(file.path, { sequence: 1 });
    await test.health("invariant_broken");
    test.store.plan = () => "none";
    const before = await contents(file.path);

    const { engine } = test;
    const row = { key: ["mail", 1], value: "code" } as const;
    const refused = (writing: Promise<unknown>) => assertRejects(() => writing, WritingOverError);
    await refused(engine.writeSidecar(row));
    await refused(engine.writeSidecar({ ...row, value: null }));
    await refused(engine.createSidecar(row));
    await refused(engine.replaceSidecars([[{ ...row, versionstamp: null }]]));
    await refused(engine.changeSidecar(row.key, () => "other"));
    await assertRejects(() => test.place("alice", { amount: "1", price: "10" }), UnavailableError);
    await assertRejects(() => engine.folded(), UnavailableError, "invariant_broken");
    await sleep(IDLE_MS);

    assertEquals(await contents(file.path), before);
    assertEquals(test.engine.metrics().unfolded_events > 0, true);
  });

  it("answers no member's reads, which would be of another log", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    await forgeHead(file.path, { sequence: 1 });
    await test.health("invariant_broken");
    await assertRejects(() => test.engine.fresh(), UnavailableError, "invariant_broken");
  });
});

describe("a process in whose store another epoch has begun", () => {
  /** Begins an epoch as a restore does, but leaves the head as it was: its version comes again. */
  async function beginAnother(path: string, test: EngineVenue): Promise<void> {
    const { epoch } = (await readHead(test.store)).value;
    await change(path, (kv) =>
      kv.atomic().delete(epochKey(epoch) as Deno.KvKey)
        .set(epochKey("another") as Deno.KvKey, { after: 0 }).commit());
  }

  it("stops at its next write, though the head is the one that it checks", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    await beginAnother(file.path, test);
    const before = await contents(file.path);
    const { engine } = test;
    const row = { key: ["mail", 1], value: "code" } as const;
    const refused = (writing: Promise<unknown>) =>
      assertRejects(() => writing, WritingOverError, "was restored");
    await refused(engine.writeSidecar(row));
    await refused(engine.createSidecar(row));
    await refused(engine.replaceSidecars([[{ ...row, versionstamp: null }]]));
    await refused(engine.changeSidecar(row.key, () => "other"));
    assertEquals(await contents(file.path), before);
  });

  it("appends nothing to its log", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    await beginAnother(file.path, test);
    await forgeHead(file.path, { epoch: "another" });
    const before = await contents(file.path);
    await assertRejects(() => test.place("alice", { amount: "1", price: "10" }));
    await test.health("invariant_broken");
    await sleep(IDLE_MS);
    assertEquals(await contents(file.path), before);
  });

  it("folds nothing", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    await test.placed("alice", { amount: "1", price: "10" });
    await beginAnother(file.path, test);
    const { value: before } = await readWatermark(test.store);
    test.store.plan = () => "none";
    await test.health("fold_failing");
    assertEquals((await readWatermark(test.store)).value, before);
  });
});

describe("a store of a program without epochs", () => {
  it("gets the row of its epoch at the first start, once for several processes", async () => {
    await using file = await VenueFile.create();
    await (await used(file.path)).close();
    const key = await (async () => {
      await using test = await EngineVenue.open({ path: file.path, isShared: true });
      return epochKey((await readHead(test.store)).value.epoch) as Deno.KvKey;
    })();
    await change(file.path, (kv) => kv.delete(key));
    const open = () => EngineVenue.open({ path: file.path, isShared: true });
    const [one, other] = await Promise.all([open(), open()]);
    await one.placed("alice", { amount: "1", price: "10" });
    await other.engine.fresh();
    await other.placed("bob", { amount: "1", price: "10" });
    await Promise.all([one.close(), other.close()]);
    assertEquals((await runAudit(file.path)).differences, []);
  });
});

describe("a fold", () => {
  it("writes nothing of an entry that the log no longer holds, and says so", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    const { sequence } = test.venue;
    await test.placed("alice", { amount: "1", price: "10" });
    const { value: before } = await readWatermark(test.store);
    await change(file.path, (kv) => kv.delete(entryKey(sequence + 1, 0) as Deno.KvKey));
    test.store.plan = () => "none";
    await test.health("fold_failing");
    assertEquals(test.engine.health().isReady, false);
    assertEquals((await readWatermark(test.store)).value, before);
  });

  it("writes no step more once the entry has been replaced amid its window", async () => {
    await using file = await VenueFile.create();
    await using test = await used(file.path);
    const { sequence } = test.venue;
    test.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
    const steps = test.store.commits.fold;
    await test.placed("alice", { amount: "1", price: "10" });
    await test.foldedSteps(steps + 1);
    const key = entryKey(sequence + 1, 0) as Deno.KvKey;
    await change(file.path, async (kv) => kv.set(key, (await kv.get(key)).value));
    const { value: before } = await readWatermark(test.store);
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    test.store.release();
    await sleep(IDLE_MS);
    assertEquals((await readWatermark(test.store)).value, before);
  });
});

describe("rows that are not those of the log", () => {
  const wrongs = {
    "ahead of it": { sequence: 1_000_000, target: 1_000_000 },
    "in a window that ends ahead of it": { target: 1_000_000 },
    "of another one": { hash: new Uint8Array(32).fill(7) },
  };
  for (const [what, changes] of Object.entries(wrongs)) {
    it(`${what} make a process not ready that others have written them under`, async () => {
      await using file = await VenueFile.create();
      await using test = await used(file.path);
      await forgeWatermark(file.path, changes);
      await test.placed("alice", { amount: "1", price: "10" });
      await test.health("fold_failing");
      assertEquals(test.faults.some((fault) => String(fault).includes("task rebuild")), true);
    });

    it(`${what} are refused at a start, which says what to do; a rebuild mends them`, async () => {
      await using file = await VenueFile.create();
      await (await used(file.path)).close();
      await forgeWatermark(file.path, changes);
      const open = () => EngineVenue.open({ path: file.path });
      const { message } = await assertRejects(open, OtherRowsError);
      assertEquals(message.includes('run "deno task rebuild"'), true);
      await runRebuild(file.path);
      await using test = await open();
      assertEquals(test.venue.holderByUid.size > 0, true);
    });
  }
});
