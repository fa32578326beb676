import { freePort } from "../bench/load/server_process.ts";
import { eventually } from "./eventually.ts";

const MAIN = new URL("../../main.ts", import.meta.url).href;
const ALLOWED = ["--allow-net", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

/**
 * A demo venue in a process of its own, on a file, without limits of rates: its memory is its own,
 * and it can be killed.
 */
export class DemoProcess implements AsyncDisposable {
  readonly url: string;
  readonly #directory: string;
  readonly #environment: Record<string, string>;
  readonly #args: readonly string[];
  #child: Deno.ChildProcess;

  private constructor(
    directory: string,
    environment: Readonly<Record<string, string>>,
    args: readonly string[],
  ) {
    const port = freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#directory = directory;
    this.#args = args;
    this.#environment = {
      RATE_LIMIT: "off",
      ...environment,
      PORT: String(port),
      KV_PATH: `${directory}/venue.db`,
    };
    this.#child = this.#spawn();
  }

  /** Starts a venue with these settings and arguments besides, and waits until it is ready. */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
  ): Promise<DemoProcess> {
    const directory = await Deno.makeTempDir({ prefix: "venue_demo_" });
    const demo = new DemoProcess(directory, environment, args);
    await demo.#ready();
    return demo;
  }

  /** Kills the venue. */
  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // It has ended.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#child.status;
  }

  /** Starts a killed venue where it was, and waits until it is ready. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    await this.#ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#directory, { recursive: true });
  }

  #spawn(): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--no-prompt", ...ALLOWED, MAIN, "--demo", ...this.#args],
      env: this.#environment,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  #ready(): Promise<boolean> {
    return eventually("the venue ready", async () => {
      try {
        const answer = await fetch(`${this.url}/api/v2/backend/public/health/ready`);
        await answer.body?.cancel();
        return answer.ok;
      } catch (error) {
        if (error instanceof TypeError) return false;
        throw error;
      }
    });
  }
}
