/** World after world, and what they came to in sum. */
import type { Fault, Trouble } from "./faults.ts";
import type { MakeStore } from "./sim_process.ts";
import { makeVenueWorkload } from "./venue_workload.ts";
import { runWorld, type WorldReport } from "./world.ts";
import type { WorldProfile } from "./world_profile.ts";

/** What to run. */
export interface RoundsOptions {
  readonly seed: number;
  /** Commands in all, and of one world. */
  readonly commands: number;
  readonly round: number;
  readonly profile: WorldProfile;
  /** Makes the processes' stores, where they are not the usual ones. */
  readonly makeStore?: MakeStore;
  /** No world is begun after so long. */
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

/** The sums of all worlds so far. */
export interface Rounds extends Readonly<Sums> {
  readonly firstSeed: number;
  /** Of the last world. */
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

/** Runs worlds until there were enough commands, or the time is over. */
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
