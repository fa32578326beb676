/** Troubles that occasionally befall processes and their environment. */
import { CLIENT_ORDER_ID_LIFE_MS, WITHDRAW_SUMS_MS } from "../../src/domain/limits.ts";
import { NONCE_KEPT_WINDOWS } from "../../src/domain/people/nonce_window.ts";
import type { Trouble } from "./faults.ts";
import type { SimProcess } from "./sim_process.ts";
import type { World } from "./world.ts";
import { NONCE_WINDOW_MS } from "./world_profile.ts";

/** How long a clock stays off at most, in ms. */
const SKEW_FOR_MS = 3_000;

/** Maximum length of a leap, in ms, and of a rare long one: longer than any window of the venue. */
const LEAP_MS_MAX = 70_000;
const LONG_LEAPS_MS_MAX = [1_200_000, 86_400_000, 40 * 86_400_000] as const;

/** How long things are remembered that expire, in ms. */
const LIVES_MS = [
  CLIENT_ORDER_ID_LIFE_MS,
  NONCE_KEPT_WINDOWS * NONCE_WINDOW_MS,
  WITHDRAW_SUMS_MS,
] as const;
/** How long before the end of such a life the true time is, at most, and how far a clock is ahead. */
const BEFORE_MS_MAX = 1_500;
const AHEAD_MS_MAX = 3_000;
/** How long a clock is ahead at most while nothing can be committed, in ms. */
const UNDONE_FOR_MS_MAX = 500;

/** Maximum duration of an outage, in ms; the longest exceeds the time that callers wait. */
const OUTAGE_MS_MAX = [200, 2_000, 40_000] as const;
/** Minimum time between two outages, in ms. */
const OUTAGES_APART_MS = 3_000;

/** The troubles of one run. */
export class Troubles {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Repeats a trouble as long as there are faults, if the run has it. */
  begin(trouble: Trouble): void {
    const { faults, prng, scheduler } = this.#world;
    const mean = faults.pauseOf(trouble);
    if (mean === null) return;
    scheduler.after(mean * 2 * prng.uint32() / 2 ** 32, null, trouble, () => {
      if (!faults.isOn) return;
      const isSpared = faults.isSparing && trouble !== "start";
      if (!isSpared && this.#happen(trouble)) faults.count(trouble);
      this.begin(trouble);
    });
  }

  /** Causes a trouble; returns whether it could happen. */
  #happen(trouble: Trouble): boolean {
    const { net, prng, scheduler } = this.#world;
    switch (trouble) {
      case "start":
        if (this.#world.processes.length >= this.#world.processesMax) return false;
        this.#world.start();
        return true;
      case "crash":
        // Starts take long amid many faults, so most must be allowed to complete.
        return this.#toOne(
          (process) => this.#world.crash(process),
          prng.chance(0.7) ? "live" : undefined,
        );
      case "close":
        return this.#toOne((process) => {
          scheduler.after(0, process, "close", () => {
            if (process.state === "live") process.close();
          });
        }, "live");
      case "pause":
        return this.#toOne((process) =>
          process.pausedUntil = scheduler.now + prng.between(5, 5000)
        );
      case "clock_forward":
        return this.#toOne((process) => this.#skew(process, prng.between(1, 10_000)));
      case "clock_back":
        return this.#toOne((process) => this.#skew(process, -prng.between(1, 10_000)));
      case "leap":
        this.#world.leapMs += prng.between(
          1_000,
          prng.chance(0.15) ? prng.pick(LONG_LEAPS_MS_MAX) : LEAP_MS_MAX,
        );
        return true;
      case "deadline": {
        const since = this.#world.witness.timeOfSome(prng);
        const { only } = this.#world.profile;
        const lifeMs = only === null ? prng.pick(LIVES_MS) : CLIENT_ORDER_ID_LIFE_MS;
        const leapMs = since + lifeMs - prng.below(BEFORE_MS_MAX) - this.#world.now();
        if (leapMs <= 0) return false;
        this.#world.leapMs += leapMs;
        const aheadMs = prng.between(1, AHEAD_MS_MAX);
        if (only === null) {
          return this.#toOne((process) => this.#skew(process, aheadMs), "live");
        }
        // What it decides by then is undone, and its clock is right again before the time has come.
        const forMs = prng.below(UNDONE_FOR_MS_MAX);
        net.outageUntil = scheduler.now + forMs;
        return this.#toOne((process) => this.#skew(process, aheadMs, forMs), "live");
      }
      case "outage":
        if (net.outageUntil > scheduler.now - OUTAGES_APART_MS) return false;
        net.outageUntil = scheduler.now + prng.between(20, prng.pick(OUTAGE_MS_MAX));
        return true;
    }
  }

  #toOne(happen: (process: SimProcess) => void, state?: SimProcess["state"]): boolean {
    const some = this.#world.processes.filter((one) => state === undefined || one.state === state);
    if (some.length === 0) return false;
    happen(this.#world.prng.pick(some));
    return true;
  }

  /** Puts a process's clock off for a while. */
  #skew(process: SimProcess, ms: number, forMs?: number): void {
    const { prng, scheduler } = this.#world;
    process.skewMs = ms;
    scheduler.after(
      forMs ?? prng.below(SKEW_FOR_MS),
      null,
      "clock right",
      () => process.skewMs = 0,
    );
  }
}
