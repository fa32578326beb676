/** Records as large as their declared limits allow. */
import type { Currency } from "../../src/domain/money/currency.ts";
import { type Withdraw, WITHDRAW_STATES } from "../../src/domain/money/withdraw.ts";
import { type Deposit, DEPOSIT_STATES } from "../../src/domain/money/deposit.ts";
import {
  CANCEL_TIMERS_PER_KEY_MAX,
  CLIENT_ORDER_ID_LENGTH_MAX,
  CURRENCIES_MAX,
  FEE_RATE_MAX_PPM,
  ORDER_LOTS_MAX,
  ORDER_TICKS_MAX,
} from "../../src/domain/limits.ts";
import type { ApiKey, Member } from "../../src/domain/people/member.ts";
import { LEDGER_DIGITS, WHOLE_DIGITS_MAX } from "../../src/domain/money/money.ts";
import type { Order } from "../../src/domain/trading/order.ts";
import type { MemberTrade } from "../../src/domain/trading/trade_record.ts";

/** Maximum lengths that the interfaces accept, in characters. */
export const NAME_LENGTH = 64;
export const TEXT_LENGTH = 1000;
export const TXID_LENGTH = 256;

export const UINT = Number.MAX_SAFE_INTEGER;
/** The largest amount of one call or one transaction, in ledger units. */
export const AMOUNT = 10n ** BigInt(WHOLE_DIGITS_MAX + LEDGER_DIGITS);
/** The sum of one such amount per sequence. */
export const BALANCE = AMOUNT * BigInt(UINT);
/** Turnover of one largest trade per sequence, in ledger units, and its value. */
export const TURNOVER = BigInt(ORDER_TICKS_MAX) * BigInt(ORDER_LOTS_MAX) * 10n ** 16n *
  BigInt(UINT);
export const WORTH = TURNOVER * BigInt(ORDER_TICKS_MAX);
export const AVERAGE = WORTH * 10n ** BigInt(LEDGER_DIGITS);

/** Returns a text that takes the most bytes possible for its length. */
export function wide(length: number): string {
  return "\uffee".repeat(length);
}

export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

export const MEMBER: Omit<Member, "index"> = {
  uid: wide(NAME_LENGTH),
  level: 99,
  group: wide(NAME_LENGTH),
  state: "pending",
  bulkOrdersMax: UINT,
  openOrdersMax: UINT,
  untradedOrdersMax: UINT,
  marketOrdersEnabled: false,
  hasTwoFactor: false,
  otpStep: UINT,
  credentialsChangedAt: UINT,
  generation: UINT,
  emailDigest: "x".repeat(NAME_LENGTH),
  createdAt: UINT,
};

export const KEY: Omit<ApiKey, "index"> = {
  kid: "x".repeat(NAME_LENGTH),
  member: UINT,
  role: "operator",
  scopes: ["read", "trade", "withdraw"],
  state: "disabled",
  nonceMode: "request",
  createdAt: UINT,
  updatedAt: UINT,
  needsTwoFactor: true,
  generation: UINT,
  cancelTimers: times(CANCEL_TIMERS_PER_KEY_MAX, () => ({ id: UINT, at: UINT })),
};

export const CURRENCY: Currency = {
  index: 0,
  id: wide(NAME_LENGTH),
  name: wide(NAME_LENGTH),
  description: wide(TEXT_LENGTH),
  homepage: wide(TEXT_LENGTH),
  type: "coin",
  precision: 16,
  price: AMOUNT,
  position: UINT,
  visible: false,
  depositEnabled: false,
  withdrawalEnabled: false,
  tradingEnabled: false,
  depositFee: AMOUNT,
  minDepositAmount: AMOUNT,
  withdrawFee: AMOUNT,
  minWithdrawAmount: AMOUNT,
  withdrawLimit24h: AMOUNT,
  withdrawLimit72h: AMOUNT,
  priceMarket: wide(64),
  pricedAt: UINT,
  minConfirmations: UINT,
  explorerTransaction: wide(TEXT_LENGTH),
  explorerAddress: wide(TEXT_LENGTH),
  iconUrl: wide(TEXT_LENGTH),
};

export const MARKET = {
  index: 0,
  id: wide(2 * NAME_LENGTH),
  name: wide(2 * NAME_LENGTH + 1),
  base: CURRENCIES_MAX,
  quote: CURRENCIES_MAX,
  pricePrecision: 10,
  amountPrecision: 10,
  minPrice: ORDER_TICKS_MAX,
  maxPrice: ORDER_TICKS_MAX,
  minAmount: ORDER_LOTS_MAX,
  minTotal: AMOUNT,
  isUsed: true,
  state: "cancel_only",
  position: UINT,
} as const;

export function orderOf(id: number): Order {
  return {
    id,
    member: UINT,
    market: UINT,
    side: "sell",
    type: "limit",
    timeInForce: "gtc",
    selfTrade: "cancel_newest",
    price: ORDER_TICKS_MAX,
    triggerPrice: ORDER_TICKS_MAX,
    volume: ORDER_LOTS_MAX,
    clientOrderId: wide(CLIENT_ORDER_ID_LENGTH_MAX),
    makerFee: FEE_RATE_MAX_PPM,
    takerFee: FEE_RATE_MAX_PPM,
    createdAt: UINT,
    remaining: ORDER_LOTS_MAX,
    locked: BALANCE,
    quoteMoved: BALANCE,
    feesPaid: BALANCE,
    tradesCount: UINT,
    firstTrade: UINT,
    lastTrade: UINT,
    state: "wait",
    reason: "",
    updatedAt: UINT,
    priority: UINT,
    level: null,
    previous: null,
    next: null,
    memberPrevious: null,
    memberNext: null,
  };
}

export function tradeOf(id: number): MemberTrade {
  const trade = { id, market: UINT, price: ORDER_TICKS_MAX, volume: ORDER_LOTS_MAX, at: UINT };
  const own = { side: "sell", orderId: UINT, feeRate: FEE_RATE_MAX_PPM } as const;
  return { ...trade, takerSide: "sell", ...own, liquidity: "maker" };
}

export function moneyOf(id: number): Deposit {
  return {
    id,
    member: UINT,
    currency: CURRENCIES_MAX,
    amount: AMOUNT,
    fee: AMOUNT,
    txid: wide(TXID_LENGTH),
    output: UINT,
    confirmations: UINT,
    state: DEPOSIT_STATES[0],
    createdAt: UINT,
    updatedAt: UINT,
    completedAt: UINT,
  };
}

export function withdrawOf(id: number): Withdraw {
  const { output: _output, completedAt: _completedAt, ...money } = moneyOf(id);
  const more = { beneficiary: UINT, isApproved: true, claims: UINT, doneAt: UINT };
  return { ...money, ...more, state: WITHDRAW_STATES[0] };
}
