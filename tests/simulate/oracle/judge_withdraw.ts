/** Judges commands about withdrawals. */
import type { Outcome } from "../../../src/domain/command.ts";
import type { Currency } from "../../../src/domain/money/currency.ts";
import type {
  CancelWithdraw,
  ChangeWithdraw,
  RequestWithdraw,
} from "../../../src/domain/money_command.ts";
import type { AmountRule } from "../../../src/domain/rejection.ts";
import type {
  ApprovalReason,
  Withdraw,
  WithdrawAction,
  WithdrawState,
} from "../../../src/domain/money/withdraw.ts";
import { decimal, ONE, unitOf } from "./amounts.ts";
import { visible } from "./judge_beneficiary.ts";
import { codeSpent, isUsable } from "./judge_member.ts";
import type { OracleState } from "./state.ts";
import { balancesAfter, type MoneyMoves, no, short, type Verdict, yes } from "./verdict.ts";
import { settingsOf } from "./judge_settings.ts";

const DAY_MS = 86_400_000;
/** Time after which nobody can still be sending a claimed payout, in ms. */
const CLAIM_MS = 5000;

/** The states in which an action is allowed, and the state it leads to. */
const STEPS: Readonly<
  Record<WithdrawAction, { from: readonly WithdrawState[]; to?: WithdrawState }>
> = {
  approve: { from: ["accepted"] },
  leave_to_hand: { from: ["accepted"] },
  hand_over: { from: ["accepted"] },
  claim: { from: ["accepted", "processing"], to: "processing" },
  send: { from: ["processing", "errored"], to: "confirming" },
  confirm: { from: ["confirming"] },
  succeed: { from: ["accepted", "processing", "confirming", "errored"], to: "succeed" },
  fail: { from: ["processing", "confirming", "skipped", "errored"], to: "failed" },
  park: { from: ["accepted", "processing", "confirming"], to: "errored" },
  retry: { from: ["errored", "skipped"], to: "processing" },
  reject: { from: ["accepted", "to_reject"], to: "rejected" },
  cancel: { from: ["accepted"], to: "canceled" },
};

/** Judges a request for a withdrawal. */
export function requestWithdraw(
  state: OracleState,
  command: RequestWithdraw,
  at: number,
): Verdict {
  const currency = state.currency(command.currency);
  if (currency === undefined) return no("currency_not_found", "currency");
  const refusal = refuse(state, command, currency, at);
  if (refusal !== null) return refusal;
  const spent = codeSpent(state, command.otp);
  if ("outcome" in spent) return spent;
  const { member, amount, beneficiary } = command;
  const reason = waitReason(state, command, currency, at);
  const prepared: Withdraw = {
    id: state.counters.withdraws + 1,
    member,
    currency: currency.index,
    amount,
    fee: currency.withdrawFee + amount % unitOf(currency.precision),
    beneficiary,
    state: "prepared",
    isApproved: reason === null,
    ...(reason === null ? {} : { approvalReason: reason }),
    ...(currency.type === "coin" ? { isByHand: command.isByHand === true } : {}),
    txid: "",
    confirmations: 0,
    claims: 0,
    createdAt: at,
    updatedAt: at,
    doneAt: 0,
  };
  const accepted: Withdraw = { ...prepared, state: "accepted" };
  const moves = { available: -amount, locked: amount };
  return yes(
    { kind: "withdraw_set", withdraw: accepted },
    { kind: "member_set", member: spent.member },
    { kind: "withdraw_set", withdraw: prepared, ...balancesAfter(state, prepared, {}) },
    { kind: "withdraw_set", withdraw: accepted, ...balancesAfter(state, accepted, moves) },
  );
}

function refuse(
  state: OracleState,
  command: RequestWithdraw,
  currency: Currency,
  at: number,
): Verdict | null {
  const { member, amount, otp } = command;
  if (state.member(member).record.level < state.levels.withdraw) {
    return no("withdraw_level_too_low");
  }
  if (!state.switches.withdrawals) return no("withdrawals_stopped");
  const beneficiary = visible(state, member, command.beneficiary);
  if (beneficiary?.currency !== currency.index) {
    return no("beneficiary_not_found", "beneficiary_id");
  }
  if (beneficiary.state !== "active") return no("beneficiary_not_active", "beneficiary_id");
  const { credentialsChangedAt: lastChange = -Infinity } = state.member(member).record;
  const { beneficiaryHoldMs: holdMs, credentialHoldMs: pause } = settingsOf(state);
  const age = at - beneficiary.activatedAt;
  // A change puts all beneficiaries on hold, except those older than twice the hold.
  const isStopped = at - lastChange < pause && age < 2 * pause;
  if (age < holdMs || isStopped) {
    const { outcome, events } = no("beneficiary_on_hold", "beneficiary_id");
    const ends = [holdMs, Math.min(lastChange + pause - beneficiary.activatedAt, 2 * pause)];
    const heldUntil = beneficiary.activatedAt + Math.max(...ends);
    return { outcome: { ...outcome, heldUntil } as Outcome, events };
  }
  if (otp.member !== member) return no("otp_invalid", "otp");
  const spent = codeSpent(state, otp);
  if ("outcome" in spent) return spent;
  if (!currency.withdrawalEnabled) return no("withdrawal_disabled", "currency");
  const all = state.ledger.of(member, currency.index).available;
  if (amount > all) {
    return short("withdraw_balance_insufficient", "amount", amount, all);
  }
  const wrong = (rule: AmountRule, bound: string | number) =>
    no("withdraw_amount_invalid", "amount", bound, rule);
  const { precision, withdrawFee, minWithdrawAmount } = currency;
  // The rest that is too small to leave stays with the venue, if nothing else is left.
  const sent = amount - amount % unitOf(precision);
  if (sent !== amount && amount !== all) return wrong("precision", precision);
  if (sent <= withdrawFee) return wrong("fee", decimal(withdrawFee));
  return amount < minWithdrawAmount ? wrong("minimum", decimal(minWithdrawAmount)) : null;
}

