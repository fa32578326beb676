/**
 * A websocket that is written to without ever waiting: what its reader does
 * not take is bounded, and a reader that falls behind is closed.
 */
import { RequestPace } from "./request_pace.ts";

/** Codes that sockets are closed with. */
export const CLOSE_CODES = {
  /** Frames whose bytes are not text. */
  notText: 1003,
  /** More than the venue takes of one client. */
  policy: 1008,
  tooBig: 1009,
  fault: 1011,
  /** The process goes down: connect again. */
  restart: 1012,
  /** The key or the session does not count any more. */
  accessEnded: 4001,
  slowReader: 4008,
} as const;

/** Bytes that may wait for the reader for long. */
export const SEND_BUFFER_BYTES_MAX = 1024 * 1024;
/**
 * What one command sets off is sent in one go, before a reader can take any of it: so much may wait
 * for so long, in ms, without the reader being called slow.
 */
export const BURST_BYTES_MAX = 16 * SEND_BUFFER_BYTES_MAX;
export const BURST_MS_MAX = 2_000;
/**
 * Seconds without a word after which a reader is gone; the platform pings it after half of them,
 * and takes its pong for a word. Proxies cut off what is silent for longer than that: haproxy after
 * 50 s, as Debian sets it up, others after 55 or 60.
 */
export const IDLE_TIMEOUT_S = 60;
/**
 * How long a socket may take to open, in ms: that of a client that hangs up as it is upgraded never
 * does, and the platform never tells of it.
 */
export const OPENING_MS_MAX = 10_000;

/** How long a client that is put out is still told what comes of what it has asked, in ms. */
export const PUTTING_OUT_MS = 500;

/** What a connection does with its socket. */
export interface SocketHandlers {
  onOpen(): void;
  onText(text: string): void;
  /** Answers what is under way; nothing more is taken. Absent, or undefined, where nothing is. */
  finish?(): Promise<void> | undefined;
  /** Nothing more is taken or sent: once, at once, whoever ended it. */
  onClose(): void;
}

/** What bounds a socket. */
export interface SocketOptions {
  /** Longest frame that the client may send. */
  readonly frameBytesMax: number;
  /** How long a reader may take nothing of what waits for it, in ms. */
  readonly stalledMsMax: number;
  /** Told of a reader that is closed since it has fallen behind. */
  readonly onSlow: () => void;
  /** Told of a socket that is given up before it was open; its handlers hear of nothing. */
  readonly onUnopened: () => void;
  /** A clock in ms. */
  readonly now?: () => number;
}

/** One socket. */
export class StreamSocket {
  readonly #socket: WebSocket;
  readonly #handlers: SocketHandlers;
  readonly #options: SocketOptions;
  readonly #now: () => number;
  /** Of what asks for nothing; requests are counted by who answers them. */
  readonly #pace = new RequestPace();
  readonly #madeAt: number;
  /** Bytes that were sent so far. */
  #sent = 0;
  /** Those of them that the reader had taken at the last check. */
  #taken = 0;
  /** Whether it had taken all. */
  #hadAll = true;
  /** When no more waited than may for long. */
  #withinAt = 0;
  /** The last check that found it reading, or with nothing to read. */
  #readAt = 0;
  /** When it has ended; infinite before. */
  #endedAt = Infinity;
  #isClosing = false;
  #isFinishing = false;
  #hasOpened: boolean;
  /** Given up before it was open. */
  #isUnopened = false;
  /** What it was closed with. */
  #farewell: readonly [code?: number, reason?: string] = [];

  constructor(socket: WebSocket, handlers: SocketHandlers, options: SocketOptions) {
    const { frameBytesMax, now = () => performance.now() } = options;
    this.#socket = socket;
    this.#handlers = handlers;
    this.#options = options;
    this.#now = now;
    this.#madeAt = now();
    this.#hasOpened = socket.readyState === WebSocket.OPEN;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#hasOpened = true;
      // The platform opens what was closed before, too, and would leave it open.
      if (this.#isClosing) socket.close(...this.#farewell);
      else handlers.onOpen();
    };
    socket.onmessage = ({ data }) => this.#receive(data, frameBytesMax);
    socket.onclose = () => this.#end();
    // What went wrong is followed by `close`.
    socket.onerror = (event) => event.preventDefault();
  }

