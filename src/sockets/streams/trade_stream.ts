/** `<market>.trades`: every trade, as the public sees it. */
import type { Trade } from "../../domain/event.ts";
import { marketTradeOf } from "../../domain/trading/trade_record.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Hub } from "../sending/hub.ts";
import { TradeMade } from "./market_contents.ts";
import { isOfListedMarket } from "./book_of_stream.ts";
import { Portions } from "../sending/portions.ts";
import { StreamMessage } from "../stream_message.ts";
import type { StreamSource, Topic } from "../sending/subscription.ts";

/** Last part of the stream's name. */
const TRADES_SUFFIX = "trades";

/**
 * Frames that may wait. Trades that come faster than they can be sent would pile up, each later
 * than the last; above this, new trades wait until earlier frames are sent.
 */
export const FRAMES_WAITING_MAX = 250_000;

/** What the stream needs of the engine. */
export type TradeStreamEngine = Pick<Engine, "venue" | "onEvent" | "whenHeard">;

/** The trades of markets that are being read. */
export class TradeStream implements StreamSource {
  readonly access = "public";
  readonly #hub: Hub;
  readonly #engine: TradeStreamEngine;
  /** Number of each market's trades, by market index: the last sequence of its stream. */
  readonly #sequences: number[] = [];
  /** The messages being sent. */
  readonly #sending = new Map<Topic, Portions>();

  constructor(hub: Hub, engine: TradeStreamEngine) {
    this.#hub = hub;
    this.#engine = engine;
    engine.onEvent((event, _sequence, at) => {
      if (event.kind === "trade") engine.whenHeard(() => this.#tell(event, at));
    });
  }

  has(stream: string): boolean {
    return isOfListedMarket(this.#engine.venue, stream, TRADES_SUFFIX);
  }

  /** Readers begin with the next trade. */
  begin(): void {}

  end(topic: Topic): void {
    this.#sending.delete(topic);
  }

  #tell(event: Trade, at: number): void {
    // Counted whether or not anybody reads: a client that comes back sees a gap if it missed any.
    const sequence = (this.#sequences[event.market] ?? 0) + 1;
    this.#sequences[event.market] = sequence;
    const { market } = this.#engine.venue.book(event.market);
    const topic = this.#hub.topic(`${market.id}.${TRADES_SUFFIX}`);
    if (topic === undefined) return;
    const content = new TradeMade(market, marketTradeOf(event, at));
    const message = new StreamMessage(topic.stream, sequence, content);
    const sending = this.#sending.get(topic) ?? new Portions(topic);
    this.#sending.set(topic, sending);
    void sending.send(message);
    while (sending.frames > FRAMES_WAITING_MAX) sending.sendPortion();
  }
}
