import { apply } from "../../src/domain/apply.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import type { EventSink } from "../../src/domain/event_sink.ts";
import type { UndoLog } from "../../src/domain/undo_log.ts";
import type { Venue } from "../../src/domain/venue.ts";

/** An event and its timestamp in ms. */
export interface RecordedEvent {
  readonly event: VenueEvent;
  readonly at: number;
}

/** Applies events to a venue immediately and records them; a batch holds `capacity` events. */
export class TestSink implements EventSink {
  readonly events: RecordedEvent[] = [];
  /** Called after each event has been applied. */
  onEvent: (event: VenueEvent) => void = () => {};
  at = 0;
  batches = 0;
  #batchStart = 0;
  /** Undo mark before each event since the last {@linkcode TestSink.forget}. */
  #undoMarks: number[] = [];
  #forgotten = 0;

  constructor(
    readonly venue: Venue,
    readonly undo: UndoLog,
    readonly capacity: number = Infinity,
  ) {}

  emit(event: VenueEvent): void {
    this.#undoMarks.push(this.undo.mark());
    this.events.push({ event, at: this.at });
    apply(this.venue, event, this.at);
    this.onEvent(event);
  }

  isFull(): boolean {
    return this.events.length - this.#batchStart >= this.capacity;
  }

  mark(): number {
    return this.events.length;
  }

  rollback(mark: number): void {
    if (mark >= this.events.length) return;
    const undoMark = this.#undoMarks[mark - this.#forgotten];
    if (undoMark === undefined) throw new Error(`Mark ${mark} is forgotten: mark again`);
    this.undo.rollback(undoMark);
    this.#undoMarks.length = mark - this.#forgotten;
    this.events.length = mark;
  }

  /** Starts a new batch. */
  nextBatch(): void {
    this.#batchStart = this.events.length;
    this.batches += 1;
  }

  /** Gives up the ability to roll back, as a commit does. */
  forget(): void {
    this.undo.clear(this.venue.time);
    this.#undoMarks.length = 0;
    this.#forgotten = this.events.length;
  }
}
