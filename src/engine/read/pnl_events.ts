/** Picks the events that one member's profit and loss follows from. */
import type { Trade, VenueEvent } from "../../domain/event.ts";
import { hasEffect, isOfPnl, membersOf } from "../../domain/event_effects.ts";
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
    if (!isOfPnl(event)) return;
    if (!hasEffect(event, "movesFunds")) this.picked.push({ event, sequence });
    else if (membersOf(event).includes(this.#member)) this.#pickOwn(event, sequence);
    else if (event.kind === "trade") this.#takeOther(event, sequence);
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
