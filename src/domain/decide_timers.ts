/** Cancel timers: set, and fired if they are not set again in time. */
import { present } from "./assert.ts";
import type { Outcome, SetCancelTimer } from "./command.ts";
import type { EventSink } from "./event_sink.ts";
import { CANCEL_TIMER_MS_MAX, CANCEL_TIMER_MS_MIN, CANCEL_TIMERS_PER_KEY_MAX } from "./limits.ts";
import { close } from "./matching.ts";
import { type ApiKey, type CancelTimer, OWN_TIMER } from "./member.ts";
import { reject } from "./rejection.ts";
import type { Venue } from "./venue.ts";

/** Sets or clears a timer. One of an inactive key can only be cleared, or made to fire sooner. */
export function decideSetCancelTimer(
  venue: Venue,
  command: SetCancelTimer,
  sink: EventSink,
): Outcome {
  const key = venue.keys[command.key]?.key;
  if (key === undefined) return reject("key_not_active");
  const { timer, timeoutMs } = command;
  const before = key.cancelTimers?.find(({ id }) => id === timer);
  const isSooner = before !== undefined && sink.at + timeoutMs < before.at;
  if (key.state !== "active" && !isSooner) return reject("key_not_active");
  const isInBounds = Number.isSafeInteger(timeoutMs) &&
    timeoutMs >= CANCEL_TIMER_MS_MIN && timeoutMs <= CANCEL_TIMER_MS_MAX;
  if (timeoutMs !== 0 && !isInBounds) return reject("cancel_timer_invalid", "timeout");
  const others = (key.cancelTimers ?? []).filter(({ id }) => id !== timer);
  // The holder's own timer is never refused because of its sockets.
  const room = CANCEL_TIMERS_PER_KEY_MAX - (timer === OWN_TIMER ? 0 : 1);
  const taken = others.filter(({ id }) => id !== OWN_TIMER).length;
  if (timeoutMs !== 0 && taken >= room) {
    return reject("cancel_timers_exceeded", "key", String(CANCEL_TIMERS_PER_KEY_MAX));
  }

  const firesAt = timeoutMs === 0 ? 0 : sink.at + timeoutMs;
  const set = timeoutMs === 0 ? [] : [{ id: timer, at: firesAt }];
  if (timeoutMs !== 0 || before !== undefined) {
    sink.emit({ kind: "key_set", key: withTimers(key, [...set, ...others]) });
  }
  return { kind: "cancel_timer_set", at: sink.at, firesAt };
}

/**
 * Fires the timers that are due: cancels the open orders of their keys' members while the batch has
 * room, on halted markets too: nobody would be there when these open again.
 *
 * @returns whether all have fired; if not, nothing else may come before the rest
 */
export function runTimers(venue: Venue, sink: EventSink): boolean {
  for (const index of venue.timers.due(sink.at)) {
    const { key } = present(venue.keys[index], `key ${index} exists`);
    if (!fire(venue, key, sink)) return false;
  }
  return true;
}

function fire(venue: Venue, key: ApiKey, sink: EventSink): boolean {
  const timers = key.cancelTimers ?? [];
  const isOwn = timers.some(({ id, at }) => id === OWN_TIMER && at <= sink.at);
  for (const order of venue.holder(key.member).openOrders.values()) {
    if (sink.isFull()) return false;
    close(venue, venue.book(order.market), order, "cancel", isOwn ? "timer" : "disconnected", sink);
  }
  if (sink.isFull()) return false;
  sink.emit({ kind: "key_set", key: withTimers(key, timers.filter(({ at }) => at > sink.at)) });
  return true;
}

/** Returns a key's record with these timers. */
export function withTimers(key: ApiKey, timers: readonly CancelTimer[]): ApiKey {
  const { cancelTimers: _, ...rest } = key;
  if (timers.length === 0) return rest;
  return { ...rest, cancelTimers: timers.toSorted((a, b) => a.id - b.id) };
}
