/**
 * A websocket as cheap as possible: the client shares the processor with the server, so it gets
 * frames as bytes.
 */

const BUFFER_BYTES = 8 * 1024;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG_MASKED = [0x8a, 0x80, 0, 0, 0, 0];
const encoder = new TextEncoder();
const HEADERS_END = "\r\n\r\n";
const HANDSHAKE = "Host: venue\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Called with a text frame, which is only valid during the call. */
export type FrameListener = (text: Uint8Array) => void;

/** A connected websocket. */
export class FrameSocket {
  readonly #connection: Deno.TcpConn;
  #buffer = new Uint8Array(BUFFER_BYTES);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /**
   * Connects to a port of this machine.
   *
   * @throws {Error} if the answer is not 101
   */
  static async open(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FrameSocket> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const socket = new FrameSocket(connection);
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const request = `GET ${path} HTTP/1.1\r\n${HANDSHAKE}${own}\r\n`;
    await connection.write(new TextEncoder().encode(request));
    await socket.#readHandshake(path);
    return socket;
  }

  /** Reads until either side closes the connection. */
  async read(onText: FrameListener): Promise<void> {
    for (;;) {
      if (!this.#takeFrames(onText)) return;
      if (!await this.#readMore()) return;
    }
  }

  /** Sends a short text of ASCII, masked with zeros: nobody is on the way to be protected. */
  send(text: string): void {
    const isShort = text.length < 126;
    const frame = new Uint8Array((isShort ? 6 : 8) + text.length);
    frame[0] = 0x80 | TEXT;
    frame[1] = 0x80 | (isShort ? text.length : 126);
    if (!isShort) frame.set([text.length >> 8, text.length & 255], 2);
    encoder.encodeInto(text, frame.subarray(frame.length - text.length));
    this.#writing = this.#writing.then(() => this.#write(frame));
  }

  async #write(frame: Uint8Array): Promise<void> {
    for (let at = 0; at < frame.length;) {
      const count = await this.#connection.write(frame.subarray(at)).catch(() => frame.length);
      at += count;
    }
  }

  /** Closes the connection; may be called again. */
  close(): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  async #readHandshake(path: string): Promise<void> {
    for (;;) {
      const text = new TextDecoder("latin1").decode(this.#buffer.subarray(0, this.#filled));
      const end = text.indexOf(HEADERS_END);
      if (end < 0) {
        if (!await this.#readMore()) throw new Error(`${path}: the server hung up`);
        continue;
      }
      if (!text.startsWith("HTTP/1.1 101 ")) throw new Error(`${path}: ${text}`);
      this.#drop(end + HEADERS_END.length);
      return;
    }
  }

  /** Passes on all complete frames; returns false after a close frame. */
  #takeFrames(onText: FrameListener): boolean {
    const bytes = this.#buffer;
    let at = 0;
    while (this.#filled - at >= 2) {
      const opcode = (bytes[at] ?? 0) & 15;
      const short = (bytes[at + 1] ?? 0) & 127;
      const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
      const start = at + 2 + lengthBytes;
      if (start > this.#filled) break;
      const end = start + (lengthBytes === 0 ? short : bigEndian(bytes, at + 2, lengthBytes));
      if (end > this.#filled) break;
      if (opcode === CLOSE) return false;
      if (opcode === TEXT) onText(bytes.subarray(start, end));
      // The platform's pings have no payload.
      if (opcode === PING) this.#connection.write(new Uint8Array(PONG_MASKED)).catch(() => {});
      at = end;
    }
    this.#drop(at);
    return true;
  }

  async #readMore(): Promise<boolean> {
    if (this.#filled === this.#buffer.length) {
      const larger = new Uint8Array(this.#buffer.length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    try {
      const count = await this.#connection.read(this.#buffer.subarray(this.#filled));
      this.#filled += count ?? 0;
      return count !== null;
    } catch (error) {
      const isOver = error instanceof Deno.errors.BadResource ||
        error instanceof Deno.errors.Interrupted || error instanceof Deno.errors.ConnectionReset;
      if (!isOver) throw error;
      return false;
    }
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#buffer.copyWithin(0, count, this.#filled);
    this.#filled -= count;
  }
}

function bigEndian(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) value = value * 256 + (bytes[at] ?? 0);
  return value;
}
