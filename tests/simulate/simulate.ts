/**
 * Simulates the venue:
 * `deno task simulate [--seed N] [--commands N] [--seconds N] [--round N] [--profile short|long]`.
 * Worlds run one after the other, each with the next seed, until enough commands have run or the
 * time is over. A failure prints its seed and last steps; `--seed` and `--round` repeat it.
 */
import { type Rounds, runRounds } from "./rounds.ts";
import type { MakeStore } from "./sim_process.ts";
import { WorldError } from "./world.ts";
import { type ProfileName, PROFILES } from "./world_profile.ts";

const USAGE = "Usage: simulate.ts [--seed N] [--commands N] [--seconds N] [--round N] " +
  "[--profile short|long]";
/** Number of commands per world, few enough to keep its log in memory. */
const ROUND_COMMANDS = { short: 500, long: 50_000 } as const;
const COMMANDS = 200_000;
const TRACE_LINES = 40;

if (import.meta.main) Deno.exitCode = await simulate(Deno.args);

/** What tests replace. */
export interface SimulateOptions {
  readonly makeStore?: MakeStore;
  readonly print?: (text: string) => void;
}

/** Runs the command line; returns the exit code. */
export async function simulate(
  args: readonly string[],
  { print = printLine, ...others }: SimulateOptions = {},
): Promise<number> {
  const options = parseArguments(args);
  if (options === null) {
    print(USAGE);
    return 2;
  }
  // Unhandled rejections must not go unnoticed either.
  const strays: unknown[] = [];
  const noteStray = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    strays.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", noteStray);
  try {
    const rounds = await runRounds({
      ...options,
      ...others,
      profile: PROFILES[options.profile],
      onRound: (sums) => print(progressText(sums)),
    });
    print(reportText(rounds));
    if (strays.length === 0) return 0;
    print(`Unhandled rejection of a promise: ${String(strays[0])}`);
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    for (const line of error.trace.slice(-TRACE_LINES)) print(line);
    print(error.cause instanceof Error ? error.cause.stack ?? error.message : error.message);
    const { profile, round } = options;
    print(
      `FAILED: repeat with --seed ${error.seed} --profile ${profile} --round ${round} --commands 1`,
    );
  } finally {
    globalThis.removeEventListener("unhandledrejection", noteStray);
  }
  return 1;
}

interface Arguments {
  readonly seed: number;
  readonly commands: number;
  readonly seconds: number;
  readonly round: number;
  readonly profile: ProfileName;
}

/** Parses the arguments; returns null if any is unknown or not a number. */
function parseArguments(args: readonly string[]): Arguments | null {
  const values: Record<string, number> = {};
  let profile: ProfileName = "long";
  const words = args.flatMap((word) => word.split("="));
  for (let i = 0; i < words.length; i += 2) {
    if (words[i] === "--profile") {
      const name = words[i + 1];
      if (name !== "short" && name !== "long") return null;
      profile = name;
      continue;
    }
    const name = /^--(seed|commands|seconds|round)$/.exec(words[i] ?? "")?.[1];
    const value = Number(words[i + 1]);
    if (name === undefined || !Number.isSafeInteger(value) || value < 1) return null;
    values[name] = value;
  }
  const { seed = 1, seconds = Infinity, round = ROUND_COMMANDS[profile] } = values;
  const commands = values.commands ?? (seconds === Infinity ? COMMANDS : Infinity);
  return { seed, seconds, round, commands, profile };
}

function progressText({ commands, seed, seconds }: Rounds): string {
  return `seed ${seed}: ${commands} commands so far, ${Math.round(commands / seconds)} a second`;
}

function reportText(sums: Rounds): string {
  const faults = [...sums.faults].sort(([a], [b]) => a < b ? -1 : 1);
  const rate = Math.round(sums.commands / sums.seconds);
  return [
    `seeds              ${sums.firstSeed} to ${sums.seed}`,
    `commands           ${sums.commands} in ${sums.seconds.toFixed(1)} s, ${rate} a second`,
    `answered           ${sums.answers}`,
    `refused            ${sums.unavailable} (venue not available)`,
    `outcome unknown    ${sums.unknown}`,
    `died unanswered    ${sums.abandoned}`,
    `entries, events    ${sums.entries}, ${sums.events}`,
    `processes started  ${sums.processes}`,
    `invariants checked ${sums.checks} times, steps ${sums.steps}`,
    ...faults.map(([fault, count]) => `  ${fault.padEnd(22)} ${count}`),
    "all is well",
  ].join("\n");
}

function printLine(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
