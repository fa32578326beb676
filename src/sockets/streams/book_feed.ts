/**
 * One book and what its readers know of it. Changes are sent in rounds: all readers get the same
 * messages, one reader after the other, before the next round begins. What changes during a round
 * is sent once, with its value at the next.
 *
 * A round tells every level that was touched since the last one, and its messages carry the number of
 * the last event by then. So whoever has read the book elsewhere, as it was after some event, follows
 * it by the messages with a greater number.
 */
import type { MarketBook } from "../../domain/trading/market_book.ts";
import type { Side } from "../../domain/trading/order.ts";
import { type BookLevels, CHECKED_LEVELS } from "../../edge/wire/book_checksum.ts";
import { BookChanges, BookIncrement, BookSnapshot } from "./book_content.ts";
import { BookMirror } from "./book_mirror.ts";
import { firstChanges, type LevelChange } from "./book_slice.ts";
import { type SendBudget, UNPAUSED_FRAMES } from "../sending/send_budget.ts";
import { type Dialect, type StreamContent, StreamMessage } from "../stream_message.ts";
import type { Subscription, Topic } from "../sending/subscription.ts";

/** Least time between two rounds, per reader and at most, in ms. */
const ROUND_MS_PER_READER = 0.04;
const ROUND_MS_MAX = 40;
/** Time limit for sending the frames of a round, in ms; at least one message goes to everybody. */
const SENDING_MS_MAX = 50;

/** `ob-inc` sends a message for each changed level, `ob-levels` one for all levels of a round. */
export const BOOK_FORMS = ["ob-inc", "ob-levels"] as const;
/** Last part of the name of a book's stream. */
export type BookForm = (typeof BOOK_FORMS)[number];

/** What a feed works with. */
export interface BookFeedParts {
  readonly book: MarketBook;
  readonly topic: Topic;
  readonly form: BookForm;
  readonly budget: SendBudget;
  /** Calls back once the log was told of as far as it is published. */
  readonly whenHeard: (push: () => void) => void;
}

