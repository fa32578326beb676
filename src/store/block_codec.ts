/**
 * Blocks: rows that hold many records of one history, in the order of their
 * ids. Appending copies the bytes of the records that are there already.
 *
 * Layout: format (1), sequence (8), count (4), last id (8), records.
 */
import { assert } from "../domain/assert.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { NewerFormatError } from "./entry_codec.ts";
import type { RecordCodec } from "./order_codec.ts";

/** Version of the rows' format; up to 1 a candle's volume was within the safe integers. */
export const ROW_FORMAT = 2;
/** A block of this many bytes takes no more records at its end. */
export const BLOCK_BYTES_CLOSED = 4 * 1024;
/** A block grown beyond this by an older record is split. */
export const BLOCK_BYTES_MAX = 8 * 1024;

/** Bytes before the first record. */
export const BLOCK_HEADER_BYTES = 21;
const SCRATCH = new ByteWriter(BLOCK_BYTES_MAX * 2);

/** What a block says of itself. */
export interface BlockHeader {
  /** Sequence that the block is true at. */
  readonly sequence: number;
  readonly count: number;
  readonly lastId: number;
}

/** Reads the header alone. */
export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  if ((bytes[0] ?? 0) > ROW_FORMAT) {
    throw new NewerFormatError(`A row has format ${bytes[0]}, this program knows ${ROW_FORMAT}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    sequence: view.getFloat64(1, true),
    count: view.getUint32(9, true),
    lastId: view.getFloat64(13, true),
  };
}

/** Reads all records. */
export function readBlock<T>(bytes: Uint8Array, codec: RecordCodec<T>): T[] {
  const { count } = readBlockHeader(bytes);
  const reader = new ByteReader(bytes, BLOCK_HEADER_BYTES);
  const records: T[] = [];
  while (records.length < count) records.push(codec.read(reader));
  assert(reader.isAtEnd, "a block holds its records and nothing else");
  return records;
}

/** The block with more records, all of higher ids, at its end; `bytes` is null for a new block. */
export function appendToBlock<T>(
  bytes: Uint8Array | null,
  sequence: number,
  records: readonly T[],
  codec: RecordCodec<T>,
): Uint8Array<ArrayBuffer> {
  const old = bytes === null ? { count: 0, lastId: -1 } : readBlockHeader(bytes);
  SCRATCH.reset();
  let lastId = old.lastId;
  for (const record of records) {
    assert(codec.id(record) > lastId, "records of a block are in the order of their ids");
    lastId = codec.id(record);
    codec.write(SCRATCH, record);
  }
  const fresh = SCRATCH.view();
  const kept = bytes === null ? BLOCK_HEADER_BYTES : bytes.length;
  const block = new Uint8Array(kept + fresh.length);
  if (bytes !== null) block.set(bytes);
  block.set(fresh, kept);
  const view = new DataView(block.buffer);
  view.setUint8(0, ROW_FORMAT);
  view.setFloat64(1, sequence, true);
  view.setUint32(9, old.count + records.length, true);
  view.setFloat64(13, lastId, true);
  return block;
}
