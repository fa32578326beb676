/** The checksum by which a client proves the book that it has built. */
import { crc32 } from "node:zlib";
import { formatInteger } from "../../domain/money/money.ts";
import type { Market } from "../../domain/trading/market.ts";

/** Price in ticks and volume in lots. */
export type BookLevel = readonly [price: number, lots: number];

/** Levels of both sides, best first. */
export interface BookLevels {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
}

/** How clients ask for it; some write `true`. */
export const CHECKSUM_WORDS = ["crc32", "true"] as const;

/** Levels per side that it covers. */
export const CHECKED_LEVELS = 10;

/**
 * Returns the CRC32 of the ten best asks and then the ten best bids, each best first, every level
 * as `price:volume` in the decimals of depths and streams, joined with `:`.
 */
export function bookChecksum(market: Market, { asks, bids }: BookLevels): number {
  const best = [...asks.slice(0, CHECKED_LEVELS), ...bids.slice(0, CHECKED_LEVELS)];
  const texts = best.map((level) => levelTexts(market, level).join(":"));
  return crc32(texts.join(":"));
}

/** Returns price and volume as depths have them; volume `0` removes the level. */
export function levelTexts(
  market: Market,
  [price, lots]: BookLevel,
): [price: string, volume: string] {
  return [
    formatInteger(price, market.pricePrecision, 1),
    lots === 0 ? "0" : formatInteger(lots, market.amountPrecision, 1),
  ];
}
