/** A bot that trades small sizes both ways: as the trend has it, and as its purse allows. */
import { decimalOf, type OrderInput, type Venue } from "../../client.ts";
import { amountFor, type Market, readMarket } from "./market_terms.ts";
import { normal, type Random } from "./price_walk.ts";
import type { Purse } from "./purse.ts";
import type { WalkedPrices } from "./walked_prices.ts";

/** Median value of a trade, in the currency of values; its deviation, as a logarithm; its bounds. */
const [VALUE, DEVIATION] = [150, 1];
const [VALUE_MIN, VALUE_MAX] = [10, 8_000];
/** How often one is many times as large, and how many times. */
const [LARGE_SHARE, LARGE_TIMES] = [0.03, 6];
/** How much worse than the price it trades at most: one of so many parts. */
const PRICE_PARTS = 1_000n;
/** How much the trend, and what is missing in its purse, move the chance that it buys. */
const [BY_TREND, BY_PURSE] = [0.2, 0.5];
/** The least chance of either side. */
const CHANCE_MIN = 0.05;

/** A member that takes. */
export interface Taker {
  readonly venue: Venue;
  readonly purse: Purse;
}

/** Trades on one market, as one of several members. */
export class FlowTaker {
  readonly #takers: readonly Taker[];
  readonly #id: string;
  readonly #prices: WalkedPrices;
  readonly #random: Random;
  /** Null until it is read, and after each failure: its terms may have changed. */
  #market: Market | null = null;

  constructor(takers: readonly Taker[], id: string, prices: WalkedPrices, random: Random) {
    this.#takers = takers;
    this.#id = id;
    this.#prices = prices;
    this.#random = random;
  }

  /** Sends an order that takes what it meets. @throws {Error} as calls do */
  async step(signal: AbortSignal): Promise<void> {
    const taker = this.#takers[Math.floor(this.#random() * this.#takers.length)];
    if (taker === undefined) return;
    const market = this.#market ?? await readMarket(taker.venue, this.#id, { signal });
    this.#market = null;
    await taker.venue.placeOrder(this.#order(market, taker.purse), { signal });
    this.#market = market;
  }

  #order(market: Market, purse: Purse): OrderInput {
    const { id, base_unit, quote_unit, price_precision } = market;
    const excess = purse.excessOf(base_unit) - purse.excessOf(quote_unit);
    const wish = 0.5 + BY_TREND * this.#prices.trendOf(market) - BY_PURSE * excess;
    const chance = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, wish));
    const side = this.#random() < chance ? "buy" : "sell";
    const middle = this.#prices.priceOf(market);
    const worse = middle / PRICE_PARTS + 1n;
    const price = side === "buy" ? middle + worse : middle - worse;
    const times = this.#random() < LARGE_SHARE ? LARGE_TIMES : 1;
    const drawn = VALUE * times * Math.exp(DEVIATION * normal(this.#random));
    const value = BigInt(Math.round(100 * Math.min(VALUE_MAX, Math.max(VALUE_MIN, drawn))));
    return {
      market: id,
      side,
      type: "limit",
      time_in_force: "ioc",
      price: decimalOf(price, price_precision),
      amount: amountFor(market, value, this.#prices.valueOf(base_unit), price),
    };
  }
}
