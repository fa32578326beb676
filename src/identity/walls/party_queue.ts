/** A bounded queue in which parties take turns. */
import { IdentityError } from "../identity_error.ts";

/** Hashes that may wait: a few seconds' worth. */
const WAITING_MAX = 32;

interface Waiting {
  begin(): void;
  refuse(error: IdentityError): void;
}

/** What waits, by party; a party that has more places than others loses some to them. */
export class PartyQueue {
  /** The first party is next. */
  readonly #queues = new Map<string, Waiting[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /**
   * Waits until the party's turn has come.
   *
   * @throws {IdentityError} `unavailable`: too many are waiting
   */
  async wait(party: string): Promise<void> {
    this.#makeRoom(party);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#queues.get(party) ?? [];
    own.push({ begin: resolve, refuse: reject });
    this.#queues.set(party, own);
    await promise;
  }

  /** Lets the first waiting party begin, which then goes to the end. */
  begin(): void {
    const [first] = this.#queues;
    if (first === undefined) return;
    const [party, queue] = first;
    const next = queue.shift();
    this.#queues.delete(party);
    if (queue.length > 0) this.#queues.set(party, queue);
    next?.begin();
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
}
