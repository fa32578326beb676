/** A currency as the operator defines it. */
import { LEDGER_DIGITS, powerOfTen } from "./money.ts";
import type { TagRule } from "./tag.ts";

/** A `coin` lives on a chain, `fiat` in banks. */
export type CurrencyType = "coin" | "fiat";

/** The terms of a coin on one of its networks; what is absent or null is the currency's own. */
export interface NetworkTerms {
  /** The most that the wallet keeps ready for payouts there, in ledger units; null for any amount. */
  readonly hotLimit: bigint | null;
  /** Whether it is open there as far as the currency is. */
  readonly depositEnabled: boolean;
  readonly withdrawalEnabled: boolean;
  readonly withdrawFee: bigint | null;
  readonly minConfirmations: number | null;
}

/** Where a coin lives, and as what, which never changes. */
export interface CurrencyNetwork extends Partial<NetworkTerms> {
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
  /**
   * The networks that it lives on, which are only added to; absent if no rail to a network is to serve
   * it. Records of the first, its default, don't name their network, so that they are those of a
   * program that knew one network only.
   */
  readonly networks?: readonly CurrencyNetwork[];
  /** How its addresses have tags; absent if they have none. Never changes, and is never a network's. */
  readonly tag?: TagRule;
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

/** A coin on its way in or out: its currency and one of the networks that this lives on. */
export interface Way {
  /** Currency code. */
  readonly currency: string;
  /** Name of the network, as records have it: absent for the currency's first, and if it has none. */
  readonly network?: string | undefined;
}

/** Returns all ways of a currency, one for each of its networks. */
export function waysOf({ id, networks = [] }: Pick<Currency, "id" | "networks">): readonly Way[] {
  const others = networks.slice(1).map(({ name }) => ({ currency: id, network: name }));
  return [{ currency: id }, ...others];
}

/** Returns a currency's network of this name, its first without one; undefined if it has none. */
export function networkIn(
  { networks = [] }: Pick<Currency, "networks">,
  name: string | undefined,
): CurrencyNetwork | undefined {
  return name === undefined ? networks[0] : networks.find((network) => network.name === name);
}

/** Returns how records name one of a currency's networks: the first by no name. */
export function recordedNetwork(
  { networks = [] }: Pick<Currency, "networks">,
  name: string | undefined,
): { readonly network?: string } {
  return name === undefined || name === networks[0]?.name ? {} : { network: name };
}

/** Returns a currency by its terms on one of its networks. */
export function currencyOn(currency: Currency, name: string | undefined): Currency {
  const network = networkIn(currency, name);
  if (network === undefined) return currency;
  const { depositEnabled = true, withdrawalEnabled = true } = network;
  return {
    ...currency,
    depositEnabled: currency.depositEnabled && depositEnabled,
    withdrawalEnabled: currency.withdrawalEnabled && withdrawalEnabled,
    withdrawFee: network.withdrawFee ?? currency.withdrawFee,
    minConfirmations: network.minConfirmations ?? currency.minConfirmations,
  };
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
