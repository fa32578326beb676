import { assertEquals } from "@std/assert";
import { apply } from "../../src/domain/apply.ts";
import { FIRST_MEMBER } from "../../src/domain/people/member.ts";
import { messagesOf } from "../../src/domain/event_effects.ts";
import { UndoLog } from "../../src/domain/undo_log.ts";
import { Venue } from "../../src/domain/venue.ts";
import { dropEnded } from "../../src/engine/ended_records.ts";
import { STREAM_CLIENT_ORDER_IDS } from "./random_command.ts";
import { stateText } from "./state_text.ts";
import type { RecordedEvent } from "./test_sink.ts";

/** Asserts that each event can be undone without a trace: applies, undoes and reapplies it. */
export function assertEachUndone(events: readonly RecordedEvent[]): void {
  const undo = new UndoLog();
  const venue = new Venue({ nonceWindowMs: 5000, undo });
  for (const { event, at } of events) {
    const before = shown(venue, at);
    apply(venue, event, at);
    undo.rollback(0);
    assertEquals(shown(venue, at), before, `${event.kind} at ${venue.sequence + 1}`);
    apply(venue, event, at);
    undo.clear(venue.time);
    dropEnded(venue);
  }
}

/** Asserts that each event changes all members' message counts as `messagesOf` says. */
export function assertEachCounted(events: readonly RecordedEvent[]): void {
  const venue = new Venue({ nonceWindowMs: 5000, undo: null });
  for (const { event, at } of events) {
    const before = venue.members().map(({ messages, tradesCount }) => ({
      ...messages,
      trade: tradesCount,
    }));
    apply(venue, event, at);
    for (const { member, messages, tradesCount } of venue.members()) {
      const old = before[member.index - FIRST_MEMBER] ??
        { order: 0, balances: 0, balance: 0, trade: 0 };
      const { orders, accounts, trades } = messagesOf(event, member.index);
      assertEquals({ ...messages, trade: tradesCount }, {
        order: old.order + orders,
        balances: old.balances + Math.min(accounts, 1),
        balance: old.balance + accounts,
        trade: old.trade + trades,
      }, `${event.kind} of ${member.uid} at ${venue.sequence}`);
    }
    dropEnded(venue);
  }
}

/** Returns the usual text of a state and the nonce counts, which an undo must also restore. */
function shown(venue: Venue, at: number): string[] {
  const nonces = venue.keys.map(({ nonces }) => nonces.size);
  const state = stateText(venue, STREAM_CLIENT_ORDER_IDS, at);
  return [...state.split("\n"), `nonces ${nonces}`];
}
