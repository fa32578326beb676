/**
 * Calls to a KV server over plain HTTP that come in pieces. The system holds back a second piece
 * until it hears that what went before has come, and whoever has nothing to say says so 40 ms later:
 * something small that is asked meanwhile tells it at once. What is asked is answered, and that
 * answer may hold back the one that is waited for: it is asked again until that is there.
 */
import { headKey } from "./keys.ts";

/** Pauses before something small is asked beside a call, in ms; beyond 40 ms nothing is held back. */
const READ_PAUSES_MS = [2, 6, 16, 16];
const COMMIT_PAUSES_MS = [6, 8, 8, 8];

/** Waits for a read on this handle, the end of which the server may hold back. */
export async function pulledRead<T>(kv: Deno.Kv, reading: Promise<T>): Promise<T> {
  return await pulled(kv, reading, READ_PAUSES_MS);
}

/** Sends a commit that goes out in pieces, and waits for its answer. */
export async function pulledCommit<T>(kv: Deno.Kv, send: () => Promise<T>): Promise<T> {
  // Its answer acknowledges the first piece, which lets the second one go.
  pullAlong(kv);
  return await pulled(kv, send(), COMMIT_PAUSES_MS);
}

/** Asks something small; its answer says nothing of the call that it goes with. */
function pullAlong(kv: Deno.Kv): void {
  kv.get(headKey() as Deno.KvKey).catch(() => {});
}

async function pulled<T>(kv: Deno.Kv, call: Promise<T>, pauses: readonly number[]): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pullAfter = ([ms, ...others]: readonly number[]) => {
    if (ms === undefined) return;
    timer = setTimeout(() => {
      pullAlong(kv);
      pullAfter(others);
    }, ms);
  };
  pullAfter(pauses);
  try {
    return await call;
  } finally {
    clearTimeout(timer);
  }
}
