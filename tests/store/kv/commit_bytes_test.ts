import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isSentInPieces } from "../../../src/store/kv/commit_limits.ts";
import { entryKey, headKey, type Key } from "../../../src/store/keys.ts";
import type { Commit } from "../../../src/store/kv/commit.ts";

/** Returns the log's commit of an entry with the given number of bytes. */
function commitOf(bytes: number, side: readonly { key: Key; value: unknown }[] = []): Commit {
  const mutations = [
    { key: entryKey(1, 0), value: new Uint8Array(bytes) },
    { key: headKey(), value: new Uint8Array(105) },
    ...side,
  ];
  return { check: { key: headKey(), versionstamp: null }, mutations };
}

describe("a commit on its way to a KV server", () => {
  it("is sent in one piece if small, in several from about 800 bytes", () => {
    assertEquals([100, 700, 900, 60_000].map((bytes) => isSentInPieces(commitOf(bytes))), [
      false,
      false,
      true,
      true,
    ]);
  });

  it("counts keys as well as values, and only the key of a deletion", () => {
    const side = Array.from({ length: 40 }, (_, i) => ({ key: ["side", i], value: null }));
    assertEquals(isSentInPieces(commitOf(10, side)), true);
    assertEquals(isSentInPieces(commitOf(10, side.slice(0, 10))), false);
  });
});
