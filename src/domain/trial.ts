/** Tells what the venue would refuse, before anybody is asked about it. */
import { type Command, isRejection } from "./command.ts";
import { rulesOf } from "./command_rules.ts";
import type { Rejection } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/**
 * Returns why a state would refuse an operator's command, or null if it would not. Guards come first
 * in every decision, so that nothing depends on its events.
 *
 * @param at the present time, in ms
 */
export function refusalNow(venue: Venue, command: Command, at: number): Rejection | null {
  const sink = { emit: () => {}, isFull: () => false, mark: () => 0, rollback: () => {}, at };
  const decided = rulesOf(command).decide(venue, command, sink, true);
  const outcome = "complete" in decided ? decided.outcome : decided;
  return isRejection(outcome) ? outcome : null;
}
