/** A process that watches a chain, and tells how long that takes and how much memory it has. */
import { eventually } from "../../support/eventually.ts";
import type { CoinsGround } from "./coins_ground.ts";

const PROGRAM = new URL("watch_coins.ts", import.meta.url).pathname;
const ALLOWED = ["net", "read", "write", "env", "sys"].map((name) => `--allow-${name}`);

/** What it took to read all blocks since the last time. */
export interface WatchFigures {
  readonly ms: number;
  /** Bytes of memory after it. */
  readonly rss: number;
  readonly height: number;
  /** Payments that are not final. */
  readonly outputs: number;
}

/** A process on a store. */
export class WatchingProcess implements AsyncDisposable {
  private constructor(private readonly url: string, private readonly process: Deno.ChildProcess) {}

  /** Starts a process on a store, which then listens. */
  static async start(path: string, ground: CoinsGround): Promise<WatchingProcess> {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const { network, url, contract } = ground;
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        // Garbage is collected before memory is told.
        "--v8-flags=--expose-gc",
        ...ALLOWED,
        PROGRAM,
        path,
        `${port}`,
        network,
        url,
        contract ?? "",
      ],
      stdin: "null",
      stdout: "inherit",
    }).spawn();
    const own = `http://127.0.0.1:${port}/`;
    await eventually("a process that listens", () => fetch(own).then(() => true, () => false));
    return new WatchingProcess(own, process);
  }

  /** Has it read on to the chain's end. */
  async watch(): Promise<WatchFigures> {
    const answer = await fetch(this.url, { method: "POST" });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.status;
  }
}
