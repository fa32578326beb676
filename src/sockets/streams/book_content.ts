/** The messages of a book's stream: the whole book once, then changed levels. */
import type { Market } from "../../domain/trading/market.ts";
import type { Side } from "../../domain/trading/order.ts";
import {
  bookChecksum,
  type BookLevel,
  type BookLevels,
  levelTexts,
} from "../../edge/wire/book_checksum.ts";
import type { StreamContent } from "../stream_message.ts";

/** The common part of all messages about a book: the payload, with or without a checksum. */
export abstract class BookContent implements StreamContent {
  constructor(
    readonly market: Market,
    readonly sequence: number,
    /** Whether it is all that the reader has to be told by now, so that its book is whole. */
    readonly isLast: boolean,
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

  constructor(market: Market, sequence: number, isLast: boolean, readonly levels: BookLevels) {
    super(market, sequence, isLast, () => levels);
    this.key = `${market.id}.ob-snap`;
  }

  protected body(): string {
    return levelsText(this.market, this.levels);
  }
}

/** A level of one side; 0 lots remove it. */
export interface BookChange {
  readonly side: Side;
  readonly level: BookLevel;
}

/** A changed level; 0 lots remove it. */
export class BookIncrement extends BookContent {
  constructor(
    market: Market,
    sequence: number,
    isLast: boolean,
    readonly change: BookChange,
    best: () => BookLevels,
  ) {
    super(market, sequence, isLast, best);
  }

  protected body(): string {
    const { side, level } = this.change;
    const name = side === "buy" ? "bids" : "asks";
    return `"${name}":${levelText(this.market, level)}`;
  }
}

/** The levels of both sides that have changed since the last message; 0 lots remove one. */
export class BookChanges extends BookContent {
  constructor(
    market: Market,
    sequence: number,
    isLast: boolean,
    readonly changed: BookLevels,
    best: () => BookLevels,
  ) {
    super(market, sequence, isLast, best);
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
