/**
 * Names of the latest deposits. The rows hold the names of all; whoever asks
 * the rows first and the state then must not miss one between the two, so the
 * state says from which sequence on it knows every name.
 */
import { DEPOSIT_NAMES_MAX } from "./limits.ts";

interface NamedDeposit {
  readonly id: number;
  readonly sequence: number;
}

/** The latest names, oldest first. */
export class DepositNames {
  readonly #byName = new Map<string, NamedDeposit>();
  /** Every name given after this sequence is known here. */
  knownSince: number;

  constructor(knownSince = 0) {
    this.knownSince = knownSince;
  }

  /** Adds the name that a deposit was given at a sequence; lets the oldest go where there are too many. */
  add(name: string, id: number, sequence: number): void {
    this.#byName.set(name, { id, sequence });
    if (this.#byName.size <= DEPOSIT_NAMES_MAX) return;
    for (const [oldest, { sequence }] of this.#byName) {
      this.#byName.delete(oldest);
      this.knownSince = Math.max(this.knownSince, sequence);
      return;
    }
  }

  /** Takes back the name added last. What was let go for it stays away: less is known, nothing is wrong. */
  remove(name: string): void {
    this.#byName.delete(name);
  }

  /** The deposit of this name; undefined where none of the latest has it. */
  get(name: string): number | undefined {
    return this.#byName.get(name)?.id;
  }
}
