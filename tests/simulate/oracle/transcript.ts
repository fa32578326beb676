import type { VenueEvent } from "../../../src/domain/event.ts";
import { OracleError, show } from "./same.ts";
import { eventDifference } from "./same_event.ts";

/** The events of one durable entry, taken one by one as they are expected. */
export class Transcript {
  #next = 0;

  constructor(
    readonly events: readonly VenueEvent[],
    /** Sequence of the first event. */
    readonly first: number,
    /** Stamped time, in ms. */
    readonly at: number,
  ) {}

  /** Whether every event was expected. */
  get isAtEnd(): boolean {
    return this.#next >= this.events.length;
  }

  /** Sequence of the entry's last event. */
  get last(): number {
    return this.first + this.events.length - 1;
  }

  /** The next event. */
  peek(): VenueEvent | undefined {
    return this.events[this.#next];
  }

  /**
   * Takes the next event.
   *
   * @throws {OracleError} it is another one, or the entry has ended
   */
  expect(event: VenueEvent): void {
    const actual = this.events[this.#next];
    const found = actual === undefined
      ? `the entry ends where ${show(event)} has to come`
      : eventDifference(actual, event);
    if (found !== null) throw this.error(found);
    this.#next += 1;
  }

  /** An error that names the place. */
  error(text: string): OracleError {
    return new OracleError(`at sequence ${this.first + this.#next}: ${text}`);
  }
}
