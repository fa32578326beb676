/** Which changes of a book are told first where not all can be told at once. */
import type { Side } from "../domain/order.ts";
import type { BookLevel } from "./book_content.ts";

/** A level that has changed; without lots it is gone. */
export interface LevelChange {
  readonly side: Side;
  readonly level: BookLevel;
  /** Readers do not know the level yet. */
  readonly isNew: boolean;
}

/** Levels that each side has room for still. */
export type BookRoom = Readonly<Record<Side, number>>;

/**
 * Picks up to `count` changes, the oldest first. A level that goes comes before a new one that
 * needs its place, so that no reader's book is ever crossed, or longer than its bound.
 *
 * @param changes oldest first
 */
export function firstChanges(
  changes: readonly LevelChange[],
  count: number,
  room: BookRoom,
): LevelChange[] {
  const gone = changes.filter(isGone);
  if (changes.length <= count) return [...gone, ...changes.filter((change) => !isGone(change))];
  const picked = new Set<LevelChange>();
  const left = { ...room };
  const pick = (change: LevelChange) => {
    if (picked.has(change) || picked.size >= count) return;
    picked.add(change);
    if (isGone(change)) left[change.side] += 1;
    else if (change.isNew) left[change.side] -= 1;
  };
  for (const change of changes) {
    if (picked.size >= count) break;
    if (change.isNew) {
      for (const other of gone) if (isCrossed(change, other)) pick(other);
      if (left[change.side] <= 0) pick(firstOf(change.side, gone, picked) ?? change);
    }
    pick(change);
  }
  return [...picked];
}

function firstOf(
  side: Side,
  gone: readonly LevelChange[],
  picked: ReadonlySet<LevelChange>,
): LevelChange | undefined {
  return gone.find((other) => other.side === side && !picked.has(other));
}

/** Whether a change would cross a level of the other side that has not gone yet. */
function isCrossed({ side, level: [price] }: LevelChange, other: LevelChange): boolean {
  if (side === other.side) return false;
  return side === "buy" ? price >= other.level[0] : price <= other.level[0];
}

function isGone({ level }: LevelChange): boolean {
  return level[1] === 0;
}
