/**
 * `<market>.bbo`: the best bid and ask of a book with their volumes, whenever either changes. What
 * changes between two pushes, or while readers are still being sent the last message, is told once,
 * as it is by then.
 */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Engine } from "../../engine/engine.ts";
import { Portions } from "../sending/portions.ts";
import type { SendBudget } from "../sending/send_budget.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";
import { StreamMessage } from "../stream_message.ts";
import { type BestLevels, BestPrices } from "./book_content.ts";
import { bookOfStream, isOfListedMarket } from "./book_of_stream.ts";

/** Last part of the stream's name. */
export const BEST_SUFFIX = "bbo";

/** What the stream needs of the engine. */
export type BestStreamEngine = Pick<Engine, "venue" | "onEntry" | "whenHeard">;

/** The best prices of books that are being read. */
export class BestStream implements StreamSource {
  readonly access = "public";
  readonly #engine: BestStreamEngine;
  readonly #budget: SendBudget;
  /** By market index; of all markets that were ever read, since sequences go on. */
  readonly #feeds = new Map<number, BestFeed>();

  constructor(engine: BestStreamEngine, budget: SendBudget) {
    this.#engine = engine;
    this.#budget = budget;
    engine.onEntry(() => {
      if (this.#feeds.size > 0) engine.whenHeard(() => this.#follow());
    });
  }

  has(stream: string): boolean {
    return isOfListedMarket(this.#engine.venue, stream, BEST_SUFFIX);
  }

  begin(subscription: Subscription): void {
    const { topic } = subscription;
    const book = this.#bookOf(topic);
    if (book === null) return;
    const { index } = book.market;
    const whenHeard = (push: () => void) => this.#engine.whenHeard(push);
    const feed = this.#feeds.get(index) ?? new BestFeed(book, this.#budget, whenHeard);
    this.#feeds.set(index, feed);
    subscription.send(feed.begin(topic));
  }

  end(topic: Topic): void {
    const book = this.#bookOf(topic);
    if (book !== null) this.#feeds.get(book.market.index)?.end();
  }

  #bookOf({ stream }: Topic): MarketBook | null {
    return bookOfStream(this.#engine.venue, stream, BEST_SUFFIX);
  }

  #follow(): void {
    for (const feed of this.#feeds.values()) feed.follow();
  }
}

/** The best prices of one book. */
class BestFeed {
  readonly #book: MarketBook;
  readonly #budget: SendBudget;
  readonly #whenHeard: (push: () => void) => void;
  /** Null while nobody reads. */
  #topic: Topic | null = null;
  /** The last message. */
  #told: StreamMessage | null = null;
  #best: BestLevels = NOTHING;
  /** The book's version when it was last looked at. */
  #version = -1;
  #isSending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    book: MarketBook,
    budget: SendBudget,
    whenHeard: (push: () => void) => void,
  ) {
    this.#book = book;
    this.#budget = budget;
    this.#whenHeard = whenHeard;
  }

  /** Returns what a new reader begins with: what the others know or are being sent. */
  begin(topic: Topic): StreamMessage {
    if (this.#topic === null || this.#told === null) {
      this.#topic = topic;
      this.#told = this.#changed() ?? this.#told ?? this.#message(topic, 1);
    }
    return this.#told;
  }

  end(): void {
    this.#topic = null;
    this.#isSending = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Sends the best prices if they have changed, or does so when there is time for it. */
  follow(): void {
    if (this.#topic === null || this.#isSending || this.#timer !== undefined) return;
    if (this.#book.version === this.#version) return;
    const wait = this.#budget.pause();
    if (wait > 0) return this.#followLater(wait);
    const message = this.#changed();
    if (message === null) return;
    this.#told = message;
    void this.#send(message, this.#topic);
  }

  /** Returns the message that tells of what has changed; null if nothing has. */
  #changed(): StreamMessage | null {
    const { bids, asks, version } = this.#book;
    if (this.#topic === null || version === this.#version) return null;
    this.#version = version;
    const best = { bid: levelOf(bids.best()), ask: levelOf(asks.best()) };
    if (isSame(best.bid, this.#best.bid) && isSame(best.ask, this.#best.ask)) return null;
    this.#best = best;
    return this.#message(this.#topic, (this.#told?.sequence ?? 0) + 1);
  }

  #message({ stream }: Topic, sequence: number): StreamMessage {
    return new StreamMessage(stream, sequence, new BestPrices(this.#book.market, this.#best));
  }

  async #send(message: StreamMessage, topic: Topic): Promise<void> {
    this.#isSending = true;
    this.#budget.spend(topic.subscriptions.size);
    await new Portions(topic).send(message);
    if (this.#topic !== topic) return;
    this.#isSending = false;
    if (this.#book.version !== this.#version) this.#followLater(0);
  }

  /** More may have been published meanwhile, of which the watch has yet to tell. */
  #followLater(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#whenHeard(() => this.follow());
    }, ms);
  }
}

const NOTHING: BestLevels = { bid: null, ask: null };

function levelOf(
  level: { readonly price: number; readonly lots: number } | undefined,
): BestLevels["bid"] {
  return level === undefined ? null : [level.price, level.lots];
}

function isSame(a: BestLevels["bid"], b: BestLevels["bid"]): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}
