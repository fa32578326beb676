/** Limits of older programs, to which 0 was none. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { sumWith } from "../../../src/engine/fold/state_sum.ts";
import type { Mutation } from "../../../src/store/kv/commit.ts";
import { rowKey, STATE_TABLES } from "../../../src/store/keys.ts";
import { readRecordRow, writeRecordRow } from "../../../src/store/rows/row_codec.ts";
import { sealRow } from "../../../src/store/rows/row_seal.ts";
import { openExistingStore } from "../../../src/store/store.ts";
import { listRows } from "../../../src/store/rows/stored_rows.ts";
import { foldCommit, readWatermark } from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { older } from "../../support/older_log.ts";

describe("a log of format 4", () => {
  /** Returns the events of limits of which 0 was none, by themselves or both together. */
  function unlimited({ venue }: EngineVenue): VenueEvent[] {
    const rows = [[1, 0n, 0n], [2, 0n, 5n], [3, 7n, 0n]] as const;
    return [
      {
        kind: "currency_set",
        currency: { ...venue.currency(0), withdrawLimit24h: 0n, withdrawLimit72h: 0n },
      },
      {
        kind: "currency_set",
        currency: { ...venue.currency(1), withdrawLimit24h: 9n, withdrawLimit72h: 0n },
      },
      ...rows.map(([level, limit24h, limit1m]): VenueEvent => ({
        kind: "withdraw_limit_set",
        row: { level, group: "any", limit24h, limit1m },
      })),
    ];
  }

  function limitsOf({ venue }: EngineVenue) {
    return [
      ...venue.currencies.slice(0, 2).map((one) => [one.withdrawLimit24h, one.withdrawLimit72h]),
      ...venue.withdrawLimits.rows().map(({ limit24h, limit1m }) => [limit24h, limit1m]),
    ];
  }

  it("keeps limits of 0 as none, which new ones are not", async () => {
    await using file = await older(4, unlimited);
    const kept = [[null, null], [9n, null], [null, null], [0n, 5n], [7n, 0n]];
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(limitsOf(test), kept);
    const changes = { withdrawLimit24h: 0n };
    await test.must({ kind: "change_currency", id: test.venue.currency(0).id, changes });
    const row = { level: 1, group: "any", limit24h: 0n, limit1m: 0n };
    await test.must({ kind: "set_withdraw_limit", row });
    const changed = kept.with(0, [0n, null]).with(2, [0n, 0n]);
    assertEquals(limitsOf(test), changed);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path });
    assertEquals(limitsOf(again), changed);
    await again.close();
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    assertEquals(limitsOf(rebuilt), changed);
  });

  it("keeps limits of 0 as none in rows, before and after they are written anew", async () => {
    await using file = await older(4, unlimited);
    const test = await EngineVenue.open({ path: file.path });
    await test.folded();
    await test.close();
    await writeOlderRows(file.path);
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path });
    const kept = [[null, null], [9n, null], [null, null], [0n, 5n], [7n, 0n]];
    assertEquals(limitsOf(again), kept);
    const changes = { name: "other" };
    await again.must({ kind: "change_currency", id: again.venue.currency(1).id, changes });
    const row = { level: 2, group: "any" };
    await again.must({ kind: "delete_withdraw_limit", row });
    await again.folded();
    await again.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await using last = await EngineVenue.open({ path: file.path });
    assertEquals(limitsOf(last), kept.toSpliced(3, 1));
  });
});

describe("a deleted row of fees or limits", () => {
  it("is gone after a start, and after a rebuild", async () => {
    await using file = await VenueFile.create();
    const test = await EngineVenue.open({ path: file.path });
    await test.addUsual();
    for (const group of ["any", "vip"]) {
      const row = { level: -1, group, limit24h: 1n, limit1m: 2n };
      await test.must({ kind: "set_withdraw_limit", row });
      await test.must({ kind: "set_fee", market: "btcusdt", group, maker: 1, taker: 2 });
    }
    await test.folded();
    await test.must({ kind: "delete_withdraw_limit", row: { level: -1, group: "vip" } });
    await test.must({ kind: "delete_fee", market: "btcusdt", group: "any" });
    await test.folded();
    const left = ({ venue }: EngineVenue) => [
      venue.withdrawLimits.rows().map(({ group }) => group),
      venue.fees.rows().map(({ group }) => group),
    ];
    assertEquals(left(test), [["any"], ["vip"]]);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path });
    assertEquals(left(again), [["any"], ["vip"]]);
    await again.close();
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    assertEquals(left(rebuilt), [["any"], ["vip"]]);
  });
});

/** Writes the rows of currencies and limits as format 3 had them: none of a limit was 0. */
async function writeOlderRows(path: string): Promise<void> {
  const store = await openExistingStore(path);
  const rows: Mutation[] = [];
  const { value } = await readWatermark(store);
  let stateSum = 0;
  for (const table of STATE_TABLES) {
    const [start, end] = [rowKey(table, -Infinity), rowKey(table, Infinity)];
    for await (const { key, value: row } of listRows(store, start, end)) {
      const isOlder = table === "currencies" || table === "withdraw_limits";
      const older = isOlder ? withZeros(row) : row;
      if (isOlder) rows.push({ key, value: sealRow(key, older) });
      stateSum = sumWith(stateSum, key, older);
    }
  }
  const commit = foldCommit(await readWatermark(store), { ...value, stateSum }, rows);
  assertEquals((await store.commit(commit, "fold")).kind, "committed");
  store.close();
}

function withZeros(row: Uint8Array): Uint8Array<ArrayBuffer> {
  const { sequence, value } = readRecordRow<Record<string, unknown>[]>(row);
  const zeros = value.map((item) =>
    Object.fromEntries(
      Object.entries(item)
        .map(([name, one]) => [name, one === null && /limit/i.test(name) ? 0n : one]),
    )
  );
  const older = writeRecordRow(sequence, zeros);
  older[0] = 3;
  return older;
}
