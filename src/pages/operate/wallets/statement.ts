/** What chains hold of a currency, line by line, down to what is left of it. */
import type { Records } from "../../../client/client.ts";
import { decimalOf, unitsOf } from "../../../client/decimals.ts";
import { fixed } from "../../shared/amounts.ts";

type Wallet = Records["Wallet"];

/** Digits after the point in which all networks' amounts are whole. */
const EXACT_DIGITS = 36;
/** Digits after the point that are read at a glance; those behind them are seldom worth anything. */
const MAIN_DIGITS = 8;

/** Names of the lines. */
export type LineName =
  | "hot"
  | "deposits"
  | "coldHeld"
  | "chain"
  | "inFlight"
  | "paid"
  | "free"
  | "locked"
  | "difference";

/** A line of the statement. */
export interface Line {
  readonly name: LineName;
  /** Of which network; null for all of them. */
  readonly network: string | null;
  /** Null for what can't be told. */
  readonly amount: string | null;
  /** Whether it is the sum of those above it. */
  readonly isSum: boolean;
}

/** Returns the lines: what chains hold, what is added and taken, and what is left. */
export function statementOf(wallet: Wallet): readonly Line[] {
  const { networks, chain, in_flight: flight, free, locked, difference } = wallet;
  const held = networks.flatMap(({ network, hot, deposits, cold }): Line[] => [
    { name: "hot", network, amount: hot, isSum: false },
    { name: "deposits", network, amount: deposits, isSum: false },
    ...(cold === null ? [] : [{ name: "coldHeld", network, amount: cold, isSum: false } as const]),
  ]);
  const ofAll = (name: LineName, amount: string | null, isSum = false): Line => ({
    name,
    network: null,
    amount,
    isSum,
  });
  return [
    ...held,
    ofAll("chain", chain, true),
    ofAll("inFlight", minus(flight?.deposits ?? null)),
    ofAll("paid", flight?.paid ?? null),
    ofAll("free", minus(free)),
    ofAll("locked", minus(locked)),
    ofAll("difference", difference, true),
  ];
}

/** Returns how many digits after the point the amounts need. */
export function digitsOf(lines: readonly Line[]): number {
  const places = lines.map(({ amount }) => /\.(\d*?)0*$/.exec(amount ?? "")?.[1]?.length ?? 0);
  return Math.max(0, ...places);
}

/** Returns an amount with so many digits after the point, in two parts: what counts, and the rest. */
export function amountParts(text: string, digits: number): readonly [main: string, rest: string] {
  const whole = fixed(text, digits);
  const cut = whole.length - Math.max(0, digits - MAIN_DIGITS);
  return [whole.slice(0, cut), whole.slice(cut)];
}

/** Whether an amount is below zero. */
export function isShort(difference: string): boolean {
  return unitsOf(difference, EXACT_DIGITS) < 0n;
}

function minus(text: string | null): string | null {
  return text === null ? null : decimalOf(-unitsOf(text, EXACT_DIGITS), EXACT_DIGITS);
}
