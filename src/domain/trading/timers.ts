/** When the cancel timers of keys fire, by the keys' records in the log. */
import { present } from "../assert.ts";
import type { ApiKey } from "../people/member.ts";

/** Stale deadlines in the heap, beyond one for each key, before it is rebuilt. */
const STALE_MAX = 64;

interface Deadline {
  /** Key index. */
  readonly key: number;
  /** In ms. */
  readonly at: number;
}

/** The soonest deadline of each key that has one. */
export class Timers {
  /** In ms, by key index. */
  readonly #byKey = new Map<number, number>();
  /**
   * A heap, the soonest first. Bots keep postponing their timers, most often the one that would
   * fire next, so a stale deadline stays until it is the first.
   */
  #heap: Deadline[] = [];

  /** The soonest deadline of all, in ms; `Infinity` if no timer is set. */
  get soonest(): number {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#byKey.get(first.key) === first.at) return first.at;
      this.#dropFirst();
    }
    return Infinity;
  }

  /** Takes over a key's record; returns its previous deadline, for {@linkcode Timers.set}. */
  take(key: ApiKey): number {
    const before = this.#byKey.get(key.index) ?? Infinity;
    let soonest = Infinity;
    for (const { at } of key.cancelTimers ?? []) soonest = Math.min(soonest, at);
    this.set(key.index, soonest);
    return before;
  }

  /** Sets the soonest deadline of a key, in ms; `Infinity` for none. */
  set(key: number, at: number): void {
    const before = this.#byKey.get(key) ?? Infinity;
    if (at === before) return;
    if (at === Infinity) {
      this.#byKey.delete(key);
      return;
    }
    this.#byKey.set(key, at);
    if (this.#heap.length >= 2 * this.#byKey.size + STALE_MAX) this.#renew();
    else this.#add({ key, at });
  }

  /** Returns the keys whose deadline has passed at `now` (ms), the earliest deadline first. */
  due(now: number): number[] {
    if (this.soonest > now) return [];
    const due = [...this.#byKey].filter(([, at]) => at <= now);
    return due.sort(([key, at], [otherKey, otherAt]) => at - otherAt || key - otherKey)
      .map(([key]) => key);
  }

  /** Rebuilds the heap without stale deadlines; sorted, they are a heap. */
  #renew(): void {
    this.#heap = [...this.#byKey].map(([key, at]) => ({ key, at })).sort((a, b) => a.at - b.at);
  }

  #add(deadline: Deadline): void {
    const heap = this.#heap;
    let place = heap.length;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const parent = present(heap[above], "a heap has no holes");
      if (parent.at <= deadline.at) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = deadline;
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    while (true) {
      let below = 2 * place + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left === undefined) break;
      const child = right !== undefined && right.at < left.at ? right : left;
      if (child === right) below += 1;
      if (child.at >= last.at) break;
      heap[place] = child;
      place = below;
    }
    heap[place] = last;
  }
}
