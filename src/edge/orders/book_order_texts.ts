/** A book's orders as JSON text, each serialized once until it trades. */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Order } from "../../domain/trading/order.ts";
import type { BookSide } from "../../domain/trading/order_book.ts";
import { LIST_LIMIT_MAX } from "../schemas/lists.ts";
import { bookOrderJson, type Fraction, isoSeconds, type WireSource } from "../wire/wire.ts";

/** Maximum number of texts kept for one book: twice its best orders of both sides in both forms. */
export const BOOK_TEXTS_MAX = 8 * LIST_LIMIT_MAX;
/** Maximum number of texts kept for all books together, at about half a kilobyte each. */
const BOOKS_TEXTS_MAX = 8 * BOOK_TEXTS_MAX;

/** How orders are shown: with how many digits, and whether as the oldest members of the family do. */
export interface BookOrderForm {
  readonly fraction: Fraction;
  readonly isPeatio: boolean;
}

interface OrderText {
  /** Identifies the order's state: only trades change a resting order, and they reduce this. */
  readonly remaining: number;
  readonly text: string;
}

/**
 * The texts of all books. They are kept by order, not by book or limit: a changed book costs only
 * its new orders, and so does a call with a new limit.
 */
export class BookOrderTexts {
  /** In order of last use, oldest first; there are as many as the venue has books. */
  readonly #books = new Map<MarketBook, Map<number, OrderText>>();
  readonly #textsMax: number;
  #count = 0;

  /** @param textsMax how many are kept for all books together */
  constructor(textsMax: number = BOOKS_TEXTS_MAX) {
    this.#textsMax = textsMax;
  }

  /** Returns the best orders of a side as a JSON list. */
  list(
    source: WireSource,
    book: MarketBook,
    side: BookSide,
    limit: number,
    form: BookOrderForm,
  ): string {
    const kept = this.#kept(book);
    const before = kept.size;
    const texts: string[] = [];
    for (const level of side.levels()) {
      if (texts.length === limit) break;
      for (let order = level.first; order !== null && texts.length < limit; order = order.next) {
        texts.push(textOf(source, kept, order, form));
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

  /** Drops the least recently read books. */
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
  { fraction, isPeatio }: BookOrderForm,
): string {
  const key = order.id * 4 + fraction * 2 + (isPeatio ? 1 : 0);
  const earlier = kept.get(key);
  if (earlier?.remaining === order.remaining) return earlier.text;
  const json = bookOrderJson(source, order, fraction);
  const created_at = isPeatio ? isoSeconds(order.createdAt) : json.created_at;
  const text = JSON.stringify({ ...json, created_at });
  // Orders still in the book are soon serialized again; those that have left it are dropped.
  if (kept.size >= BOOK_TEXTS_MAX) kept.clear();
  kept.set(key, { remaining: order.remaining, text });
  return text;
}
