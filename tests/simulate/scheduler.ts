/**
 * Virtual time: every answer, timer and fault is a step at its moment, and one
 * step is taken after the other. What a step sets off runs to its end before
 * the next, so that whose step it is says who has set a timer or made a call.
 */
import { setImmediate as setRealImmediate } from "node:timers";

/** Whose steps they are; a dead one's are never taken, a paused one's wait. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Virtual time until which none of its steps is taken, in ms. */
  pausedUntil: number;
}

/** Something that will happen. */
export interface Step {
  at: number;
  order: number;
  readonly owner: Owner | null;
  /** What it is, for the trace: a constant text. */
  readonly what: string;
  run: (() => void) | null;
}

/** A step taken, for the last lines of a failure. */
interface Taken {
  readonly at: number;
  readonly name: string;
  readonly what: string;
}

const TRACE_STEPS = 60;
/** Steps that set nothing off, taken one after the other before real events may come in. */
const SILENT_STEPS_MAX = 1000;

/** Steps in the order of their time, and among those of one time of their making. */
export class Scheduler {
  /** Virtual time since the run began, in ms. */
  now = 0;
  /** Whose step it is. */
  current: Owner | null = null;
  /** Steps taken so far. */
  steps = 0;
  /** Differs where two runs have differed in any step. */
  digest = 0;
  readonly #heap: Step[] = [];
  #order = 0;
  readonly #codes = new Map<string, number>();
  readonly #trace: Taken[] = [];

  /** Makes a step that comes `ms` from now; `null` belongs to nobody and is always taken. */
  after(ms: number, owner: Owner | null, what: string, run: () => void): Step {
    const step: Step = { at: this.now + ms, order: this.#order++, owner, what, run };
    this.#push(step);
    return step;
  }

  /** Takes a step back. */
  cancel(step: Step): void {
    step.run = null;
  }

  /** Takes steps until `isDone`; what goes wrong in one of them is thrown here. */
  advance(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        try {
          for (let silent = 0; silent < SILENT_STEPS_MAX; silent++) {
            if (isDone()) return resolve();
            if (this.#take()) break;
          }
          setRealImmediate(next);
        } catch (error) {
          reject(error);
        }
      };
      setRealImmediate(next);
    });
  }

  /** The last steps, oldest first. */
  trace(): string[] {
    return this.#trace.map(({ at, name, what }) => `${at.toFixed(3)} ${name} ${what}`);
  }

  /** Adds a number to the digest. */
  mix(value: number): void {
    this.digest = Math.imul(this.digest ^ value, 0x01000193) + 0x9e3779b9 | 0;
  }

  /** Writes a line into the trace. */
  note(name: string, what: string): void {
    if (this.#trace.length >= TRACE_STEPS) this.#trace.shift();
    this.#trace.push({ at: this.now, name, what });
  }

  /** Answers whether it may have set something off. */
  #take(): boolean {
    const step = this.#pop();
    if (step === undefined) throw new Error("Nothing will ever happen again");
    const { owner, run, what } = step;
    if (run === null || owner?.isAlive === false) return false;
    if (owner !== null && owner.pausedUntil > step.at) {
      step.at = owner.pausedUntil;
      step.order = this.#order++;
      this.#push(step);
      return false;
    }
    step.run = null;
    this.now = Math.max(this.now, step.at);
    this.current = owner;
    this.steps += 1;
    this.mix(this.#codeOf(what) + this.now * 1024 | 0);
    this.note(owner?.name ?? "world", what);
    run();
    return owner !== null;
  }

  #codeOf(what: string): number {
    let code = this.#codes.get(what);
    if (code === undefined) {
      code = 7;
      for (let i = 0; i < what.length; i++) code = Math.imul(code, 31) + what.charCodeAt(i) | 0;
      this.#codes.set(what, code);
    }
    return code;
  }

  #push(step: Step): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(step);
    while (at > 0) {
      const parent = at - 1 >> 1;
      const above = heap[parent] as Step;
      if (!isBefore(step, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = step;
  }

  #pop(): Step | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && isBefore(heap[right] as Step, heap[child] as Step)) child = right;
      const below = heap[child] as Step;
      if (!isBefore(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
