/**
 * Work that has to succeed however far a process is from the store: without faults, each process
 * gets its calls in, in turns, and its callers wait for a few trips to the store at most.
 */
import { assert } from "../../src/domain/assert.ts";
import type { SimProcess } from "./sim_process.ts";
import type { Submission } from "./submission.ts";
import type { World } from "./world.ts";
import { NONCE_WINDOW_MS } from "./world_profile.ts";

/** How long calls come, in virtual ms. */
const WORK_MS = 15_000;
/** Mean time between two calls of a process, in virtual ms: of the one that is near, … */
const NEAR_CALL_MS = [1000 / 60, 1000 / 300] as const;
/** … and of each that is far. */
const FAR_CALL_MS = 100;
/** What half of the calls at a process may take at most, in its round trips, … */
const TRIPS_MAX = 8;
/** … in those of each of the others, whose turns come before, … */
const OTHERS_TRIPS_MAX = 4;
/** … and beside what they take anywhere, in ms. */
const NEAR_MS_MAX = 500;
/**
 * How far all processes together may be away, one way, for every call to get in, in ms. A round of
 * turns takes twelve of these trips, or a few more, and callers wait for 10 s.
 */
const ALL_IN_MS_MAX = 300;
/** The share of calls that gets in beyond that. */
const SHARE_MIN = 0.5;

/** What came of the calls of one process. */
interface Work {
  /** How long each answered call has taken, in virtual ms. */
  readonly latencies: number[];
  /** Calls that did not get in in time. */
  late: number;
}

/** The calls of all processes of a world for a while. */
export class FarWork {
  readonly #world: World;
  readonly #works = new Map<SimProcess, Work>();
  /** When those calls were sent that have to be answered, by their tags. */
  readonly #sentAt = new Map<number, number>();
  readonly #sumMs: number;
  #end = 0;

  constructor(world: World) {
    this.#world = world;
    this.#sumMs = world.distancesMs.reduce((sum, ms) => sum + ms, 0);
  }

  /** Makes all processes of the world work; throws if one of them can't get its calls in. */
  async succeed(): Promise<void> {
    const world = this.#world;
    while (world.processes.length < world.processesMax) world.start();
    await world.until(() => world.live().length === world.processesMax);
    this.#end = world.scheduler.now + WORK_MS;
    world.onAnswer = (process, submission, answer) => this.#answered(process, submission, answer);
    const nearMs = world.prng.pick(NEAR_CALL_MS);
    for (const process of world.live()) {
      this.#works.set(process, { latencies: [], late: 0 });
      this.#plan(process, process.distanceMs === 0 ? nearMs : FAR_CALL_MS);
    }
    await world.until(() =>
      world.scheduler.now >= this.#end && world.live().every((one) => one.outstanding.size === 0)
    );
    world.onAnswer = () => {};
    for (const [process, work] of this.#works) this.#judge(process, work);
  }

  /** Plans the next call of a process. */
  #plan(process: SimProcess, meanMs: number): void {
    const { prng, scheduler, source } = this.#world;
    scheduler.after(2 * meanMs * prng.uint32() / 2 ** 32, process, "call", () => {
      if (scheduler.now >= this.#end) return;
      const submission = source.next(this.#world.now());
      const { command, tag } = submission;
      if (!("member" in command) || process.knows(command.member)) {
        if (this.#isTimely(submission)) this.#sentAt.set(tag, scheduler.now);
        process.submit([submission]);
      }
      this.#plan(process, meanMs);
    });
  }

  /** Returns whether a call is new: one that is repeated may have expired by its turn. */
  #isTimely({ signature }: Submission): boolean {
    if (signature === null) return true;
    const ahead = signature.nonce - this.#world.now();
    return ahead >= 0 && ahead <= NONCE_WINDOW_MS;
  }

  #answered(process: SimProcess, { tag }: Submission, answer: unknown): void {
    const sentAt = this.#sentAt.get(tag);
    const work = this.#works.get(process);
    if (sentAt === undefined || work === undefined) return;
    const ms = this.#world.scheduler.now - sentAt;
    if (!(answer instanceof Error)) work.latencies.push(ms);
    else if (this.#sumMs > ALL_IN_MS_MAX && process.distanceMs > 0) work.late += 1;
    else {
      const where = `${process.distanceMs} ms away, of ${this.#world.distancesMs}`;
      throw new Error(`a call ${where}, got ${answer.name} after ${ms} ms: ${answer.message}`);
    }
  }

  #judge({ distanceMs }: SimProcess, { latencies, late }: Work): void {
    const median = latencies.sort((a, b) => a - b)[latencies.length >> 1] ?? Infinity;
    const trips = TRIPS_MAX * distanceMs + OTHERS_TRIPS_MAX * (this.#sumMs - distanceMs);
    const bound = 2 * trips + NEAR_MS_MAX;
    const where = `${distanceMs} ms away, of ${this.#world.distancesMs}`;
    assert(median <= bound, `half of the calls ${where}, take over ${median} ms`);
    const share = latencies.length / (latencies.length + late);
    assert(share >= SHARE_MIN, `of the calls ${where}, only ${share} get in`);
    this.#world.checks += 1;
  }
}
