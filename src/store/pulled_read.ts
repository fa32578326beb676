/**
 * Calls to a KV server over plain HTTP that come in pieces. The system holds back a second piece
 * until it hears that the first has come, and whoever has nothing to say says so 40 ms later:
 * something small that is asked meanwhile tells it at once.
 */
import { headKey } from "./keys.ts";

/** How long a read is waited for before something small is asked beside it, first and last, in ms. */
const PULL_MS = 1;
const PULL_MS_MAX = 8;

/** Asks something small; its answer says nothing of the call that it goes with. */
export function pullAlong(kv: Deno.Kv): void {
  kv.get(headKey() as Deno.KvKey).catch(() => {});
}

/** Waits for a read on this handle, the end of which the server may hold back. */
export async function pulled<T>(kv: Deno.Kv, reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pull = (ms: number) => {
    timer = setTimeout(() => {
      pullAlong(kv);
      if (ms < PULL_MS_MAX) pull(ms * 2);
    }, ms);
  };
  pull(PULL_MS);
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}
