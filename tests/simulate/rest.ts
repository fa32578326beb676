/** The second half of a run: without further faults, everything must come to rest. */
import { assert, present } from "../../src/domain/assert.ts";
import { auditStore } from "../../src/engine/start/audit.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { Store } from "../../src/store/store.ts";
import { stateText } from "../support/state_text.ts";
import { FarWork } from "./far_work.ts";
import type { Owner } from "./scheduler.ts";
import { openSimKv } from "./sim_kv.ts";
import { SimLink } from "./sim_link.ts";
import { describeProcess, type SimProcess } from "./sim_process.ts";
import { judgeStatements } from "./statements.ts";
import type { World } from "./world.ts";
import type { WorldProfile } from "./world_profile.ts";

/** How long work in flight may take after the faults end, in virtual ms. */
const REST_MS_MAX = 30_000;
/** How many trips it may take in addition where a process is far: a start alone takes dozens. */
const REST_TRIPS_MAX = 100;
/** How long a commit sent before may still take to arrive, in virtual ms. */
const LATE_MS_MAX = 70_000;

/** A file's path would make the audit look for its head mark. */
const PATH = ":memory:";

/** Brings a world to rest and checks the result. */
export class Rest {
  readonly #world: World;
  readonly #profile: WorldProfile;
  readonly #restMs: number;

  constructor(world: World, profile: WorldProfile) {
    this.#world = world;
    this.#profile = profile;
    this.#restMs = REST_MS_MAX + REST_TRIPS_MAX * Math.max(...world.distancesMs);
  }

  async come(): Promise<void> {
    const { net, processes, scheduler, witness } = this.#world;
    net.outageUntil = 0;
    for (const process of processes) {
      process.pausedUntil = 0;
      process.skewMs = 0;
    }
    // If a fast clock wrote the log, processes can only continue once its time has come.
    this.#world.leapMs += Math.max(0, witness.at - this.#world.now());
    await this.#quiet();
    if (this.#profile.distancesMs.length > 0) {
      await new FarWork(this.#world).succeed();
      await this.#quiet();
    }
    // Late commits arrive now and must have no effect.
    const late = scheduler.now + LATE_MS_MAX;
    await this.#world.until(() => {
      // A process that was told to close earlier may only end now.
      if (this.#world.processes.length === 0) this.#world.start();
      return scheduler.now >= late;
    });
    await this.#quiet();
    this.#world.judge.settled(this.#world.now());
    const text = this.#compareAll();
    if (this.#profile.isAuditedTwice) await this.#audit();
    await this.#startAnew(text);
    await this.#audit();
  }

  /** Waits until all live processes are ready, with all calls answered and no pending work. */
  async #quiet(): Promise<void> {
    const { scheduler } = this.#world;
    const end = scheduler.now + this.#restMs;
    let next = 0;
    await this.#world.until(() => {
      // Virtual time cannot pass without a process, so one is started.
      if (scheduler.now < next && this.#world.processes.length > 0) return false;
      next = scheduler.now + 10;
      if (this.#isQuiet()) return true;
      if (scheduler.now < end) return false;
      const busy = this.#world.processes.filter((one) => !this.#isIdle(one));
      throw new Error(
        `Not at rest after ${this.#restMs} ms: ${busy.map(describeProcess).join("; ")}`,
      );
    });
  }

  #isQuiet(): boolean {
    const { processes } = this.#world;
    if (processes.length === 0) this.#world.start();
    return this.#world.live().length > 0 && processes.every((one) => this.#isIdle(one));
  }

  #isIdle({ engine, outstanding, state }: SimProcess): boolean {
    if (state !== "live" || engine === null || outstanding.size > 0) return false;
    const { venue } = engine;
    if (venue.sequence !== this.#world.witness.sequence || !engine.health().isReady) return false;
    if (venue.books.some((book) => book.hasWork())) return false;
    return venue.timers.soonest > this.#world.now() && engine.metrics().unfolded_events === 0;
  }

  #compareAll(): string {
    const { judge, witness } = this.#world;
    const texts = this.#world.live().map(({ venue }) => {
      judge.compare(venue, witness.sequence);
      this.#world.checks += 1;
      return stateText(venue);
    });
    for (const text of texts) assertSame(text, texts[0] as string, "processes at one sequence");
    return texts[0] as string;
  }

  /** Runs the project's audit on the store. */
  async #audit(): Promise<void> {
    const { net, scheduler } = this.#world;
    const auditor: Owner = { name: "audit", isAlive: true, pausedUntil: 0 };
    const open = () => Promise.resolve(openSimKv(new SimLink(net, auditor)));
    let differences: readonly string[] | null = null;
    scheduler.after(0, auditor, "audit", () => {
      KvHandles.open(PATH, net.isRemote, open)
        .then((handles) => auditStore(new Store(handles, PATH, net.isRemote)))
        .then((report) => differences = report.differences)
        .catch((error) => this.#world.failed(error));
    });
    await this.#world.until(() => differences !== null);
    auditor.isAlive = false;
    assert((differences ?? []).length === 0, `the audit is clean: ${differences}`);
    this.#world.checks += 1;
  }

  /** Closes all processes; a new one must find the same state. */
  async #startAnew(text: string): Promise<void> {
    const { scheduler } = this.#world;
    for (const process of this.#world.live()) {
      scheduler.after(0, process, "close", () => process.close());
    }
    const end = scheduler.now + this.#restMs;
    await this.#world.until(() => {
      assert(scheduler.now < end, "processes end when they are told to");
      return this.#world.processes.length === 0;
    });
    const process = this.#world.start();
    await this.#world.until(() => process.state !== "opening");
    assert(process.state === "live", "a process starts where nothing goes wrong");
    assertSame(stateText(process.venue), text, "what a new process has read");
    this.#world.judge.compare(process.venue, this.#world.witness.sequence);
    this.#world.checks += 2;
    await this.#judgeStatements(process);
    scheduler.after(0, process, "close", () => process.close());
    await this.#world.until(() => process.state === "gone");
  }

  /** What members had at any time adds up, as a process reads it from the rows. */
  async #judgeStatements(process: SimProcess): Promise<void> {
    const { leapMs, prng, scheduler } = this.#world;
    const since = Math.floor(this.#world.now() - scheduler.now - leapMs);
    const engine = present(process.engine, "a live process has an engine");
    let isJudged = false;
    scheduler.after(0, process, "statements", () => {
      judgeStatements(engine, prng, since)
        .then(() => isJudged = true)
        .catch((error) => this.#world.failed(error));
    });
    await this.#world.until(() => isJudged);
    this.#world.checks += 1;
  }
}

/** Asserts that two long texts are equal; reports the first line that differs. */
function assertSame(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  const [a, b] = [actual.split("\n"), expected.split("\n")];
  const at = a.findIndex((line, i) => line !== b[i]);
  throw new Error(`${what} differ: "${a[at]}" where "${b[at]}" is expected`);
}
