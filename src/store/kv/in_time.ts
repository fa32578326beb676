/** Time limits for what others do (a KV server, a lock, a rail), and pauses in between. */
import { CALL_REMOTE_MS_MAX } from "./kv_limits.ts";

const GRACE_MS = 100;

/** Waits so many milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the result of a call or, after `ms` milliseconds, that of `onLate`. */
export async function inTime<T>(ms: number, call: Promise<T>, onLate: () => T): Promise<T> {
  const graceMs = Math.min(GRACE_MS, ms / 2);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    // When a suspended process resumes, timers fire before the answers that have arrived.
    const lookAgain = () => timer = setTimeout(resolve, graceMs);
    timer = setTimeout(lookAgain, ms - graceMs);
  });
  try {
    return await Promise.race([call, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a call's answer over a network, where a call that finds no server would be retried
 * forever; calls `onLate` when it gives up on one.
 */
export async function answeredInTime<T>(call: Promise<T>, onLate: () => void): Promise<T> {
  return await inTime(CALL_REMOTE_MS_MAX, call, () => {
    onLate();
    throw new Error(`No answer within ${CALL_REMOTE_MS_MAX} ms`);
  });
}

/** Opens a handle over a network, which asks the server something and so may hang, too. */
export async function openedInTime(
  openKv: () => Promise<Deno.Kv>,
  onLate: () => void,
): Promise<Deno.Kv> {
  let isLate = false;
  const opening = openKv();
  opening.then((kv) => isLate ? kv.close() : null, () => {});
  return await answeredInTime(opening, () => {
    isLate = true;
    onLate();
  });
}

/** Opens several handles over a network, or none; first one, to see whether the server is there. */
export async function allOpenedInTime(
  openKv: () => Promise<Deno.Kv>,
  count: number,
): Promise<Deno.Kv[]> {
  const open = () => openedInTime(openKv, () => {});
  const openings = [open()];
  try {
    await openings[0];
    while (openings.length < count) openings.push(open());
    return await Promise.all(openings);
  } catch (error) {
    for (const opening of openings) opening.then((kv) => kv.close(), () => {});
    throw error;
  }
}
