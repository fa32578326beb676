import { assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../src/domain/apply.ts";
import { InvariantError } from "../../src/domain/assert.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { Venue } from "../../src/domain/venue.ts";
import {
  moneyEvents,
  operatingEvents,
  RECORDED_STREAMS,
  tradingEvents,
} from "../support/recorded_events.ts";
import { assertEachCounted, assertEachUndone } from "../support/stepped_events.ts";

describe("every event", () => {
  for (const [name, events] of Object.entries(RECORDED_STREAMS)) {
    it(`is undone without a trace: ${name}`, () => assertEachUndone(events()));
    it(`makes as many messages as it claims: ${name}`, () => assertEachCounted(events()));
  }

  it("is refused if its number leaves a gap or repeats", () => {
    for (const events of [tradingEvents(), operatingEvents(), moneyEvents()]) {
      const kinds = new Set<string>();
      events.forEach(({ event, at }, place) => {
        if (kinds.has(event.kind)) return;
        kinds.add(event.kind);
        for (const step of [1, -1]) {
          const other = renumbered(event, step);
          if (other === null) continue;
          const venue = new Venue({ nonceWindowMs: 5000, undo: null });
          for (const earlier of events.slice(0, place)) apply(venue, earlier.event, earlier.at);
          assertThrows(() => apply(venue, other, at), InvariantError, "no gap", event.kind);
        }
      });
    }
  });
});

/** Returns an event with its number raised by `step`; null if it has none. */
function renumbered(event: VenueEvent, step: number): VenueEvent | null {
  switch (event.kind) {
    case "order_accepted":
    case "balance_adjusted":
    case "act_noted":
    case "trade":
      return { ...event, id: event.id + step };
    case "deposit_set":
      return { ...event, deposit: { ...event.deposit, id: event.deposit.id + step } };
    case "withdraw_set":
      return { ...event, withdraw: { ...event.withdraw, id: event.withdraw.id + step } };
    case "beneficiary_set": {
      const { beneficiary } = event;
      return { ...event, beneficiary: { ...beneficiary, id: beneficiary.id + step } };
    }
    default:
      return null;
  }
}
