import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cutIntoSteps } from "../../../src/engine/fold/fold_steps.ts";
import type { RowChange } from "../../../src/engine/fold/row_source.ts";
import { keyBytes, rowKey } from "../../../src/store/keys.ts";
import { VALUE_BYTES_MAX } from "../../../src/store/kv/kv_limits.ts";

/** What the number of a part adds to its key. */
const PART_NUMBER_BYTES = 9;
const MAX = { mutations: 3, bytes: 100_000, keyBytes: 1_000 };

function change(id: number, bytes: number | null, isJoined = false): RowChange {
  const row = bytes === null ? null : new Uint8Array(bytes);
  return { table: "members", place: [id], bytes: row, ...(isJoined ? { isJoined } : {}) };
}

/** Returns the places of each step's rows. */
function stepsOf(
  changes: readonly RowChange[],
  partsBefore: (change: RowChange) => number = () => 1,
): unknown[][] {
  const steps = [...cutIntoSteps(changes, () => MAX, partsBefore)];
  assertEquals(steps.map(({ isLast }) => isLast), steps.map((_, i) => i === steps.length - 1));
  return steps.map(({ changes }) => changes.map(({ place }) => place[0]));
}

describe("the steps of a fold", () => {
  it("hold as many rows as one commit should, in order", () => {
    const changes = Array.from({ length: 7 }, (_, id) => change(id, 10));
    assertEquals(stepsOf(changes), [[0, 1, 2], [3, 4, 5], [6]]);
    assertEquals(stepsOf([]), [[]]);
  });

  it("hold as many bytes as one commit should, keys counted twice", () => {
    const half = MAX.bytes / 2 - 2 * keyBytes(rowKey("members", 0));
    const fitting = [change(0, half), change(1, half), change(2, half)];
    assertEquals(stepsOf(fitting), [[0, 1], [2]]);
    assertEquals(stepsOf([change(0, half), change(1, half + 1), change(2, 0)]), [[0], [1, 2]]);
  });

  it("hold as many bytes of keys as one commit should, those of all parts", () => {
    const named = (length: number): RowChange => ({ ...change(0, 1), place: ["n".repeat(length)] });
    const places = (keyLength: number, partsOfFirst: number) => {
      const row = named(keyLength - keyBytes(rowKey("members", "")));
      const first = { ...row };
      const steps = stepsOf([first, row], (one) => one === first ? partsOfFirst : 1);
      return steps.map(({ length }) => length);
    };
    const half = MAX.keyBytes / 2;
    assertEquals([places(half, 1), places(half + 1, 1)], [[2], [1, 1]]);
    const third = Math.floor((MAX.keyBytes - 2 * PART_NUMBER_BYTES) / 3);
    assertEquals([places(third, 2), places(third + 1, 2)], [[2], [1, 1]]);
  });

  it("are cut when asked for, as large as they may be then", () => {
    const changes = Array.from({ length: 8 }, (_, id) => change(id, 10));
    let mutations = 1;
    const steps = cutIntoSteps(changes, () => ({ ...MAX, mutations }), () => 1);
    const next = () => steps.next().value?.changes.length;
    assertEquals([next(), next()], [1, 1]);
    mutations = 4;
    assertEquals([next(), next(), steps.next().done], [4, 2, true]);
  });

  it("have a row to themselves that is larger than that", () => {
    assertEquals(stepsOf([change(0, 1), change(1, MAX.bytes), change(2, 1)]), [[0], [1], [2]]);
    assertEquals(stepsOf([change(0, MAX.bytes), change(1, 1)]), [[0], [1]]);
  });

  it("count each part that a row has or had", () => {
    const long = change(0, VALUE_BYTES_MAX + 1);
    assertEquals(stepsOf([long, change(1, 1), change(2, 1)]), [[0, 1], [2]]);
    const shrunk = [change(0, 1), change(1, null), change(2, 1)];
    assertEquals(stepsOf(shrunk, ({ place }) => place[0] === 1 ? 2 : 1), [[0, 1], [2]]);
  });

  it("keep together what is joined", () => {
    const changes = [change(0, 1), change(1, 1), change(2, 1), change(3, 1, true), change(4, 1)];
    assertEquals(stepsOf(changes), [[0, 1], [2, 3, 4]]);
  });
});
