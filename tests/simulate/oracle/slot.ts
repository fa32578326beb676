import type { Command, Outcome, Signature } from "../../../src/domain/command.ts";
import type { OracleOrder } from "./market.ts";

/** An effect of a call in the log, which may be a refusal that spent its nonce. */
export interface Landing {
  /** Outcomes that the caller may be told; several if the choice is the venue's. */
  outcomes: readonly Outcome[];
  /** Last sequence of its entry. */
  last: number;
  /** Orders that an unfinished cancel of all orders has yet to cancel. */
  rest: readonly OracleOrder[];
  /** Other unsigned calls that would have had the same effect. */
  twins?: readonly Twin[];
}

/** A call that may have caused an effect instead, and what its caller would be told. */
export interface Twin {
  readonly slot: Slot;
  readonly outcomes: readonly Outcome[];
}

/**
 * All submissions of the same call, which is repeated if a client sends it again. A signed call has
 * at most one effect, an unsigned one at most one per submission.
 */
export interface Slot {
  readonly name: string;
  readonly command: Command;
  readonly signature: Signature | null;
  /** Number of submissions that have had an effect or still may. */
  possible: number;
  /** Number of those that await their answer. */
  waiting: number;
  landed: number;
  /** Effects that were not reported to any caller. */
  readonly untold: Landing[];
  /** Answers that an unsigned call may get without a trace in the log. */
  readonly traceless: Set<string>;
  /** Ids that a caller was given to ask by when the outcome was unknown. */
  promised: readonly number[];
}
