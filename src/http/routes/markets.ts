/** Markets and currencies. */
import type * as z from "zod";
import { lotUnit, type Market, tickUnit } from "../../domain/trading/market.ts";
import type { Venue } from "../../domain/venue.ts";
import type { Call, QueryCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { MARKET_DATA, ok, okPage } from "../endpoint_parts.ts";
import { invalidField } from "../../edge/errors.ts";
import { byPosition, listedBooks } from "../../edge/wire/listed_markets.ts";
import { currencyJson, marketJson } from "../../edge/wire/market_wire.ts";
import { CURRENCY_EXAMPLE, MARKET_EXAMPLE } from "../../edge/schemas/examples.ts";
import { pageOf } from "../../edge/schemas/lists.ts";
import { CURRENCY, MARKET } from "../../edge/schemas/market_answers.ts";
import { CURRENCIES_QUERY, MARKETS_QUERY } from "../../edge/schemas/market_data.ts";
import { currencyId } from "../../edge/wire/wire.ts";
import { createSearch } from "./search.ts";

type MarketsQuery = z.infer<typeof MARKETS_QUERY>;

function listMarkets(call: Call<MarketsQuery>): Response {
  const { query, fraction } = call;
  const { venue } = call.engine;
  checkUnit(venue, "base_unit", query.base_unit);
  checkUnit(venue, "quote_unit", query.quote_unit);
  const isFound = createSearch(query, ["base_code", "quote_code", "base_name", "quote_name"]);
  const markets = listedBooks(venue).map((book) => book.market)
    .filter((market) => isMarketMeant(venue, market, query, isFound))
    .sort(marketOrder(venue, query.order_by));
  if (query.ordering === "desc") markets.reverse();
  const page = pageOf(markets, query, "pagination");
  const items = page.items.map((market) => marketJson(venue, market, fraction));
  return call.page(items, query, page);
}

type MarketSearch = (
  words: Record<"base_code" | "quote_code" | "base_name" | "quote_name", string>,
) => boolean;

function checkUnit(venue: Venue, field: "base_unit" | "quote_unit", unit?: string): void {
  if (unit === undefined || venue.currencyById.has(unit)) return;
  throw invalidField(`public.markets.${field}_doesnt_exist`, field, unit);
}

function isMarketMeant(
  venue: Venue,
  market: Market,
  query: MarketsQuery,
  isFound: MarketSearch,
): boolean {
  const base = venue.currencies[market.base];
  const quote = venue.currencies[market.quote];
  if (query.base_unit !== undefined && query.base_unit !== base?.id) return false;
  if (query.quote_unit !== undefined && query.quote_unit !== quote?.id) return false;
  return isFound({
    base_code: base?.id ?? "",
    quote_code: quote?.id ?? "",
    base_name: base?.name ?? "",
    quote_name: quote?.name ?? "",
  });
}

function marketOrder(
  venue: Venue,
  field: MarketsQuery["order_by"],
): (a: Market, b: Market) => number {
  const value = marketValue(venue, field);
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    return left < right ? -1 : left > right ? 1 : byPosition(a, b);
  };
}

/** Returns the function that gives a market's value to sort by: amounts in their common unit. */
function marketValue(
  venue: Venue,
  field: MarketsQuery["order_by"],
): (market: Market) => string | number | bigint {
  switch (field) {
    case "base_unit":
      return (market) => currencyId(venue, market.base);
    case "quote_unit":
      return (market) => currencyId(venue, market.quote);
    case "min_price":
      return (market) => BigInt(market.minPrice) * tickUnit(market);
    case "max_price":
      return (market) => BigInt(market.maxPrice) * tickUnit(market);
    case "min_amount":
      return (market) => BigInt(market.minAmount) * lotUnit(market);
    case "min_total":
      return (market) => market.minTotal;
    case "amount_precision":
      return (market) => market.amountPrecision;
    case "price_precision":
      return (market) => market.pricePrecision;
    case "id":
    case "name":
    case "state":
    case "position":
      return (market) => market[field];
  }
}

function listCurrencies(call: QueryCall<typeof CURRENCIES_QUERY>): Response {
  const { query, fraction } = call;
  const isFound = createSearch(query, ["code", "name"]);
  const currencies = call.engine.venue.currencies
    .filter((currency) => currency.visible)
    .filter((currency) => query.type === undefined || currency.type === query.type)
    .filter((currency) => isFound({ code: currency.id, name: currency.name }))
    .sort(byPosition);
  const page = pageOf(currencies, query, "pagination");
  const items = page.items.map((currency) => currencyJson(currency, fraction));
  return call.page(items, query, page);
}

function readCurrency(call: Call): Response {
  const given = call.param("id");
  const currency = call.engine.venue.currencyById.get(given.toLowerCase());
  if (currency === undefined || !currency.visible) {
    throw invalidField("public.currency.doesnt_exist", "id", given);
  }
  return call.json(200, currencyJson(currency, call.fraction));
}

/** Endpoints of markets and currencies. */
export const MARKET_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "listMarkets",
    method: "GET",
    paths: [
      "/api/v2/backend/public/markets",
      "/api/v2/trading/public/markets",
      "/api/v2/peatio/public/markets",
    ],
    ...MARKET_DATA,
    summary: "List markets",
    query: MARKETS_QUERY,
    answer: okPage("Markets, without disabled ones.", MARKET, MARKET_EXAMPLE),
    errors: {
      422: [
        "public.markets.base_unit_doesnt_exist",
        "public.markets.quote_unit_doesnt_exist",
      ],
    },
    handle: listMarkets,
  }),
  endpoint({
    id: "listCurrencies",
    method: "GET",
    paths: [
      "/api/v2/backend/public/currencies",
      "/api/v2/trading/public/currencies",
      "/api/v2/peatio/public/currencies",
    ],
    ...MARKET_DATA,
    summary: "List currencies",
    query: CURRENCIES_QUERY,
    answer: okPage("Listed currencies, by position.", CURRENCY, CURRENCY_EXAMPLE),
    handle: listCurrencies,
  }),
  endpoint({
    id: "readCurrency",
    method: "GET",
    paths: [
      "/api/v2/backend/public/currencies/{id}",
      "/api/v2/trading/public/currencies/{id}",
      "/api/v2/peatio/public/currencies/{id}",
    ],
    ...MARKET_DATA,
    summary: "Get a currency",
    answer: ok("The currency.", CURRENCY, CURRENCY_EXAMPLE),
    errors: { 422: ["public.currency.doesnt_exist"] },
    handle: readCurrency,
  }),
];
