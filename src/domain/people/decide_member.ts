/** Members, their levels, and the operator's adjustments of their balances. */
import type {
  AdjustBalance,
  ChangeMember,
  CreateMember,
  Outcome,
  SetLevels,
  SetOperatorRole,
} from "../command.ts";
import { changeCredentials } from "./credentials_change.ts";
import { type Currency, isOnPrecision } from "../money/currency.ts";
import type { EventSink } from "../event_sink.ts";
import { generationOf, isMemberUsable, type Member, OUTSIDE_MEMBER } from "./member.ts";
import type { ConfirmMember } from "../identity_command.ts";
import { refuseUndefined } from "./member_classes.ts";
import { LEDGER_ONE } from "../money/money.ts";
import { areLastOperatorKeys } from "./operators.ts";
import { reject, rejectAmount, rejectFunds } from "../rejection.ts";
import { takeBackApprovals } from "../money/taken_approvals.ts";
import type { Venue } from "../venue.ts";

/** Creates a member. */
export function decideCreateMember(venue: Venue, command: CreateMember, sink: EventSink): Outcome {
  if (venue.emailDigests.has(command.emailDigest)) return reject("email_taken", "email");
  const refusal = refuseUndefined(venue, command);
  if (refusal !== null) return refusal;

  const member: Member = {
    index: venue.holders.length,
    uid: command.uid,
    level: command.level,
    group: command.group,
    state: command.state ?? "active",
    bulkOrdersMax: 0,
    openOrdersMax: 0,
    marketOrdersEnabled: true,
    hasTwoFactor: false,
    otpStep: 0,
    emailDigest: command.emailDigest,
    createdAt: sink.at,
  };
  sink.emit({ kind: "member_set", member });
  return { kind: "member_set", member };
}

/**
 * Changes a member; the only one who operates the venue can't be shut out. A lock takes back the
 * approvals of withdrawals that nobody has begun to pay.
 */
export function decideChangeMember(venue: Venue, command: ChangeMember, sink: EventSink): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");

  const { changes } = command;
  const member: Member = { ...holder.member, ...changes };
  const isMoved = member.emailDigest !== holder.member.emailDigest;
  if (isMoved && venue.emailDigests.has(member.emailDigest)) return reject("email_taken", "email");
  const refusal = refuseUndefined(venue, changes);
  if (refusal !== null) return refusal;
  if (!isMemberUsable(member)) {
    if (areLastOperatorKeys(venue, holder.keys())) return reject("operator_key_last", "state");
    takeBackApprovals(venue, member.index, sink);
  }
  if (isMoved || member.hasTwoFactor !== holder.member.hasTwoFactor) {
    return changeCredentials(holder, member, sink);
  }
  sink.emit({ kind: "member_set", member });
  return { kind: "member_set", member };
}

/** Gives a member that is there, and has a second factor, a role as an operator, or takes it away. */
export function decideSetOperatorRole(
  venue: Venue,
  { uid, role }: SetOperatorRole,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const { operator: _, ...others } = holder.member;
  let member: Member = others;
  if (role !== null) {
    if (others.state !== "active") return reject("role_state_invalid", "state", others.state);
    // Whoever knows its password alone could turn on a factor of its own, and be an operator.
    if (!others.hasTwoFactor) return reject("role_without_factor", "otp");
    member = { ...others, operator: { role, generation: generationOf(others) } };
  }
  sink.emit({ kind: "member_set", member });
  return { kind: "member_set", member };
}

/** Activates a pending member whose address is confirmed. */
export function decideConfirmMember(
  venue: Venue,
  command: ConfirmMember,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const { level, state } = holder.member;
  if (state !== "pending") return reject("member_not_pending", "uid");

  const raised = Math.max(level, command.level);
  const member: Member = { ...holder.member, state: "active", level: raised };
  sink.emit({ kind: "member_set", member });
  return { kind: "member_set", member };
}

/**
 * Moves funds between a member and the outside; takes no more than the member has available.
 *
 * @param isSigned whether an operator moves them, and not the venue itself
 */
export function decideAdjustBalance(
  venue: Venue,
  command: AdjustBalance,
  sink: EventSink,
  isSigned: boolean,
): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const currency = venue.currencyById.get(command.currency);
  if (currency === undefined) return reject("currency_not_found", "currency");
  const { amount } = command;
  // No amount of digits would make it right.
  if (amount === 0n) return rejectAmount("amount_off_precision", "amount", "nonzero");
  if (!isOnPrecision(currency, amount)) {
    return rejectAmount("amount_off_precision", "amount", "precision", currency.precision);
  }
  const valueMax = isSigned ? venue.settings.adjustmentMax : 0;
  if (valueMax > 0 && adjustedValue(currency, amount) > BigInt(valueMax) * LEDGER_ONE) {
    return rejectAmount("adjustment_too_large", "amount", "maximum", valueMax);
  }
  const before = holder.accounts[currency.index]?.available ?? 0n;
  const available = before + amount;
  if (available < 0n) return rejectFunds("balance_insufficient", "amount", -amount, before);

  const outside = venue.account(OUTSIDE_MEMBER, currency.index);
  const id = venue.counters.adjustments + 1;
  sink.emit({
    kind: "balance_adjusted",
    id,
    member: holder.member.index,
    currency: currency.index,
    amount,
    available,
    outsideAvailable: outside.available - amount,
  });
  return { kind: "balance_adjusted", id, available };
}

/**
 * Returns what an adjustment counts for, in the platform's currency. One of a currency without a
 * price counts as if one were one, so that no currency is without a bound.
 */
function adjustedValue({ price }: Currency, amount: bigint): bigint {
  const moved = amount < 0n ? -amount : amount;
  return price === 0n ? moved : moved * price / LEDGER_ONE;
}

/** Sets the minimum levels. */
export function decideSetLevels(_venue: Venue, { levels }: SetLevels, sink: EventSink): Outcome {
  sink.emit({ kind: "levels_set", levels });
  return { kind: "levels_set", levels };
}
