/**
 * The venue's streams over one socket, which comes back by itself. A private stream goes on where it
 * was cut off; of any stream that can't, its listener is told that something is missing.
 */
import type { Caller } from "../calls/caller.ts";
import { isErrorBody, VenueError } from "../calls/venue_error.ts";
import { KeptSocket, type SocketOpener } from "./kept_socket.ts";
import { LogIn } from "./log_in.ts";
import type { MessageNumbers, StreamMessages } from "./stream_messages.ts";

/** Hears a stream. */
export interface StreamListener<Message> {
  onMessage(message: Message, numbers: MessageNumbers): void;
  /** Messages were missed that can't be told any more: read over HTTP what they have changed. */
  onGap?(): void;
  /** The connection is lost: nothing is told until it is back, which the stream sees to. */
  onDown?(): void;
  /** The venue has refused the stream, in words for people. */
  onError?(error: Error): void;
}

/** A stream that is listened to. */
export interface Listening {
  /** Stops; nothing more is heard. */
  close(): void;
}

/** A stream, by all who listen to it. */
interface Listened {
  readonly listeners: Set<StreamListener<unknown>>;
  /** Sequence of the last message; null before the first. */
  last: number | null;
  /** Whether the next message may have any sequence: it begins anew. */
  isFresh: boolean;
}

/** Streams that need a key or a session. */
const PRIVATE: ReadonlySet<string> = new Set([
  "order",
  "trade",
  "balances",
  "balance",
  "deposit",
  "deposit_address",
  "withdraw",
]);
/** Those that a reconnected client can have replayed. */
const RESUMED: ReadonlySet<string> = new Set(["order", "trade", "balance", "deposit", "withdraw"]);
/**
 * Those whose sequence may leave numbers out though nothing is missing: all balances are told each
 * time, and money has the numbers of balances.
 */
const UNCOUNTED: ReadonlySet<string> = new Set(["balances", "deposit", "withdraw"]);
/** After how long a stream that can't be started now is asked for again, in ms. */
const AGAIN_MS = 1_000;
/** Matches the first message of a book, which has a name of its own. */
const SNAPSHOT = /\.ob-snap$/;

/** The reply to a subscription; `sequences` are those of private streams. */
interface Subscribed {
  readonly message?: string;
  readonly sequences?: Readonly<Record<string, number>>;
}

/** The reply to what is refused; with identifiers if it was a log-in. */
interface Refused {
  readonly message?: string;
  readonly event?: string;
}

type Frame = Readonly<Record<string, unknown>> & { readonly sequence?: number };

/** All streams of one client. */
export class VenueStreams {
  readonly #caller: Caller;
  readonly #opener: SocketOpener;
  readonly #streams = new Map<string, Listened>();
  #socket: KeptSocket | null = null;

  constructor(caller: Caller, opener: SocketOpener) {
    this.#caller = caller;
    this.#opener = opener;
  }

  /** Listens to a stream; a second listener gets what it tells from then on, a book from its start. */
  listen<Name extends keyof StreamMessages & string>(
    name: Name,
    listener: StreamListener<StreamMessages[Name]>,
  ): Listening {
    const heard = listener as StreamListener<unknown>;
    const stream = this.#streams.get(name);
    if (stream === undefined) {
      this.#streams.set(name, { listeners: new Set([heard]), last: null, isFresh: true });
      this.#connect();
      this.#ask("subscribe", name);
    } else {
      stream.listeners.add(heard);
      if (name.endsWith(".ob-levels") || name.endsWith(".ob-inc")) this.restart(name);
    }
    return { close: () => this.#leave(name, heard) };
  }

  /** Has a stream begin anew, with its opening messages. */
  restart(name: string): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    stream.isFresh = true;
    this.#ask("subscribe", name);
  }

  /** Closes the socket; nothing more is heard. */
  close(): void {
    this.#streams.clear();
    this.#logIn?.end();
    this.#socket?.close();
    this.#socket = null;
  }

  #leave(name: string, listener: StreamListener<unknown>): void {
    const stream = this.#streams.get(name);
    if (stream === undefined || !stream.listeners.delete(listener)) return;
    if (stream.listeners.size > 0) return;
    this.#streams.delete(name);
    if (this.#streams.size === 0) this.close();
    else this.#ask("unsubscribe", name);
  }

