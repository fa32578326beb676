import type { Key } from "../../src/store/keys.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { Store } from "../../src/store/store.ts";
import { eventually } from "./eventually.ts";

/**
 * A store in memory whose commits wait in a line, as those of a file do for its one thread; it may
 * behave as over a network.
 */
export class HeldFile {
  readonly store: Store;
  readonly #kv: Deno.Kv;
  /** The commits that wait; the first is next. */
  readonly #line: (() => void)[] = [];
  /** Keys that were written, by commit, in the order in which they came into the line. */
  readonly commits: Key[][] = [];
  /** Thrown by each commit, which does not happen then. */
  fault: Error | null = null;
  #isHeld: boolean;

  private constructor(kv: Deno.Kv, isHeld: boolean, isRemote: boolean) {
    this.#kv = kv;
    this.#isHeld = isHeld;
    const open = kv.atomic.bind(kv);
    kv.atomic = () => this.#watched(open());
    const handles = new KvHandles(() => Promise.resolve(kv), false, kv, kv, [kv]);
    this.store = new Store(handles, ":memory:", isRemote);
  }

  static async open(isHeld: boolean, isRemote = false): Promise<HeldFile> {
    return new HeldFile(await Deno.openKv(":memory:"), isHeld, isRemote);
  }

  /** Number of commits in the line. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Waits until so many commits are in the line. */
  async holding(count: number): Promise<void> {
    await eventually(`${count} commits that wait`, () => this.waiting >= count);
  }

  /** Waits until all reads have been answered that were asked for before. */
  async hasRead(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      await this.#kv.get(["nothing"]);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Writes a row as another process does. */
  async write(key: Key, value: unknown): Promise<void> {
    await this.#kv.set(key as Deno.KvKey, value);
  }

  /** Lets the next commit happen. */
  next(): void {
    this.#line.shift()?.();
  }

  /** Lets all commits happen from now on. */
  release(): void {
    this.#isHeld = false;
    for (const go of this.#line.splice(0)) go();
  }

  [Symbol.dispose](): void {
    this.store.close();
  }

  #watched(atomic: Deno.AtomicOperation): Deno.AtomicOperation {
    const keys: Key[] = [];
    const { set, delete: remove, commit } = atomic;
    atomic.set = (key, ...rest) => {
      keys.push(key as Key);
      return set.call(atomic, key, ...rest);
    };
    atomic.delete = (key) => {
      keys.push(key as Key);
      return remove.call(atomic, key);
    };
    atomic.commit = async () => {
      this.commits.push(keys);
      if (this.#isHeld) await new Promise<void>((resolve) => this.#line.push(resolve));
      if (this.fault !== null) throw this.fault;
      return await commit.call(atomic);
    };
    return atomic;
  }
}
