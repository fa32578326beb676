/**
 * One run: some processes on one simulated store, clients that submit calls, faults, and an oracle
 * that judges. In the first half faults happen, and nothing may become wrong; in the second they
 * stop, and everything must come to rest.
 */
import { assert } from "../../src/domain/assert.ts";
import type { Outcome } from "../../src/domain/command.ts";
import { OutcomeUnknownError } from "../../src/engine/engine.ts";
import { Store } from "../../src/store/store.ts";
import { Prng } from "../support/prng.ts";
import { type Fault, FaultPlan, type Trouble, TROUBLE_NAMES } from "./faults.ts";
import type { Judge, MakeWorkload, Source } from "./judge.ts";
import { LogWitness } from "./log_witness.ts";
import { Rest } from "./rest.ts";
import { type Owner, Scheduler } from "./scheduler.ts";
import { SimDatabase } from "./sim_database.ts";
import type { SimNet } from "./sim_link.ts";
import { describeProcess, type MakeStore, type ProcessWatcher, SimProcess } from "./sim_process.ts";
import type { Submission } from "./submission.ts";
import { Troubles } from "./troubles.ts";
import { START_MS, withVirtualGlobals } from "./virtual_globals.ts";
import { NONCE_WINDOW_MS, type WorldProfile } from "./world_profile.ts";

const SATURATED_MS = 5;
/** Virtual time without a live process after which faults spare a start, in ms. */
const DOWN_MS_MAX = 60_000;
/** Virtual time without a new command after which a phase is considered stuck, in ms. */
const PHASE_MS_MAX = 1_200_000;

/** Options for running a world. */
export interface WorldOptions {
  readonly seed: number;
  readonly commands: number;
  readonly makeWorkload: MakeWorkload;
  readonly makeStore?: MakeStore;
  readonly profile: WorldProfile;
}

/** The results of a run. */
export interface WorldReport {
  readonly seed: number;
  readonly commands: number;
  readonly answers: number;
  readonly unavailable: number;
  readonly unknown: number;
  readonly abandoned: number;
  readonly entries: number;
  readonly events: number;
  readonly steps: number;
  readonly checks: number;
  readonly processes: number;
  readonly virtualMs: number;
  readonly faults: ReadonlyMap<Fault | Trouble, number>;
  /** A digest that differs if any step or entry of two runs differed. */
  readonly digest: number;
}

/** Thrown when a run fails. */
export class WorldError extends Error {
  override name = "WorldError";

