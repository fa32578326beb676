/** One member's events, read back from the end of the log: what a stream has missed. */
import { messagesOf } from "../../domain/event_effects.ts";
import { addMessages } from "../../domain/message_counts.ts";
import type { Store } from "../../store/store.ts";
import { readEntriesBack } from "../../store/log/venue_log.ts";
import type { LoggedEvent, MemberCounts, MemberEvents } from "../engine.ts";
import type { PublishedState } from "../published_state.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** The most events of the log that are read before the result is cut. */
export const REPLAYED_EVENTS_MAX = 200_000;

/**
 * Reads back from the published state at the time of the call, until the counts before what was
 * read are enough or the limit is reached.
 */
export async function readMemberEvents(
  store: Store,
  published: PublishedState,
  member: number,
  isEnough: (before: MemberCounts) => boolean,
): Promise<MemberEvents> {
  const { sequence } = published;
  const { messages, tradesCount } = published.venue.holder(member);
  const counted = { messages: { ...messages }, tradesCount };
  const before = () => ({ ...counted.messages, trade: counted.tradesCount });
  const newestFirst: LoggedEvent[] = [];
  const result = (isCut: boolean) => ({ events: newestFirst.reverse(), before: before(), isCut });
  let looked = 0;
  if (isEnough(before())) return result(false);
  for await (const entry of readEntriesBack(store, sequence)) {
    for (let i = entry.events.length - 1; i >= 0; i--) {
      const event = entry.events[i];
      if (event === undefined) continue;
      const made = messagesOf(event, member);
      if (made.orders + made.accounts === 0) continue;
      addMessages(counted, made, -1);
      newestFirst.push({ event, sequence: entry.first + i, at: entry.at });
      if (isEnough(before())) return result(false);
    }
    looked += entry.events.length;
    if (looked >= REPLAYED_EVENTS_MAX) break;
    // Entries that the store has at hand arrive without giving anybody else a turn.
    await yieldToOthers();
  }
  return result(true);
}
