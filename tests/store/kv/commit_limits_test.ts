import { assert, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { serialize } from "node:v8";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import { assertFits, valueBytes } from "../../../src/store/kv/commit_limits.ts";
import { headKey, type Key, sidecarKey, watermarkKey } from "../../../src/store/keys.ts";
import {
  COMMIT_BYTES_MAX,
  COMMIT_KEY_BYTES_MAX,
  COMMIT_MUTATIONS_MAX,
  VALUE_BYTES_MAX,
} from "../../../src/store/kv/kv_limits.ts";
import { openStore } from "../../../src/store/store.ts";
import { EMPTY_WATERMARK } from "../../../src/store/rows/watermark.ts";

const CHECK = { key: headKey(), versionstamp: null };

function commitOf(
  values: readonly unknown[],
  keyOf: (i: number) => Key = (i) => sidecarKey(["x", i]),
) {
  return { check: CHECK, mutations: values.map((value, i) => ({ key: keyOf(i), value })) };
}

describe("the size of a value", () => {
  it("is never less than what the platform stores", () => {
    const { tie } = fc.letrec((tie) => ({
      tie: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: "binary" }),
        fc.string({ unit: "grapheme" }),
        fc.double(),
        fc.maxSafeInteger(),
        fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
        fc.boolean(),
        fc.constantFrom(null, undefined),
        fc.uint8Array({ maxLength: 300 }),
        fc.array(tie("tie")),
        fc.dictionary(fc.string({ unit: "binary" }), tie("tie")),
      ),
    }));
    fc.assert(fc.property(tie, (value) => {
      if (value instanceof Uint8Array) return;
      const stored = serialize(value).length;
      assert(valueBytes(value) >= stored, `${valueBytes(value)} bytes, stored as ${stored}`);
    }));
    const watermark = { ...EMPTY_WATERMARK, pnlCurrencies: Array(8).fill("c".repeat(64)) };
    assert(valueBytes(watermark) < 4096, `a watermark of ${valueBytes(watermark)} bytes`);
  });
});

describe("a commit", () => {
  it("is accepted at any single limit", async () => {
    const store = await openStore(":memory:");
    const long = (i: number) => sidecarKey(["x".repeat(1900), i]);
    const full = new Uint8Array(VALUE_BYTES_MAX);
    const commits = [
      commitOf(Array.from({ length: COMMIT_MUTATIONS_MAX }, (_, i) => i)),
      commitOf(Array(Math.floor(COMMIT_BYTES_MAX / VALUE_BYTES_MAX)).fill(full)),
      commitOf(Array(Math.floor(COMMIT_KEY_BYTES_MAX / 1940)).fill(1), long),
      commitOf(Array(Math.floor(COMMIT_KEY_BYTES_MAX / 1940)).fill(new Uint8Array(15_000)), long),
    ];
    for (const { mutations } of commits) {
      const outcome = await store.commit({ check: { ...CHECK, key: ["none"] }, mutations }, "log");
      assert(outcome.kind === "committed", JSON.stringify(outcome));
    }
    store.close();
  });

  it("is refused beyond any limit", () => {
    const long = (i: number) => sidecarKey(["x".repeat(1900), i]);
    const text = (bytes: number) => ({ text: "x".repeat(bytes) });
    const commits = [
      commitOf(Array(COMMIT_MUTATIONS_MAX + 1).fill(null)),
      commitOf([new Uint8Array(VALUE_BYTES_MAX + 1)]),
      commitOf([text(VALUE_BYTES_MAX)]),
      commitOf([{ text: "ж".repeat(VALUE_BYTES_MAX / 2) }]),
      commitOf(Array(14).fill(text(60_000))),
      commitOf(Array(14).fill(new Uint8Array(60_000))),
      commitOf(Array(43).fill(null), long),
      commitOf(Array(40).fill(new Uint8Array(17_000)), long),
    ];
    for (const commit of commits) {
      assertThrows(() => assertFits(commit), InvariantError, "has room for its");
    }
    assertFits({ check: { key: watermarkKey(), versionstamp: null }, mutations: [] });
  });
});
