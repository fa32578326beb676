/** A worker with many readers of one book, which read little more than each frame's sequence. */
import { FrameSocket } from "./frame_socket.ts";

/** The arguments of a worker. */
export interface ReadersOrder {
  readonly port: number;
  /** The name of the book's stream. */
  readonly stream: string;
  readonly sockets: number;
  /** One in so many sockets records when it sees which price. */
  readonly sampleEvery: number;
}

/** The results of the readers. */
export interface ReadersResult {
  readonly frames: number;
  /** Number of frames whose sequence was not the previous one plus 1. */
  readonly gaps: number;
  /** Number of sockets that ended too early. */
  readonly ended: number;
  /** Prices in ticks seen by the sampled sockets, each with its time in ms since the epoch. */
  readonly seen: Float64Array;
}

/** The messages of a worker. */
export type ReadersMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string }
  | ({ readonly kind: "result" } & ReadersResult);

const OPENED_AT_ONCE = 50;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;
const POINT = 46;
const QUOTE = 34;
const BRACKET = 91;
const decoder = new TextDecoder();

/** The readers, from opening to result. */
class Readers {
  #frames = 0;
  #gaps = 0;
  #ended = 0;
  #isOver = false;
  readonly #sockets: FrameSocket[] = [];
  readonly #seen: number[] = [];

  constructor(readonly order: ReadersOrder) {}

  async open(): Promise<void> {
    const { sockets } = this.order;
    while (this.#sockets.length < sockets) {
      const count = Math.min(OPENED_AT_ONCE, sockets - this.#sockets.length);
      await Promise.all(Array.from({ length: count }, () => this.#openOne()));
    }
  }

  result(): ReadersResult {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.close();
    const { length } = this.#seen;
    const seen = new Float64Array(length);
    for (let at = 0; at < length; at++) seen[at] = this.#seen[at] ?? 0;
    return { frames: this.#frames, gaps: this.#gaps, ended: this.#ended, seen };
  }

  async #openOne(): Promise<void> {
    const { port, stream, sampleEvery } = this.order;
    const path = `/api/v2/stream/public?stream=${stream}`;
    const socket = await FrameSocket.open(port, path);
    const isSampled = this.#sockets.push(socket) % sampleEvery === 0;
    const begun = Promise.withResolvers<void>();
    let sequence = -1;
    const ended = socket.read((text) => {
      if (sequence < 0) {
        // The snapshot precedes the list of streams.
        sequence = JSON.parse(decoder.decode(text)).sequence;
        return;
      }
      const next = sequenceOf(text);
      if (next < 0) return begun.resolve();
      this.#frames += 1;
      if (next !== sequence + 1) this.#gaps += 1;
      sequence = next;
      if (isSampled) this.#see(text);
    });
    ended.then(() => {
      if (!this.#isOver) this.#ended += 1;
      begun.reject(new Error("A socket ended before its stream began"));
    });
    await begun.promise;
  }

  #see(text: Uint8Array): void {
    const at = performance.timeOrigin + performance.now();
    for (let start = nextLevel(text, 0); start >= 0; start = nextLevel(text, start)) {
      this.#seen.push(ticksOf(text, start), at);
    }
  }
}

/** Returns where the price of the next level, `["300.01","0.5"]`, starts; -1 if there is none. */
function nextLevel(text: Uint8Array, from: number): number {
  for (let at = text.indexOf(BRACKET, from); at >= 0; at = text.indexOf(BRACKET, at + 1)) {
    if (text[at + 1] === QUOTE) return at + 2;
  }
  return -1;
}

/** Returns the number at the end of the frame `…"sequence":123}`; -1 if there is none. */
function sequenceOf(text: Uint8Array): number {
  let value = 0;
  let factor = 1;
  for (let at = text.length - 2; at >= 0; at--) {
    const byte = text[at] ?? 0;
    if (byte < DIGIT_ZERO || byte > DIGIT_NINE) break;
    value += (byte - DIGIT_ZERO) * factor;
    factor *= 10;
  }
  return factor === 1 ? -1 : value;
}

/** Returns the price that starts at an index, in hundredths. */
function ticksOf(text: Uint8Array, start: number): number {
  let ticks = 0;
  let decimals = -1;
  for (let at = start; at < text.length && text[at] !== QUOTE; at++) {
    const byte = text[at] ?? 0;
    if (byte === POINT) decimals = 0;
    else {
      ticks = ticks * 10 + byte - DIGIT_ZERO;
      if (decimals >= 0) decimals += 1;
    }
  }
  return ticks * 10 ** (2 - Math.max(0, decimals));
}

const worker = self as unknown as {
  onmessage: (event: MessageEvent<ReadersOrder | null>) => void;
  postMessage(message: ReadersMessage): void;
};
let readers: Readers | null = null;

worker.onmessage = ({ data }) => {
  if (data === null) {
    if (readers !== null) worker.postMessage({ kind: "result", ...readers.result() });
    return;
  }
  readers = new Readers(data);
  readers.open().then(
    () => worker.postMessage({ kind: "ready" }),
    (error) => worker.postMessage({ kind: "failed", reason: String(error) }),
  );
};
