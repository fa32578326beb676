/** Readers of a book in a worker of their own. */
import type { BookForm } from "../../../src/realtime/book_feed.ts";
import type { BenchVenue } from "./bench_venue.ts";
import { BOOK_MARKET } from "./book_load.ts";
import type { ReadersMessage, ReadersOrder, ReadersResult } from "./book_readers.ts";

/** Sockets that tell when they have seen what. */
export const SAMPLED_SOCKETS = 20;

/** The worker that reads a book. */
export class BookReaders {
  readonly #worker = new Worker(new URL("./book_readers.ts", import.meta.url), { type: "module" });

  /** Connects as many readers to the book in one of its forms. */
  static async open(
    venue: BenchVenue,
    { sockets, form }: { readonly sockets: number; readonly form: BookForm },
  ): Promise<BookReaders> {
    const readers = new BookReaders();
    const order: ReadersOrder = {
      port: venue.server.port,
      stream: `${BOOK_MARKET}.${form}`,
      sockets,
      sampleEvery: Math.max(1, Math.floor(sockets / SAMPLED_SOCKETS)),
    };
    await readers.#ask(order);
    return readers;
  }

  /** Ends the readers. */
  async result(): Promise<ReadersResult> {
    const message = await this.#ask(null);
    this.#worker.terminate();
    if (message.kind !== "result") throw new Error(`The readers answered "${message.kind}"`);
    return message;
  }

  async #ask(order: ReadersOrder | null): Promise<ReadersMessage> {
    const message = await new Promise<ReadersMessage>((resolve) => {
      this.#worker.onmessage = ({ data }: MessageEvent<ReadersMessage>) => resolve(data);
      this.#worker.postMessage(order);
    });
    if (message.kind === "failed") throw new Error(message.reason);
    return message;
  }
}
