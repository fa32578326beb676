/** The watermark: how far the log has been folded into rows. */
import { type Counters, noCounters } from "../domain/venue.ts";
import type { Levels } from "../domain/event.ts";
import type { Switches } from "../domain/money_event.ts";
import { GENESIS_HASH } from "./entry_codec.ts";
import { watermarkKey } from "./keys.ts";
import type { Commit, Mutation, Store, Versioned } from "./store.ts";

/** What the log says of the venue as a whole. */
export interface VenueSettings {
  readonly levels: Levels;
  readonly switches: Switches;
  /** Codes of the currencies that profit and loss is kept in. */
  readonly pnlCurrencies: readonly string[];
}

/** Rows are true at `sequence`, or some of them already at `target` while a window is being written. */
export interface Watermark extends VenueSettings {
  readonly sequence: number;
  /** End of the window that is being written; equal to `sequence` when none is. */
  readonly target: number;
  /** Stamped time and chain hash of the last folded entry. */
  readonly at: number;
  readonly hash: Uint8Array;
  readonly counters: Counters;
}

/** The watermark of a log of which nothing is folded. */
export const EMPTY_WATERMARK: Watermark = {
  sequence: 0,
  target: 0,
  at: 0,
  hash: GENESIS_HASH,
  counters: noCounters(),
  levels: { deposit: 0, withdraw: 0, trading: 0 },
  switches: { trading: true, withdrawals: true },
  pnlCurrencies: [],
};

/** Reads the watermark, strongly. */
export async function readWatermark(store: Store): Promise<Versioned<Watermark>> {
  const { value, versionstamp } = await store.get<Watermark>(watermarkKey());
  if (value === null) return { value: EMPTY_WATERMARK, versionstamp };
  // One that was written before there was money in and out knows nothing of it.
  const counters = { ...EMPTY_WATERMARK.counters, ...value.counters };
  return { value: { ...EMPTY_WATERMARK, ...value, counters }, versionstamp };
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
