/** A KV server in a process of its own: what several venue processes share. */
import { freePort, randomCredential } from "../bench/load/server_process.ts";

const PROGRAM = "denokv";
const STARTUP_MS_MAX = 10_000;
const POLL_MS = 10;

/** Whether this machine has the program. */
export function hasKvServer(): boolean {
  try {
    return new Deno.Command(PROGRAM, { args: ["--help"] }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A running `denokv` on a file of its own. */
export class KvServer {
  readonly #port = freePort();
  readonly #token = randomCredential().secret;
  #child: Deno.ChildProcess;

  private constructor(readonly file: string) {
    this.#child = this.#spawn();
  }

  /** Starts one on a new file and waits until it can be reached. */
  static async start(file: string): Promise<KvServer> {
    const server = new KvServer(file);
    await server.#reachable();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What a process needs to be let in. */
  get environment(): Record<string, string> {
    return { DENO_KV_ACCESS_TOKEN: this.#token };
  }

  /** Ends it in the middle of what it does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  /** Has it stand still: its connections stay, and nothing is answered. */
  freeze(): void {
    this.#child.kill("SIGSTOP");
  }

  /** Has it go on where it stood, with what was sent to it meanwhile. */
  thaw(): void {
    this.#child.kill("SIGCONT");
  }

  /** Starts it anew, on the same file and port. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    await this.#reachable();
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
    const deadline = performance.now() + STARTUP_MS_MAX;
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
