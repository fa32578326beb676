/** A websocket that is opened again whenever it is lost, until it is closed. */
import { pauseAfter, sleep } from "../calls/caller.ts";
import { deferred } from "../calls/deferred.ts";

/** What the platform's websockets have in common. */
export interface PlainSocket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

/** What opens websockets on this platform. */
export interface SocketOpener {
  /** Whether a handshake takes headers, which it doesn't in browsers. */
  readonly takesHeaders: boolean;
  /** Called before each connection of streams, which waits for it. */
  readonly before?: (() => Promise<void>) | undefined;
  open(url: string, headers: Readonly<Record<string, string>>): PlainSocket;
}

/** Where a socket leads, and who hears of it. */
export interface KeptSocketOptions {
  readonly opener: SocketOpener;
  /**
   * Returns the address, and the headers of a signed handshake.
   *
   * @param isHeard false for every other one where handshakes fail, which tells no reason
   */
  readonly address: (
    isHeard: boolean,
  ) => Promise<{ url: string; headers: Readonly<Record<string, string>> }>;
  /** Called with each new connection, before any of its frames. */
  readonly onOpen: () => void;
  /** @returns whether the frame, which is JSON, can be the venue's; if not, the connection is lost */
  readonly onFrame: (frame: unknown) => boolean;
  /** Called when a connection is lost, or could not be opened. */
  readonly onDown: (why: { readonly code: number; readonly reason: string }) => void;
}

/** After how long without a frame the venue is asked for one, in ms … */
const SILENT_MS = 15_000;
/** … and after how long without its answer the connection counts as lost. */
const LOST_MS = 10_000;
/** A connection that has lasted so long, in ms, was no failure: the next is opened at once. */
const LASTING_MS = 1_000;
/** How long opening may take, in ms. */
const OPEN_MS_MAX = 15_000;
/** Code that a socket is told to close with when nothing more is heard from the venue. */
const LOST = { code: 1006, reason: "the venue is silent" };
/** Why a connection is given up that somebody else than the venue has answered on. */
const STRANGE = { code: 1006, reason: "a frame that is not the venue's" };
/** State of a socket that is open. */
const OPEN = 1;

/** The connection that there is, and its successors. */
export class KeptSocket {
  readonly #options: KeptSocketOptions;
  #socket: PlainSocket | null = null;
  readonly #ended = new AbortController();
  #watch: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** How many handshakes have failed, one after the other. */
  #refusals = 0;
  /** Gives the connection up, so that another is opened. */
  #lose: (why: { readonly code: number; readonly reason: string }) => void = () => {};
  /** When this connection was opened, on the clock of `performance.now()`; never, until it is. */
  #openedAt = Infinity;

  constructor(options: KeptSocketOptions) {
    this.#options = options;
    void this.#keep();
  }

  /** Whether frames can be sent now. */
  get isOpen(): boolean {
    return this.#socket?.readyState === OPEN;
  }

  /** Sends a frame; returns whether there was a connection to send it on. */
  send(text: string): boolean {
    if (!this.isOpen) return false;
    this.#socket?.send(text);
    return true;
  }

  /** Gives this connection up, on which the venue does not answer, and opens another. */
  renew(): void {
    this.#lose(LOST);
  }

  /** Closes it for good. */
  close(): void {
    this.#ended.abort();
    clearTimeout(this.#watch);
    this.#socket?.close(1000);
  }

  async #keep(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const why = await this.#connection().catch((error) => ({
        code: 1006,
        reason: String(error),
      }));
      this.#socket = null;
      if (signal.aborted) return;
      this.#options.onDown(why);
      if (performance.now() - this.#openedAt > LASTING_MS) this.#failures = 0;
      this.#failures += 1;
      if (this.#failures > 1) await sleep(pauseAfter(this.#failures), signal).catch(() => {});
    }
  }

  /** Opens a connection, and resolves when it is lost. */
  async #connection(): Promise<{ code: number; reason: string }> {
    this.#openedAt = Infinity;
    const { url, headers } = await this.#options.address(this.#refusals % 2 === 0);
    if (this.#ended.signal.aborted) return LOST;
    this.#refusals += 1;
    const socket = this.#options.opener.open(url, headers);
    this.#socket = socket;
    const { promise, resolve } = deferred<{ code: number; reason: string }>();
    const lose = (why: { readonly code: number; readonly reason: string } = LOST) => {
      // A dead connection may take minutes to notice that it is closed.
      resolve(why);
      socket.onmessage = socket.onopen = null;
      socket.close();
    };
    const watch = () => {
      clearTimeout(this.#watch);
      this.#watch = setTimeout(() => {
        if (socket.readyState === OPEN) socket.send("ping");
        this.#watch = setTimeout(lose, LOST_MS);
      }, SILENT_MS);
    };
    this.#lose = lose;
    this.#watch = setTimeout(lose, OPEN_MS_MAX);
    socket.onopen = () => {
      this.#openedAt = performance.now();
      this.#refusals = 0;
      watch();
      this.#options.onOpen();
    };
    socket.onmessage = ({ data }) => {
      watch();
      if (data === "pong") return;
      const frame = parsed(data);
      if (frame === undefined || !this.#options.onFrame(frame)) lose(STRANGE);
    };
    socket.onerror = (event) => (event as { preventDefault?: () => void }).preventDefault?.();
    socket.onclose = ({ code, reason }) => resolve({ code, reason });
    const why = await promise;
    clearTimeout(this.#watch);
    return why;
  }
}

/** Returns what a frame's text says; undefined if it is no JSON. */
function parsed(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
