/** What happens at sockets, in a line: the venue gets no more at once than it has room for. */
import { yieldToOthers } from "../../engine/yield_to_others.ts";
import type { RelayedEvent } from "./relay_protocol.ts";

/** How many events, and how many characters of them, it gets before it has dealt with any. */
export const EVENTS_AT_ONCE_MAX = 64;
export const LENGTH_AT_ONCE_MAX = 64 * 1024;

/** The line of a thread. */
export class RelayLine {
  readonly #pass: (events: readonly RelayedEvent[]) => void;
  #waiting: RelayedEvent[] = [];
  /** Lengths of the events that the venue has not dealt with yet. */
  #underWay: number[] = [];
  #lengthUnderWay = 0;
  #isPassing = false;

  /** @param pass called with those for which there is room: with several of one turn together */
  constructor(pass: (events: readonly RelayedEvent[]) => void) {
    this.#pass = pass;
  }

  /** Adds an event behind all others. */
  add(event: RelayedEvent): void {
    this.#waiting.push(event);
    this.#passSoon();
  }

  /** Notes that so many more are dealt with, the oldest first. */
  handled(count: number): void {
    for (const length of this.#underWay.splice(0, count)) this.#lengthUnderWay -= length;
    this.#passSoon();
  }

  #passSoon(): void {
    if (this.#isPassing || this.#waiting.length === 0 || !this.#hasRoom()) return;
    this.#isPassing = true;
    void yieldToOthers().then(() => {
      this.#isPassing = false;
      this.#passThose();
    });
  }

  #hasRoom(): boolean {
    return this.#underWay.length < EVENTS_AT_ONCE_MAX && this.#lengthUnderWay < LENGTH_AT_ONCE_MAX;
  }

  #passThose(): void {
    let count = 0;
    for (const event of this.#waiting) {
      if (!this.#hasRoom()) break;
      const length = lengthOf(event);
      this.#underWay.push(length);
      this.#lengthUnderWay += length;
      count += 1;
    }
    if (count > 0) this.#pass(this.#waiting.splice(0, count));
  }
}

/** Returns how many characters an event has from its client. */
export function lengthOf(event: RelayedEvent): number {
  return event.kind === "text" ? event.text?.length ?? 0 : 0;
}
