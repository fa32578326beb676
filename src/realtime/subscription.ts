/** One reader's place in one stream. */
import { caughtUp, isBehind, ownTurn } from "./catching_up.ts";
import type { StreamReader, Topic } from "./hub.ts";
import { PORTION_FRAMES } from "./portions.ts";
import type { StreamMessage } from "./stream_message.ts";
import { BURST_BYTES_MAX, CLOSE_CODES } from "./stream_socket.ts";

/** A reader of a topic. */
export class Subscription {
  /** Messages up to this sequence are skipped. */
  #sequence = 0;
  /** Messages that arrived before the beginning was sent; null afterwards. */
  #held: StreamMessage[] | null = [];
  #heldLength = 0;
  /** Set while the source or the reader is awaited. */
  #beginning: Promise<void> | null = null;
  #isAgain = false;
  #isOver = false;
  #since: number | null;

  /** @param since the last sequence that the reader has seen; null for a fresh start */
  constructor(readonly topic: Topic, readonly reader: StreamReader, since: number | null) {
    this.#since = since;
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
    if (this.#isAgain) {
      const missed = (this.#held ?? []).filter((message) => message.sequence <= sequence);
      for (const message of missed) if (message.sequence > this.#sequence) this.send(message);
    }
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Tells the reader what it can't have. */
  refuse(message: string): void {
    const frame = this.reader.dialect.errorFrame?.(message);
    if (frame !== undefined && !this.#isOver) this.reader.send(frame);
  }

  /** Delivers a message of the topic. */
  deliver(message: StreamMessage): void {
    if (this.#held !== null) return this.#hold(message);
    if (message.sequence > this.#sequence) this.send(message);
  }

  /**
   * Has the source send the beginning, then sends what arrived meanwhile; null if already done.
   * Rejects if it can't, unless the subscription has ended by then.
   */
  begin(): Promise<void> | null {
    const followed = this.#beginAndFollow();
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
    this.#held = [];
    return this.begin();
  }

  /** Stops sending. */
  end(): void {
    this.#isOver = true;
    this.#held = null;
  }

  #hold(message: StreamMessage): void {
    // Written now, because what it describes may change before it is sent.
    const frame = message.frame(this.reader.dialect);
    this.#held?.push(message);
    this.#heldLength += frame?.length ?? 0;
    if (this.#heldLength > BURST_BYTES_MAX) {
      this.reader.close(CLOSE_CODES.slowReader, "slow reader");
    }
  }

  /** Turns an immediate failure into a rejection: thrown into a socket, it would end the venue. */
  #beginAndFollow(): void | Promise<void> {
    try {
      const begun = isBehind(this.reader) ? this.#beginRead() : this.topic.source.begin(this);
      return begun === undefined ? this.#follow() : begun.then(() => this.#follow());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Begins when what was sent for other streams has been read. */
  async #beginRead(): Promise<void> {
    while (isBehind(this.reader)) await caughtUp(this.reader);
    // A subscription that has ended by now would never be ended again.
    if (!this.#isOver) await this.topic.source.begin(this);
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

  /** Sends what was held, and what arrives while that is read, until nothing is left. */
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
