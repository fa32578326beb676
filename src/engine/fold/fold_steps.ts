/** The steps in which the rows of a folded window are written, each by a commit of its own. */
import { keyBytes, rowKey } from "../../store/keys.ts";
import type { StepSize } from "../../store/kv/kv_limits.ts";
import { partsOf } from "../../store/rows/long_row.ts";
import type { RowChange } from "./row_source.ts";

/** Bytes that the number of a part adds to its key. */
const PART_NUMBER_BYTES = 9;

/** The rows of one step. */
export interface Step {
  readonly changes: readonly RowChange[];
  readonly isLast: boolean;
}

/**
 * Cuts changes into steps, in their order, as they are asked for; there is at least one.
 *
 * @param max asked for each step
 * @param partsBefore number of keys that a row has in the store; 1 if it is new
 */
export function* cutIntoSteps(
  changes: readonly RowChange[],
  max: () => StepSize,
  partsBefore: (change: RowChange) => number,
): Generator<Step> {
  let step: RowChange[] = [];
  let size: StepSize = { mutations: 0, bytes: 0, keyBytes: 0 };
  let limit = max();
  for (const group of groupJoined(changes)) {
    const added = group.map((change) => sizeOf(change, partsBefore)).reduce(sum);
    const grown = sum(size, added);
    if (step.length === 0 || fits(grown, limit)) {
      step.push(...group);
      size = grown;
      continue;
    }
    yield { changes: step, isLast: false };
    step = [...group];
    size = added;
    limit = max();
  }
  yield { changes: step, isLast: true };
}

function fits(size: StepSize, max: StepSize): boolean {
  return size.mutations <= max.mutations && size.bytes <= max.bytes &&
    size.keyBytes <= max.keyBytes;
}

function sum(one: StepSize, other: StepSize): StepSize {
  return {
    mutations: one.mutations + other.mutations,
    bytes: one.bytes + other.bytes,
    keyBytes: one.keyBytes + other.keyBytes,
  };
}

/** Returns what a change takes: a row may have, or have had, several parts under keys of their own. */
function sizeOf(change: RowChange, partsBefore: (change: RowChange) => number): StepSize {
  const { table, place, bytes } = change;
  const parts = bytes === null ? 1 : partsOf(bytes);
  const mutations = Math.max(parts, partsBefore(change));
  const ownKey = keyBytes(rowKey(table, ...place));
  const keys = mutations === 1 ? ownKey : mutations * (ownKey + PART_NUMBER_BYTES);
  return { mutations, bytes: 2 * keys + (bytes?.length ?? 0), keyBytes: keys };
}

/** Groups changes that have to be written in one step, whatever its size. */
function groupJoined(changes: readonly RowChange[]): RowChange[][] {
  const groups: RowChange[][] = [];
  for (const change of changes) {
    if (change.isJoined) groups[groups.length - 1]?.push(change);
    else groups.push([change]);
  }
  return groups;
}
