/** Creates and changes markets, and sets their fees. */
import type {
  ChangeMarket,
  CreateMarket,
  DeleteFee,
  MarketDefinition,
  Outcome,
  SetFee,
} from "../command.ts";
import type { Currency } from "../money/currency.ts";
import type { EventSink } from "../event_sink.ts";
import { ANY_MARKET } from "./fees.ts";
import {
  FEE_RATE_MAX_PPM,
  MARKET_PRECISION_MAX,
  MARKETS_MAX,
  ORDER_LOTS_MAX,
  ORDER_TICKS_MAX,
} from "../limits.ts";
import { lotUnit, type Market, tickUnit, wholeUnits } from "./market.ts";
import { refuseUndefined } from "../people/member_classes.ts";
import { formatInteger, RATE_DIGITS } from "../money/money.ts";
import { type AmountRule, reject, rejectAmount, type Rejection } from "../rejection.ts";
import type { Venue } from "../venue.ts";

/** What paths and names of streams can hold; most clients expect the two codes, one after the other. */
const MARKET_ID = /^(?=.{2,32}$)[a-z0-9]+(?:[_-][a-z0-9]+)*$/;
/** Words that stand for several markets where the id of one may stand. */
const RESERVED_IDS: ReadonlySet<string> = new Set(["any", "all", "global", "tickers"]);

/** Whether there is a market of these two: joined codes of others may read the same. */
function isListed({ books }: Venue, base: Currency, quote: Currency): boolean {
  return books.some(({ market }) => market.base === base.index && market.quote === quote.index);
}

/** Creates a market of two currencies. */
export function decideCreateMarket(venue: Venue, command: CreateMarket, sink: EventSink): Outcome {
  const { market: definition } = command;
  const base = venue.currencyById.get(definition.base);
  if (base === undefined) return reject("currency_not_found", "base_unit");
  const quote = venue.currencyById.get(definition.quote);
  if (quote === undefined) return reject("currency_not_found", "quote_unit");
  if (base === quote) return reject("base_equals_quote", "quote_unit");
  if (isListed(venue, base, quote)) return reject("market_taken", "id");
  if (isListed(venue, quote, base)) return reject("market_reversed", "id");
  const { id = base.id + quote.id } = definition;
  if (!MARKET_ID.test(id) || RESERVED_IDS.has(id)) return reject("market_id_invalid", "id");
  if (venue.bookById.has(id)) return reject("market_id_taken", "id");
  if (venue.books.length >= MARKETS_MAX) {
    return reject("market_limit_exceeded", "id", String(MARKETS_MAX));
  }
  const grid = gridOf(definition);
  if ("rejected" in grid) return grid;

  const market: Market = {
    index: venue.books.length,
    id,
    name: `${base.id.toUpperCase()}/${quote.id.toUpperCase()}`,
    base: base.index,
    quote: quote.index,
    ...grid,
    isUsed: false,
  };
  sink.emit({ kind: "market_set", market });
  return { kind: "market_set", market };
}

/** Changes a market; its grid only until the first order is placed on it. */
export function decideChangeMarket(venue: Venue, command: ChangeMarket, sink: EventSink): Outcome {
  const book = venue.bookById.get(command.id);
  if (book === undefined) return reject("market_not_found", "id");
  const old = definitionOf(venue, book.market);
  const grid = gridOf({ ...old, ...command.changes });
  if ("rejected" in grid) return grid;
  const isRepriced = grid.pricePrecision !== book.market.pricePrecision;
  const isRegridded = isRepriced || grid.amountPrecision !== book.market.amountPrecision;
  // Finished orders are stored in ticks and lots too, so a grid that was ever used stays.
  if (isRegridded && isUsed(venue, book.market)) {
    return reject("precision_frozen", isRepriced ? "price_precision" : "amount_precision");
  }

  const market: Market = { ...book.market, ...grid };
  sink.emit({ kind: "market_set", market });
  return { kind: "market_set", market };
}

/** Whether orders were placed; if the market doesn't say, any order of the venue may be its own. */
function isUsed(venue: Venue, market: Market): boolean {
  return market.isUsed ?? venue.counters.orders > 0;
}

type Grid = Omit<Market, "index" | "id" | "name" | "base" | "quote" | "isUsed">;

