import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { stateText } from "../../support/state_text.ts";
import { currencyDefinition } from "../../support/domain_venue.ts";

const CURRENCIES = 700;
const MAKERS = 14;
/** Funds per currency, in ledger units. */
const FUNDS = 10n ** 36n;

/** Gives makers some of every currency: all of them, or the first few. */
async function fund(test: EngineVenue, amount: bigint, makers = MAKERS): Promise<void> {
  for (let maker = 0; maker < makers; maker++) {
    const uid = `maker ${maker}`;
    await Promise.all(Array.from({ length: CURRENCIES }, (_, i) => {
      return test.must({ kind: "adjust_balance", uid, currency: `c${i}`, amount });
    }));
  }
}

/** The file of a venue whose rows are folded: made once, since that takes long. */
let made: Promise<Uint8Array> | null = null;

/** Returns the file of a wide venue of its own. */
async function wideFile(): Promise<VenueFile> {
  made ??= makeWide();
  const file = await VenueFile.create();
  await Deno.writeFile(file.path, await made);
  return file;
}

async function makeWide(): Promise<Uint8Array> {
  await using file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  for (let i = 0; i < CURRENCIES; i++) {
    await test.must({ kind: "create_currency", currency: currencyDefinition(`c${i}`) });
  }
  await test.addMarket("c340", "c341");
  for (let maker = 0; maker < MAKERS; maker++) await test.addMember(`maker ${maker}`);
  await fund(test, FUNDS);
  await test.folded();
  await test.close();
  return await Deno.readFile(file.path);
}

/** Returns the keys of the members' rows and their parts. */
async function memberKeys(path: string): Promise<Deno.KvKey[]> {
  using kv = await Deno.openKv(path);
  const [start, end] = [rowKey("members", 0), rowKey("members", Infinity)];
  const rows = kv.list({ start: start as Deno.KvKey, end: end as Deno.KvKey });
  return (await Array.fromAsync(rows)).map(({ key }) => key);
}

describe("a venue with hundreds of currencies that many members hold", () => {
  it("folds, restarts, is audited and rebuilt", async () => {
    await using file = await wideFile();
    const { path } = file;
    const test = await EngineVenue.open({ path });
    await test.placed("maker 1", { side: "sell", amount: "2", price: "3" });
    await test.placed("maker 13", { side: "buy", amount: "1", price: "3" });
    await test.folded();
    assertEquals(test.faults, []);
    const state = stateText(test.venue);
    await test.close();
    const parts = await memberKeys(path);
    assert(parts.length >= 3, `${parts.length} parts`);
    assertEquals((await runAudit(path)).differences, []);

    const again = await EngineVenue.open({ path });
    assertEquals(stateText(again.venue), state);
    // With smaller numbers, the row loses its last part.
    await fund(again, 10n ** 17n - FUNDS);
    await again.folded();
    const less = stateText(again.venue);
    await again.close();
    assert((await memberKeys(path)).length < parts.length);
    assertEquals((await runAudit(path)).differences, []);

    assert(await runRebuild(path) > 0);
    assertEquals((await runAudit(path)).differences, []);
    await using rebuilt = await EngineVenue.open({ path });
    assertEquals(stateText(rebuilt.venue), less);
  });

  it("is refused, and fails its audit, if part of a row is missing or wrong", async () => {
    await using file = await wideFile();
    const [, second, third] = await memberKeys(file.path);
    const changes = [
      (kv: Deno.Kv) => kv.delete(second ?? []),
      (kv: Deno.Kv) => kv.delete(third ?? []),
      async (kv: Deno.Kv) => await kv.set(second ?? [], (await kv.get(third ?? [])).value),
    ];
    for (const change of changes) {
      await using other = await wideFile();
      {
        using kv = await Deno.openKv(other.path);
        await change(kv);
      }
      await assertRejects(() => EngineVenue.open({ path: other.path }), InvariantError);
      const { differences } = await runAudit(other.path);
      assert(differences.includes("row members 0 differs from the replay"), differences.join());
    }
  });

  it("continues after a crash cut its fold short", async () => {
    for (const steps of [1, 2, 3]) {
      await using file = await wideFile();
      const test = await EngineVenue.open({ path: file.path });
      const before = test.store.commits.fold;
      test.store.plan = (purpose, count) =>
        purpose === "fold" && count > before + steps ? "fail" : "none";
      // Their row is of all makers, and is written whole.
      await fund(test, 10n ** 30n, 3);
      for (let i = 0; i < 40; i++) {
        await test.placed("maker 1", { side: "sell", amount: "2", price: `${300 + i}` });
        await test.placed("maker 13", { side: "buy", amount: "1", price: `${300 + i}` });
      }
      const isCut = () => test.store.commits.fold > before + steps;
      const isOver = () => isCut() || test.engine.metrics().unfolded_events === 0;
      await eventually("a fold that is cut off, or at its end", isOver);
      const state = stateText(test.venue);
      await test.close();
      assertEquals((await runAudit(file.path)).differences, []);
      await using again = await EngineVenue.open({ path: file.path });
      assertEquals(stateText(again.venue), state);
      await again.folded();
      assertEquals((await runAudit(file.path)).differences, []);
    }
  });
});
