/** Refusals: what the venue says no with. */
import { formatDecimal } from "./money/money.ts";

/**
 * The closed list of refusals, in order of precedence: if several apply, the first is the answer.
 * The parts of a request are checked one after another. The orders of a bulk request are checked
 * twice: all of them for what is wrong with an order by itself, then for what the state refuses. An
 * order's price comes before its trigger price.
 */
export const REJECTION_CODES = [
  // the caller
  "nonce_already_used",
  "nonce_expired",
  "key_not_active",
  "member_not_active",
  "key_two_factor_off",
  "scope_not_permitted",
  "operator_only",
  "operator_role_over",
  "operator_role_lacks",
  "operator_code_missing",
  "act_check_stale",
  "act_name_taken",
  "asker_not_permitted",
  // whom and what the call names
  "member_not_found",
  "member_not_pending",
  "credentials_changed",
  "key_not_found",
  "key_over",
  "currency_not_found",
  // trading: a repeated client order id is answered before anything that changes with time
  "trading_level_too_low",
  "orders_per_bulk_exceeded",
  "market_not_found",
  "price_forbidden",
  "price_missing",
  "trigger_price_missing",
  "trigger_price_forbidden",
  "time_in_force_forbidden",
  "volume_off_grid",
  "price_off_grid",
  "trigger_price_off_grid",
  "client_order_id_repeated",
  "client_order_id_taken",
  "client_order_ids_exceeded",
  "client_order_ids_full",
  "trading_stopped",
  "market_not_enabled",
  "market_orders_disabled",
  "volume_too_small",
  "price_too_low",
  "price_too_high",
  "total_too_small",
  "volume_too_large",
  "price_out_of_band",
  "untraded_orders_exceeded",
  "open_orders_exceeded",
  "order_not_found",
  "market_halted",
  "cancel_timer_invalid",
  "cancel_timers_exceeded",
  // operator
  "email_taken",
  "level_not_defined",
  "group_not_defined",
  "member_class_in_use",
  "role_state_invalid",
  "role_without_factor",
  "key_taken",
  "keys_exceeded",
  "operator_key_last",
  "currency_taken",
  "currency_limit_exceeded",
  "currency_code_invalid",
  "currency_network_invalid",
  "currency_network_not_found",
  "currency_network_taken",
  "currency_network_untagged",
  "currency_tag_invalid",
  "base_equals_quote",
  "market_taken",
  "market_reversed",
  "market_id_invalid",
  "market_id_taken",
  "market_limit_exceeded",
  "precision_inexact",
  "amount_off_precision",
  "fee_above_minimum",
  "price_market_unfit",
  "price_stays",
  "price_bounds_crossed",
  "precision_frozen",
  "fee_rate_invalid",
  "withdraw_limit_contradicted",
  "table_row_not_found",
  "pnl_currencies_invalid",
  "adjustment_too_large",
  // the funds of an order or an adjustment
  "balance_insufficient",
  // money in and out, and its second factor
  "deposit_not_found",
  "deposit_state_invalid",
  "reversal_made",
  "payment_known",
  "deposit_check_stale",
  "deposit_amount_invalid",
  "withdraw_not_found",
  "withdraw_state_invalid",
  "txid_missing",
  "member_locked",
  "beneficiary_disabled",
  "withdraw_level_too_low",
  "withdrawals_stopped",
  "beneficiary_not_found",
  "beneficiary_not_pending",
  "beneficiary_not_active",
  "beneficiary_on_hold",
  "two_factor_on",
  "two_factor_off",
  "otp_invalid",
  "withdrawal_disabled",
  "withdraw_balance_insufficient",
  "withdraw_amount_invalid",
  "beneficiaries_exceeded",
  "beneficiary_address_taken",
  "pin_sent_recently",
  "pin_invalid",
] as const;

/** Why the venue refused. */
export type RejectionCode = typeof REJECTION_CODES[number];

/**
 * What an amount may break: the digits of its currency, the fee that it has to be more than, a bound,
 * or that it must not be zero.
 */
export type AmountRule = "precision" | "fee" | "minimum" | "maximum" | "nonzero";

/** A refusal: a value, never thrown. Nothing has changed. */
export interface Rejection {
  readonly rejected: RejectionCode;
  /** The field that is wrong, in the specification's spelling. */
  readonly field?: string;
  /** The limit that was broken, as text; the state of what is not in the state that is needed. */
  readonly limit?: string;
  /** Which of the rules for an amount it breaks, where the refusal does not tell. */
  readonly rule?: AmountRule;
  /** Funds that a command would set aside, spend or take, and those that are free for it, as text. */
  readonly needed?: string;
  readonly available?: string;
  /** When the limit no longer applies, in ms. */
  readonly resetsAt?: number;
  /** Until when what is named is on hold, in ms. */
  readonly heldUntil?: number;
  /** Position of the failing item in a bulk request. */
  readonly index?: number;
}

/** Builds a refusal of an amount. */
export function rejectAmount(
  code: RejectionCode,
  field: string,
  rule: AmountRule,
  limit?: string | number,
): Rejection {
  const bound = limit === undefined ? {} : { limit: String(limit) };
  return { rejected: code, field, ...bound, rule };
}

/** Builds a refusal of what needs more than is free, both as amounts of one currency. */
export function rejectFunds(
  code: RejectionCode,
  field: string,
  needed: bigint,
  available: bigint,
): Rejection {
  return {
    rejected: code,
    field,
    // A market buy that nobody offers anything needs none, but an order has to cost something.
    ...(needed > 0n ? { needed: formatDecimal(needed) } : {}),
    available: formatDecimal(available),
  };
}

/** Builds a refusal. */
export function reject(code: RejectionCode, field?: string, limit?: string): Rejection {
  return {
    rejected: code,
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
  };
}
