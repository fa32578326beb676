/** Amounts of a network's units as those of the ledger, and back. */
import type { NetworkCoin } from "../rails/network_rail.ts";
import { LEDGER_DIGITS, powerOfTen, WHOLE_DIGITS_MAX } from "../../domain/money/money.ts";

const AMOUNT_END = powerOfTen(WHOLE_DIGITS_MAX + LEDGER_DIGITS);
const UINT256_END = 2n ** 256n;

/** An amount of the network as one of the ledger. */
export interface LedgerAmount {
  /** In ledger units, rounded down to one; nothing if it is all finer than the coin's precision. */
  readonly amount: bigint;
  /** What the ledger does not have of it, in units of the network. */
  readonly rest: bigint;
}

/** Returns units of the network as an amount of the ledger; null if that is too much for it. */
export function ledgerAmount(
  units: bigint,
  { digits, precision }: Pick<NetworkCoin, "digits" | "precision">,
): LedgerAmount | null {
  if (digits > precision && units < powerOfTen(digits - precision)) {
    return { amount: 0n, rest: units };
  }
  const finer = digits - LEDGER_DIGITS;
  const step = finer > 0 ? powerOfTen(finer) : 1n;
  const amount = finer > 0 ? units / step : units * powerOfTen(-finer);
  return amount < AMOUNT_END ? { amount, rest: units % step } : null;
}

/**
 * Returns an amount of the ledger as units of the network; null if the network can't move it: it is
 * nothing, finer than a unit, or more than 256 bits hold.
 */
export function networkUnits(amount: bigint, digits: number): bigint | null {
  const finer = digits - LEDGER_DIGITS;
  const step = finer < 0 ? powerOfTen(-finer) : 1n;
  const units = finer < 0 ? amount / step : amount * powerOfTen(finer);
  return amount > 0n && amount % step === 0n && units < UINT256_END ? units : null;
}
