import type { VenueEvent } from "../../../src/domain/event.ts";
import { OracleError, show } from "./same.ts";
import { eventDifference } from "./same_event.ts";

/** The events of one durable entry, consumed one by one as they are expected. */
export class Transcript {
  #next = 0;

  constructor(
    readonly events: readonly VenueEvent[],
    /** Sequence of the first event. */
    readonly first: number,
    /** Timestamp of the entry, in ms. */
    readonly at: number,
  ) {}

  /** Whether all events have been consumed. */
  get isAtEnd(): boolean {
    return this.#next >= this.events.length;
  }

  /** Sequence of the entry's last event. */
  get last(): number {
    return this.first + this.events.length - 1;
  }

  /** Returns the next event without consuming it. */
  peek(): VenueEvent | undefined {
    return this.events[this.#next];
  }

  /** Returns whether these events come next, without consuming them. */
  goesOnWith(events: readonly VenueEvent[]): boolean {
    return events.every((event, index) => {
      const actual = this.events[this.#next + index];
      return actual !== undefined && eventDifference(actual, event) === null;
    });
  }

  /**
   * Consumes the next event.
   *
   * @throws {OracleError} if it differs, or the entry has ended
   */
  expect(event: VenueEvent): void {
    const actual = this.events[this.#next];
    const found = actual === undefined
      ? `the entry ends where ${show(event)} has to come`
      : eventDifference(actual, event);
    if (found !== null) throw this.error(found);
    this.#next += 1;
  }

  /** Returns an error that names the current sequence. */
  error(text: string): OracleError {
    return new OracleError(`at sequence ${this.first + this.#next}: ${text}`);
  }
}
