import type { Frame } from "./stream_client.ts";

/** The levels that the stream keeps. */
const LEVELS_MAX = 300;

type Level = readonly [price: string, volume: string];

/**
 * A book as a client has it that begins with a depth read over HTTP and follows it by the stream, as
 * the guide says: a depth older than the stream's snapshot is read again, messages up to the depth's event are skipped, and after the first whole push the 300
 * best levels of each side are kept.
 */
export class FollowedDepth {
  readonly #market: string;
  readonly #sides = { asks: new Map<string, string>(), bids: new Map<string, string>() };
  #isCut = false;
  /** Number of the last event that it includes. */
  event = 0;
  /** How often it has been whole. */
  wholes = 0;

  constructor(market: string) {
    this.#market = market;
  }

  /**
   * Begins with a depth, if it is not older than the stream's snapshot.
   *
   * @param snapshot the frame with which the stream has begun
   */
  begin(depth: Frame, snapshot: Frame): boolean {
    if (depth.event < snapshot.event) return false;
    this.event = depth.event;
    this.#change("asks", depth.asks);
    this.#change("bids", depth.bids);
    return true;
  }

  /** Takes a frame, and returns whether the book is whole now. */
  take(frame: Frame): boolean {
    const levels = frame[`${this.#market}.ob-levels`];
    const one = frame[`${this.#market}.ob-inc`];
    const changed = levels ?? one;
    if (changed === undefined || frame.event <= this.event) return false;
    if (levels !== undefined) {
      this.#change("asks", levels.asks);
      this.#change("bids", levels.bids);
    } else {
      this.#change("asks", one.asks === undefined ? [] : [one.asks]);
      this.#change("bids", one.bids === undefined ? [] : [one.bids]);
    }
    if (frame.last !== true) return false;
    this.event = frame.event;
    if (!this.#isCut) this.#cut();
    this.wholes += 1;
    return true;
  }

  /** The levels from the highest price to the lowest, as depths have them. */
  depth(): { asks: Level[]; bids: Level[] } {
    return { asks: this.#levels("asks"), bids: this.#levels("bids") };
  }

  #cut(): void {
    this.#isCut = true;
    const gone = [
      ...this.#levels("asks").slice(0, -LEVELS_MAX),
      ...this.#levels("bids").slice(LEVELS_MAX),
    ];
    for (const [price] of gone) {
      this.#sides.asks.delete(price);
      this.#sides.bids.delete(price);
    }
  }

  #levels(side: "asks" | "bids"): Level[] {
    return [...this.#sides[side]].sort(([a], [b]) => Number(b) - Number(a));
  }

  #change(side: "asks" | "bids", levels: readonly Level[]): void {
    for (const [price, volume] of levels) {
      if (volume === "0") this.#sides[side].delete(price);
      else this.#sides[side].set(price, volume);
    }
  }
}
