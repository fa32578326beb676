/** Maps each refusal of the venue to its answer; a refusal without one does not compile. */
import type { RejectionCode } from "../domain/rejection.ts";

/** What a field may break; a number how many digits it may have, and its bounds. */
export const BROKEN_RULES = [
  "precision",
  "minimum",
  "maximum",
  "below",
  "minimum_total",
  "fee",
  "nonzero",
  "required",
  "forbidden",
  "format",
  "positive",
  "length",
  "known",
  "unique",
  "state",
  "band",
  "funds",
] as const;
export type BrokenRule = typeof BROKEN_RULES[number];

/** Status and identifier of an error. */
export interface ErrorAnswer {
  readonly status: 401 | 403 | 404 | 413 | 422 | 503;
  readonly identifier: string;
  /** Which of several rules with one identifier is broken. */
  readonly rule?: BrokenRule;
}

/** Answers that are specific to an endpoint. */
export type RejectionAnswers = Readonly<Partial<Record<RejectionCode, ErrorAnswer>>>;

const NO_MARKET = breaking("known", "market.market.doesnt_exist_or_not_enabled");

const NO_RECORD: ErrorAnswer = { status: 404, identifier: "record.not_found" };

/** The answer to each refusal; endpoints may override some. */
export const REJECTION_ANSWERS: Readonly<Record<RejectionCode, ErrorAnswer>> = {
  nonce_already_used: { status: 401, identifier: "authz.nonce_already_used" },
  nonce_expired: { status: 401, identifier: "authz.nonce_expired" },
  key_not_active: { status: 401, identifier: "authz.apikey_not_active" },
  member_not_active: { status: 401, identifier: "authz.invalid_session", rule: "state" },
  key_two_factor_off: { status: 401, identifier: "authz.disabled_2fa" },
  scope_not_permitted: { status: 403, identifier: "authz.scope_not_permitted" },
  // The call is valid, and nothing has happened.
  act_check_stale: { status: 503, identifier: "server.unavailable" },
  act_name_taken: breaking("unique", "admin.act.duplicate_idempotency_key"),
  asker_not_permitted: { status: 403, identifier: "admin.approval.first_not_permitted" },
  operator_only: { status: 401, identifier: "authz.invalid_permission" },
  operator_role_over: { status: 403, identifier: "authz.role_outdated" },
  operator_role_lacks: { status: 403, identifier: "authz.role_not_permitted" },
  operator_code_missing: { status: 403, identifier: "authz.code_required" },
  trading_level_too_low: { status: 403, identifier: "market.trade.not_permitted" },
  orders_per_bulk_exceeded: { status: 413, identifier: "market.order.bulk_limit_exceeded" },
  market_not_found: NO_MARKET,
  trading_stopped: breaking("state", "market.trade.disabled_api"),
  market_not_enabled: { ...NO_MARKET, rule: "state" },
  market_halted: breaking("state", "market.market.halted"),
  market_orders_disabled: breaking("state", "market.order.market_type_disabled"),
  price_forbidden: breaking("forbidden", "market.order.market_order_price"),
  price_missing: breaking("required", "market.order.missing_price"),
  trigger_price_missing: breaking("required", "market.order.missing_trigger_price"),
  trigger_price_forbidden: breaking("forbidden", "market.order.invalid_trigger_price"),
  time_in_force_forbidden: breaking("forbidden", "market.order.invalid_time_in_force"),
  volume_off_grid: invalidNumber("precision"),
  volume_too_small: invalidNumber("minimum"),
  volume_too_large: invalidNumber("maximum"),
  price_out_of_band: breaking("band", "market.order.price_out_of_band"),
  price_off_grid: invalidNumber("precision"),
  price_too_low: invalidNumber("minimum"),
  price_too_high: invalidNumber("maximum"),
  trigger_price_off_grid: invalidNumber("precision"),
  total_too_small: invalidNumber("minimum_total"),
  client_order_id_taken: breaking("unique", "market.order.duplicate_client_order_id"),
  client_order_id_repeated: breaking("unique", "market.order.duplicate_client_order_id"),
  client_order_ids_exceeded: breaking("maximum", "market.order.client_order_ids_limit"),
  client_order_ids_full: breaking("maximum", "market.order.client_order_ids_venue_limit"),
  untraded_orders_exceeded: breaking("maximum", "market.order.untraded_orders_limit"),
  open_orders_exceeded: breaking("maximum", "market.order.open_orders_limit"),
  balance_insufficient: breaking("funds", "market.account.insufficient_balance"),
  order_not_found: breaking("known", "record.not_found"),
  cancel_timer_invalid: breaking("format", "market.order.invalid_timeout"),
  cancel_timers_exceeded: breaking("maximum", "market.order.cancel_timer_limit"),
  two_factor_on: unprocessable("resource.otp.already_enabled"),
  keys_exceeded: breaking("maximum", "resource.api_key.limit_exceeded"),
  two_factor_off: { status: 401, identifier: "authz.disabled_2fa" },
  withdraw_level_too_low: { status: 403, identifier: "account.withdraw.not_permitted" },
  withdrawals_stopped: unprocessable("account.withdraw.disabled_api"),
  beneficiary_not_found: NO_RECORD,
  beneficiary_not_active: breaking("state", "account.beneficiary.invalid_state_for_withdrawal"),
  beneficiary_on_hold: breaking("state", "account.beneficiary.on_hold"),
  otp_invalid: unprocessable("account.withdraw.invalid_otp"),
  withdrawal_disabled: breaking("state", "account.currency.withdrawal_disabled"),
  withdraw_balance_insufficient: breaking("funds", "account.withdraw.insufficient_balance"),
  withdraw_amount_invalid: unprocessable("account.withdraw.invalid_amount"),
  beneficiary_address_taken: breaking("unique", "account.beneficiary.duplicate_address"),
  beneficiaries_exceeded: breaking("maximum", "account.beneficiary.limit_exceeded"),
  beneficiary_not_pending: breaking("state", "account.beneficiary.cant_activate"),
  pin_sent_recently: unprocessable("account.beneficiary.cant_resend_within_1_minute"),
  pin_invalid: unprocessable("account.beneficiary.invalid_pin"),
  deposit_not_found: NO_RECORD,
  deposit_state_invalid: breaking("state", "admin.deposit.invalid_state"),
  reversal_made: breaking("unique", "admin.deposit.already_reversed"),
  payment_known: breaking("unique", "admin.deposit.duplicate_txid"),
  deposit_amount_invalid: unprocessable("admin.deposit.invalid_amount"),
  // The call is valid, and nothing has happened.
  deposit_check_stale: { status: 503, identifier: "server.unavailable" },
  withdraw_not_found: NO_RECORD,
  withdraw_state_invalid: breaking("state", "admin.withdraw.invalid_state"),
  member_locked: breaking("state", "admin.withdraw.member_locked"),
  txid_missing: breaking("required", "admin.withdraw.missing_txid"),
  beneficiary_disabled: breaking("state", "admin.withdraw.beneficiary_disabled"),
  member_not_found: breaking("known", "admin.member.doesnt_exist"),
  email_taken: breaking("unique", "admin.member.duplicate_email"),
  level_not_defined: breaking("known", "admin.member.invalid_level"),
  group_not_defined: breaking("known", "admin.member.invalid_group"),
  member_class_in_use: breaking("state", "admin.member_classes.in_use"),
  role_state_invalid: breaking("state", "admin.member.invalid_state"),
  role_without_factor: breaking("required", "admin.member.otp_required"),
  // Never sent: confirming an address fails with an error about its code.
  member_not_pending: breaking("state", "admin.member.invalid_state"),
  // Never sent either: the old password counts as wrong.
  credentials_changed: unprocessable("resource.password.prev_pass_not_correct"),
  key_not_found: NO_RECORD,
  key_over: breaking("state", "resource.api_key.disabled_for_good"),
  operator_key_last: breaking("state", "admin.api_key.last_operator"),
  key_taken: breaking("unique", "admin.api_key.duplicate_kid"),
  currency_not_found: breaking("known", "admin.currency.doesnt_exist"),
  currency_taken: breaking("unique", "admin.currency.duplicate_id"),
  currency_limit_exceeded: breaking("maximum", "admin.currency.limit_exceeded"),
  currency_code_invalid: breaking("format", "admin.currency.invalid_id"),
  currency_network_invalid: breaking("state", "admin.currency.invalid_network"),
  currency_network_not_found: breaking("known", "admin.currency.network_doesnt_exist"),
  currency_network_taken: breaking("unique", "admin.currency.duplicate_network"),
  currency_network_untagged: breaking("state", "admin.currency.network_without_tags"),
  currency_tag_invalid: breaking("state", "admin.currency.invalid_tag"),
  base_equals_quote: breaking("unique", "admin.market.base_equals_quote"),
  market_id_taken: breaking("unique", "admin.market.duplicate_id"),
  market_id_invalid: breaking("format", "admin.market.invalid_id"),
  market_taken: breaking("unique", "admin.market.duplicate_id"),
  market_reversed: breaking("unique", "admin.market.reverse_exists"),
  market_limit_exceeded: breaking("maximum", "admin.market.limit_exceeded"),
  precision_inexact: unprocessable("admin.venue.inexact_precision"),
  precision_frozen: breaking("state", "admin.venue.precision_in_use"),
  amount_off_precision: unprocessable("admin.venue.invalid_amount"),
  fee_above_minimum: breaking("below", "admin.currency.fee_above_minimum"),
  price_market_unfit: unprocessable("admin.currency.invalid_price_market"),
  price_stays: unprocessable("admin.currency.price_stays"),
  adjustment_too_large: unprocessable("admin.adjustment.above_maximum"),
  price_bounds_crossed: breaking("minimum", "admin.market.invalid_max_price"),
  pnl_currencies_invalid: breaking("maximum", "admin.settings.invalid_pnl_currencies"),
  withdraw_limit_contradicted: unprocessable("admin.venue.contradicting_limits"),
  table_row_not_found: NO_RECORD,
  fee_rate_invalid: breaking("maximum", "admin.trading_fee.invalid_rate"),
};

/** Answers a field that breaks a rule of its own. */
function breaking(rule: BrokenRule, identifier: string): ErrorAnswer {
  return { ...unprocessable(identifier), rule };
}

/** Answers an amount or price that the market does not take. */
function invalidNumber(rule: BrokenRule): ErrorAnswer {
  return { ...unprocessable("market.order.invalid_volume_or_price"), rule };
}

function unprocessable(identifier: string): ErrorAnswer {
  return { status: 422, identifier };
}
