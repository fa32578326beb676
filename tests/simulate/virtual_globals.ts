/** Replaces time and randomness of the process by a scheduler and a seed. */
import type { Prng } from "../support/prng.ts";
import type { Scheduler, Step } from "./scheduler.ts";

/** The virtual clock's time at the start of a run. */
export const START_MS = Date.UTC(2030, 0, 1);

/** The end of the last run that uses or awaits the globals. */
let last: Promise<void> = Promise.resolve();

/**
 * Runs with virtual timers, clocks and randomness instead of the real ones, after all earlier runs.
 */
export async function withVirtualGlobals<T>(
  scheduler: Scheduler,
  prng: Prng,
  run: () => Promise<T>,
): Promise<T> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  const restore = install(scheduler, prng);
  try {
    return await run();
  } finally {
    restore();
    resolve();
  }
}

/** Installs the virtual globals; returns a function that restores the real ones. */
function install(scheduler: Scheduler, prng: Prng): () => void {
  const timers = new VirtualTimers(scheduler);
  const restores = [
    ...timers.globals().map(([name, value]) => replace(globalThis, name, value)),
    replace(performance, "now", () => scheduler.now),
    replace(Date, "now", () => Math.floor(START_MS + scheduler.now)),
    replace(Math, "random", () => prng.uint32() / 2 ** 32),
    replace(crypto, "getRandomValues", (bytes: Uint8Array) => fill(bytes, prng)),
    replace(crypto, "randomUUID", () => randomUuid(prng)),
  ];
  return () => {
    for (const restore of restores) restore();
  };
}

/** Timers; each belongs to the owner of the step that sets it. */
class VirtualTimers {
  readonly #scheduler: Scheduler;
  readonly #steps = new Map<number, Step>();
  #id = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  globals(): [string, (...args: never[]) => unknown][] {
    const clear = (id?: number) => this.#clear(id);
    return [
      ["setTimeout", (run: () => void, ms = 0) => this.#set(run, Math.max(1, ms), "timer")],
      ["setInterval", (run: () => void, ms = 0) => this.#repeat(run, Math.max(1, ms))],
      ["setImmediate", (run: () => void) => this.#set(run, 0, "immediate")],
      ["clearTimeout", clear],
      ["clearInterval", clear],
    ];
  }

  #set(run: () => void, ms: number, what: string): number {
    const id = ++this.#id;
    this.#arm(id, ms, what, () => {
      this.#steps.delete(id);
      run();
    });
    return id;
  }

  #repeat(run: () => void, ms: number): number {
    const id = ++this.#id;
    const again = () => {
      this.#arm(id, ms, "interval", again);
      run();
    };
    this.#arm(id, ms, "interval", again);
    return id;
  }

  #arm(id: number, ms: number, what: string, run: () => void): void {
    const scheduler = this.#scheduler;
    this.#steps.set(id, scheduler.after(ms, scheduler.current, what, run));
  }

  #clear(id: number | undefined): void {
    const step = id === undefined ? undefined : this.#steps.get(id);
    if (step === undefined) return;
    this.#scheduler.cancel(step);
    this.#steps.delete(id as number);
  }
}

function replace(target: object, name: string, value: unknown): () => void {
  const old = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    if (old === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, old);
  };
}

function fill(bytes: Uint8Array, prng: Prng): Uint8Array {
  for (let i = 0; i < bytes.length; i++) bytes[i] = prng.uint32();
  return bytes;
}

function randomUuid(prng: Prng): string {
  const hex = Array.from({ length: 4 }, () => prng.uint32().toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[prng.below(4)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${
    hex.slice(17, 20)
  }-${hex.slice(20)}`;
}
