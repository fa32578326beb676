/** Accepts calls on one address for as long as the process serves. */
import type { Logger } from "./logger.ts";

/** Pause before listening again, in ms. */
const RETRY_MS = 500;

/** The address to listen on, and the callbacks. */
export interface ListenerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly onListen: (address: Deno.NetAddr) => void;
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
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;

  /** @throws {Error} the address can't be listened on */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = this.#listen(options.port, options.onListen);
    this.address = this.#server.addr;
  }

  /** Accepts no more calls and answers those in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#server?.shutdown();
  }

  #listen(
    port: number,
    onListen: (address: Deno.NetAddr) => void,
  ): Deno.HttpServer<Deno.NetAddr> {
    const { hostname, onError, handler } = this.#options;
    const ended = new AbortController();
    const { signal } = ended;
    const server = Deno.serve({ hostname, port, signal, onListen, onError }, handler);
    server.finished.catch((error: unknown) => {
      if (this.#isStopping) return;
      this.#options.logger.error("listener_failed", { error });
      // Nobody serves its connections any more, and their descriptors are what is missing.
      ended.abort();
      this.#server = null;
      this.#retry();
    });
    return server;
  }

  #retry(): void {
    this.#timer = setTimeout(() => {
      const onListen = () => this.#options.logger.info("listening_again");
      try {
        this.#server = this.#listen(this.address.port, onListen);
      } catch {
        // The failure was logged when it began.
        this.#retry();
      }
    }, RETRY_MS);
  }
}
