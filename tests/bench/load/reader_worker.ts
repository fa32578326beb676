/** Readers of a book in a worker. */
import type { BookForm } from "../../../src/sockets/streams/book_feed.ts";
import type { BenchVenue } from "./bench_venue.ts";
import { BOOK_MARKET } from "./book_load.ts";
import type { ReadersMessage, ReadersOrder, ReadersResult } from "./book_readers.ts";

/** Number of sockets that record when they see which price. */
export const SAMPLED_SOCKETS = 20;

/** The worker that reads a book. */
export class BookReaders {
  readonly #worker = new Worker(new URL("./book_readers.ts", import.meta.url), { type: "module" });

  /** Connects readers to one of the book's streams. */
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

  /** Ends the readers; returns their results. */
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
