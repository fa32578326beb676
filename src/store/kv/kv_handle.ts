/** A handle of a KV that can be replaced. */

/** One handle, whichever it is at the time. */
export class KvHandle {
  /** Calls in progress. */
  calls = 0;
  readonly #open: () => Promise<Deno.Kv>;
  #kv: Deno.Kv;
  /** How often the server had been tried when it was opened. */
  #tries = 0;
  /** The handle being opened, and the number of tries at that time. */
  #next: { readonly tries: number; readonly done: Promise<void> } | null = null;
  #isClosed = false;
  /** How many calls each of its handles is in use by. */
  readonly #uses = new Map<Deno.Kv, number>();

  constructor(kv: Deno.Kv, open: () => Promise<Deno.Kv>) {
    this.#kv = kv;
    this.#open = open;
  }

  /** The current handle. */
  get kv(): Deno.Kv {
    return this.#kv;
  }

  /**
   * Makes a call. A handle that is replaced meanwhile stays open until its calls have been answered:
   * closing it would fail them, though what they ask for may still happen.
   */
  async use<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    const kv = this.#kv;
    this.#uses.set(kv, (this.#uses.get(kv) ?? 0) + 1);
    try {
      return await call(kv);
    } finally {
      const others = (this.#uses.get(kv) ?? 0) - 1;
      if (others > 0) this.#uses.set(kv, others);
      else this.#uses.delete(kv);
      if (others <= 0 && kv !== this.#kv && !this.#isClosed) kv.close();
    }
  }

  /** Whether it was opened before the last of `tries` tries of the server. */
  isOlderThan(tries: number): boolean {
    return this.#tries < tries;
  }

  /**
   * Replaces it. Concurrent callers share one replacement: otherwise all calls that waited for a
   * server would open a handle each when it is back.
   */
  renew(tries: number): Promise<void> {
    if (this.#next?.tries === tries) return this.#next.done;
    const next = { tries, done: this.#renew(tries).finally(() => this.#forget(next)) };
    this.#next = next;
    return next.done;
  }

  #forget(next: { readonly tries: number }): void {
    if (this.#next === next) this.#next = null;
  }

  async #renew(tries: number): Promise<void> {
    const kv = await this.#open();
    // It was closed meanwhile, or a later try was faster.
    if (this.#isClosed || tries < this.#tries) return kv.close();
    const old = this.#kv;
    this.#kv = kv;
    this.#tries = tries;
    if (!this.#uses.has(old)) old.close();
  }

  /** Closes it, those before it that are in use, and its replacement as soon as that is open. */
  close(): void {
    this.#isClosed = true;
    for (const kv of new Set([this.#kv, ...this.#uses.keys()])) kv.close();
  }
}
