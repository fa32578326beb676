/** A handle of a KV that another may be put in the place of. */

/** One handle, whichever it is at the time. */
export class KvHandle {
  /** Calls that it has. */
  calls = 0;
  readonly #open: () => Promise<Deno.Kv>;
  #kv: Deno.Kv;
  /** How often the server had been tried when it was opened. */
  #tries = 0;
  /** The handle that is being opened, and the tries of that time. */
  #next: { readonly tries: number; readonly done: Promise<void> } | null = null;
  #isClosed = false;

  constructor(kv: Deno.Kv, open: () => Promise<Deno.Kv>) {
    this.#kv = kv;
    this.#open = open;
  }

  /** The handle of now. */
  get kv(): Deno.Kv {
    return this.#kv;
  }

  /** Whether it was opened before the last of so many tries of the server. */
  isOlderThan(tries: number): boolean {
    return this.#tries < tries;
  }

  /**
   * Puts another in its place. Whoever asks for that at once waits for the same: else all the calls
   * that have waited for a server would open a handle each when it is back.
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
    // Closed meanwhile, or a later try has opened one sooner.
    if (this.#isClosed || tries < this.#tries) return kv.close();
    const old = this.#kv;
    this.#kv = kv;
    this.#tries = tries;
    old.close();
  }

  /** Closes it, and what is being opened in its place as soon as that is there. */
  close(): void {
    this.#isClosed = true;
    this.#kv.close();
  }
}
