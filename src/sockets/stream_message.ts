/** Messages to readers of streams: created once, and written once per dialect. */

/** What a message says. Each stream has its own classes, whose fields a dialect may read. */
export interface StreamContent {
  /** Key of the message in the push protocol, if it is not the stream's name. */
  readonly key?: string;
  /**
   * Describes the current state, under the sequence of the last message, rather than a change; in
   * private streams only.
   */
  readonly isSnapshot?: boolean;
  /** The reader's picture is whole after it, until the next message; in streams of books only. */
  readonly isLast?: boolean;
  /** Tells everything anew, so that an older message is of no use to a reader that is behind. */
  readonly isWhole?: boolean;
  /** Returns the payload in the push protocol, as JSON text. */
  payload(): string;
}

/** A way of writing messages. All connections of a kind share one object, which is a cache key. */
export interface Dialect {
  /** Returns the whole frame; null if the dialect has no such message. */
  frame(message: StreamMessage): string | null;
  /** Returns an error's frame; absent if the dialect has none. */
  errorFrame?(message: string): string;
}

/** One message of a stream. */
export class StreamMessage {
  readonly #frames = new Map<Dialect, string | null>();

  constructor(
    /** Name of the stream. */
    readonly stream: string,
    /** Place in the stream, not in the log: one more than the last message's. */
    readonly sequence: number,
    readonly content: StreamContent,
    /**
     * Number of the venue's event that it tells of, or whose effects a snapshot includes; of public
     * streams only those of books have it.
     */
    readonly event?: number,
  ) {}

  /** Returns the frame in a dialect, written on first use. */
  frame(dialect: Dialect): string | null {
    const known = this.#frames.get(dialect);
    if (known !== undefined) return known;
    const frame = dialect.frame(this);
    this.#frames.set(dialect, frame);
    return frame;
  }
}
