/**
 * Virtual time: every answer, timer and fault is a step at its time, and steps run one after the
 * other. Everything that a step triggers completes before the next step, so timers and calls can be
 * attributed to the current step's owner.
 */
import { setImmediate as setRealImmediate } from "node:timers";

/** The owner of steps. Those of a dead owner never run, those of a paused one are delayed. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Virtual time until which its steps are delayed, in ms. */
  pausedUntil: number;
}

/** A scheduled step. */
export interface Step {
  at: number;
  order: number;
  readonly owner: Owner | null;
  /** Constant name for the trace. */
  readonly what: string;
  run: (() => void) | null;
}

/** A completed step, for the trace of a failure. */
interface Taken {
  readonly at: number;
  readonly name: string;
  readonly what: string;
}

const TRACE_STEPS = 60;
/** Maximum number of consecutive steps that trigger nothing before real events are let in. */
const SILENT_STEPS_MAX = 1000;

/** Runs steps in the order of their time, then of their creation. */
export class Scheduler {
  /** Virtual time since the run began, in ms. */
  now = 0;
  /** The owner of the current step. */
  current: Owner | null = null;
  /** Number of steps run so far. */
  steps = 0;
  /** A digest that differs if any step of two runs differed. */
  digest = 0;
  readonly #heap: Step[] = [];
  #order = 0;
  readonly #codes = new Map<string, number>();
  readonly #trace: Taken[] = [];

  /** Schedules a step in `ms`; with the owner `null` it always runs. */
  after(ms: number, owner: Owner | null, what: string, run: () => void): Step {
    const step: Step = { at: this.now + ms, order: this.#order++, owner, what, run };
    this.#push(step);
    return step;
  }

  /** Cancels a step. */
  cancel(step: Step): void {
    step.run = null;
  }

  /** Runs steps until `isDone` returns true; rejects with what a step throws. */
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

  /** Returns the last steps, oldest first. */
  trace(): string[] {
    return this.#trace.map(({ at, name, what }) => `${at.toFixed(3)} ${name} ${what}`);
  }

  /** Mixes a number into the digest. */
  mix(value: number): void {
    this.digest = Math.imul(this.digest ^ value, 0x01000193) + 0x9e3779b9 | 0;
  }

  /** Adds a line to the trace. */
  note(name: string, what: string): void {
    if (this.#trace.length >= TRACE_STEPS) this.#trace.shift();
    this.#trace.push({ at: this.now, name, what });
  }

  /** Runs the next step; returns whether it may have triggered anything. */
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
