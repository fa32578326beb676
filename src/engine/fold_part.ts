/** A part of the fold: the rows of some tables, made of the events of one window. */
import type { Currency } from "../domain/currency.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { Counters } from "../domain/venue.ts";
import type { Entry } from "../store/entry_codec.ts";
import type { HolderRecord } from "../store/row_codec.ts";
import { type Table, TABLES } from "../store/keys.ts";
import type { RowChange, RowSource } from "./row_source.ts";
import type { Sheet } from "./row_sheets.ts";

/** Events noted before the event loop gets its turn. */
const NOTED_PER_SLICE = 512;

/** What all parts of a window work on. */
export interface FoldShared {
  readonly rows: RowSource;
  /** Sheets that hold what the window's events name, before a part loads its own. */
  readonly members: Sheet<number, HolderRecord>;
  readonly currencies: Sheet<number, Currency>;
  /** Numbers given out, as of the event that was taken last. */
  readonly counters: Counters;
}

/**
 * A part is told all events of a window, in order. A row that is true at a
 * later sequence than an event already skips it, as every {@linkcode Sheet} does.
 */
export interface FoldPart {
  /** Fetches the rows that the events are about. */
  load(entries: readonly Entry[], pause: () => Promise<void>): Promise<void>;
  /** Takes one event into the rows. */
  take(event: VenueEvent, sequence: number): void;
  /** The changed rows, true at `end`, those of one table together; the window brings tables into their order. */
  changes(end: number, pause: () => Promise<void>): Promise<RowChange[]>;
}

/** Notes all events of some entries, before rows are fetched. */
export async function noteEvents(
  entries: readonly Pick<Entry, "events">[],
  note: (event: VenueEvent) => void,
  pause: () => Promise<void>,
): Promise<void> {
  let noted = 0;
  for (const { events } of entries) {
    events.forEach(note);
    noted += events.length;
    if (noted < NOTED_PER_SLICE) continue;
    noted = 0;
    await pause();
  }
}

const TABLE_ORDER = new Map<Table, number>(TABLES.map((table, order) => [table, order]));

/** Changes in the order in which their tables are to be written, those of one table as they were. */
export function inTableOrder(changes: RowChange[]): RowChange[] {
  const orderOf = ({ table }: RowChange) => TABLE_ORDER.get(table) ?? 0;
  return changes.sort((a, b) => orderOf(a) - orderOf(b));
}
