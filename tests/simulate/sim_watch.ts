/** A watch on keys, which delivers the latest values, possibly late, twice, never, or outdated. */
import { keyCode } from "./key_code.ts";
import type { SimLink } from "./sim_link.ts";
import { SimFaultError } from "./sim_link.ts";

const WATCH_KEYS_MAX = 10;

type Values = Deno.KvEntryMaybe<unknown>[];
type Read = { readonly done: true } | { readonly done: false; readonly value: Values };

/** The stream of one watch, and its reader. */
export class SimWatch {
  readonly #link: SimLink;
  readonly #keys: readonly Deno.KvKey[];
  readonly #stopListening: () => void;
  #waiting: PromiseWithResolvers<Read> | null = null;
  #unread: Values | null = null;
  #before: Values;
  #isEnded = false;
  #failure: SimFaultError | null = null;

  constructor(link: SimLink, keys: readonly Deno.KvKey[]) {
    if (keys.length > WATCH_KEYS_MAX) throw new TypeError(`Too many keys (max ${WATCH_KEYS_MAX})`);
    this.#link = link;
    this.#keys = keys;
    const codes = new Set(keys.map(keyCode));
    this.#before = this.#values();
    this.#stopListening = link.net.database.onCommit((mutations) => {
      if (!link.owner.isAlive) this.end();
      else if (mutations.some(({ code }) => codes.has(code))) this.#changed();
    });
    this.#deliver(() => this.#values());
  }

  /** Returns the stream's only reader. */
  getReader(): this {
    return this;
  }

  /** Returns the next values. */
  read(): Promise<Read> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#unread !== null) {
      const value = this.#unread;
      this.#unread = null;
      return Promise.resolve({ done: false, value });
    }
    if (this.#isEnded) return Promise.resolve({ done: true });
    this.#waiting ??= Promise.withResolvers<Read>();
    return this.#waiting.promise;
  }

  cancel(): Promise<void> {
    this.end();
    return Promise.resolve();
  }

  /** Ends the stream. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stopListening();
    this.#waiting?.resolve({ done: true });
    this.#waiting = null;
  }

  #values(): Values {
    return this.#keys.map((key) => this.#link.net.database.get(key));
  }

  #changed(): void {
    const before = this.#before;
    this.#before = this.#values();
    switch (this.#link.net.faults.draw("watch")) {
      case "watch_dropped":
        return;
      case "watch_doubled":
        this.#deliver(() => this.#values());
        this.#deliver(() => this.#values());
        return;
      case "watch_stale":
        return this.#deliver(() => before);
      case "watch_null":
        return this.#deliver(() =>
          this.#keys.map((key) => ({ key, value: null, versionstamp: null }))
        );
      case "watch_ends":
        return this.#later("watch ends", () => this.end());
      case "watch_fails":
        return this.#later("watch fails", () => this.#fail());
      default:
        this.#deliver(() => this.#values());
    }
  }

  #deliver(values: () => Values): void {
    const { distanceMs, net, owner } = this.#link;
    this.#later("watch", () => {
      if (this.#isEnded) return;
      const value = values();
      if (distanceMs === 0) return this.#arrive(value);
      net.scheduler.after(distanceMs, owner, "watch arrives", () => this.#arrive(value));
    });
  }

  #arrive(value: Values): void {
    if (this.#isEnded) return;
    if (this.#waiting === null) this.#unread = value;
    else this.#waiting.resolve({ done: false, value });
    this.#waiting = null;
  }

  #fail(): void {
    if (this.#isEnded) return;
    this.#failure = new SimFaultError("The watch has failed");
    this.#waiting?.reject(this.#failure);
    this.#waiting = null;
    this.end();
  }

  #later(what: string, run: () => void): void {
    this.#link.net.scheduler.after(this.#link.hop(), this.#link.owner, what, run);
  }
}
