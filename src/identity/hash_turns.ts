/**
 * Whose password is hashed next. Whoever knows the right one is not slowed down by any throttle, so
 * that a few callers could take all places for themselves: these are shared out by where calls come
 * from, and only among those who ask at the same time.
 */
import { IdentityError } from "./identity_error.ts";

/** Hashes at a time: each takes a processor and its memory. */
const RUNNING_MAX = 2;
/** Hashes that wait their turn: some seconds' worth. */
const WAITING_MAX = 32;

interface Waiting {
  begin(): void;
  refuse(error: IdentityError): void;
}

/** Lets a few run at a time, and some wait: parties take turns. */
export class HashTurns {
  #running = 0;
  /** By party, the one whose turn is next first. */
  readonly #queues = new Map<string, Waiting[]>();

  /**
   * Does the work when its turn has come.
   *
   * @param party who asks; one that has more places than others gives way to them
   * @throws {IdentityError} `unavailable`: too many wait
   */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(party);
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  async #turn(party: string): Promise<void> {
    if (this.#running < RUNNING_MAX) {
      this.#running += 1;
      return;
    }
    this.#makeRoom(party);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#queues.get(party) ?? [];
    own.push({ begin: resolve, refuse: reject });
    this.#queues.set(party, own);
    await promise;
  }

  /** Where there is none, the last of the longest queue is refused; or this caller, whose own would be as long. */
  #makeRoom(party: string): void {
    const queues = [...this.#queues.values()];
    const lengths = queues.map((queue) => queue.length);
    if (lengths.reduce((sum, length) => sum + length, 0) < WAITING_MAX) return;
    const longest = Math.max(...lengths);
    const own = this.#queues.get(party)?.length ?? 0;
    if (longest <= own + 1) throw new IdentityError("unavailable");
    queues.find(({ length }) => length === longest)?.pop()?.refuse(
      new IdentityError("unavailable"),
    );
  }

  /** Gives the place to the first party that waits, which then stands behind all others. */
  #handOver(): void {
    const [first] = this.#queues;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [party, queue] = first;
    const next = queue.shift();
    this.#queues.delete(party);
    if (queue.length > 0) this.#queues.set(party, queue);
    next?.begin();
  }
}
