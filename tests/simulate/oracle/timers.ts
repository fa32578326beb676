/** Fires cancel timers, as the log has to tell. */
import { type ApiKey, OWN_TIMER } from "../../../src/domain/people/member.ts";
import { cancelEach } from "./cancel_each.ts";
import { withTimers } from "./judge_member.ts";
import type { OracleState } from "./state.ts";
import { take } from "./take.ts";
import type { Transcript } from "./transcript.ts";

/** Events of timers in an entry, before its commands. */
const EVENTS_PER_ENTRY = 250;

/** Returns the key whose timer is due first at this time (ms); null if none is. */
export function dueKey(state: OracleState, at: number): ApiKey | null {
  let due = -1;
  let soonest = Infinity;
  for (const [index, first] of state.timed) {
    if (first > at || first > soonest || (first === soonest && index > due)) continue;
    soonest = first;
    due = index;
  }
  return state.keys[due] ?? null;
}

/** Expects the cancels of timers that are due: all, or as many as an entry has. */
export function fireTimers(state: OracleState, transcript: Transcript): void {
  let room = EVENTS_PER_ENTRY;
  while (room > 0 && !transcript.isAtEnd) {
    const key = dueKey(state, transcript.at);
    if (key === null) return;
    room = fire(state, key, room, transcript);
  }
}

/** Returns how much of the room is left; 0 if that is the end of it. */
function fire(state: OracleState, key: ApiKey, room: number, transcript: Transcript): number {
  const timers = key.cancelTimers ?? [];
  const due = timers.filter(({ at }) => at <= transcript.at);
  const last = Math.max(...due.map(({ at }) => at));
  const reason = due.some(({ id }) => id === OWN_TIMER) ? "timer" : "disconnected";
  const ids: number[] = [];
  const isDone = cancelEach(
    state,
    key.member,
    ({ createdAt }) => createdAt < last,
    reason,
    transcript,
    ids,
    room,
  );
  if (!isDone || ids.length === room || transcript.isAtEnd) return 0;
  const after = withTimers(key, timers.filter(({ at }) => at > transcript.at));
  transcript.expect({ kind: "key_set", key: after });
  take(state, { kind: "key_set", key: after }, transcript.at);
  return room - ids.length - 1;
}
