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
