/**
 * What an event of each kind does: whom it concerns, which messages of theirs it counts, which orders
 * and accounts it sets, whether it moves funds. State, rows and streams all go by this.
 */
import type { EventKind, EventOf, FundsEvent, MoneyBalances, Trade, VenueEvent } from "./event.ts";
import { lockedCurrency, type Market } from "./trading/market.ts";
import type { Order, Side } from "./trading/order.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "./people/member.ts";

/** An account: whose and of which currency. */
export interface AccountName {
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
}

/** An account that an event sets; of a half that is null it says nothing. In ledger units. */
export interface AccountSet extends AccountName {
  readonly available: bigint | null;
  readonly locked: bigint | null;
}

/** An order whose state an event sets; without a member, nobody is told. */
export interface OrderSet {
  readonly id: number;
  readonly member?: number | undefined;
}

/** The messages that one event makes for a member. */
export interface MadeMessages {
  /** States that orders of the member have entered. */
  readonly orders: number;
  /** Accounts of the member that were touched. */
  readonly accounts: number;
  readonly trades: number;
}

/** What an event refers to, as it is right before it. */
export interface EventScene {
  book(index: number): { readonly market: Market };
  /** Returns undefined for an order that nothing is known of any more. */
  order(id: number): Pick<Order, "market" | "side"> | undefined;
}

/** What events of one kind do; what is absent they don't. */
interface Effects<Event> {
  /** The members whom it concerns. */
  readonly members?: (event: Event) => readonly number[];
  /** What each of them is told in the streams that the log numbers. */
  readonly messages?: (event: Event) => MadeMessages;
  /** The orders whose state it sets; of a trade, the maker first. */
  readonly orders?: (event: Event) => readonly OrderSet[];
  /** The accounts that it sets, in this order; of a trade, one with oneself sets some twice. */
  readonly accounts?: (event: Event, scene: EventScene) => readonly AccountSet[];
  /** Whether it may change what an account holds, available and locked together. */
  readonly movesFunds?: true;
  /** Whether it may change what an order book shows. */
  readonly changesBook?: true;
  /** Whether it names currencies or markets, by which profit and loss is kept. */
  readonly definesPnl?: true;
}

const NOTHING: MadeMessages = { orders: 0, accounts: 0, trades: 0 };
const ORDER: MadeMessages = { ...NOTHING, orders: 1 };
const ACCOUNT: MadeMessages = { ...NOTHING, accounts: 1 };
const ORDER_AND_ACCOUNT: MadeMessages = { ...ORDER, accounts: 1 };
const TRADE: MadeMessages = { orders: 1, accounts: 2, trades: 1 };
/** Of a trade with oneself; entries of formats before 4 count one trade. */
const OWN_TRADE: MadeMessages = { orders: 2, accounts: 2, trades: 2 };
const OLDER_OWN_TRADE: MadeMessages = { ...OWN_TRADE, trades: 1 };

const EFFECTS = {
  nonce_spent: {},
  order_accepted: {
    members: ({ member }) => [member],
    messages: () => ORDER_AND_ACCOUNT,
    orders: (event) => [event],
    accounts: (event, scene) => [lockOf(event, scene.book(event.market).market, event.side)],
    changesBook: true,
  },
  order_triggered: {
    members: ({ member }) => [member],
    messages: () => ORDER,
    orders: (event) => [event],
  },
  order_rested: {
    members: ({ member }) => member === undefined ? [] : [member],
    messages: () => ORDER,
    orders: (event) => [event],
    changesBook: true,
  },
  trade: {
    members: ({ makerMember, takerMember }) =>
      makerMember === takerMember ? [makerMember] : [makerMember, takerMember],
    messages: ({ makerMember, takerMember, isOwn }) => {
      if (makerMember !== takerMember) return TRADE;
      return isOwn ? OWN_TRADE : OLDER_OWN_TRADE;
    },
    orders: ({ maker, makerMember, taker, takerMember }) => [
      { id: maker, member: makerMember },
      { id: taker, member: takerMember },
    ],
    accounts: (event, scene) => tradeAccounts(event, scene.book(event.market).market),
    movesFunds: true,
    changesBook: true,
  },
  order_closed: {
    members: ({ member }) => [member],
    messages: () => ORDER_AND_ACCOUNT,
    orders: (event) => [event],
    accounts: (event, scene) => {
      const order = scene.order(event.id);
      return order === undefined
        ? []
        : [lockOf(event, scene.book(order.market).market, order.side)];
    },
    changesBook: true,
  },
  balance_adjusted: {
    members: ({ member }) => [member],
    messages: () => ACCOUNT,
    accounts: ({ member, currency, available, outsideAvailable }) => [
      { member, currency, available, locked: null },
      { member: OUTSIDE_MEMBER, currency, available: outsideAvailable, locked: null },
    ],
    movesFunds: true,
  },
  member_set: {},
  key_set: {},
  currency_set: { definesPnl: true },
  market_set: { definesPnl: true },
  fee_set: {},
  fee_deleted: {},
  levels_set: {},
  deposit_set: {
    members: ({ deposit }) => [deposit.member],
    messages: () => ACCOUNT,
    accounts: (event) => fundsAccounts(event.deposit, event),
    movesFunds: true,
  },
  withdraw_set: {
    members: ({ withdraw }) => [withdraw.member],
    messages: () => ACCOUNT,
    accounts: (event) => fundsAccounts(event.withdraw, event),
    movesFunds: true,
  },
  beneficiary_set: {},
  withdraw_limit_set: {},
  withdraw_limit_deleted: {},
  switches_set: {},
  pnl_currencies_set: { definesPnl: true },
  settings_set: {},
  act_noted: {},
  // Its stream isn't numbered by the log.
  deposit_address_made: {},
} satisfies { readonly [Kind in EventKind]: Effects<EventOf<Kind>> };

