/** Finds the rows that a window of the log touches, by what is in them. */
import { type ByKind, forEvent, type VenueEvent } from "../../domain/event.ts";
import { membersOf, ordersSetBy } from "../../domain/event_effects.ts";
import type { WithdrawLimitName } from "../../domain/money/withdraw_limits.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../domain/people/member.ts";
import type { FeeName } from "../../domain/trading/fees.ts";

/** What the events of a window name. */
export class TouchedItems {
  readonly orders = new Set<number>();
  readonly members = new Set<number>([FEES_MEMBER, OUTSIDE_MEMBER]);
  readonly markets = new Set<number>();
  readonly keys = new Set<number>();
  readonly currencies = new Set<number>();
  readonly deposits = new Set<number>();
  readonly withdraws = new Set<number>();
  readonly beneficiaries = new Set<number>();
  readonly fees = new Set<FeeName>();
  readonly limits = new Set<WithdrawLimitName>();

  /** Adds what one event names. */
  note(event: VenueEvent): void {
    for (const { id } of ordersSetBy(event)) this.orders.add(id);
    for (const member of membersOf(event)) this.members.add(member);
    forEvent(NAMED, event)(event, this);
  }
}

/** Adds what an event names besides its orders and the members whom it concerns. */
const NAMED: ByKind<[touched: TouchedItems], void> = {
  nonce_spent: nothing,
  order_accepted: ({ market }, { markets }) => markets.add(market),
  order_triggered: nothing,
  order_rested: nothing,
  trade: ({ market }, { markets }) => markets.add(market),
  order_closed: nothing,
  balance_adjusted: nothing,
  member_set: ({ member }, { members }) => members.add(member.index),
  key_set: ({ key }, { keys }) => keys.add(key.index),
  currency_set: ({ currency }, { currencies }) => currencies.add(currency.index),
  market_set: ({ market }, { markets }) => markets.add(market.index),
  fee_set: ({ row }, { fees }) => fees.add(row),
  fee_deleted: ({ row }, { fees }) => fees.add(row),
  levels_set: nothing,
  deposit_set: ({ deposit: { id, currency } }, { deposits, currencies }) => {
    deposits.add(id);
    currencies.add(currency);
  },
  withdraw_set: ({ withdraw }, { withdraws }) => withdraws.add(withdraw.id),
  beneficiary_set: ({ beneficiary }, { beneficiaries }) => beneficiaries.add(beneficiary.id),
  withdraw_limit_set: ({ row }, { limits }) => limits.add(row),
  withdraw_limit_deleted: ({ row }, { limits }) => limits.add(row),
  switches_set: nothing,
  pnl_currencies_set: nothing,
  settings_set: nothing,
  act_noted: nothing,
  deposit_address_made: nothing,
};

function nothing(): void {}
