import type { VenueEvent } from "../../src/domain/event.ts";
import { foldWindow } from "../../src/engine/fold/fold_window.ts";
import { MemoryRows } from "../../src/engine/fold/row_source.ts";
import type { Entry } from "../../src/store/log/entry_codec.ts";
import { EMPTY_WATERMARK, type FoldPoint } from "../../src/store/rows/watermark.ts";
import type { Prng } from "./prng.ts";
import type { RecordedEvent } from "./test_sink.ts";

/** Maximum number of events in one entry. */
const ENTRY_EVENTS_MAX = 12;

/** Splits events into the entries of a log. */
export function entriesOf(events: readonly RecordedEvent[], prng: Prng): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < events.length;) {
    const some = events.slice(at, at + prng.between(1, ENTRY_EVENTS_MAX));
    entries.push(entryOf(at + 1, some[0]?.at ?? 0, some.map(({ event }) => event)));
    at += some.length;
  }
  return entries;
}

function entryOf(first: number, at: number, events: readonly VenueEvent[]): Entry {
  return { first, at, batchId: new Uint8Array(16), events, hash: new Uint8Array(32) };
}

/** Splits entries into windows of one to `entriesMax` entries. */
export function windowsOf(entries: readonly Entry[], prng: Prng, entriesMax: number): Entry[][] {
  const windows: Entry[][] = [];
  for (let at = 0; at < entries.length;) {
    const window = entries.slice(at, at + prng.between(1, entriesMax));
    windows.push(window);
    at += window.length;
  }
  return windows;
}

/** A pause that does not pause the fold. */
export function noPause(): Promise<void> {
  return Promise.resolve();
}

/** Returns the rows of a log that is folded in the given windows. */
export async function foldAll(windows: readonly (readonly Entry[])[]): Promise<MemoryRows> {
  const rows = new MemoryRows();
  let watermark: FoldPoint = EMPTY_WATERMARK;
  for (const window of windows) {
    const folded = await foldWindow(window, rows, watermark, noPause);
    rows.note(folded.changes);
    watermark = folded.watermark;
  }
  return rows;
}
