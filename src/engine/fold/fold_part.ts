/** What the parts of a fold share, each of which makes the rows of some tables. */
import type { Currency } from "../../domain/money/currency.ts";
import type { VenueEvent } from "../../domain/event.ts";
import type { Counters } from "../../domain/venue.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import type { HolderRecord, MarketRecord } from "../../store/rows/row_codec.ts";
import { type Table, TABLES } from "../../store/keys.ts";
import type { RowChange, RowSource } from "./row_source.ts";
import type { Sheet } from "./row_sheets.ts";

/** Events noted before the event loop gets a turn. */
const NOTED_PER_SLICE = 512;

/** What all parts of a window share. */
export interface FoldShared {
  readonly rows: RowSource;
  /** Sheets that hold the rows named by the window's events before a part loads its own. */
  readonly members: Sheet<number, HolderRecord>;
  readonly markets: Sheet<number, MarketRecord>;
  readonly currencies: Sheet<number, Currency>;
  /** Numbers given out, as of the last event taken. */
  readonly counters: Counters;
}

/** Calls `note` for all events of some entries, before rows are loaded. */
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

/** Sorts changes into the order in which tables are written; within a table, order is kept. */
export function inTableOrder(changes: RowChange[]): RowChange[] {
  const orderOf = ({ table }: RowChange) => TABLE_ORDER.get(table) ?? 0;
  return changes.sort((a, b) => orderOf(a) - orderOf(b));
}
