/** A list of keys that may begin on one handle and continue on another. */
import { isSameKey } from "../same_key.ts";

/** Where a list begins, and where it ends (exclusive). */
export interface KvRange {
  readonly start: Deno.KvKey;
  readonly end: Deno.KvKey;
}

/** What is left of a list. */
export class KvListing<T> {
  readonly #range: KvRange;
  readonly #options: Deno.KvListOptions;
  /** The handle it is read on. Reading begins with the first call, on the handle of that time. */
  #kv: Deno.Kv | null = null;
  #entries: Deno.KvListIterator<T> | null = null;
  #last: Deno.KvKey | null = null;
  #told = 0;

  constructor(range: KvRange, options: Deno.KvListOptions) {
    this.#range = range;
    this.#options = options;
  }

  /** Returns the next entry, or null after the last; `kv` is the current handle. */
  async next(kv: Deno.Kv): Promise<Deno.KvEntry<T> | null> {
    if (this.#told >= (this.#options.limit ?? Infinity)) return null;
    const entries = this.#entriesOn(kv);
    let next = await entries.next();
    // The start of a range is inclusive.
    if (!next.done && isSameKey(next.value.key, this.#last ?? [])) next = await entries.next();
    if (next.done) return null;
    this.#last = next.value.key;
    this.#told += 1;
    return next.value;
  }

  #entriesOn(kv: Deno.Kv): Deno.KvListIterator<T> {
    if (this.#entries === null || this.#kv !== kv) {
      this.#kv = kv;
      this.#entries = kv.list<T>(...this.#rest());
    }
    return this.#entries;
  }

  /** Returns what follows the last entry returned. */
  #rest(): [KvRange, Deno.KvListOptions] {
    if (this.#last === null) return [this.#range, this.#options];
    const { limit, reverse } = this.#options;
    const bound = reverse ? { end: this.#last } : { start: this.#last };
    const left = limit === undefined ? {} : { limit: limit - this.#told + 1 };
    return [{ ...this.#range, ...bound }, { ...this.#options, ...left }];
  }
}
