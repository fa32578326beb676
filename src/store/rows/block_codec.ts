/**
 * Blocks: rows that hold many records of one history, in order of their ids. Appending copies the
 * bytes of the existing records.
 *
 * Layout: format (1), sequence (8), count (4), last id (8), records.
 */
import { assert } from "../../domain/assert.ts";
import { ByteReader } from "../byte_reader.ts";
import { ByteWriter } from "../byte_writer.ts";
import { checkFormat, ROW_FORMAT } from "../stored_formats.ts";

/** A block of this many bytes takes no more records at its end. */
export const BLOCK_BYTES_CLOSED = 4 * 1024;
/** A block is split if an older record makes it grow beyond this. */
export const BLOCK_BYTES_MAX = 8 * 1024;

/** Bytes before the first record. */
export const BLOCK_HEADER_BYTES = 21;
const SCRATCH = new ByteWriter(BLOCK_BYTES_MAX * 2);

/** How one kind of record is written, read and identified. */
export interface RecordCodec<T> {
  write(writer: ByteWriter, record: T): void;
  read(reader: ByteReader): T;
  /** Reads the id of the next record and passes over the rest, where that is faster than `read`. */
  pass?(reader: ByteReader): number;
  id(record: T): number;
}

/** The header of a block. */
export interface BlockHeader {
  /** Sequence that the block reflects. */
  readonly sequence: number;
  readonly count: number;
  readonly lastId: number;
}

/** Reads only the header. */
export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  checkFormat("A row", bytes[0] ?? 0, ROW_FORMAT);
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

/** A block and the id of its first record. */
export interface FirstBlock {
  readonly first: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Writes records, in order of their ids, to as many blocks as they need: one if they fit, else each
 * is closed as soon as it may be.
 */
export function writeBlocks<T>(
  sequence: number,
  records: readonly T[],
  codec: RecordCodec<T>,
): FirstBlock[] {
  const ends = writeRecords(records, codec, -1);
  const bytes = SCRATCH.view();
  const isOne = BLOCK_HEADER_BYTES + bytes.length <= BLOCK_BYTES_MAX;
  const blocks: FirstBlock[] = [];
  let [from, start] = [0, 0];
  for (const [i, end] of ends.entries()) {
    const isClosed = !isOne && BLOCK_HEADER_BYTES + end - start >= BLOCK_BYTES_CLOSED;
    if (!isClosed && i < records.length - 1) continue;
    const header = { sequence, count: i + 1 - from, lastId: codec.id(records[i] as T) };
    const block = blockOf(header, null, bytes.subarray(start, end));
    blocks.push({ first: codec.id(records[from] as T), bytes: block });
    [from, start] = [i + 1, end];
  }
  return blocks;
}

/** Appends records, all of higher ids, to a block; `bytes` is null for a new block. */
export function appendToBlock<T>(
  bytes: Uint8Array | null,
  sequence: number,
  records: readonly T[],
  codec: RecordCodec<T>,
): Uint8Array<ArrayBuffer> {
  const old = bytes === null ? { count: 0, lastId: -1 } : readBlockHeader(bytes);
  writeRecords(records, codec, old.lastId);
  const last = records[records.length - 1];
  const lastId = last === undefined ? old.lastId : codec.id(last);
  const count = old.count + records.length;
  return blockOf({ sequence, count, lastId }, bytes, SCRATCH.view());
}

/**
 * Inserts records, in order of their ids, among those of a block; of two with the same id, the new
 * one stays. What the block has is copied as it is.
 */
export function insertIntoBlock<T>(
  bytes: Uint8Array,
  sequence: number,
  records: readonly T[],
  codec: RecordCodec<T>,
): Uint8Array<ArrayBuffer> {
  const old = readBlockHeader(bytes);
  const reader = new ByteReader(bytes, BLOCK_HEADER_BYTES);
  let { count, lastId } = old;
  let left = old.count;
  // The next of the old records, where it begins, and where what is not copied yet begins.
  let [id, start, uncopied] = [-1, BLOCK_HEADER_BYTES, BLOCK_HEADER_BYTES];
  const step = () => {
    start = reader.position;
    id = left === 0 ? Infinity : codec.pass?.(reader) ?? codec.id(codec.read(reader));
    left -= 1;
  };
  SCRATCH.reset();
  step();
  for (const record of records) {
    while (id < codec.id(record)) step();
    SCRATCH.raw(bytes.subarray(uncopied, start));
    uncopied = start;
    codec.write(SCRATCH, record);
    count += 1;
    if (id === codec.id(record)) {
      uncopied = reader.position;
      count -= 1;
      step();
    }
    lastId = Math.max(lastId, codec.id(record));
  }
  SCRATCH.raw(bytes.subarray(uncopied));
  return blockOf({ sequence, count, lastId }, null, SCRATCH.view());
}

/** Writes records, all of ids above `lastId`, to the scratch buffer; returns where each ends. */
function writeRecords<T>(
  records: readonly T[],
  codec: RecordCodec<T>,
  lastId: number,
): number[] {
  SCRATCH.reset();
  let last = lastId;
  return records.map((record) => {
    assert(codec.id(record) > last, "records of a block are in the order of their ids");
    last = codec.id(record);
    codec.write(SCRATCH, record);
    return SCRATCH.length;
  });
}

/** Builds a block from the records of an old one, if there is one, and more after them. */
function blockOf(
  { sequence, count, lastId }: BlockHeader,
  old: Uint8Array | null,
  fresh: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const kept = old === null ? BLOCK_HEADER_BYTES : old.length;
  const block = new Uint8Array(kept + fresh.length);
  if (old !== null) block.set(old);
  block.set(fresh, kept);
  const view = new DataView(block.buffer);
  view.setUint8(0, ROW_FORMAT);
  view.setFloat64(1, sequence, true);
  view.setUint32(9, count, true);
  view.setFloat64(13, lastId, true);
  return block;
}
