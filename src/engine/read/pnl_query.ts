/** Reads of profit and loss: what the rows hold, and what has happened since. */
import { type PnlRow, pnlRowOf } from "../../domain/pnl/pnl.ts";
import type { PnlAccumulator } from "../../domain/pnl/pnl_accumulator.ts";
import { ratioPrice } from "../../domain/pnl/pnl_price.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import type { Store } from "../../store/store.ts";
import { type PlacedEvent, pnlEventsOf } from "./pnl_events.ts";
import { PnlFold } from "../fold/pnl_fold.ts";
import { pnlRowName } from "../fold/pnl_sheets.ts";
import { inPortions } from "../reading_queue.ts";
import { StoreRows } from "../fold/row_source.ts";
import { SLICE, yieldToOthers } from "../yield_to_others.ts";

/** Whose profit and loss to read, and from what. */
export interface PnlRequest {
  readonly member: number;
  /** At least all entries that the rows do not hold, pinned before the rows are read. */
  readonly entries: readonly Entry[];
  /** Brings the venue up to what others have folded meanwhile. */
  readonly catchUp: () => Promise<void>;
}

interface Kept {
  /** Index of the currency that it is valued in among the shown ones. */
  readonly place: number;
  readonly currency: number;
  readonly pnlCurrency: number;
  readonly accumulator: PnlAccumulator;
}

/**
 * Returns a member's profit and loss, ordered by the currencies that it is valued in, as
 * configured, then by the positions of the currencies held. It does not wait for the fold: what is
 * not folded yet is folded here, for this member only.
 */
export async function readPnl(
  store: Store,
  venue: Venue,
  { member, entries, catchUp }: PnlRequest,
): Promise<PnlRow[]> {
  const fold = new PnlFold(
    {
      rows: new StoreRows(store),
      markets: { find: (index) => venue.books[index] },
      currencies: { find: (index) => venue.currencies[index], load: () => Promise.resolve() },
    },
    member,
  );
  await takeAll(fold, pnlEventsOf(entries, member));
  const kept = await readKept(fold, venue, member);
  if (kept.some(({ currency }) => venue.currencies[currency] === undefined)) await catchUp();
  return await inPortions(inOrder(venue, kept), (one) => rowOf(fold, venue, one));
}

async function takeAll(fold: PnlFold, placed: readonly PlacedEvent[]): Promise<void> {
  await fold.load([{ events: placed.map(({ event }) => event) }], yieldToOthers);
  for (const [i, { event, sequence }] of placed.entries()) {
    fold.take(event, sequence);
    if ((i + 1) % SLICE === 0) await yieldToOthers();
  }
}

/** Returns the member's accumulators in the kept currencies. */
async function readKept(fold: PnlFold, venue: Venue, member: number): Promise<Kept[]> {
  const names = new Set(venue.currencies.map(({ index }) => pnlRowName(member, index)));
  const records = await fold.records([...names]);
  const ledgers = records.flatMap((record) => record.ledgers);
  // Of those that are kept, some may be shown no longer.
  const shown = venue.pnlCurrencies.map((code) => venue.currencyById.get(code)?.index);
  return fold.kept.filter(({ currency }) => shown.includes(currency)).flatMap((
    { currency, since },
  ) =>
    ledgers
      .filter((ledger) => ledger.currency === currency && ledger.since === since)
      .flatMap(({ accumulators }) =>
        [...accumulators].map(([of, accumulator]) => (
          { place: shown.indexOf(currency), currency: of, pnlCurrency: currency, accumulator }
        ))
      )
  );
}

function inOrder(venue: Venue, kept: readonly Kept[]): Kept[] {
  const position = (one: Kept) => venue.currency(one.currency).position;
  return [...kept].sort((a, b) =>
    a.place - b.place || position(a) - position(b) || a.currency - b.currency
  );
}

async function rowOf(fold: PnlFold, venue: Venue, one: Kept): Promise<PnlRow> {
  const currency = venue.currency(one.currency);
  const pnlCurrency = venue.currency(one.pnlCurrency);
  // The price of the first trade after its contributions, if there was one.
  const price = one.accumulator.isUnpriced
    ? await fold.firstPrice(one.currency, one.pnlCurrency)
    : null;
  const names = { currency: currency.id, pnlCurrency: pnlCurrency.id };
  return pnlRowOf(names, one.accumulator, price ?? ratioPrice(currency.price, pnlCurrency.price));
}
