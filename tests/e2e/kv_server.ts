/** A KV server process that several venue processes share. */
import { freePort, randomCredential } from "../bench/load/server_process.ts";
import { copyStore } from "../support/damaged_file.ts";
import { WAIT_MS_MAX } from "../support/eventually.ts";

const PROGRAM = "denokv";
const POLL_MS = 10;
/** What the server's database consists of, beside each other. */
const SUFFIXES = ["", "-wal", "-shm"];

/** Returns whether this machine has the program. */
export function hasKvServer(): boolean {
  try {
    return new Deno.Command(PROGRAM, { args: ["--help"] }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A running `denokv` on a file. */
export class KvServer {
  readonly #port = freePort();
  readonly #token = randomCredential().secret;
  #child: Deno.ChildProcess;

  private constructor(readonly file: string) {
    this.#child = this.#spawn();
  }

  /** Starts a server on a new file and waits until it can be reached. */
  static async start(file: string): Promise<KvServer> {
    const server = new KvServer(file);
    await server.#reachable();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The settings with which a process may connect. */
  get environment(): Record<string, string> {
    return { DENO_KV_ACCESS_TOKEN: this.#token };
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  /** Suspends the server: connections stay open, but nothing is answered. */
  freeze(): void {
    this.#child.kill("SIGSTOP");
  }

  /** Resumes the server, which then processes what it was sent meanwhile. */
  thaw(): void {
    this.#child.kill("SIGCONT");
  }

  /** Restarts the server on the same file and port. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    await this.#reachable();
  }

  /** Copies the server's file, which nobody may have open. */
  async copyTo(place: string): Promise<void> {
    await copyStore(this.file, place, SUFFIXES);
  }

  /** Puts a copy in the place of the server's file: stops the server, and starts it again. */
  async putBack(place: string): Promise<void> {
    await this.kill();
    for (const suffix of SUFFIXES) await Deno.remove(this.file + suffix).catch(() => {});
    await copyStore(place, this.file, SUFFIXES);
    await this.restart();
  }

  #spawn(): Deno.ChildProcess {
    return new Deno.Command(PROGRAM, {
      args: ["--sqlite-path", this.file, "serve", "--addr", `127.0.0.1:${this.#port}`],
      env: this.environment,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  async #reachable(): Promise<void> {
    const deadline = performance.now() + WAIT_MS_MAX;
    for (;;) {
      try {
        (await Deno.connect({ hostname: "127.0.0.1", port: this.#port })).close();
        return;
      } catch (error) {
        if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
      }
      if (performance.now() > deadline) throw new Error(`${PROGRAM} did not start`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
