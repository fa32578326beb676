/**
 * The oracle: a naive book and ledger that share no code with the venue they judge. It reads the
 * log entry by entry, computes independently what each call must result in, and compares events,
 * answers and published state with it.
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

/** What the oracle must know about the engines. */
export interface OracleOptions {
  /** Maximum distance of a nonce from the present, in ms. */
  readonly nonceWindowMs: number;
}

/** Judges one run. Every method throws an {@linkcode OracleError} if the venue is wrong. */
export class Oracle {
  /** The state after the last entry; read-only. */
  readonly state: OracleState = new OracleState();
  readonly #calls = new Calls();
  readonly #log: LogJudge;
  readonly #nonceWindowMs: number;
  /** When each call was submitted, by tag, in ms of the log's time. */
  readonly #sentAt = new Map<number, number>();

  constructor({ nonceWindowMs }: OracleOptions) {
    this.#nonceWindowMs = nonceWindowMs;
    this.#log = new LogJudge(this.state, this.#calls, nonceWindowMs);
  }

  /** Calls whose callers do not know the outcome and may repeat them; the source removes them. */
  readonly lost: Submission[] = [];

  /** Number of submissions without an answer. */
  get waiting(): number {
    return this.#calls.waiting;
  }

  /** Records that a call is submitted to an engine. */
  submitted(submission: Submission, _engine: number): void {
    const slot = this.#calls.add(submission);
    this.#sentAt.set(submission.tag, this.state.time);
    if (submission.signature === null) this.#log.noteTraceless(slot);
  }

  /** Judges a durable entry: each once, in the log's order, before it is published. */
  entry(events: readonly VenueEvent[], firstSequence: number, at: number): void {
    this.#log.entry(new Transcript(events, firstSequence, at));
  }

  /**
   * Judges an answer, or the error that replaces it.
   *
   * @param sequence sequence that the engine has published by then
   * @param now time of the engine's clock, in ms; by default that of the log
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

  /** Records that the engine died without answering the call. */
  abandoned(submission: Submission): void {
    this.#sentAt.delete(submission.tag);
    this.#lose(submission);
    this.#calls.abandoned(submission);
  }

  /** Returns whether a nonce is known to be spent. */
  isSpent({ key, nonce, digest }: Signature): boolean {
    return this.#calls.isSpent(key, nonce, digest);
  }

  /** Compares a venue with the state; returns false if the state is not at this sequence. */
  compare(venue: Venue, sequence: number): boolean {
    if (sequence !== this.state.sequence) return false;
    compareVenue(this.state, venue);
    return true;
  }

  /** Asserts that at `now` (ms) every call is answered and the log has no pending work. */
  settled(now: number = this.state.time): void {
    must(this.#calls.waiting === 0, () => `${this.#calls.waiting} calls have no answer`);
    must(!this.#log.isBusy(now), () => `at ${this.state.sequence} the log has work left`);
  }

  #lose(submission: Submission): void {
    this.lost.push(submission);
    if (this.lost.length > LOST_MAX) this.lost.shift();
  }

  /** Returns whether a refusal may leave no trace: a nonce out of its window, or no such key. */
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
