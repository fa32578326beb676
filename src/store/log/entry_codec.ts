/** Entries of the log as bytes, each chained to the one before it by a hash. */
import { createHash } from "node:crypto";
import { assert } from "../../domain/assert.ts";
import type { VenueEvent } from "../../domain/event.ts";
import { ByteReader } from "../byte_reader.ts";
import { ByteWriter } from "../byte_writer.ts";
import { isSameBytes } from "../byte_strings.ts";
import { readEvent } from "./event_codec.ts";
import { checkFormat, LOG_FORMAT } from "../stored_formats.ts";

/** Bytes of a chain hash. */
export const HASH_BYTES = 32;
/** Bytes of the id of a batch. */
export const BATCH_ID_BYTES = 16;
const HEADER_BYTES_MAX = 96;

/** The hash that the first entry is chained to. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

/** The events of one commit. */
export interface Entry {
  /** Sequence of its first event. */
  readonly first: number;
  /** Stamped time, in ms. */
  readonly at: number;
  /** Random id of the batch, which tells one's own entry from another's. */
  readonly batchId: Uint8Array;
  readonly events: readonly VenueEvent[];
  /** Chain hash up to and including this entry. */
  readonly hash: Uint8Array;
}

/** Returns the sequence of an entry's last event. */
export function endOf({ first, events }: Entry): number {
  return first + events.length - 1;
}

/** Builds the bytes of an entry around events that are already encoded. */
export function encodeEntry(
  header: { first: number; at: number; batchId: Uint8Array; count: number },
  events: Uint8Array,
  previousHash: Uint8Array,
): { bytes: Uint8Array<ArrayBuffer>; hash: Uint8Array } {
  const writer = new ByteWriter(events.length + HEADER_BYTES_MAX);
  writer.byte(LOG_FORMAT);
  writer.raw(GENESIS_HASH);
  writer.uint(header.first);
  writer.uint(header.at);
  writer.raw(header.batchId);
  writer.uint(header.count);
  writer.raw(events);
  const bytes = writer.take();
  const hash = chain(previousHash, bytes.subarray(1 + HASH_BYTES));
  bytes.set(hash, 1);
  return { bytes, hash };
}

/**
 * Reads an entry and verifies its place in the chain.
 *
 * @throws {NewerFormatError} if a newer program wrote it
 * @throws {InvariantError} if it is damaged, or does not follow `previousHash`
 */
export function decodeEntry(bytes: Uint8Array, previousHash: Uint8Array | null): Entry {
  const { format, reader } = openEntry(bytes);
  const hash = reader.raw(HASH_BYTES).slice();
  if (previousHash !== null) {
    const expected = chain(previousHash, bytes.subarray(1 + HASH_BYTES));
    assert(isSameBytes(hash, expected), "an entry's hash follows from the one before it");
  }
  const first = reader.uint();
  const at = reader.uint();
  const batchId = reader.raw(BATCH_ID_BYTES).slice();
  const events: VenueEvent[] = [];
  for (let count = reader.uint(); count > 0; count--) events.push(readEvent(reader, at, format));
  assert(reader.isAtEnd, "an entry holds its events and nothing else");
  return { first, at, batchId, events, hash };
}

/** Reads where an entry begins and when it was stamped; its first part is enough. */
export function decodeEntryHeader(bytes: Uint8Array): Pick<Entry, "first" | "at"> {
  const { reader } = openEntry(bytes);
  reader.raw(HASH_BYTES);
  return { first: reader.uint(), at: reader.uint() };
}

/** Reads the chain hash of an entry; its first part is enough. */
export function decodeEntryHash(bytes: Uint8Array): Uint8Array {
  return openEntry(bytes).reader.raw(HASH_BYTES).slice();
}

function openEntry(bytes: Uint8Array): { format: number; reader: ByteReader } {
  const reader = new ByteReader(bytes);
  const format = reader.byte();
  checkFormat("The log", format, LOG_FORMAT);
  return { format, reader };
}

function chain(previousHash: Uint8Array, body: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(previousHash).update(body).digest());
}
