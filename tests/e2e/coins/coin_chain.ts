/** What a life of coins needs of a chain, and of the world around the venue on it. */
import type { Prng } from "../../support/prng.ts";

/** A currency that lives on a chain. */
export interface ChainCurrency {
  readonly id: string;
  /** Decimal places of its smallest unit on the chain, and of the venue's amounts. */
  readonly digits: number;
  readonly precision: number;
  /** Withdrawal fee, in units of 10^−precision. */
  readonly fee: bigint;
  /** The largest withdrawal, in the same. */
  readonly amountMax: bigint;
  /** What the operator is told of it. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** The most that the wallet keeps, as the operator is told; null for any amount. */
  readonly hotLimit: string | null;
}

/** An output of a transaction by which the world has paid a member. */
export interface WorldDeposit {
  readonly currency: string;
  readonly address: string;
  readonly txid: string;
  /** Whether the venue knows it by its transaction; what contracts pay, only balances tell. */
  readonly isNamed: boolean;
  /** In units of the chain. */
  readonly units: bigint;
}

/** A chain, and those on it who are not the venue. */
export interface CoinChain extends AsyncDisposable {
  readonly network: string;
  readonly url: string;
  readonly cold: string;
  readonly currencies: readonly ChainCurrency[];
  /** Returns an address that has nothing and spends nothing. */
  outsider(): string;
  /** Has the world pay to a member once, by one output or several. */
  deposit(random: Prng, currency: string, address: string): Promise<readonly WorldDeposit[]>;
  /** Gives the wallet's own address something, if it has little; returns how many units. */
  refill(currency: string): Promise<bigint>;
  mine(blocks?: number): Promise<void>;
  /** Replaces the last blocks; the world sends again what was in them. */
  reorganise(depth: number): Promise<void>;
  /** Returns the units that these addresses, the wallet's own and the cold one have. */
  held(currency: string, addresses: readonly string[]): Promise<bigint>;
  /** Returns the units that an outsider has. */
  received(currency: string, address: string): Promise<bigint>;
  /** Returns those of these transactions that no block holds, or that have done nothing. */
  undone(txids: readonly string[]): Promise<readonly string[]>;
  /** Returns the fees of all transactions of these addresses and the wallet's own, in native units. */
  feesPaid(addresses: readonly string[]): Promise<bigint>;
  /** Returns how many transactions wait for a block. */
  waiting(): Promise<number>;
  /** Throws if something was not swept that should have been. */
  mustBeSwept(addresses: readonly string[]): Promise<void>;
}

/** The network's own coin, in which fees are paid. */
export function nativeOf({ currencies }: CoinChain): string {
  return currencies[0]?.id ?? "";
}
