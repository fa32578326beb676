/** Deposits as JSON. */
import type * as z from "zod";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { Venue } from "../../domain/venue.ts";
import type { DEPOSIT } from "../schemas/deposits.ts";
import { amountText, currencyId, type Fraction, isoSeconds, shownNetwork } from "./wire.ts";

/** The JSON form of a deposit. */
export type DepositJson = z.infer<typeof DEPOSIT>;

const TID_BITS = 40;
const TID_DIGITS = 10;
/** Odd, so that no two ids below 2⁴⁰ share a tid. */
const TID_FACTOR = 0x9e3779b97fn;

/** Undoes the factor: each step doubles the bits in which the product of the two is one. */
const TID_INVERSE = [3, 6, 12, 24, 48].reduce(
  (inverse) => BigInt.asUintN(TID_BITS, inverse * (2n - TID_FACTOR * inverse)),
  TID_FACTOR,
);
const TID = /^TID[0-9A-F]{10}$/i;

/** Returns a deposit as its member reads it. */
export function depositJson(venue: Venue, deposit: Deposit, fraction: Fraction): DepositJson {
  const isCoin = venue.isCoin(deposit.currency);
  return {
    id: deposit.id,
    currency: currencyId(venue, deposit.currency),
    ...shownNetwork(venue, deposit.currency, deposit.network),
    amount: amountText(deposit.amount - deposit.fee, fraction),
    fee: amountText(deposit.fee, fraction),
    txid: deposit.txid === "" ? null : deposit.txid,
    ...(isCoin ? { confirmations: deposit.confirmations } : {}),
    state: deposit.state,
    transfer_type: isCoin ? "crypto" : "fiat",
    created_at: isoSeconds(deposit.createdAt),
    completed_at: deposit.completedAt === 0 ? null : isoSeconds(deposit.completedAt),
    tid: depositTid(deposit.id),
    ...(deposit.reverses === undefined ? {} : { reverses: deposit.reverses }),
  };
}

/** Returns the public name of a deposit: `TID` and ten hex digits computed from its id. */
export function depositTid(id: number): string {
  const digits = BigInt.asUintN(TID_BITS, BigInt(id) * TID_FACTOR).toString(16);
  return `TID${digits.padStart(TID_DIGITS, "0").toUpperCase()}`;
}

/** Returns the id of the deposit with a public name, in any case; null if a text is no such name. */
export function idOfTid(tid: string): number | null {
  if (!TID.test(tid)) return null;
  const digits = BigInt(`0x${tid.slice("TID".length)}`);
  return Number(BigInt.asUintN(TID_BITS, digits * TID_INVERSE));
}
