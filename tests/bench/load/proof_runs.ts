/** Measures the figures that the venue promises, and prints them beside the promises. */
import { runPostgres } from "../postgres/postgres_runs.ts";
import { PLAIN } from "../postgres/postgres_venue.ts";
import { withAuditedVenue } from "./audited_venue.ts";
import type { BenchVenue } from "./bench_venue.ts";
import { runCeiling } from "./ceiling_run.ts";
import { percentile } from "./load_run.ts";
import { ProofTable } from "./proof_table.ts";
import { type Report, whole } from "./report.ts";
import { runBulks, runOrders } from "./standard_runs.ts";
import { runSteady } from "./steady_run.ts";
import { measureStart, runStored } from "./stored_runs.ts";

/** Parts of the proof, as `--proof` takes them. */
export const PROOF_PARTS = [
  "t4",
  "t5",
  "ceiling",
  "postgres",
  "steady",
  "start",
  "stored",
] as const;

/** One of the parts. */
export type ProofPart = typeof PROOF_PARTS[number];

/** The parts to measure, and the duration of the longest runs. */
export interface ProofOptions {
  readonly proof: readonly ProofPart[];
  readonly seconds: number;
  readonly connections: number;
  readonly members: number;
  /** Sequential sets per second. */
  readonly sets: number;
}

const BULK_SECONDS_MAX = 20;
const SHORT_SECONDS_MAX = 10;
const STEADY_PER_SECOND = 2000;
const STORED = 1_000_000;
const STORED_OPEN = 100_000;
const START_OPEN = 10_000;

const T4_TO_R = 5;
const T4_P50_MS = 3;
const T4_P99_MS = 12;
const T5_TO_R = 12;
const T4_TO_POSTGRES = 8;
const STEADY_P50_MS = 1.5;
const STEADY_P99_MS = 5;
const STEADY_WORST_MS = 50;
const STORED_SHARE = 0.85;
const START_MS = 1000;
const STORED_START_MS = 3000;
const STORED_RESIDENT_MIB = 512;

/** Measures the selected parts. */
export async function runProof(
  directory: string,
  report: Report,
  options: ProofOptions,
): Promise<void> {
  await new Proof(directory, report, options).run();
}

class Proof {
  readonly #table = new ProofTable();
  #ordersPerSecond: number | null = null;

  constructor(
    readonly directory: string,
    readonly report: Report,
    readonly options: ProofOptions,
  ) {}

