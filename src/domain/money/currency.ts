/** A currency as the operator defines it. */
import { LEDGER_DIGITS, powerOfTen } from "./money.ts";

/** A `coin` lives on a chain, `fiat` in banks. */
export type CurrencyType = "coin" | "fiat";

/** Where a coin lives, and as what. */
export interface CurrencyNetwork {
  /** The network's name, as the wallet's rails have it: `ethereum`. */
  readonly name: string;
  /** The contract of a token, in its canonical spelling; absent for the network's own coin. */
  readonly contract?: string;
  /** Fractional digits of its smallest unit there. */
  readonly digits: number;
}

/** One currency of the venue. Amounts are in ledger units. */
export interface Currency {
  /** Position in the venue's list; never changes. */
  readonly index: number;
  /** The code, lower case: `btc`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly homepage: string;
  readonly type: CurrencyType;
  /** How its transactions and addresses are compared, see `nameFormOf`; never changes. */
  readonly nameForm?: NameForm;
  /** Absent if no rail to a network is to serve it; never changes once it is there. */
  readonly network?: CurrencyNetwork;
  /** Fractional digits that deposits and withdrawals may have. */
  readonly precision: number;
  /** Price of one coin in the platform's currency. */
  readonly price: bigint;
  /** Id of the market that it follows; null, or absent from older records, if an operator sets it. */
  readonly priceMarket?: string | null;
  /** When it was last set, in ms; absent if it never was by a program that notes it. */
  readonly pricedAt?: number;
  readonly position: number;
  readonly visible: boolean;
  readonly depositEnabled: boolean;
  readonly withdrawalEnabled: boolean;
  /** Whether the markets of this currency take new orders. */
  readonly tradingEnabled: boolean;
  readonly depositFee: bigint;
  readonly minDepositAmount: bigint;
  readonly withdrawFee: bigint;
  readonly minWithdrawAmount: bigint;
  /**
   * What a member may withdraw in 24 and 72 hours without the operator: with 0 nothing, with null
   * any amount.
   */
  readonly withdrawLimit24h: bigint | null;
  readonly withdrawLimit72h: bigint | null;
  readonly minConfirmations: number;
  readonly explorerTransaction: string;
  readonly explorerAddress: string;
  readonly iconUrl: string;
}

/** Returns the part of an amount in ledger units that is too small for the currency to leave. */
export function dustOf({ precision }: Pick<Currency, "precision">, amount: bigint): bigint {
  return amount % powerOfTen(LEDGER_DIGITS - precision);
}

/** Whether an amount in ledger units has no more fractional digits than the currency allows. */
export function isOnPrecision({ precision }: Pick<Currency, "precision">, amount: bigint): boolean {
  return dustOf({ precision }, amount) === 0n;
}

/**
 * How the names of a currency are compared. `common`: hexadecimal ones in lower case and without
 * `0x`, bech32 ones in lower case, all others (base58 among them) as they are. `cash`: the same, and
 * an address of Bitcoin Cash is one, whether as CashAddr or in its legacy form. `exact`: as they are.
 */
export const NAME_FORMS = ["common", "cash", "exact"] as const;

export type NameForm = typeof NAME_FORMS[number];
