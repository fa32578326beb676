/** One reader's place in one stream. */
import type { StreamReader, Topic } from "./hub.ts";
import type { StreamMessage } from "./stream_message.ts";
import { CLOSE_CODES, SEND_BUFFER_BYTES_MAX } from "./stream_socket.ts";

/** Tells a reader whose stream can't be begun; the client connects again. */
const NOT_BEGUN = "stream could not be started";

/** A reader of a topic. */
export class Subscription {
  /** Messages up to it are passed over. */
  #sequence = 0;
  /** Messages that came before the beginning was sent; null once it is. */
  #held: StreamMessage[] | null = [];
  #heldLength = 0;
  #isOver = false;

  constructor(
    readonly topic: Topic,
    readonly reader: StreamReader,
    /** The last sequence that the reader has seen; null where it begins anew. */
    readonly since: number | null,
  ) {}

  /** Sequence of the last message sent, or passed over because the reader has seen it. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Nothing is sent any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a message of the beginning, whatever its sequence, and goes on behind it. */
  send(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#sequence = Math.max(this.#sequence, message.sequence);
    const frame = message.frame(this.reader.dialect);
    if (frame !== null) this.reader.send(frame);
  }

  /** Goes on behind a message that the reader has seen already. */
  goOnBehind(sequence: number): void {
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
    const begun = this.topic.source.begin(this);
    if (begun === undefined) {
      this.#follow();
      return null;
    }
    return begun.then(() => this.#follow(), (error: unknown) => {
      if (this.#isOver) return;
      this.reader.close(CLOSE_CODES.fault, NOT_BEGUN);
      throw error;
    });
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
    if (this.#heldLength > SEND_BUFFER_BYTES_MAX) {
      this.reader.close(CLOSE_CODES.slowReader, "slow reader");
    }
  }

  #follow(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const message of held) this.deliver(message);
  }
}
