/** `<market>.kline-<period>`: the current candle when it changes, and the last of each period. */
import { type Candle, type CandlePeriod, candleStart } from "../../domain/trading/candle.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Engine } from "../../engine/engine.ts";
import { CandleChanged } from "./market_contents.ts";
import { bookOfStream } from "./book_of_stream.ts";
import { Portions } from "../sending/portions.ts";
import { StreamMessage } from "../stream_message.ts";
import type { StreamSource, Subscription, Topic } from "../sending/subscription.ts";

/** Least time between two messages of a stream, in ms. */
const CANDLE_PAUSE_MS = 2_000;
/** Candles published at once: more than one pause can produce. */
const CANDLES_PER_FLUSH_MAX = 10;

/** Periods by their names in streams, in minutes. */
const PERIODS: ReadonlyMap<string, CandlePeriod> = new Map([
  ["1m", 1],
  ["5m", 5],
  ["15m", 15],
  ["30m", 30],
  ["1h", 60],
  ["2h", 120],
  ["4h", 240],
  ["6h", 360],
  ["12h", 720],
  ["1d", 1440],
  ["3d", 4320],
  ["1w", 10080],
]);

/** What the stream needs of the engine. */
export type CandleStreamEngine = Pick<
  Engine,
  "venue" | "onEntry" | "whenHeard" | "candles" | "now"
>;

/** The candles being read. */
export class CandleStream implements StreamSource {
  readonly access = "public";
  readonly #engine: CandleStreamEngine;
  readonly #onFault: (error: unknown) => void;
  /** By market index, as a trade concerns few of all feeds, then by stream. */
  readonly #feeds = new Map<number, Map<string, CandleFeed>>();
  /** Last sequences, by stream. */
  readonly #sequences = new Map<string, number>();

