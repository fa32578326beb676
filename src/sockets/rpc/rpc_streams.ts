/** A connection's streams under their names in the RPC dialect. */
import { ApiError, invalidField, unavailable } from "../../edge/errors.ts";
import { type Hub, STREAMS_PER_READER_MAX } from "../sending/hub.ts";
import { refuseSurplus } from "./rpc_arguments.ts";
import { STATUS_STREAM } from "../streams/status_stream.ts";
import { TICKERS_STREAM } from "../streams/ticker_stream.ts";
import type { StreamReader } from "../sending/stream_reader.ts";

type StreamAccess = "public" | "private";

/** The venue's names of private streams by the dialect's, which has singulars and plurals. */
const PRIVATE_STREAMS: ReadonlyMap<string, string> = new Map([
  ["order", "order"],
  ["orders", "order"],
  ["trade", "trade"],
  ["trades", "trade"],
  ["balances", "balances"],
]);

const BOOK = ".orderbook";

/** A stream by the venue's name and the dialect's. */
interface NamedStream {
  readonly stream: string;
  readonly name: string;
}

/** The streams that one connection reads. */
export class RpcStreams {
  readonly #hub: Hub;
  readonly #reader: StreamReader;
  /** By the venue's name: the name that the client subscribed with. */
  readonly #names = new Map<string, { readonly access: StreamAccess; readonly name: string }>();

  constructor(hub: Hub, reader: StreamReader) {
    this.#hub = hub;
    this.#reader = reader;
  }

  /**
   * `["public" or "private", [stream, …]]` → the same with all current streams, after their
   * beginnings have been sent.
   *
   * @throws {ApiError} some of the streams do not exist, or there are more names than a reader may
   * have streams; then nothing changes. Or one can't be begun now, or there is no room for it: then
   * the others are read
   */
  async subscribe(args: readonly unknown[]): Promise<unknown> {
    const { access, names } = readArgs(args);
    const streams = this.#known(access, names);
    this.#forgetLost();
    const subscribing = this.#hub.subscribe(this.#reader, streams.map(({ stream }) => stream));
    // Only names of streams that are read are kept, not of those beyond the limit.
    const read = new Set(this.#hub.streamsOf(this.#reader));
    for (const { stream, name } of streams) {
      if (read.has(stream) && !this.#names.has(stream)) this.#names.set(stream, { access, name });
    }
    const outcome = await subscribing;
    if (outcome === "too_many") throw tooMany();
    if (outcome === "unavailable") throw unavailable();
    return [access, this.#current(access)];
  }

  /**
   * `["public" or "private", [stream, …]]` → the same with what remains.
   *
   * @throws {ApiError} some of the streams do not exist; then nothing changes
   */
  unsubscribe(args: readonly unknown[]): unknown {
    const { access, names } = readArgs(args);
    const streams = this.#known(access, names).map(({ stream }) => stream);
    this.#hub.unsubscribe(this.#reader, streams);
    for (const stream of streams) this.#names.delete(stream);
    return [access, this.#current(access)];
  }

  /** @throws {ApiError} 422 names all streams that there are not */
  #known(access: StreamAccess, names: readonly string[]): readonly NamedStream[] {
    const known: NamedStream[] = [];
    const unknown: string[] = [];
    for (const name of names) {
      const stream = venueStream(access, name);
      const isKnown = stream !== null &&
        (this.#hub.has(stream) || this.#hub.reads(this.#reader, stream));
      if (isKnown) known.push({ stream, name });
      else unknown.push(name);
    }
    if (unknown.length === 0) return known;
    throw new ApiError(422, "stream.doesnt_exist", {
      details: { field: "streams", value: unknown.join(", ") },
    });
  }

  /** Streams that could not be begun have ended, and may come back by another name. */
  #forgetLost(): void {
    const read = new Set(this.#hub.streamsOf(this.#reader));
    for (const stream of this.#names.keys()) if (!read.has(stream)) this.#names.delete(stream);
  }

  #current(access: StreamAccess): string[] {
    const current = this.#hub.streamsOf(this.#reader).map((stream) => this.#names.get(stream));
    return current.filter((one) => one?.access === access).map((one) => one?.name ?? "");
  }
}

function readArgs(args: readonly unknown[]): {
  readonly access: StreamAccess;
  readonly names: readonly string[];
} {
  refuseSurplus(args, 2);
  const [access, names] = args;
  if (access !== "public" && access !== "private") {
    throw invalidField("stream.invalid_access", "access");
  }
  if (!Array.isArray(names)) throw invalidField("stream.invalid_streams", "streams");
  // Before anything is done for each name.
  if (names.length > STREAMS_PER_READER_MAX) throw tooMany();
  if (!names.every((name) => typeof name === "string")) {
    throw invalidField("stream.invalid_streams", "streams");
  }
  return { access, names };
}

/** Returns the venue's name of a stream; null if the dialect has none, as for `ob-levels`. */
function venueStream(access: StreamAccess, name: string): string | null {
  if (access === "private") return PRIVATE_STREAMS.get(name) ?? null;
  if (name === "tickers") return TICKERS_STREAM;
  if (name === "status") return STATUS_STREAM;
  if (name.endsWith(BOOK)) return `${name.slice(0, -BOOK.length)}.ob-inc`;
  return /^[^.]+\.(?:trades|bbo|kline-\w+)$/.test(name) ? name : null;
}

function tooMany(): ApiError {
  return new ApiError(422, "stream.too_many_streams", {
    details: { field: "streams", limit: String(STREAMS_PER_READER_MAX) },
  });
}
