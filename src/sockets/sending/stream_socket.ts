/**
 * A websocket that is written to without waiting: what its reader leaves unread is bounded, and a
 * reader that falls behind is closed.
 */
import type { RoomShare } from "./burst_room.ts";
import { Outbox } from "./outbox.ts";
import { RequestPace } from "../request_pace.ts";
import { BURST_BYTES_MAX, BURST_MS_MAX, CLOSE_CODES, SEND_BUFFER_BYTES_MAX } from "../limits.ts";

/** Sockets are checked every second: if it took this long, the process stood still, in ms. */
const STANDSTILL_MS = 5_000;
/**
 * Seconds of silence after which a reader is gone. The platform pings it after half of them, and a
 * pong counts as a sign of life. Proxies cut connections that are silent for longer than that:
 * haproxy after 50 s with Debian's settings, others after 55 or 60.
 */
export const IDLE_TIMEOUT_S = 60;
/**
 * How long a socket may take to open, in ms: that of a client that hangs up during the upgrade
 * never opens, and the platform never reports it.
 */
export const OPENING_MS_MAX = 10_000;

/** Reason under which sockets are counted that the platform has closed. */
export const SILENT = "no answer to a ping";
/** Close reason of clients that ask too much. */
export const TOO_MANY_REQUESTS = "too many requests";

/** How long a reader may take for what was sent before its socket is closed, in ms. */
export const FAREWELL_MS_MAX = 10_000;

/** How long a client that is put out still gets answers to its requests, in ms. */
export const PUTTING_OUT_MS = 500;

/** A connection's side of its socket. */
export interface SocketHandlers {
  onOpen(): void;
  onText(text: string): void;
  /** Resolves when the last request is answered; absent or undefined if none is under way. */
  finish?(): Promise<void> | undefined;
  /**
   * Called once, right away, whoever ended the socket: nothing more is taken or sent.
   *
   * @param isCut the venue ended it, and its caller may come back
   */
  onClose(isCut: boolean): void;
}

/** The limits of a socket. */
export interface SocketOptions {
  /** Longest frame from the client, in bytes, to begin with. */
  readonly frameBytesMax: number;
  /** How long a reader may take nothing of what is unread, in ms. */
  readonly stalledMsMax: number;
  /** Room for bursts that the reader shares with others of its address. */
  readonly room: RoomShare;
  /** Called when the venue closes it, or its platform because the client is silent. */
  readonly onClosed: (code: number, reason: string) => void;
  /** Called with the length of a frame that is too long, in characters, or bytes if binary. */
  readonly onTooLong?: (length: number) => void;
  /** Called when a socket is given up before it opened; its handlers are not called. */
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
  readonly #outbox: Outbox;
  /** Counts frames that are not requests; requests are counted by those who answer them. */
  readonly #pace = new RequestPace();
  readonly #madeAt: number;
  /** Bytes that the reader had taken at the last check. */
  #taken = 0;
  /** Whether the reader had taken everything that was handed to the platform. */
  #hadAll = true;
  /** When the unread bytes were last within the long-term limit: at the last frame, mostly. */
  #withinAt = 0;
  /** When the client last sent a frame. */
  #heardAt = 0;
  /** The last check at which the reader had read, or had nothing to read. */
  #readAt = 0;
  /** When it was last checked. */
  #checkedAt: number;
  /** When the socket ended; infinite before. */
  #endedAt = Infinity;
  #isClosing = false;
  #isFinishing = false;
  #hasOpened: boolean;
  /** Given up before it opened. */
  #isUnopened = false;
  /** Longest frame from the client, in bytes. */
  frameBytesMax: number;
  /** The code and reason it was closed with. */
  #farewell: readonly [code?: number, reason?: string] = [];

