import { assertEquals } from "@std/assert";
import type { Frame } from "./stream_client.ts";

/** A book as a client rebuilds it from its stream; asserts that no message is missing. */
export class RebuiltBook {
  readonly #market: string;
  readonly #sides = { asks: new Map<string, string>(), bids: new Map<string, string>() };
  sequence = 0;
  /** Number of messages applied after the snapshot. */
  count = 0;

  constructor(market: string) {
    this.#market = market;
  }

  take(frame: Frame): void {
    const snapshot = frame[`${this.#market}.ob-snap`];
    const increment = frame[`${this.#market}.ob-inc`];
    const changes = frame[`${this.#market}.ob-levels`];
    if (snapshot !== undefined) {
      for (const side of ["asks", "bids"] as const) {
        this.#sides[side].clear();
        for (const [price, volume] of snapshot[side]) this.#sides[side].set(price, volume);
      }
      this.sequence = snapshot.sequence;
    } else if (increment !== undefined) {
      this.#follow(frame, increment.sequence);
      this.#change("asks", increment.asks);
      this.#change("bids", increment.bids);
    } else if (changes !== undefined) {
      this.#follow(frame, changes.sequence);
      for (const side of ["asks", "bids"] as const) {
        for (const level of changes[side]) this.#change(side, level);
      }
    }
  }

  #follow(frame: Frame, inner: number): void {
    assertEquals([frame.sequence, inner], [this.sequence + 1, this.sequence + 1]);
    this.sequence += 1;
    this.count += 1;
  }

  /** The levels from the highest price to the lowest, in the format of the depth endpoint. */
  depth(): { asks: string[][]; bids: string[][] } {
    return { asks: levelsOf(this.#sides.asks), bids: levelsOf(this.#sides.bids) };
  }

  #change(side: "asks" | "bids", level: readonly [string, string] | undefined): void {
    if (level === undefined) return;
    const [price, volume] = level;
    if (volume === "0") this.#sides[side].delete(price);
    else this.#sides[side].set(price, volume);
  }
}

function levelsOf(side: ReadonlyMap<string, string>): string[][] {
  return [...side].sort(([a], [b]) => Number(b) - Number(a)).map((level) => [...level]);
}
