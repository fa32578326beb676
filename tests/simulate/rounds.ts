/** Runs world after world and adds up their results. */
import type { Fault, Trouble } from "./faults.ts";
import type { MakeStore } from "./sim_process.ts";
import { makeVenueWorkload } from "./venue_workload.ts";
import { runWorld, type WorldReport } from "./world.ts";
import type { WorldProfile } from "./world_profile.ts";

/** Options for running worlds. */
export interface RoundsOptions {
  readonly seed: number;
  /** Number of commands in all, and of one world. */
  readonly commands: number;
  readonly round: number;
  readonly profile: WorldProfile;
  /** Creates the processes' stores, if not the usual ones. */
  readonly makeStore?: MakeStore;
  /** Time after which no further world is started. */
  readonly seconds: number;
  readonly onRound: (sums: Rounds) => void;
}

type Sums = Pick<
  WorldReport,
  | "commands"
  | "answers"
  | "unavailable"
  | "unknown"
  | "abandoned"
  | "entries"
  | "events"
  | "steps"
  | "checks"
  | "processes"
>;

/** The sums over all worlds so far. */
export interface Rounds extends Readonly<Sums> {
  readonly firstSeed: number;
  /** Seed of the last world. */
  readonly seed: number;
  readonly seconds: number;
  readonly faults: ReadonlyMap<Fault | Trouble, number>;
}

const NAMES = [
  "commands",
  "answers",
  "unavailable",
  "unknown",
  "abandoned",
  "entries",
  "events",
  "steps",
  "checks",
  "processes",
] as const satisfies (keyof Sums)[];

/** Runs worlds until they have run enough commands, or the time is over. */
export async function runRounds(options: RoundsOptions): Promise<Rounds> {
  const startedAt = performance.now();
  const sums: Record<keyof Sums, number> = Object.fromEntries(
    NAMES.map((name) => [name, 0]),
  ) as Record<keyof Sums, number>;
  const faults = new Map<Fault | Trouble, number>();
  const { makeStore, profile, round: commands } = options;
  for (let seed = options.seed;; seed++) {
    const world = { seed, commands, profile, makeWorkload: makeVenueWorkload };
    const report = await runWorld(makeStore === undefined ? world : { ...world, makeStore });
    for (const name of NAMES) sums[name] += report[name];
    for (const [fault, count] of report.faults) faults.set(fault, (faults.get(fault) ?? 0) + count);
    const seconds = (performance.now() - startedAt) / 1000;
    const rounds = { ...sums, firstSeed: options.seed, seed, seconds, faults };
    if (sums.commands >= options.commands || seconds >= options.seconds) return rounds;
    options.onRound(rounds);
  }
}
