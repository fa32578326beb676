/** Picks the changes of a book to send first when there are too many to send at once. */
import type { Side } from "../../domain/trading/order.ts";
import type { BookChange } from "./book_content.ts";

/** A changed level; 0 lots remove it. */
export interface LevelChange extends BookChange {
  /** Readers do not know the level yet. */
  readonly isNew: boolean;
}

/** Levels that each side still has room for. */
export type BookRoom = Readonly<Record<Side, number>>;

/**
 * Picks up to `count` changes, oldest first. Removals come before new levels that need their place,
 * so that no reader's book is ever crossed or too long.
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
  // Those that readers don't know make no room.
  const known = gone.filter(({ isNew }) => !isNew);
  const picked = new Set<LevelChange>();
  const left = { ...room };
  const pick = (change: LevelChange) => {
    if (picked.has(change) || picked.size >= count) return;
    picked.add(change);
    if (isGone(change)) left[change.side] += change.isNew ? 0 : 1;
    else if (change.isNew) left[change.side] -= 1;
  };
  for (const change of changes) {
    if (picked.size >= count) break;
    if (change.isNew && !isGone(change)) {
      for (const other of known) if (isCrossed(change, other)) pick(other);
      if (left[change.side] <= 0) pick(firstOf(change.side, known, picked) ?? change);
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

/** Returns whether a change would cross a level of the other side that is not removed yet. */
function isCrossed({ side, level: [price] }: LevelChange, other: LevelChange): boolean {
  if (side === other.side) return false;
  return side === "buy" ? price >= other.level[0] : price <= other.level[0];
}

function isGone({ level }: LevelChange): boolean {
  return level[1] === 0;
}
