/**
 * How much of the process's time goes to readers of books. Frames are sent in
 * portions, with pauses between them that grow with what the venue has to do;
 * but none is longer than a bound, however busy it is.
 */
import { EventPace } from "./event_pace.ts";

/** Frames that are sent without a pause. */
export const PORTION_FRAMES = 1_000;
/** What sending a frame takes, in ms. */
const FRAME_MS = 0.004;
/** What an event's way through the venue takes, in ms, and more: orders come before readers. */
const EVENT_MS = 0.1;
/** Share of the time that readers have in any case. */
const SHARE_MIN = 0.1;
/** A pause shorter than this is none, in ms. */
const PAUSE_MS_MIN = 1;
/** The longest pause there is, in ms: behind a whole portion where the venue is busy. */
export const PAUSE_MS_MAX = PORTION_FRAMES * FRAME_MS / SHARE_MIN;

/** The time for readers, of all books together. */
export class SendBudget {
  readonly #now: () => number;
  readonly #pace: EventPace;
  /** From when on more may be sent. */
  #freeAt = -Infinity;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#pace = new EventPace(now);
  }

  /** Takes note of what the venue does. */
  noteEvents(count: number): void {
    this.#pace.add(count);
  }

  /** Takes note of frames that are sent now. */
  spend(frames: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.#now()) + frames * FRAME_MS / this.#share();
  }

  /** How long nothing more is to be sent, in ms. */
  pause(): number {
    const pause = Math.min(this.#freeAt - this.#now(), PAUSE_MS_MAX);
    return pause < PAUSE_MS_MIN ? 0 : pause;
  }

  /** Frames that can be sent within so many ms. */
  framesWithin(ms: number): number {
    return Math.floor(ms * this.#share() / FRAME_MS);
  }

  #share(): number {
    return Math.max(SHARE_MIN, 1 - this.#pace.perSecond * EVENT_MS / 1000);
  }
}
