/**
 * `decide(venue, command)` returns events or a refusal. Guards come first, in the order of the
 * closed list of refusals; what follows them can't fail.
 */
import type { SoughtAct } from "./people/act_names.ts";
import { unreachable } from "./assert.ts";
import {
  type Command,
  type ConnectionKey,
  type Decision,
  isRejection,
  type Outcome,
  type Receipt,
  type Signature,
} from "./command.ts";
import {
  decideArchiveBeneficiary,
  decideCreateBeneficiary,
  decideDisableBeneficiary,
  decideResendPin,
  decideTryPin,
} from "./people/decide_beneficiary.ts";
import {
  decideDeleteWithdrawLimit,
  decideSetSwitches,
  decideSetWithdrawLimit,
} from "./decide_bounds.ts";
import {
  decideCancelAllOrders,
  decideCancelOrders,
  decideSweepMarket,
  decideSweepMember,
} from "./trading/decide_cancel.ts";
import {
  decideChangeDeposit,
  decideNoteDepositAddress,
  decideObserveDeposit,
} from "./money/decide_deposit.ts";
import { decideChangeKey, decideCreateKey, refuseKey } from "./people/decide_key.ts";
import { decideChangeCurrency, decideCreateCurrency } from "./money/decide_currency.ts";
import {
  decideChangeMarket,
  decideCreateMarket,
  decideDeleteFee,
  decideSetFee,
} from "./trading/decide_market.ts";
import {
  decideAdjustBalance,
  decideChangeMember,
  decideConfirmMember,
  decideCreateMember,
  decideSetLevels,
} from "./people/decide_member.ts";
import { decideFollowPrice } from "./money/followed_price.ts";
import { decideReverse } from "./money/decide_reversal.ts";
import { decidePlaceOrders } from "./trading/decide_orders.ts";
import {
  decideNotePasswordChange,
  decideSetTwoFactor,
  decideSpendOtp,
} from "./people/decide_otp.ts";
import { decideSetMemberClasses, decideSetSettings } from "./decide_settings.ts";
import { decideSetCancelTimer } from "./trading/decide_timers.ts";
import {
  decideCancelWithdraw,
  decideChangeWithdraw,
  decideRequestWithdraw,
} from "./money/decide_withdraw.ts";
import type { EventSink } from "./event_sink.ts";
import { isMemberUsable, type Scope } from "./people/member.ts";
import type { IdentityCommand } from "./identity_command.ts";
import type { MemberMoneyCommand, OperatorMoneyCommand } from "./money_command.ts";
import { NONCE_ACCEPTED_WINDOWS } from "./people/nonce_window.ts";
import { mayOperate } from "./people/operators.ts";
import { reject, type Rejection } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/**
 * Decides a command. A signed one spends its nonce even if it is refused; for one that comes over a
 * connection, only the key is checked. `signature` is null if no key signed the command, and for
 * the rest of a command whose first part has spent the nonce.
 */
export function decide(
  venue: Venue,
  signature: Signature | ConnectionKey | null,
  command: Command,
  sink: EventSink,
): Decision {
  if (signature !== null) {
    if (signature.nonce !== null) {
      const refusal = refuseSignature(venue, signature, sink.at);
      if (refusal !== null) return { outcome: refusal, complete: true };
      const { key, nonce, digest } = signature;
      sink.emit({ kind: "nonce_spent", key, nonce, digest });
    }
    const forbidden = refuseCaller(venue, signature, command);
    if (forbidden !== null) return { outcome: forbidden, complete: true };
  } else if (isFrozen(venue, command)) {
    return { outcome: reject("member_not_active"), complete: true };
  }
  const once = signature !== null && "once" in command ? command.once : undefined;
  const repeated = once === undefined ? null : repeatedAct(venue, once);
  if (repeated !== null) return { outcome: repeated, complete: true };
  const mark = sink.mark();
  const decision = command.kind === "cancel_all_orders"
    ? decideCancelAllOrders(venue, command, sink)
    : { outcome: decideWhole(venue, command, sink), complete: true };
  if (isRejection(decision.outcome)) sink.rollback(mark);
  else {
    const actor = actorOf(signature, command, decision.outcome);
    if (actor === null) return decision;
    const act = noteAct(venue, actor, once, sink);
    return { ...decision, outcome: { ...decision.outcome, act } };
  }
  return decision;
}

