import type { Outcome } from "../../../src/domain/command.ts";
import type { MoneyBalances, VenueEvent } from "../../../src/domain/event.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../../src/domain/people/member.ts";
import type { AmountRule, RejectionCode } from "../../../src/domain/rejection.ts";
import { decimal } from "./amounts.ts";
import type { OracleState } from "./state.ts";

/** The expected outcome and events of a command. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly events: readonly VenueEvent[];
}

/** Returns a refusal of what needs more than a holder has free. */
export function short(
  rejected: RejectionCode,
  field: string,
  needed: bigint,
  available: bigint,
): Verdict {
  const funds = { needed: decimal(needed), available: decimal(available) };
  return { outcome: { rejected, field, ...funds }, events: [] };
}

/** Returns a refusal. */
export function no(
  rejected: RejectionCode,
  field?: string,
  limit?: string | number,
  rule?: AmountRule,
): Verdict {
  const bound = limit === undefined ? {} : { limit: `${limit}` };
  return {
    outcome: {
      rejected,
      ...(field === undefined ? {} : { field }),
      ...bound,
      ...(rule === undefined ? {} : { rule }),
    },
    events: [],
  };
}

/** Returns a receipt with its events. */
export function yes(outcome: Outcome, ...events: readonly VenueEvent[]): Verdict {
  return { outcome, events };
}

/** Changes of each balance by a deposit or withdrawal. */
export interface MoneyMoves {
  readonly available?: bigint;
  readonly locked?: bigint;
  readonly fees?: bigint;
  readonly outside?: bigint;
}

/** Returns the balances after the moves. */
export function balancesAfter(
  { ledger }: OracleState,
  { member, currency }: { readonly member: number; readonly currency: number },
  moves: MoneyMoves,
): MoneyBalances {
  const account = ledger.of(member, currency);
  return {
    available: account.available + (moves.available ?? 0n),
    locked: account.locked + (moves.locked ?? 0n),
    feesAvailable: ledger.of(FEES_MEMBER, currency).available + (moves.fees ?? 0n),
    outsideAvailable: ledger.of(OUTSIDE_MEMBER, currency).available + (moves.outside ?? 0n),
  };
}
