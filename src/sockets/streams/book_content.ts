/** The messages of a book's stream: the whole book once, then changed levels. */
import { crc32 } from "node:zlib";
import type { Market } from "../../domain/trading/market.ts";
import { formatInteger } from "../../domain/money/money.ts";
import type { Side } from "../../domain/trading/order.ts";
import type { StreamContent } from "../stream_message.ts";

/** Price in ticks and volume in lots. */
export type BookLevel = readonly [price: number, lots: number];

/** Levels of both sides, best first. */
export interface BookLevels {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
}

/** Levels per side that the checksum covers. */
export const CHECKED_LEVELS = 10;

/** The common part of all messages about a book: the payload, with or without a checksum. */
export abstract class BookContent implements StreamContent {
  constructor(
    readonly market: Market,
    readonly sequence: number,
    /** Returns the best levels after this message; called only while it is published. */
    readonly best: () => BookLevels,
  ) {}

  payload(): string {
    return `{${this.body()},"sequence":${this.sequence}}`;
  }

  /** Returns the payload with a checksum of the book that the reader has built. */
  checkedPayload(): string {
    const checksum = bookChecksum(this.market, this.best());
    return `{${this.body()},"sequence":${this.sequence},"checksum":${checksum}}`;
  }

  protected abstract body(): string;
}

/** The book that increments start from. */
export class BookSnapshot extends BookContent {
  readonly key: string;

  constructor(market: Market, sequence: number, readonly levels: BookLevels) {
    super(market, sequence, () => levels);
    this.key = `${market.id}.ob-snap`;
  }

  protected body(): string {
    return levelsText(this.market, this.levels);
  }
}

/** A changed level; 0 lots remove it. */
export class BookIncrement extends BookContent {
  constructor(
    market: Market,
    sequence: number,
    readonly side: Side,
    readonly level: BookLevel,
    best: () => BookLevels,
  ) {
    super(market, sequence, best);
  }

  protected body(): string {
    const name = this.side === "buy" ? "bids" : "asks";
    return `"${name}":${levelText(this.market, this.level)}`;
  }
}

/** The levels of both sides that have changed since the last message; 0 lots remove one. */
export class BookChanges extends BookContent {
  constructor(
    market: Market,
    sequence: number,
    readonly changed: BookLevels,
    best: () => BookLevels,
  ) {
    super(market, sequence, best);
  }

  protected body(): string {
    return levelsText(this.market, this.changed);
  }
}

/** The best level of each side; null if there is none. */
export interface BestLevels {
  readonly bid: BookLevel | null;
  readonly ask: BookLevel | null;
}

/** The best bid and the best ask. */
export class BestPrices implements StreamContent {
  constructor(readonly market: Market, readonly best: BestLevels) {}

  payload(): string {
    const { bid, ask } = this.best;
    return `{"bid":${this.#text(bid)},"ask":${this.#text(ask)}}`;
  }

  #text(level: BookLevel | null): string {
    return level === null ? "null" : levelText(this.market, level);
  }
}

/**
 * Returns the CRC32 of the ten best asks and then the ten best bids, each best first, every level
 * as `price:volume` in the decimals of the messages, joined with `:`.
 */
function bookChecksum(market: Market, { asks, bids }: BookLevels): number {
  const best = [...asks.slice(0, CHECKED_LEVELS), ...bids.slice(0, CHECKED_LEVELS)];
  const texts = best.map((level) => levelTexts(market, level).join(":"));
  return crc32(texts.join(":"));
}

function levelsText(market: Market, levels: BookLevels): string {
  const [asks, bids] = [levels.asks, levels.bids].map((side) =>
    side.map((level) => levelText(market, level)).join(",")
  );
  return `"asks":[${asks}],"bids":[${bids}]`;
}

function levelText(market: Market, level: BookLevel): string {
  const [price, volume] = levelTexts(market, level);
  return `["${price}","${volume}"]`;
}

/** Returns price and volume as depths have them; volume `0` removes the level. */
function levelTexts(market: Market, [price, lots]: BookLevel): [price: string, volume: string] {
  return [
    formatInteger(price, market.pricePrecision, 1),
    lots === 0 ? "0" : formatInteger(lots, market.amountPrecision, 1),
  ];
}
