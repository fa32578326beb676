/** The command line of a benchmark. */
import { ArgumentError, type TaskArguments } from "../support/task_arguments.ts";
import { MEMBERS } from "./load/bench_venue.ts";
import { PROOF_PARTS, type ProofPart } from "./load/proof_runs.ts";
import { type RunName, RUNS } from "./load/standard_runs.ts";

/** What to print for `--help`. */
export const BENCH_USAGE = `\
Usage: deno task bench [--seconds=N] [--connections=N] [--members=N] [--only=${RUNS.join(",")}
  | --stored=N [--open=N] | --money=N | --streams=N | --processes=N [--delay=N] | --steady=N
  | --ceiling [--profile] | --profile | --postgres | --proof[=${PROOF_PARTS.join(",")}]]`;

/** Requests are signed before a run, so nonces must fit the window for all of it. */
const SECONDS_MAX = 60;
/** The longest way to a KV server, one way, in ms. */
const DELAY_MS_MAX = 1000;
const SECONDS = 30;
const STORED_SECONDS = 10;
const PROFILE_SECONDS = 10;
const STEADY_SECONDS = 60;

/** The benchmarks that can be selected. */
export const BENCH_KINDS = [
  "standard",
  "stored",
  "money",
  "streams",
  "processes",
  "steady",
  "ceiling",
  "profile",
  "postgres",
  "proof",
] as const;

/** One of the benchmarks. */
export type BenchKind = typeof BENCH_KINDS[number];

/** All arguments; the numbers of benchmarks that are not selected are 0. */
export interface BenchArguments {
  readonly kind: BenchKind;
  readonly seconds: number;
  readonly connections: number;
  readonly members: number;
  readonly only: readonly RunName[];
  readonly stored: number;
  readonly open: number;
  readonly money: number;
  readonly streams: number;
  readonly processes: number;
  /** How far all processes but one are from the KV server, one way, in ms; 0 if none is. */
  readonly delay: number;
  /** Orders per second. */
  readonly steady: number;
  readonly proof: readonly ProofPart[];
  /** Whether to tell where an order's time goes. */
  readonly isProfiled: boolean;
}

/** Takes one benchmark, and its figures. */
export function takeBenchArguments(given: TaskArguments): BenchArguments {
  const kind = kindOf(given);
  const stored = given.whole("stored", 0);
  const open = given.whole("open", Math.round(stored / 10), 0);
  if (open > stored) throw given.wrong("open", `must be at most "--stored", which is ${stored}`);
  for (const name of ["ceiling", "profile", "postgres"]) given.flag(name);
  const processes = given.whole("processes", 0);
  const delay = given.whole("delay", 0, 1, DELAY_MS_MAX);
  if (delay > 0 && processes < 2) throw given.wrong("delay", 'needs "--processes" of at least 2');
  return {
    kind,
    seconds: given.whole("seconds", usualSeconds(kind), 1, SECONDS_MAX),
    connections: given.whole("connections", 64),
    members: given.whole("members", MEMBERS),
    only: given.someOf("only", RUNS),
    stored,
    open,
    money: given.whole("money", 0),
    streams: given.whole("streams", 0),
    processes,
    delay,
    steady: given.whole("steady", 0),
    proof: given.someOf("proof", PROOF_PARTS),
    isProfiled: given.has("profile"),
  };
}

function kindOf(given: TaskArguments): BenchKind {
  const asked = BENCH_KINDS.filter((kind) => kind !== "standard" && given.has(kind));
  // Of the ceiling there is a profile, too.
  if (asked.join() === "ceiling,profile") return "ceiling";
  if (asked.length > 1) {
    throw new ArgumentError(`Give only one of ${asked.map((kind) => `"--${kind}"`).join(" and ")}`);
  }
  return asked[0] ?? "standard";
}

function usualSeconds(kind: BenchKind): number {
  if (kind === "stored") return STORED_SECONDS;
  if (kind === "profile") return PROFILE_SECONDS;
  return kind === "steady" || kind === "proof" ? STEADY_SECONDS : SECONDS;
}
