/**
 * Turns: the processes that write take turns, see `writer_ring.ts`, and one that still keeps losing
 * the race for the head asks the others to let it go first. A process that has just committed knows
 * the head at once, while one that was late has to read it: under load the first would always win.
 * A request is a sidecar row and a hint: nothing but fairness depends on it.
 */
import { type Key, sidecarKey } from "../store/keys.ts";
import { InterruptibleSleep } from "./interruptible_sleep.ts";
import { WriterRing } from "./writer_ring.ts";
import type { Hint, Store, Versioned } from "../store/store.ts";
import type { Mutation } from "../store/commit.ts";

/** How long others give way to a request, in ms: enough to read the log and for a slow commit. */
const GIVE_WAY_MS_MAX = 300;
const PLACE = ["turn"] as const;
/** The key of the request. */
export const REQUEST_KEY: Key = sidecarKey(PLACE);

interface Request {
  readonly process: string;
}

/** The turns of the processes that share a store. */
export class Turns {
  /** The order in which they write while none of them is behind. */
  readonly ring = new WriterRing();
  readonly #store: Store;
  readonly #process = crypto.randomUUID();
  #request: Versioned<Request | null> = { value: null, versionstamp: null };
  /** The last request that was given way to: one whose process has died must not hold others up. */
  #passed: string | null = null;
  #isAsking = false;
  readonly #givingWay = new InterruptibleSleep();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads whether a process is asking. */
  async read(): Promise<void> {
    this.note(await this.#store.get(REQUEST_KEY));
  }

  /** Notes what a read or the watch reports of the request. */
  note({ value, versionstamp }: Hint): void {
    this.#request = { value: value as Request | null, versionstamp };
    if (!this.#isForOthers()) this.#givingWay.wake();
  }

  /** Asks the others to let this process go first. */
  ask(): void {
    this.#isAsking = true;
    const request: Request = { process: this.#process };
    // A request that gets lost is made again at the next conflict.
    this.#store.writeSidecar(PLACE, request).catch(() => {});
  }

  /** Returns the deletion of this process's request, for the commit that it was made for. */
  requestDeletion(): Mutation[] {
    return this.#isAsking ? [{ key: REQUEST_KEY, value: null }] : [];
  }

  /** Notes that a commit has gone through. */
  settle(): void {
    this.#isAsking = false;
  }

  /** Waits for the turn of this process. */
  async giveWay(): Promise<void> {
    await this.#letAskersGo();
    await this.ring.turn();
  }

  /** Waits while another process asks, but not for long, and only once for each request. */
  async #letAskersGo(): Promise<void> {
    if (!this.#isForOthers()) return;
    await this.#givingWay.sleep(GIVE_WAY_MS_MAX);
    this.#passed = this.#request.versionstamp;
  }

  #isForOthers(): boolean {
    const { value, versionstamp } = this.#request;
    return value !== null && value.process !== this.#process && versionstamp !== this.#passed;
  }
}
