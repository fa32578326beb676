/**
 * `<market>.ob-inc` and `<market>.ob-levels`: a snapshot for each new reader, then every changed
 * level, in a message of its own or together with others. Sequences count per process and stream,
 * and continue from the reader's snapshot; the numbers of events are the venue's.
 */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Order } from "../../domain/trading/order.ts";
import { unreachable } from "../../domain/assert.ts";
import type { VenueEvent } from "../../domain/event.ts";
import { hasEffect } from "../../domain/event_effects.ts";
import type { Engine } from "../../engine/engine.ts";
import { BookFeed, type BookForm } from "./book_feed.ts";
import { bookOfStream, isOfListedMarket } from "./book_of_stream.ts";
import type { SendBudget } from "../sending/send_budget.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";

/** What the stream needs of the engine. */
export type BookStreamEngine = Pick<Engine, "venue" | "onEvent" | "onEntry" | "whenHeard">;

/** The books being read, in one form, which is the last part of the stream's name. */
export class BookStream implements StreamSource {
  readonly access = "public";
  readonly #engine: BookStreamEngine;
  readonly #form: BookForm;
  readonly #budget: SendBudget;
  /** By market index. */
  readonly #feeds = new Map<number, BookFeed>();
  /** Last sequence of each market's stream, by market index. */
  readonly #sequences: number[] = [];

  constructor(engine: BookStreamEngine, form: BookForm, budget: SendBudget) {
    this.#engine = engine;
    this.#form = form;
    this.#budget = budget;
    engine.onEvent((event, sequence) => this.#take(event, sequence));
    engine.onEntry(() => {
      if (this.#feeds.size > 0) engine.whenHeard(() => this.#follow());
    });
  }

  has(stream: string): boolean {
    return isOfListedMarket(this.#engine.venue, stream, this.#form);
  }

  begin(subscription: Subscription): void {
    const { topic } = subscription;
    const book = this.#bookOf(topic);
    if (book === null) return;
    const { index } = book.market;
    let feed = this.#feeds.get(index);
    if (feed === undefined) {
      const sequence = this.#sequences[index] ?? 1;
      const whenHeard = (push: () => void) => this.#engine.whenHeard(push);
      const parts = { book, topic, form: this.#form, budget: this.#budget, whenHeard };
      feed = new BookFeed(parts, sequence);
      this.#feeds.set(index, feed);
    }
    subscription.send(feed.snapshot());
  }

  end(topic: Topic): void {
    const book = this.#bookOf(topic);
    if (book === null) return;
    const { index } = book.market;
    const feed = this.#feeds.get(index);
    if (feed === undefined) return;
    feed.stop();
    this.#sequences[index] = feed.sequence;
    this.#feeds.delete(index);
  }

  #bookOf({ stream }: Topic): MarketBook | null {
    return bookOfStream(this.#engine.venue, stream, this.#form);
  }

  #take(event: VenueEvent, sequence: number): void {
    if (this.#feeds.size === 0 || !hasEffect(event, "changesBook")) return;
    switch (event.kind) {
      case "order_accepted":
        if (event.resting) this.#touch(event, sequence);
        break;
      case "order_rested":
        this.#touch(this.#engine.venue.order(event.id), sequence);
        break;
      case "order_closed": {
        const order = this.#engine.venue.endedOrders.at(-1);
        if (order !== undefined) this.#touch(order, sequence);
        break;
      }
      case "trade":
        this.#touch({
          market: event.market,
          side: event.takerSide === "buy" ? "sell" : "buy",
          price: event.price,
        }, sequence);
        break;
      default:
        unreachable(event);
    }
  }

  /** At once, since a round sends the levels as they are then, and not as they were heard of. */
  #touch(
    { market, side, price }: Pick<Order, "market" | "side" | "price">,
    sequence: number,
  ): void {
    // A stop, or an order that never came to rest, had no level.
    if (this.#engine.venue.book(market).levelsSequence !== sequence) return;
    this.#feeds.get(market)?.touch(side, price);
  }

  #follow(): void {
    for (const feed of this.#feeds.values()) feed.follow();
  }
}
