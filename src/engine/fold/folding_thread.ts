/**
 * Folds in a thread of its own, for a venue whose orders leave this one no time for it. The thread
 * reads log and rows by itself, as they are in the store, and gives the rows to this one, which
 * alone writes: two writers of one file would wait for each other's locks.
 */
import { InvariantError, present } from "../../domain/assert.ts";
import { endOf, type Entry } from "../../store/log/entry_codec.ts";
import { inTime } from "../../store/kv/in_time.ts";
import { FOLD_STEP_BUSY, type StepSize } from "../../store/kv/kv_limits.ts";
import type { Watermark } from "../../store/rows/watermark.ts";
import type { Folded, FoldedStep, Folding } from "./folding.ts";

/** How long a thread may take to close its store before it is ended, in ms. */
const CLOSE_MS_MAX = 1000;

/** What the thread is asked for; it answers all but `forget`, in order. */
export type FoldingCall =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "fold"; readonly watermark: Watermark; readonly end: number }
  | { readonly kind: "next"; readonly max: StepSize }
  | { readonly kind: "forget" }
  | { readonly kind: "close" };

/** What the thread answers: `contradicted` if log and rows contradict each other. */
export type FoldingAnswer =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "contradicted" | "failed"; readonly message: string };

/** The thread is gone, or never was. */
export class LostThreadError extends Error {
  override name = "LostThreadError";
}

interface Asked {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The other end of `folding_worker.ts`. */
export class FoldingThread implements Folding {
  readonly stepMax = FOLD_STEP_BUSY;
  readonly #worker: Worker;
  readonly #opened: Promise<unknown>;
  #asked: Asked[] = [];
  #lost: LostThreadError | null = null;

  /**
   * Starts the thread.
   *
   * @param path the file that holds the venue
   * @param program the module that the thread runs
   */
  constructor(path: string, program = new URL("./folding_worker.ts", import.meta.url)) {
    this.#worker = new Worker(program, { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<FoldingAnswer>) => this.#take(data);
    this.#worker.onerror = (event) => {
      // Otherwise it would end the process.
      event.preventDefault();
      this.#lose(event.message);
    };
    this.#opened = this.#ask({ kind: "open", path });
    // The first window tells.
    this.#opened.catch(() => {});
  }

  async fold(window: readonly Entry[], watermark: Watermark): Promise<Folded> {
    await this.#opened;
    const last = present(window[window.length - 1], "a window holds an entry");
    return await this.#ask({ kind: "fold", watermark, end: endOf(last) }) as Folded;
  }

  async next(max: StepSize): Promise<FoldedStep> {
    return await this.#ask({ kind: "next", max }) as FoldedStep;
  }

  forget(): void {
    this.#send({ kind: "forget" });
  }

  async close(): Promise<void> {
    const closing = this.#ask({ kind: "close" }).catch(() => {});
    await inTime<unknown>(CLOSE_MS_MAX, closing, () => {});
    this.#lose("closed");
  }

  #send(call: FoldingCall): void {
    if (this.#lost === null) this.#worker.postMessage(call);
  }

  #ask(call: FoldingCall): Promise<unknown> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#send(call);
    });
  }

  #take(answer: FoldingAnswer): void {
    if (answer.kind === "failed") return this.#lose(answer.message);
    const asked = this.#asked.shift();
    if (answer.kind === "done") asked?.resolve(answer.value);
    else asked?.reject(new InvariantError(answer.message));
  }

  /** Ends the thread, and fails whoever waits for it. */
  #lose(reason: string): void {
    this.#lost ??= new LostThreadError(`The thread that folds is gone: ${reason}`);
    this.#worker.terminate();
    for (const { reject } of this.#asked) reject(this.#lost);
    this.#asked = [];
  }
}
