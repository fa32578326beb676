/** What a commit may hold: the platform refuses more, and over a network nobody would know why. */
import { assert } from "../domain/assert.ts";
import { keyBytes } from "./keys.ts";
import {
  COMMIT_BYTES_MAX,
  COMMIT_KEY_BYTES_MAX,
  COMMIT_MUTATIONS_MAX,
  VALUE_BYTES_MAX,
} from "./kv_limits.ts";
import type { Commit } from "./store.ts";

/**
 * Asserts that the platform takes a commit of this size.
 *
 * @throws {InvariantError} it holds too much
 */
export function assertFits({ check, mutations }: Commit): void {
  assert(mutations.length <= COMMIT_MUTATIONS_MAX, "a commit has room for its mutations");
  let keys = keyBytes(check.key);
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

/** What a value that is no plain one takes beside what it holds. */
const FRAME_BYTES = 24;
const NUMBER_BYTES = 9;

/** Bytes of a value; of a record, which is stored as V8 writes it, an upper bound. */
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

/** One byte for each character, or two for all where one of them needs two. */
function textBytes(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0xff) return 2 * text.length;
  }
  return text.length;
}
