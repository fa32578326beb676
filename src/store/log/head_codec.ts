/** The head, and its bytes, which cost a commit half of what a record does. */
import { assert } from "../../domain/assert.ts";
import { ByteReader } from "../byte_reader.ts";
import { ByteWriter } from "../byte_writer.ts";
import { BATCH_ID_BYTES, HASH_BYTES } from "./entry_codec.ts";
import { checkFormat, LOG_FORMAT } from "../stored_formats.ts";

/** The head: where the log ends. */
export interface Head {
  readonly format: number;
  /** Random id of this history: a store that was reset or restored has another. */
  readonly epoch: string;
  /** Sequence of the last event. */
  readonly sequence: number;
  /** Stamped time of the last entry, in ms. */
  readonly at: number;
  /** Chain hash of the last entry. */
  readonly hash: Uint8Array;
  /** Id of what last moved the head: a batch, or a barrier that only moves it. */
  readonly batchId: Uint8Array;
}

const WRITER = new ByteWriter(160);

/** Writes the head. */
export function writeHead(head: Head): Uint8Array<ArrayBuffer> {
  WRITER.reset();
  WRITER.byte(head.format);
  WRITER.text(head.epoch);
  WRITER.uint(head.sequence);
  WRITER.uint(head.at);
  WRITER.raw(head.hash);
  WRITER.raw(head.batchId);
  return WRITER.take();
}

/**
 * Reads what {@linkcode writeHead} wrote.
 *
 * @throws {NewerFormatError} if a newer program wrote it
 */
export function parseHead(bytes: Uint8Array): Head {
  const reader = new ByteReader(bytes);
  const format = reader.byte();
  checkFormat("The log", format, LOG_FORMAT);
  const head = {
    format,
    epoch: reader.text(),
    sequence: reader.uint(),
    at: reader.uint(),
    hash: reader.raw(HASH_BYTES).slice(),
    batchId: reader.raw(BATCH_ID_BYTES).slice(),
  };
  assert(reader.isAtEnd, "a head holds its fields and nothing else");
  return head;
}
