import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import { emptyAccount } from "../../../src/domain/money/account.ts";
import { membersOf, messagesOf } from "../../../src/domain/event_effects.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { Venue } from "../../../src/domain/venue.ts";
import type { WireSource } from "../../../src/edge/wire/wire.ts";
import { dropEnded } from "../../../src/engine/ended_records.ts";
import type { LoggedEvent } from "../../../src/engine/engine.ts";
import {
  LOGGED_STREAMS,
  type Moment,
  privateMessages,
} from "../../../src/sockets/streams/private_messages.ts";
import { RECORDED_STREAMS } from "../../support/recorded_events.ts";

function momentOf(venue: Venue, member: number): Moment {
  const { accounts, messages, tradesCount } = venue.holder(member);
  return {
    counts: { ...messages, trade: tradesCount },
    isWhole: true,
    order: (id) =>
      venue.orders.get(id) ?? venue.endedOrders.find((order) => order.id === id) as Order,
    account: (currency) => accounts[currency] ?? emptyAccount(),
  };
}

/** Returns how many messages a member's streams have of an event, in their order. */
function toldOf(venue: Venue, happened: LoggedEvent, member: number): number[] {
  const source = { venue } as WireSource;
  const moment = momentOf(venue, member);
  return LOGGED_STREAMS.map((stream) =>
    privateMessages(source, stream, happened, member, moment).length
  );
}

describe("an event", () => {
  for (const [name, events] of Object.entries(RECORDED_STREAMS)) {
    it(`is told to exactly those whom it concerns: ${name}`, () => {
      const venue = new Venue({ nonceWindowMs: 5000, undo: null });
      for (const { event, at } of events()) {
        apply(venue, event, at);
        const happened = { event, sequence: venue.sequence, at };
        const told: number[] = [];
        for (const { member: { index } } of venue.members()) {
          const counts = toldOf(venue, happened, index);
          if (counts.some((count) => count > 0)) told.push(index);
          const { orders, accounts, trades } = messagesOf(event, index);
          const isOf = (kind: string) => accounts > 0 && event.kind === kind ? 1 : 0;
          const money = [isOf("deposit_set"), isOf("withdraw_set")];
          const expected = [trades, orders, ...money, Math.sign(accounts), accounts];
          assertEquals(counts, expected, event.kind);
        }
        assertEquals(told, [...membersOf(event)].sort((a, b) => a - b), event.kind);
        dropEnded(venue);
      }
    });
  }
});