function lockOf(
  { member, available, locked }: Omit<AccountSet, "currency">,
  market: Market,
  side: Side,
): AccountSet {
  return { member, currency: lockedCurrency(market, { side }), available, locked };
}

function tradeAccounts(event: Trade, { base, quote }: Market): AccountSet[] {
  const takerBuys = event.takerSide === "buy";
  const buyer = takerBuys ? event.takerMember : event.makerMember;
  const seller = takerBuys ? event.makerMember : event.takerMember;
  const { buyerBaseAvailable, buyerQuoteAvailable, buyerQuoteLocked } = event;
  const { sellerBaseLocked, sellerQuoteAvailable, feesBaseAvailable, feesQuoteAvailable } = event;
  return [
    { member: buyer, currency: base, available: buyerBaseAvailable, locked: null },
    { member: seller, currency: base, available: null, locked: sellerBaseLocked },
    { member: buyer, currency: quote, available: buyerQuoteAvailable, locked: buyerQuoteLocked },
    // After the buyer's: what one earns by a trade with oneself is credited last.
    { member: seller, currency: quote, available: sellerQuoteAvailable, locked: null },
    { member: FEES_MEMBER, currency: base, available: feesBaseAvailable, locked: null },
    { member: FEES_MEMBER, currency: quote, available: feesQuoteAvailable, locked: null },
  ];
}

function fundsAccounts({ member, currency }: AccountName, after: MoneyBalances): AccountSet[] {
  const { available, locked, feesAvailable, outsideAvailable } = after;
  return [
    { member, currency, available, locked },
    { member: FEES_MEMBER, currency, available: feesAvailable, locked: null },
    { member: OUTSIDE_MEMBER, currency, available: outsideAvailable, locked: null },
  ];
}

/** All effects of a kind of event, in one shape for all kinds, since each event is asked for them. */
type AllEffects = {
  readonly [Effect in keyof Effects<VenueEvent>]-?: Effects<VenueEvent>[Effect] extends
    true | undefined ? boolean
    : NonNullable<Effects<VenueEvent>[Effect]>;
};

const NONE: AllEffects = {
  members: () => [],
  messages: () => NOTHING,
  orders: () => [],
  accounts: () => [],
  movesFunds: false,
  changesBook: false,
  definesPnl: false,
};

const BY_KIND = Object.fromEntries(
  Object.entries(EFFECTS).map(([kind, effects]) => [kind, { ...NONE, ...effects }]),
) as unknown as { readonly [Kind in EventKind]: AllEffects };

/** The events that have an effect. */
export type EventWith<Effect extends keyof AllEffects> = EventOf<
  { [Kind in EventKind]: Effect extends keyof typeof EFFECTS[Kind] ? Kind : never }[EventKind]
>;

/** Whether events of this kind have an effect. */
export function hasEffect<Effect extends keyof AllEffects>(
  event: VenueEvent,
  effect: Effect,
): event is EventWith<Effect> {
  return BY_KIND[event.kind][effect] !== NONE[effect];
}

/** The events that profit and loss follows from. */
export type PnlEvent = EventWith<"movesFunds"> | EventWith<"definesPnl">;

/** Whether profit and loss follows from an event. */
export function isOfPnl(event: VenueEvent): event is PnlEvent {
  return hasEffect(event, "movesFunds") || hasEffect(event, "definesPnl");
}

/** Returns the members whom an event concerns: those who are told of it. */
export function membersOf(event: VenueEvent): readonly number[] {
  return BY_KIND[event.kind].members(event);
}

/** Returns the messages that an event makes for each member whom it concerns. */
export function messagesForEach(event: VenueEvent): MadeMessages {
  return BY_KIND[event.kind].messages(event);
}

/** Returns the messages that an event makes for a member. */
export function messagesOf(event: VenueEvent, member: number): MadeMessages {
  return membersOf(event).includes(member) ? messagesForEach(event) : NOTHING;
}

/** Returns the orders whose state an event sets; of a trade, the maker first. */
export function ordersSetBy(event: VenueEvent): readonly OrderSet[] {
  return BY_KIND[event.kind].orders(event);
}

/** Returns the ids of those of a member. */
export function ordersOf(event: VenueEvent, member: number): readonly number[] {
  return ordersSetBy(event).filter((order) => order.member === member).map(({ id }) => id);
}

/** Returns the accounts that an event sets, in this order, each with what it holds afterwards. */
export function accountsSetBy(event: VenueEvent, scene: EventScene): readonly AccountSet[] {
  return BY_KIND[event.kind].accounts(event, scene);
}

/** Returns the account of the member whose funds an event moves. */
export function accountOf(event: FundsEvent): AccountName {
  switch (event.kind) {
    case "deposit_set":
      return event.deposit;
    case "withdraw_set":
      return event.withdraw;
    case "balance_adjusted":
      return event;
  }
}
