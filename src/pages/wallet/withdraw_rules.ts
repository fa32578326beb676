/** What the venue will make of a withdrawal, as far as the page knows its rules. */
import { floorTo, product, toldUnits, typedUnits } from "../shared/amounts.ts";

/** What a withdrawal has to keep to; all amounts in units of amounts.ts. */
export interface WithdrawTerms {
  readonly available: bigint;
  readonly fee: bigint;
  readonly least: bigint;
  /** Digits after the point that the currency has. */
  readonly precision: number;
}

/** Which rule an amount breaks. */
export type AmountFault = "format" | "precision" | "funds" | "fee" | "minimum";

/** An amount as it was typed, and what comes of it. */
export interface CheckedAmount {
  /** Null if it can't be sent. */
  readonly units: bigint | null;
  /** What arrives. */
  readonly received: bigint;
  /** What stays behind: the fee, and what a whole balance has of digits too many. */
  readonly fee: bigint;
  /** Undefined if none is broken, or nothing is typed. */
  readonly fault: AmountFault | undefined;
}

/** Checks an amount as the venue will, rule by rule in its order. */
export function checkAmount(text: string, terms: WithdrawTerms): CheckedAmount {
  const none = { units: null, received: 0n, fee: terms.fee };
  if (text.trim() === "") return { ...none, fault: undefined };
  const units = typedUnits(text);
  if (units === null) return { ...none, fault: "format" };
  const { available, fee, least, precision } = terms;
  const dust = units - floorTo(units, precision);
  const kept = fee + dust;
  const fault = units > available
    ? "funds"
    : dust > 0n && units < available
    ? "precision"
    : units - dust <= fee
    ? "fee"
    : units < least
    ? "minimum"
    : undefined;
  if (fault !== undefined) return { ...none, fault };
  return { units, received: units - kept, fee: kept, fault };
}

/** A limit of what may leave without the operator, and what of it is used. */
export interface Limit {
  readonly name: "day" | "month";
  readonly whole: bigint;
  readonly used: bigint;
}

/** Returns the limits of a member. Their amounts are decimals in the platform's currency. */
export function limitsOf(
  limits: { readonly withdraw_24_hour: string | null; readonly withdraw_1_month: string | null },
  sums: { readonly last_24_hours: string; readonly last_1_month: string },
): readonly Limit[] {
  const limit = (name: Limit["name"], whole: string | null, used: string): Limit[] =>
    whole === null ? [] : [{ name, whole: toldUnits(whole), used: toldUnits(used) }];
  return [
    ...limit("day", limits.withdraw_24_hour, sums.last_24_hours),
    ...limit("month", limits.withdraw_1_month, sums.last_1_month),
  ];
}

/** Returns what is left of a limit; nothing if more than all of it is used. */
export function leftOf({ whole, used }: Limit): bigint {
  return used >= whole ? 0n : whole - used;
}

/**
 * Whether a withdrawal is going to wait for the operator.
 *
 * @param price of the currency, in the platform's
 */
export function isAboveLimits(units: bigint, price: string, limits: readonly Limit[]): boolean {
  if (limits.length === 0) return false;
  const value = product(units, toldUnits(price));
  return value === 0n || limits.some((limit) => value > leftOf(limit));
}

/** Matches what may be an address: no chain has others in its addresses. */
const ADDRESS = /^[A-Za-z0-9][A-Za-z0-9:._?=+|/-]{3,}$/;

/** Returns the address that was typed: the blanks in it come from where it was copied. */
export function addressIn(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** Whether a text may be an address of a coin. */
export function isAddressLike(text: string): boolean {
  return ADDRESS.test(addressIn(text));
}

/** Matches a one-time code. */
const CODE = /^\d{6}$/;

/** Whether a text may be a one-time code. */
export function isCodeLike(text: string): boolean {
  return CODE.test(text.trim());
}
