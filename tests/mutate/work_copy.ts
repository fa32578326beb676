/** Minimum time limit for a run of tests, in ms. */
const DEADLINE_MS_MIN = 30_000;
/** Time limit for a run, relative to its duration with the unbroken program. */
const DEADLINE_FACTOR = 10;

/** The output for a module that does not load; tests may throw similar errors themselves. */
const NO_PROGRAM = /could not be parsed|\(uncaught error\)\s+error: .*SyntaxError: /;
/** The output once any test of a run has started. */
const HAS_BEGUN = /^running \d+ tests? from /m;

/** Makes random tests use the same streams for every break. */
const SEED = "1";

const ROOT = new URL("../../", import.meta.url);

/** The result of a run of tests. */
export interface TestRun {
  readonly isPassed: boolean;
  /** The first test that failed, or that the time was over. */
  readonly noticedBy: string;
  readonly seconds: number;
  /** The whole output. */
  readonly output: string;
}

/** Thrown if a copy cannot judge a break. */
export class WorkCopyError extends Error {
  override name = "WorkCopyError";
}

/** A copy of the work tree in a temporary directory, which is broken and repaired. */
export class WorkCopy {
  readonly #path: string;
  readonly #flags: readonly string[];
  /** Duration of each test file with the unbroken program, in seconds. */
  readonly #unbroken = new Map<string, number>();

  private constructor(path: string, flags: readonly string[]) {
    this.#path = path;
    this.#flags = flags;
  }

  /** Copies all files that git tracks or would add. */
  static async make(): Promise<WorkCopy> {
    const path = await Deno.makeTempDir({ prefix: "venue_mutate_" });
    for (const file of await listFiles()) {
      await Deno.mkdir(`${path}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.copyFile(new URL(file, ROOT), `${path}/${file}`);
    }
    return new WorkCopy(path, await readFlags());
  }

  /** Deletes the copy. */
  async remove(): Promise<void> {
    await Deno.remove(this.#path, { recursive: true });
  }

  /** Reads a file. */
  async read(file: string): Promise<string> {
    return await Deno.readTextFile(`${this.#path}/${file}`);
  }

  /**
   * Runs tests with one file's text replaced, then restores the file.
   *
   * @throws {WorkCopyError} if the tests also fail without the change, or the text does not compile
   */
  async judge(file: string, broken: string, tests: readonly string[]): Promise<TestRun> {
    const seconds = await this.#unbrokenSeconds(tests);
    const path = `${this.#path}/${file}`;
    const whole = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, broken);
    try {
      const run = await this.#run(
        tests,
        Math.max(DEADLINE_MS_MIN, seconds * 1000 * DEADLINE_FACTOR),
      );
      const isBegun = HAS_BEGUN.test(run.output);
      if (NO_PROGRAM.test(run.output) || (!isBegun && run.output.includes("SyntaxError: "))) {
        throw new WorkCopyError(`The broken ${file} does not compile:\n${run.output}`);
      }
      return run;
    } finally {
      await Deno.writeTextFile(path, whole);
    }
  }

  async #unbrokenSeconds(tests: readonly string[]): Promise<number> {
    const fresh = tests.filter((test) => !this.#unbroken.has(test));
    for (const test of fresh) {
      const run = await this.#run([test], DEADLINE_MS_MIN * DEADLINE_FACTOR);
      if (!run.isPassed) {
        throw new WorkCopyError(`${test} fails although nothing is broken:\n${run.output}`);
      }
      this.#unbroken.set(test, run.seconds);
    }
    return tests.reduce((sum, test) => sum + (this.#unbroken.get(test) ?? 0), 0);
  }

  async #run(tests: readonly string[], deadlineMs: number): Promise<TestRun> {
    const signal = AbortSignal.timeout(deadlineMs);
    const startedAt = performance.now();
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--fail-fast", ...this.#flags, ...tests],
      cwd: this.#path,
      env: { NO_COLOR: "1", KVENUE_TEST_SEED: SEED },
      signal,
    }).output();
    const decoder = new TextDecoder();
    const output = decoder.decode(stdout) + decoder.decode(stderr);
    const seconds = (performance.now() - startedAt) / 1000;
    const noticedBy = signal.aborted ? "the deadline" : firstFailure(output);
    return { isPassed: success, noticedBy: success ? "" : noticedBy, seconds, output };
  }
}

/** Returns the first failed test in an output, or what else went wrong. */
function firstFailure(output: string): string {
  const file = [...output.matchAll(/^running .* from \.\/tests\/(\S+)_test\.ts$/gm)].at(-1)?.[1];
  const name = /^(.+) => \S+:\d+:\d+$/m.exec(output)?.[1]?.split(" ... ").at(-1);
  if (file === undefined) return /^error: .*/m.exec(output)?.[0] ?? "the end of the process";
  return `${file}: ${name ?? "outside of any test"}`;
}

async function listFiles(): Promise<string[]> {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  if (!success) throw new WorkCopyError("git does not list the files of the work tree");
  const files = new TextDecoder().decode(stdout).split("\0").filter((file) => file !== "");
  return files.filter(isFile);
}

/** Returns the permissions of the task `test`; not that it runs files at once, which mixes outputs. */
async function readFlags(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  return (tasks.test as string).split(" ").filter((word) => /^--(?:no-prompt$|allow-)/.test(word));
}

/** Returns whether a listed file exists; git also lists deleted ones until they are committed. */
function isFile(file: string): boolean {
  try {
    return Deno.lstatSync(new URL(file, ROOT)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
