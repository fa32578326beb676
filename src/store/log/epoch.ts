/**
 * The epoch of a store: one history of its log. A restore ends it, and begins another. Its row
 * stands under a random key, so that no version of it can come again.
 */
import type { Mutation } from "../kv/commit.ts";
import { epochKey } from "../keys.ts";

/** What the row of an epoch says. */
export interface EpochRecord {
  /** Sequence after which it began; 0 too if an older program began it. */
  readonly after: number;
}

/** Returns the row by which an epoch lasts. */
export function epochRow(epoch: string, after: number): Mutation {
  const record: EpochRecord = { after };
  return { key: epochKey(epoch), value: record };
}