/** Returns why an operator must approve; null if the day's and the month's sum are in the limits. */
function waitReason(
  state: OracleState,
  { member, amount }: RequestWithdraw,
  currency: Currency,
  at: number,
): ApprovalReason | null {
  if (currency.type === "fiat") return "fiat";
  const { record, counted } = state.member(member);
  const { level, group } = record;
  const lately = (days: number) =>
    counted.filter((one) => one.currency === currency.index && one.createdAt > at - days * DAY_MS)
      .reduce((sum, one) => sum + one.amount, amount);
  const { withdrawLimit24h, withdrawLimit72h } = currency;
  if (withdrawLimit24h !== null && lately(1) > withdrawLimit24h) return "currency_limit";
  if (withdrawLimit72h !== null && lately(3) > withdrawLimit72h) return "currency_limit";
  const rows = state.withdrawLimits;
  const row = rows.get(`${level}:${group}`) ?? rows.get(`${level}:any`) ??
    rows.get(`-1:${group}`) ?? rows.get("-1:any");
  if (row === undefined || (row.limit24h === null && row.limit1m === null)) return null;
  // Its value is unknown, so an operator must decide.
  if (currency.price <= 0n) return "no_price";
  let day = amount * currency.price / ONE;
  let month = day;
  const monthAgo = monthBefore(at);
  for (const one of counted) {
    const value = one.amount * (state.currencies[one.currency]?.price ?? 0n) / ONE;
    if (one.createdAt > at - DAY_MS) day += value;
    if (one.createdAt > monthAgo) month += value;
  }
  if (row.limit24h === 0n || row.limit1m === 0n) return "member_limit";
  const isAbove = (sum: bigint, limit: bigint | null) => limit !== null && sum > limit;
  return isAbove(day, row.limit24h) || isAbove(month, row.limit1m) ? "member_limit" : null;
}

/** Returns the same day of the previous month, or that month's last day. */
function monthBefore(at: number): number {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(month - 1);
  date.setUTCDate(Math.min(new Date(at).getUTCDate(), lastDay));
  return date.getTime();
}

/** Judges a member's taking back of a withdrawal. */
export function cancelWithdraw(
  state: OracleState,
  { member, id }: CancelWithdraw,
  at: number,
): Verdict {
  const open = state.withdraws.get(id);
  if (open === undefined) {
    const isEnded = id >= 1 && id <= state.counters.withdraws;
    return isEnded ? no("withdraw_state_invalid", "state") : no("withdraw_not_found", "id");
  }
  if (open.member !== member) return no("withdraw_not_found", "id");
  const isUntouched = open.state === "accepted" && open.claims === 0;
  // Somebody may be paying by hand, from before the member was locked, too.
  if (!isUntouched || (wasApproved(open) && open.isByHand !== false)) {
    return no("withdraw_state_invalid", "state", open.state);
  }
  if (state.switches.restored) return no("withdrawals_stopped");
  const next: Withdraw = { ...open, state: "canceled", updatedAt: at, doneAt: at };
  return set(state, next, movesOf(next));
}

/** Judges a change of a withdrawal's state. */
export function changeWithdraw(state: OracleState, command: ChangeWithdraw, at: number): Verdict {
  const withdraw = state.withdraws.get(command.id);
  if (withdraw === undefined) {
    const isEnded = command.id >= 1 && command.id <= state.counters.withdraws;
    return isEnded ? no("withdraw_state_invalid", "state") : no("withdraw_not_found", "id");
  }
  const currency = state.currencies[withdraw.currency] as Currency;
  const refusal = refuseStep(state, command, withdraw, currency, at);
  if (refusal !== null) return refusal;
  const next = stepped(command, withdraw, currency.type === "fiat", at);
  return set(state, next, movesOf(next));
}

