/** What the venue has to know by name: deposits, and operators' calls. */
import type { SoughtAct } from "../../../src/domain/people/act_names.ts";
import { type Command, isRejection, type Outcome } from "../../../src/domain/command.ts";
import { judge, type OrderCommand } from "./judge.ts";
import type { OracleState } from "./state.ts";
import type { Transcript } from "./transcript.ts";

/** Returns the answer to a call with the name of an earlier one; null if there is none. */
export function repeatedAct({ acts }: OracleState, { name, request }: SoughtAct): Outcome | null {
  const earlier = acts.get(name);
  if (earlier === undefined) return null;
  if (earlier.request === request) return { kind: "act_repeated", earlier: earlier.act };
  return { rejected: "act_name_taken", field: "idempotency_key" };
}

/** Returns the refusal of a stale lookup: the venue may have forgotten the call's name. */
export function staleAct({ known, checkedAt }: SoughtAct, { last }: Transcript): Outcome[] {
  return known === null && checkedAt < last ? [{ rejected: "act_check_stale" }] : [];
}

/** Returns whether a deposit was known already. */
export function isKnownDeposit(outcome: Outcome): boolean {
  return !isRejection(outcome) && outcome.kind === "deposit_known";
}

/** Returns the refusal of a stale lookup: the venue may have forgotten the deposit's name. */
export function staleDeposit(
  state: OracleState,
  command: Exclude<Command, OrderCommand>,
  transcript: Transcript,
): Outcome[] {
  if (command.kind !== "observe_deposit" && command.kind !== "reverse") return [];
  if (command.checkedAt >= transcript.last) return [];
  const { outcome } = judge(state, command, { at: transcript.at, isSigned: true, isStale: true });
  return isRejection(outcome) && outcome.rejected === "deposit_check_stale" ? [outcome] : [];
}
