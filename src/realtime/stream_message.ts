/** What goes out to readers of streams: made once, written once in each dialect. */

/** What a message says. Each stream has classes of its own, whose fields a dialect may read. */
export interface StreamContent {
  /** Key of the message in the push protocol, where it is not the stream's name. */
  readonly key?: string;
  /** Says how things stand, under the number of the last message, instead of what is new. */
  readonly isSnapshot?: boolean;
  /** The payload in the push protocol, as JSON text. */
  payload(): string;
}

/** How messages are written. One object for all connections of a kind: it is the key of a cache. */
export interface Dialect {
  /** The whole frame; null where the dialect has no such message. */
  frame(message: StreamMessage): string | null;
  /** Tells what can't be done; absent where the dialect has no such frame. */
  errorFrame?(message: string): string;
}

/** One message of a stream. */
export class StreamMessage {
  readonly #frames = new Map<Dialect, string | null>();

  constructor(
    /** Name of the stream. */
    readonly stream: string,
    /** Place in the stream: one more than the message before it. */
    readonly sequence: number,
    readonly content: StreamContent,
  ) {}

  /** The frame in a dialect, written on first use. */
  frame(dialect: Dialect): string | null {
    const known = this.#frames.get(dialect);
    if (known !== undefined) return known;
    const frame = dialect.frame(this);
    this.#frames.set(dialect, frame);
    return frame;
  }
}
