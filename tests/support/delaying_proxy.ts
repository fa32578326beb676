/**
 * A TCP proxy on this machine that stands for a long way: whatever is sent arrives so much later,
 * in either direction, and in its order. Unlike a slow line it passes as much as it is given.
 */

const BUFFER_BYTES = 64 * 1024;
/** HTTP/2: what a client sends first, what each frame begins with, and the type of those of requests. */
const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;
const HEADERS = 1;

/** Forwards connections from one port of this machine to another, each byte later. */
export class DelayingProxy {
  /** Requests that clients have sent so far. */
  requests = 0;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #serving = new Set<Promise<void>>();
  readonly #accepting: Promise<void>;

  /** @param delayMs how long a byte is on its way, one way, in ms; it may be changed */
  constructor(readonly serverPort: number, public delayMs: number) {
    this.#accepting = this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    for (const connection of this.#open) this.#close(connection);
    await Promise.all(this.#serving);
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      this.#open.add(client);
      const serving = this.#serve(client).finally(() => this.#serving.delete(serving));
      this.#serving.add(serving);
    }
  }

  async #serve(client: Deno.TcpConn): Promise<void> {
    // Opening a connection takes a trip there and back.
    await sleep(2 * this.delayMs);
    const server = await Deno.connect({ hostname: "127.0.0.1", port: this.serverPort })
      .catch(() => null);
    if (server === null) return this.#close(client);
    this.#open.add(server);
    for (const connection of [client, server]) connection.setNoDelay(true);
    const requests = new RequestCounter();
    await Promise.all([
      this.#pump(client, server, (chunk) => this.requests += requests.in(chunk)),
      this.#pump(server, client, () => {}),
    ]);
  }

  async #pump(
    from: Deno.Conn,
    to: Deno.Conn,
    onChunk: (chunk: Uint8Array) => void,
  ): Promise<void> {
    let last = Promise.resolve();
    for (;;) {
      const buffer = new Uint8Array(BUFFER_BYTES);
      const count = await from.read(buffer).catch(() => null);
      const chunk = buffer.subarray(0, count ?? 0);
      onChunk(chunk);
      // All that was sent before its end arrives before it.
      last = Promise.all([last, sleep(this.delayMs)]).then(() => writeAll(to, chunk));
      if (count === null) break;
    }
    await last;
    for (const connection of [from, to]) this.#close(connection);
  }

  #close(connection: Deno.Conn): void {
    if (this.#open.delete(connection)) connection.close();
  }
}

/** Counts the requests that a client sends over one connection. */
class RequestCounter {
  /** Bytes that are left of the preface, or of a frame. */
  #left = PREFACE_BYTES;
  readonly #header: number[] = [];

  /** Returns how many requests begin in the next bytes. */
  in(chunk: Uint8Array): number {
    let requests = 0;
    for (const byte of chunk) {
      if (this.#left > 0) {
        this.#left -= 1;
        continue;
      }
      this.#header.push(byte);
      if (this.#header.length < FRAME_HEADER_BYTES) continue;
      const [high = 0, middle = 0, low = 0, type] = this.#header;
      this.#header.length = 0;
      this.#left = (high << 16) + (middle << 8) + low;
      if (type === HEADERS) requests += 1;
    }
    return requests;
  }
}

/** Writes to a connection that may have ended. */
async function writeAll(to: Deno.Conn, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.length;) at += await to.write(chunk.subarray(at));
  } catch {
    // Its reader sees the end.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
