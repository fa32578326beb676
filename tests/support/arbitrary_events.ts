import fc from "fast-check";
import type { EventKind, EventOf, VenueEvent } from "../../src/domain/event.ts";
import {
  KEY_STATES,
  MEMBER_STATES,
  NONCE_MODES,
  OPERATOR_ROLES,
  ROLES,
  SCOPES,
} from "../../src/domain/people/member.ts";
import { MARKET_STATES } from "../../src/domain/trading/market.ts";
import {
  CLOSE_REASONS,
  type Order,
  ORDER_STATES,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../src/domain/trading/order.ts";
import type { MarketTrade, MemberTrade } from "../../src/domain/trading/trade_record.ts";
import { MONEY_EVENTS } from "./arbitrary_money_events.ts";
import { NAME_FORMS } from "../../src/domain/money/currency.ts";
import { TAG_KINDS, TAG_NAMES } from "../../src/domain/money/tag.ts";

/** Timestamp of the entry that holds the events, in ms. */
export const EVENTS_AT = Date.UTC(2030, 0, 1);

const uint = fc.oneof(fc.nat(), fc.maxSafeNat());
const amount = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n }),
);
const text = fc.string({ unit: "binary", maxLength: 40 });
const side = fc.constantFrom(...SIDES);

const terms = {
  market: uint,
  side,
  type: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  selfTrade: fc.constantFrom(...SELF_TRADE_PREVENTIONS),
  price: uint,
  triggerPrice: uint,
  volume: uint,
  clientOrderId: text,
};

const member = fc.record({
  index: uint,
  uid: text,
  level: uint,
  group: text,
  state: fc.constantFrom(...MEMBER_STATES),
  bulkOrdersMax: uint,
  openOrdersMax: uint,
  untradedOrdersMax: uint,
  marketOrdersEnabled: fc.boolean(),
  hasTwoFactor: fc.boolean(),
  otpStep: uint,
  emailDigest: text,
  createdAt: uint,
  credentialsChangedAt: uint,
  generation: uint,
  operator: fc.record({ role: fc.constantFrom(...OPERATOR_ROLES), generation: uint }),
});

const key = fc.record({
  index: uint,
  kid: text,
  member: uint,
  role: fc.constantFrom(...ROLES),
  scopes: fc.subarray([...SCOPES]),
  state: fc.constantFrom(...KEY_STATES),
  nonceMode: fc.constantFrom(...NONCE_MODES),
  createdAt: uint,
  updatedAt: uint,
  needsTwoFactor: fc.constant(true as const),
  generation: uint,
  cancelTimers: fc.array(fc.record({ id: uint, at: uint })),
});

const currency = fc.record({
  index: uint,
  id: text,
  name: text,
  description: text,
  homepage: text,
  type: fc.constantFrom("coin" as const, "fiat" as const),
  nameForm: fc.constantFrom(...NAME_FORMS),
  tag: fc.record({ name: fc.constantFrom(...TAG_NAMES), kind: fc.constantFrom(...TAG_KINDS) }),
  precision: uint,
  price: amount,
  position: uint,
  visible: fc.boolean(),
  depositEnabled: fc.boolean(),
  withdrawalEnabled: fc.boolean(),
  tradingEnabled: fc.boolean(),
  depositFee: amount,
  minDepositAmount: amount,
  withdrawFee: amount,
  minWithdrawAmount: amount,
  withdrawLimit24h: fc.option(amount),
  withdrawLimit72h: fc.option(amount),
  priceMarket: fc.option(text),
  pricedAt: uint,
  minConfirmations: uint,
  explorerTransaction: text,
  explorerAddress: text,
  iconUrl: text,
});

const market = fc.record({
  index: uint,
  id: text,
  name: text,
  base: uint,
  quote: uint,
  pricePrecision: uint,
  amountPrecision: uint,
  minPrice: uint,
  maxPrice: uint,
  minAmount: uint,
  minTotal: amount,
  state: fc.constantFrom(...MARKET_STATES),
  position: uint,
});

function kind<K extends EventKind>(name: K): { readonly kind: fc.Arbitrary<K> } {
  return { kind: fc.constant(name) };
}

