/**
 * What is to be pushed waits here from its commit until the watch, or the timer beside it, has told
 * of the log that far: on every store the same wakes the pushes, and no answer waits for them.
 */

/** Tells somebody of what has been published. */
export type Push = () => void;

/** The pushes of what is published, in its order. */
export class WaitingPushes {
  #waiting: Push[] = [];
  /** The highest sequence that was told of; the commit's own answer may come later. */
  #heard = 0;

  /** Makes a push of what was published at a sequence, once that was told of. */
  add(sequence: number, push: Push): void {
    if (sequence <= this.#heard && this.#waiting.length === 0) push();
    else this.#waiting.push(push);
  }

  /** Notes that the log was told of up to a sequence, and makes all pushes of what is published. */
  hear(sequence: number): void {
    this.#heard = Math.max(this.#heard, sequence);
    this.makeAll();
  }

  /** Makes the pushes that wait, each once; those behind one that throws go on waiting. */
  makeAll(): void {
    const waiting = this.#waiting;
    let made = 0;
    this.#waiting = [];
    try {
      for (const push of waiting) {
        made += 1;
        push();
      }
    } finally {
      if (made < waiting.length) this.#waiting = [...waiting.slice(made), ...this.#waiting];
    }
  }
}
