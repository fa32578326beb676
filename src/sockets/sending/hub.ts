/**
 * Connects readers and streams. Sources make messages and readers are connections; a message goes
 * to a topic, which delivers it to each of its readers.
 */
import { isStoreAway } from "../../engine/engine.ts";
import { MessageLine } from "./message_line.ts";
import { type StreamSource, Subscription, Topic } from "./subscription.ts";
import { CLOSE_CODES } from "../limits.ts";
import type { StreamReader } from "./stream_reader.ts";

/** Streams per socket. */
export const STREAMS_PER_READER_MAX = 300;

/** Close reason when a stream can't be begun although the store is there; the client reconnects. */
const NOT_BEGUN = "stream could not be started";

/** Closes the sockets of readers that have missed a message, so that they come back for it. */
export function closeReaders(topics: Iterable<Topic>): void {
  for (const { subscriptions } of [...topics]) {
    for (const { reader } of [...subscriptions]) reader.close(CLOSE_CODES.fault, "internal error");
  }
}

/** Whether the reader got all streams that it asked for; if not, it may ask again later. */
export type SubscribeOutcome = "subscribed" | "too_many" | "unavailable";

/** All subscriptions of the process. */
export class Hub {
  readonly #sources: StreamSource[] = [];
  readonly #public = new Map<string, Topic>();
  readonly #private = new Map<number, Map<string, Topic>>();
  readonly #readers = new Map<StreamReader, Map<string, Subscription>>();
  /** The line of each reader's private streams. */
  readonly #lines = new WeakMap<StreamReader, MessageLine>();

  /** Adds a source of streams. */
  register(source: StreamSource): void {
    this.#sources.push(source);
  }

  /** Returns whether there is a stream of this name. */
  has(stream: string): boolean {
    return this.accessOf(stream) !== null;
  }

  /** Returns who may read a stream; null if there is none of this name. */
  accessOf(stream: string): StreamSource["access"] | null {
    return this.#sources.find((one) => one.has(stream))?.access ?? null;
  }

  /** Returns whether a reader has a stream, which may have ended for others. */
  reads(reader: StreamReader, stream: string): boolean {
    return this.#readers.get(reader)?.has(stream) ?? false;
  }

  /** Returns a public stream that has readers. */
  topic(stream: string): Topic | undefined {
    return this.#public.get(stream);
  }

  /** Returns a member's streams that have readers, by name. */
  memberTopics(member: number): ReadonlyMap<string, Topic> | undefined {
    return this.#private.get(member);
  }

