/**
 * A block's hash proves what is in it: it is of the header, and that holds the root of a tree over
 * the transactions. That miners have worked for the hash is left to the node, which checks it.
 */
import { hex } from "@scure/base";
import { sha256 } from "@noble/hashes/sha2.js";

/** What a block's header says, all hashes and numbers in hex as nodes write them. */
export interface BlockHeader {
  readonly version: string;
  /** Empty for the first block. */
  readonly parent: string;
  readonly merkleRoot: string;
  /** In s. */
  readonly time: number;
  readonly bits: string;
  readonly nonce: number;
}

const HASH_BYTES = 32;
const NUMBER_BYTES = 4;

/** Returns the hash of a block; those of Dogecoin's that others' miners made have no other one. */
export function blockHashOf(header: BlockHeader): string {
  const { version, parent, merkleRoot, time, bits, nonce } = header;
  const bytes = Uint8Array.of(
    ...reversed(version),
    ...(parent === "" ? new Uint8Array(HASH_BYTES) : reversed(parent)),
    ...reversed(merkleRoot),
    ...littleEndian(time),
    ...reversed(bits),
    ...littleEndian(nonce),
  );
  return written(twice(bytes));
}

/**
 * Returns the root of the tree over a block's transactions, of which there is one at least; empty if
 * one of them comes twice, which could be a block that is longer than the real one. No output to a
 * key fits into 64 bytes, which could also be a pair of the tree's.
 */
export function merkleRootOf(txids: readonly string[]): string {
  if (new Set(txids).size < txids.length) return "";
  let level = txids.map(reversed);
  const pair = new Uint8Array(2 * HASH_BYTES);
  while (level.length > 1) {
    const pairs: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] ?? new Uint8Array();
      pair.set(left);
      // The last one without another is its own.
      pair.set(level[i + 1] ?? left, HASH_BYTES);
      pairs.push(twice(pair));
    }
    level = pairs;
  }
  return level.map(written).join();
}

function twice(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

function reversed(text: string): Uint8Array {
  return hex.decode(text).reverse();
}

function written(hash: Uint8Array): string {
  return hex.encode(hash.toReversed());
}

function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
