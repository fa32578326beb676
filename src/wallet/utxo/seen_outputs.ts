/** Outputs as the venue is shown them, and the text that it keeps of where a walk stands. */
import { LEDGER_DIGITS, powerOfTen } from "../../domain/money/money.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import type { SeenOutput } from "../rails/rail.ts";
import type { LooseOutput, WalkedOutput } from "./chain_walk.ts";
import { isRest } from "./utxo_coins.ts";
import { type BlockName, UTXO_DIGITS } from "./utxo_networks.ts";
import type { CoinRow } from "./utxo_rows.ts";

/** Ledger units in one of a network's. */
export const UNIT = powerOfTen(LEDGER_DIGITS - UTXO_DIGITS);
const CURSOR = /^(\d{1,15}):([0-9a-f]{64})$/;

/** Returns whether an output is enough for a coin's precision. */
export function isCredited({ precision }: NetworkCoin, { amount }: SeenOutput): boolean {
  return !isRest(amount, LEDGER_DIGITS - precision);
}

export function seenOf(
  { address, txid, index, amount }: WalkedOutput | CoinRow,
  confirmations: number,
  isDropped: boolean,
): SeenOutput {
  return { address, txid, output: index, amount: amount * UNIT, confirmations, isDropped };
}

export function seenLoose({ output, droppedAt }: LooseOutput): SeenOutput {
  return seenOf(output, 0, droppedAt !== null);
}

/** Returns a block as a cursor. */
export function cursorOf({ height, hash }: BlockName): string {
  return `${height}:${hash}`;
}

/** @throws {RangeError} the text is no cursor of this rail */
export function blockOfCursor(cursor: string): BlockName {
  const [, height = "", hash = ""] = CURSOR.exec(cursor) ?? [];
  if (hash === "") throw new RangeError("It is no cursor of this rail");
  return { height: Number(height), hash };
}
