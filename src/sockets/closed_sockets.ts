/** Counts the sockets that were not closed by their clients. */
import type { ClosedSockets as Closed } from "../edge/figures.ts";

/** Codes and reasons that are told apart; they are the venue's own, and few. */
const KINDS_MAX = 100;

/** The sockets that the venue or its platform has closed, by code and reason. */
export class ClosedSockets {
  readonly #counts = new Map<string, Closed>();

  /** Counts one more. */
  note(code: number, reason: string): void {
    const isNew = !this.#counts.has(`${code} ${reason}`);
    const told = isNew && this.#counts.size >= KINDS_MAX ? "other" : reason;
    const name = `${code} ${told}`;
    const count = (this.#counts.get(name)?.count ?? 0) + 1;
    this.#counts.set(name, { code, reason: told, count });
  }

  /** Returns how many there were of each kind. */
  figures(): readonly Closed[] {
    return [...this.#counts.values()];
  }
}
