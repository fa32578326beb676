/** A bound for waits of which there are many and hardly one is long: one timer for all of them. */

interface Wait {
  readonly until: number;
  readonly giveUp: () => void;
}

/** Ends waits that last too long. */
export class Deadline {
  readonly #ms: number;
  readonly #stepMs: number;
  readonly #waits = new Set<Wait>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param ms how long a wait may last; it may be a tenth longer */
  constructor(ms: number) {
    this.#ms = ms;
    this.#stepMs = ms / 10;
  }

  /** Waits for the work, or throws what `late` makes. */
  within<T>(work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const wait = { until: performance.now() + this.#ms, giveUp: () => reject(late()) };
      this.#waits.add(wait);
      this.#arm();
      work.then(
        (value) => {
          this.#waits.delete(wait);
          resolve(value);
        },
        (error) => {
          this.#waits.delete(wait);
          reject(error);
        },
      );
    });
  }

  #arm(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#sweep(), this.#stepMs);
    // A wait alone keeps no process from ending.
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  #sweep(): void {
    this.#timer = null;
    const now = performance.now();
    for (const wait of this.#waits) {
      // They stand in the order of their beginnings.
      if (wait.until > now) break;
      this.#waits.delete(wait);
      wait.giveUp();
    }
    if (this.#waits.size > 0) this.#arm();
  }
}
