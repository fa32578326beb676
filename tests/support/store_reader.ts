import { assert } from "@std/assert";

/** What a venue serves, or why it refuses to; the other text is empty. */
export interface Served {
  readonly seen: string;
  readonly refusal: string;
}

/** A task for the reader's process. */
export interface StoreTask {
  readonly task: "serve" | "audit";
  readonly path: string;
}

/** The platform's panic when it reads an eight-byte number from a value of another length. */
export const PANIC = "copy_from_slice: source slice length";

/** Reads possibly damaged stores in a child process, which a damaged row may end. */
export class StoreReader implements AsyncDisposable {
  #child: ReaderProcess | null = null;

  /** Returns all that a venue on the file serves, or why it refuses to. */
  async served(path: string): Promise<Served> {
    const line = await this.#ask({ task: "serve", path });
    return line === null ? { seen: "", refusal: PANIC } : JSON.parse(line);
  }

  /** Returns the differences that an audit of the file finds. */
  async differences(path: string): Promise<readonly string[]> {
    const line = await this.#ask({ task: "audit", path });
    return line === null ? [PANIC] : JSON.parse(line);
  }

  /** Returns the answer, or null if the platform panicked. */
  async #ask(task: StoreTask): Promise<string | null> {
    this.#child ??= new ReaderProcess();
    const line = await this.#child.ask(task);
    if (line !== null) return line;
    const fault = await this.#child.end();
    this.#child = null;
    assert(fault.includes(PANIC), fault);
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child?.end();
  }
}

class ReaderProcess {
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  readonly #faults: Promise<string>;
  #unread = "";

  constructor() {
    const script = new URL("served_store.ts", import.meta.url).href;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = child.stdin.getWriter();
    this.#output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#faults = new Response(child.stderr).text();
  }

  /** Returns the line of the answer, or null if the process ended first. */
  async ask(task: StoreTask): Promise<string | null> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(task)}\n`));
    while (!this.#unread.includes("\n")) {
      const { done, value } = await this.#output.read();
      if (done) return null;
      this.#unread += value;
    }
    const line = this.#unread;
    this.#unread = "";
    return line;
  }

  /** Waits for the process to end; returns its standard error. */
  async end(): Promise<string> {
    // It may have ended already.
    await this.#input.close().catch(() => {});
    return await this.#faults;
  }
}