  async run(): Promise<void> {
    const { proof, sets } = this.options;
    this.#table.add("R, sequential `kv.set`", "", `${whole(sets)} /s`);
    const isWanted = (part: ProofPart) => proof.includes(part);
    if (["t4", "t5", "steady"].some((part) => isWanted(part as ProofPart))) {
      await this.#onVenue("rates", async (venue) => {
        if (isWanted("steady")) await this.#steady(venue);
        if (isWanted("t4")) await this.#orders(venue);
        if (isWanted("t5")) await this.#bulks(venue);
      });
    }
    if (isWanted("ceiling")) await this.#ceiling();
    if (isWanted("postgres")) await this.#postgres();
    if (isWanted("start")) await this.#onVenue("start", (venue) => this.#start(venue));
    if (isWanted("stored")) await this.#onVenue("stored", (venue) => this.#stored(venue));
    this.#table.print();
  }

  async #onVenue(name: string, run: (venue: BenchVenue) => Promise<void>): Promise<void> {
    const { options, report } = this;
    const directory = await this.#directory(name);
    await withAuditedVenue({ directory, report, members: options.members }, run);
  }

  async #directory(name: string): Promise<string> {
    const directory = `${this.directory}/${name}`;
    await Deno.mkdir(directory);
    return directory;
  }

  async #orders(venue: BenchVenue): Promise<void> {
    const { options, report } = this;
    const { perSecond, latencies, unfolded } = await runOrders(venue, report, options);
    this.#ordersPerSecond = perSecond;
    const title = `orders one by one, ${options.connections} connections, ${options.seconds} s`;
    this.#table.addAtLeast(title, T4_TO_R, perSecond / options.sets, {
      unit: "× R",
      more: `${whole(perSecond)} /s`,
    });
    this.#table.addBelow(`${title}: p50`, T4_P50_MS, percentile(latencies, 0.5));
    this.#table.addBelow(`${title}: p99`, T4_P99_MS, percentile(latencies, 0.99));
    this.#table.add(`${title}: not yet folded at its end`, "", unfolded);
  }

  async #bulks(venue: BenchVenue): Promise<void> {
    const { options, report } = this;
    const seconds = Math.min(options.seconds, BULK_SECONDS_MAX);
    const perSecond = await runBulks(venue, report, { ...options, seconds });
    const title = `orders in hundreds, ${options.connections} connections, ${seconds} s`;
    this.#table.addAtLeast(title, T5_TO_R, perSecond / options.sets, {
      unit: "× R",
      more: `${whole(perSecond)} /s`,
    });
  }

  async #steady(venue: BenchVenue): Promise<void> {
    const { seconds } = this.options;
    const plan = { perSecond: STEADY_PER_SECOND, seconds };
    const { p50, p99, worst } = await runSteady(venue, this.report, plan);
    const title = `${whole(STEADY_PER_SECOND)} orders/s for ${seconds} s, from the planned moment`;
    this.#table.addBelow(`${title}: p50`, STEADY_P50_MS, p50);
    this.#table.addBelow(`${title}: p99`, STEADY_P99_MS, p99);
    this.#table.addBelow(`${title}: worst`, STEADY_WORST_MS, worst);
  }

  async #ceiling(): Promise<void> {
    const { options, report } = this;
    const seconds = Math.min(options.seconds, SHORT_SECONDS_MAX);
    const directory = await this.#directory("ceiling");
    const { own, bare } = await runCeiling(directory, report, { ...options, seconds });
    const orders = this.#ordersPerSecond;
    const share = orders === null ? "" : `${(orders / own * 100).toFixed(0)} % of it are stored: `;
    this.#table.add("the same application, storing nothing", "", `${share}${whole(own)} /s`);
    const ratio = (bare / own).toFixed(2);
    this.#table.add("a bare application in turn", "", `${ratio} ×: ${whole(bare)} /s`);
  }

  async #postgres(): Promise<void> {
    const result = await runPostgres(this.directory, this.report);
    if (result === null) return this.#table.add("PostgreSQL venues", "", "not installed");
    for (const { title, kind, perSecond, connections } of result.best) {
      const more = `${whole(perSecond)} /s at ${connections} connections`;
      if (kind !== PLAIN || this.#ordersPerSecond === null) this.#table.add(title, "", more);
      else {
        const ratio = this.#ordersPerSecond / perSecond;
        this.#table.addAtLeast(`orders one by one to ${title}`, T4_TO_POSTGRES, ratio, {
          unit: "×",
          more,
        });
      }
    }
    const { own, expert } = result.beside;
    this.#table.addAtLeast("orders one by one to those of that one, in turn", 1, own / expert, {
      unit: "×",
      more: `${whole(own)} /s to ${whole(expert)} /s`,
    });
  }

  async #start(venue: BenchVenue): Promise<void> {
    const ms = await measureStart(venue, this.report, START_OPEN);
    this.#table.addBelow(`start to the first order, ${whole(START_OPEN)} open`, START_MS, ms);
  }

  async #stored(venue: BenchVenue): Promise<void> {
    const { options, report } = this;
    const seconds = Math.min(options.seconds, SHORT_SECONDS_MAX);
    const stored = { ...options, seconds, stored: STORED, open: STORED_OPEN };
    const { share, startMs, residentMax } = await runStored(venue, report, stored);
    const title = `${whole(STORED)} stored, ${whole(STORED_OPEN)} open`;
    this.#table.addAtLeast(`${title}: order rate to the empty venue's`, STORED_SHARE, share, {});
    this.#table.addBelow(`${title}: start to the first order`, STORED_START_MS, startMs);
    const memory = `${title}: most memory while it trades`;
    this.#table.addBelow(memory, STORED_RESIDENT_MIB, residentMax, "MiB");
  }
}
