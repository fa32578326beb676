/** Depths as JSON text, made once per state of a book and second. */
import type { MarketBook } from "../domain/market_book.ts";
import { depthText } from "./market_wire.ts";
import type { Fraction } from "./wire.ts";

interface BookTexts {
  version: number;
  second: number;
  readonly texts: Map<number, string>;
}

/** The texts of all books; a book's are dropped when it changes and when the second ends. */
export class DepthTexts {
  readonly #books = new WeakMap<MarketBook, BookTexts>();

  /** The depth of a book with `limit` levels a side, at `second`. */
  text(book: MarketBook, limit: number, second: number, fraction: Fraction): string {
    const kept = this.#kept(book, second);
    const key = limit * 2 + fraction;
    let text = kept.texts.get(key);
    if (text === undefined) {
      text = depthText(book, limit, second, fraction);
      kept.texts.set(key, text);
    }
    return text;
  }

  #kept(book: MarketBook, second: number): BookTexts {
    let kept = this.#books.get(book);
    if (kept === undefined) {
      kept = { version: book.version, second, texts: new Map() };
      this.#books.set(book, kept);
    } else if (kept.version !== book.version || kept.second !== second) {
      kept.version = book.version;
      kept.second = second;
      kept.texts.clear();
    }
    return kept;
  }
}
