/** Makes the rows of members' funds of what an older program has folded without them. */
import { apply } from "../../domain/apply.ts";
import type { FundsRecord } from "../../domain/money/funds.ts";
import { Venue } from "../../domain/venue.ts";
import { type Entry, GENESIS_HASH } from "../../store/log/entry_codec.ts";
import { rowKey } from "../../store/keys.ts";
import { FOLD_STEP_LARGE } from "../../store/kv/kv_limits.ts";
import type { Store } from "../../store/store.ts";
import { readEntries } from "../../store/log/venue_log.ts";
import { rowMutations } from "../../store/rows/watermark.ts";
import { dropEnded } from "../ended_records.ts";
import { cutIntoSteps } from "../fold/fold_steps.ts";
import type { FoldWriter } from "../fold/fold_writer.ts";
import { FUNDS_HISTORY } from "../fold/funds_fold.ts";
import { FundsRecorder } from "../fold/funds_recorder.ts";
import { addToGroup } from "../grouped_items.ts";
import { foldHistories } from "../fold/history_fold.ts";
import { StoreRows } from "../fold/row_source.ts";
import { noPause } from "../yield_to_others.ts";

/** Records that are written together. */
const RECORDS_MAX = 20_000;

/**
 * Replays the log up to the watermark and writes the rows: once, on a store that an older program
 * has written. What is there already is written again as it is.
 *
 * @throws {InvariantError} if the log is damaged
 * @returns whether it is done; if not, others have folded meanwhile
 */
export async function fillFunds(store: Store, writer: FoldWriter): Promise<boolean> {
  const replay = new FundsReplay();
  const { sequence } = writer.watermark;
  for await (const entry of readEntries(store, 0, sequence, GENESIS_HASH)) {
    replay.take(entry);
    if (replay.size >= RECORDS_MAX && !await write(store, writer, replay.records())) return false;
  }
  return await write(store, writer, replay.records()) && await writer.adopt({ hasFunds: true });
}

async function write(
  store: Store,
  writer: FoldWriter,
  records: ReadonlyMap<number, readonly FundsRecord[]>,
): Promise<boolean> {
  const { sequence } = writer.watermark;
  const rows = new StoreRows(store);
  const changes = await foldHistories(rows, FUNDS_HISTORY, records, sequence, noPause);
  // A block of a history is always one row.
  for (const step of cutIntoSteps(changes, () => FOLD_STEP_LARGE, () => 1)) {
    const written = step.changes.flatMap(({ table, place, bytes }) =>
      rowMutations({ key: rowKey(table, ...place), bytes })
    );
    if (written.length > 0 && !await writer.adopt({}, written)) return false;
  }
  return true;
}

/** A replay of the log that notes members' funds. */
class FundsReplay {
  readonly #venue = new Venue({ nonceWindowMs: 0, undo: null });
  readonly #recorder: FundsRecorder;
  #records = new Map<number, FundsRecord[]>();
  /** Number of records not yet taken. */
  size = 0;

  constructor() {
    const venue = this.#venue;
    this.#recorder = new FundsRecorder({
      counters: venue.counters,
      holder: (member) => venue.holder(member),
      market: (index) => venue.book(index).market,
      notesTrades: true,
      add: (member, record) => {
        this.size += 1;
        addToGroup(this.#records, member, record);
      },
    });
  }

  /** Takes the next entry. */
  take({ at, events }: Entry): void {
    const venue = this.#venue;
    for (const event of events) {
      this.#recorder.before(event, venue.sequence + 1);
      apply(venue, event, at);
      this.#recorder.after(event, venue.sequence, at);
    }
    dropEnded(venue);
  }

  /** Returns the records made since the last call. */
  records(): ReadonlyMap<number, readonly FundsRecord[]> {
    const records = this.#records;
    this.#records = new Map();
    this.size = 0;
    return records;
  }
}
