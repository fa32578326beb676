/** Picks the events that one member's profit and loss follows from. */
import type { Trade, VenueEvent } from "../../domain/event.ts";
import type { Entry } from "../../store/log/entry_codec.ts";

/** An event with its place in the log. */
export interface PlacedEvent<Event = VenueEvent> {
  readonly event: Event;
  readonly sequence: number;
}

/**
 * Returns the events that a member's profit and loss follows from, in order. Of other members'
 * trades only the prices matter: in each market the first trade, and the last one before each of
 * the member's events.
 */
export function pnlEventsOf(entries: readonly Entry[], member: number): PlacedEvent[] {
  const picker = new Picker(member);
  for (const { first, events } of entries) {
    for (let i = 0; i < events.length; i++) picker.take(events[i] as VenueEvent, first + i);
  }
  return picker.picked;
}

class Picker {
  readonly picked: PlacedEvent[] = [];
  readonly #member: number;
  /** Markets whose first trade has been picked. */
  readonly #traded = new Set<number>();
  /** The last trade of each market, if it has not been picked yet. */
  readonly #others = new Map<number, PlacedEvent<Trade>>();

  constructor(member: number) {
    this.#member = member;
  }

  take(event: VenueEvent, sequence: number): void {
    switch (event.kind) {
      case "trade": {
        const isOwn = event.makerMember === this.#member || event.takerMember === this.#member;
        return isOwn ? this.#pickOwn(event, sequence) : this.#takeOther(event, sequence);
      }
      case "balance_adjusted":
        return event.member === this.#member ? this.#pickOwn(event, sequence) : undefined;
      case "deposit_set":
        return event.deposit.member === this.#member ? this.#pickOwn(event, sequence) : undefined;
      case "withdraw_set":
        return event.withdraw.member === this.#member ? this.#pickOwn(event, sequence) : undefined;
      case "pnl_currencies_set":
      case "currency_set":
      case "market_set":
        this.picked.push({ event, sequence });
        return;
      default:
    }
  }

  #takeOther(event: Trade, sequence: number): void {
    if (this.#traded.has(event.market)) this.#others.set(event.market, { event, sequence });
    else {
      this.#traded.add(event.market);
      this.picked.push({ event, sequence });
    }
  }

  #pickOwn(event: VenueEvent, sequence: number): void {
    if (event.kind === "trade") this.#traded.add(event.market);
    if (this.#others.size > 0) {
      this.picked.push(...this.#others.values());
      this.#others.clear();
    }
    this.picked.push({ event, sequence });
  }
}
