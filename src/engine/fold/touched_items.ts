/** Finds the orders, members and definitions that a window of the log touches. */
import type { VenueEvent } from "../../domain/event.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../domain/people/member.ts";

/** What the events of a window name. */
export class TouchedItems {
  readonly orders = new Set<number>();
  readonly members = new Set<number>([FEES_MEMBER, OUTSIDE_MEMBER]);
  readonly markets = new Set<number>();
  readonly keys = new Set<number>();
  readonly currencies = new Set<number>();

  /** Adds what one event names. */
  note(event: VenueEvent): void {
    switch (event.kind) {
      case "order_accepted":
        this.orders.add(event.id);
        this.members.add(event.member);
        this.markets.add(event.market);
        break;
      case "order_triggered":
      case "order_rested":
      case "order_closed":
        this.orders.add(event.id);
        break;
      case "trade":
        this.orders.add(event.maker).add(event.taker);
        this.members.add(event.makerMember).add(event.takerMember);
        this.markets.add(event.market);
        break;
      case "balance_adjusted":
        this.members.add(event.member);
        break;
      case "deposit_set":
        this.members.add(event.deposit.member);
        this.currencies.add(event.deposit.currency);
        break;
      case "withdraw_set":
        this.members.add(event.withdraw.member);
        break;
      case "member_set":
        this.members.add(event.member.index);
        break;
      case "market_set":
        this.markets.add(event.market.index);
        break;
      case "key_set":
        this.keys.add(event.key.index);
        break;
      case "currency_set":
        this.currencies.add(event.currency.index);
        break;
      default:
    }
  }
}
