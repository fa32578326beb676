/**
 * A keep-alive HTTP/1.1 connection, as cheap as possible: the load generator shares the processor
 * with the server, so it parses only status and length.
 */

const BUFFER_BYTES = 64 * 1024;
const CR = 13;
const LF = 10;
const DIGIT_ZERO = 48;
const LENGTH_HEADER = new TextEncoder().encode("\r\ncontent-length:");
const UPPER_TO_LOWER = 32;

/** Thrown for an answer without a length, and when the connection ends. */
export class BrokenAnswerError extends Error {
  override name = "BrokenAnswerError";
}

/** A connection for one request at a time. */
export class LoadConnection {
  readonly #connection: Deno.TcpConn;
  #buffer = new Uint8Array(BUFFER_BYTES);
  #bodyStart = 0;
  #bodyEnd = 0;
  /** How many reads the last answer took. */
  reads = 0;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<LoadConnection> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    return new LoadConnection(connection);
  }

  /**
   * Sends a whole request and reads the whole answer; returns the status.
   *
   * @throws {BrokenAnswerError}
   */
  async exchange(request: Uint8Array): Promise<number> {
    let sent = await this.#connection.write(request);
    while (sent < request.length) {
      sent += await this.#connection.write(request.subarray(sent));
    }
    return await this.#readAnswer();
  }

  /** The body of the last answer, valid until the next exchange. */
  body(): Uint8Array {
    return this.#buffer.subarray(this.#bodyStart, this.#bodyEnd);
  }

  /** Parses the body of the last answer as JSON. */
  json(): unknown {
    return JSON.parse(new TextDecoder().decode(this.body()));
  }

  /** Closes the connection; may be called again. */
  close(): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  async #readAnswer(): Promise<number> {
    let filled = 0;
    let headersEnd = -1;
    this.reads = 0;
    while (headersEnd < 0) {
      filled += await this.#readInto(filled);
      headersEnd = findHeadersEnd(this.#buffer, filled);
    }
    this.#bodyStart = headersEnd;
    this.#bodyEnd = headersEnd + contentLength(this.#buffer, headersEnd);
    while (filled < this.#bodyEnd) filled += await this.#readInto(filled);
    return statusOf(this.#buffer);
  }

  async #readInto(filled: number): Promise<number> {
    const wanted = Math.max(filled + 1, this.#bodyEnd);
    if (this.#buffer.length < wanted) {
      const larger = new Uint8Array(Math.max(wanted, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, filled));
      this.#buffer = larger;
    }
    this.reads += 1;
    const count = await this.#connection.read(this.#buffer.subarray(filled));
    if (count === null) throw new BrokenAnswerError("The server ended the connection");
    return count;
  }
}

function statusOf(bytes: Uint8Array): number {
  // The status in "HTTP/1.1 201" is always at the same index.
  return digit(bytes, 9) * 100 + digit(bytes, 10) * 10 + digit(bytes, 11);
}

function digit(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) - DIGIT_ZERO;
}

function findHeadersEnd(bytes: Uint8Array, filled: number): number {
  for (let at = bytes.indexOf(CR); at >= 0 && at + 3 < filled; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at + 4;
  }
  return -1;
}

function contentLength(bytes: Uint8Array, headersEnd: number): number {
  for (let at = bytes.indexOf(CR); at >= 0 && at < headersEnd; at = bytes.indexOf(CR, at + 1)) {
    if (isLengthHeaderAt(bytes, at)) return readNumber(bytes, at + LENGTH_HEADER.length);
  }
  if (statusOf(bytes) === 204) return 0;
  throw new BrokenAnswerError(
    `The answer has no content-length: "${
      new TextDecoder().decode(bytes.subarray(0, headersEnd))
    }"`,
  );
}

function isLengthHeaderAt(bytes: Uint8Array, start: number): boolean {
  for (let offset = 0; offset < LENGTH_HEADER.length; offset++) {
    const byte = bytes[start + offset] ?? 0;
    const lower = byte >= 65 && byte <= 90 ? byte + UPPER_TO_LOWER : byte;
    if (lower !== LENGTH_HEADER[offset]) return false;
  }
  return true;
}

function readNumber(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; bytes[at] !== CR; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= DIGIT_ZERO && byte <= DIGIT_ZERO + 9) value = value * 10 + byte - DIGIT_ZERO;
  }
  return value;
}
