/** One reader's place in one stream. */
import { caughtUp, isBehind } from "./catching_up.ts";
import type { StreamReader, Topic } from "./hub.ts";
import type { StreamMessage } from "./stream_message.ts";
import { BURST_BYTES_MAX, CLOSE_CODES } from "./stream_socket.ts";

/** Tells a reader whose stream can't be begun; the client connects again. */
const NOT_BEGUN = "stream could not be started";

/** A reader of a topic. */
export class Subscription {
  /** Messages up to it are passed over. */
  #sequence = 0;
  /** Messages that came before the beginning was sent; null once it is. */
  #held: StreamMessage[] | null = [];
  #heldLength = 0;
  /** While the source is awaited, or the reader. */
  #beginning: Promise<void> | null = null;
  #isAgain = false;
  #isOver = false;
  #since: number | null;

  /** @param since the last sequence that the reader has seen; null where it begins anew */
  constructor(readonly topic: Topic, readonly reader: StreamReader, since: number | null) {
    this.#since = since;
  }

  /** The last sequence that the reader has seen before this beginning; null where it begins anew. */
  get since(): number | null {
    return this.#since;
  }

  /** Whether nothing is sent any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sequence of the last message sent, or passed over because the reader has seen it. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Sends a message of the beginning, whatever its sequence, and goes on behind it. */
  send(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#sequence = Math.max(this.#sequence, message.sequence);
    const frame = message.frame(this.reader.dialect);
    if (frame !== null) this.reader.send(frame);
  }

  /**
   * The same with several, in their order and no faster than they are read; returns a promise only
   * where the reader is behind.
   */
  sendAll(messages: readonly StreamMessage[]): void | Promise<void> {
    for (const [i, message] of messages.entries()) {
      if (isBehind(this.reader)) return this.#sendRead(messages.slice(i));
      this.send(message);
    }
  }

  /**
   * Goes on behind a message that the reader has seen already, or that tells it nothing new. What
   * was held for a reader that begins again it would miss: that is sent first.
   */
  goOnBehind(sequence: number): void {
    if (this.#isAgain) {
      const missed = (this.#held ?? []).filter((message) => message.sequence <= sequence);
      for (const message of missed) if (message.sequence > this.#sequence) this.send(message);
    }
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Tells the reader what it does not get. */
  refuse(message: string): void {
    const frame = this.reader.dialect.errorFrame?.(message);
    if (frame !== undefined && !this.#isOver) this.reader.send(frame);
  }

  /** Takes a message of the topic. */
  deliver(message: StreamMessage): void {
    if (this.#held !== null) return this.#hold(message);
    if (message.sequence > this.#sequence) this.send(message);
  }

  /** Has the source send the beginning, then what came meanwhile; null where that is done. */
  begin(): Promise<void> | null {
    const followed = this.#beginAndFollow();
    if (followed === undefined) return null;
    this.#beginning = followed.catch((error: unknown) => {
      if (this.#isOver) return;
      this.reader.close(CLOSE_CODES.fault, NOT_BEGUN);
      throw error;
    }).finally(() => {
      this.#beginning = null;
    });
    return this.#beginning;
  }

  /**
   * Sends the beginning once more, without a gap in what comes before and behind it. One that is
   * under way will do: its reader has it still to read.
   */
  beginAgain(): Promise<void> | null {
    if (this.#beginning !== null) return this.#beginning;
    this.#isAgain = true;
    this.#since = null;
    this.#held = [];
    return this.begin();
  }

  /** Sends nothing any more. */
  end(): void {
    this.#isOver = true;
    this.#held = null;
  }

  #hold(message: StreamMessage): void {
    // Written now: what it speaks of may change before it is sent.
    const frame = message.frame(this.reader.dialect);
    this.#held?.push(message);
    this.#heldLength += frame?.length ?? 0;
    if (this.#heldLength > BURST_BYTES_MAX) {
      this.reader.close(CLOSE_CODES.slowReader, "slow reader");
    }
  }

  /** What fails at once is told as what fails later: thrown at a socket it would end the venue. */
  #beginAndFollow(): void | Promise<void> {
    try {
      const begun = isBehind(this.reader) ? this.#beginRead() : this.topic.source.begin(this);
      return begun === undefined ? this.#follow() : begun.then(() => this.#follow());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Begins when what was sent for other streams is read. */
  async #beginRead(): Promise<void> {
    while (isBehind(this.reader)) await caughtUp(this.reader);
    // Nobody ends it once more.
    if (!this.#isOver) await this.topic.source.begin(this);
  }

  async #sendRead(messages: readonly StreamMessage[]): Promise<void> {
    // Written now: what they speak of may change before they are sent.
    for (const message of messages) message.frame(this.reader.dialect);
    for (const message of messages) {
      while (isBehind(this.reader)) await caughtUp(this.reader);
      this.send(message);
    }
  }

  /** Sends what was held, and what comes while that is read, until nothing is left. */
  #follow(): void | Promise<void> {
    while (this.#held !== null && this.#held.length > 0) {
      const held = this.#held.filter(({ sequence }) => sequence > this.#sequence);
      this.#held = [];
      this.#heldLength = 0;
      const sent = this.sendAll(held);
      if (sent !== undefined) return sent.then(() => this.#follow());
    }
    this.#held = null;
  }
}
