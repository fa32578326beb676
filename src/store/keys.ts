/**
 * The keys of a venue's log and of the rows that it is folded into; `sidecar_keys.ts` has those
 * beside it. All begin with the log's prefix, so that one KV can hold several venue logs.
 */

/** A key of Deno KV. */
export type Key = readonly (string | number)[];

/** One part, since each part of a key costs a commit about half a microsecond. */
const PREFIX = ["kvenue1"] as const;

/**
 * Tables that a start reads completely, to build the state. A fold writes their rows, each with the
 * sequence that it is true at, and so many records in a row as `row_codec.ts` says.
 */
export const STATE_TABLES = [
  /** Market, group: a row of the trading fees. Deleted with the fee. */
  "fees",
  /** Index: `Currency`. Never deleted. */
  "currencies",
  /** Level, group: `WithdrawLimit`. Deleted with the limit. */
  "withdraw_limits",
  /** Number of the row, by index: API keys. Never deleted. */
  "keys",
  /** Number of the row, by id: beneficiaries. Never deleted. */
  "beneficiaries",
  /** Number of the row, by index: members with their balances and counts. Never deleted. */
  "members",
  /** Index: `MarketRecord`. Never deleted. */
  "markets",
  /** Number of the row, by id: orders that rest or wait. Deleted as the last in it ends. */
  "open_orders",
  /** Lowest id of the row: deposits that can still change. Deleted as the last in it ends. */
  "open_deposits",
  /** Lowest id of the row: withdrawals that can still change. Deleted as the last in it ends. */
  "open_withdraws",
] as const;
export type StateTable = typeof STATE_TABLES[number];

/**
 * Tables that the log is folded into, in the order in which a fold writes them. Nothing but a
 * rebuild deletes rows of those before {@linkcode STATE_TABLES}.
 */
export const TABLES = [
  /** Member, lowest id in the block: its ended orders. */
  "member_orders",
  /** Member, lowest id in the block: its sides of trades. */
  "member_trades",
  /** Market, lowest id in the block: its trades. */
  "market_trades",
  /** Member, lowest id in the block: its ended deposits. */
  "member_deposits",
  /** Member, lowest id in the block: its ended withdrawals. */
  "member_withdraws",
  /** Member, lowest sequence in the block: what moved its funds, and what they were then. */
  "member_funds",
  /** Lowest id of the row: ended deposits of all members. */
  "ended_deposits",
  /** Lowest id of the row: ended withdrawals of all members. */
  "ended_withdraws",
  /** Currency, transaction, output: the id of the deposit with this name. */
  "deposit_names",
  /** Digest of an act's name: `NamedAct`. */
  "act_names",
  /** Member, number of the row by currency: its accumulators of profit and loss. */
  "pnl",
  /** Index of the base, of the quote: `PairPrices`. */
  "pnl_prices",
  /** 0: the currencies that profit and loss is kept in. */
  "pnl_currencies",
  /** Market, period in minutes, number of the row by time: candles. */
  "candles",
  ...STATE_TABLES,
] as const;
export type Table = typeof TABLES[number];

/**
 * Tables whose rows are blocks of a history; a key ends in the id of its block's first record, in 0
 * that of the first block.
 */
export const HISTORY_TABLES: ReadonlySet<Table> = new Set<Table>([
  "member_orders",
  "member_trades",
  "market_trades",
  "member_deposits",
  "member_withdraws",
  "member_funds",
]);

/** Tables whose rows are blocks of records: of a history, or each at a place given by its id. */
export const BLOCK_TABLES: ReadonlySet<Table> = new Set<Table>([
  ...HISTORY_TABLES,
  "ended_deposits",
  "ended_withdraws",
  "open_orders",
  "open_deposits",
  "open_withdraws",
]);

/**
 * Where the log ends: bytes of `Head`. Every commit checks and replaces it; never deleted.
 */
export function headKey(): Key {
  return [...PREFIX, "head"];
}

/**
 * That an epoch lasts: `EpochRecord`, which every write checks. Written as the epoch begins; deleted
 * by the restore that ends it, so there is only the present one's.
 */
export function epochKey(epoch: string): Key {
  return [...PREFIX, "epoch", epoch];
}

/** The head in the layout of the first versions, which no program reads or writes any more. */
export function firstLayoutHeadKey(): Key {
  return ["kvenue", 1, "head"];
}

/** What the keys of all entries begin with. */
export function logKey(): Key {
  return [...PREFIX, "log"];
}

/**
 * A part of the entry whose first event has this sequence: its bytes, cut where a value may not be
 * longer; parts count from 0. Written by the commit of the entry; never deleted.
 */
export function entryKey(first: number, part: number): Key {
  return [...logKey(), first, part];
}

/**
 * A copy of the last entry, or of one before it: its bytes, which watches on a shared store deliver.
 * Written by commits of processes that share their store; never deleted.
 */
export function lastEntryKey(): Key {
  return [...PREFIX, "last"];
}

/** How far the rows are: `Watermark`, sealed. Written by each step of a fold; deleted by a rebuild. */
export function watermarkKey(): Key {
  return [...PREFIX, "watermark"];
}

/**
 * A row of a table: its bytes, sealed; of a long one, the rest under this and the number of the part,
 * see `long_row.ts`. Written by a fold; a rebuild deletes and writes all. Without a place, what the
 * keys of all its rows begin with.
 */
export function rowKey(table: Table, ...place: readonly (string | number)[]): Key {
  return [...PREFIX, table, ...place];
}

/** A row beside the log; `sidecar_keys.ts` has the places. */
export function sidecarKey(place: Key): Key {
  return [...PREFIX, "side", ...place];
}

/** Bytes of a key (platform: the same). */
const KEY_BYTES_MAX = 2_048;
const encoder = new TextEncoder();

/** Whether the store can hold a row under a key; a name in a call may have any length. */
export function isStorable(key: Key): boolean {
  return keyBytes(key) <= KEY_BYTES_MAX;
}

/** Counts the bytes of a key as the platform does. */
export function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) {
    // One byte before the text, and one after it.
    bytes += typeof part === "number" ? 9 : textBytes(part) + 2;
  }
  return bytes;
}

/** Counts the bytes of a text in a key: a zero takes two. Encoding short words would be slower. */
function textBytes(text: string): number {
  let zeros = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encoder.encode(text).length + text.split("\0").length - 1;
    if (code === 0) zeros += 1;
  }
  return text.length + zeros;
}

/** The prefix of everything that belongs to this log. */
export function logPrefix(): Key {
  return [...PREFIX];
}

/** Returns the keys of an epoch that stand for one row each. */
export function singleKeys(epoch: string): readonly Key[] {
  return [headKey(), epochKey(epoch), lastEntryKey(), watermarkKey()];
}

/** Returns what all other keys of a venue begin with. */
export function keyFamilies(): readonly Key[] {
  const tables = TABLES.map((table) => rowKey(table));
  return [logKey(), sidecarKey([]), ...tables];
}
