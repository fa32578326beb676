/** `global.tickers`: the tickers of all markets, soon after a change and every few seconds. */
import { listedBooks } from "../../edge/wire/listed_markets.ts";
import type { VenueEvent } from "../../domain/event.ts";
import { hasEffect } from "../../domain/event_effects.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import { tickerJson } from "../../edge/wire/market_wire.ts";
import { currencyId, secondsOf } from "../../edge/wire/wire.ts";
import type { Engine } from "../../engine/engine.ts";
import { Portions } from "../sending/portions.ts";
import { type TickerRecord, Tickers } from "./market_contents.ts";
import { StreamMessage } from "../stream_message.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";

/** Name of the stream. */
export const TICKERS_STREAM = "global.tickers";
/** Shortest and longest time between two messages, in ms. */
const TICKERS_PAUSE_MS = 1_000;
const TICKERS_SILENCE_MS = 5_000;
/** Frames sent before others get their turn: with 300 markets one has 70 KB. */
const TICKERS_PORTION_FRAMES = 16;

/** What the stream needs of the engine. */
export type TickerStreamEngine = Pick<Engine, "venue" | "onEntry" | "whenHeard" | "ticker" | "now">;

/** The tickers of all markets, while somebody reads them. */
export class TickerStream implements StreamSource {
  readonly access = "public";
  readonly #engine: TickerStreamEngine;
  #topic: Topic | null = null;
  #sequence = 0;
  #sentAt = 0;
  /** The last message sent; null if nobody reads. */
  #known: StreamMessage | null = null;
  #isChanged = false;
  #isSending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: TickerStreamEngine) {
    this.#engine = engine;
    engine.onEntry((events) => {
      if (this.#topic === null || this.#isChanged) return;
      if (events.some(changesTickers)) engine.whenHeard(() => this.#change());
    });
  }

  has(stream: string): boolean {
    return stream === TICKERS_STREAM;
  }

  begin(subscription: Subscription): void {
    if (this.#topic === null) {
      this.#topic = subscription.topic;
      this.#sentAt = performance.now();
      this.#schedule();
    }
    // What the others know: with 300 markets a new message would take a millisecond per reader.
    subscription.send(this.#known ??= this.#message());
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#topic = null;
    this.#known = null;
    this.#isChanged = false;
    this.#isSending = false;
  }

  #change(): void {
    if (this.#topic === null || this.#isChanged) return;
    this.#isChanged = true;
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    // Done when the last reader has been sent the message before.
    if (this.#isSending) return;
    const pause = this.#isChanged ? TICKERS_PAUSE_MS : TICKERS_SILENCE_MS;
    const wait = Math.max(0, this.#sentAt + pause - performance.now());
    this.#timer = setTimeout(() => this.#publish(), wait);
  }

  #publish(): void {
    this.#sentAt = performance.now();
    this.#isChanged = false;
    this.#sequence += 1;
    this.#known = this.#message();
    if (this.#topic !== null) void this.#send(this.#known, this.#topic);
  }

  async #send(message: StreamMessage, topic: Topic): Promise<void> {
    this.#isSending = true;
    await new Portions(topic, TICKERS_PORTION_FRAMES).send(message);
    if (this.#topic !== topic) return;
    this.#isSending = false;
    this.#schedule();
  }

  #message(): StreamMessage {
    const at = secondsOf(this.#engine.now());
    const tickers = listedBooks(this.#engine.venue)
      .map((book) => [book.market.id, this.#record(book, at)]);
    return new StreamMessage(
      TICKERS_STREAM,
      this.#sequence,
      new Tickers(Object.fromEntries(tickers)),
    );
  }

  #record(book: MarketBook, at: number): TickerRecord {
    const { venue } = this.#engine;
    const { market } = book;
    const { vol: _, ...ticker } = tickerJson(book, this.#engine.ticker(market.index), at, 1).ticker;
    return {
      name: market.name,
      base_unit: currencyId(venue, market.base),
      quote_unit: currencyId(venue, market.quote),
      close: ticker.last,
      ...ticker,
    };
  }
}

function changesTickers(event: VenueEvent): boolean {
  return hasEffect(event, "changesBook") || event.kind === "market_set";
}