  constructor(readonly seed: number, cause: unknown, readonly trace: readonly string[]) {
    super(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs a world to its end; throws {@linkcode WorldError} if a check fails. */
export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  return await new World(options).run();
}

/** The state of one run. */
export class World implements ProcessWatcher {
  readonly scheduler = new Scheduler();
  readonly prng: Prng;
  readonly faults: FaultPlan;
  readonly net: SimNet;
  readonly witness: LogWitness;
  readonly isShared: boolean;
  /** Maximum number of processes. */
  readonly processesMax: number;
  /** How far the process at each place is from the store, in ms; the first one is near. */
  readonly distancesMs: readonly number[];
  /** Told of answers, too. */
  onAnswer: ProcessWatcher["answered"] = () => {};
  /** Processes that have not ended. */
  processes: SimProcess[] = [];
  /** How far the true time is ahead of the scheduler's, in ms. */
  leapMs = 0;
  checks = 0;
  readonly judge: Judge;
  readonly source: Source;
  readonly profile: WorldProfile;
  readonly #options: WorldOptions;
  readonly #burstMax: number;
  readonly #commandMs: number;
  readonly #outstandingMax: number;
  #failure: { readonly error: unknown } | null = null;
  #submitted = 0;
  /** When the last command was submitted, in virtual ms. */
  #submittedAt = 0;
  #started = 0;
  #toCompare = 1;
  /** When a process was last live, in virtual ms. */
  #liveAt = 0;
  readonly #counts = { answers: 0, unavailable: 0, unknown: 0, abandoned: 0 };

  constructor(options: WorldOptions) {
    this.#options = options;
    const { profile, seed } = options;
    this.profile = profile;
    const prng = this.prng = new Prng(seed);
    const isFar = profile.distancesMs.length > 0;
    const isRemote = isFar || prng.chance(0.6);
    // An unshared local store has one process at a time.
    this.isShared = isRemote || prng.chance(0.6);
    const nearMax = this.isShared ? prng.pick(profile.processes) : 1;
    const farMs = isFar ? prng.pick(profile.distancesMs) : [];
    this.distancesMs = [...Array.from({ length: nearMax }, () => 0), ...farMs];
    this.processesMax = this.distancesMs.length;
    this.#burstMax = prng.pick(profile.burst);
    this.#commandMs = prng.pick(profile.commandMs);
    this.#outstandingMax = prng.pick(profile.outstanding);
    this.faults = new FaultPlan(prng, isRemote, profile);
    this.net = {
      scheduler: this.scheduler,
      database: new SimDatabase(),
      faults: this.faults,
      prng,
      isRemote,
      pace: {
        hopMs: isRemote ? 0.5 + prng.below(50) / 10 : 0.05 + prng.below(20) / 100,
        slowMs: prng.pick([100, 1_000, 4_000]),
        lateMs: isRemote ? prng.pick([2_000, 10_000, 60_000]) : 6_000,
      },
      outageUntil: -Infinity,
      crash: (owner) => this.crash(owner),
    };
    const workload = options.makeWorkload(
      new Prng(prng.uint32()),
      NONCE_WINDOW_MS,
      profile.clients,
    );
    this.judge = workload.judge;
    this.source = workload.source;
    this.witness = new LogWitness((entry) => {
      this.scheduler.mix(new DataView(entry.hash.buffer).getInt32(entry.hash.byteOffset));
      this.judge.entry(entry.events, entry.first, entry.at);
    });
    this.net.database.onCommit((mutations) => this.witness.take(mutations));
  }

  /** Returns the true time, in ms. */
  now(): number {
    return Math.floor(START_MS + this.scheduler.now + this.leapMs);
  }

  async run(): Promise<WorldReport> {
    const prng = new Prng(this.prng.uint32());
    return await withVirtualGlobals(this.scheduler, prng, () => this.#live());
  }

  async #live(): Promise<WorldReport> {
    try {
      await this.#setUp();
      await this.#endure();
      await new Rest(this, this.#options.profile).come();
      return this.#report();
    } catch (error) {
      throw new WorldError(this.#options.seed, error, this.scheduler.trace());
    }
  }

  /** Runs steps until `isSo` returns true; throws what has failed meanwhile. */
  async until(isSo: () => boolean): Promise<void> {
    const begun = this.scheduler.now;
    await this.scheduler.advance(() => {
      // In some worlds hardly any start succeeds: they take long, but they get on.
      if (this.scheduler.now >= Math.max(begun, this.#submittedAt) + PHASE_MS_MAX) {
        throw new Error(
          `The awaited state was not reached: ${this.processes.map(describeProcess).join("; ")}`,
        );
      }
      return this.#failure !== null || isSo();
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Starts a process. */
  start(): SimProcess {
    const index = this.#started++;
    const place = this.distancesMs.findIndex((_, at) =>
      this.processes.every((one) => one.place !== at)
    );
    const process = new SimProcess(index, `p${index}`, {
      net: this.net,
      watcher: this,
      isShared: this.isShared,
      place,
      distanceMs: this.distancesMs[place] ?? 0,
      nonceWindowMs: NONCE_WINDOW_MS,
      now: () => this.now(),
      makeStore: this.#options.makeStore ?? makePlainStore,
    });
    this.processes.push(process);
    return process;
  }

  /** Kills a process. */
  crash(owner: Owner): void {
    if (owner.isAlive && owner instanceof SimProcess) owner.crash();
  }

  /** Returns the processes that accept commands. */
  live(): SimProcess[] {
    return this.processes.filter(({ state }) => state === "live");
  }

  submitted(process: SimProcess, submission: Submission): void {
    this.judge.submitted(submission, process.index);
  }

  answered(process: SimProcess, submission: Submission, answer: Outcome | Error): void {
    if (!(answer instanceof Error)) this.#counts.answers += 1;
    else if (answer instanceof OutcomeUnknownError) this.#counts.unknown += 1;
    else this.#counts.unavailable += 1;
    this.checks += 1;
    this.onAnswer(process, submission, answer);
    this.judge.answered(submission, answer, process.venue.sequence, this.now() + process.skewMs);
  }

  abandoned(submission: Submission): void {
    this.#counts.abandoned += 1;
    this.judge.abandoned(submission);
  }

  published(process: SimProcess, first: number, count: number, at: number): void {
    this.witness.assertKnown(first, count, at);
    this.checks += 1;
    const sequence = first + count - 1;
    if (sequence !== this.witness.sequence || --this.#toCompare > 0) return;
    this.#toCompare = this.#options.profile.comparedOneIn;
    this.judge.compare(process.venue, sequence);
  }

  ended(process: SimProcess): void {
    this.processes = this.processes.filter((one) => one !== process);
  }

  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Starts a process without faults and sets up the venue. */
  async #setUp(): Promise<void> {
    const process = this.start();
    await this.until(() => process.state === "live");
    for (const submission of this.source.setup(this.now())) {
      const answered = this.#counts.answers + 1;
      this.scheduler.after(0, process, "set up", () => process.submit([submission]));
      await this.until(() => this.#counts.answers === answered);
    }
  }

  async #endure(): Promise<void> {
    this.faults.isOn = true;
    while (this.processes.length < this.processesMax) this.start();
    const troubles = new Troubles(this);
    for (const trouble of TROUBLE_NAMES) troubles.begin(trouble);
    this.#plan(0);
    await this.until(() => this.#submitted >= this.#options.commands);
    this.faults.isOn = false;
  }

  /** Schedules the next burst of commands. */
  #plan(ms: number): void {
    this.scheduler.after(ms, null, "burst", () => {
      if (!this.faults.isOn) return;
      const live = this.live();
      if (live.length > 0) this.#liveAt = this.scheduler.now;
      this.faults.isSparing = this.scheduler.now - this.#liveAt > DOWN_MS_MAX;
      const process = live.length > 0 ? this.prng.pick(live) : null;
      if (process !== null && this.#takesMore(process)) {
        this.#burst(process);
        this.#plan(this.#pause());
      } else this.#plan(process === null ? 100 : SATURATED_MS);
    });
  }

  /** Draws a pause, usually about a burst's duration, occasionally until the venue rests. */
  #pause(): number {
    const { prng } = this;
    if (prng.chance(0.004)) return prng.between(200, 3000);
    return this.#burstMax * this.#commandMs * prng.uint32() / 2 ** 32;
  }

  /** Returns whether a process gets more calls: it is not paused, nor has it too many. */
  #takesMore({ outstanding, pausedUntil }: SimProcess): boolean {
    return outstanding.size <= this.#outstandingMax && pausedUntil <= this.scheduler.now;
  }

  #burst(process: SimProcess): void {
    const count = 1 + this.prng.below(this.#burstMax);
    this.scheduler.after(0, process, "submit", () => {
      if (process.state !== "live") return;
      const submissions = Array.from({ length: count }, () => this.source.next(this.now()))
        .filter(({ command }) => !("member" in command) || process.knows(command.member));
      this.#submitted += submissions.length;
      this.#submittedAt = this.scheduler.now;
      process.submit(submissions);
    });
  }

  #report(): WorldReport {
    const { entries, sequence } = this.witness;
    assert(this.#failure === null, "a run that has failed has no report");
    return {
      seed: this.#options.seed,
      commands: this.#submitted,
      ...this.#counts,
      entries,
      events: sequence,
      steps: this.scheduler.steps,
      checks: this.checks,
      processes: this.#started,
      virtualMs: this.scheduler.now,
      faults: this.faults.counts,
      digest: this.scheduler.digest,
    };
  }
}

function makePlainStore(...parts: Parameters<MakeStore>): Store {
  return new Store(...parts);
}
