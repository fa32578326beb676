/** The command line of a benchmark. */
import { MEMBERS } from "./load/bench_venue.ts";
import { PROOF_PARTS, type ProofPart } from "./load/proof_runs.ts";
import { type RunName, RUNS } from "./load/standard_runs.ts";

/** Requests are signed before a run, so nonces must fit the window for all of it. */
const SECONDS_MAX = 60;
const SECONDS = 30;
const STORED_SECONDS = 10;
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
  /** Orders per second. */
  readonly steady: number;
  readonly proof: readonly ProofPart[];
}

/** @throws {Error} if an argument is wrong or unknown */
export function parseBenchArguments(args: readonly string[]): BenchArguments {
  const values = new Map(args.map((arg) => {
    const [, name = "", value = ""] = /^--([a-z]+)(?:=(.+))?$/.exec(arg) ?? [];
    if (name === "") throw new Error(`"${arg}" is not of the form --name or --name=value`);
    return [name, value];
  }));
  const kind = kindOf(values);
  const stored = wholeArgument(values, "stored", 0);
  const result = {
    kind,
    seconds: wholeArgument(values, "seconds", usualSeconds(kind)),
    connections: wholeArgument(values, "connections", 64),
    members: wholeArgument(values, "members", MEMBERS),
    stored,
    open: wholeArgument(values, "open", Math.round(stored / 10)),
    money: wholeArgument(values, "money", 0),
    streams: wholeArgument(values, "streams", 0),
    processes: wholeArgument(values, "processes", 0),
    steady: wholeArgument(values, "steady", 0),
    only: namesArgument(values, "only", RUNS),
    proof: namesArgument(values, "proof", PROOF_PARTS),
  };
  for (const name of ["ceiling", "postgres"]) emptyArgument(values, name);
  const [unknown] = values.keys();
  if (unknown !== undefined) throw new Error(`Unknown argument "--${unknown}"`);
  if (result.seconds > SECONDS_MAX) throw new Error(`"--seconds" must be at most ${SECONDS_MAX}`);
  if (result.open > stored) throw new Error('"--open" must be at most "--stored"');
  return result;
}

function kindOf(values: ReadonlyMap<string, string>): BenchKind {
  const asked = BENCH_KINDS.filter((kind) => kind !== "standard" && values.has(kind));
  if (asked.length > 1) {
    throw new Error(`Give only one of ${asked.map((kind) => `"--${kind}"`).join(" and ")}`);
  }
  return asked[0] ?? "standard";
}

function usualSeconds(kind: BenchKind): number {
  if (kind === "stored") return STORED_SECONDS;
  return kind === "steady" || kind === "proof" ? STEADY_SECONDS : SECONDS;
}

function wholeArgument(values: Map<string, string>, name: string, otherwise: number): number {
  const text = values.get(name);
  values.delete(name);
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text)) throw new Error(`"--${name}=${text}" is not a whole number`);
  return Number(text);
}

function emptyArgument(values: Map<string, string>, name: string): void {
  const text = values.get(name) ?? "";
  values.delete(name);
  if (text !== "") throw new Error(`"--${name}" takes no value`);
}

function namesArgument<Name extends string>(
  values: Map<string, string>,
  name: string,
  all: readonly Name[],
): readonly Name[] {
  const text = values.get(name) ?? "";
  values.delete(name);
  if (text === "") return all;
  const wanted = text.split(",");
  const unknown = wanted.find((one) => !all.some((known) => known === one));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${all.join(", ")}`);
  return all.filter((known) => wanted.includes(known));
}
