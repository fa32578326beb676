/** One reader's place in one stream. */
import { caughtUp, isBehind, ownTurn } from "./catching_up.ts";
import type { LineMember, MessageLine } from "./message_line.ts";
import type { StreamMessage } from "../stream_message.ts";
import { PORTION_FRAMES, SEND_BUFFER_BYTES_MAX } from "../limits.ts";
import type { StreamReader } from "./stream_reader.ts";

/** A reader of a topic. */
export class Subscription implements LineMember {
  /** Messages up to this sequence are skipped. */
  #sequence = 0;
  readonly #line: MessageLine;
  /** Set while the source or the reader is awaited. */
  #beginning: Promise<void> | null = null;
  /** What the reader is to be told once it has read enough. */
  #postponed: StreamMessage | null = null;
  #isHolding = false;
  #isAgain = false;
  #isAwaited = true;
  #isOver = false;
  #since: number | null;

  /** @param since the last sequence that the reader has seen; null for a fresh start */
  constructor(
    readonly topic: Topic,
    readonly reader: StreamReader,
    line: MessageLine,
    since: number | null,
  ) {
    this.#line = line;
    this.#since = since;
  }

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** The last sequence that the reader had seen before this beginning; null for a fresh start. */
  get since(): number | null {
    return this.#since;
  }

  /** Whether the subscription has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sequence of the last message sent, or skipped because the reader has seen it. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Sends a message of the beginning, whatever its sequence, and continues after it. */
  send(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#sequence = Math.max(this.#sequence, message.sequence);
    const frame = message.frame(this.reader.dialect);
    if (frame !== null) this.reader.send(frame);
  }

  /**
   * Sends several messages of the beginning, in order and no faster than they are read. Returns a
   * promise only if the reader is behind.
   */
  sendAll(messages: readonly StreamMessage[]): void | Promise<void> {
    for (const [i, message] of messages.entries()) {
      if (isBehind(this.reader)) return this.#sendRead(messages.slice(i));
      this.send(message);
    }
  }

  /**
   * Sends any number of messages of the beginning, each of which is made when it is its turn to be
   * sent: what they describe must not change. Returns a promise only if they are many or the reader
   * is behind.
   */
  sendEach(messages: Iterator<StreamMessage>): void | Promise<void> {
    if (!this.#sendPortion(messages)) return this.#sendPortions(messages);
  }

  /**
   * Continues after a message that the reader has seen or that tells it nothing new. A reader that
   * begins again would miss what was held up to there, so that is sent first.
   */
  goOnBehind(sequence: number): void {
    if (this.#isAgain) this.#line.sendUpTo(this, sequence);
    this.#sequence = Math.max(this.#sequence, sequence);
    this.#isAwaited = false;
  }

  /** Tells the reader what it can't have. */
  refuse(message: string): void {
    const frame = this.reader.dialect.errorFrame?.(message);
    if (frame !== undefined && !this.#isOver) this.reader.send(frame);
  }

  /** Delivers a message of the topic. */
  deliver(message: StreamMessage): void {
    this.#line.deliver(this, message);
  }

  pass(message: StreamMessage): void {
    if (message.sequence <= this.#sequence) return;
    if (message.content.isWhole && this.reader.unread > SEND_BUFFER_BYTES_MAX) {
      this.#postpone(message);
    } else this.send(message);
  }

  /**
   * Has the source send the beginning, then sends what arrived meanwhile; null if already done.
   * Rejects if it can't, unless the subscription has ended by then.
   *
   * @param start what sends the beginning
   */
  begin(
    start: () => void | Promise<void> = () => this.topic.source.begin(this),
  ): Promise<void> | null {
    this.#isHolding = true;
    this.#line.hold();
    const followed = this.#beginAndFollow(start);
    if (followed === undefined) return null;
    this.#beginning = followed.catch((error: unknown) => {
      if (!this.#isOver) throw error;
    }).finally(() => {
      this.#beginning = null;
    });
    return this.#beginning;
  }

  /**
   * Sends the beginning again, without a gap before or after it. A beginning under way suffices,
   * since the reader has yet to read all of it.
   */
  beginAgain(): Promise<void> | null {
    if (this.#beginning !== null) return this.#beginning;
    this.#isAgain = true;
    this.#since = null;
    return this.begin();
  }

  /** Stops sending. */
  end(): void {
    this.#isOver = true;
    this.#release()?.catch(() => {});
  }

  /** Spares a reader that is behind all but the last of such messages. */
  #postpone(message: StreamMessage): void {
    const isWaiting = this.#postponed !== null;
    this.#postponed = message;
    if (isWaiting) return;
    void caughtUp(this.reader).then(() => {
      const last = this.#postponed;
      this.#postponed = null;
      if (last !== null) this.deliver(last);
    });
  }

  /** Turns an immediate failure into a rejection: thrown into a socket, it would end the venue. */
  #beginAndFollow(start: () => void | Promise<void>): void | Promise<void> {
    try {
      const begun = isBehind(this.reader) ? this.#beginRead(start) : start();
      return begun === undefined ? this.#release() : this.#releaseAfter(begun);
    } catch (error) {
      return this.#releaseAfter(Promise.reject(error));
    }
  }

  /** Begins when what was sent for other streams has been read. */
  async #beginRead(start: () => void | Promise<void>): Promise<void> {
    while (isBehind(this.reader)) await caughtUp(this.reader);
    // A subscription that has ended by now would never be ended again.
    if (!this.#isOver) await start();
  }

  async #releaseAfter(begun: Promise<void>): Promise<void> {
    try {
      await begun;
    } finally {
      await this.#release();
    }
  }

  /** Sends what waits behind the beginning, of other streams too. */
  #release(): void | Promise<void> {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#isAwaited = false;
    return this.#line.release();
  }

