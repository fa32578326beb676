/** Withdrawals: requested, approved, claimed, sent, done. */
import type { Beneficiary } from "../people/beneficiary.ts";
import type { Outcome } from "../command.ts";
import { type Currency, currencyOn, dustOf } from "./currency.ts";
import { visibleBeneficiary } from "../people/decide_beneficiary.ts";
import { refuseOtp, spendOtp } from "../people/decide_otp.ts";
import type { EventSink } from "../event_sink.ts";
import { isMemberUsable, type Member } from "../people/member.ts";
import { formatDecimal } from "./money.ts";
import { type BalanceChanges, balancesAfter } from "./money_balances.ts";
import type { CancelWithdraw, ChangeWithdraw, RequestWithdraw } from "../money_command.ts";
import {
  type AmountRule,
  reject,
  rejectAmount,
  rejectFunds,
  type Rejection,
} from "../rejection.ts";
import type { Settings } from "../settings.ts";
import { isPayeeDisabled } from "./taken_approvals.ts";
import type { Holder, Venue } from "../venue.ts";
import {
  type ApprovalReason,
  isClaimed,
  isReturnable,
  isWithdrawOpen,
  mayBePaidByHand,
  wasApproved,
  type Withdraw,
  WITHDRAW_ACTIONS,
  type WithdrawState,
} from "./withdraw.ts";
import { isWithin } from "./withdraw_limits.ts";
import { withdrawCurrency, withdrawNetwork } from "./withdraw_network.ts";
import { currencySums, platformValue, withdrawSums } from "./withdraw_sums.ts";

/** Locks the funds of a withdrawal; one above the limits waits for the operator. */
export function decideRequestWithdraw(
  venue: Venue,
  command: RequestWithdraw,
  sink: EventSink,
): Outcome {
  const found = venue.currencyById.get(command.currency);
  if (found === undefined) return reject("currency_not_found", "currency");
  const currency = currencyOn(found, withdrawNetwork(venue, command));
  const refusal = refuseWithdraw(venue, command, currency, sink.at);
  if (refusal !== null) return refusal;

  spendOtp(venue, command.otp, sink);
  const { member, amount, beneficiary } = command;
  const reason = approvalReason(venue, command, currency, sink.at);
  const prepared: Withdraw = {
    id: venue.counters.withdraws + 1,
    member,
    currency: currency.index,
    amount,
    fee: currency.withdrawFee + dustOf(currency, amount),
    beneficiary,
    state: "prepared",
    isApproved: reason === null,
    ...(reason === null ? {} : { approvalReason: reason }),
    ...(currency.type === "coin" ? { isByHand: command.isByHand ?? false } : {}),
    txid: "",
    confirmations: 0,
    claims: 0,
    createdAt: sink.at,
    updatedAt: sink.at,
    doneAt: 0,
  };
  emit(venue, sink, prepared, {});
  const changes = { available: -amount, locked: amount };
  return emit(venue, sink, { ...prepared, state: "accepted" }, changes);
}

function refuseWithdraw(
  venue: Venue,
  command: RequestWithdraw,
  currency: Currency,
  at: number,
): Rejection | null {
  const { member, amount } = command;
  const holder = venue.holder(member);
  if (holder.member.level < venue.levels.withdraw) return reject("withdraw_level_too_low");
  if (!venue.switches.withdrawals) return reject("withdrawals_stopped");
  const beneficiary = visibleBeneficiary(holder, command.beneficiary);
  if (beneficiary === undefined || beneficiary.currency !== currency.index) {
    return reject("beneficiary_not_found", "beneficiary_id");
  }
  if (beneficiary.state !== "active") return reject("beneficiary_not_active", "beneficiary_id");
  const until = heldUntil(beneficiary, holder.member, venue.settings);
  if (at < until) {
    return { ...reject("beneficiary_on_hold", "beneficiary_id"), heldUntil: until };
  }
  const unproven = command.otp.member === member
    ? refuseOtp(venue, command.otp)
    : reject("otp_invalid", "otp");
  if (unproven !== null) return unproven;
  if (!currency.withdrawalEnabled) return reject("withdrawal_disabled", "currency");
  const available = holder.accounts[currency.index]?.available ?? 0n;
  if (amount > available) {
    return rejectFunds("withdraw_balance_insufficient", "amount", amount, available);
  }
  return refuseAmount(currency, amount, available);
}

/** Refuses an amount with too many digits, unless it is the whole balance, which leaves no dust. */
function refuseAmount(currency: Currency, amount: bigint, available: bigint): Rejection | null {
  const { precision, withdrawFee, minWithdrawAmount } = currency;
  const refused = (rule: AmountRule, limit: string | number) =>
    rejectAmount("withdraw_amount_invalid", "amount", rule, limit);
  const dust = dustOf(currency, amount);
  if (dust > 0n && amount < available) return refused("precision", precision);
  if (amount - dust <= withdrawFee) return refused("fee", formatDecimal(withdrawFee));
  return amount < minWithdrawAmount ? refused("minimum", formatDecimal(minWithdrawAmount)) : null;
}

