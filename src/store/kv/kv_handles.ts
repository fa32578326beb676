/**
 * The handles of one KV. A handle of a local KV is a thread: one writes, one reads and watches. A
 * handle of a KV server is a connection, and two calls that share one wait for acknowledgements of
 * each other's bytes, which the other end delays by 40 ms. There each call has its own handle while
 * there are enough, and the log and the watch have one each. A handle whose connection has died
 * silently never answers again, so one that has lost a call is replaced.
 */
import { allOpenedInTime, answeredInTime, openedInTime } from "./in_time.ts";
import { KvHandle } from "./kv_handle.ts";
import { LostCalls, NotSentError } from "./lost_calls.ts";

/** Handles for calls to a KV server other than the log's and the watch. */
const SHARED_HANDLES = 16;

/** Opens one more handle. */
export type OpenKv = () => Promise<Deno.Kv>;

/** Chooses the handle of each call. */
export class KvHandles {
  readonly #isRemote: boolean;
  readonly #writer: KvHandle;
  readonly #watcher: KvHandle;
  readonly #shared: readonly KvHandle[];
  /** Calls that were given up on. */
  readonly lost = new LostCalls();

  constructor(
    openKv: OpenKv,
    isRemote: boolean,
    writer: Deno.Kv,
    watcher: Deno.Kv,
    shared: readonly Deno.Kv[],
  ) {
    this.#isRemote = isRemote;
    const opened = () => openedInTime(openKv, () => this.lost.lose()).catch(throwNotSent);
    const handleOf = (kv: Deno.Kv) => new KvHandle(kv, opened);
    this.#writer = handleOf(writer);
    this.#watcher = watcher === writer ? this.#writer : handleOf(watcher);
    this.#shared = shared.map((kv) => kv === watcher ? this.#watcher : handleOf(kv));
  }

  /** Opens a file, `:memory:`, a KV server's URL or, if undefined, the attached database. */
  static async open(
    path: string | undefined,
    isRemote: boolean,
    openKv: OpenKv = () => Deno.openKv(path),
  ): Promise<KvHandles> {
    if (isRemote) {
      const all = await allOpenedInTime(openKv, 2 + SHARED_HANDLES);
      const [writer, watcher, ...shared] = all as [Deno.Kv, Deno.Kv, ...Deno.Kv[]];
      return new KvHandles(openKv, isRemote, writer, watcher, shared);
    }
    const writer = await openKv();
    // Every `:memory:` handle has a database of its own.
    const watcher = path === ":memory:" ? writer : await openKv().catch((error) => {
      writer.close();
      throw error;
    });
    return new KvHandles(openKv, isRemote, writer, watcher, [watcher]);
  }

  /** The handle that writes the log. */
  get writer(): Deno.Kv {
    return this.#writer.kv;
  }

  /** The handle that watches. */
  get watcher(): Deno.Kv {
    return this.#watcher.kv;
  }

  /** Takes the handle with the fewest calls; the caller has to lower `calls` afterwards. */
  take(): KvHandle {
    const handle = this.#leastBusy();
    handle.calls += 1;
    return handle;
  }

  /** Makes a call that reads. */
  async read<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    const handle = this.take();
    try {
      return await this.call(handle, call);
    } finally {
      handle.calls -= 1;
    }
  }

  /** Makes a call on a handle that was taken; over a network, gives up if it takes too long. */
  async call<T>(handle: KvHandle, call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    if (!this.#isRemote) return await call(handle.kv);
    if (this.lost.isServerAway) await this.lost.admit();
    if (handle.isOlderThan(this.lost.tries)) await handle.renew(this.lost.tries);
    const { kv } = handle;
    return await this.#inTime(call(kv), () => this.#leave(handle, kv));
  }

  /** Makes a call that writes the log; a caller without an answer reopens the writer. */
  async callWriter<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    if (!this.#isRemote) return await this.#writer.use(call);
    if (this.lost.isServerAway) await this.lost.admit();
    if (this.#writer.isOlderThan(this.lost.tries)) await this.reopenWriter();
    return await this.#inTime(call(this.writer), () => {});
  }

  async #inTime<T>(sent: Promise<T>, onLate: () => void): Promise<T> {
    sent.then(() => this.lost.answer(), () => {});
    return await answeredInTime(sent, () => {
      this.lost.lose();
      onLate();
    });
  }

  /** Replaces a handle that has lost a call, unless that has happened already. */
  #leave(handle: KvHandle, old: Deno.Kv): void {
    if (handle.kv === old) handle.renew(this.lost.tries).catch(() => {});
  }

  /** Makes a call that writes, but not the log. */
  async write<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    return this.#isRemote ? await this.read(call) : await this.#writer.use(call);
  }

  /** Replaces the log's handle, so that the next call does not wait for one that hangs. */
  async reopenWriter(): Promise<void> {
    if (this.#writer === this.#watcher) return;
    await this.#writer.renew(this.lost.tries);
  }

  /** Replaces the watch's handle, which hears nothing once its connection is dead. */
  async reopenWatcher(): Promise<void> {
    if (this.#isRemote) await this.#watcher.renew(this.lost.tries);
  }

  /** Closes all handles. */
  close(): void {
    for (const handle of new Set([this.#writer, this.#watcher, ...this.#shared])) handle.close();
  }

  #leastBusy(): KvHandle {
    const [first, ...others] = this.#shared as [KvHandle, ...KvHandle[]];
    let least = first;
    for (const handle of others) if (handle.calls < least.calls) least = handle;
    return least;
  }
}

/** Throws that a call was not sent; the platform's own error looks like a fault of the program. */
function throwNotSent(cause: unknown): never {
  throw new NotSentError("No connection to the KV server could be opened", { cause });
}
