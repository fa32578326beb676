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
import { firstChanges, type LevelChange } from "./book_slice.ts";
import { EventPace } from "./event_pace.ts";
import type { StreamSource, Topic } from "./hub.ts";
import { marketOfStream } from "./market_stream.ts";
import { StreamMessage } from "./stream_message.ts";
import type { Subscription } from "./subscription.ts";

/** Last part of the stream's name. */
export const BOOK_SUFFIX = "ob-inc";
/** Frames that are sent at once: orders and other sockets come in between. */
const FRAMES_AT_ONCE_MAX = 1_000;
/** How long nothing is sent after each of them, in ms: changes of a level meanwhile become one. */
const PAUSE_PER_FRAME_MS = 0.001;
/** What each event per second above so many adds to that: readers leave the time to orders. */
const PAUSE_PER_EVENT_MS = 0.000_002;
const CALM_EVENTS_PER_SECOND = 1_000;
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
  readonly #pace = new EventPace();

  constructor(engine: BookStreamEngine) {
    this.#engine = engine;
    engine.onEvent((event) => this.#take(event));
    engine.onEntry((events) => {
      this.#pace.add(events.length);
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
      feed = new BookFeed(book, topic, this.#pace, this.#sequences[index] ?? 1);
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
  readonly #pace: EventPace;
  readonly #sides: Readonly<Record<Side, BookMirror>>;
  #snapshot: StreamMessage | null = null;
  #isTouched = false;
  /** Runs in a pause. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(book: MarketBook, topic: Topic, pace: EventPace, public sequence: number) {
    this.#book = book;
    this.#topic = topic;
    this.#pace = pace;
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
    const changes = alternated(this.#changesOf("sell"), this.#changesOf("buy"));
    const readers = this.#topic.subscriptions.size;
    const count = Math.max(1, Math.floor(FRAMES_AT_ONCE_MAX / Math.max(1, readers)));
    const { buy, sell } = this.#sides;
    const told = firstChanges(changes, count, { buy: buy.room, sell: sell.room });
    for (const change of told) this.#publish(change);
    this.#isTouched = changes.length > told.length;
    if (this.#isTouched) {
      const done = new Set(told);
      for (const change of changes) {
        if (!done.has(change)) this.#sides[change.side].postpone(change.level);
      }
    }
    const pause = told.length * readers * this.#pausePerFrame();
    if (pause >= PAUSE_MS_MIN || this.#isTouched) this.#pause(pause);
  }

  #changesOf(side: Side): LevelChange[] {
    const mirror = this.#sides[side];
    return mirror.changes().map((level) => ({ side, level, isNew: !mirror.knows(level[0]) }));
  }

  #pausePerFrame(): number {
    const above = Math.max(0, this.#pace.perSecond - CALM_EVENTS_PER_SECOND);
    return PAUSE_PER_FRAME_MS + above * PAUSE_PER_EVENT_MS;
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

/** One of each in turn. */
function alternated<T>(a: readonly T[], b: readonly T[]): T[] {
  const shorter = Math.min(a.length, b.length);
  const pairs = a.slice(0, shorter).flatMap((one, i) => [one, b[i] as T]);
  return [...pairs, ...a.slice(shorter), ...b.slice(shorter)];
}