/**
 * Returns when the hold of a beneficiary ends, in ms. Whoever takes over an account must not
 * withdraw before its member notices, whether they add a beneficiary before or after they change
 * the credentials.
 */
export function heldUntil(
  { activatedAt }: Beneficiary,
  { credentialsChangedAt = 0 }: Member,
  { beneficiaryHoldMs, credentialHoldMs }: Settings,
): number {
  // Only the last change is known. The bound covers any change before it, and never holds a
  // beneficiary that is twice as old as the hold.
  const changedAt = Math.min(credentialsChangedAt, activatedAt + credentialHoldMs);
  return Math.max(activatedAt + beneficiaryHoldMs, changedAt + credentialHoldMs);
}

/** Returns why a withdrawal has to wait for the operator; null if it does not. */
function approvalReason(
  venue: Venue,
  { member, amount }: RequestWithdraw,
  currency: Currency,
  at: number,
): ApprovalReason | null {
  if (currency.type === "fiat") return "fiat";
  const holder = venue.holder(member);
  if (!isWithinCurrencyLimits(holder, currency, amount, at)) return "currency_limit";
  const limit = venue.withdrawLimits.choose(holder.member.level, holder.member.group);
  if (limit === null) return null;
  // A currency without a price would count for nothing, whatever the amount.
  if (currency.price === 0n) return "no_price";
  const value = platformValue(venue, currency.index, amount);
  const { last24Hours, lastMonth } = withdrawSums(venue, holder, at);
  const { limit24h, limit1m } = limit;
  const isAllowed = isWithin(last24Hours + value, limit24h) && isWithin(lastMonth + value, limit1m);
  return isAllowed ? null : "member_limit";
}

function isWithinCurrencyLimits(
  holder: Holder,
  { index, withdrawLimit24h, withdrawLimit72h }: Currency,
  amount: bigint,
  at: number,
): boolean {
  const { last24Hours, last72Hours } = currencySums(holder, index, at);
  return isWithin(last24Hours + amount, withdrawLimit24h) &&
    isWithin(last72Hours + amount, withdrawLimit72h);
}

/** Takes back a withdrawal that is not yet on its way: its funds are available again. */
export function decideCancelWithdraw(
  venue: Venue,
  { member, id }: CancelWithdraw,
  sink: EventSink,
): Outcome {
  const withdraw = venue.withdraws.get(id);
  // Of one that has ended, the caller has seen whose it was.
  const isEnded = withdraw === undefined && id >= 1 && id <= venue.counters.withdraws;
  if (isEnded) return reject("withdraw_state_invalid", "state");
  if (withdraw?.member !== member) return reject("withdraw_not_found", "id");
  if (!isReturnable(withdraw)) {
    return reject("withdraw_state_invalid", "state", withdraw.state);
  }
  // It may have been paid after the copy was made.
  if (venue.switches.restored !== undefined) return reject("withdrawals_stopped");

  const { at } = sink;
  const next: Withdraw = { ...withdraw, state: "canceled", updatedAt: at, doneAt: at };
  return emit(venue, sink, next, balanceChanges(next));
}

/** Advances a withdrawal; refuses an action that its state does not allow. */
export function decideChangeWithdraw(
  venue: Venue,
  command: ChangeWithdraw,
  sink: EventSink,
): Outcome {
  const withdraw = venue.withdraws.get(command.id);
  if (withdraw === undefined) {
    const isEnded = command.id >= 1 && command.id <= venue.counters.withdraws;
    return isEnded ? reject("withdraw_state_invalid", "state") : reject("withdraw_not_found", "id");
  }
  const refusal = refuseChange(venue, command, withdraw, sink.at);
  if (refusal !== null) return refusal;

  const next = { ...withdraw, ...changeOf(venue, command, withdraw), updatedAt: sink.at };
  const isDone = !isWithdrawOpen(next);
  return emit(
    venue,
    sink,
    isDone ? { ...next, doneAt: sink.at } : next,
    isDone ? balanceChanges(next) : {},
  );
}

