/** A price that wanders around a reference: calm and busy times, slow trends, and bounds. */

/** Parts of a price in which walks are counted. */
const MILLION = 1_000_000n;
/** How far a walk may lead from its reference, in millionths. */
export const FARTHEST = 80_000;

/** Standard deviation of a second's step on a usual day, in millionths. */
const STEP = 60;
/** That of a trend, in millionths a second. */
const TREND = 4;
/** That of the logarithm by which steps are larger or smaller than usual. */
const UNREST = 0.5;
/** How long a trend, a busy time and a way from the reference last, in seconds. */
const [TREND_LASTS, UNREST_LASTS, WAY_LASTS] = [300, 900, 21_600];
/** The longest time that is walked at once, in seconds: after a pause nobody expects a jump. */
const SECONDS_MAX = 10;

/** Returns a number from 0 up to 1, as `Math.random` does. */
export type Random = () => number;

/** A price that is walked; its steps are random, but the prices are exact. */
export class PriceWalk {
  readonly #reference: bigint;
  readonly #random: Random;
  /** Way from the reference, in millionths; trend, in millionths a second; unrest, a logarithm. */
  #way = 0;
  #trend = 0;
  #unrest = 0;

  /** @param reference in whole units, of which it should have some millions */
  constructor(reference: bigint, random: Random = Math.random) {
    this.#reference = reference;
    this.#random = random;
  }

  /** The price, in the units of the reference. */
  get price(): bigint {
    return this.#reference * (MILLION + BigInt(Math.round(this.#way))) / MILLION;
  }

  /** Where the trend leads: from -1, downwards, to 1. */
  get trend(): number {
    return bounded(this.#trend / (2 * TREND), 1);
  }

  /** Goes on from a price, or from the bound that is next to it. */
  continueAt(price: bigint): void {
    this.#way = bounded(Number(price * MILLION / this.#reference - MILLION), FARTHEST);
  }

  /** Walks for so many seconds, at most ten. */
  walk(seconds: number): void {
    const time = Math.min(Math.max(seconds, 0), SECONDS_MAX);
    this.#trend = this.#pulled(this.#trend, TREND, TREND_LASTS, time);
    this.#unrest = this.#pulled(this.#unrest, UNREST, UNREST_LASTS, time);
    const step = STEP * Math.exp(this.#unrest) * Math.sqrt(time) * this.#normal();
    const back = this.#way * time / WAY_LASTS;
    this.#way = bounded(this.#way + this.#trend * time + step - back, FARTHEST);
  }

  /** Moves what is pulled back to zero, and keeps its deviation. */
  #pulled(value: number, deviation: number, lasts: number, time: number): number {
    return value * (1 - time / lasts) + deviation * Math.sqrt(2 * time / lasts) * this.#normal();
  }

  #normal(): number {
    return normal(this.#random);
  }
}

/** Returns a random number of the normal distribution, with a deviation of 1. */
export function normal(random: Random): number {
  // The first is never 0.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
