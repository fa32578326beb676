/** Depths as JSON text, serialized once for each state of a book and second. */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import { depthText } from "./market_wire.ts";
import type { Fraction } from "./wire.ts";

/** Characters kept for all books together; each of a thousand limits has its own text. */
const DEPTH_CHARACTERS_MAX = 16 * 1024 * 1024;

interface BookTexts {
  version: number;
  characters: number;
  readonly texts: Map<number, string>;
}

/**
 * The texts of all books. Those of a book are dropped when it changes, and all of them when the
 * second ends, since a quiet market may not be read again.
 */
export class DepthTexts {
  readonly #books = new Map<MarketBook, BookTexts>();
  readonly #charactersMax: number;
  #second = 0;
  #characters = 0;

  /** @param charactersMax how many are kept for all books together */
  constructor(charactersMax: number = DEPTH_CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  /** Number of characters kept. */
  get characters(): number {
    return this.#characters;
  }

  /** Returns the depth of a book with `limit` levels a side, at `second`; see {@linkcode depthText}. */
  text(
    book: MarketBook,
    limit: number,
    second: number,
    fraction: Fraction,
    isChecked = false,
  ): string {
    if (this.#second !== second) {
      this.#second = second;
      this.#forget();
    }
    const key = limit * 4 + fraction * 2 + (isChecked ? 1 : 0);
    const known = this.#kept(book).texts.get(key);
    if (known !== undefined) return known;
    const text = depthText(book, limit, second, fraction, isChecked);
    if (this.#characters + text.length > this.#charactersMax) this.#forget();
    const kept = this.#kept(book);
    kept.texts.set(key, text);
    kept.characters += text.length;
    this.#characters += text.length;
    return text;
  }

  #kept(book: MarketBook): BookTexts {
    let kept = this.#books.get(book);
    if (kept === undefined) {
      kept = { version: book.version, characters: 0, texts: new Map() };
      this.#books.set(book, kept);
    } else if (kept.version !== book.version) {
      this.#characters -= kept.characters;
      kept.version = book.version;
      kept.characters = 0;
      kept.texts.clear();
    }
    return kept;
  }

  #forget(): void {
    this.#books.clear();
    this.#characters = 0;
  }
}
