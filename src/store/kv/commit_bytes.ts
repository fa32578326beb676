/** Estimates the size of a commit that is sent to a KV server. */
import { keyBytes } from "../keys.ts";
import type { Commit } from "./commit.ts";

/**
 * From this many bytes on Deno hands a call to the network in two pieces. The second waits until
 * the first is acknowledged, which an end with nothing to send delays by 40 ms.
 */
const PIECE_BYTES = 1024;
/** What the protocol adds to a check with its version, and to a mutation. */
const CHECK_BYTES = 16;
const MUTATION_BYTES = 14;

/** Whether a commit is sent in more than one piece; only values of bytes count. */
export function isSentInPieces({ check, held = [], mutations }: Commit): boolean {
  let bytes = CHECK_BYTES + keyBytes(check.key);
  for (const { key } of held) bytes += CHECK_BYTES + keyBytes(key);
  for (const { key, value } of mutations) {
    bytes += MUTATION_BYTES + keyBytes(key) + (value instanceof Uint8Array ? value.length : 0);
    if (bytes >= PIECE_BYTES) return true;
  }
  return bytes >= PIECE_BYTES;
}