function refuseChange(
  venue: Venue,
  command: ChangeWithdraw,
  withdraw: Withdraw,
  at: number,
): Rejection | null {
  const { action } = command;
  const states: readonly WithdrawState[] = WITHDRAW_ACTIONS[action];
  const invalid = reject("withdraw_state_invalid", "state", withdraw.state);
  if (!states.includes(withdraw.state)) return invalid;
  // A caller that names a claim must have seen the last one.
  if (command.claims !== undefined && command.claims !== withdraw.claims) return invalid;
  if (command.updatedAt !== undefined && command.updatedAt !== withdraw.updatedAt) return invalid;
  if (command.txid === "") return reject("txid_missing", "txid");
  const currency = withdrawCurrency(venue, withdraw);
  switch (action) {
    case "approve":
      return withdraw.isApproved ? invalid : refusePayout(venue, withdraw, currency);
    case "leave_to_hand":
      return currency.type === "coin" && withdraw.isByHand !== true ? null : invalid;
    case "hand_over":
      return withdraw.isByHand ? refusePayout(venue, withdraw, currency) : invalid;
    case "retry":
      return refusePayout(venue, withdraw, currency);
    case "claim":
      if (!withdraw.isApproved || withdraw.isByHand !== false) return invalid;
      if (command.claims === undefined) return invalid;
      return refusePayout(venue, withdraw, currency);
    case "park":
      // Before a process has taken it on, nobody knows of what its rail may pay.
      return withdraw.state !== "accepted" || (withdraw.isApproved && withdraw.isByHand === false)
        ? null
        : invalid;
    case "send":
      return command.txid === undefined ? invalid : null;
    case "succeed":
      return refuseSuccess(venue, command, withdraw, currency, at);
    case "fail":
      return canFail(command, withdraw, currency, at) ? null : invalid;
    default:
      return null;
  }
}

/** Refuses what would lead to a payout now, or as soon as what stands against it is over. */
function refusePayout(venue: Venue, withdraw: Withdraw, currency: Currency): Rejection | null {
  const { member } = venue.holder(withdraw.member);
  if (!isMemberUsable(member)) return reject("member_locked", "id");
  if (isPayeeDisabled(venue, withdraw)) return reject("beneficiary_disabled", "id");
  if (!venue.switches.withdrawals) return reject("withdrawals_stopped");
  return currency.withdrawalEnabled ? null : reject("withdrawal_disabled", "currency");
}

/** Refuses what can't have been paid by anybody but the rail, or without the name of its payment. */
function refuseSuccess(
  venue: Venue,
  { txid }: ChangeWithdraw,
  withdraw: Withdraw,
  { type }: Currency,
  at: number,
): Rejection | null {
  const { isByHand, state } = withdraw;
  // No chain confirms fiat: it is done when the operator says so, once it was approved.
  const isDone = type === "coin"
    ? state === "confirming" || state === "errored"
    : state !== "accepted" || wasApproved(withdraw);
  if (isDone) return null;
  // A coin that is not its rail's was paid by hand. What was paid after a copy was made that the venue
  // has gone on from, nobody claims until withdrawals are open again: no rail pays it any more.
  const isReported = venue.switches.restored === undefined
    ? state === "accepted" && wasApproved(withdraw) && isByHand === true
    : !isClaimed(withdraw, at);
  if (!isReported) return reject("withdraw_state_invalid", "state", state);
  return txid === undefined ? reject("txid_missing", "txid") : null;
}

/** Whether a payout may fail: while a claim lives, only its process knows that it was not sent. */
function canFail(
  { claims }: ChangeWithdraw,
  withdraw: Withdraw,
  { type }: Currency,
  at: number,
): boolean {
  return type === "fiat" || claims !== undefined || !isClaimed(withdraw, at);
}

function changeOf(
  venue: Venue,
  { action, txid, confirmations, isByHand }: ChangeWithdraw,
  withdraw: Withdraw,
): Partial<Withdraw> {
  const confirmed = {
    confirmations: confirmations ?? withdraw.confirmations,
    txid: txid ?? withdraw.txid,
  };
  switch (action) {
    case "approve":
      if (!venue.isCoin(withdraw.currency)) return { isApproved: true, state: "processing" };
      return { isApproved: true, isByHand: isByHand ?? mayBePaidByHand(withdraw) };
    case "leave_to_hand":
      return { isByHand: true };
    case "hand_over":
      return { isByHand: false };
    case "claim":
      return { state: "processing", claims: withdraw.claims + 1 };
    case "send":
      return { state: "confirming", txid: txid ?? "" };
    case "confirm":
      return confirmed;
    case "succeed":
      return { state: "succeed", ...confirmed };
    case "fail":
      return { state: "failed" };
    case "park":
      return { state: "errored", txid: confirmed.txid };
    case "retry":
      return venue.isCoin(withdraw.currency)
        ? { state: "processing", isByHand: false }
        : { state: "processing" };
    case "reject":
      return { state: "rejected" };
    case "cancel":
      return { state: "canceled" };
  }
}

/** Returns the changes at a withdrawal's end: the funds have left, or are available again. */
function balanceChanges({ state, amount, fee }: Withdraw): BalanceChanges {
  return state === "succeed"
    ? { locked: -amount, fees: fee, outside: amount - fee }
    : { locked: -amount, available: amount };
}

function emit(
  venue: Venue,
  sink: EventSink,
  withdraw: Withdraw,
  changes: BalanceChanges,
): Outcome {
  sink.emit({ kind: "withdraw_set", withdraw, ...balancesAfter(venue, withdraw, changes) });
  return { kind: "withdraw_set", withdraw };
}