  #connect(): void {
    this.#socket ??= new KeptSocket({
      opener: this.#opener,
      address: (isHeard) => this.#address(isHeard),
      onOpen: () => this.#onOpen(),
      onFrame: (frame) => isObject(frame) && this.#onFrame(frame),
      onDown: () => this.#onDown(),
    });
  }

  /** What was asked for while it was opened. */
  #onOpen(): void {
    this.#isUp = true;
    this.#logIn?.begin();
    this.#askAll();
  }

  /** Asks for what was not asked for yet and can be had by now. */
  #askAll(): void {
    const names = [...this.#streams.keys()].filter((name) => !this.#asked.has(name));
    // At once, so that what they have missed comes in its order.
    if (names.length > 0) this.#ask("subscribe", ...names);
  }

  /** The streams that the connection has been asked for. */
  #asked = new Set<string>();
  /** Logs this connection in; null if its handshake tells whose it is. */
  #logIn: LogIn | null = null;

  async #address(isHeard: boolean): Promise<{ url: string; headers: Record<string, string> }> {
    await this.#opener.before?.();
    const { signer, csrfToken, url: origin } = this.#caller;
    // A refused handshake gives no reason; a refused log-in does.
    const isByMessage = signer !== null && !(this.#opener.takesHeaders && isHeard);
    const isPrivate = signer !== null || csrfToken !== null;
    const names = [...this.#streams.keys()];
    const isOpening = isPrivate && !isByMessage;
    const since = isOpening ? this.#sinceOf(names) : [];
    const asked = names.filter((name) => isOpening || !PRIVATE.has(name));
    const query = new URLSearchParams({ stream: asked.join(","), checksum: "crc32" });
    if (since.length > 0) query.set("since", since.map((one) => one.join(":")).join(","));
    this.#asked = new Set(asked);
    const path = `/api/v2/stream/${isOpening ? "private" : "public"}`;
    const url = `${origin.replace(/^http/, "ws")}${path}?${query}`;
    this.#logIn = isByMessage ? this.#logInAt(url) : null;
    return { url, headers: isOpening ? await this.#caller.signedHeaders(url) : {} };
  }

  /** Returns where streams go on that can. */
  #sinceOf(names: readonly string[]): (readonly [name: string, sequence: number])[] {
    return names.flatMap((name) => {
      const last = this.#streams.get(name)?.last ?? null;
      return RESUMED.has(name) && last !== null ? [[name, last] as const] : [];
    });
  }

  #logInAt(url: string): LogIn {
    return new LogIn(this.#caller, url, {
      send: ({ apikey, nonce, signature, bodySignature }) => {
        const body = bodySignature === null ? {} : { body_signature: bodySignature };
        this.#send({ event: "login", apikey, nonce, signature, ...body });
      },
      onDone: () => this.#askAll(),
      onSilent: () => this.#socket?.renew(),
      onRefused: (error) => {
        const refused = [...this.#streams].filter(([name]) => PRIVATE.has(name));
        for (const [, { listeners }] of refused) {
          for (const listener of [...listeners]) listener.onError?.(error);
        }
      },
    });
  }

  /** Whether the last that was heard of the connection is that it is open. */
  #isUp = false;

  #onDown(): void {
    for (const [name, stream] of this.#streams) {
      stream.isFresh = !RESUMED.has(name);
      // A stream of trades counts on; what was missed shows when it comes back.
      if (name.endsWith(".trades")) stream.isFresh = false;
      // Not of each vain attempt to open it again.
      if (this.#isUp) { for (const listener of [...stream.listeners]) listener.onDown?.(); }
    }
    this.#isUp = false;
    this.#logIn?.end();
  }

  #ask(event: "subscribe" | "unsubscribe", ...names: readonly string[]): void {
    // Private ones follow once the connection is logged in.
    const isAwaited = this.#logIn !== null && !this.#logIn.isDone;
    const streams = isAwaited ? names.filter((name) => !PRIVATE.has(name)) : names;
    const seen = event === "subscribe" ? this.#sinceOf(streams) : [];
    const since = seen.length === 0 ? {} : { since: Object.fromEntries(seen) };
    if (streams.length === 0 || !this.#send({ event, streams, ...since })) return;
    for (const name of streams) {
      if (event === "subscribe") this.#asked.add(name);
      else this.#asked.delete(name);
    }
  }

  #send(request: object): boolean {
    return this.#socket?.send(JSON.stringify(request)) ?? false;
  }

  /** @returns whether it can be the venue's */
  #onFrame(frame: Frame): boolean {
    const [key, content] = Object.entries(frame)[0] ?? [];
    if (key === undefined) return true;
    // Listeners are told what the venue tells: records, or lists of them.
    if (typeof content !== "object" || content === null) return false;
    if (key === "success" || key === "error") {
      if (!isObject(content)) return false;
      if (key === "success") return this.#onSuccess(content);
      return this.#onError(content);
    }
    const isSnapshot = SNAPSHOT.test(key) || frame["snapshot"] === true;
    for (const name of this.#namesOf(key)) this.#onMessage(name, content, frame, isSnapshot);
    return true;
  }

  /** Returns the streams that a message belongs to: a book's snapshot begins its levels. */
  #namesOf(key: string): string[] {
    if (!SNAPSHOT.test(key)) return [key];
    const market = key.replace(SNAPSHOT, "");
    return [`${market}.ob-levels`, `${market}.ob-inc`].filter((name) => this.#streams.has(name));
  }

  #onMessage(name: string, content: unknown, frame: Frame, isSnapshot: boolean): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    const sequence = frame.sequence ?? 0;
    const { last } = stream;
    // Told already: replayed, or repeated by a second subscription.
    if (!isSnapshot && !stream.isFresh && last !== null && sequence <= last && RESUMED.has(name)) {
      return;
    }
    const isGap = last !== null && !UNCOUNTED.has(name) &&
      (isSnapshot
        ? RESUMED.has(name) && !isNextOf(last, sequence)
        : !stream.isFresh && sequence !== last + 1);
    stream.last = sequence;
    stream.isFresh = false;
    const numbers = { sequence, event: frame["event"] as number | undefined, isSnapshot };
    for (const listener of [...stream.listeners]) {
      if (isGap) listener.onGap?.();
      listener.onMessage(content, numbers);
    }
  }

  /** What the replay or the opening messages have led to; a state of nothing has no message. */
  #onSuccess({ message, sequences }: Subscribed): boolean {
    if (message === "logged_in") this.#logIn?.done();
    for (const [name, sequence] of Object.entries(sequences ?? {})) {
      const stream = this.#streams.get(name);
      if (stream === undefined || stream.last === sequence) continue;
      const isGap = stream.last !== null && RESUMED.has(name) && !UNCOUNTED.has(name);
      stream.last = sequence;
      stream.isFresh = false;
      if (!isGap) continue;
      for (const listener of [...stream.listeners]) listener.onGap?.();
    }
    return true;
  }

  #onError(body: Refused): boolean {
    const { message, event } = body;
    if (event === "login") {
      if (!isErrorBody(body)) return false;
      this.#logIn?.refused(new VenueError(0, body));
      return true;
    }
    if (typeof message !== "string") return false;
    for (const part of message.split("; ")) this.#onRefusal(part);
    return true;
  }

  /** @param text a stream's name, and what is wrong with it */
  #onRefusal(text: string): void {
    const [, name = "", why = ""] = /^([^:]+): (.*)$/.exec(text) ?? [];
    const listeners = [...this.#streams.get(name)?.listeners ?? []];
    if (why.startsWith("cannot be started now")) {
      this.#asked.delete(name);
      setTimeout(() => this.#askAll(), AGAIN_MS);
    } else if (!why.startsWith("since ")) {
      for (const listener of listeners) listener.onError?.(new Error(text));
    } else if (UNCOUNTED.has(name)) {
      // It goes on from what is now, which its numbers don't show.
      for (const listener of listeners) listener.onGap?.();
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A snapshot of where one was is no gap. */
function isNextOf(last: number, sequence: number): boolean {
  return sequence === last || sequence === last + 1;
}
