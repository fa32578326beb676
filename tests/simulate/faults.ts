/** The faults of a run: which there are, how probable they are, and how often each has happened. */
import type { Prng } from "../support/prng.ts";
import type { WorldProfile } from "./world_profile.ts";

/** All faults of calls, and whether they occur with a local file or only with a remote store. */
export const FAULTS = {
  read_fails: "anywhere",
  read_slow: "anywhere",
  read_hangs: "remote",
  /** The commit is not applied, and throws. */
  commit_lost: "anywhere",
  commit_lost_hangs: "anywhere",
  /** The commit is applied, and throws. */
  commit_answer_lost: "remote",
  commit_answer_hangs: "anywhere",
  /** The commit is applied, and the client's retry is refused. */
  commit_echo: "remote",
  /** The commit is refused although the head has not moved. */
  commit_refused: "remote",
  /** The commit is applied after the engine has stopped waiting. */
  commit_late: "anywhere",
  commit_slow: "anywhere",
  watch_dropped: "anywhere",
  watch_doubled: "anywhere",
  watch_stale: "anywhere",
  watch_null: "remote",
  watch_ends: "remote",
  watch_fails: "remote",
  /** The engine's process dies when its call takes effect, or when it is answered. */
  crash_at_call: "anywhere",
  crash_at_answer: "anywhere",
} as const;
export type Fault = keyof typeof FAULTS;

/** All troubles of processes, and their mean interval in ms of virtual time. */
export const TROUBLES = {
  crash: 2_000,
  close: 4_000,
  start: 500,
  pause: 2_000,
  clock_forward: 3_000,
  clock_back: 3_000,
  /** The true time jumps forward for all processes. */
  leap: 1_500,
  /** It jumps to right before something expires, while a clock is ahead. */
  deadline: 6_000,
  outage: 8_000,
} as const;
export type Trouble = keyof typeof TROUBLES;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];
export const TROUBLE_NAMES = Object.keys(TROUBLES) as Trouble[];

/** The highest and lowest probability of a fault that a run has. */
const OFTEN = 0.03;
const SELDOM = 0.0003;
/** Maximum probability of any fault. */
const CHANCE_MAX = 0.05;

const CALL_FAULTS = {
  read: ["read_fails", "read_slow", "read_hangs"],
  commit: [
    "commit_lost",
    "commit_lost_hangs",
    "commit_answer_lost",
    "commit_answer_hangs",
    "commit_echo",
    "commit_refused",
    "commit_late",
    "commit_slow",
  ],
  /** A commit of rows beside the log in a file, which is awaited without a time limit. */
  file_commit: ["commit_lost", "commit_late", "commit_slow"],
  watch: [
    "watch_dropped",
    "watch_doubled",
    "watch_stale",
    "watch_null",
    "watch_ends",
    "watch_fails",
  ],
} as const satisfies Record<string, readonly Fault[]>;
export type Call = keyof typeof CALL_FAULTS;

/** The faults of one run. */
export class FaultPlan {
  /** Number of occurrences by fault. */
  readonly counts = new Map<Fault | Trouble, number>();
  /** Whether faults and troubles happen. */
  isOn = false;
  /** Whether calls are spared, because starts have failed for too long. */
  isSparing = false;
  readonly #prng: Prng;
  readonly #chances = new Map<Fault, number>();
  readonly #troubles = new Map<Trouble, number>();

  constructor(prng: Prng, isRemote: boolean, profile: WorldProfile) {
    this.#prng = prng;
    for (const fault of FAULT_NAMES) {
      const isPossible = isRemote || FAULTS[fault] === "anywhere";
      const isThere = prng.chance(0.5);
      const chance = SELDOM * (OFTEN / SELDOM) ** (prng.uint32() / 2 ** 32);
      // A silent watch is normal when two processes share a file.
      const most = fault.startsWith("crash") ? profile.deathChanceMax : CHANCE_MAX;
      const often = fault === "watch_dropped" ? 0.9 : Math.min(chance * profile.faults, most);
      if (isPossible && isThere) this.#chances.set(fault, often);
    }
    for (const trouble of TROUBLE_NAMES) {
      const isThere = trouble === "start" ||
        (profile.only === null ? prng.chance(0.6) : profile.only.includes(trouble));
      if (isThere) {
        const pause = TROUBLES[trouble] / profile.troubles;
        this.#troubles.set(trouble, pause * (0.3 + prng.below(20) / 10));
      }
    }
  }

  /** Draws the fault of a call; null for none. */
  draw(call: Call): Fault | null {
    if (!this.isOn || this.isSparing) return null;
    for (const fault of CALL_FAULTS[call]) if (this.happens(fault)) return fault;
    return null;
  }

  /** Returns whether a fault happens now. */
  happens(fault: Fault): boolean {
    const chance = this.isOn && !this.isSparing ? this.#chances.get(fault) : undefined;
    if (chance === undefined || !this.#prng.chance(chance)) return false;
    this.count(fault);
    return true;
  }

  /** Returns the mean interval of a trouble in ms; null if the run does not have it. */
  pauseOf(trouble: Trouble): number | null {
    return this.#troubles.get(trouble) ?? null;
  }

  count(what: Fault | Trouble): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
