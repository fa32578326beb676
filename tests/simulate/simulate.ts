/**
 * Simulates the venue. Worlds run one after the other, each with the next seed, until enough
 * commands have run or the time is over. A failure prints its seed and last steps; `--seed` and
 * `--round` repeat it.
 */
import { type TaskArguments, taskArguments } from "../support/task_arguments.ts";
import { type Rounds, runRounds } from "./rounds.ts";
import type { MakeStore } from "./sim_process.ts";
import { WorldError } from "./world.ts";
import { type ProfileName, PROFILES } from "./world_profile.ts";

const USAGE = "Usage: deno task simulate [--seed=N] [--commands=N] [--seconds=N] [--round=N] " +
  "[--profile=short|long|far|deadlines]";
/** Number of commands per world, few enough to keep its log in memory. */
const ROUND_COMMANDS = { short: 500, long: 50_000, far: 500, deadlines: 3000 } as const;
const COMMANDS = 200_000;
const TRACE_LINES = 40;

if (import.meta.main) {
  Deno.exitCode = await simulate(taskArguments(USAGE, takeSimulateArguments));
}

interface Arguments {
  readonly seed: number;
  readonly commands: number;
  readonly seconds: number;
  readonly round: number;
  readonly profile: ProfileName;
}

/** Takes which worlds to run, and for how long. */
export function takeSimulateArguments(given: TaskArguments): Arguments {
  const profile = given.oneOf("profile", ["short", "long", "far", "deadlines"], "long");
  const seconds = given.whole("seconds", Infinity);
  return {
    seed: given.whole("seed", 1),
    seconds,
    commands: given.whole("commands", seconds === Infinity ? COMMANDS : Infinity),
    round: given.whole("round", ROUND_COMMANDS[profile]),
    profile,
  };
}

/** What tests replace. */
export interface SimulateOptions {
  readonly makeStore?: MakeStore;
  readonly print?: (text: string) => void;
}

/** Runs the worlds; returns the exit code. */
export async function simulate(
  options: Arguments,
  { print = printLine, ...others }: SimulateOptions = {},
): Promise<number> {
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
