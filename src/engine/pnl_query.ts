/** Reads of profit and loss. */
import { type PnlRow, pnlRowOf } from "../domain/pnl.ts";
import type { PnlAccumulator } from "../domain/pnl_accumulator.ts";
import { firstPrice, type PairPrices, type Price, ratioPrice } from "../domain/pnl_price.ts";
import type { Venue } from "../domain/venue.ts";
import { rowKey, type Table } from "../store/keys.ts";
import {
  type PnlCurrency,
  readPairPricesRow,
  readPnlCurrenciesRow,
  readPnlRow,
} from "../store/pnl_codec.ts";
import type { Store } from "../store/store.ts";
import { pairName, pairPlace, PNL_CURRENCIES_PLACE, pnlPlace, pnlRowName } from "./pnl_sheets.ts";
import type { Place } from "./row_source.ts";

interface Kept {
  readonly currency: number;
  readonly pnlCurrency: number;
  readonly accumulator: PnlAccumulator;
}

/**
 * A member's profit and loss as the rows have it: by the currencies that it is
 * valued in, as configured, then by the position of those that it is of.
 */
export async function readPnl(store: Store, venue: Venue, member: number): Promise<PnlRow[]> {
  const kept = inOrder(venue, await readKept(store, venue, member));
  const prices = await readFirstPrices(store, kept.filter((one) => one.accumulator.isUnpriced));
  return kept.map((one) => {
    const currency = venue.currency(one.currency);
    const pnlCurrency = venue.currency(one.pnlCurrency);
    const price = prices.get(pairName(one.currency, one.pnlCurrency)) ??
      ratioPrice(currency.price, pnlCurrency.price);
    const names = { currency: currency.id, pnlCurrency: pnlCurrency.id };
    return pnlRowOf(names, one.accumulator, price);
  });
}

/** The member's accumulators in what is kept, in the order of that. */
async function readKept(store: Store, venue: Venue, member: number): Promise<Kept[]> {
  const names = new Set(venue.currencies.map((_, index) => pnlRowName(member, index)));
  const places = [...names].map(pnlPlace);
  const [settings, ...rows] = await readRows(store, [
    { table: "pnl_currencies", place: PNL_CURRENCIES_PLACE },
    ...places.map((place) => ({ table: "pnl" as const, place })),
  ]);
  if (settings === undefined || settings === null) return [];
  const ledgers = rows.flatMap((row) => row === null ? [] : readPnlRow(row).value.ledgers);
  return readPnlCurrenciesRow(settings).value.flatMap(({ currency, since }: PnlCurrency) =>
    ledgers
      .filter((ledger) => ledger.currency === currency && ledger.since === since)
      .flatMap(({ accumulators }) =>
        [...accumulators].map(([of, accumulator]) => (
          { currency: of, pnlCurrency: currency, accumulator }
        ))
      )
  );
}

function inOrder(venue: Venue, kept: readonly Kept[]): Kept[] {
  const order = new Map<number, number>();
  for (const { pnlCurrency } of kept) {
    if (!order.has(pnlCurrency)) order.set(pnlCurrency, order.size);
  }
  const place = (one: Kept) => order.get(one.pnlCurrency) ?? 0;
  const position = (one: Kept) => venue.currency(one.currency).position;
  return [...kept].sort((a, b) =>
    place(a) - place(b) || position(a) - position(b) || a.currency - b.currency
  );
}

/** What the first trade after their contributions, if there was one, says of unpriced accumulators. */
async function readFirstPrices(store: Store, kept: readonly Kept[]): Promise<Map<number, Price>> {
  const names = kept.flatMap(({ currency, pnlCurrency }) => [
    pairName(currency, pnlCurrency),
    pairName(pnlCurrency, currency),
  ]);
  const rows = await readRows(
    store,
    names.map((name) => ({ table: "pnl_prices" as const, place: pairPlace(name) })),
  );
  const prices = new Map<number, Price>();
  names.forEach((name, i) => {
    if (i % 2 === 1) return;
    const price = firstPrice(pairOf(rows[i]), pairOf(rows[i + 1]));
    if (price !== null) prices.set(name, price);
  });
  return prices;
}

function pairOf(row: Uint8Array | null | undefined): PairPrices | undefined {
  return row === null || row === undefined ? undefined : readPairPricesRow(row).value;
}

async function readRows(
  store: Store,
  rows: readonly { readonly table: Table; readonly place: Place }[],
): Promise<(Uint8Array | null)[]> {
  const values = await store.getMany(rows.map(({ table, place }) => rowKey(table, ...place)));
  return values as (Uint8Array | null)[];
}