/** Whether a command that no key signed is of a member who may not act: nobody else checks it. */
function isFrozen(venue: Venue, command: Command): boolean {
  if (!("member" in command)) return false;
  const holder = venue.holders[command.member];
  return holder === undefined || !isMemberUsable(holder.member);
}

/** Returns the key whose act a command was; null if it was none. */
function actorOf(
  signature: Signature | ConnectionKey | null,
  command: Command,
  outcome: Receipt,
): Pick<Signature, "key"> | null {
  if (command.kind === "create_key" && command.isAct && outcome.kind === "key_set") {
    return { key: outcome.key.index };
  }
  return isActCommand(command) && hasEffect(outcome) ? signature : null;
}

/** Whether anything was done: of a deposit that is known already, an operator gets a refusal. */
function hasEffect(receipt: Receipt): boolean {
  return receipt.kind !== "deposit_known";
}

/** Whether only operators may sign the command. */
function isActCommand(command: Command): boolean {
  return MEMBER_COMMAND_SCOPES[command.kind] === undefined;
}

/** Logs an operator's act, in the entry of its effect. */
function noteAct(
  venue: Venue,
  { key }: Pick<Signature, "key">,
  once: SoughtAct | undefined,
  sink: EventSink,
): number {
  const id = venue.counters.acts + 1;
  const named = once === undefined ? {} : { once: { name: once.name, request: once.request } };
  sink.emit({ kind: "act_noted", id, key, ...named });
  return id;
}

/** Returns the answer to a call that is named like an earlier one; null if none is. */
function repeatedAct({ actNames }: Venue, once: SoughtAct): Outcome | null {
  const earlier = once.known ?? actNames.get(once.name);
  if (earlier === undefined) {
    return once.checkedAt < actNames.knownSince ? reject("act_check_stale") : null;
  }
  return earlier.request === once.request
    ? { kind: "act_repeated", earlier: earlier.act }
    : reject("act_name_taken", "idempotency_key");
}

function refuseSignature(venue: Venue, signature: Signature, at: number): Rejection | null {
  const nonces = venue.keys[signature.key]?.nonces;
  if (nonces === undefined) return reject("key_not_active");
  if (nonces.has(signature.nonce, signature.digest)) return reject("nonce_already_used");
  // Beside a process with a wider window, it may have been used and forgotten.
  if (signature.nonce <= nonces.forgotten) return reject("nonce_expired");
  // The edge has checked the window, but a call may have waited longer than nonces are remembered.
  const distance = Math.abs(at - signature.nonce);
  if (distance > NONCE_ACCEPTED_WINDOWS * venue.nonceWindowMs) return reject("nonce_expired");
  return null;
}

const MEMBER_COMMAND_SCOPES: Partial<Record<Command["kind"], Scope>> = {
  place_orders: "trade",
  cancel_orders: "trade",
  cancel_all_orders: "trade",
  set_cancel_timer: "trade",
  spend_nonce: "read",
  create_beneficiary: "withdraw",
  try_pin: "withdraw",
  resend_pin: "withdraw",
  archive_beneficiary: "withdraw",
  request_withdraw: "withdraw",
  cancel_withdraw: "withdraw",
};

function neededScope(command: Command): Scope | undefined {
  const named = command.kind === "spend_nonce" ? command.scope : undefined;
  return named ?? MEMBER_COMMAND_SCOPES[command.kind];
}

/** Refuses a key that has changed, or whose owner has, since the edge looked. */
function refuseCaller(
  venue: Venue,
  signature: Pick<Signature, "key">,
  command: Command,
): Rejection | null {
  const key = venue.keys[signature.key]?.key;
  const refusal = refuseKey(venue, key);
  if (key === undefined || refusal !== null) return refusal;
  const scope = neededScope(command);
  if (scope === undefined) {
    if (key.role !== "operator") return reject("operator_only");
    return mayOperate(key) ? null : reject("scope_not_permitted");
  }
  // An operator's reads spend a nonce like anybody's.
  if (command.kind === "spend_nonce" && key.role === "operator") return null;
  if (command.kind === "set_cancel_timer" && command.key !== key.index) {
    return reject("scope_not_permitted");
  }
  return key.scopes.includes(scope) ? null : reject("scope_not_permitted");
}

