import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type Key, rowKey } from "../../../src/store/keys.ts";
import {
  DamagedStoreError,
  sealRecord,
  sealRow,
  unsealRecord,
  unsealRow,
} from "../../../src/store/rows/row_seal.ts";
import { openStore } from "../../../src/store/store.ts";
import { listRows, readRows } from "../../../src/store/rows/stored_rows.ts";
import {
  EMPTY_WATERMARK,
  foldCommit,
  readWatermark,
  rowMutations,
} from "../../../src/store/rows/watermark.ts";
import { watermarkKey } from "../../../src/store/keys.ts";

const KEY = rowKey("members", 7);
/** Rows start with their format, a small number. */
const row = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => {
  bytes[0] = 1;
  return new Uint8Array(bytes);
});

describe("a sealed row", () => {
  it("round-trips", () => {
    fc.assert(fc.property(row, (bytes) => {
      assertEquals(unsealRow(KEY, sealRow(KEY, bytes)), bytes);
    }));
  });

  it("is refused with any bit changed, except the one that marks it as sealed", () => {
    const bytes = new Uint8Array(40).fill(1);
    const sealed = sealRow(KEY, bytes);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = sealed.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (bit === 7) assertEquals(unsealRow(KEY, changed).length, sealed.length);
      else assertThrows(() => unsealRow(KEY, changed), DamagedStoreError, "members/7");
    }
  });

  it("is refused under another key, cut short or not a row at all", () => {
    const sealed = sealRow(KEY, new Uint8Array([1, 2, 3]));
    assertThrows(() => unsealRow(rowKey("members", 8), sealed.slice()), DamagedStoreError);
    assertThrows(() => unsealRow(KEY, sealed.slice(0, 4)), DamagedStoreError);
    assertThrows(() => unsealRow(KEY, "text"), DamagedStoreError);
  });

  it("may have been written before rows were sealed", () => {
    assertEquals(unsealRow(KEY, new Uint8Array([1, 2, 3])), new Uint8Array([1, 2, 3]));
  });
});

describe("stored rows", () => {
  const rows = [1, 2, 3].map((id) => ({
    key: rowKey("members", id),
    bytes: new Uint8Array([1, id]),
  }));

  it("are read as written, and refused if changed", async () => {
    const store = await openStore(":memory:");
    const next = { ...EMPTY_WATERMARK, sequence: 3, target: 3 };
    await store.commit(
      foldCommit(await readWatermark(store), next, rows.flatMap(rowMutations)),
      "fold",
    );
    const [start, end] = [rowKey("members", 0), rowKey("members", Infinity)];
    const listed = await Array.fromAsync(listRows(store, start, end));
    assertEquals(listed.map(({ key, value }) => ({ key: [...key], bytes: value })), rows);
    const keys: Key[] = [rowKey("members", 3), rowKey("members", 4)];
    assertEquals(await readRows(store, keys), [new Uint8Array([1, 3]), null]);
    const { value: stored } = await store.get(rowKey("members", 2));
    assertEquals(stored, sealRow(rowKey("members", 2), new Uint8Array([1, 2])));
    const current = await readWatermark(store);
    assertEquals(current.value, next);
    const again = { ...next, sequence: 4, target: 4 };
    const gone = rowMutations({ key: rowKey("members", 1), bytes: null });
    assertEquals((await store.commit(foldCommit(current, again, gone), "fold")).kind, "committed");
    assertEquals((await store.commit(foldCommit(current, next, []), "fold")).kind, "refused");
    assertEquals(await readRows(store, [rowKey("members", 1)]), [null]);

    const damaged = sealRow(rowKey("members", 2), new Uint8Array([1, 2]));
    const { versionstamp } = await readWatermark(store);
    const check = { key: watermarkKey(), versionstamp };
    await store.commit(
      { check, mutations: [{ key: rowKey("members", 3), value: damaged }] },
      "fold",
    );
    const reading = await readRows(store, [rowKey("members", 3)]).catch((error: unknown) => error);
    assert(reading instanceof DamagedStoreError);
    store.close();
  });

  it("start empty, with nothing stopped on the venue", async () => {
    const store = await openStore(":memory:");
    const { value, versionstamp } = await readWatermark(store);
    assertEquals([value.sequence, versionstamp], [0, null]);
    assertEquals(value.switches, { trading: true, withdrawals: true });
    store.close();
  });

  it("have a watermark that is refused if changed", async () => {
    const store = await openStore(":memory:");
    const { versionstamp } = await readWatermark(store);
    const check = { key: watermarkKey(), versionstamp };
    const switches = { trading: false, withdrawals: true };
    const value = { ...sealRecord(EMPTY_WATERMARK), switches };
    await store.commit({ check, mutations: [{ key: watermarkKey(), value }] }, "fold");
    const reading = await readWatermark(store).catch((error: unknown) => error);
    assert(reading instanceof DamagedStoreError);
    store.close();
  });

  it("are refused as records if the database returns bytes", () => {
    const bytes = new Uint8Array(100);
    assertThrows(() => unsealRecord("watermark", bytes), DamagedStoreError, "The watermark of");
    assertEquals(unsealRecord("watermark", { older: 1 }), { older: 1 });
  });
});
