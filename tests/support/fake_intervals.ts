/** Intervals that fire when a test says so, until this is disposed of. */
export class FakeIntervals {
  readonly #real = { setInterval, clearInterval };
  readonly #steps = new Map<number, { readonly step: () => void; readonly ms: number }>();

  constructor() {
    let last = 0;
    const set = (step: () => void, ms: number) => {
      this.#steps.set(++last, { step, ms });
      return last;
    };
    const clear = (id: number) => void this.#steps.delete(id);
    Object.assign(globalThis, { setInterval: set, clearInterval: clear });
  }

  /** The periods of the intervals, in ms. */
  get periods(): number[] {
    return [...this.#steps.values()].map(({ ms }) => ms);
  }

  /** Fires the intervals of one period once, or all of them. */
  fire(periodMs?: number): void {
    for (const { step, ms } of this.#steps.values()) if (ms === (periodMs ?? ms)) step();
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, this.#real);
  }
}