function decideWhole(
  venue: Venue,
  command: Exclude<Command, { kind: "cancel_all_orders" }>,
  sink: EventSink,
): Outcome {
  switch (command.kind) {
    case "place_orders":
      return decidePlaceOrders(venue, command, sink);
    case "cancel_orders":
      return decideCancelOrders(venue, command, sink);
    case "set_cancel_timer":
      return decideSetCancelTimer(venue, command, sink);
    case "spend_nonce":
      return { kind: "nonce_spent" };
    case "sweep_member":
      return decideSweepMember(venue, command, sink);
    case "sweep_market":
      return decideSweepMarket(venue, command, sink);
    case "adjust_balance":
      return decideAdjustBalance(venue, command, sink);
    case "create_member":
      return decideCreateMember(venue, command, sink);
    case "change_member":
      return decideChangeMember(venue, command, sink);
    case "create_key":
      return decideCreateKey(venue, command, sink);
    case "change_key":
      return decideChangeKey(venue, command, sink);
    case "create_currency":
      return decideCreateCurrency(venue, command, sink);
    case "change_currency":
      return decideChangeCurrency(venue, command, sink);
    case "follow_price":
      return decideFollowPrice(venue, command, sink);
    case "create_market":
      return decideCreateMarket(venue, command, sink);
    case "change_market":
      return decideChangeMarket(venue, command, sink);
    case "set_fee":
      return decideSetFee(venue, command, sink);
    case "delete_fee":
      return decideDeleteFee(venue, command, sink);
    case "set_levels":
      return decideSetLevels(command, sink);
    case "note_act":
      return { kind: "act_noted" };
    default:
      return decideMoney(venue, command, sink);
  }
}

function decideMoney(
  venue: Venue,
  command: MemberMoneyCommand | OperatorMoneyCommand | IdentityCommand,
  sink: EventSink,
): Outcome {
  switch (command.kind) {
    case "create_beneficiary":
      return decideCreateBeneficiary(venue, command, sink);
    case "try_pin":
      return decideTryPin(venue, command, sink);
    case "resend_pin":
      return decideResendPin(venue, command, sink);
    case "archive_beneficiary":
      return decideArchiveBeneficiary(venue, command, sink);
    case "disable_beneficiary":
      return decideDisableBeneficiary(venue, command, sink);
    case "request_withdraw":
      return decideRequestWithdraw(venue, command, sink);
    case "cancel_withdraw":
      return decideCancelWithdraw(venue, command, sink);
    case "change_withdraw":
      return decideChangeWithdraw(venue, command, sink);
    case "observe_deposit":
      return decideObserveDeposit(venue, command, sink);
    case "change_deposit":
      return decideChangeDeposit(venue, command, sink);
    case "reverse":
      return decideReverse(venue, command, sink);
    case "note_deposit_address":
      return decideNoteDepositAddress(venue, command, sink);
    case "set_withdraw_limit":
      return decideSetWithdrawLimit(venue, command, sink);
    case "delete_withdraw_limit":
      return decideDeleteWithdrawLimit(venue, command, sink);
    case "set_switches":
      return decideSetSwitches(venue, command, sink);
    case "set_settings":
      return decideSetSettings(venue, command, sink);
    case "set_member_classes":
      return decideSetMemberClasses(venue, command, sink);
    default:
      return decideIdentity(venue, command, sink);
  }
}

function decideIdentity(venue: Venue, command: IdentityCommand, sink: EventSink): Outcome {
  switch (command.kind) {
    case "spend_otp":
      return decideSpendOtp(venue, command, sink);
    case "set_two_factor":
      return decideSetTwoFactor(venue, command, sink);
    case "confirm_member":
      return decideConfirmMember(venue, command, sink);
    case "note_password_change":
      return decideNotePasswordChange(venue, command, sink);
    default:
      return unreachable(command);
  }
}
