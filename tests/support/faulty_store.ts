import type { Key } from "../../src/store/keys.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { isLockedFault, Store, UnreadableError, type Versioned } from "../../src/store/store.ts";
import type { Commit, CommitOutcome } from "../../src/store/kv/commit.ts";
import { eventually } from "./eventually.ts";

/** The two kinds of commits. */
export type Purpose = "log" | "fold";

/**
 * What goes wrong with a commit:
 * - `refuse`: it loses a race, apparently.
 * - `fail`: it does not happen, and the caller knows.
 * - `lose`: it does not happen, and the outcome is unknown.
 * - `lose_answer`: it happens, and the outcome is unknown.
 * - `land_late`: the outcome is unknown; it happens in {@linkcode FaultyStore.landLate}.
 * - `keep_answer`: it happens, and the caller never gets an answer.
 * - `hold`: it waits for {@linkcode FaultyStore.release}.
 * - `slow`: it takes a moment.
 */
export type Fault =
  | "none"
  | "refuse"
  | "fail"
  | "lose"
  | "lose_answer"
  | "land_late"
  | "keep_answer"
  | "hold"
  | "slow";

/** Decides what goes wrong; `count` numbers the commits of a purpose from 1. */
export type FaultPlan = (purpose: Purpose, count: number, commit: Commit) => Fault;

/** A real store that fails on demand and counts the rows read. */
export class FaultyStore extends Store {
  plan: FaultPlan = () => "none";
  /** Makes all reads fail. */
  areReadsFailing = false;
  /** Returns whether reading the row with this key fails. */
  isUnreadable: (key: Key) => boolean = () => false;
  /** Silences the watch. */
  isWatchDropped = false;
  /** Number of commits so far, by purpose. */
  readonly commits: Record<Purpose, number> = { log: 0, fold: 0 };
  /** Number of rows read. */
  rowsRead = 0;
  /** Called when a list continues after a row. */
  onListed: () => Promise<void> = () => Promise.resolve();
  #late: Commit[] = [];
  #release: (() => void)[] = [];

  /** Opens a store on a file or in memory; `isRemote` makes it behave as over a network. */
  static async open(path: string, isRemote: boolean = false): Promise<FaultyStore> {
    return new FaultyStore(await KvHandles.open(path, false), path, isRemote);
  }

  /** Makes all further commits fail, as if the process had died. */
  crash(): void {
    this.plan = () => "fail";
  }

  override async commit(commit: Commit, purpose: Purpose): Promise<CommitOutcome> {
    this.commits[purpose] += 1;
    const unknown = { kind: "unknown" } as const;
    switch (this.plan(purpose, this.commits[purpose], commit)) {
      case "refuse":
        return { kind: "refused" };
      case "fail":
        return { kind: "failed", error: new Error("The store is out of order") };
      case "lose":
        return unknown;
      case "lose_answer":
        await this.#sent(commit, purpose);
        return unknown;
      case "land_late":
        this.#late.push(commit);
        return unknown;
      case "keep_answer":
        await this.#sent(commit, purpose);
        return await new Promise(() => {});
      case "hold":
        await new Promise<void>((resolve) => this.#release.push(resolve));
        return await this.#sent(commit, purpose);
      case "slow":
        await new Promise((resolve) => setTimeout(resolve, 5));
        return await this.#sent(commit, purpose);
      case "none":
        return await this.#sent(commit, purpose);
    }
  }

  /** Applies the commits that `land_late` kept; returns the outcome of each. */
  async landLate(): Promise<CommitOutcome["kind"][]> {
    const kinds: CommitOutcome["kind"][] = [];
    for (const commit of this.#late) kinds.push((await this.#sent(commit, "log")).kind);
    this.#late = [];
    return kinds;
  }

  /** Number of held commits. */
  get held(): number {
    return this.#release.length;
  }

  /** Waits until at least `count` commits are held. */
  async holding(count: number = 1): Promise<void> {
    await eventually(`${count} held commits`, () => this.held >= count);
  }

  /** Lets the held commits proceed; later ones are not held. */
  release(): void {
    this.plan = () => "none";
    for (const release of this.#release) release();
    this.#release = [];
  }

  override async get<T>(key: Key): Promise<Versioned<T | null>> {
    this.#countRead();
    if (this.isUnreadable(key)) throw new UnreadableError("The row cannot be read");
    return await super.get<T>(key);
  }

  override async getTogether(
    keys: readonly Key[],
    isPatient = false,
  ): Promise<Versioned<unknown>[]> {
    this.#countRead(keys.length);
    return await super.getTogether(keys, isPatient);
  }

  override async *list<T>(
    start: Key,
    end: Key,
    options: { reverse?: boolean; limit?: number; batch?: number } = {},
  ): AsyncGenerator<{ key: Key; value: T }> {
    this.#countRead(0);
    for await (const row of super.list<T>(start, end, options)) {
      this.#countRead();
      yield row;
      await this.onListed();
    }
  }

  /**
   * Sends a commit, again as long as another engine of the test holds the file: it has changed
   * nothing then. Processes share a server, where each waits for its turn.
   */
  #sent(commit: Commit, purpose: Purpose): Promise<CommitOutcome> {
    return eventually("a file that is free", async () => {
      const outcome = await super.commit(commit, purpose);
      return !(outcome.kind === "failed" && isLockedFault(outcome.error)) && outcome;
    });
  }

  #countRead(rows: number = 1): void {
    if (this.areReadsFailing) throw new UnreadableError("The store cannot be read");
    this.rowsRead += rows;
  }

  override async watch(...args: Parameters<Store["watch"]>): Promise<void> {
    if (!this.isWatchDropped) return await super.watch(...args);
    const [, signal] = args;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
