/** State that pages show. It lives outside of components; what changes is shown once a frame. */
import { useSyncExternalStore } from "hono/jsx/dom";

/** What has changed since the last frame. */
const changed = new Set<Shown<unknown>>();

/** A value that components show. */
export class Shown<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Sets the value, which is shown in the next frame. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (changed.size === 0) requestAnimationFrame(tellChanges);
    changed.add(this as Shown<unknown>);
  }

  /** Calls a function in each frame before which the value has changed; returns what ends it. */
  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells all who show it. */
  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Returns a value as it is now, and shows the component anew when it changes. */
export function useShown<T>(shown: Shown<T>): T {
  return useSyncExternalStore(shown.subscribe, () => shown.value);
}

function tellChanges(): void {
  const told = [...changed];
  changed.clear();
  for (const shown of told) shown.tell();
}