  /** Returns the names of a reader's streams: public ones first, each kind as subscribed. */
  streamsOf(reader: StreamReader): string[] {
    const topics = [...this.#readers.get(reader)?.values() ?? []].map(({ topic }) => topic);
    const publicOnes = topics.filter(({ member }) => member === null);
    const privateOnes = topics.filter(({ member }) => member !== null);
    return [...publicOnes, ...privateOnes].map(({ stream }) => stream);
  }

  /** Returns the last sequences of a reader's private streams, to come back with. */
  sequencesOf(reader: StreamReader): Record<string, number> {
    const own = [...this.#readers.get(reader)?.values() ?? []];
    return Object.fromEntries(
      own.filter(({ topic }) => topic.member !== null)
        .map(({ topic, sequence }) => [topic.stream, sequence]),
    );
  }

  /**
   * Subscribes to streams and sends their beginnings, again to a reader that already has them,
   * since it may have lost its place. Skips unknown streams and the private ones of anonymous
   * readers. A stream that can't be begun while the store is away ends, and its reader is told;
   * the others go on. Returns a promise only if a source has to be awaited.
   *
   * @param since by stream: the last sequence that the reader has seen
   */
  subscribe(
    reader: StreamReader,
    streams: readonly string[],
    since: ReadonlyMap<string, number> = NOTHING_SEEN,
  ): SubscribeOutcome | Promise<SubscribeOutcome> {
    const begun: (Promise<boolean> | null)[] = [];
    const resumption = new Resumption();
    let outcome: SubscribeOutcome = "subscribed";
    for (const stream of new Set(streams)) {
      if (!reader.isOpen) break;
      const own = this.#readers.get(reader);
      const known = own?.get(stream);
      if (known !== undefined) {
        begun.push(this.#hasBegun(known, known.beginAgain()));
        continue;
      }
      const topic = this.#open(stream, reader.member);
      if (topic === null) continue;
      if ((own?.size ?? 0) >= STREAMS_PER_READER_MAX) {
        this.#release(topic);
        outcome = "too_many";
        break;
      }
      begun.push(this.#begin(topic, reader, since.get(stream) ?? null, resumption));
    }
    if (begun.every((one) => one === null)) return outcome;
    return Promise.all(begun).then((all) => {
      return outcome === "subscribed" && all.includes(false) ? "unavailable" : outcome;
    });
  }

  /** Ends a reader's subscriptions to streams. */
  unsubscribe(reader: StreamReader, streams: readonly string[]): void {
    const own = this.#readers.get(reader);
    if (own === undefined) return;
    for (const stream of streams) {
      const subscription = own.get(stream);
      if (subscription === undefined) continue;
      own.delete(stream);
      this.#drop(subscription);
    }
    if (own.size === 0) this.#readers.delete(reader);
  }

  /** Ends all of a reader's subscriptions. */
  leave(reader: StreamReader): void {
    this.unsubscribe(reader, [...this.#readers.get(reader)?.keys() ?? []]);
  }

  #begin(
    topic: Topic,
    reader: StreamReader,
    since: number | null,
    resumption: Resumption,
  ): Promise<boolean> | null {
    const line = topic.member === null ? new MessageLine(reader) : this.#lineOf(reader);
    const subscription = new Subscription(topic, reader, line, since);
    const own = this.#readers.get(reader) ?? new Map<string, Subscription>();
    this.#readers.set(reader, own);
    own.set(topic.stream, subscription);
    topic.subscriptions.add(subscription);
    const begun = since === null || topic.source.resume === undefined
      ? subscription.begin()
      : subscription.begin(resumption.startOf(subscription));
    return this.#hasBegun(subscription, begun);
  }

  /** What happens to a member is told in its order, whichever of the streams tell it. */
  #lineOf(reader: StreamReader): MessageLine {
    const known = this.#lines.get(reader);
    if (known !== undefined) return known;
    const line = new MessageLine(reader);
    this.#lines.set(reader, line);
    return line;
  }

  /** Resolves to false if the store is away, and rejects for any other fault. */
  #hasBegun(subscription: Subscription, beginning: Promise<void> | null): Promise<boolean> | null {
    return beginning === null ? null : beginning.then(() => true, (error: unknown) => {
      const isAway = isStoreAway(error);
      if (!subscription.isOver) this.#giveUp(subscription, isAway);
      if (!isAway) throw error;
      return false;
    });
  }

  #giveUp(subscription: Subscription, isAway: boolean): void {
    const { reader, topic: { stream } } = subscription;
    if (isAway) subscription.refuse(`${stream}: cannot be started now, subscribe again later`);
    this.unsubscribe(reader, [stream]);
    if (!isAway) reader.closeAnswered(CLOSE_CODES.fault, NOT_BEGUN);
  }

  #drop(subscription: Subscription): void {
    subscription.end();
    subscription.topic.subscriptions.delete(subscription);
    this.#release(subscription.topic);
  }

  /** Returns null if there is no such stream for this reader. */
  #open(stream: string, member: number | null): Topic | null {
    const source = this.#sources.find((one) => one.has(stream));
    if (source === undefined) return null;
    if (source.access === "public") {
      return this.#public.get(stream) ?? opened(this.#public, stream, null, source);
    }
    if (member === null) return null;
    const own = this.#private.get(member) ?? new Map<string, Topic>();
    this.#private.set(member, own);
    return own.get(stream) ?? opened(own, stream, member, source);
  }

  /** Removes a topic without readers. */
  #release(topic: Topic): void {
    const { subscriptions, stream, member, source } = topic;
    if (subscriptions.size > 0) return;
    if (member === null) this.#public.delete(stream);
    else {
      const own = this.#private.get(member);
      own?.delete(stream);
      if (own?.size === 0) this.#private.delete(member);
    }
    source.end?.(topic);
  }
}

/** The streams of one request whose reader comes back to them: they are resumed together. */
class Resumption {
  readonly #subscriptions: Subscription[] = [];
  #resuming: Promise<void> | null = null;

  /** Returns what begins a stream, with all the others. */
  startOf(subscription: Subscription): () => Promise<void> {
    this.#subscriptions.push(subscription);
    return () => this.#resuming ??= Promise.resolve().then(() => this.#resume(subscription));
  }

  async #resume({ topic: { source } }: Subscription): Promise<void> {
    await source.resume?.(this.#subscriptions);
  }
}

const NOTHING_SEEN: ReadonlyMap<string, number> = new Map();

function opened(
  topics: Map<string, Topic>,
  stream: string,
  member: number | null,
  source: StreamSource,
): Topic {
  const topic = new Topic(stream, member, source);
  topics.set(stream, topic);
  return topic;
}
