/** The parts of a run that submit calls and judge their outcomes. */
import type { Outcome } from "../../src/domain/command.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Prng } from "../support/prng.ts";
import type { Submission } from "./submission.ts";
import type { ClientHabits } from "./world_profile.ts";

/** Judges the outcomes of all submitted calls. */
export interface Judge {
  submitted(submission: Submission, engine: number): void;
  /** Called with each durable entry, in the order of the log. */
  entry(events: readonly VenueEvent[], firstSequence: number, at: number): void;
  /** `sequence` is that of the process's published state. */
  answered(submission: Submission, answer: Outcome | Error, sequence: number, now: number): void;
  /** Called when the process has died and will never answer. */
  abandoned(submission: Submission): void;
  /** Throws if the published state at this sequence is wrong. */
  compare(venue: Venue, sequence: number): void;
  /** Called when nothing is in flight and nothing has been for some time before `now`. */
  settled(now: number): void;
}

/** Generates calls. */
export interface Source {
  /** Returns the calls that set up a venue; one process gets them in this order. */
  setup(now: number): readonly Submission[];
  next(now: number): Submission;
}

/** Creates the judge and the source of a run. */
export type MakeWorkload = (
  prng: Prng,
  nonceWindowMs: number,
  clients: ClientHabits,
) => { readonly judge: Judge; readonly source: Source };
