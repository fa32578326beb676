/** What holds for each kind of command: how it is decided, whose it is, what it may overtake. */
import type { Command, Decision, Outcome } from "./command.ts";
import {
  decideDeleteWithdrawLimit,
  decideSetSwitches,
  decideSetWithdrawLimit,
} from "./decide_bounds.ts";
import { decideSetMemberClasses, decideSetSettings } from "./decide_settings.ts";
import type { EventSink } from "./event_sink.ts";
import {
  decideAddNetwork,
  decideChangeCurrency,
  decideChangeNetwork,
  decideCreateCurrency,
} from "./money/decide_currency.ts";
import {
  decideChangeDeposit,
  decideNoteDepositAddress,
  decideObserveDeposit,
} from "./money/decide_deposit.ts";
import { decideReverse } from "./money/decide_reversal.ts";
import {
  decideCancelWithdraw,
  decideChangeWithdraw,
  decideRequestWithdraw,
} from "./money/decide_withdraw.ts";
import { decideFollowPrice } from "./money/followed_price.ts";
import {
  decideArchiveBeneficiary,
  decideCreateBeneficiary,
  decideDisableBeneficiary,
  decideResendPin,
  decideTryPin,
} from "./people/decide_beneficiary.ts";
import { decideChangeKey, decideCreateKey } from "./people/decide_key.ts";
import {
  decideAdjustBalance,
  decideChangeMember,
  decideConfirmMember,
  decideCreateMember,
  decideSetLevels,
  decideSetOperatorRole,
} from "./people/decide_member.ts";
import {
  decideNotePasswordChange,
  decideSetTwoFactor,
  decideSpendOtp,
} from "./people/decide_otp.ts";
import type { Scope } from "./people/member.ts";
import {
  decideCancelAllOrders,
  decideCancelOrders,
  decideSweepMarket,
  decideSweepMember,
} from "./trading/decide_cancel.ts";
import {
  decideChangeMarket,
  decideCreateMarket,
  decideDeleteFee,
  decideSetFee,
} from "./trading/decide_market.ts";
import { decidePlaceOrders } from "./trading/decide_orders.ts";
import { decideSetCancelTimer } from "./trading/decide_timers.ts";
import type { Venue } from "./venue.ts";

/** What holds for one kind of command. */
export interface CommandRules<C extends Command> {
  /**
   * Emits the command's events, or refuses it; a decision tells whether it was all of it.
   *
   * @param isSigned whether a key signed it
   */
  decide(venue: Venue, command: C, sink: EventSink, isSigned: boolean): Outcome | Decision;
  /** The scope that a member's key needs to sign it; null if only operators' keys sign it. */
  readonly scope: Scope | null | ((command: C) => Scope);
  /** Whether it only takes risk away: such a command passes when others have to wait. */
  readonly isBrake: boolean | ((command: C) => boolean);
  /** Returns the index of the only key that may sign it; any may if absent. */
  keyOf?(command: C): number;
  /** Whether operators' keys may sign it whatever their scopes; they need the scope if absent. */
  readonly isForOperators?: true;
  /** Present if a member gives it about its own orders. */
  readonly ownOrders?: OwnOrders<C>;
}

/** Which orders of its member a command is about. */
interface OwnOrders<C extends Command> {
  /** Returns the member's index; undefined if there is none. */
  memberOf(command: C, venue: Venue): number | undefined;
  /** Returns how many orders it counts as. */
  count(command: C): number;
  /** Whether its outcome depends on the member's client order ids. */
  areNamed(command: C): boolean;
}