  constructor(socket: WebSocket, handlers: SocketHandlers, options: SocketOptions) {
    const { room, now = () => performance.now() } = options;
    this.#socket = socket;
    this.#handlers = handlers;
    this.#options = options;
    this.frameBytesMax = options.frameBytesMax;
    this.#now = now;
    this.#outbox = new Outbox(socket, room, now);
    this.#madeAt = now();
    this.#checkedAt = this.#madeAt;
    this.#hasOpened = socket.readyState === WebSocket.OPEN;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#hasOpened = true;
      // The platform also opens a socket that was closed before, and would leave it open.
      if (this.#isClosing) socket.close(...this.#farewell);
      else handlers.onOpen();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = (event) => {
      const reason = reasonOf(event);
      if (!this.#isClosing && reason !== null) options.onClosed(event.code, reason);
      this.#end();
      this.#outbox.end();
    };
    // An error is always followed by `close`.
    socket.onerror = (event) => event.preventDefault();
  }

  /** Whether frames can be sent. */
  get isOpen(): boolean {
    return !this.#isClosing && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Bytes not read yet. */
  get unread(): number {
    return this.#socket.bufferedAmount + this.#outbox.waiting;
  }

  /** When it was last of use, by its clock in ms: a frame came or went. */
  get usedAt(): number {
    return Math.max(this.#withinAt, this.heardAt);
  }

  /** When its last whole frame came, or it was made, by its clock in ms. */
  get heardAt(): number {
    return Math.max(this.#madeAt, this.#heardAt);
  }

  /** What giving the reader up would free, in bytes. */
  get waiting(): number {
    return this.#outbox.waiting;
  }

  /** For how long, in ms, some of that has always waited. */
  get waitedMs(): number {
    return this.#outbox.waitedMs;
  }

  /** For how long, in ms, the reader had taken nothing at the last check, and could have. */
  get stalledMs(): number {
    return this.#checkedAt - this.#readAt;
  }

  /** Sends a frame, or closes a reader that has left too many bytes unread. */
  send(frame: string): void {
    if (!this.isOpen) return;
    const kept = this.#socket.bufferedAmount;
    const before = kept + this.#outbox.waiting;
    if (before <= SEND_BUFFER_BYTES_MAX) this.#withinAt = this.#now();
    else if (before > BURST_BYTES_MAX || this.#now() - this.#withinAt >= BURST_MS_MAX) {
      return this.giveUp();
    }
    this.#outbox.send(frame, kept);
  }

  /**
   * Ends a socket that the platform has given up or whose reader has taken nothing for too long.
   * The platform reports neither while a write is blocked: its pings and its close wait behind it.
   */
  check(): void {
    if (!this.#hasOpened) return this.#checkOpening();
    if (this.#isClosing) return this.#checkFarewell();
    if (this.#socket.readyState !== WebSocket.OPEN) return this.#endAtOnce();
    const { taken } = this.#outbox;
    const now = this.#now();
    // What was sent since the last check may have been sent just now.
    if (this.#hadAll || taken > this.#taken) this.#readAt = now;
    // While the process stood still, nothing could go out, however fast the reader is.
    if (now - this.#checkedAt >= STANDSTILL_MS) {
      this.#readAt = this.#withinAt = now;
      this.#outbox.restartWait();
    }
    this.#checkedAt = now;
    this.#hadAll = this.#socket.bufferedAmount === 0;
    this.#taken = taken;
    // As good as gone, unlike one that is only slow.
    if (now - this.#readAt >= this.#options.stalledMsMax) this.#giveUp(false);
  }

  #checkOpening(): void {
    if (this.#isUnopened || this.#now() - this.#madeAt < OPENING_MS_MAX) return;
    this.#isUnopened = true;
    this.#isClosing = true;
    this.#endedAt = Math.min(this.#endedAt, this.#now());
    this.#options.onClosed(1006, "never opened");
    this.#options.onUnopened();
  }

  #checkFarewell(): void {
    if (this.hasEndedFor(FAREWELL_MS_MAX)) this.#outbox.drop();
  }

  /** Returns whether the socket ended at least this long ago, in ms. */
  hasEndedFor(ms: number): boolean {
    return this.#now() - this.#endedAt >= ms;
  }

  /**
   * Closes with a code and a reason; nothing is sent or taken afterwards. A reader that is not slow
   * first gets what was sent before.
   */
  close(code: number, reason: string): void {
    this.#close(code, reason, code !== CLOSE_CODES.accessEnded);
  }

  #close(code: number, reason: string, isCut: boolean): void {
    if (this.#isClosing) return;
    this.#end(isCut);
    this.#farewell = [code, reason];
    this.#options.onClosed(code, reason);
    if (code === CLOSE_CODES.slowReader) this.#outbox.drop();
    this.#outbox.whenEmpty(() => this.#socket.close(code, reason));
  }

  /** Ends a slow reader, and drops what waits for it. */
  giveUp(): void {
    this.#giveUp(true);
  }

  #giveUp(isCut: boolean): void {
    if (this.#isClosing) this.#outbox.drop();
    else this.#close(CLOSE_CODES.slowReader, "slow reader", isCut);
  }

  /** Takes nothing more, waits until requests are answered, and closes. */
  finish(code: number, reason: string): void {
    if (this.#isClosing || this.#isFinishing) return;
    this.#isFinishing = true;
    const answered = this.#handlers.finish?.();
    if (answered === undefined) return this.close(code, reason);
    void answered.finally(() => this.close(code, reason));
  }

  /**
   * Takes nothing more from a client that asks too much, and closes a little later, whether or not
   * its requests are answered. Until then its frames are still read: the platform resets a
   * connection that is closed with unread data, and neither the code nor the answers would arrive.
   */
  putOut(reason: string): void {
    if (this.#isClosing || this.#isFinishing) return;
    this.#isFinishing = true;
    setTimeout(() => this.close(CLOSE_CODES.policy, reason), PUTTING_OUT_MS);
  }

  /** Ends a socket that its platform has given up. */
  #endAtOnce(): void {
    this.#end();
    this.#outbox.drop();
  }

  #end(isCut = false): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#endedAt = this.#now();
    this.#handlers.onClose(isCut);
  }

  #receive(data: string | ArrayBuffer): void {
    const { frameBytesMax } = this;
    const length = typeof data === "string" ? data.length : data.byteLength;
    if (length > frameBytesMax) this.#options.onTooLong?.(length);
    if (this.#isClosing || this.#isFinishing) return;
    if (typeof data !== "string") return this.close(CLOSE_CODES.notText, "text only");
    if (isLonger(data, frameBytesMax)) {
      return this.close(CLOSE_CODES.tooBig, `frames of at most ${frameBytesMax} bytes`);
    }
    this.#heardAt = this.#now();
    if (data.trim() !== "ping") return this.#handlers.onText(data);
    if (this.#pace.isTooFast()) return this.putOut("too many frames");
    this.send("pong");
  }
}

/** Returns why a socket was closed for the venue: by the platform or, if relayed, by the other end. */
function reasonOf({ wasClean, reason = "" }: Partial<CloseEvent> = {}): string | null {
  if (wasClean) return null;
  if (reason.startsWith("No response from ping")) return SILENT;
  return reason === TOO_MANY_REQUESTS ? reason : null;
}

/** Returns whether a text has more bytes than that in UTF-8. */
function isLonger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && !hasRoom(text, bytes);
}

const encoder = new TextEncoder();
/** As long as the longest frame that was measured; a new one each time would take six times as long. */
let measure = new Uint8Array();

function hasRoom(text: string, bytes: number): boolean {
  if (measure.length < bytes) measure = new Uint8Array(bytes);
  return encoder.encodeInto(text, measure.subarray(0, bytes)).read === text.length;
}
