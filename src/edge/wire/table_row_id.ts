/** Ids of rows that are named by what they are for: those of the tables of fees and of limits. */
import { digestText } from "../../identity/random_text.ts";

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
