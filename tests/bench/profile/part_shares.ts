/** Which share of a thread's work each part of a program has. */
import { partOf } from "./call_frame.ts";
import { type OwnShare, summedBy } from "./own_time.ts";

const IDLE = "idle";
/** The name of the part that V8 does not see. */
export const OUTSIDE = "the platform outside of V8";

/** A part, and its shares in two programs; 0 where it is not. */
export interface PartBeside {
  readonly part: string;
  readonly shares: readonly [number, number];
}

/**
 * Returns the shares of all parts in a thread's processor time, in µs. V8 takes the thread for idle
 * wherever the platform reads, parses and sends by itself: to that goes what V8 did not find busy.
 */
export function busyShares(
  times: readonly OwnShare[],
  processorMicros: number,
): ReadonlyMap<string, number> {
  const parts = summedBy(times, partOf).filter(([part]) => part !== IDLE);
  const found = parts.reduce((sum, [, micros]) => sum + micros, 0);
  // Where others use the processor as well, what was found may have taken longer than it worked.
  const all = Math.max(found, processorMicros);
  const shares = new Map(parts.map(([part, micros]) => [part, micros / all]));
  return shares.set(OUTSIDE, 1 - found / all);
}

/** Puts the parts of two programs side by side, those of the first one first. */
export function partsBeside(
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
): PartBeside[] {
  const parts = [...new Set([...first.keys(), ...second.keys()])];
  return parts.map((part) => ({ part, shares: [first.get(part) ?? 0, second.get(part) ?? 0] }));
}
