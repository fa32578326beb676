/** A book's orders as JSON text, made once until they trade. */
import type { MarketBook } from "../domain/market_book.ts";
import type { Order } from "../domain/order.ts";
import type { BookSide } from "../domain/order_book.ts";
import { LIST_LIMIT_MAX } from "./schemas/lists.ts";
import { bookOrderJson, type Fraction, type WireSource } from "./wire.ts";

/** Texts kept for one book: twice what its best orders come to, of both sides in both forms. */
export const BOOK_TEXTS_MAX = 8 * LIST_LIMIT_MAX;
/** Texts kept of all books together, of half a kilobyte each. */
const BOOKS_TEXTS_MAX = 8 * BOOK_TEXTS_MAX;

interface OrderText {
  /** A resting order changes by nothing but trades, and they leave less of it. */
  readonly remaining: number;
  readonly text: string;
}

/**
 * The texts of all books. They are kept by order, not by book or limit: a book that orders come
 * and go in costs what is new of it, and so does a call whose limits nobody has asked for.
 */
export class BookOrderTexts {
  /** The book that was read last is the last; there are as many as the venue has. */
  readonly #books = new Map<MarketBook, Map<number, OrderText>>();
  readonly #textsMax: number;
  #count = 0;

  /** @param textsMax how many are kept of all books together */
  constructor(textsMax: number = BOOKS_TEXTS_MAX) {
    this.#textsMax = textsMax;
  }

  /** The list of a side's best orders. */
  list(
    source: WireSource,
    book: MarketBook,
    side: BookSide,
    limit: number,
    fraction: Fraction,
  ): string {
    const kept = this.#kept(book);
    const before = kept.size;
    const texts: string[] = [];
    for (const level of side.levels()) {
      if (texts.length === limit) break;
      for (let order = level.first; order !== null && texts.length < limit; order = order.next) {
        texts.push(textOf(source, kept, order, fraction));
      }
    }
    this.#count += kept.size - before;
    this.#trim(book);
    return `[${texts.join(",")}]`;
  }

  #kept(book: MarketBook): Map<number, OrderText> {
    const kept = this.#books.get(book) ?? new Map<number, OrderText>();
    this.#books.delete(book);
    this.#books.set(book, kept);
    return kept;
  }

  /** Lets go of the books that nobody has read for longest. */
  #trim(reading: MarketBook): void {
    for (const [book, { size }] of this.#books) {
      if (this.#count <= this.#textsMax || book === reading) return;
      this.#books.delete(book);
      this.#count -= size;
    }
  }
}

function textOf(
  source: WireSource,
  kept: Map<number, OrderText>,
  order: Order,
  fraction: Fraction,
): string {
  const key = order.id * 2 + fraction;
  const earlier = kept.get(key);
  if (earlier?.remaining === order.remaining) return earlier.text;
  const text = JSON.stringify(bookOrderJson(source, order, fraction));
  // What is still in the book is soon made again; what has left it goes.
  if (kept.size >= BOOK_TEXTS_MAX) kept.clear();
  kept.set(key, { remaining: order.remaining, text });
  return text;
}
