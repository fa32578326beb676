import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { rowKey, watermarkKey } from "../../../src/store/keys.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { VALUE_BYTES_MAX } from "../../../src/store/kv/kv_limits.ts";
import {
  bytesOf,
  countParts,
  cutRow,
  isLaterPart,
  joinParts,
  joinRows,
  partKeys,
  partsOf,
} from "../../../src/store/rows/long_row.ts";
import { openRow } from "../../../src/store/rows/row_codec.ts";
import { SEAL_BYTES } from "../../../src/store/rows/row_seal.ts";
import { openStore, Store } from "../../../src/store/store.ts";
import { listRows, readRows } from "../../../src/store/rows/stored_rows.ts";
import { EMPTY_WATERMARK, foldCommit, rowMutations } from "../../../src/store/rows/watermark.ts";

const WHOLE_MAX = VALUE_BYTES_MAX - SEAL_BYTES;
const KEY = rowKey("members", 2);

/** Returns a row of the given length, all of whose parts differ. */
function rowOf(length: number, first = 7): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i === 0 ? 1 : (first * i + (i >> 8)) % 251);
}

async function write(
  store: Store,
  bytes: Uint8Array | null,
  partsBefore: number,
): Promise<void> {
  const { versionstamp } = await store.get(watermarkKey());
  const current = { value: EMPTY_WATERMARK, versionstamp };
  const rows = rowMutations({ key: KEY, bytes, partsBefore });
  const commit = foldCommit(current, EMPTY_WATERMARK, rows);
  assertEquals((await store.commit(commit, "fold")).kind, "committed");
}

describe("a row that is longer than a value", () => {
  it("is cut into parts that each fit a value and join into the same row", () => {
    const lengths = fc.oneof(
      fc.integer({ min: 1, max: 5 * VALUE_BYTES_MAX }),
      fc.constantFrom(WHOLE_MAX - 1, WHOLE_MAX, WHOLE_MAX + 1, 2 * WHOLE_MAX - 4, 2 * WHOLE_MAX),
    );
    fc.assert(fc.property(lengths, (length) => {
      const row = rowOf(length);
      const parts = cutRow(row);
      assertEquals(parts.length > 1, length > WHOLE_MAX);
      assert(parts.every((part) => part.length + SEAL_BYTES <= VALUE_BYTES_MAX));
      assertEquals(parts.length, partsOf(row));
      assertEquals(countParts(parts[0] as Uint8Array), parts.length);
      assertEquals(parts.map(isLaterPart), parts.map((_, i) => i > 0));
      assertEquals(joinParts(parts), row);
      assertEquals(parts.reduce((sum, part) => sum + bytesOf(part).length, 1), length);
    }));
  });

  it("is stored in a table among others", () => {
    const rows = [rowOf(9), rowOf(150_000), rowOf(70_000, 3), rowOf(10)];
    assertEquals(joinRows(rows.flatMap((row) => cutRow(row))), rows);
  });

  it("is refused with parts missing, repeated or out of order", () => {
    const [a, b, c] = cutRow(rowOf(150_000)) as [Uint8Array, Uint8Array, Uint8Array];
    for (const parts of [[a, b], [a, c, b], [b, c], [a, b, b], [a, b, c, c], [a, a, a], []]) {
      assertThrows(() => joinParts(parts), InvariantError, "part");
    }
    for (const values of [[a, b], [b, c], [a, c, b], [a, b, c, c]]) {
      assertThrows(() => joinRows(values), InvariantError, "part");
    }
  });

  it("looks like a newer format to a program that knows no parts", () => {
    for (const part of cutRow(rowOf(150_000))) assertThrows(() => openRow(part));
  });

  it("is read whole, and leaves no parts behind when shortened or deleted", async () => {
    const store = await openStore(":memory:");
    const listed = async () => {
      const parts = await Array.fromAsync(
        listRows(store, rowKey("members", 0), rowKey("members", Infinity)),
      );
      assertEquals(parts.map(({ key }) => key), partKeys(KEY, parts.length));
      return joinRows(parts.map(({ value }) => value));
    };
    let before = 1;
    for (const length of [200_000, 70_000, 9, 150_000, 130_000, 0, 200_000, 0]) {
      const row = length === 0 ? null : rowOf(length);
      await write(store, row, before);
      assertEquals(await readRows(store, [rowKey("members", 1), KEY]), [null, row]);
      assertEquals(await listed(), row === null ? [] : [row]);
      before = row === null ? 1 : partsOf(row);
    }
    store.close();
  });

  it("is read as of one moment, even if it changes meanwhile", async () => {
    const store = await ChangingStore.open();
    for (const [from, to] of [[150_000, 200_000], [200_000, 70_000], [200_000, 9], [70_000, 0]]) {
      const [old, next] = [rowOf(from ?? 0), to === 0 ? null : rowOf(to ?? 0, 5)];
      await write(store, old, 9);
      store.behindRead = () => write(store, next, partsOf(old));
      assertEquals(await readRows(store, [KEY]), [next]);
      await write(store, null, 9);
    }
    store.close();
  });
});

/** A store that runs `behindRead` after the next read of rows. */
class ChangingStore extends Store {
  behindRead: () => Promise<void> = () => Promise.resolve();

  static async open(): Promise<ChangingStore> {
    return new ChangingStore(await KvHandles.open(":memory:", false), ":memory:", false);
  }

  override async getMany(
    ...[keys]: Parameters<Store["getMany"]>
  ): Promise<(unknown | null)[]> {
    const values = await super.getMany(keys);
    const behind = this.behindRead;
    this.behindRead = () => Promise.resolve();
    await behind();
    return values;
  }
}
