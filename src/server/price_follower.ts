/** Moves the prices of currencies that follow a market. */
import { isRejection } from "../domain/command.ts";
import { nextPrice, priceMarketOf } from "../domain/money/followed_price.ts";
import { formatDecimal } from "../domain/money/money.ts";
import { type Engine, isStoreAway } from "../engine/engine.ts";
import type { Logger } from "./logger.ts";

/** How often the prices are looked at, in ms: each moves once an hour at most. */
const LOOK_MS = 60_000;

/** What moves prices, and who is told. */
export interface PriceFollowerOptions {
  readonly engine: Pick<Engine, "venue" | "now" | "ticker" | "submit">;
  readonly logger: Pick<Logger, "info" | "error">;
}

/** Follows the markets of a venue; of several processes each does, and one of them moves a price. */
export class PriceFollower {
  readonly #options: PriceFollowerOptions;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: PriceFollowerOptions) {
    this.#options = options;
  }

  /** Follows from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Follows no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Moves the prices that are due. */
  async look(): Promise<void> {
    const { engine, logger } = this.#options;
    const dayOf = (market: number) => engine.ticker(market);
    for (const currency of engine.venue.currencies) {
      const price = nextPrice(engine.venue, currency, dayOf, engine.now());
      if (price === null) continue;
      const { id } = currency;
      try {
        const outcome = await engine.submit({ kind: "follow_price", id, price }, null);
        // Another process has just moved it.
        if (isRejection(outcome)) continue;
        const moved = { currency: id, market: priceMarketOf(currency) };
        const [from, to] = [formatDecimal(currency.price), formatDecimal(price)];
        logger.info("price_followed", { ...moved, from, to });
      } catch (error) {
        if (!isStoreAway(error)) logger.error("price_not_followed", { currency: id, error });
      }
    }
  }
}
