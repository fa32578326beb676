import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cutIntoSteps } from "../../src/engine/fold_steps.ts";
import type { RowChange } from "../../src/engine/row_source.ts";
import { keyBytes, rowKey } from "../../src/store/keys.ts";
import { VALUE_BYTES_MAX } from "../../src/store/kv_limits.ts";

const MAX = { mutations: 3, bytes: 100_000 };

function change(id: number, bytes: number | null, isJoined = false): RowChange {
  const row = bytes === null ? null : new Uint8Array(bytes);
  return { table: "members", place: [id], bytes: row, ...(isJoined ? { isJoined } : {}) };
}

/** Returns the ids of each step's rows. */
function stepsOf(
  changes: readonly RowChange[],
  partsBefore: (change: RowChange) => number = () => 1,
): unknown[][] {
  return cutIntoSteps(changes, MAX, partsBefore).map((step) => step.map(({ place }) => place[0]));
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
