/** A client of the push protocol. */
import type { FrameTurns } from "../frame_turns.ts";
import { type Hub, STREAMS_PER_READER_MAX, type SubscribeOutcome } from "../sending/hub.ts";
import { errorFrame, loginErrorFrame, loginFrame, successFrame } from "./push_dialect.ts";
import { RequestPace } from "../request_pace.ts";
import type { Connection } from "../socket_gate.ts";
import { reportedError, type ReportParts } from "../reported_error.ts";
import { alreadyLoggedIn, signedBy, type SocketLogin } from "../socket_login.ts";
import { SocketReader } from "../socket_reader.ts";
import type { Dialect } from "../stream_message.ts";
import { parseShallow, RepeatedKeyError } from "../../edge/reading/exact_json.ts";
import { CLOSE_CODES } from "../limits.ts";
import type { StreamReader } from "../sending/stream_reader.ts";

/** Unanswered requests per connection; they wait for as long as the client does not read. */
export const REQUESTS_WAITING_MAX = 300;
/** Their total characters; a client that asks for each stream separately sends short ones. */
export const REQUESTS_WAITING_LENGTH_MAX = 64 * 1024;

/** What all connections share. */
export interface PushParts {
  readonly hub: Hub;
  readonly turns: FrameTurns;
  readonly onFault: (error: unknown) => void;
  /** What log-ins need besides. */
  readonly services: ReportParts;
}

/** What a client asks for when it connects. */
export interface PushHandshake {
  readonly member: number | null;
  readonly dialect: Dialect;
  readonly streams: readonly string[];
  /** By private stream: the last sequence that the client has seen. */
  readonly since: ReadonlyMap<string, number>;
}

/** A connection that speaks the push protocol: it subscribes and receives its streams. */
export class PushConnection extends SocketReader implements Connection, StreamReader {
  readonly dialect: Dialect;
  readonly #services: ReportParts;
  /** Null if somebody opened it. */
  readonly #login: SocketLogin | null;
  #member: number | null;
  readonly #hub: Hub;
  readonly #turns: FrameTurns;
  readonly #handshake: PushHandshake;
  readonly #onFault: (error: unknown) => void;
  /** What the client has seen of streams that it has not subscribed to yet. */
  readonly #since: Map<string, number>;
  readonly #pace = new RequestPace();
  /** The request being answered; the next one waits for it. */
  #work: Promise<void> | null = null;
  #waiting = 0;
  #waitingLength = 0;

  constructor(
    { hub, onFault, services, turns }: PushParts,
    handshake: PushHandshake,
    login: SocketLogin | null = null,
  ) {
    super();
    this.#services = services;
    this.#login = login;
    this.#hub = hub;
    this.#turns = turns;
    this.#handshake = handshake;
    this.#onFault = onFault;
    this.#member = handshake.member;
    this.dialect = handshake.dialect;
    this.#since = new Map(handshake.since);
  }

  get member(): number | null {
    return this.#member;
  }

  onOpen(): void {
    this.#do(() => this.#subscribe(this.#handshake.streams));
  }

  onText(text: string): void {
    const { length } = text;
    const isFull = this.#waiting >= REQUESTS_WAITING_MAX ||
      this.#waitingLength + length > REQUESTS_WAITING_LENGTH_MAX;
    if (this.#pace.isTooFast(length) || isFull) return this.putOut();
    // Parsed in its turn, because the text takes less memory.
    const turn = this.#turns.take(this, length);
    if (turn === null) this.#do(() => this.#answer(text), length);
    else this.#do(() => turn.then(() => this.#answer(text)), length);
  }

  onClose(): void {
    this.#hub.leave(this);
  }

  #answer(text: string): void | Promise<void> {
    const request = readPushRequest(text);
    switch (request.kind) {
      case "invalid":
        return this.send(errorFrame(request.message));
      case "login":
        return this.#logIn(request);
      case "subscribe":
        this.#noteSeen(request.streams, request.since);
        return this.#subscribe(request.streams);
      case "unsubscribe":
        this.#tellRefused(request.streams);
        this.#hub.unsubscribe(this, request.streams);
        return this.#tellStreams("unsubscribed");
    }
  }

