/** History as plain arrays, to check a venue's answers against. */
import { apply } from "../../src/domain/apply.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { type Order, UNPLACED } from "../../src/domain/trading/order.ts";
import {
  makerTradeOf,
  type MarketTrade,
  marketTradeOf,
  type MemberTrade,
  takerTradeOf,
} from "../../src/domain/trading/trade_record.ts";
import { Venue } from "../../src/domain/venue.ts";
import type { Store } from "../../src/store/store.ts";
import { readEntries, readHead } from "../../src/store/log/venue_log.ts";

/** The history of a venue, built from its events alone. */
export class PlainRecord {
  readonly venue = new Venue({ nonceWindowMs: 5000, undo: null });
  readonly orders: Order[] = [];
  readonly trades = new Map<number, MemberTrade[]>();
  readonly marketTrades: MarketTrade[] = [];
  readonly #byOrder = new Map<number, MemberTrade[]>();

  /** Applies the events of the next entry. */
  take(events: readonly VenueEvent[], at: number): void {
    for (const event of events) {
      apply(this.venue, event, at);
      if (event.kind === "order_accepted") this.orders.push(this.venue.order(event.id));
      if (event.kind !== "trade") continue;
      this.marketTrades.push(marketTradeOf(event, at));
      const [made, taken] = [makerTradeOf(event, at), takerTradeOf(event, at)];
      const { ownTaker: _, ...shown } = made;
      add(this.trades, event.makerMember, shown);
      if (event.makerMember !== event.takerMember || event.isOwn) {
        add(this.trades, event.takerMember, taken);
      }
      for (const trade of [shown, taken]) add(this.#byOrder, trade.orderId, trade);
    }
  }

  /** Applies what the log of a store has beyond the present state. */
  async follow(store: Store): Promise<void> {
    const { value: head } = await readHead(store);
    const entries = readEntries(store, this.venue.sequence, head.sequence, null);
    for await (const { events, at } of entries) this.take(events, at);
  }

  /** Returns a member's trades, oldest first. */
  tradesOf(member: number): readonly MemberTrade[] {
    return this.trades.get(member) ?? [];
  }

  /** Returns an order's trades, oldest first. */
  tradesOfOrder(id: number): readonly MemberTrade[] {
    return this.#byOrder.get(id) ?? [];
  }
}

function add(groups: Map<number, MemberTrade[]>, key: number, trade: MemberTrade): void {
  const trades = groups.get(key) ?? [];
  groups.set(key, trades);
  trades.push(trade);
}

/** Returns an order without its links in a book and among its member's orders. */
export function plainOrder(order: Order): Omit<Order, keyof typeof UNPLACED> {
  const places = new Set(Object.keys(UNPLACED));
  return Object.fromEntries(
    Object.entries(order).filter(([name]) => !places.has(name)),
  ) as Omit<Order, keyof typeof UNPLACED>;
}
