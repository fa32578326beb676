/** The connection between a process and the simulated server, where calls take time and fail. */
import type { Prng } from "../support/prng.ts";
import type { Fault, FaultPlan } from "./faults.ts";
import type { Owner, Scheduler } from "./scheduler.ts";
import type { SimDatabase } from "./sim_database.ts";

/** The error of a call that a simulated fault of network or disk spoiled. */
export class SimFaultError extends Error {
  override name = "SimFaultError";
}

/** Durations, in ms. */
export interface Pace {
  /** Most one-way trips take from half to twice this time. */
  readonly hopMs: number;
  readonly slowMs: number;
  readonly lateMs: number;
}

/** The parts that all links of a run share. */
export interface SimNet {
  readonly scheduler: Scheduler;
  readonly database: SimDatabase;
  readonly faults: FaultPlan;
  readonly prng: Prng;
  readonly pace: Pace;
  readonly isRemote: boolean;
  /** All calls fail until then, in virtual ms. */
  outageUntil: number;
  /** Kills a process. */
  readonly crash: (owner: Owner) => void;
}

/** A process's connection to the server. */
export class SimLink {
  readonly net: SimNet;
  readonly owner: Owner;
  /** What each one-way trip takes more than one of a process that is near, in ms. */
  readonly distanceMs: number;

  constructor(net: SimNet, owner: Owner, distanceMs = 0) {
    this.net = net;
    this.owner = owner;
    this.distanceMs = distanceMs;
  }

  /** Draws the duration of a one-way trip, in ms, without the distance. */
  hop(): number {
    const { pace, prng } = this.net;
    const times = prng.chance(0.01) ? 10 : 1;
    return pace.hopMs * times * (0.5 + prng.uint32() / 2 ** 32 * 1.5);
  }

  /** Reads; the effect sees the rows at a single moment. */
  read<T>(effect: () => T): Promise<T> {
    const { faults, pace, prng } = this.net;
    const fault = this.#isOut() ? "read_fails" : faults.draw("read");
    return this.#send<T>("read", fault === "read_slow" ? prng.below(pace.slowMs) : 0, () => {
      if (fault === "read_hangs") return null;
      if (fault === "read_fails") throw new SimFaultError("The read has failed");
      return { answer: effect() };
    });
  }

  /** Commits to the log, or to rows beside it. */
  commit<T>(effect: () => T, refusal: T, isBeside: boolean): Promise<T> {
    const { faults, isRemote, pace, prng } = this.net;
    const call = isBeside && !isRemote ? "file_commit" : "commit";
    const fault = this.#isOut() ? "commit_lost" : faults.draw(call);
    const delays: Partial<Record<Fault, number>> = {
      commit_slow: prng.below(pace.slowMs),
      commit_late: prng.below(pace.lateMs),
    };
    const delay = fault === null ? 0 : delays[fault] ?? 0;
    return this.#send<T>("commit", delay, () => commitUnder(fault, effect, refusal));
  }

  #isOut(): boolean {
    return this.net.scheduler.now < this.net.outageUntil;
  }

  /** Sends a call, which is never answered if its effect returns null. */
  #send<T>(what: string, delay: number, effect: () => { readonly answer: T } | null): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { faults, isRemote, scheduler } = this.net;
    const { owner } = this;
    scheduler.after(this.distanceMs + this.hop() + delay, null, what, () => {
      // Once its process has died, nothing more is written to a local file.
      if (!isRemote && !owner.isAlive) return;
      const dies = owner.isAlive && faults.happens("crash_at_call");
      let answered: (() => void) | null = null;
      try {
        const done = effect();
        if (done !== null) answered = () => resolve(done.answer);
      } catch (error) {
        if (!(error instanceof SimFaultError)) throw error;
        answered = () => reject(error);
      }
      if (dies) this.net.crash(owner);
      else if (answered !== null) this.#answer(what, answered);
    });
    return promise;
  }

  #answer(what: string, answered: () => void): void {
    const { faults, scheduler } = this.net;
    scheduler.after(this.hop() + this.distanceMs, this.owner, `${what} answered`, () => {
      answered();
      if (faults.happens("crash_at_answer")) {
        // The answer is processed first: the process dies at its next call or timer.
        scheduler.after(0, null, "crash", () => this.net.crash(this.owner));
      }
    });
  }
}

function commitUnder<T>(
  fault: Fault | null,
  effect: () => T,
  refusal: T,
): { readonly answer: T } | null {
  switch (fault) {
    case "commit_lost":
      throw new SimFaultError("The commit is lost");
    case "commit_lost_hangs":
      return null;
    case "commit_refused":
      return { answer: refusal };
    case "commit_answer_lost":
      effect();
      throw new SimFaultError("The commit's answer is lost");
    case "commit_answer_hangs":
      effect();
      return null;
    case "commit_echo":
      effect();
      return { answer: refusal };
    default:
      return { answer: effect() };
  }
}
