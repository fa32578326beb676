/** The steps in which the rows of a folded window are written, each by a commit of its own. */
import { keyBytes, rowKey } from "../store/keys.ts";
import type { FoldStep } from "../store/kv_limits.ts";
import { partsOf } from "../store/long_row.ts";
import type { RowChange } from "./row_source.ts";

/**
 * Cuts changes into steps, in their order.
 *
 * @param partsBefore number of keys that a row has in the store; 1 if it is new
 */
export function cutIntoSteps(
  changes: readonly RowChange[],
  max: FoldStep,
  partsBefore: (change: RowChange) => number,
): RowChange[][] {
  const steps: RowChange[][] = [];
  let step: RowChange[] = [];
  let mutations = 0;
  let bytes = 0;
  for (const group of groupJoined(changes)) {
    const groupMutations = sumOf(group, (change) => keysOf(change, partsBefore));
    const groupBytes = sumOf(group, bytesOf);
    const isFull = mutations + groupMutations > max.mutations || bytes + groupBytes > max.bytes;
    if (step.length > 0 && isFull) {
      steps.push(step);
      step = [];
      mutations = 0;
      bytes = 0;
    }
    step.push(...group);
    mutations += groupMutations;
    bytes += groupBytes;
  }
  steps.push(step);
  return steps;
}

function sumOf(group: readonly RowChange[], size: (change: RowChange) => number): number {
  return group.reduce((sum, change) => sum + size(change), 0);
}

/** Returns how many keys a change writes or deletes. */
function keysOf(change: RowChange, partsBefore: (change: RowChange) => number): number {
  const parts = change.bytes === null ? 1 : partsOf(change.bytes);
  return Math.max(parts, partsBefore(change));
}

/** Returns the bytes of a change as the platform counts them: its key counts twice. */
function bytesOf({ table, place, bytes }: RowChange): number {
  return 2 * keyBytes(rowKey(table, ...place)) + (bytes?.length ?? 0);
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
