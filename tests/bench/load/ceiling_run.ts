/**
 * Measures the application with an engine that does not store orders, and beside it a bare one that
 * does nothing but check them.
 */
import { Inspector } from "../profile/inspector.ts";
import { busyShares, partsBeside } from "../profile/part_shares.ts";
import { sampleTime } from "../profile/sampled_time.ts";
import { readThreadTimes } from "../profile/thread_times.ts";
import { BenchVenue } from "./bench_venue.ts";
import { runInTurn } from "./in_turn.ts";
import { type LoadResult, runLoad } from "./load_run.ts";
import { KeySigner, NonceRanges } from "./presigned.ts";
import type { Report } from "./report.ts";
import { randomCredential, randomMasterKey, ServerProcess } from "./server_process.ts";
import { orderLoad, type Signers } from "./workloads.ts";

/** Duration and concurrency. */
export interface CeilingOptions {
  /** How long each of the two is loaded, in all rounds together, and again to be sampled. */
  readonly seconds: number;
  readonly connections: number;
  readonly members: number;
  /** Whether to tell where an order's time goes, too. */
  readonly isProfiled?: boolean;
}

/** Orders per second, the means of all rounds. */
export interface CeilingResult {
  readonly own: number;
  readonly bare: number;
}

/** The settings by which {@linkcode startCeiling} and {@linkcode startBare} start a process. */
export type StartOptions = Required<Pick<CeilingOptions, "members" | "isProfiled">>;

const OWN_PROGRAM = "tests/bench/load/ceiling_server.ts";
const BARE_PROGRAM = "tests/bench/load/bare_server.ts";
/** More than the bare one is expected to take. */
const ORDERS_PER_SECOND_MAX = 60_000;
const WARM_UP_SECONDS = 2;
const ROUNDS = 2;
/** What takes less time an order on both is left out, in µs. */
const MICROS_SHOWN = 0.05;

/** Runs T4 on both in turn. */
export async function runCeiling(
  directory: string,
  report: Report,
  options: CeilingOptions,
): Promise<CeilingResult> {
  const { members, isProfiled = false } = options;
  const own = await startCeiling(directory, { members, isProfiled });
  try {
    const bare = await startBare({ members, isProfiled });
    try {
      return await new Comparison(own, bare, report, options).run();
    } finally {
      await bare.server.kill();
    }
  } finally {
    await own.server.stop();
  }
}

/** A process that takes orders. */
export interface Application {
  readonly title: string;
  readonly server: ServerProcess;
  readonly signers: Signers;
}

/** Starts the application on an engine that stores no orders. */
export async function startCeiling(
  directory: string,
  { members, isProfiled }: StartOptions,
): Promise<Application> {
  const options = { program: OWN_PROGRAM, members, isInspected: isProfiled };
  const { server, signers } = await BenchVenue.start(directory, options);
  return { title: "ours, storing nothing", server, signers };
}

/** Starts the bare application, which takes any key: each one's secret is the key itself. */
export async function startBare({ members, isProfiled }: StartOptions): Promise<Application> {
  const server = await ServerProcess.start({
    program: BARE_PROGRAM,
    kvPath: ":memory:",
    operator: randomCredential(),
    masterKey: randomMasterKey(),
    isInspected: isProfiled,
  });
  const signers = Array.from({ length: members }, () => {
    const { kid } = randomCredential();
    return new KeySigner({ kid, secret: kid });
  });
  return { title: "a bare one", server, signers: { signers, nonces: new NonceRanges() } };
}

/** A run, and the processor time of the main thread in it. */
interface TimedRun {
  readonly result: LoadResult;
  /** In µs; NaN where the system does not tell. */
  readonly micros: number;
}

class Comparison {
  constructor(
    readonly own: Application,
    readonly bare: Application,
    readonly report: Report,
    readonly options: CeilingOptions,
  ) {}

  async run(): Promise<CeilingResult> {
    const { own, bare, report, options: { seconds, connections, isProfiled } } = this;
    const sides = [own, bare].map((application) => {
      const title = `${application.title}, ${connections} connections`;
      const runs: TimedRun[] = [];
      const run = async (round: number) => {
        const timed = await this.#load(application, seconds / ROUNDS, round);
        runs.push(timed);
        return timed.result;
      };
      return { title, application, runs, run };
    });
    for (const { application } of sides) {
      await this.#load(application, Math.min(seconds, WARM_UP_SECONDS), 1);
    }
    const [ownPerSecond = 0, barePerSecond = 0] = await runInTurn(report, ROUNDS, sides);
    const ratio = (barePerSecond / ownPerSecond).toFixed(2);
    report.add("orders/s of the bare one to ours", `${ratio} ×`);
    const [ownMicros = NaN, bareMicros = NaN] = sides.map(({ runs }) => microsEach(runs));
    this.#addMicros("processor time of the main thread", ownMicros, bareMicros);
    if (isProfiled === true) await this.#profile(ownMicros, bareMicros);
    return { own: ownPerSecond, bare: barePerSecond };
  }

  async #load(
    { server, signers }: Application,
    seconds: number,
    seed: number,
  ): Promise<TimedRun> {
    const count = Math.round(ORDERS_PER_SECOND_MAX * seconds);
    // Signing takes long: before anything is measured.
    const load = orderLoad(signers, count, seed, seconds);
    const before = await mainMicros(server);
    const result = await runLoad(server.port, this.options.connections, seconds, load);
    return { result, micros: await mainMicros(server) - before };
  }

  /** Shares each one's processor time out among its parts, by how long they are found running. */
  async #profile(ownMicros: number, bareMicros: number): Promise<void> {
    const ownShares = await this.#sample(this.own);
    const bareShares = await this.#sample(this.bare);
    for (const { part, shares: [own, bare] } of partsBeside(ownShares, bareShares)) {
      this.#addMicros(part, own * ownMicros, bare * bareMicros);
    }
  }

  async #sample(application: Application): Promise<ReadonlyMap<string, number>> {
    const { inspectorPort } = application.server;
    if (inspectorPort === null) throw new Error("The application was started without an inspector");
    const inspector = await Inspector.open(inspectorPort);
    try {
      const load = () => this.#load(application, this.options.seconds, ROUNDS + 1);
      const { result: { micros }, samples: [main] } = await sampleTime(inspector, load);
      return busyShares(main?.times ?? [], micros);
    } finally {
      await inspector.close();
    }
  }

  #addMicros(title: string, own: number, bare: number): void {
    if (Math.max(own, bare) < MICROS_SHOWN) return;
    const texts = [`ours ${microsText(own)}`, `bare ${microsText(bare)}`];
    this.report.add(title, `${texts.join(", ")}, difference ${microsText(own - bare)}`);
  }
}

function microsEach(runs: readonly TimedRun[]): number {
  const micros = runs.reduce((sum, run) => sum + run.micros, 0);
  return micros / runs.reduce((sum, { result }) => sum + result.requests, 0);
}

async function mainMicros({ pid }: ServerProcess): Promise<number> {
  const times = await readThreadTimes(pid);
  return times?.get("main") ?? NaN;
}

/** NaN, which is not told, is shown as it is. */
function microsText(micros: number): string {
  return `${micros.toFixed(1)} µs`;
}