  /** Whether frames can be sent. */
  get isOpen(): boolean {
    return !this.#isClosing && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Bytes that wait for the reader. */
  get unread(): number {
    return this.#socket.bufferedAmount;
  }

  /** Sends a frame, or ends the reader that has left too many unread. */
  send(frame: string): void {
    if (!this.isOpen) return;
    const before = this.#socket.bufferedAmount;
    if (before <= SEND_BUFFER_BYTES_MAX) this.#withinAt = this.#now();
    else if (before > BURST_BYTES_MAX || this.#now() - this.#withinAt >= BURST_MS_MAX) {
      this.close(CLOSE_CODES.slowReader, "slow reader");
      return;
    }
    this.#socket.send(frame);
    this.#sent += this.#socket.bufferedAmount - before;
  }

  /**
   * Ends a socket that the platform has given up, or whose reader has taken nothing for long. The
   * platform tells of neither where a write is blocked: its pings and its close wait behind it.
   */
  check(): void {
    if (!this.#hasOpened) return this.#checkOpening();
    if (this.#isClosing) return;
    if (this.#socket.readyState !== WebSocket.OPEN) return this.#end();
    const unread = this.#socket.bufferedAmount;
    const taken = this.#sent - unread;
    const now = this.#now();
    // What has come since the last check may have come just now.
    if (this.#hadAll || taken > this.#taken) this.#readAt = now;
    this.#hadAll = unread === 0;
    this.#taken = taken;
    if (now - this.#readAt >= this.#options.stalledMsMax) {
      this.close(CLOSE_CODES.slowReader, "slow reader");
    }
  }

  #checkOpening(): void {
    if (this.#isUnopened || this.#now() - this.#madeAt < OPENING_MS_MAX) return;
    this.#isUnopened = true;
    this.#isClosing = true;
    this.#endedAt = Math.min(this.#endedAt, this.#now());
    this.#options.onUnopened();
  }

  /** Whether it has ended, at least so many ms ago. */
  hasEndedFor(ms: number): boolean {
    return this.#now() - this.#endedAt >= ms;
  }

  /** Closes with a code and a reason; nothing is sent or taken afterwards. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#end();
    if (code === CLOSE_CODES.slowReader) this.#options.onSlow();
    this.#farewell = [code, reason];
    this.#socket.close(code, reason);
  }

  /** Takes nothing more, lets what is under way be answered, and closes. */
  finish(code: number, reason: string): void {
    if (this.#isClosing || this.#isFinishing) return;
    this.#isFinishing = true;
    const answered = this.#handlers.finish?.();
    if (answered === undefined) return this.close(code, reason);
    void answered.finally(() => this.close(code, reason));
  }

  /**
   * Takes nothing more of a client that asks too much, and closes a little later, whether what is
   * under way is answered or not. What the client has sent is read until then: of what is unread
   * when it closes, the platform makes a reset connection, and neither code nor answers arrive.
   */
  putOut(reason: string): void {
    if (this.#isClosing || this.#isFinishing) return;
    this.#isFinishing = true;
    setTimeout(() => this.close(CLOSE_CODES.policy, reason), PUTTING_OUT_MS);
  }

  #end(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#endedAt = this.#now();
    this.#handlers.onClose();
  }

  #receive(data: unknown, frameBytesMax: number): void {
    if (this.#isClosing || this.#isFinishing) return;
    if (isLonger(data, frameBytesMax)) {
      return this.close(CLOSE_CODES.tooBig, `frames of at most ${frameBytesMax} bytes`);
    }
    const text = textOf(data);
    if (text === null) return this.close(CLOSE_CODES.notText, "text only");
    const said = text.trim();
    if (said !== "" && said !== "ping") return this.#handlers.onText(text);
    if (this.#pace.isTooFast()) return this.putOut("too many frames");
    if (said === "ping") this.send("pong");
  }
}

/** Fails where bytes are no UTF-8. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** What a frame says: libraries of clients send text in binary frames, too. Null where it is none. */
function textOf(data: unknown): string | null {
  if (typeof data === "string") return data;
  if (!(data instanceof ArrayBuffer)) return null;
  try {
    return decoder.decode(data);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Whether a frame has more bytes than that, a text in UTF-8. */
function isLonger(data: unknown, bytes: number): boolean {
  if (data instanceof ArrayBuffer) return data.byteLength > bytes;
  if (typeof data !== "string") return false;
  if (data.length > bytes) return true;
  return data.length * 3 > bytes && new TextEncoder().encode(data).length > bytes;
}
