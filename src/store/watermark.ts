/** The watermark: how far the log has been folded into rows. */
import { type Counters, noCounters } from "../domain/venue.ts";
import type { Levels } from "../domain/event.ts";
import { GENESIS_HASH } from "./entry_codec.ts";
import { watermarkKey } from "./keys.ts";
import type { Commit, Mutation, Store, Versioned } from "./store.ts";

/** Rows are true at `sequence`, or some of them already at `target` while a window is being written. */
export interface Watermark {
  readonly sequence: number;
  /** End of the window that is being written; equal to `sequence` when none is. */
  readonly target: number;
  /** Stamped time and chain hash of the last folded entry. */
  readonly at: number;
  readonly hash: Uint8Array;
  readonly counters: Counters;
  readonly levels: Levels;
}

/** The watermark of a log of which nothing is folded. */
export const EMPTY_WATERMARK: Watermark = {
  sequence: 0,
  target: 0,
  at: 0,
  hash: GENESIS_HASH,
  counters: noCounters(),
  levels: { deposit: 0, withdraw: 0, trading: 0 },
};

/** Reads the watermark, strongly. */
export async function readWatermark(store: Store): Promise<Versioned<Watermark>> {
  const { value, versionstamp } = await store.get<Watermark>(watermarkKey());
  return { value: value ?? EMPTY_WATERMARK, versionstamp };
}

/** The commit of one step of a fold: some rows, and the watermark that goes with them. */
export function foldCommit(
  current: Versioned<Watermark>,
  next: Watermark,
  rows: readonly Mutation[],
): Commit {
  return {
    check: { key: watermarkKey(), versionstamp: current.versionstamp },
    mutations: [...rows, { key: watermarkKey(), value: next }],
  };
}
