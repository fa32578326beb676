import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EntriesAhead } from "../../../src/engine/shared/entries_ahead.ts";
import { BATCH_ID_BYTES, encodeEntry, GENESIS_HASH } from "../../../src/store/log/entry_codec.ts";

/** Returns the bytes of an entry of some events. */
function entryAt(first: number, count = 1): Uint8Array {
  const batchId = new Uint8Array(BATCH_ID_BYTES);
  return encodeEntry({ first, at: 1, batchId, count }, new Uint8Array(), GENESIS_HASH).bytes;
}

describe("entries that are ahead of what is read", () => {
  it("are taken one after the other once those before them are read", () => {
    const ahead = new EntriesAhead();
    const [third, fifth] = [entryAt(3, 2), entryAt(5)];
    ahead.add(fifth);
    ahead.add(third);
    assertEquals(ahead.next(1), undefined);
    assertEquals(ahead.next(2), third);
    assertEquals(ahead.next(4), fifth);
    assertEquals(ahead.next(5), undefined);
  });

  it("are not kept once they are read, nor if there are too many", () => {
    const ahead = new EntriesAhead();
    ahead.add(entryAt(4));
    assertEquals(ahead.next(4), undefined);
    assertEquals(ahead.next(3), undefined);
    ahead.add(entryAt(6));
    assertEquals(ahead.next(6), undefined);
    assertEquals(ahead.next(5), undefined);
    for (let first = 10; first < 510; first++) ahead.add(entryAt(first));
    ahead.add(entryAt(510));
    assertEquals([ahead.next(9), ahead.next(509)], [undefined, entryAt(510)]);
  });
});