  async #logIn({ apikey, nonce, signature, bodySignature }: PushLogin): Promise<void> {
    try {
      if (this.#login === null) throw alreadyLoggedIn();
      const signed = signedBy(apikey, nonce, signature, bodySignature);
      const { member } = await this.#login.logIn(signed, "read");
      this.#member = member;
      const { uid } = this.#services.engine.venue.holder(member).member;
      this.send(loginFrame(uid, this.#hub.streamsOf(this)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const request = { method: "STREAM", path: "login", isRead: true };
      this.send(loginErrorFrame(reportedError(this.#services, error, request)));
      if (this.#login?.hasFailedTooOften) this.putOut();
    }
  }

  /**
   * Notes what the client has seen of its own streams that it is about to read; names the others,
   * of which it would never learn what it has missed.
   */
  #noteSeen(streams: readonly string[], since: ReadonlyMap<string, number>): void {
    const strays: string[] = [];
    for (const [stream, sequence] of since) {
      const access = this.#hub.accessOf(stream);
      if (!streams.includes(stream)) {
        strays.push(`${stream}: not asked for, so its since is ignored`);
      } else if (access === "public") strays.push(`${stream}: public, so it has no since`);
      else if (access === "private" && this.member !== null && !this.#hub.reads(this, stream)) {
        this.#since.set(stream, sequence);
      }
    }
    if (strays.length > 0) this.send(errorFrame(strays.join("; ")));
  }

  /** Names the streams that the client can't have, in one error beside the success of the others. */
  #tellRefused(streams: readonly string[]): void {
    const refused = [...new Set(streams)].flatMap((stream) => {
      const access = this.#hub.accessOf(stream);
      if (access === null && !this.#hub.reads(this, stream)) return [`${stream}: no such stream`];
      const isForeign = access === "private" && this.member === null;
      return isForeign ? [`${stream}: private, read it at a private path, or log in`] : [];
    });
    if (refused.length > 0) this.send(errorFrame(refused.join("; ")));
  }

  #subscribe(streams: readonly string[]): void | Promise<void> {
    this.#tellRefused(streams);
    const outcome = this.#hub.subscribe(this, streams, this.#since);
    if (!(outcome instanceof Promise)) return this.#tellSubscribed(outcome);
    return outcome.then((late) => this.#tellSubscribed(late));
  }

  #tellSubscribed(outcome: SubscribeOutcome): void {
    for (const stream of this.#hub.streamsOf(this)) this.#since.delete(stream);
    if (outcome === "too_many") {
      this.send(errorFrame(`Too many streams: at most ${STREAMS_PER_READER_MAX}`));
    }
    this.#tellStreams("subscribed");
  }

  #tellStreams(message: string): void {
    this.send(successFrame(message, this.#hub.streamsOf(this), this.#hub.sequencesOf(this)));
  }

  /** Does the work now or after the current request: answers come in the order of requests. */
  #do(work: () => void | Promise<void>, length: number = 0): void {
    const done = this.#work === null ? work() : this.#work.then(work);
    if (done === undefined) return;
    this.#waiting += 1;
    this.#waitingLength += length;
    const settled = done.catch((error) => this.#fail(error)).then(() => {
      this.#waiting -= 1;
      this.#waitingLength -= length;
      if (this.#work === settled) this.#work = null;
    });
    this.#work = settled;
  }

  #fail(error: unknown): void {
    this.#onFault(error);
    this.close(CLOSE_CODES.fault, "internal error");
  }
}

/** A log-in, whose values are as they were sent. */
interface PushLogin {
  readonly kind: "login";
  readonly apikey: unknown;
  readonly nonce: unknown;
  readonly signature: unknown;
  readonly bodySignature: unknown;
}

/** A client's frame, valid or not. */
export type PushRequest =
  | PushLogin
  | {
    readonly kind: "subscribe" | "unsubscribe";
    readonly streams: readonly string[];
    /** By stream: the last sequence that the client has seen. */
    readonly since: ReadonlyMap<string, number>;
  }
  | { readonly kind: "invalid"; readonly message: string };

/** Parses a frame; ignores unknown fields. */
export function readPushRequest(text: string): PushRequest {
  const value = parsed(text);
  if (value instanceof RepeatedKeyError) {
    return invalid(`Could not parse the message: ${value.message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("Could not parse the message: not a JSON object");
  }
  const { event, streams, ...fields } = value as Readonly<Record<string, unknown>>;
  if (event === "login") {
    const { apikey, nonce, signature, body_signature: bodySignature } = fields;
    return { kind: event, apikey, nonce, signature, bodySignature };
  }
  if (event !== "subscribe" && event !== "unsubscribe") {
    return invalid("Could not parse Type: Invalid event");
  }
  if (!Array.isArray(streams) || streams.length === 0) return invalid("No streams provided");
  if (!streams.every((stream) => typeof stream === "string")) {
    return invalid("Streams must be strings");
  }
  const since = event === "subscribe" ? seenOf(fields.since) : NOTHING_SEEN;
  return since === null
    ? invalid("since must be an object of sequences by stream")
    : { kind: event, streams, since };
}

const NOTHING_SEEN: ReadonlyMap<string, number> = new Map();

/** Returns the sequences of a field, which may be absent; null if it has anything else. */
function seenOf(field: unknown): ReadonlyMap<string, number> | null {
  if ((field ?? null) === null) return NOTHING_SEEN;
  if (typeof field !== "object" || Array.isArray(field)) return null;
  const entries = Object.entries(field as Readonly<Record<string, unknown>>);
  const isSequence = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  return entries.every(([, value]) => isSequence(value))
    ? new Map(entries.map(([stream, value]) => [stream, Number(value)]))
    : null;
}

function invalid(message: string): PushRequest {
  return { kind: "invalid", message };
}

function parsed(text: string): unknown {
  try {
    return parseShallow(text);
  } catch (error) {
    return error instanceof RepeatedKeyError ? error : undefined;
  }
}
