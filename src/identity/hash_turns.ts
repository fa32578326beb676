/**
 * Decides whose password is hashed next. Throttles don't slow down callers who know the right
 * password, so a few of them could take every place. Places are therefore shared among the parties
 * that are waiting, by where their calls come from.
 */
import { IdentityError } from "./identity_error.ts";

/** Concurrent hashes: each takes a processor and its memory. */
const RUNNING_MAX = 2;
/** Hashes that may wait: a few seconds' worth. */
const WAITING_MAX = 32;

interface Waiting {
  begin(): void;
  refuse(error: IdentityError): void;
}

/** Lets a few hashes run and some wait; parties take turns. */
export class HashTurns {
  #running = 0;
  /** By party; the first party is next. */
  readonly #queues = new Map<string, Waiting[]>();

  /**
   * Does the work when its turn comes.
   *
   * @param party who asks; one that has more places than others loses some to them
   * @throws {IdentityError} `unavailable`: too many are waiting
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

  /** If full, refuses the last of the longest queue, or the caller if its own would be as long. */
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

  /** Passes the place to the first waiting party, which then goes to the end. */
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
