/** A websocket whose platform end is in another thread, see `socket_relay.ts`. */

/** What carries its frames and its end to the other thread. */
export interface RelayedEnd {
  /** The turn in which what is sent now goes, … */
  readonly turn: number;
  /** … and the last one whose frames were handed to the platform. */
  readonly sentTurn: number;
  send(id: number, frame: string): void;
  close(id: number, code?: number, reason?: string): void;
}

/** What was sent in one turn. */
interface Flight {
  readonly turn: number;
  bytes: number;
}

/** Has as much of a `WebSocket` as the venue uses of one. */
export class RelayedSocket extends EventTarget {
  binaryType: BinaryType = "arraybuffer";
  onopen: ((event: Event) => unknown) | null = null;
  onmessage: ((event: { readonly data: unknown }) => unknown) | null = null;
  onclose: ((event: CloseEvent) => unknown) | null = null;
  onerror: ((event: Event) => unknown) | null = null;
  readonly #id: number;
  readonly #end: RelayedEnd;
  #readyState: number = WebSocket.CONNECTING;
  /** Oldest first: what the other thread has not handed to its platform, as far as is known. */
  #flights: Flight[] = [];
  #kept = 0;
  /** The code and reason it was closed with. */
  #farewell: readonly [code?: number | undefined, reason?: string | undefined] = [];

  constructor(id: number, end: RelayedEnd) {
    super();
    this.#id = id;
    this.#end = end;
  }

  /** This socket, typed for what takes one of the platform's. */
  get webSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  get readyState(): number {
    return this.#readyState;
  }

  /** Bytes on their way to the platform, and those that it keeps. */
  get bufferedAmount(): number {
    const landed = this.#flights.findIndex(({ turn }) => turn > this.#end.sentTurn);
    if (landed !== 0) this.#flights = landed < 0 ? [] : this.#flights.slice(landed);
    return this.#flights.reduce((sum, { bytes }) => sum + bytes, this.#kept);
  }

  send(frame: string): void {
    if (this.#readyState !== WebSocket.OPEN) return;
    const { turn } = this.#end;
    const last = this.#flights[this.#flights.length - 1];
    if (last?.turn === turn) last.bytes += frame.length;
    else this.#flights.push({ turn, bytes: frame.length });
    this.#end.send(this.#id, frame);
  }

  close(code?: number, reason?: string): void {
    if (this.#readyState >= WebSocket.CLOSING) return;
    this.#farewell = [code, reason];
    // Before it is open, the other end has nothing that it could close.
    if (this.#readyState === WebSocket.OPEN) this.#end.close(this.#id, code, reason);
    this.#readyState = WebSocket.CLOSING;
  }

  /** Notes what the platform keeps, in bytes. */
  noteKept(bytes: number): void {
    this.#kept = bytes;
  }

  noteOpen(): void {
    if (this.#readyState === WebSocket.CLOSING) {
      return this.#end.close(this.#id, ...this.#farewell);
    }
    this.#readyState = WebSocket.OPEN;
    this.onopen?.(new Event("open"));
  }

  /** @param text null if the frame was binary */
  noteText(text: string | null): void {
    this.onmessage?.({ data: text ?? new ArrayBuffer() });
  }

  noteClose(code: number, reason: string, wasClean: boolean): void {
    if (this.#readyState === WebSocket.CLOSED) return;
    this.#readyState = WebSocket.CLOSED;
    this.#flights = [];
    this.#kept = 0;
    const event = new CloseEvent("close", { code, reason, wasClean });
    this.onclose?.(event);
    this.dispatchEvent(event);
  }
}
