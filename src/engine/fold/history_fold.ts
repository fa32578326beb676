/** Folds ended records into blocks of a history, each at its id's place and written once. */
import {
  appendToBlock,
  BLOCK_BYTES_CLOSED,
  BLOCK_BYTES_MAX,
  type FirstBlock,
  insertIntoBlock,
  readBlock,
  readBlockHeader,
  type RecordCodec,
  writeBlocks,
} from "../../store/rows/block_codec.ts";
import type { Table } from "../../store/keys.ts";
import { type Block, LAST_ID, type Place, type RowChange, type RowSource } from "./row_source.ts";

/** Histories whose blocks are read at once: each read waits for a turn or for a network. */
const OWNERS_AT_ONCE = 8;
/** The most blocks written together with what is left of the one they were split from. */
const JOINED_BLOCKS_MAX = 16;

/** A history, and the codec of its records. */
export interface History<T> {
  readonly table: Table;
  readonly place: Place;
  readonly codec: RecordCodec<T>;
}

/**
 * Returns the changed blocks of the histories of a table.
 *
 * @param records ended records by owner, added to the owner's history
 * @param sequence the end of the window
 */
export async function foldHistories<T>(
  rows: RowSource,
  { table, codec }: { readonly table: Table; readonly codec: RecordCodec<T> },
  records: ReadonlyMap<number, readonly T[]>,
  sequence: number,
  pause: () => Promise<void>,
): Promise<RowChange[]> {
  const changes: RowChange[] = [];
  const owners = [...records];
  for (let i = 0; i < owners.length; i += OWNERS_AT_ONCE) {
    const some = owners.slice(i, i + OWNERS_AT_ONCE).map(async ([owner, items]) => {
      const history = { table, place: [owner], codec };
      return { history, groups: await groupByBlock(rows, history, items) };
    });
    for (const { history, groups } of await Promise.all(some)) {
      for (const { block, group } of groups) {
        changes.push(...mergeIntoBlock(history, block, group, sequence));
      }
      // A market has thousands of records in a window.
      await pause();
    }
  }
  return changes;
}

interface Group<T> {
  readonly block: Block | null;
  readonly group: T[];
}

/** Groups records by block, sorted by id, so that each block is merged only once. */
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

function mergeIntoBlock<T>(
  history: History<T>,
  block: Block | null,
  records: readonly T[],
  sequence: number,
): RowChange[] {
  const { codec } = history;
  if (block === null) return cut(history, 0, records, sequence, []);
  const { lastId } = readBlockHeader(block.bytes);
  const isAppend = codec.id(records[0] as T) > lastId;
  if (isAppend && block.bytes.length >= BLOCK_BYTES_CLOSED) {
    return cut(history, codec.id(records[0] as T), records, sequence, []);
  }
  // A window that is folded again meets its own records: an ended order never changes.
  const bytes = isAppend
    ? appendToBlock(block.bytes, sequence, records, codec)
    : insertIntoBlock(block.bytes, sequence, records, codec);
  if (bytes.length <= BLOCK_BYTES_MAX) return [change(history, block.id, bytes)];
  const old = readBlock(block.bytes, codec);
  const merged = new Map(old.map((record) => [codec.id(record), record]));
  for (const record of records) merged.set(codec.id(record), record);
  const all = [...merged.values()].sort((a, b) => codec.id(a) - codec.id(b));
  return cut(history, block.id, all, sequence, old);
}

/**
 * Writes records into as many blocks as they need; the first keeps the key `id`. A block that takes
 * over records of the old one is written together with what is left of it, because readers would
 * miss records in half a split. If there are many, the old block is emptied from its end, some
 * blocks at a time.
 *
 * @param old records of the block that had this key, all of them among `records`
 */
function cut<T>(
  history: History<T>,
  id: number,
  records: readonly T[],
  sequence: number,
  old: readonly T[],
): RowChange[] {
  const { codec } = history;
  const [head, ...others] = writeBlocks(sequence, records, codec);
  if (head === undefined) return [];
  const last = old[old.length - 1];
  const lastId = last === undefined ? -1 : codec.id(last);
  const amid = others.filter(({ first }) => first <= lastId);
  const behind = others.slice(amid.length);
  const changes: RowChange[] = [];
  let left = old;
  while (left.length > 0 && amid.length >= JOINED_BLOCKS_MAX) {
    const some = amid.splice(1 - JOINED_BLOCKS_MAX);
    left = left.filter((record) => codec.id(record) < (some[0]?.first ?? 0));
    const rest = left.length === 0 ? head.bytes : appendToBlock(null, sequence, left, codec);
    changes.push(change(history, id, rest), ...some.map((one) => joined(history, one)));
  }
  changes.push(change(history, id, head.bytes));
  for (const one of amid) {
    changes.push(left.length > 0 ? joined(history, one) : change(history, one.first, one.bytes));
  }
  for (const one of behind) changes.push(change(history, one.first, one.bytes));
  return changes;
}

function joined<T>(history: History<T>, { first, bytes }: FirstBlock): RowChange {
  return { ...change(history, first, bytes), isJoined: true };
}

function change<T>(
  history: History<T>,
  id: number,
  bytes: Uint8Array<ArrayBuffer>,
): RowChange {
  return { table: history.table, place: [...history.place, id], bytes };
}
