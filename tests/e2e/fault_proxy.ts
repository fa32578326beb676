/** A TCP proxy on this machine that simulates network faults. */

const BUFFER_BYTES = 64 * 1024;
const SLOW_MS = 300;

/**
 * What happens to connections:
 * - `cut`: open and new connections are closed.
 * - `black hole`: bytes are dropped both ways, and these connections stay open but dead.
 * - `lost answers`: requests are forwarded, and the connection is closed instead of answered.
 * - `slow`: each chunk is delayed.
 */
export type ProxyMode = "open" | "cut" | "black hole" | "lost answers" | "slow";

/** Forwards connections from one port of this machine to another. */
export class FaultProxy {
  /** Bytes forwarded to the server, and back from it. */
  requestBytes = 0;
  answerBytes = 0;
  /** Bytes received but not forwarded. */
  swallowedBytes = 0;
  /** Number of connections that the proxy closed or refused. */
  cutConnections = 0;
  #mode: ProxyMode = "open";
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #links = new Set<Link>();
  readonly #accepting: Promise<void>;

  constructor(readonly serverPort: number) {
    this.#accepting = this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Switches the mode; connections that have lost bytes stay silently dead. */
  switchTo(mode: ProxyMode): void {
    this.#mode = mode;
    for (const link of this.#links) {
      if (mode === "cut") this.#cut(link);
    }
  }

  /** Silently drops all further bytes of the present connections, but not of new ones. */
  deaden(): void {
    for (const link of this.#links) link.isDead = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    const links = [...this.#links];
    for (const link of links) link.close();
    await Promise.all(links.map((link) => link.ended));
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      const server = this.#mode === "cut" ? null : await this.#connect();
      if (server === null) {
        this.cutConnections++;
        client.close();
        continue;
      }
      const link = new Link(client, server);
      this.#links.add(link);
      link.ended = this.#serve(link);
    }
  }

  /** Null where the server is not there. */
  async #connect(): Promise<Deno.Conn | null> {
    try {
      return await Deno.connect({ hostname: "127.0.0.1", port: this.serverPort });
    } catch (error) {
      if (error instanceof Deno.errors.ConnectionRefused) return null;
      throw error;
    }
  }

  async #serve(link: Link): Promise<void> {
    await Promise.all([
      this.#pump(link, link.client, link.server),
      this.#pump(link, link.server, link.client),
    ]);
    this.#links.delete(link);
  }

  async #pump(link: Link, from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(BUFFER_BYTES);
    try {
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        await this.#pass(link, to, buffer.subarray(0, count));
      }
    } catch (error) {
      if (!link.isClosed && !isBroken(error)) throw error;
    }
    link.close();
  }

  async #pass(link: Link, to: Deno.Conn, chunk: Uint8Array): Promise<void> {
    if (this.#mode === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const isAnswer = to === link.client;
    if (this.#mode === "black hole") link.isDead = true;
    const isLost = this.#mode === "lost answers" && isAnswer;
    if (link.isDead || isLost) {
      this.swallowedBytes += chunk.length;
      if (isLost) this.#cut(link);
      return;
    }
    for (let at = 0; at < chunk.length;) at += await to.write(chunk.subarray(at));
    if (isAnswer) this.answerBytes += chunk.length;
    else this.requestBytes += chunk.length;
  }

  #cut(link: Link): void {
    if (link.isClosed) return;
    this.cutConnections++;
    link.close();
  }
}

/** A connection to the proxy, and the proxy's own for it to the server. */
class Link {
  isClosed = false;
  /** Whether bytes of it were lost. */
  isDead = false;
  ended: Promise<void> = Promise.resolve();

  constructor(readonly client: Deno.Conn, readonly server: Deno.Conn) {}

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.close();
    this.server.close();
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.BrokenPipe;
}
