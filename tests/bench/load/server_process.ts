/** A venue in a process of its own, on a store of its own, started as its users start it. */
import { type Credential, KeySigner } from "./presigned.ts";

const STARTUP_MS_MAX = 30_000;
const POLL_MS = 10;
const OUTPUT_CHARACTERS_KEPT = 8 * 1024;
const VENUE_PROGRAM = "main.ts";
const REPOSITORY = new URL("../../../", import.meta.url);
const START_ARGUMENTS = readStartArguments();

/** Where a venue keeps its data, and the settings it starts with. */
export interface ServerSettings {
  readonly kvPath: string;
  readonly operator: Credential;
  readonly masterKey: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What is started, from the repository's root; the venue itself by default. */
  readonly program?: string;
  /** File descriptors that it may have; as many as the machine gives by default. */
  readonly filesMax?: number;
}

/** How a command ended. */
export interface CommandResult {
  readonly isClean: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** A running venue; `stop` or `kill` it. */
export class ServerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #output: OutputTail;

  private constructor(readonly port: number, child: Deno.ChildProcess) {
    this.#child = child;
    this.#output = new OutputTail(child);
  }

  /** Starts a venue and waits until it says that it is ready. */
  static async start(settings: ServerSettings): Promise<ServerProcess> {
    const server = ServerProcess.spawn(settings);
    await server.ready();
    return server;
  }

  /** Starts a venue without waiting. */
  static spawn(settings: ServerSettings): ServerProcess {
    const port = freePort();
    const child = programCommand(settings.program ?? VENUE_PROGRAM, [], {
      PORT: String(port),
      KV_PATH: settings.kvPath,
      MASTER_KEY: settings.masterKey,
      OPERATOR_KEY: `${settings.operator.kid}:${settings.operator.secret}`,
      RATE_LIMIT: "off",
      ...settings.environment,
    }, settings.filesMax).spawn();
    return new ServerProcess(port, child);
  }

  get pid(): number {
    return this.#child.pid;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Waits for the venue's own word that it is ready. */
  async ready(): Promise<void> {
    const deadline = performance.now() + STARTUP_MS_MAX;
    let end: Deno.CommandStatus | undefined;
    this.#child.status.then((status) => end = status);
    while (!await this.#isReady()) {
      if (end !== undefined || performance.now() > deadline) {
        await this.kill();
        throw new Error(`The venue did not become ready\n${this.#output.text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** What the venue printed last. */
  get output(): string {
    return this.#output.text;
  }

  /** Resident memory of the process, in MiB. */
  async residentMebibytes(): Promise<number> {
    const { stdout } = await new Deno.Command("ps", {
      args: ["-o", "rss=", "-p", String(this.pid)],
    }).output();
    return Number(new TextDecoder().decode(stdout)) / 1024;
  }

  /** Asks the venue to finish, as a service manager does, and waits for its end. */
  async stop(): Promise<Deno.CommandStatus> {
    return await this.#end("SIGINT");
  }

  /** Ends the venue in the middle of what it does. */
  async kill(): Promise<Deno.CommandStatus> {
    return await this.#end("SIGKILL");
  }

  /** Asks or makes the venue do what a signal says. */
  signal(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Waits for the end of the venue, of which nobody has to be the cause. */
  async ended(): Promise<Deno.CommandStatus> {
    const status = await this.#child.status;
    await this.#output.ended;
    return status;
  }

  async #end(signal: Deno.Signal): Promise<Deno.CommandStatus> {
    this.signal(signal);
    return await this.ended();
  }

  async #isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.baseUrl}/api/v2/backend/public/health/ready`);
      await response.body?.cancel();
      return response.ok;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }
}

/** Runs the audit of a store that no venue has open. */
export async function auditStore(
  kvPath: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const start = performance.now();
  const { code, output } = await runProgram(["audit"], { ...environment, KV_PATH: kvPath });
  return { isClean: code === 0, output, seconds: (performance.now() - start) / 1000 };
}

/** Runs the program until it ends; answers its code, and what it said. */
export async function runProgram(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ readonly code: number; readonly output: string }> {
  const command = programCommand(VENUE_PROGRAM, args, environment);
  const { code, stdout, stderr } = await command.output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** A key pair of 16 and 32 hex characters. */
export function randomCredential(): Credential {
  return { kid: randomHex(8), secret: randomHex(16) };
}

/** A master key for one run. */
export function randomMasterKey(): string {
  return randomHex(32);
}

/** Signs the operator's own calls, one nonce each. */
export function operatorSigner(settings: ServerSettings): KeySigner {
  return new KeySigner(settings.operator);
}

function programCommand(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  filesMax?: number,
): Deno.Command {
  const words = [Deno.execPath(), ...START_ARGUMENTS, program, ...args];
  // Deno takes as many as it may have: the bound has to be the hard one, too.
  const [first = "", ...rest] = filesMax === undefined
    ? words
    : ["sh", "-c", `ulimit -n ${filesMax}; exec "$0" "$@"`, ...words];
  return new Deno.Command(first, {
    args: rest,
    cwd: REPOSITORY,
    env: environment,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** What `deno task start` gives Deno before the program: `run`, permissions, and flags of V8. */
function readStartArguments(): string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", REPOSITORY)));
  const words: string[] = tasks.start.split(" ");
  return words.slice(1, words.indexOf(VENUE_PROGRAM));
}

function randomHex(bytes: number): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(bytes)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** A port of this machine that nobody listens on. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Reads what a process prints, so that it never waits, and keeps the end of it. */
class OutputTail {
  text = "";
  readonly ended: Promise<unknown>;

  constructor(child: Deno.ChildProcess) {
    this.ended = Promise.all([this.#follow(child.stdout), this.#follow(child.stderr)]);
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.text = (this.text + decoder.decode(chunk, { stream: true }))
        .slice(-OUTPUT_CHARACTERS_KEPT);
    }
  }
}
