/** Sending to many readers without holding up everything else. */
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { Topic } from "./hub.ts";
import type { StreamMessage } from "./stream_message.ts";
import type { Subscription } from "./subscription.ts";

/** Messages on their way to all who read a topic, reader by reader. */
export class Portions {
  readonly #topic: Pick<Topic, "subscriptions">;
  readonly #portionFrames: number;
  /** What is sent now, and to whom. */
  #messages: readonly StreamMessage[] = [];
  #readers: readonly Subscription[] = [];
  /** Readers that have been told. */
  #told = 0;
  #waiting: StreamMessage[] = [];
  /** Until all is sent. */
  #sending: Promise<void> | null = null;

  /** @param portionFrames frames that are sent before others get their turn */
  constructor(topic: Pick<Topic, "subscriptions">, portionFrames: number) {
    this.#topic = topic;
    this.#portionFrames = portionFrames;
  }

  /** Frames that are not sent yet. */
  get frames(): number {
    return this.#framesLeft + this.#waiting.length * this.#topic.subscriptions.size;
  }

  get #framesLeft(): number {
    return this.#messages.length * (this.#readers.length - this.#told);
  }

  /**
   * Sends a message behind those that wait: the first portion at once where none does, and with a
   * turn for everything that is ready between portions.
   */
  send(message: StreamMessage): Promise<void> {
    this.#waiting.push(message);
    return this.#sending ??= this.#sendAll();
  }

  /** Sends the next portion; those who read when its messages' turn has come are told. */
  sendPortion(): void {
    if (this.#framesLeft === 0) {
      [this.#messages, this.#waiting] = [this.#waiting, []];
      this.#readers = [...this.#topic.subscriptions];
      this.#told = 0;
    }
    const count = Math.max(1, Math.floor(this.#portionFrames / Math.max(1, this.#messages.length)));
    const readers = this.#readers.slice(this.#told, this.#told + count);
    this.#told += readers.length;
    for (const reader of readers) {
      for (const message of this.#messages) reader.deliver(message);
    }
  }

  async #sendAll(): Promise<void> {
    do {
      this.sendPortion();
      // What is made in the same breath goes together.
      await (this.#framesLeft > 0 ? yieldToOthers() : null);
    } while (this.frames > 0);
    this.#sending = null;
  }
}
