/** Cancel timers: set, and fired if they are not set again in time. */
import { present } from "../assert.ts";
import type { Outcome, SetCancelTimer } from "../command.ts";
import type { EventSink } from "../event_sink.ts";
import {
  CANCEL_TIMER_MS_MAX,
  CANCEL_TIMER_MS_MIN,
  CANCEL_TIMERS_PER_KEY_MAX,
  CANCELS_PER_PORTION_MAX,
} from "../limits.ts";
import { close } from "./matching.ts";
import { type ApiKey, type CancelTimer, OWN_TIMER } from "../people/member.ts";
import { reject } from "../rejection.ts";
import type { Venue } from "../venue.ts";

/**
 * Sets or clears a timer. One of an inactive key can only be cleared, or made to fire sooner. One
 * that is due has fired, and goes on cancelling what was open then, whatever is set now.
 */
export function decideSetCancelTimer(
  venue: Venue,
  command: SetCancelTimer,
  sink: EventSink,
): Outcome {
  const key = venue.keys[command.key]?.key;
  if (key === undefined) return reject("key_not_active");
  const { timer, timeoutMs } = command;
  const isDue = ({ at }: CancelTimer) => at <= sink.at;
  const timers = key.cancelTimers ?? [];
  const before = timers.find((set) => set.id === timer && !isDue(set));
  const isSooner = before !== undefined && sink.at + timeoutMs < before.at;
  if (key.state !== "active" && !isSooner) return reject("key_not_active");
  const isInBounds = Number.isSafeInteger(timeoutMs) &&
    timeoutMs >= CANCEL_TIMER_MS_MIN && timeoutMs <= CANCEL_TIMER_MS_MAX;
  if (timeoutMs !== 0 && !isInBounds) return reject("cancel_timer_invalid", "timeout");
  const others = timers.filter(({ id }) => id !== timer);
  // The holder's own timer is never refused because of its sockets.
  const room = CANCEL_TIMERS_PER_KEY_MAX - (timer === OWN_TIMER ? 0 : 1);
  const taken = others.filter((set) => set.id !== OWN_TIMER && !isDue(set)).length;
  if (timeoutMs !== 0 && taken >= room) {
    return reject("cancel_timers_exceeded", "key", String(CANCEL_TIMERS_PER_KEY_MAX));
  }

  const firesAt = timeoutMs === 0 ? 0 : sink.at + timeoutMs;
  if (timeoutMs !== 0 || before !== undefined) {
    const set = timeoutMs === 0 ? [] : [{ id: timer, at: firesAt }];
    // Only the last: firing, it cancels what the one before has left.
    const fired = timers.filter((one) => one.id === timer && isDue(one)).slice(-1);
    sink.emit({ kind: "key_set", key: withTimers(key, [...others, ...fired, ...set]) });
  }
  return { kind: "cancel_timer_set", at: sink.at, firesAt };
}

/**
 * Fires the timers that are due: cancels what their keys' members had open when they were, on halted
 * markets too: nobody would be there when these open again. A portion of it, while the batch has
 * room; the rest follows in the next batches, before their commands.
 *
 * @returns whether nothing is left
 */
export function runTimers(venue: Venue, sink: EventSink): boolean {
  let room = CANCELS_PER_PORTION_MAX;
  for (const index of venue.timers.due(sink.at)) {
    const { key } = present(venue.keys[index], `key ${index} exists`);
    room = fire(venue, key, room, sink);
    if (room < 0) return false;
  }
  return true;
}

/** Fires a key's timers in at most `room` events; returns what is left of it, -1 if it is too small. */
function fire(venue: Venue, key: ApiKey, room: number, sink: EventSink): number {
  const timers = key.cancelTimers ?? [];
  const due = timers.filter(({ at }) => at <= sink.at);
  const firedAt = Math.max(...due.map(({ at }) => at));
  const reason = due.some(({ id }) => id === OWN_TIMER) ? "timer" : "disconnected";
  let left = room;
  for (const order of venue.holder(key.member).openOrders.values()) {
    // Placed since, between two portions.
    if (order.createdAt >= firedAt) continue;
    if (left === 0 || sink.isFull()) return -1;
    close(venue, venue.book(order.market), order, "cancel", reason, sink);
    left -= 1;
  }
  if (left === 0 || sink.isFull()) return -1;
  sink.emit({ kind: "key_set", key: withTimers(key, timers.filter(({ at }) => at > sink.at)) });
  return left - 1;
}

/** Returns a key's record with these timers. */
export function withTimers(key: ApiKey, timers: readonly CancelTimer[]): ApiKey {
  const { cancelTimers: _, ...rest } = key;
  if (timers.length === 0) return rest;
  return { ...rest, cancelTimers: timers.toSorted((a, b) => a.id - b.id || a.at - b.at) };
}