const RULES: { readonly [C in Command as C["kind"]]: CommandRules<C> } = {
  place_orders: {
    decide: decidePlaceOrders,
    scope: "trade",
    isBrake: false,
    ownOrders: {
      memberOf: ({ member }) => member,
      count: ({ orders }) => orders.length,
      areNamed: ({ orders }) => orders.some(({ clientOrderId }) => clientOrderId !== ""),
    },
  },
  cancel_orders: {
    decide: decideCancelOrders,
    scope: "trade",
    isBrake: true,
    ownOrders: {
      memberOf: ({ member }) => member,
      count: ({ names }) => names.length,
      areNamed: ({ names }) => names.some((name) => "clientOrderId" in name),
    },
  },
  cancel_all_orders: {
    decide: decideCancelAllOrders,
    scope: "trade",
    isBrake: true,
    ownOrders: { memberOf: ({ member }) => member, count: () => 1, areNamed: () => false },
  },
  set_cancel_timer: {
    decide: decideSetCancelTimer,
    scope: "trade",
    isBrake: true,
    keyOf: ({ key }) => key,
    ownOrders: {
      memberOf: ({ key }, { keys }) => keys[key]?.key.member,
      count: () => 1,
      areNamed: () => false,
    },
  },
  spend_nonce: {
    decide: () => ({ kind: "nonce_spent" }),
    scope: ({ scope = "read" }) => scope,
    isBrake: false,
    isForOperators: true,
  },

  create_beneficiary: { decide: decideCreateBeneficiary, scope: "withdraw", isBrake: false },
  try_pin: { decide: decideTryPin, scope: "withdraw", isBrake: false },
  resend_pin: { decide: decideResendPin, scope: "withdraw", isBrake: false },
  archive_beneficiary: { decide: decideArchiveBeneficiary, scope: "withdraw", isBrake: false },
  request_withdraw: { decide: decideRequestWithdraw, scope: "withdraw", isBrake: false },
  cancel_withdraw: { decide: decideCancelWithdraw, scope: "withdraw", isBrake: false },

  sweep_member: { decide: decideSweepMember, scope: null, isBrake: true },
  sweep_market: { decide: decideSweepMarket, scope: null, isBrake: true },
  adjust_balance: { decide: decideAdjustBalance, scope: null, isBrake: false },
  create_member: { decide: decideCreateMember, scope: null, isBrake: false },
  change_member: { decide: decideChangeMember, scope: null, isBrake: false },
  set_operator_role: { decide: decideSetOperatorRole, scope: null, isBrake: false },
  create_key: { decide: decideCreateKey, scope: null, isBrake: false },
  change_key: { decide: decideChangeKey, scope: null, isBrake: false },
  create_currency: { decide: decideCreateCurrency, scope: null, isBrake: false },
  change_currency: { decide: decideChangeCurrency, scope: null, isBrake: false },
  add_network: { decide: decideAddNetwork, scope: null, isBrake: false },
  change_network: { decide: decideChangeNetwork, scope: null, isBrake: false },
  follow_price: { decide: decideFollowPrice, scope: null, isBrake: false },
  create_market: { decide: decideCreateMarket, scope: null, isBrake: false },
  change_market: {
    decide: decideChangeMarket,
    scope: null,
    isBrake({ changes: { state = "enabled", ...others } }) {
      return state !== "enabled" && Object.keys(others).length === 0;
    },
  },
  set_fee: { decide: decideSetFee, scope: null, isBrake: false },
  delete_fee: { decide: decideDeleteFee, scope: null, isBrake: false },
  set_levels: { decide: decideSetLevels, scope: null, isBrake: false },
  note_act: { decide: () => ({ kind: "act_noted" }), scope: null, isBrake: false },

  disable_beneficiary: { decide: decideDisableBeneficiary, scope: null, isBrake: false },
  change_withdraw: { decide: decideChangeWithdraw, scope: null, isBrake: false },
  observe_deposit: { decide: decideObserveDeposit, scope: null, isBrake: false },
  change_deposit: { decide: decideChangeDeposit, scope: null, isBrake: false },
  reverse: { decide: decideReverse, scope: null, isBrake: false },
  note_deposit_address: { decide: decideNoteDepositAddress, scope: null, isBrake: false },
  set_withdraw_limit: { decide: decideSetWithdrawLimit, scope: null, isBrake: false },
  delete_withdraw_limit: { decide: decideDeleteWithdrawLimit, scope: null, isBrake: false },
  set_switches: {
    decide: decideSetSwitches,
    scope: null,
    isBrake: ({ switches }) => Object.values(switches).every((isOn) => !isOn),
  },
  set_settings: { decide: decideSetSettings, scope: null, isBrake: false },
  set_member_classes: { decide: decideSetMemberClasses, scope: null, isBrake: false },

  spend_otp: { decide: decideSpendOtp, scope: null, isBrake: false },
  set_two_factor: { decide: decideSetTwoFactor, scope: null, isBrake: false },
  confirm_member: { decide: decideConfirmMember, scope: null, isBrake: false },
  note_password_change: { decide: decideNotePasswordChange, scope: null, isBrake: false },
};

/** Returns what holds for a command's kind. */
export function rulesOf<C extends Command>({ kind }: C): CommandRules<C> {
  return RULES[kind] as unknown as CommandRules<C>;
}

/** Returns the scope that a member's key needs to sign a command; null if only operators sign it. */
export function scopeOf(command: Command): Scope | null {
  const { scope } = rulesOf(command);
  return typeof scope === "function" ? scope(command) : scope;
}

/** Returns whether a command only takes risk away: it passes when others have to wait. */
export function isBrake(command: Command): boolean {
  const { isBrake } = rulesOf(command);
  return typeof isBrake === "function" ? isBrake(command) : isBrake;
}

/** Returns whether a command's outcome depends on its member's client order ids. */
export function namesClientOrders(command: Command): boolean {
  return rulesOf(command).ownOrders?.areNamed(command) ?? false;
}
