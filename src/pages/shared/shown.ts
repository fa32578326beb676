/** State that pages show. It lives outside of components; what changes is shown once a frame. */
import { useSyncExternalStore } from "hono/jsx/dom";

/** What has changed since the last frame. */
const changed = new Set<Shown<unknown>>();

/** A value that components show. */
export class Shown<T> {
  #value: T;
  readonly #paceMs: number;
  #toldAt = -Infinity;
  readonly #listeners = new Set<() => void>();

  /** @param paceMs how long one change is shown before the next, where nobody could read faster */
  constructor(value: T, paceMs = 0) {
    this.#value = value;
    this.#paceMs = paceMs;
  }

  get value(): T {
    return this.#value;
  }

  /** Sets the value, which is shown in the next frame, or at its pace. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (changed.size === 0) askForFrame();
    changed.add(this as Shown<unknown>);
  }

  /** Calls a function in each frame before which the value has changed; returns what ends it. */
  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells all who show it, unless it has to wait; returns whether it has told them. */
  tell(now: number): boolean {
    if (now < this.#toldAt + this.#paceMs) return false;
    this.#toldAt = now;
    for (const listener of [...this.#listeners]) listener();
    return true;
  }
}

/** Returns a value as it is now, and shows the component anew when it changes. */
export function useShown<T>(shown: Shown<T>): T {
  return useSyncExternalStore(shown.subscribe, () => shown.value);
}

/** In a hidden tab there is none until it is looked at. */
function askForFrame(): void {
  const { requestAnimationFrame } = globalThis as unknown as {
    requestAnimationFrame: (draw: (now: number) => void) => number;
  };
  requestAnimationFrame(tellChanges);
}

function tellChanges(now: number): void {
  const waiting = [...changed];
  changed.clear();
  const early = waiting.filter((shown) => !shown.tell(now));
  if (early.length === 0) return;
  if (changed.size === 0) askForFrame();
  for (const shown of early) changed.add(shown);
}
