/** How long something may take that others do: a KV server, a lock, a rail; and pauses between. */
import { CALL_REMOTE_MS_MAX } from "./kv_limits.ts";

const GRACE_MS = 100;

/** Lets so many milliseconds pass. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What a call comes to; after `ms` milliseconds, what `onLate` makes of it. */
export async function inTime<T>(ms: number, call: Promise<T>, onLate: () => T): Promise<T> {
  const graceMs = Math.min(GRACE_MS, ms / 2);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    // Of a process that stood still the timers come before the answers that have arrived.
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
 * A call's answer over a network, where one that finds no server would be tried again for ever;
 * `onLate` is told of one that is given up on.
 */
export async function answeredInTime<T>(call: Promise<T>, onLate: () => void): Promise<T> {
  return await inTime(CALL_REMOTE_MS_MAX, call, () => {
    onLate();
    throw new Error(`No answer within ${CALL_REMOTE_MS_MAX} ms`);
  });
}

/** Opens a handle over a network, for which the server is asked something: that may hang, too. */
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

/** Opens several handles over a network, or none; the first by itself, to see whether the server is there. */
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
