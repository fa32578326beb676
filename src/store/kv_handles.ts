/**
 * The handles of one KV. Of a local KV a handle is a thread: one writes, one
 * reads and watches. Of a KV server a handle is a connection, and two calls
 * that share one wait for an acknowledgement of each other's bytes, which the
 * other end holds back for 40 ms: there each call has a handle to itself, as
 * far as they go, and the log and the watch have one of their own. A handle
 * whose connection is dead without a word answers nothing any more, whatever it
 * is asked: one that has lost a call is left for another.
 */
import { allOpenedInTime, answeredInTime, openedInTime } from "./in_time.ts";
import { KvHandle } from "./kv_handle.ts";
import { LostCalls, NotSentError } from "./lost_calls.ts";

/** Handles for calls to a KV server that are neither the log's nor the watch. */
const SHARED_HANDLES = 16;

/** Opens one more handle. */
export type OpenKv = () => Promise<Deno.Kv>;

/** Which handle serves what. */
export class KvHandles {
  readonly #isRemote: boolean;
  readonly #writer: KvHandle;
  readonly #watcher: KvHandle;
  readonly #shared: readonly KvHandle[];
  /** Calls that nobody waits for any more. */
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

  /** Opens a file, `:memory:`, a KV server's URL or, undefined, the attached database. */
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
    // Every `:memory:` handle is a database of its own.
    const watcher = path === ":memory:" ? writer : await openKv().catch((error) => {
      writer.close();
      throw error;
    });
    return new KvHandles(openKv, isRemote, writer, watcher, [watcher]);
  }

  /** Writes the log. */
  get writer(): Deno.Kv {
    return this.#writer.kv;
  }

  /** Watches. */
  get watcher(): Deno.Kv {
    return this.#watcher.kv;
  }

  /** The handle that has least to do; whoever has taken it lowers `calls` again. */
  take(): KvHandle {
    const handle = this.#leastBusy();
    handle.calls += 1;
    return handle;
  }

  /** Reads. */
  async read<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    const handle = this.take();
    try {
      return await this.call(handle, call);
    } finally {
      handle.calls -= 1;
    }
  }

  /** Makes a call on a handle that was taken; over a network it is given up on where it takes too long. */
  async call<T>(handle: KvHandle, call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    if (!this.#isRemote) return await call(handle.kv);
    if (this.lost.isServerAway) await this.lost.admit();
    if (handle.isOlderThan(this.lost.tries)) await handle.renew(this.lost.tries);
    const { kv } = handle;
    return await this.#inTime(call(kv), () => this.#leave(handle, kv));
  }

  /** Makes a call that writes the log; whoever is told nothing of it opens another handle for the next. */
  async callWriter<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    if (!this.#isRemote) return await call(this.writer);
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

  /** Puts another handle in the place of one that has lost a call, unless that has happened already. */
  #leave(handle: KvHandle, old: Deno.Kv): void {
    if (handle.kv === old) handle.renew(this.lost.tries).catch(() => {});
  }

  /** Writes beside the log. */
  async write<T>(call: (kv: Deno.Kv) => Promise<T>): Promise<T> {
    return this.#isRemote ? await this.read(call) : await call(this.writer);
  }

  /** Another handle for the log: a call that hangs on the old one is left behind. */
  async reopenWriter(): Promise<void> {
    if (this.#writer === this.#watcher) return;
    await this.#writer.renew(this.lost.tries);
  }

  /** Another handle for the watch, which hears nothing where its connection is dead. */
  async reopenWatcher(): Promise<void> {
    if (this.#isRemote) await this.#watcher.renew(this.lost.tries);
  }

  /** Closes all. */
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

/** A call waits for its handle. What the platform throws where there is no server looks like a fault of ours. */
function throwNotSent(cause: unknown): never {
  throw new NotSentError("No connection to the KV server could be opened", { cause });
}
