/** A venue of two processes on one KV server. */
import { assert } from "@std/assert";
import { sleep } from "../../src/store/kv/in_time.ts";
import { type KeySigner, NonceRanges } from "../bench/load/presigned.ts";
import {
  auditStore,
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { type VenueMember, VenueOperator } from "../bench/load/venue_setup.ts";
import { WAIT_MS_MAX } from "../support/eventually.ts";
import { KvServer } from "./kv_server.ts";

const NONCE_WINDOW_MS = 60_000;
/** Without fees the sums of the members' balances never change. */
const FEE_RATE = "0";
const AUDITS_MAX = 10;
const AUDIT_PAUSE_MS = 500;
const POLL_MS = 10;

/** An answer. */
export interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- JSON, read by the tests
  readonly body: any;
}

/** The processes `a` and `b`, and what their clients need. */
export class SharedVenue {
  readonly nonces = new NonceRanges();

  private constructor(
    readonly kv: KvServer,
    readonly settings: ServerSettings,
    readonly directory: string,
    public a: ServerProcess,
    public b: ServerProcess,
  ) {}

  /** Starts a venue with the usual markets. */
  static async start(environment: Record<string, string> = {}): Promise<SharedVenue> {
    const directory = await Deno.makeTempDir({ prefix: "venue_shared_" });
    const kv = await KvServer.start(`${directory}/kv.sqlite`);
    const settings: ServerSettings = {
      kvPath: kv.url,
      operator: randomCredential(),
      masterKey: randomMasterKey(),
      environment: {
        NONCE_WINDOW_MS: String(NONCE_WINDOW_MS),
        ...environment,
        ...kv.environment,
      },
    };
    const [a, b] = [ServerProcess.spawn(settings), ServerProcess.spawn(settings)];
    const venue = new SharedVenue(kv, settings, directory, a, b);
    try {
      await Promise.all([a.ready(), b.ready()]);
      await venue.operator(a).createMarkets(FEE_RATE);
    } catch (error) {
      await venue[Symbol.asyncDispose]();
      throw error;
    }
    return venue;
  }

  /** Returns the operator's calls to one of the processes. */
  operator(server: ServerProcess): VenueOperator {
    return new VenueOperator(server, operatorSigner(this.settings), this.nonces);
  }

  createMembers(count: number): Promise<VenueMember[]> {
    return this.operator(this.a).createMembers(count);
  }

  /** Makes a signed call, by default with a new nonce. */
  async call(
    server: ServerProcess,
    signer: KeySigner,
    method: string,
    path: string,
    body?: unknown,
    nonce: number = this.nonces.take(1),
  ): Promise<Answer> {
    const response = await fetch(`${server.baseUrl}/api/v2${path}`, {
      method,
      headers: { "content-type": "application/json", ...signer.headers(nonce) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Reads public data of a market. */
  async market(server: ServerProcess, path: string): Promise<Answer> {
    const response = await fetch(`${server.baseUrl}/api/v2/backend/public/markets/${path}`);
    return { status: response.status, body: await response.json() };
  }

  /** Audits the store, again if a fold disturbed the audit; returns its figures. */
  async assertAuditIsClean(): Promise<ReadonlyMap<string, string>> {
    for (let audits = 1;; audits++) {
      const { isClean, output } = await auditStore(this.settings.kvPath, this.kv.environment);
      if (isClean) return figuresOf(output);
      const isDisturbed = output.includes("folded during the audit") && audits < AUDITS_MAX;
      assert(isDisturbed, `The audit found a difference\n${output}`);
      await sleep(AUDIT_PAUSE_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.a.kill(), this.b.kill()]);
    await this.kv.kill();
    await Deno.remove(this.directory, { recursive: true });
  }
}

/** Reads until the value is as wanted; returns the elapsed ms. */
export async function until<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const value = await read();
    if (isWanted(value)) return performance.now() - start;
    assert(performance.now() - start < WAIT_MS_MAX, `Still ${JSON.stringify(value)}`);
    await sleep(POLL_MS);
  }
}

function figuresOf(output: string): ReadonlyMap<string, string> {
  const lines = output.split("\n").map((line) => line.split(": "));
  return new Map(lines.map(([name = "", value = ""]) => [name, value]));
}
