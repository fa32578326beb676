/** Cuts entries of the log at sequences within them. */
import { endOf, type Entry } from "../../store/log/entry_codec.ts";

/**
 * Yields the parts of an entry that end at these sequences (ascending), and the rest. A part has the
 * time and hash of the whole.
 */
export function* cutAt(entry: Entry, ends: readonly number[]): Generator<Entry> {
  const last = endOf(entry);
  let first = entry.first;
  for (const end of [...ends.filter((one) => one < last), last]) {
    if (end < first) continue;
    const events = entry.events.slice(first - entry.first, end + 1 - entry.first);
    yield { ...entry, first, events };
    first = end + 1;
  }
}
