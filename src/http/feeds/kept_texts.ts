/** Answers of feeds, each made once a second at most, however many ask. */

/** How long an answer is good for, in ms. */
const KEPT_MS = 1_000;
/** Characters that are kept, all answers together: strangers choose the queries. */
const CHARACTERS_MAX = 8 * 1024 * 1024;

/** The texts of one venue's feeds. */
export class KeptTexts {
  readonly #texts = new Map<string, string | Promise<string>>();
  readonly #charactersMax: number;
  #characters = 0;
  #since = -Infinity;

  /** @param charactersMax how many are kept, all answers together */
  constructor(charactersMax: number = CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  /** Number of characters kept. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Returns the text of a query, as it was within the last second.
   *
   * @param now the venue's time, in ms
   * @param make makes it; one that is being made is waited for
   */
  text(
    query: string,
    now: number,
    make: () => string | Promise<string>,
  ): string | Promise<string> {
    if (now - this.#since >= KEPT_MS || now < this.#since) this.#forget(now);
    const known = this.#texts.get(query);
    if (known !== undefined) return known;
    const made = make();
    if (typeof made === "string") {
      this.#keep(query, made);
      return made;
    }
    this.#texts.set(query, made);
    const isCurrent = () => this.#texts.get(query) === made;
    made.then(
      (text) => isCurrent() && this.#keep(query, text),
      () => isCurrent() && this.#texts.delete(query),
    );
    return made;
  }

  #keep(query: string, text: string): void {
    if (this.#characters + text.length > this.#charactersMax) this.#forget(this.#since);
    this.#texts.set(query, text);
    this.#characters += text.length;
  }

  #forget(now: number): void {
    this.#texts.clear();
    this.#characters = 0;
    this.#since = now;
  }
}
