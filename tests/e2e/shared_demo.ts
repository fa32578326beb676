/** A demo venue of two processes on one KV server, with its sandbox. */
import { Secret, TOTP } from "otpauth";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { freePort, randomMasterKey } from "../bench/load/server_process.ts";
import { Person, SignedClient } from "../support/http_clients.ts";
import { KvServer } from "./kv_server.ts";
import { until } from "./shared_venue.ts";

const STEP_MS = 30_000;
const MAIN = new URL("../../main.ts", import.meta.url).href;

/** One of its processes. */
export interface DemoProcess {
  readonly url: string;
  readonly child: Deno.ChildProcess;
}

/** The processes `a` and `b`. */
export class SharedDemo {
  private constructor(
    readonly kv: KvServer,
    readonly directory: string,
    readonly a: DemoProcess,
    readonly b: DemoProcess,
    private readonly settings: Record<string, string>,
  ) {}

  readonly #joined: DemoProcess[] = [];

  /** Starts both processes at the same time on an empty store. */
  static async start(): Promise<SharedDemo> {
    const directory = await Deno.makeTempDir({ prefix: "venue_demo_" });
    const kv = await KvServer.start(`${directory}/kv.sqlite`);
    const settings = { MASTER_KEY: randomMasterKey(), KV_PATH: kv.url, ...kv.environment };
    const demo = new SharedDemo(kv, directory, spawn(settings), spawn(settings), settings);
    try {
      await Promise.all([demo.a, demo.b].map(({ url }) => until(() => isReady(url), Boolean)));
    } catch (error) {
      await demo[Symbol.asyncDispose]();
      throw error;
    }
    return demo;
  }

  /** Starts one more process, which takes the venue's settings as they are now. */
  async join(): Promise<DemoProcess> {
    const joined = spawn(this.settings);
    this.#joined.push(joined);
    await until(() => isReady(joined.url), Boolean);
    return joined;
  }

  /** Returns clients of both processes that sign with a demo key. */
  clients(kid: string): { readonly a: SignedClient; readonly b: SignedClient } {
    const client = ({ url }: DemoProcess) => new SignedClient(url, kid, `${kid}-secret`);
    return { a: client(this.a), b: client(this.b) };
  }

  /** Signs in a demo member at process `a`. */
  async signIn(name: "alice" | "bob"): Promise<Person> {
    const person = new Person(this.a.url);
    await person.must(200, "POST", "/auth/identity/sessions", {
      email: `${name}@demo.invalid`,
      password: `Demo-${name}-1`,
      otp_code: codeOf(0),
    });
    return person;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.a, this.b, ...this.#joined].map(async ({ child }) => {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await child.status;
    }));
    await this.kv.kill();
    await Deno.remove(this.directory, { recursive: true });
  }
}

/** Returns the same person with the same session at another process. */
export function movedTo({ url }: DemoProcess, person: Person): Person {
  const { cookie, csrfToken } = person;
  return Object.assign(new Person(url), { cookie, csrfToken });
}

/** Returns the demo's one-time code some steps from the present one. */
export function codeOf(stepsAhead: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(DEMO_OTP_SECRET) });
  return totp.generate({ timestamp: Date.now() + stepsAhead * STEP_MS });
}

function spawn(settings: Record<string, string>): DemoProcess {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-sys", MAIN, "--demo"],
    env: { ...settings, PORT: String(port), RATE_LIMIT: "off" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return { url: `http://127.0.0.1:${port}`, child };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v2/backend/public/health/ready`);
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
