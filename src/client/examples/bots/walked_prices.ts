/** Prices of all markets from walks of their currencies, so that no detour is cheaper than another. */
import { unitsOf } from "../../client.ts";
import { PriceWalk, type Random } from "./price_walk.ts";

/** Digits of a currency's value. */
export const VALUE_DIGITS = 12;

/** What is known of a market. */
export interface WalkedMarket {
  readonly base_unit: string;
  readonly quote_unit: string;
  readonly price_precision: number;
}

/** Values of currencies, in one of them, that wander; and the prices that follow from them. */
export class WalkedPrices {
  readonly #walks: ReadonlyMap<string, PriceWalk>;
  readonly #now: () => number;
  #walkedAt: number;

  /**
   * @param values currency → its usual value as a decimal; whose is 1 stays
   * @param now a clock in ms
   */
  constructor(
    values: Readonly<Record<string, string>>,
    random: Random = Math.random,
    now: () => number = () => performance.now(),
  ) {
    const walkOf = (value: string) => new PriceWalk(unitsOf(value, VALUE_DIGITS), random);
    this.#walks = new Map(Object.entries(values).map(([id, value]) => [id, walkOf(value)]));
    this.#now = now;
    this.#walkedAt = now();
    this.#one = Object.keys(values).find((id) => Number(values[id]) === 1) ?? "";
  }

  /** The currency in which values are counted. */
  readonly #one: string;

  /** Returns a market's price as it is by now, in ticks. @throws {RangeError} as `valueOf` */
  priceOf({ base_unit, quote_unit, price_precision }: WalkedMarket): bigint {
    this.#walk();
    const [base, quote] = [this.valueOf(base_unit), this.valueOf(quote_unit)];
    return base * 10n ** BigInt(price_precision) / quote;
  }

  /** Where a market's price leads: from -1, downwards, to 1. */
  trendOf({ base_unit, quote_unit }: WalkedMarket): number {
    const trendOf = (id: string) => id === this.#one ? 0 : this.#walks.get(id)?.trend ?? 0;
    return Math.min(1, Math.max(-1, trendOf(base_unit) - trendOf(quote_unit)));
  }

  /** Goes on from a market's last price, where that tells a currency's value. */
  continueAt({ base_unit, quote_unit, price_precision }: WalkedMarket, last: bigint): void {
    if (quote_unit !== this.#one || last <= 0n) return;
    this.#walks.get(base_unit)?.continueAt(
      last * 10n ** BigInt(VALUE_DIGITS) / 10n ** BigInt(price_precision),
    );
  }

  /** Returns what one of a currency is worth. @throws {RangeError} if nobody knows */
  valueOf(id: string): bigint {
    const value = id === this.#one ? 10n ** BigInt(VALUE_DIGITS) : this.#walks.get(id)?.price;
    if (value === undefined) throw new RangeError(`nobody knows what "${id}" is worth`);
    return value;
  }

  #walk(): void {
    const now = this.#now();
    for (const walk of this.#walks.values()) walk.walk((now - this.#walkedAt) / 1000);
    this.#walkedAt = now;
  }
}
