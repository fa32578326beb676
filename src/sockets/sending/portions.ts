/** Sends to many readers without holding up everything else. */
import { yieldToOthers } from "../../engine/yield_to_others.ts";
import type { StreamMessage } from "../stream_message.ts";
import type { Subscription, Topic } from "./subscription.ts";
import { PORTION_FRAMES } from "../limits.ts";

/** Messages to all readers of a topic, sent reader by reader. */
export class Portions {
  readonly #topic: Pick<Topic, "subscriptions">;
  readonly #portionFrames: number;
  /** The messages being sent, and their readers. */
  #messages: readonly StreamMessage[] = [];
  #readers: readonly Subscription[] = [];
  /** Number of readers served. */
  #told = 0;
  #waiting: StreamMessage[] = [];
  /** Resolves when everything is sent. */
  #sending: Promise<void> | null = null;

  /** @param portionFrames fewer than usual if frames are large */
  constructor(topic: Pick<Topic, "subscriptions">, portionFrames = PORTION_FRAMES) {
    this.#topic = topic;
    this.#portionFrames = portionFrames;
  }

  /** Frames not sent yet. */
  get frames(): number {
    return this.#framesLeft + this.#waiting.length * this.#topic.subscriptions.size;
  }

  get #framesLeft(): number {
    return this.#messages.length * (this.#readers.length - this.#told);
  }

  /**
   * Sends a message after those that wait. If none does, the first portion goes out at once;
   * between portions, everything else that is ready gets a turn.
   */
  send(message: StreamMessage): Promise<void> {
    this.#waiting.push(message);
    return this.#sending ??= this.#sendAll();
  }

  /** Sends the next portion; messages go to those who read the topic when their turn comes. */
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
    if (this.#framesLeft > 0) return;
    // Until the next message, which may be long, readers that leave would be kept.
    this.#messages = [];
    this.#readers = [];
    this.#told = 0;
  }

  async #sendAll(): Promise<void> {
    do {
      this.sendPortion();
      // Messages made in the same turn are sent together.
      await (this.#framesLeft > 0 ? yieldToOthers() : null);
    } while (this.frames > 0);
    this.#sending = null;
  }
}
