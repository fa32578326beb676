/**
 * Tells which readers have to go when too much waits for all of a process together. An address for
 * which little waits loses nobody to one for which much does.
 */
import { BURST_MS_MAX } from "./limits.ts";

/** What waits for one reader. */
export interface Backlog {
  /** Where the reader is: the address, or the network of an IPv6 one. */
  readonly address: string;
  /** Bytes that wait. */
  readonly waiting: number;
  /** For how long, in ms, something has always waited, for whatever reason. */
  readonly waitedMs: number;
  /** For how long, in ms, that has been because the reader takes nothing more. */
  readonly stalledMs: number;
}

/**
 * Returns the readers without whom at most `bytesMax` wait, or all for whom something has waited for
 * longer than a burst takes. They are first of the address for which the most waits, and there first
 * those for whom the most has waited the longest because they do not read: others may be behind
 * because the process is.
 */
export function slowestReaders<T extends Backlog>(readers: readonly T[], bytesMax: number): T[] {
  let total = readers.reduce((sum, { waiting }) => sum + waiting, 0);
  if (total <= bytesMax) return [];
  const slowest: T[] = [];
  for (const { reader } of behind(readers).toSorted((a, b) => b.level - a.level)) {
    if (total <= bytesMax) break;
    total -= reader.waiting;
    slowest.push(reader);
  }
  return slowest;
}

/** A reader that is behind, and what waits for it and for all readers of its address not as slow. */
interface Behind<T> {
  readonly reader: T;
  readonly level: number;
}

function behind<T extends Backlog>(readers: readonly T[]): Behind<T>[] {
  const levels = new Map<string, number>();
  return readers.toSorted((a, b) => slowness(a) - slowness(b)).flatMap((reader) => {
    const level = (levels.get(reader.address) ?? 0) + reader.waiting;
    levels.set(reader.address, level);
    return isPrompt(reader) ? [] : [{ reader, level }];
  });
}

/** Less than zero for a prompt reader. */
function slowness(reader: Backlog): number {
  return isPrompt(reader) ? -1 : reader.waiting * reader.stalledMs;
}

function isPrompt({ waitedMs }: Backlog): boolean {
  return waitedMs < BURST_MS_MAX;
}
