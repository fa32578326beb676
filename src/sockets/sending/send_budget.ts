/**
 * How much of the process's time goes to readers of books. Frames are sent in portions with pauses
 * between them, which grow with the load of the venue up to a limit.
 */

/** Frames sent without a pause. */
export const UNPAUSED_FRAMES = 1_000;
/** Estimated time to send a frame, in ms. */
const FRAME_MS = 0.004;
/** Estimated time to process an event, in ms, with a margin: orders come before readers. */
const EVENT_MS = 0.1;
/** Share of the time that readers always get. */
const SHARE_MIN = 0.1;
/** Shorter pauses are skipped, in ms. */
const PAUSE_MS_MIN = 1;
/** The longest pause, in ms: after a full portion on a busy venue. */
export const PAUSE_MS_MAX = UNPAUSED_FRAMES * FRAME_MS / SHARE_MIN;

/** The time for readers, shared by all books. */
export class SendBudget {
  readonly #now: () => number;
  readonly #pace: EventPace;
  /** When the next frames may be sent. */
  #freeAt = -Infinity;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#pace = new EventPace(now);
  }

  /** Notes events of the venue. */
  noteEvents(count: number): void {
    this.#pace.add(count);
  }

  /** Notes frames that are sent now. */
  spend(frames: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.#now()) + frames * FRAME_MS / this.#share();
  }

  /** Returns how long to send nothing more, in ms. */
  pause(): number {
    const pause = Math.min(this.#freeAt - this.#now(), PAUSE_MS_MAX);
    return pause < PAUSE_MS_MIN ? 0 : pause;
  }

  /** Returns how many frames can be sent within this time, in ms. */
  framesWithin(ms: number): number {
    return Math.floor(ms * this.#share() / FRAME_MS);
  }

  #share(): number {
    return Math.max(SHARE_MIN, 1 - this.#pace.perSecond * EVENT_MS / 1000);
  }
}

/** Length of a counting window, in ms. */
const WINDOW_MS = 100;

/** Counts events. */
export class EventPace {
  readonly #now: () => number;
  #count = 0;
  #since: number;
  #perSecond = 0;

  /** @param now a clock in ms */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts durable events. */
  add(events: number): void {
    this.#turn();
    this.#count += events;
  }

  /** Events per second in the last full window. */
  get perSecond(): number {
    this.#turn();
    return this.#perSecond;
  }

  #turn(): void {
    const now = this.#now();
    const elapsed = now - this.#since;
    if (elapsed < WINDOW_MS) return;
    this.#perSecond = this.#count * 1000 / elapsed;
    this.#count = 0;
    this.#since = now;
  }
}
