/**
 * `<market>.ob-inc`: a snapshot for each new reader, then every level that
 * changes. Numbers count per process and market; they begin with the snapshot
 * that a reader gets.
 */
import type { MarketBook } from "../domain/market_book.ts";
import type { Order, Side } from "../domain/order.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { Engine } from "../engine/engine.ts";
import { BookIncrement, type BookLevels, BookSnapshot, CHECKED_LEVELS } from "./book_content.ts";
import { BookMirror } from "./book_mirror.ts";
import type { StreamSource, Topic } from "./hub.ts";
import { marketOfStream } from "./market_stream.ts";
import { StreamMessage } from "./stream_message.ts";
import type { Subscription } from "./subscription.ts";

/** Last part of the stream's name. */
export const BOOK_SUFFIX = "ob-inc";
/** Frames that are sent at once: orders and other sockets come in between. */
const FRAMES_AT_ONCE_MAX = 1_000;
/** How long nothing is sent after each of them, in ms: changes of a level meanwhile become one. */
const PAUSE_PER_FRAME_MS = 0.005;
/** A pause shorter than this is none, in ms. */
const PAUSE_MS_MIN = 1;

/** What of the engine the stream needs. */
export type BookStreamEngine = Pick<Engine, "venue" | "onEvent" | "onEntry">;

/** The books that somebody reads. */
export class BookStream implements StreamSource {
  readonly access = "public";
  readonly #engine: BookStreamEngine;
  /** By market index. */
  readonly #feeds = new Map<number, BookFeed>();
  /** Last number of each market's stream, by market index. */
  readonly #sequences: number[] = [];

  constructor(engine: BookStreamEngine) {
    this.#engine = engine;
    engine.onEvent((event) => this.#take(event));
    engine.onEntry(() => {
      for (const feed of this.#feeds.values()) feed.follow();
    });
  }

  has(stream: string): boolean {
    return marketOfStream(this.#engine.venue, stream, BOOK_SUFFIX) !== null;
  }

  begin(subscription: Subscription): void {
    const { topic } = subscription;
    const book = this.#bookOf(topic);
    if (book === null) return;
    const { index } = book.market;
    let feed = this.#feeds.get(index);
    if (feed === undefined) {
      feed = new BookFeed(book, topic, this.#sequences[index] ?? 1);
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

  /** Of any state: a market that is disabled meanwhile keeps its readers. */
  #bookOf({ stream }: Topic): MarketBook | null {
    return this.#engine.venue.bookById.get(stream.slice(0, -BOOK_SUFFIX.length - 1)) ?? null;
  }

  #take(event: VenueEvent): void {
    if (this.#feeds.size === 0) return;
    switch (event.kind) {
      case "order_accepted":
        if (event.resting) this.#touch(event);
        break;
      case "order_rested":
        this.#touch(this.#engine.venue.order(event.id));
        break;
      case "order_closed": {
        const order = this.#engine.venue.finished.at(-1);
        if (order !== undefined) this.#touch(order);
        break;
      }
      case "trade":
        this.#touch({
          market: event.market,
          side: event.takerSide === "buy" ? "sell" : "buy",
          price: event.price,
        });
        break;
    }
  }

  #touch({ market, side, price }: Pick<Order, "market" | "side" | "price">): void {
    this.#feeds.get(market)?.touch(side, price);
  }
}

/** One book and what its readers know of it. */
class BookFeed {
  readonly #book: MarketBook;
  readonly #topic: Topic;
  readonly #sides: Readonly<Record<Side, BookMirror>>;
  #snapshot: StreamMessage | null = null;
  #isTouched = false;
  /** Runs in a pause. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(book: MarketBook, topic: Topic, public sequence: number) {
    this.#book = book;
    this.#topic = topic;
    this.#sides = {
      buy: new BookMirror(book.bids, "highest"),
      sell: new BookMirror(book.asks, "lowest"),
    };
  }

  /** What a new reader begins with: what the others know. */
  snapshot(): StreamMessage {
    this.#snapshot ??= new StreamMessage(
      this.#topic.stream,
      this.sequence,
      new BookSnapshot(this.#book.market, this.sequence, this.#levels()),
    );
    return this.#snapshot;
  }

  touch(side: Side, price: number): void {
    this.#sides[side].touch(price);
    this.#isTouched = true;
  }

  /** Sends what has changed, at once or when the pause is over. */
  follow(): void {
    if (this.#isTouched && this.#timer === undefined) this.#flush();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#isTouched = false;
    const changes = (["sell", "buy"] as const).flatMap((side) =>
      this.#sides[side].changes().map((level) => ({ side, level }))
    );
    // What goes makes room first: a reader's book is never crossed, nor longer than its bound.
    const [gone, others] = [changes.filter(isGone), changes.filter((change) => !isGone(change))];
    const inOrder = [...gone, ...others];
    const readers = this.#topic.subscriptions.size;
    const count = Math.max(1, Math.floor(FRAMES_AT_ONCE_MAX / Math.max(1, readers)));
    for (const change of inOrder.slice(0, count)) this.#publish(change);
    for (const { side, level } of inOrder.slice(count)) this.#sides[side].postpone(level);
    this.#isTouched = inOrder.length > count;
    const pause = Math.min(inOrder.length, count) * readers * PAUSE_PER_FRAME_MS;
    if (pause >= PAUSE_MS_MIN || this.#isTouched) this.#pause(pause);
  }

  #pause(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.follow();
    }, ms);
  }

  #publish({ side, level }: LevelChange): void {
    this.#sides[side].apply(level);
    this.#snapshot = null;
    this.sequence += 1;
    const best = () => this.#levels(CHECKED_LEVELS);
    const content = new BookIncrement(this.#book.market, this.sequence, side, level, best);
    this.#topic.publish(new StreamMessage(this.#topic.stream, this.sequence, content));
  }

  #levels(limit?: number): BookLevels {
    const { buy, sell } = this.#sides;
    return { asks: sell.levels().slice(0, limit), bids: buy.levels().slice(0, limit) };
  }
}

interface LevelChange {
  readonly side: Side;
  readonly level: readonly [price: number, lots: number];
}

function isGone({ level }: LevelChange): boolean {
  return level[1] === 0;
}
