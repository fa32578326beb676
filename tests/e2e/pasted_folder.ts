/** A folder with the program in it, as a clone has it, and shells in which blocks are pasted. */
import { freePort } from "../bench/load/server_process.ts";
import { buildOnce } from "../support/build_once.ts";
import { eventually } from "../support/eventually.ts";

const REPOSITORY = new URL("../../", import.meta.url);
const PROGRAM = ["deno.json", "deno.lock", "main.ts", "src"];
/** The ports in the documents. */
const SHOWN_PORTS = ["8000", "8001", "4512", "8545", "8546", "19443"];
/** The log's line after which a venue can be called. */
const LISTENING = '"event":"listening"';
/** A block that waits for longer waits for what does not come. */
const PASTE_MS_MAX = 600_000;

/** Returns whether this machine has a program. */
export function hasProgram(name: string): boolean {
  try {
    return new Deno.Command(name, { args: ["--version"] }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A shell that serves something until it is closed. */
interface ServingShell {
  readonly child: Deno.ChildProcess;
  readonly read: Promise<unknown>;
}

/** A folder without data, whose ports are its own. */
export class PastedFolder implements AsyncDisposable {
  readonly #ports = new Map(SHOWN_PORTS.map((port) => [port, String(freePort())]));
  readonly #serving: ServingShell[] = [];

  private constructor(readonly path: string) {}

  /** Makes one. */
  static async make({ isBuilt = true }: {
    /** Whether pages and client have been built, which takes seconds. */
    readonly isBuilt?: boolean;
  } = {}): Promise<PastedFolder> {
    const path = await Deno.makeTempDir({ prefix: "venue_pasted_" });
    if (isBuilt) await buildOnce();
    for (const name of isBuilt ? [...PROGRAM, ".built"] : PROGRAM) {
      await Deno.symlink(new URL(name, REPOSITORY), `${path}/${name}`);
    }
    return new PastedFolder(path);
  }

  /** Pastes lines into a shell, and returns what it prints. */
  async paste(lines: string): Promise<string> {
    const child = this.#shell(lines);
    const late = setTimeout(() => closeGroup(child), PASTE_MS_MAX);
    const { stdout, stderr } = await child.output();
    clearTimeout(late);
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  }

  /** Pastes lines that serve something, and waits until they have said so, so many times. */
  async serve(lines: string, { said = LISTENING, times = 1 } = {}): Promise<void> {
    const child = this.#shell(`exec 2>&1\n${lines}`);
    const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let printed = "";
    while (printed.split(said).length <= times) {
      const { done, value } = await output.read();
      if (done) throw new Error(`It did not start\n${printed}`);
      printed += value;
    }
    // A venue waits for whoever reads its log.
    const read = Promise.all([readOn(output), child.stderr.cancel()]);
    this.#serving.push({ child, read });
  }

  /** Closes the last shell that serves something: all that it runs ends. */
  async stop(): Promise<void> {
    const last = this.#serving.pop();
    if (last === undefined) return;
    closeGroup(last.child);
    await last.child.status;
    await last.read;
  }

  /** Closes all shells, and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#serving.length > 0) await this.stop();
    // What a block has left running may write while it ends.
    await eventually(
      "the folder's end",
      () => Deno.remove(this.path, { recursive: true }).then(() => true, () => false),
    );
  }

  #shell(lines: string): Deno.ChildProcess {
    const shown = new RegExp(`\\b(?:${SHOWN_PORTS.join("|")})\\b`, "g");
    return new Deno.Command("bash", {
      args: ["-c", lines.replaceAll(shown, (port) => this.#ports.get(port) ?? port)],
      cwd: this.path,
      env: {
        PORT: this.#ports.get("8000") ?? "",
        PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`,
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      // A group of its own, with all that it starts.
      detached: true,
    }).spawn();
  }
}

/** Ends a shell and all that it has started, as far as that has not left its group. */
function closeGroup({ pid }: Deno.ChildProcess): void {
  try {
    Deno.kill(-pid, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function readOn(output: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await output.read()).done);
}
