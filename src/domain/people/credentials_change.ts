/** What a change of a member's password or second factor does to its record and its keys. */
import type { Receipt } from "../command.ts";
import { withTimers } from "../trading/decide_timers.ts";
import type { EventSink } from "../event_sink.ts";
import { type ApiKey, generationOf, type Member, OWN_TIMER } from "./member.ts";
import type { Holder } from "../venue.ts";

/**
 * Begins a new generation of a member's credentials. Whoever knew the old ones may have made keys
 * with them, so the keys that the member made end for good, except those that it keeps. Keys that
 * operators made don't belong to any generation.
 *
 * @param changed the member's record with what has changed
 * @param kept access keys
 */
export function changeCredentials(
  holder: Holder,
  changed: Member,
  sink: EventSink,
  kept: readonly string[] = [],
): Receipt {
  const { member: before } = holder;
  const generation = generationOf(before) + 1;
  const member = { ...changed, generation, credentialsChangedAt: sink.at };
  const own = holder.keys().filter(({ needsTwoFactor }) => needsTwoFactor);
  sink.emit({ kind: "member_set", member });
  const disabledKeys: string[] = [];
  for (const key of own) {
    if (kept.includes(key.kid)) {
      sink.emit({ kind: "key_set", key: { ...key, generation } });
    } else if (key.state === "active") {
      sink.emit({
        kind: "key_set",
        key: inactive({ ...key, state: "disabled", updatedAt: sink.at }),
      });
      disabledKeys.push(key.kid);
    }
  }
  return { kind: "member_set", member, disabledKeys };
}

/**
 * Returns a key that becomes inactive with this update without its own timer, which it can't
 * postpone any more. One that has fired goes on, and the timers of its sockets stay: they still
 * cancel the orders.
 */
export function inactive(key: ApiKey): ApiKey {
  const { cancelTimers = [], updatedAt } = key;
  return withTimers(key, cancelTimers.filter(({ id, at }) => id !== OWN_TIMER || at <= updatedAt));
}
