/**
 * Decides whose password is hashed next. Throttles don't slow down callers who know the right
 * password, so a few of them could take every place. Places are therefore shared among the parties
 * that are waiting, by where their calls come from. And strangers who guess from many places must
 * not keep out a member: who has shown to be one, or has not failed lately, waits in another lane.
 */
import { PartyQueue } from "../walls/party_queue.ts";

/** Concurrent hashes: each takes a processor and its memory. */
const RUNNING_MAX = 2;

/**
 * Where parties wait, each lane with places of its own: those that have shown to be a member by more
 * than a password, those whose network has not failed lately, and all others.
 */
export type HashLane = "proven" | "first" | "other";

/** Whose turns follow each other, where all lanes are waiting. */
const TURNS: readonly HashLane[] = ["proven", "first", "proven", "other"];

/** Who asks for a hash. */
export interface HashParty {
  /** Those of one name share their turns. */
  readonly name: string;
  readonly lane: HashLane;
}

/** Lets a few hashes run and some wait; parties take turns. */
export class HashQueue {
  #running = 0;
  readonly #lanes: Readonly<Record<HashLane, PartyQueue>> = {
    proven: new PartyQueue(),
    first: new PartyQueue(),
    other: new PartyQueue(),
  };
  /** Place of the next turn in the order above. */
  #turn = 0;

  /** Whether the next to ask has to wait. */
  get isBusy(): boolean {
    return this.#running >= RUNNING_MAX;
  }

  /**
   * Does the work when its turn comes.
   *
   * @throws {IdentityError} `unavailable`: too many are waiting
   */
  async run<T>({ name, lane }: HashParty, work: () => Promise<T>): Promise<T> {
    if (this.isBusy) await this.#lanes[lane].wait(name);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#handOver();
    }
  }

  /** Passes the place to the next lane in which somebody waits. */
  #handOver(): void {
    for (let tries = 0; tries < TURNS.length; tries++) {
      const lane = TURNS[this.#turn];
      this.#turn = (this.#turn + 1) % TURNS.length;
      if (lane === undefined || this.#lanes[lane].isEmpty) continue;
      this.#lanes[lane].begin();
      return;
    }
    this.#running -= 1;
  }
}
