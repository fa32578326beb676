/** A bot that makes a market: a ladder of orders around a price that wanders. */
import { decimalOf, type OrderInput, unitsOf, type Venue, VenueError } from "../../client.ts";
import { ladderChanges, type NewRung, type Side } from "./ladder.ts";
import { amountFor, type Market, readMarket } from "./market_terms.ts";
import type { Random } from "./price_walk.ts";
import type { WalkedPrices } from "./walked_prices.ts";

/** Orders of one call at most: an operator may allow few. */
const ORDERS_PER_CALL = 10;
const INSUFFICIENT = "market.account.insufficient_balance";
/** More than a ladder has. */
const ORDERS_MAX = 200;

/** Quotes on one market. */
export class LadderMaker {
  readonly #venue: Venue;
  readonly #id: string;
  readonly #prices: WalkedPrices;
  readonly #random: Random;
  /** Null until it is read, and after each failure: its terms may have changed. */
  #market: Market | null = null;

  constructor(venue: Venue, id: string, prices: WalkedPrices, random: Random) {
    this.#venue = venue;
    this.#id = id;
    this.#prices = prices;
    this.#random = random;
  }

  /** Moves the ladder to where the price is by now. @throws {Error} as calls do */
  async step(signal: AbortSignal): Promise<void> {
    const market = this.#market ?? await readMarket(this.#venue, this.#id, { signal });
    this.#market = null;
    const query = { market: market.id, state: "wait", limit: ORDERS_MAX } as const;
    const open = await this.#venue.get("/api/v2/backend/market/orders", { query, signal });
    const middle = this.#prices.priceOf(market);
    const sides = (["buy", "sell"] as const).map((side) => {
      const rungs = open.filter((order) => order.side === side).map(({ id, price }) => ({
        id,
        price: unitsOf(price ?? "0", market.price_precision),
      }));
      return { side, ...ladderChanges(side, rungs, middle, this.#random) };
    });
    // What the price has passed goes first, or it would meet what is placed.
    for (const ids of inParts(sides.flatMap(({ cancelled }) => cancelled))) {
      await this.#venue.delete("/api/v2/trading/market/bulk/orders_by_id", { body: ids, signal });
    }
    await this.#place(
      sides.map(({ side, placed }) => this.#orders(market, side, placed)),
      signal,
    );
    this.#market = market;
  }

  /** Places the orders of both sides; who lacks one currency can still quote with the other. */
  async #place(sides: readonly OrderInput[][], signal: AbortSignal): Promise<void> {
    const all = sides.flat();
    if (all.length === 0) return;
    if (all.length <= ORDERS_PER_CALL) {
      const lacking = await this.#venue.placeOrders(all, { signal }).then(() => null, lackOf);
      if (lacking === null) return;
    }
    const settled = await Promise.allSettled(sides.map(async (orders) => {
      for (const part of inParts(orders)) await this.#venue.placeOrders(part, { signal });
    }));
    const failed = settled.flatMap((one) => one.status === "rejected" ? [one.reason] : []);
    if (failed.length === sides.length) throw failed[0];
  }

  #orders(market: Market, side: Side, rungs: readonly NewRung[]): OrderInput[] {
    const baseValue = this.#prices.valueOf(market.base_unit);
    // Not only as a maker: who bids too much is taken at the word.
    return rungs.map(({ price, value }) => ({
      market: market.id,
      side,
      type: "limit",
      price: decimalOf(price, market.price_precision),
      amount: amountFor(market, BigInt(Math.round(value * 100)), baseValue, price),
    }));
  }
}

/** Returns the refusal for want of a currency. @throws whatever else it is */
function lackOf(error: unknown): VenueError {
  if (error instanceof VenueError && error.code === INSUFFICIENT) return error;
  throw error;
}

function inParts<One>(all: readonly One[]): One[][] {
  const parts: One[][] = [];
  for (let from = 0; from < all.length; from += ORDERS_PER_CALL) {
    parts.push(all.slice(from, from + ORDERS_PER_CALL));
  }
  return parts;
}