/** Arbitrary events by kind; a missing kind is a type error. */
export const EVENTS: {
  readonly [K in EventKind]: fc.Arbitrary<EventOf<K>>;
} = {
  nonce_spent: fc.record({
    ...kind("nonce_spent"),
    key: uint,
    nonce: fc.integer({ min: -60_000, max: 60_000 }).map((distance) => EVENTS_AT + distance),
    digest: uint,
  }),
  order_accepted: fc.record({
    ...kind("order_accepted"),
    ...terms,
    id: uint,
    member: uint,
    makerFee: uint,
    takerFee: uint,
    orderLocked: amount,
    keepsFees: fc.boolean(),
    available: amount,
    locked: amount,
    resting: fc.boolean(),
  }),
  order_triggered: fc.record({ ...kind("order_triggered"), id: uint, member: uint }),
  order_rested: fc.record({ ...kind("order_rested"), id: uint, member: uint }, {
    requiredKeys: ["kind", "id"],
  }),
  trade: fc.record({
    ...kind("trade"),
    id: uint,
    market: uint,
    price: uint,
    volume: uint,
    takerSide: side,
    isOwn: fc.boolean(),
    maker: uint,
    taker: uint,
    makerMember: uint,
    takerMember: uint,
    makerFee: uint,
    takerFee: uint,
    makerLocked: amount,
    takerLocked: amount,
    buyerQuoteAvailable: amount,
    buyerQuoteLocked: amount,
    buyerBaseAvailable: amount,
    sellerBaseLocked: amount,
    sellerQuoteAvailable: amount,
    feesBaseAvailable: amount,
    feesQuoteAvailable: amount,
  }).map(({ isOwn, ...trade }) => isOwn ? { ...trade, isOwn } : trade),
  order_closed: fc.record({
    ...kind("order_closed"),
    id: uint,
    member: uint,
    state: fc.constantFrom("cancel" as const, "reject" as const),
    reason: fc.constantFrom(...CLOSE_REASONS),
    available: amount,
    locked: amount,
    untraded: uint,
  }),
  balance_adjusted: fc.record({
    ...kind("balance_adjusted"),
    id: uint,
    member: uint,
    currency: uint,
    amount,
    available: amount,
    outsideAvailable: amount,
  }),
  member_set: fc.record({ ...kind("member_set"), member }),
  key_set: fc.record({ ...kind("key_set"), key }),
  currency_set: fc.record({ ...kind("currency_set"), currency }),
  market_set: fc.record({ ...kind("market_set"), market }),
  fee_set: fc.record({
    ...kind("fee_set"),
    row: fc.record({ market: fc.integer({ min: -1 }), group: text, maker: uint, taker: uint }),
  }),
  fee_deleted: fc.record({
    ...kind("fee_deleted"),
    row: fc.record({ market: fc.integer({ min: -1 }), group: text }),
  }),
  levels_set: fc.record({
    ...kind("levels_set"),
    levels: fc.record({ deposit: uint, withdraw: uint, trading: uint }),
  }),
  ...MONEY_EVENTS,
};

/** An arbitrary event. */
export const ANY_EVENT: fc.Arbitrary<VenueEvent> = fc.oneof(
  ...Object.values(EVENTS) as fc.Arbitrary<VenueEvent>[],
);

/** An arbitrary order that is in no book. */
export const ANY_ORDER: fc.Arbitrary<Order> = fc.record({
  ...terms,
  id: uint,
  member: uint,
  makerFee: uint,
  takerFee: uint,
  createdAt: fc.nat(),
  remaining: uint,
  locked: amount,
  quoteMoved: amount,
  feesPaid: fc.option(amount),
  tradesCount: uint,
  firstTrade: uint,
  lastTrade: uint,
  state: fc.constantFrom(...ORDER_STATES),
  reason: fc.constantFrom(...CLOSE_REASONS),
  updatedAt: fc.nat(),
  priority: uint,
  level: fc.constant(null),
  previous: fc.constant(null),
  next: fc.constant(null),
  memberPrevious: fc.constant(null),
  memberNext: fc.constant(null),
});

const trade = {
  id: uint,
  market: uint,
  price: uint,
  volume: uint,
  takerSide: side,
  at: uint,
};

/** An arbitrary trade of a market. */
export const ANY_MARKET_TRADE: fc.Arbitrary<MarketTrade> = fc.record(trade);

/** An arbitrary trade of a member. */
export const ANY_MEMBER_TRADE: fc.Arbitrary<MemberTrade> = fc.record({
  ...trade,
  side,
  orderId: uint,
  feeRate: uint,
  liquidity: fc.constantFrom("maker" as const, "taker" as const),
  ownTaker: fc.option(fc.record({ orderId: uint, feeRate: uint })),
}).map(({ ownTaker, ...one }) => ownTaker === null ? one : { ...one, ownTaker });
