/**
 * A TCP proxy on this machine that stands for a long way: whatever is sent arrives so much later,
 * in either direction, and in its order. Unlike a slow line it passes as much as it is given.
 */

const BUFFER_BYTES = 64 * 1024;
/** What a request begins with: the KV server's clients send nothing else. */
const REQUEST = "POST ";

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
    await Promise.all([this.#pump(client, server), this.#pump(server, client)]);
  }

  async #pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    let last = Promise.resolve();
    for (;;) {
      const buffer = new Uint8Array(BUFFER_BYTES);
      const count = await from.read(buffer).catch(() => null);
      const chunk = buffer.subarray(0, count ?? 0);
      if (new TextDecoder().decode(chunk.subarray(0, REQUEST.length)) === REQUEST) {
        this.requests += 1;
      }
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
