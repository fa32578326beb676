/** A venue in its own process with its own store, started as users start it. */
import { type Credential, KeySigner } from "./presigned.ts";

/** Enough for a loaded machine. */
const STARTUP_MS_MAX = 60_000;
const POLL_MS = 10;
const OUTPUT_CHARACTERS_KEPT = 8 * 1024;
const VENUE_PROGRAM = "main.ts";
const REPOSITORY = new URL("../../../", import.meta.url);
/** Ports from which free ones are drawn. */
const PORT_MIN = 11_000;
const PORTS = 20_000;
const START_ARGUMENTS = readStartArguments();

/** A venue's store and settings. */
export interface ServerSettings {
  readonly kvPath: string;
  readonly operator: Credential;
  readonly masterKey: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The program to start, relative to the repository's root; by default the venue. */
  readonly program?: string;
  /** What the program is given besides, such as `--demo`. */
  readonly args?: readonly string[];
  /** Called with what the program writes, as it comes. */
  readonly onOutput?: (text: string) => void;
  /** Maximum number of file descriptors; by default the machine's. */
  readonly filesMax?: number;
  /** Whether it can be inspected, at a port of its own. */
  readonly isInspected?: boolean;
}

interface ProcessOptions {
  readonly filesMax: number | null;
  readonly inspectorPort: number | null;
}

/** How a command ended. */
export interface CommandResult {
  readonly isClean: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** A running venue, to be ended by `stop` or `kill`. */
export class ServerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #output: OutputTail;

  private constructor(
    readonly port: number,
    readonly inspectorPort: number | null,
    child: Deno.ChildProcess,
    onOutput?: (text: string) => void,
  ) {
    this.#child = child;
    this.#output = new OutputTail(child, onOutput);
  }

  /** Starts a venue and waits until it is ready. */
  static async start(settings: ServerSettings): Promise<ServerProcess> {
    const server = ServerProcess.spawn(settings);
    await server.ready();
    return server;
  }

  /** Starts a venue without waiting. */
  static spawn(settings: ServerSettings): ServerProcess {
    const port = freePort();
    const inspectorPort = settings.isInspected === true ? freePort() : null;
    const child = programCommand(settings.program ?? VENUE_PROGRAM, settings.args ?? [], {
      PORT: String(port),
      KV_PATH: settings.kvPath,
      MASTER_KEY: settings.masterKey,
      OPERATOR_KEY: `${settings.operator.kid}:${settings.operator.secret}`,
      RATE_LIMIT: "off",
      NEW_STORE: "yes",
      ADJUSTMENT_MAX: "off",
      ...settings.environment,
    }, { filesMax: settings.filesMax ?? null, inspectorPort }).spawn();
    return new ServerProcess(port, inspectorPort, child, settings.onOutput);
  }

  get pid(): number {
    return this.#child.pid;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Waits until the venue reports that it is ready. */
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

  /** Waits until the venue is no longer ready, as it has taken a signal. */
  async ending(): Promise<void> {
    while (await this.#isReady()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  /** The last output of the venue. */
  get output(): string {
    return this.#output.text;
  }

  /** Returns the resident memory of the process, in MiB. */
  async residentMebibytes(): Promise<number> {
    const { stdout } = await new Deno.Command("ps", {
      args: ["-o", "rss=", "-p", String(this.pid)],
    }).output();
    return Number(new TextDecoder().decode(stdout)) / 1024;
  }

  /** Asks the venue to stop, as a service manager does, and waits for its end. */
  async stop(): Promise<Deno.CommandStatus> {
    return await this.#end("SIGINT");
  }

  /** Kills the venue. */
  async kill(): Promise<Deno.CommandStatus> {
    return await this.#end("SIGKILL");
  }

  /** Sends a signal; does nothing if the venue has ended. */
  signal(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Waits until the venue ends for whatever reason. */
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

/** Audits a store that no venue has open; `flags` such as `--chain`. */
export async function auditStore(
  kvPath: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<CommandResult> {
  const start = performance.now();
  const { code, output } = await runProgram(["audit", ...flags], {
    ...environment,
    KV_PATH: kvPath,
  });
  return { isClean: code === 0, output, seconds: (performance.now() - start) / 1000 };
}

/** Runs the program until it ends; returns its exit code and output. */
export async function runProgram(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ readonly code: number; readonly output: string }> {
  const command = programCommand(VENUE_PROGRAM, args, environment);
  const { code, stdout, stderr } = await command.output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

/** Creates a key pair of 16 and 32 hex characters. */
export function randomCredential(): Credential {
  return { kid: randomHex(8), secret: randomHex(16) };
}

/** Creates a master key for one run. */
export function randomMasterKey(): string {
  return randomHex(32);
}

/** Creates the signer of the operator's calls. */
export function operatorSigner(settings: ServerSettings): KeySigner {
  return new KeySigner(settings.operator);
}

function programCommand(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  { filesMax, inspectorPort }: ProcessOptions = { filesMax: null, inspectorPort: null },
): Deno.Command {
  const [verb = "", ...flags] = START_ARGUMENTS;
  const inspect = inspectorPort === null ? [] : [`--inspect=127.0.0.1:${inspectorPort}`];
  const words = [Deno.execPath(), verb, ...inspect, ...flags, program, ...args];
  // Deno raises its soft limit to the hard one, so the hard limit must be set, too.
  const [first = "", ...rest] = filesMax === null
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

/** Returns Deno's arguments in `deno task start`: `run`, permissions, and flags of V8. */
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

/**
 * Returns a port of this machine that is not in use. It is none of those that systems hand out by
 * themselves: another program would soon be given one that is free for a moment.
 */
export function freePort(): number {
  for (;;) {
    const port = PORT_MIN + Math.floor(Math.random() * PORTS);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Reads a process's output, so that it never blocks, and keeps its end. */
class OutputTail {
  text = "";
  readonly ended: Promise<unknown>;

  constructor(
    child: Deno.ChildProcess,
    private readonly onOutput: (text: string) => void = () => {},
  ) {
    this.ended = Promise.all([this.#follow(child.stdout), this.#follow(child.stderr)]);
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      this.onOutput(text);
      this.text = (this.text + text).slice(-OUTPUT_CHARACTERS_KEPT);
    }
  }
}