/** Sends the changes of one book, in one form, to its readers. */
export class BookFeed {
  readonly #book: MarketBook;
  readonly #topic: Topic;
  readonly #form: BookForm;
  readonly #budget: SendBudget;
  readonly #whenHeard: BookFeedParts["whenHeard"];
  readonly #sides: Readonly<Record<Side, BookMirror>>;
  readonly #best = () => this.#levels(CHECKED_LEVELS);
  #snapshot: StreamMessage | null = null;
  #isTouched = false;
  #isStopped = false;
  /** Number of the last event before the last messages were made. */
  #event: number;
  /** Whether readers know the book as it was after that event. */
  #isWhole = true;
  /** Set during a round, and until the next one may begin. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param sequence of the last message */
  constructor({ book, topic, form, budget, whenHeard }: BookFeedParts, public sequence: number) {
    this.#book = book;
    this.#topic = topic;
    this.#form = form;
    this.#budget = budget;
    this.#whenHeard = whenHeard;
    this.#event = book.levelsSequence;
    this.#sides = {
      buy: new BookMirror(book.bids, "highest"),
      sell: new BookMirror(book.asks, "lowest"),
    };
  }

  /** Returns what a new reader begins with: what the others know or are being sent. */
  snapshot(): StreamMessage {
    this.#snapshot ??= new StreamMessage(
      this.#topic.stream,
      this.sequence,
      new BookSnapshot(this.#book.market, this.sequence, this.#isWhole, this.#levels()),
      this.#event,
    );
    return this.#snapshot;
  }

  /** Notes that a level may have changed; the next round tells how it is by then. */
  touch(side: Side, price: number): void {
    this.#sides[side].touch(price);
    this.#isTouched = true;
  }

  /** Sends the changes, at once or when the next round may begin; called once they are heard of. */
  follow(): void {
    if (!this.#isTouched || this.#isStopped || this.#timer !== undefined) return;
    const wait = this.#budget.pause();
    if (wait > 0) this.#followLater(wait);
    else this.#round();
  }

  /** Stops sending. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #round(): void {
    const nextAt = performance.now() + this.#roundMs();
    const subscriptions = [...this.#topic.subscriptions];
    const dialects = new Set(subscriptions.map(({ reader }) => reader.dialect));
    const isTogether = this.#form === "ob-levels";
    const wasWhole = this.#isWhole;
    const changes = isTogether ? this.#changes() : this.#take(subscriptions.length);
    this.#snapshot = null;
    this.#event = this.#book.levelsSequence;
    this.#isWhole = !this.#isTouched;
    const told = changes.length === 0 && this.#isWhole && !wasWhole ? this.#known() : changes;
    const messages = isTogether
      ? this.#together(told, dialects)
      : told.map((change, i) => this.#single(change, i === told.length - 1, dialects));
    this.#send(messages, subscriptions, nextAt);
  }

  /** Returns a level that readers know, by which to tell them that there is nothing else. */
  #known(): LevelChange[] {
    const best = (["sell", "buy"] as const).flatMap((side) => {
      return this.#sides[side].levels().slice(0, 1).map((level) => ({ side, level, isNew: false }));
    });
    return best.slice(0, 1);
  }

  #roundMs(): number {
    return Math.min(this.#topic.subscriptions.size * ROUND_MS_PER_READER, ROUND_MS_MAX);
  }

  #changes(): LevelChange[] {
    this.#isTouched = false;
    return alternated(this.#changesOf("sell"), this.#changesOf("buy"));
  }

  /** Takes the changes that one round can send one by one; the rest is left to the next round. */
  #take(readers: number): readonly LevelChange[] {
    const { buy, sell } = this.#sides;
    const changes = this.#changes();
    const frames = Math.max(UNPAUSED_FRAMES, this.#budget.framesWithin(SENDING_MS_MAX));
    const count = Math.max(1, Math.floor(frames / Math.max(1, readers)));
    const told = firstChanges(changes, count, { buy: buy.room, sell: sell.room });
    if (told.length === changes.length) return told;
    this.#isTouched = true;
    const done = new Set(told);
    for (const change of changes) {
      if (!done.has(change)) this.#sides[change.side].postpone(change.level);
    }
    return told;
  }

  #changesOf(side: Side): LevelChange[] {
    const mirror = this.#sides[side];
    return mirror.changes().map((level) => ({ side, level, isNew: !mirror.knows(level[0]) }));
  }

  #single(
    change: LevelChange,
    isEnd: boolean,
    dialects: ReadonlySet<Dialect>,
  ): StreamMessage {
    this.#sides[change.side].apply(change.level);
    const { market } = this.#book;
    const isLast = isEnd && this.#isWhole;
    const content = (sequence: number) =>
      new BookIncrement(market, sequence, isLast, change, this.#best);
    return this.#message(content, dialects);
  }

  #together(changes: readonly LevelChange[], dialects: ReadonlySet<Dialect>): StreamMessage[] {
    if (changes.length === 0) return [];
    for (const { side, level } of changes) this.#sides[side].apply(level);
    const of = (side: Side) =>
      changes.filter((change) => change.side === side).map(({ level }) => level);
    const changed = { asks: of("sell"), bids: of("buy") };
    const content = (sequence: number) =>
      new BookChanges(this.#book.market, sequence, this.#isWhole, changed, this.#best);
    return [this.#message(content, dialects)];
  }

  #message(
    content: (sequence: number) => StreamContent,
    dialects: ReadonlySet<Dialect>,
  ): StreamMessage {
    this.sequence += 1;
    const { stream } = this.#topic;
    const message = new StreamMessage(stream, this.sequence, content(this.sequence), this.#event);
    // Written now, because the next message changes the levels that the checksum covers.
    for (const dialect of dialects) message.frame(dialect);
    return message;
  }

  /** Sends a portion, and the rest after a pause. */
  #send(
    messages: readonly StreamMessage[],
    subscriptions: readonly Subscription[],
    nextAt: number,
  ): void {
    const count = Math.max(1, Math.floor(UNPAUSED_FRAMES / Math.max(1, messages.length)));
    this.#budget.spend(messages.length * Math.min(count, subscriptions.length));
    for (const subscription of subscriptions.slice(0, count)) {
      for (const message of messages) subscription.deliver(message);
    }
    const rest = subscriptions.slice(count);
    if (rest.length > 0) {
      this.#later(this.#budget.pause(), () => this.#send(messages, rest, nextAt));
      return;
    }
    const wait = Math.max(nextAt - performance.now(), this.#budget.pause());
    if (wait > 0 || this.#isTouched) this.#followLater(wait);
  }

  /** More may have been published meanwhile, of which the watch has yet to tell. */
  #followLater(ms: number): void {
    this.#later(ms, () => this.#whenHeard(() => this.follow()));
  }

  #later(ms: number, work: () => void): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      work();
    }, ms);
  }

  #levels(limit?: number): BookLevels {
    const { buy, sell } = this.#sides;
    return { asks: sell.levels().slice(0, limit), bids: buy.levels().slice(0, limit) };
  }
}

/** Interleaves two lists. */
function alternated<T>(a: readonly T[], b: readonly T[]): T[] {
  const shorter = Math.min(a.length, b.length);
  const pairs = a.slice(0, shorter).flatMap((one, i) => [one, b[i] as T]);
  return [...pairs, ...a.slice(shorter), ...b.slice(shorter)];
}
