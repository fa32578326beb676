/** A folder with the program in it, as a clone has it, and shells in which blocks are pasted. */
import { eventually } from "../support/eventually.ts";
import { freePort } from "../bench/load/server_process.ts";

const REPOSITORY = new URL("../../", import.meta.url);
const PROGRAM = ["deno.json", "deno.lock", "main.ts", "src"];
/** The port in the documents. */
const SHOWN_PORT = /\b8000\b/g;
/** The log's line after which a venue can be called. */
const LISTENING = '"event":"listening"';

/** Returns whether this machine has a program. */
export function hasProgram(name: string): boolean {
  try {
    return new Deno.Command(name, { args: ["--version"] }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A folder without data, for one venue on a port of its own. */
export class PastedFolder {
  readonly #port = freePort();
  #venue: Deno.ChildProcess | undefined;
  #read: Promise<unknown> | undefined;

  private constructor(readonly path: string) {}

  /** Makes one. */
  static async make(): Promise<PastedFolder> {
    const path = await Deno.makeTempDir({ prefix: "venue_pasted_" });
    for (const name of PROGRAM) await Deno.symlink(new URL(name, REPOSITORY), `${path}/${name}`);
    return new PastedFolder(path);
  }

  /** Pastes lines into a shell, and returns what it prints. */
  async paste(lines: string): Promise<string> {
    const child = this.#shell(lines);
    const { stdout, stderr } = await child.output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  }

  /** Pastes lines that start a venue, and waits until it can be called. */
  async serve(lines: string): Promise<void> {
    this.#venue = this.#shell(lines);
    const output = this.#venue.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let printed = "";
    while (!printed.includes(LISTENING)) {
      const { done, value } = await output.read();
      if (done) throw new Error(`The venue did not start\n${printed}`);
      printed += value;
    }
    // A venue waits for whoever reads its log.
    this.#read = Promise.all([readOn(output), this.#venue.stderr.cancel()]);
  }

  /** Ends the venue as Ctrl+C does. */
  async stop(): Promise<void> {
    this.#endVenue();
    await this.#venue?.status;
    await this.#read;
    this.#read = undefined;
  }

  /** Ends the venue, and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    // What a block has left running may write while it ends.
    await eventually(
      "the folder's end",
      () => Deno.remove(this.path, { recursive: true }).then(() => true, () => false),
    );
  }

  #shell(lines: string): Deno.ChildProcess {
    const port = String(this.#port);
    return new Deno.Command("bash", {
      args: ["-c", lines.replaceAll(SHOWN_PORT, port)],
      cwd: this.path,
      env: {
        PORT: port,
        PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`,
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Asks the venue to stop, as Ctrl+C does: the process that its lock file names. */
  #endVenue(): void {
    if (this.#read === undefined) return;
    for (const { name } of Deno.readDirSync(`${this.path}/.data`)) {
      if (!name.endsWith(".lock")) continue;
      Deno.kill(Number(Deno.readTextFileSync(`${this.path}/.data/${name}`)), "SIGINT");
    }
  }
}

async function readOn(output: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await output.read()).done);
}
