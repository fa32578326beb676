/** A market of the demo in which much goes on: quotes that move, and trades. */
import { Venue, VenueError } from "../../../src/client/client.ts";
import type { OrderSocket } from "../../../src/client/orders/order_socket.ts";
import { Prng } from "../../support/prng.ts";

const MARKET = "btcusdt";
const MIDDLE = 20_000;
const TICK_MS = 20;
/** Quotes placed and taken away on each side, and trades, in each tick: 200 and 50 a second. */
const QUOTES_PER_TICK = 2;
/** How many quotes a side keeps. */
const DEPTH = 60;
/** Prices of a side, half a unit apart. */
const PRICES = 90;

type Side = "buy" | "sell";
const SIDES: readonly Side[] = ["buy", "sell"];

/** How much has happened in how long. */
export interface MarketFigures {
  readonly bookChanges: number;
  readonly trades: number;
  readonly seconds: number;
}

/** Alice quotes, bob trades. */
export class BusyMarket implements Disposable {
  readonly #clients: readonly Venue[];
  readonly #maker: OrderSocket;
  readonly #taker: OrderSocket;
  readonly #quotes: Record<Side, string[]> = { buy: [], sell: [] };
  readonly #prng = new Prng(45);
  #bookChanges = 0;
  #trades = 0;

  private constructor(url: string) {
    const client = (name: string) =>
      new Venue(url, { key: { kid: `demo-${name}`, secret: `demo-${name}-secret` } });
    const [alice, bob] = [client("alice"), client("bob")];
    this.#clients = [alice, bob];
    this.#maker = alice.orderSocket();
    this.#taker = bob.orderSocket();
  }

  /** Opens the sockets and fills the book. */
  static async open(url: string): Promise<BusyMarket> {
    const market = new BusyMarket(url);
    await Promise.all([market.#maker.opened(), market.#taker.opened()]);
    for (let i = 0; i < DEPTH; i++) await Promise.all(SIDES.map((side) => market.#quote(side)));
    return market;
  }

  /** Goes on for this long. */
  async run(seconds: number): Promise<MarketFigures> {
    const start = performance.now();
    const [changesBefore, tradesBefore] = [this.#bookChanges, this.#trades];
    const pending: Promise<void>[] = [];
    for (let tick = 0; tick < seconds * 1000 / TICK_MS; tick++) {
      const waitMs = start + tick * TICK_MS - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      for (let i = 0; i < QUOTES_PER_TICK; i++) {
        const side = SIDES[i % 2] ?? "buy";
        pending.push(this.#quote(side), this.#withdraw(side));
      }
      pending.push(this.#take(SIDES[tick % 2] ?? "buy"));
    }
    await Promise.all(pending);
    return {
      bookChanges: this.#bookChanges - changesBefore,
      trades: this.#trades - tradesBefore,
      seconds: (performance.now() - start) / 1000,
    };
  }

  [Symbol.dispose](): void {
    this.#maker.close();
    this.#taker.close();
    for (const client of this.#clients) client.close();
  }

  async #quote(side: Side): Promise<void> {
    const away = this.#prng.between(1, PRICES) / 2;
    const { uuid } = await this.#maker.placeOrder({
      market: MARKET,
      side,
      type: "limit",
      price: (MIDDLE + (side === "buy" ? -away : away)).toFixed(1),
      amount: (this.#prng.between(100, 400) / 1000).toFixed(3),
    });
    this.#quotes[side].push(uuid);
    this.#bookChanges += 1;
  }

  async #withdraw(side: Side): Promise<void> {
    const quotes = this.#quotes[side];
    if (quotes.length < DEPTH) return;
    const uuid = quotes.shift();
    if (uuid === undefined) return;
    await this.#maker.cancelOrder(uuid);
    this.#bookChanges += 1;
  }

  async #take(side: Side): Promise<void> {
    try {
      await this.#taker.placeOrder({ market: MARKET, side, type: "market", amount: "0.001" });
      this.#trades += 1;
    } catch (error) {
      // Where nothing is quoted for a moment.
      if (!(error instanceof VenueError)) throw error;
    }
  }
}
