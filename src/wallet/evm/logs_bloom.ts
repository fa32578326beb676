/** What a block's header tells of the logs in it, whatever a node's index of them knows. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";

const BLOOM_BITS = 2048;
/** How many bits an address or a topic sets, each by two bytes of its hash. */
const BITS_EACH = 3;

/**
 * Returns whether a block may have a log with all of these addresses and topics. It says yes too
 * often, and never no if there is one.
 *
 * @param bloom null where the node shows none, which tells nothing
 */
export function mayHaveLog(bloom: string | null, parts: readonly string[]): boolean {
  if (bloom === null) return false;
  const set = BigInt(bloom);
  return parts.every((part) => {
    const bits = bitsOf(part);
    return (set & bits) === bits;
  });
}

/** Returns the bits of an address or a topic. */
function bitsOf(part: string): bigint {
  const hash = keccak_256(hexToBytes(part.slice("0x".length)));
  const view = new DataView(hash.buffer, hash.byteOffset);
  let bits = 0n;
  for (let i = 0; i < BITS_EACH; i++) bits |= 1n << BigInt(view.getUint16(2 * i) % BLOOM_BITS);
  return bits;
}
