/** A bound for waits that are many but rarely long, with one timer for all of them. */

interface Wait {
  readonly until: number;
  readonly giveUp: () => void;
  /** Its index among the waits. */
  place: number;
}

/** Ends waits that last too long. */
export class Deadline {
  readonly #ms: number;
  readonly #stepMs: number;
  /**
   * Unordered. A set would make a new table every few waits, each kept alive by the one before it
   * until the next full garbage collection.
   */
  readonly #waits: Wait[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param ms how long a wait may last, plus up to a tenth of it */
  constructor(ms: number) {
    this.#ms = ms;
    this.#stepMs = ms / 10;
  }

  /**
   * Waits for the work, or rejects with the error that `late` returns.
   *
   * @param ended called when the work ends, which may be long after the deadline
   */
  within<T>(work: Promise<T>, late: () => Error, ended: () => void = nothing): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const until = performance.now() + this.#ms;
      const wait = { until, giveUp: () => reject(late()), place: this.#waits.length };
      this.#waits.push(wait);
      this.#arm();
      work.then(
        (value) => {
          ended();
          this.#remove(wait);
          resolve(value);
        },
        (error) => {
          ended();
          this.#remove(wait);
          reject(error);
        },
      );
    });
  }

  /** Removes a wait, unless it has been: the last one takes its place. */
  #remove(wait: Wait): void {
    if (this.#waits[wait.place] !== wait) return;
    const last = this.#waits.pop();
    if (last === undefined || last === wait) return;
    last.place = wait.place;
    this.#waits[wait.place] = last;
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
    for (const wait of this.#waits.filter(({ until }) => until <= now)) {
      this.#remove(wait);
      wait.giveUp();
    }
    if (this.#waits.length > 0) this.#arm();
  }
}

function nothing(): void {}
