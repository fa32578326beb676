import { assert } from "@std/assert";

/** What is served, or why nothing is; one of them is empty. */
export interface Served {
  readonly seen: string;
  readonly refusal: string;
}

/** What a reader's process is told to do with a file. */
export interface StoreTask {
  readonly task: "serve" | "audit";
  readonly path: string;
}

/** The platform ends a process that reads a number of eight bytes where there are more or fewer. */
export const PANIC = "copy_from_slice: source slice length";

/** Reads stores that may be damaged, in a process of its own, which may end over one. */
export class StoreReader implements AsyncDisposable {
  #child: ReaderProcess | null = null;

  /** All that a venue on this file serves, or what it is refused with. */
  async served(path: string): Promise<Served> {
    const line = await this.#ask({ task: "serve", path });
    return line === null ? { seen: "", refusal: PANIC } : JSON.parse(line);
  }

  /** What an audit of this file finds. */
  async differences(path: string): Promise<readonly string[]> {
    const line = await this.#ask({ task: "audit", path });
    return line === null ? [PANIC] : JSON.parse(line);
  }

  /** Null where the platform has given up. */
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

  /** The line that answers, or null where the process ends before. */
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

  /** Waits for the process to end, and answers what it has complained of. */
  async end(): Promise<string> {
    // It may be gone already.
    await this.#input.close().catch(() => {});
    return await this.#faults;
  }
}
