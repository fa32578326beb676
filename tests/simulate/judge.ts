/** Who asks in a run, and who judges what comes of it. */
import type { Outcome } from "../../src/domain/command.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Prng } from "../support/prng.ts";
import type { Submission } from "./submission.ts";

/** Knows what has been asked, and judges what became of it. */
export interface Judge {
  submitted(submission: Submission, engine: number): void;
  /** Each durable entry, in the order of the log. */
  entry(events: readonly VenueEvent[], firstSequence: number, at: number): void;
  /** `sequence` is that of the process's published state. */
  answered(submission: Submission, answer: Outcome | Error, sequence: number, now: number): void;
  /** Its process has died and will never answer. */
  abandoned(submission: Submission): void;
  /** Throws where a published state at this sequence is not what it should be. */
  compare(venue: Venue, sequence: number): void;
  /** Nothing is in flight any more, and nothing has been for a while before `now`. */
  settled(now: number): void;
}

/** Makes up what is asked. */
export interface Source {
  /** What a venue needs first, asked in this order of one process. */
  setup(now: number): readonly Submission[];
  next(now: number): Submission;
}

/** Both of one run. */
export type MakeWorkload = (
  prng: Prng,
  nonceWindowMs: number,
) => { readonly judge: Judge; readonly source: Source };