function refuseStep(
  state: OracleState,
  { action, claims, txid }: ChangeWithdraw,
  withdraw: Withdraw,
  currency: Currency,
  at: number,
): Verdict | null {
  const invalid = no("withdraw_state_invalid", "state", withdraw.state);
  if (!STEPS[action].from.includes(withdraw.state)) return invalid;
  if (claims !== undefined && claims !== withdraw.claims) return invalid;
  if (txid === "") return no("txid_missing", "txid");
  switch (action) {
    case "approve":
      return withdraw.isApproved ? invalid : unpayable(state, withdraw, currency);
    case "leave_to_hand":
      return currency.type === "coin" && !withdraw.isByHand ? null : invalid;
    case "hand_over":
      return withdraw.isByHand === true ? unpayable(state, withdraw, currency) : invalid;
    case "retry":
      return unpayable(state, withdraw, currency);
    case "claim":
      if (!withdraw.isApproved || claims === undefined || withdraw.isByHand !== false) {
        return invalid;
      }
      return unpayable(state, withdraw, currency);
    case "park": {
      const isRails = withdraw.isApproved && withdraw.isByHand === false;
      return withdraw.state === "accepted" && !isRails ? invalid : null;
    }
    case "send":
      return txid === undefined ? invalid : null;
    case "succeed": {
      // Manually: fiat after approval, a coin after approval and by a transaction outside the rail.
      const isCoin = currency.type === "coin";
      if (!isCoin && (withdraw.state !== "accepted" || wasApproved(withdraw))) return null;
      if (withdraw.state === "confirming" || withdraw.state === "errored") return null;
      // After a restore nobody sends anything, so the operator tells what the lost log knew.
      const isSending = withdraw.state === "processing" && at <= withdraw.updatedAt + CLAIM_MS;
      const isPaid = withdraw.state === "accepted" && withdraw.isByHand === true &&
        wasApproved(withdraw);
      const isReported = state.switches.restored ? !isSending : isPaid;
      if (!isReported) return invalid;
      return txid === undefined ? no("txid_missing", "txid") : null;
    }
    case "fail": {
      const isSending = currency.type === "coin" && withdraw.state === "processing" &&
        at <= withdraw.updatedAt + CLAIM_MS;
      return isSending && claims === undefined ? invalid : null;
    }
    default:
      return null;
  }
}

/** It may have been paid just before its member was locked. */
function wasApproved({ isApproved, approvalReason }: Withdraw): boolean {
  return isApproved || approvalReason === "member_locked" ||
    approvalReason === "beneficiary_disabled";
}

/** Returns who pays a coin after a step: those of older programs that were approved, somebody. */
function payerAfter(
  { action, isByHand }: ChangeWithdraw,
  withdraw: Withdraw,
): Pick<Withdraw, "isByHand"> {
  switch (action) {
    case "approve": {
      const isOld = withdraw.isByHand === undefined && wasApproved(withdraw);
      return { isByHand: isByHand === true || withdraw.isByHand === true || isOld };
    }
    case "leave_to_hand":
      return { isByHand: true };
    case "hand_over":
    case "retry":
      return { isByHand: false };
    default:
      return {};
  }
}

/** Returns why nothing may be paid now. */
function unpayable(state: OracleState, withdraw: Withdraw, currency: Currency): Verdict | null {
  const { member, beneficiary } = withdraw;
  if (!isUsable(state, member)) return no("member_locked", "id");
  if (state.member(member).beneficiaries.get(beneficiary)?.isDisabled) {
    return no("beneficiary_disabled", "id");
  }
  if (!state.switches.withdrawals) return no("withdrawals_stopped");
  return currency.withdrawalEnabled ? null : no("withdrawal_disabled", "currency");
}

function stepped(
  command: ChangeWithdraw,
  withdraw: Withdraw,
  isFiat: boolean,
  at: number,
): Withdraw {
  const { action, txid, confirmations } = command;
  const { to } = STEPS[action];
  const isCounted = action === "confirm" || action === "succeed";
  const isNamed = action === "send" || action === "succeed" || action === "park";
  const isApproval = action === "approve";
  const isFinal = to === "succeed" || to === "failed" || to === "rejected" || to === "canceled";
  return {
    ...withdraw,
    ...(isFiat ? {} : payerAfter(command, withdraw)),
    // Fiat is paid manually, and counts as being processed from its approval on.
    state: isApproval && isFiat ? "processing" : to ?? withdraw.state,
    isApproved: withdraw.isApproved || isApproval,
    claims: withdraw.claims + (action === "claim" ? 1 : 0),
    txid: isNamed ? txid ?? withdraw.txid : withdraw.txid,
    confirmations: isCounted ? confirmations ?? withdraw.confirmations : withdraw.confirmations,
    updatedAt: at,
    doneAt: isFinal ? at : withdraw.doneAt,
  };
}

function movesOf({ state, amount, fee }: Withdraw): MoneyMoves {
  switch (state) {
    case "succeed":
      return { locked: -amount, fees: fee, outside: amount - fee };
    case "failed":
    case "rejected":
    case "canceled":
      return { locked: -amount, available: amount };
    default:
      return {};
  }
}

function set(state: OracleState, withdraw: Withdraw, moves: MoneyMoves): Verdict {
  const balances = balancesAfter(state, withdraw, moves);
  return yes({ kind: "withdraw_set", withdraw }, { kind: "withdraw_set", withdraw, ...balances });
}
