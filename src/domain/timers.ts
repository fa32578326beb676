/** When the cancel timers of keys fire. Follows the keys' records, which are what the log holds. */
import type { ApiKey } from "./member.ts";

/** The soonest deadline of each key that has one. */
export class Timers {
  /** In ms, by key index. */
  readonly #byKey = new Map<number, number>();
  /** Null where it has to be looked for. */
  #soonest: number | null = Infinity;

  /** The soonest of all, in ms; `Infinity` where no timer is set. */
  get soonest(): number {
    if (this.#soonest === null) {
      this.#soonest = Infinity;
      for (const at of this.#byKey.values()) this.#soonest = Math.min(this.#soonest, at);
    }
    return this.#soonest;
  }

  /** Takes what a key's record says; answers what was so before, for {@linkcode Timers.set}. */
  take(key: ApiKey): number {
    const before = this.#byKey.get(key.index) ?? Infinity;
    let soonest = Infinity;
    for (const { at } of key.cancelTimers ?? []) soonest = Math.min(soonest, at);
    this.set(key.index, soonest);
    return before;
  }

  /** Sets the soonest deadline of a key; `Infinity` for none. */
  set(key: number, at: number): void {
    const before = this.#byKey.get(key) ?? Infinity;
    if (at === before) return;
    if (at === Infinity) this.#byKey.delete(key);
    else this.#byKey.set(key, at);
    if (this.#soonest === null) return;
    if (at < this.#soonest) this.#soonest = at;
    else if (before === this.#soonest) this.#soonest = null;
  }

  /** Keys with a deadline that has come at `now` (ms), the oldest first. */
  due(now: number): number[] {
    if (this.soonest > now) return [];
    const due = [...this.#byKey].filter(([, at]) => at <= now);
    return due.sort(([key, at], [otherKey, otherAt]) => at - otherAt || key - otherKey)
      .map(([key]) => key);
  }
}
