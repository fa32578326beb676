import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { compareRows } from "../../../src/engine/start/row_comparison.ts";
import { FoldWriter } from "../../../src/engine/fold/fold_writer.ts";
import type { Entry } from "../../../src/store/log/entry_codec.ts";
import { openStore } from "../../../src/store/store.ts";
import { readEntries, readHead } from "../../../src/store/log/venue_log.ts";
import { readWatermark } from "../../../src/store/rows/watermark.ts";
import { assertCutAnywhere } from "../../support/cut_fold.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { foldAll, noPause, windowsOf } from "../../support/folded_events.ts";
import { logEntries } from "../../support/logged_entries.ts";
import { Prng } from "../../support/prng.ts";
import { START } from "../../support/domain_venue.ts";

const ALL = { offset: 0, limit: 1, direction: "asc" } as const;

/** Creates a file with a long log of which nothing is folded. */
async function createUnfolded(file: VenueFile, clock: { now: number }): Promise<void> {
  const test = await EngineVenue.open({
    path: file.path,
    clock,
    prepare: (store) => store.plan = (purpose) => purpose === "fold" ? "fail" : "none",
  });
  await addStream(test, 50n);
  for (const uid of ["ann", "ben", "cay", "dan", "eve"]) {
    await test.must({ kind: "change_member", uid, changes: { openOrdersMax: 10_000 } });
  }
  const prng = new Prng(21);
  for (let round = 0; round < 20; round++) {
    await runStream(test, prng, 200);
    clock.now += prng.below(100_000);
  }
  // Orders that never match, so that the open orders fill many rows.
  const far = Array.from({ length: 500 }, () => ({ amount: "0.0001", price: "0.1" }));
  for (let i = 0; i < 3; i++) await test.place("eve", ...far);
  await test.close();
}

async function readLog(path: string): Promise<Entry[]> {
  const store = await openStore(path);
  const { value: head } = await readHead(store);
  const entries = await Array.fromAsync(readEntries(store, 0, head.sequence, null));
  store.close();
  return entries;
}

describe("the fold", () => {
  it("gives the same rows for any windows, in memory and in a store", async () => {
    await using file = await VenueFile.create();
    await createUnfolded(file, { now: START });
    const entries = await readLog(file.path);
    const whole = await foldAll([entries]);
    for (let seed = 0; seed < 3; seed++) {
      const store = await openStore(":memory:");
      await logEntries(store, entries);
      const writer = new FoldWriter(store, await readWatermark(store));
      for (const window of windowsOf(entries, new Prng(seed), 40)) {
        assertEquals(await writer.write(window, noPause), true);
      }
      const { compared, differences } = await compareRows(store, whole, () => true);
      assertEquals(differences, []);
      assert(compared > 100, `${compared} rows`);
      store.close();
    }
  });

  it("continues after a crash cut a window short at any of its steps", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    await createUnfolded(file, clock);
    await assertCutAnywhere(file, clock);
  });

  it("continues after a crash if rows it has emptied are already gone", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const orders = Array.from({ length: 500 }, () => ({ amount: "0.0001", price: "0.1" }));
    for (const steps of [1, 2]) {
      const first = await EngineVenue.open({ path: file.path, clock });
      if (steps === 1) await addStream(first, 50n);
      await first.must({ kind: "change_member", uid: "eve", changes: { openOrdersMax: 10_000 } });
      for (let i = 0; i < 4; i++) await first.place("eve", ...orders);
      await first.folded();
      const before = first.store.commits.fold;
      first.store.plan = (purpose, count) =>
        purpose === "fold" && count > before + steps ? "fail" : "none";
      const member = first.member("eve");
      await first.must({ kind: "cancel_all_orders", member, market: -1, side: null });
      await first.foldedSteps(before + steps + 1);
      await first.close();
      await using second = await EngineVenue.open({ path: file.path, clock });
      await second.folded();
      assertEquals((await second.engine.orders(member, {}, ALL)).total, 2000 * steps);
    }
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("writes a history too long for one step, and passes an audit halfway", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open({
      path: file.path,
      clock,
      prepare: (store) => store.plan = (purpose) => purpose === "fold" ? "fail" : "none",
    });
    await addStream(test, 50n);
    await test.must({ kind: "change_member", uid: "eve", changes: { openOrdersMax: 10_000 } });
    const orders = Array.from({ length: 1000 }, () => ({ amount: "0.0001", price: "0.1" }));
    const member = test.member("eve");
    for (let i = 0; i < 18; i++) {
      await test.place("eve", ...orders);
      await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    }
    const before = test.store.commits.fold;
    test.store.plan = (purpose, count) =>
      purpose === "fold" && count > before + 1 ? "fail" : "none";
    await test.foldedSteps(before + 2);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await using again = await EngineVenue.open({ path: file.path, clock });
    await again.folded();
    assertEquals((await again.engine.orders(member, {}, ALL)).total, 18_000);
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
