/** Accepts calls on one address for as long as the process serves. */
import type { Logger } from "./logger.ts";
import { withRoomyConnections } from "./roomy_connections.ts";
import { sleep } from "../store/kv/in_time.ts";

/** Pause before listening again, in ms: after the platform has failed, and otherwise. */
const RETRY_MS = 500;
const RENEWAL_MS = 50;
/** How long clients may take to close their sockets before all connections are cut, in ms. */
const CLOSING_MS = 100;
/**
 * How long calls go on being answered when the listener is to stop, in ms: at most, and without a
 * call. Clients that keep their connections send the next call before they can know of the end.
 */
const LAST_CALLS_MS_MAX = 1_000;
const LAST_CALLS_QUIET_MS = 100;

/** The address to listen on, and the callbacks. */
export interface ListenerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly onListen: (address: Deno.NetAddr) => void;
  /** Called when all connections are cut because accepting has failed. */
  readonly onCut: () => void;
  /** Called when all connections are about to be cut, and again right before that. */
  readonly onRenew: () => void;
  readonly onError: (error: unknown) => Response;
  readonly handler: Deno.ServeHandler<Deno.NetAddr>;
  readonly logger: Pick<Logger, "error" | "info">;
}

/**
 * Serves until it is stopped. The platform stops accepting when the system has no file descriptor
 * for a connection, and ends the process unless the rejection is handled. The listener then listens
 * on the same address again until there are descriptors. (Deno 2.5 rejects only when the last
 * connection is closed.)
 */
export class Listener {
  /** The address listened on. */
  readonly address: Deno.NetAddr;
  readonly #options: ListenerOptions;
  #server: Deno.HttpServer<Deno.NetAddr> | null;
  /** Resolves when the calls of earlier servers are answered. */
  #renewed: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;
  #isRenewing = false;
  /** Calls since the listener is to stop. */
  #lastCalls = 0;

  /** @throws {Error} the address can't be listened on */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = this.#listen(options.port, options.onListen);
    this.address = this.#server.addr;
  }

  /** Answers what still comes for a moment, and has the clients close their connections. */
  async dismiss(): Promise<void> {
    this.#isStopping = true;
    const until = performance.now() + LAST_CALLS_MS_MAX;
    let before: number;
    do {
      before = this.#lastCalls;
      await sleep(LAST_CALLS_QUIET_MS);
    } while (this.#lastCalls > before && performance.now() < until);
  }

  /** Whether it lets go of connections, and does not listen anew yet. */
  get isRenewing(): boolean {
    return this.#isRenewing;
  }

  /**
   * Lets go of all connections, and listens anew: sockets are closed, calls in flight are answered
   * before. A socket that the platform opened itself can't be listened on again.
   */
  renew(): void {
    const server = this.#server;
    if (server === null || this.#isRenewing || this.address.port === undefined) return;
    if (this.#isStopping) return;
    this.#isRenewing = true;
    this.#options.onRenew();
    // Those that are cut are no longer reported one by one, and what each of them holds.
    this.#timer = setTimeout(() => this.#cut(server), CLOSING_MS);
  }

  #cut(server: Deno.HttpServer<Deno.NetAddr>): void {
    if (this.#server !== server || this.#isStopping) {
      this.#isRenewing = false;
      return;
    }
    this.#server = null;
    this.#options.onRenew();
    // What may fail is accepting, which this server is done with.
    const ended = server.shutdown().catch(() => {});
    this.#renewed = Promise.all([this.#renewed, ended]);
    this.#retry(RENEWAL_MS);
  }

  /** Accepts no more calls and answers those in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#renewed, this.#server?.shutdown()]);
  }

  async #answerLast(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    this.#lastCalls += 1;
    const answer = await this.#options.handler(request, info);
    if (answer.status !== 101) answer.headers.set("Connection", "close");
    return answer;
  }

  #listen(
    port: number,
    onListen: (address: Deno.NetAddr) => void,
  ): Deno.HttpServer<Deno.NetAddr> {
    const { hostname, onError } = this.#options;
    const handler: ListenerOptions["handler"] = (request, info) =>
      this.#isStopping ? this.#answerLast(request, info) : this.#options.handler(request, info);
    const ended = new AbortController();
    const { signal } = ended;
    const options = { hostname, port, signal, onListen, onError };
    const server = Deno.serve(options, withRoomyConnections(handler));
    server.finished.catch((error: unknown) => {
      if (this.#isStopping || this.#server !== server) return;
      this.#options.logger.error("listener_failed", { error });
      // Nobody serves its connections any more, and their descriptors are what is missing.
      this.#options.onCut();
      ended.abort();
      this.#server = null;
      this.#retry(RETRY_MS);
    });
    return server;
  }

  #retry(ms: number): void {
    this.#timer = setTimeout(() => {
      const onListen = () => this.#options.logger.info("listening_again");
      try {
        this.#server = this.#listen(this.address.port, onListen);
        this.#isRenewing = false;
      } catch {
        // Why it listens again was logged.
        this.#retry(ms);
      }
    }, ms);
  }
}
