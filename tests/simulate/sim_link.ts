/** The way between a process and the simulated server, where calls take time and go wrong. */
import type { Prng } from "../support/prng.ts";
import type { Fault, FaultPlan } from "./faults.ts";
import type { Owner, Scheduler } from "./scheduler.ts";
import type { SimDatabase } from "./sim_database.ts";

/** What a call ends in that the network or the disk has spoilt. */
export class SimFaultError extends Error {
  override name = "SimFaultError";
}

/** How long things take, in ms. */
export interface Pace {
  /** Most of the ways to the server and back take between a half and two of these. */
  readonly hopMs: number;
  readonly slowMs: number;
  readonly lateMs: number;
}

/** What a run's links share. */
export interface SimNet {
  readonly scheduler: Scheduler;
  readonly database: SimDatabase;
  readonly faults: FaultPlan;
  readonly prng: Prng;
  readonly pace: Pace;
  readonly isRemote: boolean;
  /** Until then every call fails, in virtual ms. */
  outageUntil: number;
  /** Ends a process. */
  readonly crash: (owner: Owner) => void;
}

/** A process's way to the server. */
export class SimLink {
  readonly net: SimNet;
  readonly owner: Owner;

  constructor(net: SimNet, owner: Owner) {
    this.net = net;
    this.owner = owner;
  }

  /** Time that one way takes, in ms. */
  hop(): number {
    const { pace, prng } = this.net;
    const times = prng.chance(0.01) ? 10 : 1;
    return pace.hopMs * times * (0.5 + prng.uint32() / 2 ** 32 * 1.5);
  }

  /** A read: it sees the rows of one moment. */
  read<T>(effect: () => T): Promise<T> {
    const { faults, pace, prng } = this.net;
    const fault = this.#isOut() ? "read_fails" : faults.draw("read");
    return this.#send<T>("read", fault === "read_slow" ? prng.below(pace.slowMs) : 0, () => {
      if (fault === "read_hangs") return null;
      if (fault === "read_fails") throw new SimFaultError("The read has failed");
      return { answer: effect() };
    });
  }

  /** A commit, of the log and of rows or beside them. */
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

  /** Null is never answered. */
  #send<T>(what: string, delay: number, effect: () => { readonly answer: T } | null): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { faults, isRemote, scheduler } = this.net;
    const { owner } = this;
    scheduler.after(this.hop() + delay, null, what, () => {
      // Of a local file nothing is written any more when its process has died.
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
    scheduler.after(this.hop(), this.owner, `${what} answered`, () => {
      answered();
      if (faults.happens("crash_at_answer")) {
        // What the answer sets off runs first: the process dies at its next call or timer.
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
