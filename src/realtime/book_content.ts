/** What the stream of a book says: the whole book once, then single levels. */
import { crc32 } from "node:zlib";
import type { Market } from "../domain/market.ts";
import { formatInteger } from "../domain/money.ts";
import type { Side } from "../domain/order.ts";
import type { CheckedContent } from "./checked_content.ts";

/** Price in ticks and volume in lots. */
export type BookLevel = readonly [price: number, lots: number];

/** Levels of both sides, best first. */
export interface BookLevels {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
}

/** Levels of each side that the checksum covers. */
export const CHECKED_LEVELS = 10;

/** The book that increments start from. */
export class BookSnapshot implements CheckedContent {
  readonly key: string;

  constructor(
    readonly market: Market,
    readonly sequence: number,
    readonly levels: BookLevels,
  ) {
    this.key = `${market.id}.ob-snap`;
  }

  payload(): string {
    return `{${this.#body()}}`;
  }

  checkedPayload(): string {
    return `{${this.#body()},"checksum":${bookChecksum(this.market, this.levels)}}`;
  }

  #body(): string {
    return `${levelsText(this.market, this.levels)},"sequence":${this.sequence}`;
  }
}

/** A level that has changed; without lots it is gone. */
export class BookIncrement implements CheckedContent {
  constructor(
    readonly market: Market,
    readonly sequence: number,
    readonly side: Side,
    readonly level: BookLevel,
    /** The best levels with this change made; asked for only while the change is published. */
    readonly best: () => BookLevels,
  ) {}

  payload(): string {
    return `{${this.#body()}}`;
  }

  checkedPayload(): string {
    return `{${this.#body()},"checksum":${bookChecksum(this.market, this.best())}}`;
  }

  #body(): string {
    const name = this.side === "buy" ? "bids" : "asks";
    return `"${name}":${levelText(this.market, this.level)},"sequence":${this.sequence}`;
  }
}

/** Levels of both sides that have changed since the message before; without lots they are gone. */
export class BookChanges implements CheckedContent {
  constructor(
    readonly market: Market,
    readonly sequence: number,
    readonly changed: BookLevels,
    /** The best levels with these changes made; asked for only while they are published. */
    readonly best: () => BookLevels,
  ) {}

  payload(): string {
    return `{${this.#body()}}`;
  }

  checkedPayload(): string {
    return `{${this.#body()},"checksum":${bookChecksum(this.market, this.best())}}`;
  }

  #body(): string {
    return `${levelsText(this.market, this.changed)},"sequence":${this.sequence}`;
  }
}

/**
 * CRC32 of the ten best asks, then the ten best bids, each best first, every
 * level as `price:volume` in the decimals of the messages, joined with `:`.
 */
export function bookChecksum(market: Market, { asks, bids }: BookLevels): number {
  const best = [...asks.slice(0, CHECKED_LEVELS), ...bids.slice(0, CHECKED_LEVELS)];
  const texts = best.map(([price, lots]) =>
    `${formatInteger(price, market.pricePrecision)}:${formatInteger(lots, market.amountPrecision)}`
  );
  return crc32(texts.join(":"));
}

function levelsText(market: Market, levels: BookLevels): string {
  const [asks, bids] = [levels.asks, levels.bids].map((side) =>
    side.map((level) => levelText(market, level)).join(",")
  );
  return `"asks":[${asks}],"bids":[${bids}]`;
}

function levelText(market: Market, [price, lots]: BookLevel): string {
  return `["${formatInteger(price, market.pricePrecision)}",` +
    `"${formatInteger(lots, market.amountPrecision)}"]`;
}
