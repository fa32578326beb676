/** A handle of the simulated KV, with those parts of `Deno.Kv` that `src/store` uses. */
import { sidecarKey } from "../../src/store/keys.ts";
import {
  assertCommit,
  assertReadKey,
  copyValue,
  type SimCheck,
  type SimEntry,
  type SimMutation,
} from "./sim_database.ts";
import { keyCode } from "./key_code.ts";
import type { SimLink } from "./sim_link.ts";
import { SimWatch } from "./sim_watch.ts";

/** Common prefix of all rows beside the log. */
const BESIDE = keyCode(sidecarKey([]) as Deno.KvKey);

const GET_MANY_KEYS_MAX = 10;
const LIST_BATCH = 100;
const LIST_BATCH_MAX = 1000;
/** Sorts after all keys with the same prefix. */
const PREFIX_END = "\xff";

/** The options of a list that are used. */
interface ListOptions {
  readonly limit?: number;
  readonly reverse?: boolean;
  readonly batchSize?: number;
}

/** Opens a handle, typed as a `Deno.Kv`, of which it implements only a part. */
export function openSimKv(link: SimLink): Deno.Kv {
  return new SimKv(link) as unknown as Deno.Kv;
}

/** One handle. */
export class SimKv {
  readonly #link: SimLink;
  readonly #watches = new Set<SimWatch>();
  #isClosed = false;

  constructor(link: SimLink) {
    this.#link = link;
  }

  // deno-lint-ignore require-await -- as with the real one, what is wrong is a rejection
  async get(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<unknown>> {
    this.assertOpen();
    assertReadKey(key);
    return this.#link.read(() => this.#link.net.database.get(key));
  }

  // deno-lint-ignore require-await -- as above
  async getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    this.assertOpen();
    if (keys.length > GET_MANY_KEYS_MAX) {
      throw new TypeError(`Too many ranges (max ${GET_MANY_KEYS_MAX})`);
    }
    for (const key of keys) assertReadKey(key);
    return this.#link.read(() => keys.map((key) => this.#link.net.database.get(key)));
  }

  list(selector: Deno.KvListSelector, options: ListOptions = {}): SimList {
    return new SimList(this, this.#link, selector, options);
  }

  atomic(): SimAtomic {
    return new SimAtomic(this, this.#link);
  }

  set(key: Deno.KvKey, value: unknown): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    return this.atomic().set(key, value).commit();
  }

  async delete(key: Deno.KvKey): Promise<void> {
    await this.atomic().delete(key).commit();
  }

  watch(keys: readonly Deno.KvKey[]): SimWatch {
    this.assertOpen();
    const watch = new SimWatch(this.#link, keys);
    this.#watches.add(watch);
    return watch;
  }

  close(): void {
    this.assertOpen();
    this.#isClosed = true;
    for (const watch of this.#watches) watch.end();
  }

  /** Asserts that the handle is open, as every call does first. */
  assertOpen(): void {
    if (this.#isClosed) throw new Deno.errors.BadResource("Bad resource ID");
  }
}

/** A commit under construction. */
export class SimAtomic {
  readonly #kv: SimKv;
  readonly #link: SimLink;
  readonly #checks: SimCheck[] = [];
  readonly #mutations: SimMutation[] = [];

  constructor(kv: SimKv, link: SimLink) {
    this.#kv = kv;
    this.#link = link;
  }

  check(...checks: SimCheck[]): this {
    this.#checks.push(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#mutations.push({ key, code: keyCode(key), value: copyValue(value) });
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#mutations.push({ key, code: keyCode(key), value: undefined });
    return this;
  }

  // deno-lint-ignore require-await -- as above
  async commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    this.#kv.assertOpen();
    assertCommit(this.#checks, this.#mutations);
    const apply = (): Deno.KvCommitResult | Deno.KvCommitError => {
      const versionstamp = this.#link.net.database.commit(this.#checks, this.#mutations);
      return versionstamp === null ? { ok: false } : { ok: true, versionstamp };
    };
    const isBeside = this.#mutations.every(({ code }) => code.startsWith(BESIDE));
    return this.#link.commit(apply, { ok: false }, isBeside);
  }
}

/** A list that reads in batches; later batches include what was written in between. */
class SimList implements AsyncIterableIterator<SimEntry> {
  readonly #kv: SimKv;
  readonly #link: SimLink;
  readonly #isReverse: boolean;
  readonly #batchSize: number;
  #start: string;
  #end: string;
  #left: number;
  #batch: readonly SimEntry[] = [];
  #next = 0;
  #isDone = false;

  constructor(
    kv: SimKv,
    link: SimLink,
    selector: Deno.KvListSelector,
    { limit = Infinity, reverse = false, batchSize = LIST_BATCH }: ListOptions,
  ) {
    if (limit <= 0) throw new Error(`Limit must be a positive integer: received ${limit}`);
    this.#kv = kv;
    this.#link = link;
    this.#isReverse = reverse;
    this.#batchSize = batchSize;
    this.#left = limit;
    [this.#start, this.#end] = rangeOf(selector);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<SimEntry>> {
    if (this.#next >= this.#batch.length) await this.#read();
    const value = this.#batch[this.#next];
    if (value === undefined) return { done: true, value: undefined };
    this.#next += 1;
    return { done: false, value };
  }

  async #read(): Promise<void> {
    const size = Math.min(this.#batchSize, this.#left);
    this.#batch = [];
    this.#next = 0;
    if (this.#isDone || size === 0) return;
    this.#kv.assertOpen();
    if (this.#start > this.#end) throw new TypeError("Start key is greater than end key");
    if (size > LIST_BATCH_MAX) throw new TypeError(`Too many entries (max ${LIST_BATCH_MAX})`);
    const { database } = this.#link.net;
    this.#batch = await this.#link.read(() =>
      database.range(this.#start, this.#end, size, this.#isReverse)
    );
    this.#left -= this.#batch.length;
    this.#isDone = this.#batch.length < size;
    const last = this.#batch[this.#batch.length - 1];
    if (last === undefined) return;
    if (this.#isReverse) this.#end = keyCode(last.key);
    else this.#start = `${keyCode(last.key)}\x00`;
  }
}

/** Returns the codes of a selector's range, from inclusive, to exclusive. */
function rangeOf(selector: Deno.KvListSelector): [string, string] {
  if (!("prefix" in selector)) return [keyCode(selector.start), keyCode(selector.end)];
  const prefix = keyCode(selector.prefix);
  const start = "start" in selector ? keyCode(selector.start) : `${prefix}\x00`;
  const end = "end" in selector ? keyCode(selector.end) : prefix + PREFIX_END;
  return [start, end];
}
