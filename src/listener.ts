/** Where calls come in: one address, listened on for as long as the process is to serve. */
import type { Logger } from "./logger.ts";

/** How long to wait before listening again, in ms. */
const RETRY_MS = 500;

/** What is listened on, and who is told of it. */
export interface ListenerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly onListen: (address: Deno.NetAddr) => void;
  readonly onError: (error: unknown) => Response;
  readonly handler: Deno.ServeHandler<Deno.NetAddr>;
  readonly logger: Pick<Logger, "error" | "info">;
}

/**
 * Serves until it is stopped. The platform gives up accepting at the first connection that the
 * system has no file descriptor for, and ends the process unless somebody takes note of it: the
 * same address is listened on again, until there are descriptors. (Deno 2.5 tells of it only when
 * the last connection is closed.)
 */
export class Listener {
  /** Where it listens. */
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

  /** Takes no more calls, and answers those in flight. */
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
      // Nobody serves its connections any more: their descriptors are what is missing.
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
        // Said once, where it began.
        this.#retry();
      }
    }, RETRY_MS);
  }
}
