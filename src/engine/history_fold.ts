/** Folds finished records into the blocks of a history, each at its id's place, each written once. */
import {
  appendToBlock,
  BLOCK_BYTES_CLOSED,
  BLOCK_BYTES_MAX,
  readBlock,
  readBlockHeader,
} from "../store/block_codec.ts";
import type { Table } from "../store/keys.ts";
import type { RecordCodec } from "../store/order_codec.ts";
import { type Block, LAST_ID, type Place, type RowChange, type RowSource } from "./row_source.ts";

/** Histories whose blocks are read at once: each read waits for a turn, or for a network. */
const OWNERS_AT_ONCE = 8;
/** Histories folded before the event loop gets its turn. */
const OWNERS_PER_SLICE = 4;

/** Which history, and what its records are. */
export interface History<T> {
  readonly table: Table;
  readonly place: Place;
  readonly codec: RecordCodec<T>;
}

/**
 * The changed blocks of the histories of a table, each of which takes in the
 * records of its owner; `sequence` is the end of the window.
 */
export async function foldHistories<T>(
  rows: RowSource,
  { table, codec }: { readonly table: Table; readonly codec: RecordCodec<T> },
  records: ReadonlyMap<number, readonly T[]>,
  sequence: number,
  pause: () => Promise<void>,
): Promise<RowChange[]> {
  const changes: RowChange[] = [];
  const histories = [...records].map(([owner, items]) => ({
    history: { table, place: [owner], codec },
    items,
  }));
  let handled = 0;
  for (let i = 0; i < histories.length; i += OWNERS_AT_ONCE) {
    const some = histories.slice(i, i + OWNERS_AT_ONCE).map(async ({ history, items }) => ({
      history,
      groups: await groupByBlock(rows, history, items),
    }));
    for (const { history, groups } of await Promise.all(some)) {
      changes.push(...mergeGroups(history, groups, sequence));
      handled += 1;
      if (handled % OWNERS_PER_SLICE === 0) await pause();
    }
  }
  return changes;
}

interface Group<T> {
  readonly block: Block | null;
  readonly group: T[];
}

/** Records in the order of their ids, with those of one block together: a block is merged once. */
async function groupByBlock<T>(
  rows: RowSource,
  { table, place, codec }: History<T>,
  records: readonly T[],
): Promise<Group<T>[]> {
  const sorted = [...records].sort((a, b) => codec.id(a) - codec.id(b));
  const tail = await rows.covering(table, place, LAST_ID);
  const groups: Group<T>[] = [];
  let last: Group<T> | undefined;
  for (const record of sorted) {
    const id = codec.id(record);
    const isTail = tail === null || id >= tail.id;
    const isSame = last?.block && id <= readBlockHeader(last.block.bytes).lastId;
    const block = isTail
      ? tail
      : isSame
      ? last?.block ?? null
      : await rows.covering(table, place, id);
    if (last === undefined || last.block?.id !== block?.id) {
      last = { block, group: [] };
      groups.push(last);
    }
    last.group.push(record);
  }
  return groups;
}

function mergeGroups<T>(
  history: History<T>,
  groups: readonly Group<T>[],
  sequence: number,
): RowChange[] {
  return groups.flatMap(({ block, group }) => mergeIntoBlock(history, block, group, sequence));
}

function mergeIntoBlock<T>(
  history: History<T>,
  block: Block | null,
  records: readonly T[],
  sequence: number,
): RowChange[] {
  const { codec } = history;
  if (block === null) return cut(history, 0, records, sequence, 0);
  const { lastId } = readBlockHeader(block.bytes);
  const isAppend = codec.id(records[0] as T) > lastId;
  if (isAppend && block.bytes.length >= BLOCK_BYTES_CLOSED) {
    return cut(history, codec.id(records[0] as T), records, sequence, lastId);
  }
  if (isAppend) {
    const bytes = appendToBlock(block.bytes, sequence, records, codec);
    if (bytes.length <= BLOCK_BYTES_MAX) return [change(history, block.id, bytes)];
  }
  const merged = new Map(readBlock(block.bytes, codec).map((record) => [codec.id(record), record]));
  // A window that is folded again meets its own records: an ended order never changes.
  for (const record of records) merged.set(codec.id(record), record);
  const all = [...merged.values()].sort((a, b) => codec.id(a) - codec.id(b));
  return cut(history, block.id, all, sequence, lastId);
}

/**
 * Writes records into as many blocks as they need; the first keeps the key `id`.
 * Blocks with records up to `lastId` are written together: they were one, and
 * half of a split would lose records to a reader.
 */
function cut<T>(
  history: History<T>,
  id: number,
  records: readonly T[],
  sequence: number,
  lastId: number,
): RowChange[] {
  const whole = appendToBlock(null, sequence, records, history.codec);
  if (whole.length <= BLOCK_BYTES_MAX) return [change(history, id, whole)];
  const pieces = Math.ceil(whole.length / BLOCK_BYTES_CLOSED);
  const size = Math.ceil(records.length / pieces);
  const changes: RowChange[] = [];
  for (let i = 0; i < records.length; i += size) {
    const piece = records.slice(i, i + size);
    const first = i === 0 ? id : history.codec.id(piece[0] as T);
    const block = change(history, first, appendToBlock(null, sequence, piece, history.codec));
    changes.push(i > 0 && first <= lastId ? { ...block, isJoined: true } : block);
  }
  return changes;
}

function change<T>(
  history: History<T>,
  id: number,
  bytes: Uint8Array<ArrayBuffer>,
): RowChange {
  return { table: history.table, place: [...history.place, id], bytes };
}
