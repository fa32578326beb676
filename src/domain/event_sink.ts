/** Where events go while commands are decided. */
import type { VenueEvent } from "./event.ts";

/** Takes the events of `decide` and applies each at once, so that the next decision sees it. */
export interface EventSink {
  /** Takes the next event and applies it. */
  emit(event: VenueEvent): void;
  /** Whether the batch has no room left: stop at the next step that may stop. */
  isFull(): boolean;
  /** Returns a mark to roll back to. */
  mark(): number;
  /** Undoes every event since `mark`. */
  rollback(mark: number): void;
  /** Time stamped on this batch, in ms. */
  readonly at: number;
}
