/** An HTTP/2 client that sets a flow-control window of zero: it receives headers but no bodies. */

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_BYTES = 9;
const SETTINGS = 4;
const HEADERS = 1;
/** The flags `END_HEADERS` and `END_STREAM`. */
const WHOLE = 5;
const INITIAL_WINDOW_SIZE = 4;
/** The flag that ends a stream. */
const END_STREAM = 1;
/** `:method: GET` in the static table; for other methods, only the name. */
const METHOD_GET = [0x82];
const METHOD_NAME = 0x02;
/** `:scheme: http` in the static table. */
const SCHEME_HTTP = 0x86;

const encoder = new TextEncoder();

/** One connection; each request is a stream on it. */
export class DeafClient implements Disposable {
  readonly #connection: Deno.TcpConn;
  #stream = 1;
  #received = new Uint8Array();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<DeafClient> {
    const { hostname, port } = new URL(url);
    const client = new DeafClient(await Deno.connect({ hostname, port: Number(port) }));
    await client.#send(encoder.encode(PREFACE));
    await client.#send(frame(SETTINGS, 0, 0, [0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0]));
    return client;
  }

  /** Requests a path; resolves when the answer's headers arrive. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#ask(METHOD_GET, path, headers);
  }

  /** Sends a `HEAD` request; returns whether the headers end the answer. */
  async head(path: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const flags = await this.#ask([METHOD_NAME, ...text("HEAD")], path, headers);
    return (flags & END_STREAM) !== 0;
  }

  /** Returns the flags of the answer's first frame. */
  async #ask(
    method: readonly number[],
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<number> {
    const fields = Object.entries({ ":path": path, ":authority": "localhost", ...headers });
    const block = fields.flatMap((
      [name, value],
    ) => [0, ...text(name.toLowerCase()), ...text(value)]);
    await this.#send(frame(HEADERS, WHOLE, this.#stream, [...method, SCHEME_HTTP, ...block]));
    for (;;) {
      const { type, flags, stream } = await this.#frame();
      if (type !== HEADERS || stream !== this.#stream) continue;
      this.#stream += 2;
      return flags;
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  /** Returns the next frame received. */
  async #frame(): Promise<{ type: number; flags: number; stream: number }> {
    for (;;) {
      const [high = 0, middle = 0, low = 0, type = 0, flags = 0] = this.#received;
      const end = HEAD_BYTES + (high << 16 | middle << 8 | low);
      if (this.#received.length >= Math.max(end, HEAD_BYTES)) {
        const stream = (this.#received[7] ?? 0) << 8 | (this.#received[8] ?? 0);
        this.#received = this.#received.slice(end);
        return { type, flags, stream };
      }
      const chunk = new Uint8Array(4096);
      const count = await this.#connection.read(chunk);
      if (count === null) throw new Error("The server has hung up");
      this.#received = new Uint8Array([...this.#received, ...chunk.subarray(0, count)]);
    }
  }

  async #send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }
}

function frame(
  type: number,
  flags: number,
  stream: number,
  payload: readonly number[],
): Uint8Array {
  const { length } = payload;
  const head = [length >> 16, length >> 8, length, type, flags, 0, 0, stream >> 8, stream];
  return new Uint8Array([...head, ...payload]);
}

/** Returns a string literal without Huffman coding, of at most 126 bytes. */
function text(value: string): number[] {
  const bytes = encoder.encode(value);
  return [bytes.length, ...bytes];
}
