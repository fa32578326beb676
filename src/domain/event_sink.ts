/** Where events go while commands are decided. */
import type { VenueEvent } from "./event.ts";

/**
 * Where `decide` puts its events. An event takes effect on the state as it is
 * emitted, so the next decision sees it.
 */
export interface EventSink {
  /** Takes the next event and applies it. */
  emit(event: VenueEvent): void;
  /** No room for more in this batch: stop at the next step that may stop. */
  isFull(): boolean;
  /** A place to come back to. */
  mark(): number;
  /** Takes back every event since `mark`. */
  rollback(mark: number): void;
  /** Time stamped on this batch, in ms. */
  readonly at: number;
}
