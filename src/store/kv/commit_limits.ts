/** The size of a commit: the platform refuses a larger one, and over a network doesn't say why. */
import { assert } from "../../domain/assert.ts";
import { keyBytes } from "../keys.ts";
import {
  COMMIT_BYTES_MAX,
  COMMIT_CHECKS_MAX,
  COMMIT_KEY_BYTES_MAX,
  COMMIT_MUTATIONS_MAX,
  VALUE_BYTES_MAX,
} from "./kv_limits.ts";
import type { Commit } from "./commit.ts";

/**
 * Asserts that the platform takes a commit of this size.
 *
 * @throws {InvariantError} if it holds too much
 */
export function assertFits({ check, held = [], mutations }: Commit): void {
  assert(mutations.length <= COMMIT_MUTATIONS_MAX, "a commit has room for its mutations");
  assert(held.length < COMMIT_CHECKS_MAX, "a commit has room for its checks");
  let keys = keyBytes(check.key);
  for (const { key } of held) keys += keyBytes(key);
  let values = 0;
  for (const { key, value } of mutations) {
    const bytes = value === null ? 0 : valueBytes(value);
    assert(bytes <= VALUE_BYTES_MAX, "a value has room for its bytes");
    keys += keyBytes(key);
    values += bytes;
  }
  assert(keys <= COMMIT_KEY_BYTES_MAX, "a commit has room for its keys");
  assert(values + 2 * keys <= COMMIT_BYTES_MAX, "a commit has room for its bytes");
}

/** Bytes that V8's serialisation adds to a value, and those of a number. */
const FRAME_BYTES = 24;
const NUMBER_BYTES = 9;

/** Returns the bytes of a value; for a record, which V8 serialises, an upper bound. */
export function valueBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  return FRAME_BYTES + storedBytes(value);
}

function storedBytes(value: unknown): number {
  if (typeof value === "string") return FRAME_BYTES + textBytes(value);
  if (typeof value === "bigint") return FRAME_BYTES + value.toString(16).length;
  if (typeof value !== "object" || value === null) return NUMBER_BYTES;
  if (value instanceof Uint8Array) return FRAME_BYTES + value.length;
  let bytes = FRAME_BYTES;
  for (const [name, part] of Object.entries(value)) {
    bytes += NUMBER_BYTES + textBytes(name) + storedBytes(part);
  }
  return bytes;
}

/** Counts one byte per character, or two for all if one of them needs two. */
function textBytes(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0xff) return 2 * text.length;
  }
  return text.length;
}

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
