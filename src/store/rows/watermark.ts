/** The watermark: how far the log has been folded into rows. */
import { type Counters, noCounters } from "../../domain/venue.ts";
import type { Levels, Switches } from "../../domain/event.ts";
import type { StoredSettings } from "../../domain/settings.ts";
import { GENESIS_HASH } from "../log/entry_codec.ts";
import { type Key, watermarkKey } from "../keys.ts";
import { cutRow, partKeys } from "./long_row.ts";
import { type SealedRecord, sealRecord, sealRow, unsealRecord } from "./row_seal.ts";
import type { Store, Versioned } from "../store.ts";
import type { Check, Commit, Mutation } from "../kv/commit.ts";

/** The settings of the whole venue that the log holds. */
export interface VenueSettings {
  readonly levels: Levels;
  readonly switches: Switches;
  /** Codes of the currencies that profit and loss is kept in. */
  readonly pnlCurrencies: readonly string[];
  /** Those and the ones that it was kept in before. */
  readonly pnlKept: readonly string[];
  /** The settings that were ever set. */
  readonly storedSettings: StoredSettings;
}

/** Returns only the settings; one that is forgotten here is a type error. */
export function settingsOf(of: VenueSettings): VenueSettings {
  const { levels, switches, pnlCurrencies, pnlKept, storedSettings } = of;
  return { levels, switches, pnlCurrencies, pnlKept, storedSettings };
}

/** How far a fold is: rows reflect `sequence`, some `target` while a window is being written. */
export interface FoldPoint extends VenueSettings {
  readonly sequence: number;
  /** End of the window that is being written; equal to `sequence` when none is. */
  readonly target: number;
  /** Stamped time and chain hash of the last folded entry. */
  readonly at: number;
  readonly hash: Uint8Array;
  readonly counters: Counters;
}

/** What the store records of its rows. */
export interface Watermark extends FoldPoint {
  /** Sum over the rows that a start reads, see `state_sum.ts`; null after an older program. */
  readonly stateSum: number | null;
  /** Whether the rows of members' funds begin with the log; not after an older program. */
  readonly hasFunds: boolean;
}

/** A row that a fold writes; null bytes delete it. */
export interface WrittenRow {
  readonly key: Key;
  readonly bytes: Uint8Array | null;
  /** Parts that it had before, one by default; those that it no longer has are deleted. */
  readonly partsBefore?: number;
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
  pnlKept: [],
  storedSettings: {},
  stateSum: 0,
  hasFunds: true,
};

/** Reads the watermark, strongly. */
export async function readWatermark(store: Store): Promise<Versioned<Watermark>> {
  const { value: stored, versionstamp } = await store.get<SealedRecord<Watermark>>(watermarkKey());
  if (stored === null) return { value: EMPTY_WATERMARK, versionstamp };
  const watermark = unsealRecord("watermark", stored);
  // One of an older program has no counters of money in and out, no sum, no settings, or no funds.
  const counters = { ...EMPTY_WATERMARK.counters, ...watermark.counters };
  const { stateSum = null, pnlKept = watermark.pnlCurrencies, hasFunds = false } = watermark;
  const value = { ...EMPTY_WATERMARK, ...watermark, pnlKept, counters, stateSum, hasFunds };
  return { value, versionstamp };
}

/**
 * Returns the commit of one step of a fold: some rows as they are stored, and their watermark.
 *
 * @param held what proves that the log holds what is folded
 */
export function foldCommit(
  current: Versioned<Watermark>,
  next: Watermark,
  rows: readonly Mutation[],
  held: readonly Check[] = [],
): Commit {
  return {
    check: { key: watermarkKey(), versionstamp: current.versionstamp },
    held,
    mutations: [...rows, { key: watermarkKey(), value: sealRecord(next) }],
  };
}

/** Returns the changes that store a row: its parts, sealed. */
export function rowMutations({ key, bytes, partsBefore = 1 }: WrittenRow): Mutation[] {
  const parts = bytes === null ? [] : cutRow(bytes);
  return partKeys(key, Math.max(parts.length, partsBefore)).map((part, i) => {
    const value = parts[i];
    return { key: part, value: value === undefined ? null : sealRow(part, value) };
  });
}
