/** How large a commit is on its way to a KV server. */
import { keyBytes } from "./keys.ts";
import type { Commit } from "./store.ts";

/**
 * Bytes of a call from which on Deno hands it to the network in two pieces. The second waits until
 * the first is acknowledged, which the other end holds back for 40 ms where it has nothing to say.
 */
const PIECE_BYTES = 1024;
/** What the protocol needs around a check with its version, and around a mutation. */
const CHECK_BYTES = 16;
const MUTATION_BYTES = 14;

/** Whether a commit goes out in more than one piece; values other than bytes count as nothing. */
export function isSentInPieces({ check, mutations }: Commit): boolean {
  let bytes = CHECK_BYTES + keyBytes(check.key);
  for (const { key, value } of mutations) {
    bytes += MUTATION_BYTES + keyBytes(key) + (value instanceof Uint8Array ? value.length : 0);
    if (bytes >= PIECE_BYTES) return true;
  }
  return bytes >= PIECE_BYTES;
}
