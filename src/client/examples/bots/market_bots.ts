/** Bots that keep a venue's markets moving: one member quotes on all of them, others trade. */
import { type Key, unitsOf, Venue } from "../../client.ts";
import { sleep } from "../../calls/caller.ts";
import { FlowTaker, type Taker } from "./flow_taker.ts";
import { keepUp } from "./kept_up.ts";
import { LadderMaker } from "./ladder_maker.ts";
import type { Random } from "./price_walk.ts";
import { Purse } from "./purse.ts";
import { WalkedPrices } from "./walked_prices.ts";

/** A bot's key, and what its member began with: currency → amount. */
export interface BotMember {
  readonly key: Key;
  readonly balances: Readonly<Record<string, string>>;
}

/** Which bots trade where. */
export interface MarketBotsOptions {
  /** Where the venue is. */
  readonly url: string;
  readonly maker: BotMember;
  readonly takers: readonly BotMember[];
  /** Market id → how often its quotes move, in ms on average. */
  readonly markets: Readonly<Record<string, number>>;
  /** Currency → what it is usually worth, in one of them. */
  readonly values: Readonly<Record<string, string>>;
  /** Hears of a bot that keeps failing, and with null that it is well again. */
  readonly onTrouble: (bot: string, error: unknown) => void;
  readonly fetch?: typeof fetch | undefined;
  readonly random?: Random | undefined;
}

/** Seconds after which the venue takes the quotes back if the program is gone; beats, in ms. */
const [HEARTBEAT_S, BEAT_MS] = [60, 20_000];
/** How often bots look at what they have, in ms. */
const PURSE_MS = 60_000;
/** A market's trades are this much rarer than moves of its quotes. */
const TRADES_RARER = 2.5;
/** How long the quotes need to be there before anybody trades, in ms. */
const QUOTED_MS = 1_000;
/** How long, in the end, calls under way and then taking the quotes back may last, in ms. */
const [CALLS_MS, STOP_MS] = [300, 800];

/** A bot as it is run. */
interface Bot extends Taker {
  readonly name: string;
}

/** Bots that trade until they are stopped. */
export class MarketBots {
  readonly #options: MarketBotsOptions;
  readonly #maker: Bot;
  readonly #takers: readonly Bot[];
  readonly #prices: WalkedPrices;
  readonly #random: Random;
  readonly #ended = new AbortController();
  /** Gives up calls that are under way. */
  readonly #cut = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  private constructor(options: MarketBotsOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#maker = this.#botOf(options.maker);
    this.#takers = options.takers.map((taker) => this.#botOf(taker));
    this.#prices = new WalkedPrices(options.values, this.#random);
  }

  /** Starts them; what the venue refuses they try again. */
  static start(options: MarketBotsOptions): MarketBots {
    const bots = new MarketBots(options);
    bots.#running = bots.#run();
    return bots;
  }

  /** Ends them, and takes their quotes back if the venue does so at once. */
  async stop(): Promise<void> {
    this.#ended.abort();
    // What is being placed is not yet there to be taken back.
    const timer = setTimeout(() => this.#cut.abort(), CALLS_MS);
    await this.#running;
    clearTimeout(timer);
    const signal = AbortSignal.timeout(STOP_MS);
    // Otherwise the heartbeat, which is no more, has them taken back.
    await this.#maker.venue.cancelOrders({}, { signal }).catch(() => {});
  }

  #botOf({ key, balances }: BotMember): Bot {
    const { url, fetch } = this.#options;
    const venue = new Venue(url, { key, fetch });
    return { name: key.kid, venue, purse: new Purse(venue, balances) };
  }

  async #run(): Promise<void> {
    const begun = new AbortController();
    const either = AbortSignal.any([this.#ended.signal, begun.signal]);
    await this.#keepUp("begin", 0, async (signal) => {
      await this.#begin(signal);
      begun.abort();
    }, either);
    await Promise.all([
      this.#keepUp("heartbeat", BEAT_MS, (signal) => this.#beat(signal)),
      ...[this.#maker, ...this.#takers].map(({ name, purse }) =>
        this.#keepUp(`purse of ${name}`, PURSE_MS, (signal) => purse.look(signal))
      ),
      ...Object.entries(this.#options.markets).flatMap(([id, ms]) => [
        this.#quote(id, ms),
        this.#trade(id, ms * TRADES_RARER),
      ]),
    ]);
  }

  /** Takes back what an earlier run has left, and goes on from the last prices. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { venue } = this.#maker;
    await this.#beat(signal);
    await venue.cancelOrders({}, { signal });
    const markets = await venue.get("/api/v2/backend/public/markets", { signal });
    const tickers = await venue.get("/api/v2/backend/public/markets/tickers", { signal });
    for (const market of markets) {
      const last = tickers[market.id]?.ticker.last;
      if (last === undefined) continue;
      this.#prices.continueAt(market, unitsOf(last, market.price_precision));
    }
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const body = { timeout: String(HEARTBEAT_S) };
    await this.#maker.venue.post("/api/v2/trading/market/orders/cancel_all_after", {
      body,
      signal,
    });
  }

  #quote(id: string, ms: number): Promise<void> {
    const maker = new LadderMaker(this.#maker.venue, id, this.#prices, this.#random);
    const pauseMs = () => ms * (0.4 + 1.2 * this.#random());
    return this.#keepUp(`quotes of ${id}`, pauseMs, (signal) => maker.step(signal));
  }

  async #trade(id: string, ms: number): Promise<void> {
    const { signal } = this.#ended;
    await sleep(QUOTED_MS, signal).catch(() => {});
    const taker = new FlowTaker(this.#takers, id, this.#prices, this.#random);
    // As if each trade came from somebody else: at any time, whenever the last one was.
    const pauseMs = () => Math.min(5, -Math.log(1 - this.#random())) * ms;
    await this.#keepUp(`trades on ${id}`, pauseMs, (signal) => taker.step(signal));
  }

  #keepUp(
    name: string,
    pause: number | (() => number),
    step: (signal: AbortSignal) => Promise<void>,
    ended: AbortSignal = this.#ended.signal,
  ): Promise<void> {
    const pauseMs = typeof pause === "number" ? () => pause : pause;
    const onTrouble = (error: unknown) => this.#options.onTrouble(name, error);
    return keepUp({ step: () => step(this.#cut.signal), pauseMs, onTrouble }, ended);
  }
}
