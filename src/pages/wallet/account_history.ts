/** Reads how an account came to what it is: its ledger, and the prices of that time. */
import type { Records } from "../../client/client.ts";
import { product, quotient, toldUnits } from "../shared/amounts.ts";
import { venue } from "../shared/session.ts";
import { type Change, equityCurve, type Point, priceAt, type PricePoint } from "./equity.ts";
import { balances, type Market, markets, prices } from "./money.ts";
import { valueOf } from "./valuing.ts";

/** How far back a curve goes. */
export type Span = "day" | "week" | "month" | "year";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const SPANS: Readonly<Record<Span, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};
/** Lengths of candles, in minutes. */
const PERIODS = [1, 5, 15, 30, 60, 120, 240, 360, 720, 1440, 4320] as const;
type Period = typeof PERIODS[number];
const CANDLES_MAX = 300;
const POINTS = 120;
const PAGE = 1000;
const PAGES_MAX = 5;
/** Digits of candles, which are numbers. */
const CANDLE_DIGITS = 10;

/** A curve, and whether the account has changed too often to follow it that far. */
export interface History {
  readonly points: readonly Point[];
  readonly isCut: boolean;
}

/** Reads the curve of one's account. */
export async function readHistory(span: Span, quote: string): Promise<History> {
  const now = venue.now();
  const lines = await readLedger(now - SPANS[span]);
  const changes = lines.map(changeOf);
  const isCut = lines.length >= PAGE * PAGES_MAX;
  const held = new Map(
    [...balances.value ?? []].map(([currency, { balance, locked }]) =>
      [currency, toldUnits(balance) + toldUnits(locked)] as const
    ),
  );
  const touched = new Set([...held.keys(), ...changes.map(({ currency }) => currency)]);
  const from = beginningOf(held, changes, now - SPANS[span]);
  const candles = await readPrices([...touched], quote, periodOf(now - from), from);
  const times = Array.from(
    { length: POINTS + 1 },
    (_, index) => from + Math.round((now - from) * index / POINTS),
  );
  const valueAt = (currency: string, units: bigint, at: number) => {
    const known = candles(currency, at);
    return known === null ? valueOf(units, currency, quote, prices.value) : known(units);
  };
  const points = isCut ? [] : equityCurve({ now: held, changes, times, valueAt });
  return { points, isCut };
}

/** Returns when a curve begins: where there was nothing at first, with the first change. */
function beginningOf(
  held: ReadonlyMap<string, bigint>,
  changes: readonly Change[],
  from: number,
): number {
  const opening = new Map(held);
  for (const { currency, units } of changes) {
    opening.set(currency, (opening.get(currency) ?? 0n) - units);
  }
  const isEmpty = [...opening.values()].every((units) => units === 0n);
  return isEmpty ? changes[0]?.at ?? from : from;
}

function periodOf(ms: number): Period {
  return PERIODS.find((minutes) => ms / (minutes * MINUTE) <= CANDLES_MAX) ?? 4320;
}

async function readLedger(from: number): Promise<readonly Records["LedgerLine"][]> {
  const lines: Records["LedgerLine"][] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const part = await venue.get("/api/v2/backend/account/ledger", {
      query: {
        time_from: Math.floor(from / 1000),
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      },
    });
    lines.push(...part);
    after = part.at(-1)?.id;
    if (part.length < PAGE) break;
  }
  return lines;
}

function changeOf({ created_at_ms: at, currency, amount, type }: Records["LedgerLine"]): Change {
  return { at, currency, units: toldUnits(amount), isFlow: type !== "Trade" };
}

type Worth = (units: bigint) => bigint;

/** Returns how currencies were valued at a time; null where no market tells. */
async function readPrices(
  currencies: readonly string[],
  quote: string,
  period: Period,
  from: number,
): Promise<(currency: string, at: number) => Worth | null> {
  const found = await Promise.all(currencies.map(async (currency) => {
    const direct = marketOf(currency, quote);
    const market = direct ?? marketOf(quote, currency);
    const points = market === undefined ? [] : await readCandles(market, period, from);
    return [currency, { points, isInverse: direct === undefined }] as const;
  }));
  const byCurrency = new Map(found);
  return (currency, at) => {
    const known = byCurrency.get(currency);
    const price = known === undefined ? undefined : priceAt(known.points, at);
    if (known === undefined || price === undefined) return null;
    const rate = toldUnits(price);
    return (units) => known.isInverse ? quotient(units, rate) : product(units, rate);
  };
}

function marketOf(base: string, quote: string): Market | undefined {
  return markets.value.find((one) => one.base_unit === base && one.quote_unit === quote);
}

async function readCandles(
  { id }: Market,
  period: Period,
  from: number,
): Promise<readonly PricePoint[]> {
  const candles = await venue.get("/api/v2/backend/public/markets/{market}/k-line", {
    path: { market: id },
    query: { period, time_from: Math.floor(from / 1000), time_to: Math.ceil(venue.now() / 1000) },
  });
  return candles.flatMap(([start, , , , close]): PricePoint[] =>
    start === undefined || close === undefined || close <= 0
      ? []
      : [[start * 1000, close.toFixed(CANDLE_DIGITS)]]
  );
}
