/**
 * The handles of one KV. Of a local KV a handle is a thread: one writes, one
 * reads and watches. Of a KV server a handle is a connection, and two calls
 * that share one wait for an acknowledgement of each other's bytes, which the
 * other end holds back for 40 ms: there each call has a handle to itself, as
 * far as they go, and the log and the watch have one for ever.
 */

/** Handles for calls to a KV server that are neither the log's nor the watch. */
const SHARED_HANDLES = 16;

/** A handle and how many calls it has. */
export interface SharedHandle {
  readonly kv: Deno.Kv;
  calls: number;
}

/** Opens one more handle. */
export type OpenKv = () => Promise<Deno.Kv>;

/** Which handle serves what. */
export class KvHandles {
  readonly #openKv: OpenKv;
  readonly #isRemote: boolean;
  #writer: Deno.Kv;
  readonly #watcher: Deno.Kv;
  readonly #shared: readonly SharedHandle[];

  constructor(
    openKv: OpenKv,
    isRemote: boolean,
    writer: Deno.Kv,
    watcher: Deno.Kv,
    shared: readonly Deno.Kv[],
  ) {
    this.#openKv = openKv;
    this.#isRemote = isRemote;
    this.#writer = writer;
    this.#watcher = watcher;
    this.#shared = shared.map((kv) => ({ kv, calls: 0 }));
  }

  /** Opens a file, `:memory:`, a KV server's URL or, undefined, the attached database. */
  static async open(
    path: string | undefined,
    isRemote: boolean,
    openKv: OpenKv = () => Deno.openKv(path),
  ): Promise<KvHandles> {
    const writer = await openKv();
    // Every `:memory:` handle is a database of its own.
    const watcher = path === ":memory:" ? writer : await openKv();
    const shared = isRemote
      ? await Promise.all(Array.from({ length: SHARED_HANDLES }, openKv))
      : [watcher];
    return new KvHandles(openKv, isRemote, writer, watcher, shared);
  }

  /** Writes the log. */
  get writer(): Deno.Kv {
    return this.#writer;
  }

  /** Watches. */
  get watcher(): Deno.Kv {
    return this.#watcher;
  }

  /** The handle that has least to do; whoever has taken it lowers `calls` again. */
  take(): SharedHandle {
    const handle = this.#leastBusy();
    handle.calls += 1;
    return handle;
  }

  /** Reads. */
  async read<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    const handle = this.take();
    try {
      return await call(handle.kv);
    } finally {
      handle.calls -= 1;
    }
  }

  /** Writes beside the log. */
  async write<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    return this.#isRemote ? await this.read(call) : await call(this.#writer);
  }

  /** Another handle for the log: a call that hangs on the old one is left behind. */
  async reopenWriter(): Promise<void> {
    if (this.#writer === this.#watcher) return;
    const old = this.#writer;
    this.#writer = await this.#openKv();
    old.close();
  }

  /** Closes all. */
  close(): void {
    const shared = this.#shared.map(({ kv }) => kv);
    for (const kv of new Set([this.#writer, this.#watcher, ...shared])) kv.close();
  }

  #leastBusy(): SharedHandle {
    const [first, ...others] = this.#shared as [SharedHandle, ...SharedHandle[]];
    let least = first;
    for (const handle of others) if (handle.calls < least.calls) least = handle;
    return least;
  }
}
