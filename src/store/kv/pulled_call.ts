/**
 * Calls to a KV server over plain HTTP that are sent in pieces. The system holds back a second
 * piece until the first is acknowledged (Nagle's algorithm), and an end with nothing to send delays
 * that by 40 ms. A small request meanwhile brings the acknowledgement at once. Its answer may in
 * turn hold back the one that is waited for, so requests follow until that has come.
 */
import { headKey } from "../keys.ts";

/** Pauses before small requests beside a call, in ms; after 40 ms nothing is held back. */
const READ_PAUSES_MS = [2, 6, 16, 16];
const COMMIT_PAUSES_MS = [6, 8, 8, 8];

/** Waits for a read on this handle, the end of which the server may hold back. */
export async function pulledRead<T>(kv: Deno.Kv, reading: Promise<T>): Promise<T> {
  return await pulled(kv, reading, READ_PAUSES_MS);
}

/** Sends a commit that goes out in pieces, and waits for its answer. */
export async function pulledCommit<T>(kv: Deno.Kv, send: () => Promise<T>): Promise<T> {
  // The answer acknowledges the commit's first piece, which lets the second one go.
  pullAlong(kv);
  return await pulled(kv, send(), COMMIT_PAUSES_MS);
}

/** Sends a small request; its answer says nothing about the call that it goes with. */
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
