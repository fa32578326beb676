/** Public records as JSON; decimals as in wire.ts, times in Unix seconds. */
import type * as z from "zod";
import type { Candle } from "../../domain/trading/candle.ts";
import { type Currency, type CurrencyNetwork, currencyOn } from "../../domain/money/currency.ts";
import type { Levels, Switches } from "../../domain/event.ts";
import { ANY_MARKET, type FeeRow } from "../../domain/trading/fees.ts";
import type { Market } from "../../domain/trading/market.ts";
import type { MarketBook } from "../../domain/trading/market_book.ts";
import { formatDecimal, formatInteger } from "../../domain/money/money.ts";
import type { BookSide } from "../../domain/trading/order_book.ts";
import type { Venue } from "../../domain/venue.ts";
import { ANY_LEVEL, type WithdrawLimit } from "../../domain/money/withdraw_limits.ts";
import type { Ticker } from "../../engine/engine.ts";
import type {
  CURRENCY,
  MARKET,
  MEMBER_LEVELS,
  NETWORK,
  TICKER,
  TRADING_FEE,
} from "../schemas/market_answers.ts";
import type { SWITCHES, WITHDRAW_LIMIT } from "../schemas/admin/admin_bounds.ts";
import type { ADMIN_NETWORK } from "../schemas/admin/admin_networks.ts";
import { webUrl } from "../web_url.ts";
import { bookChecksum, CHECKED_LEVELS } from "./book_checksum.ts";
import { amountText, currencyId, type Fraction, rateText, vwap } from "./wire.ts";
import { digestText } from "../../identity/random_text.ts";

export type TickerJson = z.infer<typeof TICKER>;
export type MarketJson = z.infer<typeof MARKET>;
export type CurrencyJson = z.infer<typeof CURRENCY>;
export type MemberLevelsJson = z.infer<typeof MEMBER_LEVELS>;
export type TradingFeeJson = z.infer<typeof TRADING_FEE>;
export type WithdrawLimitJson = z.infer<typeof WITHDRAW_LIMIT>;

/** Returns the ticker of a market. */
export function tickerJson(
  book: MarketBook,
  ticker: Ticker,
  at: number,
  fraction: Fraction,
): TickerJson {
  const { market } = book;
  const price = (ticks: number) => formatInteger(ticks, market.pricePrecision, fraction);
  const volume = amountText(ticker.total, fraction);
  return {
    at,
    ticker: {
      at,
      low: price(ticker.low),
      high: price(ticker.high),
      open: price(ticker.open),
      last: price(ticker.last),
      volume,
      vol: volume,
      amount: formatDecimal(ticker.volume, market.amountPrecision, fraction),
      avg_price: vwap(market, ticker.total, ticker.volume, fraction),
      price_change_percent: changePercent(ticker.open, ticker.last),
      buy: price(book.bids.best()?.price ?? 0),
      sell: price(book.asks.best()?.price ?? 0),
    },
  };
}

/** Returns a signed percentage with two digits, rounded half away from zero: `+20.00%`. */
export function changePercent(open: number, last: number): string {
  if (open === 0) return "+0.00%";
  const distance = BigInt(Math.abs(last - open));
  const hundredths = (distance * 20_000n / BigInt(open) + 1n) / 2n;
  const sign = last < open && hundredths > 0n ? "-" : "+";
  const digits = hundredths.toString().padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}

/** Returns candles as JSON text: exact decimals as number literals, never through a float. */
export function candlesText(market: Market, candles: readonly Candle[]): string {
  const price = (ticks: number) => formatInteger(ticks, market.pricePrecision);
  const points = candles.map((candle) =>
    `[${candle.start},${price(candle.open)},${price(candle.high)},${price(candle.low)},` +
    `${price(candle.close)},${formatDecimal(candle.volume, market.amountPrecision)}]`
  );
  return `[${points.join(",")}]`;
}

/**
 * Returns the depth of a book as JSON text: the levels nearest the spread, highest price first.
 *
 * @param isChecked whether its checksum follows
 */
export function depthText(
  book: MarketBook,
  limit: number,
  second: number,
  fraction: Fraction,
  isChecked = false,
): string {
  const asks = levelTexts(book, book.asks, limit, fraction).reverse();
  const bids = levelTexts(book, book.bids, limit, fraction);
  const checksum = isChecked ? `,"checksum":${checksumOf(book)}` : "";
  return `{"timestamp":${second},"asks":[${asks.join(",")}],"bids":[${bids.join(",")}],` +
    `"event":${book.levelsSequence}${checksum}}`;
}

function checksumOf({ market, asks, bids }: MarketBook): number {
  const best = (side: BookSide) =>
    [...side.levels().take(CHECKED_LEVELS)].map(({ price, lots }) => [price, lots] as const);
  return bookChecksum(market, { asks: best(asks), bids: best(bids) });
}

/** Returns a side's levels as JSON texts, `[price, volume]`, best first: at most `limit` of them. */
export function levelTexts(
  book: MarketBook,
  side: BookSide,
  limit: number,
  fraction: Fraction,
): string[] {
  const { pricePrecision, amountPrecision } = book.market;
  const texts: string[] = [];
  for (const level of side.levels()) {
    if (texts.length === limit) break;
    texts.push(
      `["${formatInteger(level.price, pricePrecision, fraction)}",` +
        `"${formatInteger(level.lots, amountPrecision, fraction)}"]`,
    );
  }
  return texts;
}

