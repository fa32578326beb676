/** A bound on how long a call to a KV server may take. */
import { CALL_REMOTE_MS_MAX } from "./kv_limits.ts";

const GRACE_MS = 100;

/**
 * A call's answer over a network, where one that finds no server would be tried again for ever;
 * `onLate` is told of one that is given up on.
 */
export async function inTime<T>(call: Promise<T>, onLate: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => {
      onLate();
      reject(new Error(`No answer within ${CALL_REMOTE_MS_MAX} ms`));
    };
    // Of a process that stood still the timers come before the answers that have arrived.
    const lookAgain = () => timer = setTimeout(giveUp, GRACE_MS);
    timer = setTimeout(lookAgain, CALL_REMOTE_MS_MAX - GRACE_MS);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a handle over a network, for which the server is asked something: that may hang, too. */
export async function openedInTime(
  openKv: () => Promise<Deno.Kv>,
  onLate: () => void,
): Promise<Deno.Kv> {
  let isLate = false;
  const opening = openKv();
  opening.then((kv) => isLate ? kv.close() : null, () => {});
  return await inTime(opening, () => {
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
