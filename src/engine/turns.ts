/**
 * Turns: those that write go one behind the other, see `writer_ring.ts`; one
 * that keeps losing the race for the head nevertheless asks the others to let
 * it go first. Who has just committed knows the head at once, and who was late
 * has to read it; under load the one would commit for ever and the other never.
 * A request is a hint beside the log: only fairness hangs on it.
 */
import { type Key, sideKey } from "../store/keys.ts";
import { WriterRing } from "./writer_ring.ts";
import type { Hint, Mutation, Store, Versioned } from "../store/store.ts";

/** How long one request is given way to, in ms: reading the log and a commit of the slow kind. */
const GIVE_WAY_MS_MAX = 300;
const PLACE = ["turn"] as const;
/** Where the request stands. */
export const REQUEST_KEY: Key = sideKey(PLACE);

interface Request {
  readonly process: string;
}

/** The turns of the processes that share a store. */
export class Turns {
  /** The order in which they go where none of them is behind. */
  readonly ring = new WriterRing();
  readonly #store: Store;
  readonly #process = crypto.randomUUID();
  #request: Versioned<Request | null> = { value: null, versionstamp: null };
  /** The request that was given way to last: one whose process has died must not hold others up. */
  #passed: string | null = null;
  #isAsking = false;
  #wake: (() => void) | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Looks whether somebody asks. */
  async read(): Promise<void> {
    this.note(await this.#store.get(REQUEST_KEY));
  }

  /** Takes note of what a read or the watch says of the request. */
  note({ value, versionstamp }: Hint): void {
    this.#request = { value: value as Request | null, versionstamp };
    if (!this.#isForOthers()) this.#wake?.();
  }

  /** Asks the others to let this process go first. */
  ask(): void {
    this.#isAsking = true;
    const request: Request = { process: this.#process };
    // One that does not get through is made again at the next conflict.
    this.#store.writeSide(PLACE, request).catch(() => {});
  }

  /** Takes the own request back: goes with the commit that it was made for. */
  withdrawal(): Mutation[] {
    return this.#isAsking ? [{ key: REQUEST_KEY, value: null }] : [];
  }

  /** A commit has gone through. */
  settle(): void {
    this.#isAsking = false;
  }

  /** Waits for the turn of this process. */
  async giveWay(): Promise<void> {
    await this.#letAskersGo();
    await this.ring.turn();
  }

  /** Waits while another process asks, but not for long, and not twice for one request. */
  async #letAskersGo(): Promise<void> {
    if (!this.#isForOthers()) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, GIVE_WAY_MS_MAX);
    });
    clearTimeout(timer);
    this.#wake = null;
    this.#passed = this.#request.versionstamp;
  }

  #isForOthers(): boolean {
    const { value, versionstamp } = this.#request;
    return value !== null && value.process !== this.#process && versionstamp !== this.#passed;
  }
}
