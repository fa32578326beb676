/** Intervals that come round when a test says so, as long as this is not disposed of. */
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

  /** How often each comes round, in ms. */
  get pauses(): number[] {
    return [...this.#steps.values()].map(({ ms }) => ms);
  }

  /** Lets those of a pause come round once, or all. */
  fire(pauseMs?: number): void {
    for (const { step, ms } of this.#steps.values()) if (ms === (pauseMs ?? ms)) step();
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, this.#real);
  }
}
