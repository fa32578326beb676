/**
 * The time of a process, which does not follow a clock that is stepped: the log's time would go ahead
 * with it, and never back, and callers whose clocks are right would be refused.
 */

/** How far the clock may move against the steady one at once, in ms. */
const STEP_MS_MAX = 2_000;
/** How long a stepped clock has to run on before it is taken to be right, in ms. */
export const STEPPED_MS_MAX = 5 * 60_000;

/** Watches the clock of the system. */
export class ClockWatch {
  readonly #wall: () => number;
  readonly #steady: () => number;
  /** What the clock is ahead of the steady one, as trusted, in ms. */
  #offset: number;
  /** What it was when it was stepped, and when that was by the steady clock. */
  #step: { readonly offset: number; readonly at: number } | null = null;
  /** How far the clock is ahead of the time that is trusted, in ms. */
  #shift = 0;

  /** @param wall the clock, and `steady` one that nobody sets, in ms */
  constructor(
    wall: () => number = Date.now,
    steady: () => number = () => performance.now(),
  ) {
    this.#wall = wall;
    this.#steady = steady;
    this.#offset = wall() - steady();
  }

  /** The time, in ms: after a step it goes on as before. */
  now(): number {
    return this.#shift === 0 ? this.#wall() : Math.round(this.#wall() - this.#shift);
  }

  /** The time after a look, which what is stamped needs: a step may just have happened. */
  lookedNow(): number {
    this.look();
    return this.now();
  }

  /** Whether the clock was stepped, and neither set right nor left alone for long since. */
  get isStepped(): boolean {
    return this.#shift !== 0;
  }

  /** Looks whether the clock was stepped. */
  look(): void {
    const at = this.#steady();
    const offset = this.#wall() - at;
    if (Math.abs(offset - this.#offset) <= STEP_MS_MAX) return this.#trust(offset);
    // Set once more, it has to run on for as long again.
    const isNew = this.#step === null || Math.abs(offset - this.#step.offset) > STEP_MS_MAX;
    if (isNew) this.#step = { offset, at };
    if (at - (this.#step?.at ?? at) >= STEPPED_MS_MAX) return this.#trust(offset);
    this.#shift = offset - this.#offset;
  }

  #trust(offset: number): void {
    this.#offset = offset;
    this.#step = null;
    this.#shift = 0;
  }
}
