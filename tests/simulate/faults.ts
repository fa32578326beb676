/** What goes wrong in a run: which faults there are, how often, and how often each has happened. */
import type { Prng } from "../support/prng.ts";
import type { WorldProfile } from "./world_profile.ts";

/** Everything that may go wrong, and whether it can with a local file as well. */
export const FAULTS = {
  read_fails: "anywhere",
  read_slow: "anywhere",
  read_hangs: "remote",
  /** It is not applied, and throws. */
  commit_lost: "anywhere",
  commit_lost_hangs: "anywhere",
  /** It is applied, and throws. */
  commit_answer_lost: "remote",
  commit_answer_hangs: "anywhere",
  /** It is applied, and the second sending of the client is refused. */
  commit_echo: "remote",
  /** Refused although the head has not moved. */
  commit_refused: "remote",
  /** Applied after the engine has given it up. */
  commit_late: "anywhere",
  commit_slow: "anywhere",
  watch_dropped: "anywhere",
  watch_doubled: "anywhere",
  watch_stale: "anywhere",
  watch_null: "remote",
  watch_ends: "remote",
  watch_fails: "remote",
  /** An engine dies when a call of its takes effect, or is answered. */
  crash_at_call: "anywhere",
  crash_at_answer: "anywhere",
} as const;
export type Fault = keyof typeof FAULTS;

/** What happens to engines from time to time, with the pause between two, in ms of virtual time. */
export const TROUBLES = {
  crash: 2_000,
  close: 4_000,
  start: 500,
  pause: 2_000,
  clock_forward: 3_000,
  clock_back: 3_000,
  /** The right time moves on, for everybody. */
  leap: 1_500,
  outage: 8_000,
} as const;
export type Trouble = keyof typeof TROUBLES;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];
export const TROUBLE_NAMES = Object.keys(TROUBLES) as Trouble[];

/** Of a fault that a run has, the most and the least probable. */
const OFTEN = 0.03;
const SELDOM = 0.0003;
/** Of any fault. */
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
  /** A commit beside the log, in a file: it is waited for without end. */
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
  /** How often each has happened. */
  readonly counts = new Map<Fault | Trouble, number>();
  /** While it is off nothing goes wrong any more. */
  isOn = false;
  /** While it is so nothing goes wrong with calls: starts have failed for too long. */
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
      // A watch that says nothing is the normal case where two processes share a file.
      const most = fault.startsWith("crash") ? profile.deathChanceMax : CHANCE_MAX;
      const often = fault === "watch_dropped" ? 0.9 : Math.min(chance * profile.faults, most);
      if (isPossible && isThere) this.#chances.set(fault, often);
    }
    for (const trouble of TROUBLE_NAMES) {
      const isThere = trouble === "start" || prng.chance(0.6);
      if (isThere) {
        const pause = TROUBLES[trouble] / profile.troubles;
        this.#troubles.set(trouble, pause * (0.3 + prng.below(20) / 10));
      }
    }
  }

  /** What goes wrong with a call, if anything. */
  draw(call: Call): Fault | null {
    if (!this.isOn || this.isSparing) return null;
    for (const fault of CALL_FAULTS[call]) if (this.happens(fault)) return fault;
    return null;
  }

  /** Whether a fault happens now. */
  happens(fault: Fault): boolean {
    const chance = this.isOn && !this.isSparing ? this.#chances.get(fault) : undefined;
    if (chance === undefined || !this.#prng.chance(chance)) return false;
    this.count(fault);
    return true;
  }

  /** Mean pause between two troubles of a kind in ms; null where the run has none. */
  pauseOf(trouble: Trouble): number | null {
    return this.#troubles.get(trouble) ?? null;
  }

  count(what: Fault | Trouble): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
