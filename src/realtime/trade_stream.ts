/** `<market>.trades`: every trade, as everybody may see it. */
import type { VenueEvent } from "../domain/event.ts";
import { marketTradeOf } from "../domain/trade_record.ts";
import type { Engine } from "../engine/engine.ts";
import type { Hub, StreamSource, Topic } from "./hub.ts";
import { TradeMade } from "./market_contents.ts";
import { marketOfStream } from "./market_stream.ts";
import { deliverInPortions } from "./portions.ts";
import { StreamMessage } from "./stream_message.ts";

/** Last part of the stream's name. */
const TRADES_SUFFIX = "trades";

/** Frames that are sent before others get their turn. */
const PORTION_FRAMES = 250;

/** What of the engine the stream needs. */
export type TradeStreamEngine = Pick<Engine, "venue" | "onEvent">;

/** The trades of markets that somebody reads. */
export class TradeStream implements StreamSource {
  readonly access = "public";
  readonly #hub: Hub;
  readonly #engine: TradeStreamEngine;
  /** Last number of each market's stream, by market index. */
  readonly #sequences: number[] = [];
  /** What is made while the messages before it are sent. */
  readonly #waiting = new Map<Topic, StreamMessage[]>();

  constructor(hub: Hub, engine: TradeStreamEngine) {
    this.#hub = hub;
    this.#engine = engine;
    engine.onEvent((event, _sequence, at) => this.#take(event, at));
  }

  has(stream: string): boolean {
    return marketOfStream(this.#engine.venue, stream, TRADES_SUFFIX) !== null;
  }

  /** Readers begin with the next trade. */
  begin(): void {}

  #take(event: VenueEvent, at: number): void {
    if (event.kind !== "trade") return;
    const { market } = this.#engine.venue.book(event.market);
    const topic = this.#hub.topic(`${market.id}.${TRADES_SUFFIX}`);
    if (topic === undefined) return;
    const sequence = (this.#sequences[market.index] ?? 0) + 1;
    this.#sequences[market.index] = sequence;
    const content = new TradeMade(market, marketTradeOf(event, at));
    const message = new StreamMessage(topic.stream, sequence, content);
    const waiting = this.#waiting.get(topic);
    if (waiting === undefined) void this.#send(topic, message);
    else waiting.push(message);
  }

  async #send(topic: Topic, first: StreamMessage): Promise<void> {
    const waiting: StreamMessage[] = [];
    this.#waiting.set(topic, waiting);
    for (let messages = [first]; messages.length > 0; messages = waiting.splice(0)) {
      await deliverInPortions(topic, messages, PORTION_FRAMES);
    }
    this.#waiting.delete(topic);
  }
}
