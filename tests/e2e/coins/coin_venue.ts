/** A venue of two processes on one KV server, which are killed and started again, with nodes of chains. */
import { assert, assertEquals } from "@std/assert";
import { sleep } from "../../../src/store/kv/in_time.ts";
import {
  auditStore,
  type CommandResult,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../../bench/load/server_process.ts";
import type { Prng } from "../../support/prng.ts";
import { signedHeaders } from "../../support/signed_headers.ts";
import { KvServer } from "../kv_server.ts";
import type { CoinChain } from "./coin_chain.ts";

const CALL_PAUSE_MS = 100;
const CALL_TRIES_MAX = 600;
const UNAVAILABLE = 503;
const AUDITS_MAX = 10;
const AUDIT_PAUSE_MS = 500;
/** As deep as reorganisations go, and one more. */
export const CONFIRMATIONS = 9;

/** An answer, whose shape the caller knows. */
export interface CoinAnswer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- JSON, read by the tests
  readonly body: any;
}

/** The processes, of which some may be gone for a moment. */
export class CoinVenue implements AsyncDisposable {
  readonly #processes: (ServerProcess | null)[] = [null, null];
  readonly operator: CoinCaller;
  /** Lines of the processes' logs that tell of more than usual work. */
  readonly warnings: string[] = [];
  kills = 0;

  private constructor(
    readonly kv: KvServer,
    readonly directory: string,
    readonly settings: ServerSettings,
    readonly chains: readonly CoinChain[],
  ) {
    this.operator = new CoinCaller(this, "demo-operator", "demo-operator-secret");
  }

  /** Starts a demo with a currency of each coin. */
  static async start(chains: readonly CoinChain[], seed: string): Promise<CoinVenue> {
    const directory = await Deno.makeTempDir({ prefix: "venue_coins_" });
    const kv = await KvServer.start(`${directory}/kv.sqlite`);
    const list = (of: (chain: CoinChain) => string) =>
      chains.map((chain) => `${chain.network}=${of(chain)}`).join(",");
    const settings: ServerSettings = {
      kvPath: kv.url,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
      args: ["--demo"],
      environment: {
        ...kv.environment,
        WALLET_RAIL: "networks",
        WALLET_NODES: list(({ url }) => url),
        WALLET_COLD: list(({ cold }) => cold),
        WALLET_SEED: seed,
      },
      onOutput: (text) => venue.#heed(text),
    };
    const venue = new CoinVenue(kv, directory, settings, chains);
    try {
      await Promise.all([venue.startProcess(0), venue.startProcess(1)]);
      for (const chain of chains) await venue.#createCurrencies(chain);
      return venue;
    } catch (error) {
      await venue[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #createCurrencies({ network, currencies }: CoinChain): Promise<void> {
    for (const { id, precision, terms, hotLimit } of currencies) {
      await this.operator.must("POST", "/admin/currencies", {
        id,
        name: id,
        precision,
        network,
        min_confirmations: CONFIRMATIONS,
        ...terms,
      });
      const limit = { hot_limit: hotLimit };
      await this.operator.must("PATCH", `/admin/currencies/${id}/networks/${network}`, limit);
    }
  }

  /** Turns on the second factors of members, whose codes are those of the demo. */
  async turnSecondFactorsOn(uids: readonly string[]): Promise<void> {
    const { kvPath, masterKey, environment } = this.settings;
    const program = new URL("second_factors.ts", import.meta.url).href;
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", program, ...uids],
      env: { ...environment, KV_PATH: kvPath, MASTER_KEY: masterKey },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  }

  /** Returns the URL of a process that is there; null while there is none. */
  url(): string | null {
    const there = this.#processes.filter((one) => one !== null);
    return there[Math.floor(Math.random() * there.length)]?.baseUrl ?? null;
  }

  /** Kills one process, or both, and starts them again after a while. */
  async killSome(random: Prng, pauseMsMax: number): Promise<void> {
    const indexes = random.pick([[0], [1], [0], [1], [0, 1]]);
    const pauseMs = random.below(pauseMsMax);
    await Promise.all(indexes.map((index) => this.#kill(index)));
    await sleep(pauseMs);
    await Promise.all(indexes.map((index) => this.startProcess(index)));
  }

  async startProcess(index: number): Promise<void> {
    this.#processes[index] = await ServerProcess.start(this.settings);
  }

  async #kill(index: number): Promise<void> {
    const process = this.#processes[index];
    this.#processes[index] = null;
    const status = await process?.kill();
    assertEquals(status?.signal, "SIGKILL", `It had ended by itself\n${process?.output}`);
    this.kills += 1;
  }

  /** Ends both processes as a service manager does. */
  async stop(): Promise<void> {
    for (const [index, process] of this.#processes.entries()) {
      this.#processes[index] = null;
      const status = await process?.stop();
      assert(status?.success ?? true, process?.output);
    }
  }

  /** Audits the store, again if a fold disturbed it; `flags` such as `--chain`. */
  async audit(...flags: string[]): Promise<CommandResult> {
    const { WALLET_SEED: _, ...environment } = this.settings.environment ?? {};
    for (let audits = 1;; audits++) {
      const result = await auditStore(this.settings.kvPath, environment, flags);
      const isDisturbed = result.output.includes("folded during the audit");
      if (result.isClean || !isDisturbed || audits === AUDITS_MAX) return result;
      await sleep(AUDIT_PAUSE_MS);
    }
  }

  /** Counts what the processes have told of faults, the most frequent first. */
  get faults(): string {
    const counts = new Map<string, number>();
    for (const line of this.warnings) {
      const [event = "cut off"] = /"event":"[^"]*"/.exec(line) ?? [];
      const [message = ""] = /"message":"[^"]*"/.exec(line) ?? [];
      const name = `${event} ${message}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${count} × ${name}`).join("\n");
  }

  #heed(text: string): void {
    const lines = text.split("\n");
    this.warnings.push(...lines.filter((line) => /"level":"(?:warn|error)"/.test(line)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((process) => process?.kill()));
    await this.kv.kill();
    await Deno.remove(this.directory, { recursive: true });
  }
}

/** Signs calls with a key, to whichever process is there. */
export class CoinCaller {
  #nonce = 0;

  constructor(
    readonly venue: Pick<CoinVenue, "url">,
    readonly kid: string,
    readonly secret: string,
  ) {}

  /** Makes a call once; `path` follows `/api/v2`. Null if nobody knows what came of it. */
  async once(method: string, path: string, body?: unknown): Promise<CoinAnswer | null> {
    const url = this.venue.url();
    if (url === null) return null;
    this.#nonce = Math.max(this.#nonce + 1, Date.now());
    const signed = signedHeaders(this.kid, this.secret, this.#nonce);
    try {
      const answer = await fetch(`${url}/api/v2${path}`, {
        method,
        headers: { ...signed, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status === UNAVAILABLE) return null;
      return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  /** Makes a call again until it is answered, and returns the body. */
  async must(method: string, path: string, body?: unknown): Promise<CoinAnswer["body"]> {
    for (let tries = 0; tries < CALL_TRIES_MAX; tries++) {
      const answer = await this.once(method, path, body);
      if (answer !== null) {
        const isDone = answer.status < 300;
        assert(isDone, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body;
      }
      await sleep(CALL_PAUSE_MS);
    }
    throw new Error(`${method} ${path} was never answered`);
  }
}
