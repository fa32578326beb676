/** Rows that are validly sealed and hold what they should, but where or when they should not. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { type Key, rowKey, type Table } from "../../../src/store/keys.ts";
import { readRecordRow, writeRecordRow } from "../../../src/store/rows/row_codec.ts";
import { NewerFormatError } from "../../../src/store/stored_formats.ts";
import { sealRow, unsealRow } from "../../../src/store/rows/row_seal.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { Prng } from "../../support/prng.ts";

/** Returns what an audit finds once the last row of a table in a folded venue was changed. */
async function found(
  table: Table,
  change: (row: Uint8Array, key: Key) => { readonly row?: Uint8Array; readonly key?: Key },
): Promise<string> {
  await using file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await addStream(test);
  await runStream(test, new Prng(3), 1500);
  await test.folded();
  await test.close();
  const kv = await Deno.openKv(file.path);
  const prefix = rowKey(table) as Deno.KvKey;
  const rows = await Array.fromAsync(kv.list<Uint8Array>({ prefix }));
  const { key, value } = rows[rows.length - 1] as Deno.KvEntry<Uint8Array>;
  const old = unsealRow(key as Key, value);
  const { row = old, key: place = key as Key } = change(old, key as Key);
  await kv.delete(key);
  await kv.set(place as Deno.KvKey, sealRow(place, row));
  kv.close();
  return (await runAudit(file.path)).differences.join("\n");
}

function changed(row: Uint8Array, change: (view: DataView) => void): { row: Uint8Array } {
  const copy = row.slice();
  change(new DataView(copy.buffer));
  return { row: copy };
}

describe("a row with a valid seal", () => {
  it("that was not changed is no difference", async () => {
    assertEquals(await found("member_orders", () => ({})), "");
  });

  for (const table of ["member_orders", "market_trades", "open_orders"] as const) {
    it(`of ${table} whose header tells another count, last id or sequence is found`, async () => {
      const changes: ((view: DataView) => void)[] = [
        (view) => view.setUint32(9, view.getUint32(9, true) + 1, true),
        (view) => view.setFloat64(13, view.getFloat64(13, true) + 1, true),
        (view) => view.setFloat64(1, view.getFloat64(1, true) + 1e6, true),
        (view) => view.setFloat64(1, NaN, true),
      ];
      for (const change of changes) {
        const text = await found(table, (row) => changed(row, change));
        assertStringIncludes(text, `row ${table}`);
      }
    });
  }

  it("under a key by which its records are not found is a difference", async () => {
    const text = await found("market_trades", (_, key) => ({
      key: [...key.slice(0, -1), Number(key[key.length - 1]) + 2],
    }));
    assertStringIncludes(text, "row market_trades");
  });

  it("under a text instead of a number is a difference: no read finds it", async () => {
    const text = await found("candles", (_, key) => ({
      key: [...key.slice(0, -1), String(key[key.length - 1])],
    }));
    assertStringIncludes(text, "row candles");
  });

  it("of a later sequence than the watermark's is found: the fold would pass over it", async () => {
    const text = await found("markets", (bytes) => {
      const { sequence, value } = readRecordRow(bytes);
      return { row: writeRecordRow(sequence + 1_000_000, value) };
    });
    assertStringIncludes(text, "row markets");
  });

  it("of no format is found, and one of a newer format is not read", async () => {
    const ofFormat = (format: number) =>
      found("candles", (row) => changed(row, (view) => view.setUint8(0, format)));
    assertStringIncludes(await ofFormat(0), "row candles");
    await assertRejects(() => ofFormat(30), NewerFormatError, "A row has format 30");
  });
});
