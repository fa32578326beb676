import type { Command, Outcome, Signature } from "../../../src/domain/command.ts";
import type { OracleOrder } from "./market.ts";

/** An effect of a call in the log: a refusal that has used its nonce up is one, too. */
export interface Landing {
  /** What its caller may be told; several where that is the venue's own affair. */
  outcomes: readonly Outcome[];
  /** Last sequence of its entry. */
  last: number;
  /** Orders that a cancel of everything has still to cancel. */
  rest: readonly OracleOrder[];
  /** Other calls, which nobody has signed, that would have left the same in the log. */
  twins?: readonly Twin[];
}

/** A call that an effect may be of as well, and what its caller would be told. */
export interface Twin {
  readonly slot: Slot;
  readonly outcomes: readonly Outcome[];
}

/**
 * All submissions of one and the same call: one, or several where a client
 * sends it again. A signed call has an effect at most once, an unsigned one at
 * most as often as it was sent.
 */
export interface Slot {
  readonly name: string;
  readonly command: Command;
  readonly signature: Signature | null;
  /** Submissions that may have had an effect, or may still have one. */
  possible: number;
  /** Of those, the ones that still wait for their answer. */
  waiting: number;
  landed: number;
  /** Effects that no submission was told of. */
  readonly untold: Landing[];
  /** What an unsigned call may have been told without a trace in the log. */
  readonly traceless: Set<string>;
  /** Ids that a caller was given to ask by, where nobody knew the outcome. */
  promised: readonly number[];
}
