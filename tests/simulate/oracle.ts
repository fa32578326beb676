/**
 * The oracle: a naive book and ledger that know nothing of the code they judge.
 * It reads the log entry by entry, computes on its own what each call must have
 * come to, and compares events, answers and published state with it.
 */
import type { Outcome, Signature } from "../../src/domain/command.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import type { Venue } from "../../src/domain/venue.ts";
import { Calls } from "./oracle/calls.ts";
import { compareVenue } from "./oracle/compare.ts";
import { LogJudge } from "./oracle/log_judge.ts";
import { must } from "./oracle/same.ts";
import type { Slot } from "./oracle/slot.ts";
import { OracleState } from "./oracle/state.ts";
import { Transcript } from "./oracle/transcript.ts";
import type { Submission } from "./submission.ts";

export { OracleError } from "./oracle/same.ts";

const LOST_MAX = 50;

/** What the oracle has to know of the engines. */
export interface OracleOptions {
  /** How far a nonce may be from the present, in ms. */
  readonly nonceWindowMs: number;
}

/** Judges one run. Every method throws an {@linkcode OracleError} where the venue is wrong. */
export class Oracle {
  /** What it knows after the last entry; only to be read. */
  readonly state: OracleState = new OracleState();
  readonly #calls = new Calls();
  readonly #log: LogJudge;
  readonly #nonceWindowMs: number;
  /** Times at which a call was submitted, by tag, in ms of the log. */
  readonly #sentAt = new Map<number, number>();

  constructor({ nonceWindowMs }: OracleOptions) {
    this.#nonceWindowMs = nonceWindowMs;
    this.#log = new LogJudge(this.state, this.#calls, nonceWindowMs);
  }

  /** Calls whose callers do not know what has come of them, and may ask again; theirs to take. */
  readonly lost: Submission[] = [];

  /** Submissions without an answer. */
  get waiting(): number {
    return this.#calls.waiting;
  }

  /** A call goes to an engine. */
  submitted(submission: Submission, _engine: number): void {
    const slot = this.#calls.add(submission);
    this.#sentAt.set(submission.tag, this.state.time);
    if (submission.signature === null) this.#log.noteTraceless(slot);
  }

  /** An entry is durable: each exactly once, in the order of the log, before anybody is told of it. */
  entry(events: readonly VenueEvent[], firstSequence: number, at: number): void {
    this.#log.entry(new Transcript(events, firstSequence, at));
  }

  /**
   * A caller has its answer, or is told that there is none.
   *
   * @param sequence what the engine has published by then
   * @param now the engine's clock, in ms; that of the log where it is not given
   */
  answered(
    submission: Submission,
    outcome: Outcome | Error,
    sequence: number,
    now: number = this.state.time,
  ): void {
    const sentAt = this.#sentAt.get(submission.tag) ?? now;
    if (outcome instanceof Error) this.#lose(submission);
    this.#sentAt.delete(submission.tag);
    const landing = this.#calls.answered(
      submission,
      outcome,
      sequence,
      (rejection, slot) => this.#mayRefuse(rejection, slot, sentAt, now),
    );
    if (landing !== null) this.#log.told(landing);
  }

  /** The engine has died with the call unanswered. */
  abandoned(submission: Submission): void {
    this.#sentAt.delete(submission.tag);
    this.#lose(submission);
    this.#calls.abandoned(submission);
  }

  /** Whether a nonce is used up, as far as anybody remembers. */
  isSpent({ key, nonce, digest }: Signature): boolean {
    return this.#calls.isSpent(key, nonce, digest);
  }

  /** Compares a venue at exactly this sequence; answers false where the log is somewhere else. */
  compare(venue: Venue, sequence: number): boolean {
    if (sequence !== this.state.sequence) return false;
    compareVenue(this.state, venue);
    return true;
  }

  /** Nothing is in flight at `now` (ms): every call has its answer, the log has nothing left to do. */
  settled(now: number = this.state.time): void {
    must(this.#calls.waiting === 0, () => `${this.#calls.waiting} calls have no answer`);
    must(!this.#log.isBusy(now), () => `at ${this.state.sequence} the log has work left`);
  }

  #lose(submission: Submission): void {
    this.lost.push(submission);
    if (this.lost.length > LOST_MAX) this.lost.shift();
  }

  /** Refusals that leave no trace: the nonce is too old or too new, or the key was never made. */
  #mayRefuse(outcome: Outcome, { signature }: Slot, sentAt: number, now: number): boolean {
    if (signature === null || !("rejected" in outcome)) return false;
    switch (outcome.rejected) {
      case "nonce_expired":
        return [sentAt, this.state.time, now].some((time) =>
          Math.abs(time - signature.nonce) > this.#nonceWindowMs
        );
      case "key_not_active":
        return this.state.keys[signature.key] === undefined;
      default:
        return false;
    }
  }
}