/** Converts a definition to ticks and lots. */
function gridOf(definition: MarketDefinition): Grid | Rejection {
  const { pricePrecision, amountPrecision } = definition;
  const inexact = refusePrecisions(pricePrecision, amountPrecision);
  if (inexact !== null) return inexact;
  const minPrice = onGrid("min_price", definition.minPrice, pricePrecision, ORDER_TICKS_MAX);
  if (typeof minPrice !== "number") return minPrice;
  const maxPrice = onGrid("max_price", definition.maxPrice, pricePrecision, ORDER_TICKS_MAX);
  if (typeof maxPrice !== "number") return maxPrice;
  const minAmount = onGrid("min_amount", definition.minAmount, amountPrecision, ORDER_LOTS_MAX);
  if (typeof minAmount !== "number") return minAmount;
  if (maxPrice > 0 && maxPrice < minPrice) {
    return reject("price_bounds_crossed", "max_price", formatInteger(minPrice, pricePrecision));
  }
  const { minTotal, state, position } = definition;
  return {
    pricePrecision,
    amountPrecision,
    minPrice,
    maxPrice,
    minAmount,
    minTotal,
    state,
    position,
  };
}

/** Refuses digits of which a price and an amount together would have more than a total can keep. */
function refusePrecisions(price: number, amount: number): Rejection | null {
  const [most, left] = [MARKET_PRECISION_MAX, MARKET_PRECISION_MAX - price];
  if (price < 0) return rejectAmount("precision_inexact", "price_precision", "minimum", 0);
  if (price > most) return rejectAmount("precision_inexact", "price_precision", "maximum", most);
  if (amount < 0) return rejectAmount("precision_inexact", "amount_precision", "minimum", 0);
  if (amount <= left) return null;
  return rejectAmount("precision_inexact", "amount_precision", "maximum", left);
}

/** Converts a bound to whole units, unless it has too many of them, or digits, or is negative. */
function onGrid(
  field: string,
  amount: bigint,
  precision: number,
  max: number,
): number | Rejection {
  const refused = (rule: AmountRule, limit: string | number) =>
    rejectAmount("amount_off_precision", field, rule, limit);
  if (amount < 0n) return refused("minimum", 0);
  const units = wholeUnits(amount, precision);
  if (units === null) return refused("precision", precision);
  return units > max ? refused("maximum", formatInteger(max, precision)) : units;
}

function definitionOf(venue: Venue, market: Market): MarketDefinition {
  const tick = tickUnit(market);
  const lot = lotUnit(market);
  return {
    base: venue.currencies[market.base]?.id ?? "",
    quote: venue.currencies[market.quote]?.id ?? "",
    pricePrecision: market.pricePrecision,
    amountPrecision: market.amountPrecision,
    minPrice: BigInt(market.minPrice) * tick,
    maxPrice: BigInt(market.maxPrice) * tick,
    minAmount: BigInt(market.minAmount) * lot,
    minTotal: market.minTotal,
    state: market.state,
    position: market.position,
  };
}

/** Sets a row of the fee table; open orders keep the rates they were accepted with. */
export function decideSetFee(venue: Venue, command: SetFee, sink: EventSink): Outcome {
  const market = feeMarket(venue, command.market);
  if (market === undefined) return reject("market_not_found", "market_id");
  const refusal = refuseUndefined(venue, { group: command.group });
  if (refusal !== null) return refusal;
  const rates: readonly [string, number][] = [["maker", command.maker], ["taker", command.taker]];
  for (const [field, rate] of rates) {
    if (!Number.isInteger(rate) || rate < 0 || rate > FEE_RATE_MAX_PPM) {
      return reject("fee_rate_invalid", field, formatInteger(FEE_RATE_MAX_PPM, RATE_DIGITS));
    }
  }

  const { group, maker, taker } = command;
  sink.emit({ kind: "fee_set", row: { market, group, maker, taker } });
  return { kind: "fee_set" };
}

/** Deletes a row of the fee table; open orders keep the rates they were accepted with. */
export function decideDeleteFee(venue: Venue, command: DeleteFee, sink: EventSink): Outcome {
  const { group } = command;
  const market = feeMarket(venue, command.market);
  const row = market === undefined ? undefined : venue.fees.get(market, group);
  if (market === undefined || row === undefined) return reject("table_row_not_found");
  sink.emit({ kind: "fee_deleted", row: { market, group } });
  return { kind: "fee_deleted", row };
}

/** Returns the market that a row of the fee table is for; undefined if there is none. */
function feeMarket({ bookById }: Venue, id: string): number | undefined {
  return id === "any" ? ANY_MARKET : bookById.get(id)?.market.index;
}
