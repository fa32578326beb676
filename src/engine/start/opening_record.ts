/** The store's record of its last opening, by which later ones know how long nonces may be used. */
import { NONCE_KEPT_WINDOWS } from "../../domain/people/nonce_window.ts";
import { OPENING_KEY } from "../../store/sidecar_keys.ts";
import type { Store } from "../../store/store.ts";

/** What the record holds. */
export interface OpeningRecord {
  /** The log's time when the store was opened last, in ms. */
  readonly at: number;
  /** The widest nonce window in which nonces that could still be used were taken, in ms. */
  readonly nonceWindowMs: number;
  /** The log's time when one with a narrower one first opened it since, in ms; null if none has. */
  readonly narrowedAt: number | null;
}

/**
 * Notes an opening at the log's time `at` (ms), which proves that the store takes writes. Returns the
 * nonce window to remember nonces by: an earlier, wider one as long as a nonce that was taken in it
 * may come again. By the clock, which may be wrong, it would be forgotten too soon.
 */
export async function noteOpening(store: Store, windowMs: number, at: number): Promise<number> {
  const record = await store.changeSidecar(OPENING_KEY, (old) => {
    const last = isOpeningRecord(old) ? old : null;
    return nextOpening(last, windowMs, at);
  });
  return record.nonceWindowMs;
}

/** Returns the record of an opening that follows another, at the log's time `at` (ms). */
export function nextOpening(
  last: OpeningRecord | null,
  windowMs: number,
  at: number,
): OpeningRecord {
  const narrowed = { at, nonceWindowMs: windowMs, narrowedAt: null };
  if (last === null || last.nonceWindowMs <= windowMs) return narrowed;
  const narrowedAt = last.narrowedAt ?? at;
  const isOver = at - narrowedAt > NONCE_KEPT_WINDOWS * last.nonceWindowMs;
  return isOver ? narrowed : { ...last, at, narrowedAt };
}

/** Earlier programs wrote only the time. */
function isOpeningRecord(value: unknown): value is OpeningRecord {
  return typeof value === "object" && value !== null && "nonceWindowMs" in value;
}
