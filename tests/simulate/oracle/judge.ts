/** Judges commands other than orders and cancels. */
import type { Command, Signature } from "../../../src/domain/command.ts";
import type { Scope } from "../../../src/domain/people/member.ts";
import type { Rejection } from "../../../src/domain/rejection.ts";
import { decimal } from "./amounts.ts";
import {
  archiveBeneficiary,
  createBeneficiary,
  disableBeneficiary,
  resendPin,
  tryPin,
} from "./judge_beneficiary.ts";
import { changeDeposit, noteDepositAddress, observeDeposit } from "./judge_deposit.ts";
import {
  addNetwork,
  changeCurrency,
  changeMarket,
  changeNetwork,
  createCurrency,
  createMarket,
  deleteFee,
  followPrice,
  setFee,
} from "./judge_market.ts";
import {
  adjustBalance,
  changeKey,
  changeMember,
  confirmMember,
  createKey,
  createMember,
  isUsable,
  notePasswordChange,
  setCancelTimer,
  setOperatorRole,
  setTwoFactor,
  spendOtp,
} from "./judge_member.ts";
import { setMemberClasses, undefinedClass } from "./judge_classes.ts";
import { setSettings } from "./judge_settings.ts";
import { reverse } from "./judge_reversal.ts";
import { cancelWithdraw, changeWithdraw, requestWithdraw } from "./judge_withdraw.ts";
import type { OracleState } from "./state.ts";
import { no, type Verdict, yes } from "./verdict.ts";