  constructor(engine: CandleStreamEngine, onFault: (error: unknown) => void) {
    this.#engine = engine;
    this.#onFault = onFault;
    engine.onEntry((events) => {
      if (this.#feeds.size === 0) return;
      const traded = new Set<number>();
      for (const event of events) if (event.kind === "trade") traded.add(event.market);
      const feeds = [...traded].flatMap((market) => this.#feedsOf(market));
      for (const feed of feeds) feed.touch();
      if (feeds.length > 0) engine.whenHeard(() => feeds.forEach((feed) => feed.follow()));
    });
  }

  has(stream: string): boolean {
    const found = this.#find(stream);
    return found !== null && found.book.market.state !== "disabled";
  }

  async begin(subscription: Subscription): Promise<void> {
    const { topic } = subscription;
    const found = this.#find(topic.stream);
    if (found === null) return;
    const own = this.#feeds.get(found.book.market.index);
    const feed = own?.get(topic.stream) ?? this.#open(topic, found);
    await feed.begin(subscription);
  }

  end({ stream }: Topic): void {
    const index = this.#find(stream)?.book.market.index ?? -1;
    const own = this.#feeds.get(index);
    const feed = own?.get(stream);
    if (own === undefined || feed === undefined) return;
    feed.stop();
    this.#sequences.set(stream, feed.sequence);
    own.delete(stream);
    if (own.size === 0) this.#feeds.delete(index);
  }

  #open(topic: Topic, found: FoundCandles): CandleFeed {
    const sequence = this.#sequences.get(topic.stream) ?? 0;
    const feed = new CandleFeed(this.#engine, topic, found, sequence, this.#onFault);
    const { index } = found.book.market;
    const own = this.#feeds.get(index) ?? new Map<string, CandleFeed>();
    this.#feeds.set(index, own.set(topic.stream, feed));
    return feed;
  }

  #feedsOf(market: number): readonly CandleFeed[] {
    return [...this.#feeds.get(market)?.values() ?? []];
  }

  #find(stream: string): FoundCandles | null {
    const [, name = ""] = /\.kline-(\w+)$/.exec(stream) ?? [];
    const period = PERIODS.get(name);
    const book = bookOfStream(this.#engine.venue, stream, `kline-${name}`);
    return period === undefined || book === null ? null : { book, name, period };
  }
}

interface FoundCandles {
  readonly book: MarketBook;
  readonly name: string;
  readonly period: CandlePeriod;
}

/** The candles of one market and period, and the last one sent. */
class CandleFeed {
  readonly #engine: CandleStreamEngine;
  readonly #topic: Topic;
  readonly #sending: Portions;
  readonly #found: FoundCandles;
  readonly #onFault: (error: unknown) => void;
  #last: Candle | null = null;
  /** The candle that the first readers began with. */
  #first: Candle | null = null;
  /** The read of that candle, shared by readers that come meanwhile; null if none is under way. */
  #opening: Promise<Candle | null> | null = null;
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFlushing = false;
  #isTouched = false;
  #isStopped = false;

  constructor(
    engine: CandleStreamEngine,
    topic: Topic,
    found: FoundCandles,
    public sequence: number,
    onFault: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#topic = topic;
    this.#sending = new Portions(topic);
    this.#found = found;
    this.#onFault = onFault;
  }

  /** The last candle published, or that a reader began with; later messages continue from it. */
  get #known(): Candle | null {
    return this.#last ?? this.#first;
  }

  /** Sends a new reader the current candle, if there is one. */
  async begin(subscription: Subscription): Promise<void> {
    const { sequence } = this;
    const known = this.#known;
    const candle = await this.#current();
    if (candle === null) return;
    // While a change is about to be published, the other readers don't know this candle yet.
    if (!this.#isTouched && !this.#isFlushing) this.#last ??= candle;
    // Continues from before the read, for the candles that have ended meanwhile.
    subscription.goOnBehind(sequence);
    // If earlier candles are still to be published, it begins with what the others know.
    const isAhead = known !== null && candle.start > known.start;
    subscription.send(this.#message(sequence, isAhead ? known : candle));
  }

  /** Notes a trade: the candle that a reader begins with may be ahead of what the others know. */
  touch(): void {
    this.#isTouched = true;
  }

  /** Publishes what has changed, once the last message is old enough. */
  follow(): void {
    if (this.#timer !== undefined || this.#isFlushing || this.#isStopped) return;
    const wait = Math.min(this.#sentAt + CANDLE_PAUSE_MS - performance.now(), this.#turn());
    // In a timer, so that no listener of the order's entry waits for it.
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flush().catch(this.#onFault);
    }, Math.max(0, wait));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #flush(): Promise<void> {
    this.#isTouched = false;
    this.#isFlushing = true;
    try {
      // Continues from the candle that the first readers begin with, even while it is being read.
      await this.#opening?.catch(() => {});
      const from = this.#known?.start;
      const candles = await this.#read(
        from === undefined ? { limit: 1 } : { from, limit: CANDLES_PER_FLUSH_MAX },
      );
      if (!this.#isStopped) await this.#publish(candles);
      // A process that was suspended for a while has more to catch up with.
      if (candles.length === CANDLES_PER_FLUSH_MAX) this.#isTouched = true;
    } finally {
      this.#isFlushing = false;
    }
    if (this.#isTouched) this.follow();
  }

  /** Resolves when all readers have been sent the candles. */
  async #publish(candles: readonly Candle[]): Promise<void> {
    this.#sentAt = performance.now();
    let sent: Promise<void> | null = null;
    for (const candle of candles) {
      if (this.#last !== null && isSame(candle, this.#last)) continue;
      this.#last = candle;
      this.sequence += 1;
      sent = this.#sending.send(this.#message(this.sequence, candle));
    }
    await sent;
  }

  #message(sequence: number, candle: Candle): StreamMessage {
    const { book, name } = this.#found;
    return new StreamMessage(
      this.#topic.stream,
      sequence,
      new CandleChanged(book.market, name, candle),
    );
  }

  /** Returns the current candle; the same for all that begin before any is known. */
  #current(): Promise<Candle | null> {
    if (this.#opening !== null) return this.#opening;
    const reading = this.#read({ limit: 1 }).then(([candle]) => candle ?? null);
    if (this.#known !== null) return reading;
    this.#opening = reading
      .then((candle) => this.#first = candle)
      .finally(() => this.#opening = null);
    return this.#opening;
  }

  #read(request: { from?: number; limit: number }): Promise<readonly Candle[]> {
    const { book, period } = this.#found;
    return this.#engine.candles(book.market.index, period, request);
  }

  /** Returns the time until the period ends, in ms. */
  #turn(): number {
    const now = this.#engine.now();
    const { period } = this.#found;
    return (candleStart(now, period) + period * 60) * 1000 - now;
  }
}

function isSame(one: Candle, other: Candle): boolean {
  return one.start === other.start && one.close === other.close && one.volume === other.volume &&
    one.total === other.total;
}
