/** Reads the state that the rows hold, at a start. */
import { assert } from "../../domain/assert.ts";
import type { ClientOrderPool } from "../../domain/trading/client_orders.ts";
import { UndoLog } from "../../domain/undo_log.ts";
import type { Venue, VenueOptions } from "../../domain/venue.ts";
import type { Store } from "../../store/store.ts";
import { readWatermark } from "../../store/rows/watermark.ts";
import { FoldWriter } from "../fold/fold_writer.ts";
import { fillFunds } from "./funds_fill.ts";
import { checkWithdraws } from "./money_recovery.ts";
import { proveRows } from "./proven_rows.ts";
import { PublishedState } from "../published_state.ts";
import { buildVenue, checkCandles } from "./recovery.ts";
import { readCandles, readStateRows } from "./state_rows.ts";

/** The state in the rows, twice: as matching state and as published state. */
export interface StoredState {
  readonly writer: FoldWriter;
  readonly undo: UndoLog;
  readonly matching: Venue;
  readonly published: PublishedState;
}

/** What a process builds its states with, besides rows. */
export interface StateOptions extends Pick<VenueOptions, "nonceWindowMs" | "settings"> {
  /** Creates what the client order ids share. */
  readonly newIds: () => ClientOrderPool;
}

/**
 * Reads rows of one moment, and again if others have folded meanwhile. From the second try on they
 * are kept from folding: on a venue with an occasional trade they would fold during each try.
 */
export async function readState(
  store: Store,
  { newIds, ...building }: StateOptions,
): Promise<StoredState> {
  for (let tries = 1;; tries++) {
    const writer = new FoldWriter(store, await readWatermark(store));
    // Rows of a window that was cut short are of two times: finish it before reading them. Another
    // process that has finished it may have begun the next.
    while (writer.watermark.target > writer.watermark.sequence) {
      await writer.finish(writer.watermark.target);
    }
    const { watermark } = writer;
    const read = async () => {
      const rows = await readStateRows(store, watermark.at);
      return { rows, candles: await readCandles(store, rows) };
    };
    const { rows, candles } = await (tries === 1 ? read() : writer.undisturbed(read));
    // Rows of two times need not make a valid venue.
    if (!await writer.isCurrent()) continue;
    const isWhole = watermark.stateSum === null || rows.sum === watermark.stateSum;
    assert(isWhole, "the rows of the state are those that were written");
    const undo = new UndoLog();
    const matching = buildVenue(rows, watermark, { ...building, undo });
    const options = { ...building, undo: null, clientOrders: newIds() };
    const venue = buildVenue(rows, watermark, options);
    const published = new PublishedState(venue, watermark.hash);
    for (const last of candles) published.candlesOf(last.market).load(last.period, last.candles);
    checkWithdraws(venue, rows.endedWithdraws);
    checkCandles(published);
    if (watermark.stateSum === null) {
      const prove = () => proveRows(store, venue, watermark);
      await (tries === 1 ? prove() : writer.undisturbed(prove));
      // Others have folded meanwhile, or have adopted it.
      if (!await writer.adopt({ stateSum: rows.sum })) continue;
    }
    if (!watermark.hasFunds) {
      const fill = () => fillFunds(store, writer);
      if (!await (tries === 1 ? fill() : writer.undisturbed(fill))) continue;
    }
    return { writer, undo, matching, published };
  }
}