  async #sendRead(messages: readonly StreamMessage[]): Promise<void> {
    // Written now, because what they describe may change before they are sent.
    for (const message of messages) message.frame(this.reader.dialect);
    for (const message of messages) {
      while (isBehind(this.reader)) await caughtUp(this.reader);
      this.send(message);
    }
  }

  async #sendPortions(messages: Iterator<StreamMessage>): Promise<void> {
    do {
      while (isBehind(this.reader)) await caughtUp(this.reader);
      await ownTurn();
    } while (!this.#sendPortion(messages));
  }

  /** Sends what one turn has time for and the reader can take; returns whether that was all. */
  #sendPortion(messages: Iterator<StreamMessage>): boolean {
    for (let sent = 0; sent < PORTION_FRAMES; sent++) {
      if (this.#isOver || !this.reader.isOpen) return true;
      if (isBehind(this.reader)) return false;
      const next = messages.next();
      if (next.done === true) return true;
      this.send(next.value);
    }
    return false;
  }
}

/**
 * Makes the messages of some streams. Those of a member go out by {@linkcode Topic.publish}, those
 * that everyone reads in `Portions`, and books through a `BookFeed`, which merges changes when they
 * come faster than all readers can be sent them.
 */
export interface StreamSource {
  /** A public stream is one for everybody, a private one is one per member. */
  readonly access: "public" | "private";
  /** Returns whether it has a stream of this name. */
  has(stream: string): boolean;
  /**
   * Sends a new reader its beginning, by {@linkcode Subscription.send}: nothing for trades, the
   * last message again for tickers and candles, a message with a key of its own for books, and
   * messages marked as snapshots for private streams. While this is awaited, the topic's messages
   * are held; those above the subscription's sequence follow. Synchronous if possible.
   */
  begin(subscription: Subscription): void | Promise<void>;
  /**
   * Sends a reader what it has missed of several of its streams, in the order in which it happened;
   * absent where every stream begins by itself.
   */
  resume?(subscriptions: readonly Subscription[]): Promise<void>;
  /** Called when a topic has lost its last reader. */
  end?(topic: Topic): void;
}

/** A stream with readers: a public one, or a member's. */
export class Topic {
  readonly subscriptions = new Set<Subscription>();

  constructor(
    readonly stream: string,
    /** Null for a public stream. */
    readonly member: number | null,
    readonly source: StreamSource,
  ) {}

  /**
   * Delivers a message to all readers in one turn, during which nobody else is served: only for a
   * member's own streams, which have few.
   */
  publish(message: StreamMessage): void {
    for (const subscription of this.subscriptions) subscription.deliver(message);
  }
}