/** The scope that a member's key needs for a command; the missing ones are operators' commands. */
const SCOPES: Partial<Record<Command["kind"], Scope>> = {
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

/** Commands that are judged elsewhere. */
export type OrderCommand = Extract<
  Command,
  {
    readonly kind:
      | "place_orders"
      | "cancel_orders"
      | "cancel_all_orders"
      | "sweep_member"
      | "sweep_market";
  }
>;

/** Returns whether a command concerns orders. */
export function isOrderCommand(command: Command): command is OrderCommand {
  return command.kind === "place_orders" || command.kind === "cancel_orders" ||
    command.kind === "cancel_all_orders" || command.kind === "sweep_member" ||
    command.kind === "sweep_market";
}

/** Returns whether operators sign a command, which numbers it in the audit trail. */
export function isActCommand(command: Command): boolean {
  return SCOPES[command.kind] === undefined;
}

/** Returns why a signer may not submit a command; null if it may. */
export function refuseCaller(
  state: OracleState,
  signature: Signature,
  command: Command,
): Rejection | null {
  const key = state.keys[signature.key];
  if (key?.state !== "active") return { rejected: "key_not_active" };
  if (!isUsable(state, key.member)) {
    const limit = state.member(key.member).record.state;
    return { rejected: "member_not_active", field: "state", limit };
  }
  if (key.needsTwoFactor === true && !state.members[key.member]?.record.hasTwoFactor) {
    return { rejected: "key_two_factor_off" };
  }
  const own = command.kind === "spend_nonce" ? command.scope : undefined;
  const scope = own ?? SCOPES[command.kind];
  const isOperator = key.role === "operator";
  if (scope === undefined && !isOperator) return { rejected: "operator_only" };
  if (scope === undefined) {
    return key.scopes.includes("trade") ? null : { rejected: "scope_not_permitted" };
  }
  if (isOperator && command.kind === "spend_nonce") return null;
  const isForeign = command.kind === "set_cancel_timer" && command.key !== signature.key;
  return isForeign || !key.scopes.includes(scope) ? { rejected: "scope_not_permitted" } : null;
}

/** How a command is asked. */
export interface Asked {
  /** The time of its batch, in ms. */
  readonly at: number;
  /** Whether a key signed it. */
  readonly isSigned: boolean;
  /** See {@linkcode observeDeposit}. */
  readonly isStale: boolean;
}

/** Returns what a command must result in. */
export function judge(
  state: OracleState,
  command: Exclude<Command, OrderCommand>,
  { at, isSigned, isStale }: Asked,
): Verdict {
  switch (command.kind) {
    case "set_cancel_timer":
      return setCancelTimer(state, command, at);
    case "spend_nonce":
      return yes({ kind: "nonce_spent" });
    case "note_act":
      return yes({ kind: "act_noted" });
    case "adjust_balance":
      return adjustBalance(state, command, isSigned);
    case "create_member":
      return createMember(state, command, at);
    case "change_member":
      return changeMember(state, command, at);
    case "set_operator_role":
      return setOperatorRole(state, command);
    case "create_key":
      return createKey(state, command, at);
    case "change_key":
      return changeKey(state, command, at);
    case "create_currency":
      return createCurrency(state, command);
    case "change_currency":
      return changeCurrency(state, command, at);
    case "add_network":
      return addNetwork(state, command);
    case "change_network":
      return changeNetwork(state, command);
    case "follow_price":
      return followPrice(state, command, at);
    case "create_market":
      return createMarket(state, command);
    case "change_market":
      return changeMarket(state, command);
    default:
      return judgeMoney(state, command, at, isStale);
  }
}

function judgeMoney(
  state: OracleState,
  command: Exclude<
    Command,
    OrderCommand | {
      readonly kind:
        | `${"create" | "change"}_${"member" | "key" | "currency" | "market"}`
        | "set_cancel_timer"
        | "set_operator_role"
        | "spend_nonce"
        | "note_act"
        | "adjust_balance"
        | "add_network"
        | "change_network"
        | "follow_price";
    }
  >,
  at: number,
  isStale: boolean,
): Verdict {
  switch (command.kind) {
    case "create_beneficiary":
      return createBeneficiary(state, command, at);
    case "try_pin":
      return tryPin(state, command, at);
    case "resend_pin":
      return resendPin(state, command, at);
    case "archive_beneficiary":
      return archiveBeneficiary(state, command);
    case "disable_beneficiary": {
      const member = state.memberByUid.get(command.uid);
      if (member === undefined) return no("member_not_found", "uid");
      return disableBeneficiary(state, member, command.id, at);
    }
    case "request_withdraw":
      return requestWithdraw(state, command, at);
    case "cancel_withdraw":
      return cancelWithdraw(state, command, at);
    case "change_withdraw":
      return changeWithdraw(state, command, at);
    case "observe_deposit":
      return observeDeposit(state, command, at, isStale);
    case "change_deposit":
      return changeDeposit(state, command, at);
    case "reverse":
      return reverse(state, command, at, isStale);
    case "note_deposit_address":
      return noteDepositAddress(state, command);
    case "spend_otp":
      return spendOtp(state, command);
    case "set_two_factor":
      return setTwoFactor(state, command, at);
    case "confirm_member":
      return confirmMember(state, command);
    case "note_password_change":
      return notePasswordChange(state, command, at);
    default:
      return judgeSetting(state, command);
  }
}

function judgeSetting(
  state: OracleState,
  command: Extract<
    Command,
    {
      readonly kind:
        | `${"set" | "delete"}_${"fee" | "withdraw_limit"}`
        | "set_levels"
        | "set_switches"
        | "set_settings"
        | "set_member_classes";
    }
  >,
): Verdict {
  switch (command.kind) {
    case "set_fee":
      return setFee(state, command);
    case "delete_fee":
      return deleteFee(state, command);
    case "set_levels": {
      const { levels } = command;
      return yes({ kind: "levels_set", levels }, { kind: "levels_set", levels });
    }
    case "set_withdraw_limit": {
      const { row } = command;
      const undefinedRow = undefinedClass(state, row.group, row.level, "kyc_level");
      if (undefinedRow !== null) return undefinedRow;
      const { limit24h: day, limit1m: month } = row;
      if (day !== null && month !== null && month < day) {
        return no("withdraw_limit_contradicted", "limit_1_month", decimal(day), "minimum");
      }
      return yes({ kind: "withdraw_limit_set" }, { kind: "withdraw_limit_set", row });
    }
    case "delete_withdraw_limit": {
      const { level, group } = command.row;
      const kind = "withdraw_limit_deleted";
      const row = state.withdrawLimits.get(`${level}:${group}`);
      if (row === undefined) return no("table_row_not_found");
      return yes({ kind, row }, { kind, row: { level, group } });
    }
    case "set_switches": {
      const { restored, ...stops } = { ...state.switches, ...command.switches };
      const isOver = stops.withdrawals || restored === undefined;
      const switches = isOver ? stops : { ...stops, restored };
      return yes({ kind: "switches_set", switches }, { kind: "switches_set", switches });
    }
    case "set_settings":
      return setSettings(state, command);
    case "set_member_classes":
      return setMemberClasses(state, command);
  }
}
