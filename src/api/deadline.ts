/** A bound for waits that are many but rarely long, with one timer for all of them. */

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

  /** @param ms how long a wait may last, plus up to a tenth of it */
  constructor(ms: number) {
    this.#ms = ms;
    this.#stepMs = ms / 10;
  }

  /** Waits for the work, or rejects with the error that `late` returns. */
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
    // A wait must not keep the process from ending.
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  #sweep(): void {
    this.#timer = null;
    const now = performance.now();
    for (const wait of this.#waits) {
      // Waits are in the order in which they began.
      if (wait.until > now) break;
      this.#waits.delete(wait);
      wait.giveUp();
    }
    if (this.#waits.size > 0) this.#arm();
  }
}
