/** A market's order book as it is now, kept by the venue's stream and proved by its checksums. */
import { crc32 } from "./crc32.ts";
import { compareDecimals, isZero } from "./decimal_order.ts";
import type { Level, LevelsMessage } from "./stream_messages.ts";
import type { Listening, VenueStreams } from "./venue_streams.ts";

/** Levels of each side that a checksum covers. */
const CHECKED_LEVELS = 10;

/** Hears of a book. */
export interface BookListener {
  /** The book has changed, and is whole. */
  onChange?(book: Book): void;
  /** What was known is not the book: nothing is, until it has been told anew. */
  onLost?(): void;
  onError?(error: Error): void;
}

/** The nearest 300 levels of each side of a book, best first. */
export class Book {
  readonly market: string;
  readonly #streams: VenueStreams;
  readonly #name: `${string}.ob-levels`;
  readonly #listener: BookListener;
  readonly #listening: Listening;
  #asks: Level[] = [];
  #bids: Level[] = [];
  #sequence: number | null = null;

  constructor(streams: VenueStreams, market: string, listener: BookListener = {}) {
    this.market = market;
    this.#streams = streams;
    this.#listener = listener;
    this.#name = `${market}.ob-levels`;
    this.#listening = streams.listen(this.#name, {
      onMessage: (message, { isSnapshot }) => this.#take(message, isSnapshot),
      onGap: () => this.#lose(),
      // What it becomes meanwhile, nobody tells.
      onDown: () => this.#lose(),
      onError: (error) => this.#listener.onError?.(error),
    });
  }

  /** Whether the book is known. */
  get isKnown(): boolean {
    return this.#sequence !== null;
  }

  /**
   * Levels that are asked for, best first; empty while the book is not known. They change with the
   * book: whoever wants to keep them copies them.
   */
  get asks(): readonly Level[] {
    return this.#asks;
  }

  /** Levels that are bid, best first, in the same way. */
  get bids(): readonly Level[] {
    return this.#bids;
  }

  /** The sequence of the last message; null while the book is not known. */
  get sequence(): number | null {
    return this.#sequence;
  }

  /** Stops; the book stays as it was. */
  close(): void {
    this.#listening.close();
  }

  #take(message: LevelsMessage, isSnapshot: boolean): void {
    if (!isLevels(message.asks) || !isLevels(message.bids)) return this.#restart();
    if (isSnapshot) {
      // Both sides come from the highest price down.
      this.#asks = [...message.asks ?? []].sort(([one], [other]) => compareDecimals(one, other));
      this.#bids = [...message.bids ?? []].sort(([one], [other]) => compareDecimals(other, one));
    } else {
      // What came before a snapshot that was asked for anew tells nothing.
      if (this.#sequence === null) return;
      for (const level of message.asks ?? []) setLevel(this.#asks, level, 1);
      for (const level of message.bids ?? []) setLevel(this.#bids, level, -1);
    }
    this.#sequence = message.sequence;
    const { checksum } = message;
    if (checksum !== undefined && checksum !== this.#checksum()) this.#restart();
    else this.#listener.onChange?.(this);
  }

  #restart(): void {
    this.#lose();
    this.#streams.restart(this.#name);
  }

  #checksum(): number {
    const best = [...this.#asks.slice(0, CHECKED_LEVELS), ...this.#bids.slice(0, CHECKED_LEVELS)];
    return crc32(best.map((level) => level.join(":")).join(":"));
  }

  #lose(): void {
    if (this.#sequence === null) return;
    this.#sequence = null;
    this.#asks = [];
    this.#bids = [];
    this.#listener.onLost?.();
  }
}

/** Whether a side's part of a message can be the venue's; absent if nothing has changed. */
function isLevels(side: unknown): boolean {
  if (side === undefined) return true;
  const isLevel = (level: unknown) =>
    Array.isArray(level) && typeof level[0] === "string" && typeof level[1] === "string";
  return Array.isArray(side) && side.every(isLevel);
}

/** @param sign 1 where lower prices come first */
function setLevel(levels: Level[], level: Level, sign: 1 | -1): void {
  const [price, volume] = level;
  let [from, to] = [0, levels.length];
  while (from < to) {
    const middle = from + to >> 1;
    const known = levels[middle]?.[0] ?? "";
    if (sign * compareDecimals(known, price) < 0) from = middle + 1;
    else to = middle;
  }
  const isKnown = levels[from]?.[0] === price;
  if (isZero(volume)) {
    if (isKnown) levels.splice(from, 1);
  } else levels.splice(from, isKnown ? 1 : 0, level);
}
