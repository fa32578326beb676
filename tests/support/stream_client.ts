import { WAIT_MS_MAX } from "./eventually.ts";

/** A frame; the reader knows its shape. */
// deno-lint-ignore no-explicit-any
export type Frame = any;

interface Waiting {
  isMeant(frame: Frame): boolean;
  take(frame: Frame): void;
  fail(error: Error): void;
}

/** A websocket client; all frames except `pong` are JSON. */
export class StreamClient {
  readonly #socket: WebSocket;
  readonly frames: Frame[] = [];
  /** If set, called with each frame instead of queueing it. */
  onFrame: ((frame: Frame) => void) | null = null;
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly opened: Promise<void>;
  #waiting: Waiting | null = null;

  constructor(url: string, headers: Record<string, string> = {}) {
    const options = { headers } as unknown as string[];
    this.#socket = new WebSocket(url.replace(/^http/, "ws"), options);
    const opened = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<{ code: number; reason: string }>();
    this.opened = opened.promise;
    this.closed = closed.promise;
    this.#socket.onopen = () => opened.resolve();
    this.#socket.onerror = (event) => {
      event.preventDefault();
      opened.reject(new Error("The handshake was refused"));
    };
    this.#socket.onclose = ({ code, reason }) => {
      closed.resolve({ code, reason });
      this.#waiting?.fail(new Error(`Closed with ${code} "${reason}"`));
    };
    this.#socket.onmessage = ({ data }) => {
      this.#take(data === "pong" ? data : JSON.parse(data));
    };
  }

  /** Connects and waits for the handshake. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
    const client = new StreamClient(url, headers);
    await client.opened;
    return client;
  }

  /** Sends a text unchanged, any other value as JSON. */
  send(value: unknown): void {
    this.#socket.send(typeof value === "string" ? value : JSON.stringify(value));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** Returns the next frame for which `isMeant` returns true; drops those before it. */
  async next(isMeant: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (let frame = this.frames.shift(); frame !== undefined; frame = this.frames.shift()) {
      if (isMeant(frame)) return frame;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    this.#waiting = { isMeant, take: resolve, fail: reject };
    const late = new Error(`In ${WAIT_MS_MAX} ms no frame has come that was waited for`);
    const timer = setTimeout(() => reject(late), WAIT_MS_MAX);
    Deno.unrefTimer(timer);
    return await promise.finally(() => clearTimeout(timer));
  }

  /** Returns the next message with this key. */
  async message(key: string): Promise<Frame> {
    return await this.next((frame) => Object.hasOwn(frame, key));
  }

  async subscribe(...streams: string[]): Promise<string[]> {
    this.send({ event: "subscribe", streams });
    return (await this.message("success")).success.streams;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  #take(frame: Frame): void {
    if (this.onFrame !== null) return this.onFrame(frame);
    const waiting = this.#waiting;
    if (waiting === null) this.frames.push(frame);
    else if (waiting.isMeant(frame)) {
      this.#waiting = null;
      waiting.take(frame);
    }
  }
}