/** Returns a market. */
export function marketJson(venue: Venue, market: Market, fraction: Fraction): MarketJson {
  const { pricePrecision, amountPrecision } = market;
  return {
    id: market.id,
    name: market.name,
    base_unit: currencyId(venue, market.base),
    quote_unit: currencyId(venue, market.quote),
    min_price: formatInteger(market.minPrice, pricePrecision, fraction),
    max_price: formatInteger(market.maxPrice, pricePrecision, fraction),
    min_amount: formatInteger(market.minAmount, amountPrecision, fraction),
    min_total: amountText(market.minTotal, fraction),
    amount_precision: amountPrecision,
    price_precision: pricePrecision,
    state: market.state,
    position: market.position,
  };
}

/** Returns a currency. */
export function currencyJson(currency: Currency, fraction: Fraction): CurrencyJson {
  const amount = (units: bigint) => amountText(units, fraction);
  const limit = (units: bigint | null) => limitText(units, fraction);
  const isCoin = currency.type === "coin";
  const [homepage, icon] = [webUrl(currency.homepage), webUrl(currency.iconUrl)];
  return {
    id: currency.id,
    ...(currency.name === "" ? {} : { name: currency.name }),
    description: currency.description === "" ? null : currency.description,
    homepage: homepage === "" ? null : homepage,
    price: amount(currency.price),
    ...(isCoin
      ? {
        explorer_transaction: webUrl(currency.explorerTransaction),
        explorer_address: webUrl(currency.explorerAddress),
      }
      : {}),
    type: currency.type,
    deposit_enabled: currency.depositEnabled,
    withdrawal_enabled: currency.withdrawalEnabled,
    deposit_fee: amount(currency.depositFee),
    min_deposit_amount: amount(currency.minDepositAmount),
    withdraw_fee: amount(currency.withdrawFee),
    min_withdraw_amount: amount(currency.minWithdrawAmount),
    withdraw_limit_24h: limit(currency.withdrawLimit24h),
    withdraw_limit_72h: limit(currency.withdrawLimit72h),
    base_factor: 10 ** currency.precision,
    precision: currency.precision,
    position: currency.position,
    ...(icon === "" ? {} : { icon_url: icon }),
    ...(isCoin
      ? {
        min_confirmations: currency.minConfirmations,
        networks: networksJson(currency, fraction),
      }
      : {}),
    ...(currency.tag === undefined ? {} : { tag: currency.tag }),
  };
}

/** Returns the networks that a currency lives on, with its terms there. */
function networksJson(currency: Currency, fraction: Fraction): z.infer<typeof NETWORK>[] {
  return (currency.networks ?? []).map((network) => networkJson(currency, network, fraction));
}

/** Returns the networks that a currency lives on, as operators see them. */
export function adminNetworksJson(
  currency: Currency,
  fraction: Fraction,
): z.infer<typeof ADMIN_NETWORK>[] {
  return (currency.networks ?? []).map((network) => ({
    ...networkJson(currency, network, fraction),
    network_digits: network.digits,
    hot_limit: limitText(network.hotLimit ?? null, fraction),
  }));
}

function networkJson(
  currency: Currency,
  { name, contract }: CurrencyNetwork,
  fraction: Fraction,
): z.infer<typeof NETWORK> {
  const there = currencyOn(currency, name);
  return {
    network: name,
    contract: contract ?? null,
    deposit_enabled: there.depositEnabled,
    withdrawal_enabled: there.withdrawalEnabled,
    withdraw_fee: amountText(there.withdrawFee, fraction),
    min_confirmations: there.minConfirmations,
  };
}

/** Returns the minimum member levels. */
export function memberLevelsJson(levels: Levels): MemberLevelsJson {
  return {
    deposit: { minimum_level: levels.deposit },
    withdraw: { minimum_level: levels.withdraw },
    trading: { minimum_level: levels.trading },
  };
}

/** Returns the venue's switches, without what a restore notes beside them. */
export function switchesJson({ trading, withdrawals }: Switches): z.infer<typeof SWITCHES> {
  return { trading, withdrawals };
}

/** Returns a row of the fee table. */
export function tradingFeeJson(
  venue: Venue,
  row: FeeRow,
  fraction: Fraction,
): TradingFeeJson {
  const { group } = row;
  const market_id = row.market === ANY_MARKET ? "any" : venue.book(row.market).market.id;
  return {
    id: tableRowId("trading_fee", market_id, group),
    market_id,
    group,
    maker: rateText(row.maker, fraction),
    taker: rateText(row.taker, fraction),
  };
}

/** Formats a limit; null for none. */
export function limitText(limit: bigint | null, fraction: Fraction): string | null {
  return limit === null ? null : amountText(limit, fraction);
}

/** Returns a row of the table of withdrawal limits. */
export function withdrawLimitJson(
  row: WithdrawLimit,
  fraction: Fraction,
): WithdrawLimitJson {
  const { group } = row;
  const kyc_level = row.level === ANY_LEVEL ? "any" : String(row.level);
  return {
    id: tableRowId("withdraw_limit", kyc_level, group),
    group,
    kyc_level,
    limit_24_hour: limitText(row.limit24h, fraction),
    limit_1_month: limitText(row.limit1m, fraction),
  };
}

/** Hexadecimal digits of 32 bits, of which all but one are used: no client's integer is shorter. */
const DIGITS = 8;

/**
 * Returns the id of a row, the same whatever rows come and go beside it. No call takes it. Among a
 * thousand rows two have the same one in one of four thousand venues.
 */
export function tableRowId(table: "trading_fee" | "withdraw_limit", ...name: string[]): number {
  const digest = digestText([table, ...name].join(" "));
  return Number.parseInt(digest.slice(0, DIGITS), 16) >>> 1 || 1;
}
