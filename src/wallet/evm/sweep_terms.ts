/** Sweeps as transactions: what they are worth, what they take, and their signatures. */
import { powerOfTen } from "../../domain/money/money.ts";
import type { AccountKeys, KeyPlace } from "../keys/account_keys.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import type { EvmLog, EvmReceipt } from "./evm_chain.ts";
import { addressOfWord, readQuantity } from "./evm_hex.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import type { KnownPayout } from "./payouts/evm_nonces.ts";
import {
  coinsOf,
  type GasFee,
  type PaymentTerms,
  type SignedPayment,
  signPayment,
  tipOf,
} from "./evm_payments.ts";

/** How many times its fee a sweep moves at least, unless payouts wait for it. */
const FEES_MIN = 20n;

/** A sweep before it is signed. Units of the network's own coin are all that leaves, with the fee. */
export type SweepTerms = Omit<KnownPayout, "attempts">;

/** What a sweep would move, and for what. */
export interface SweepWorth {
  readonly coin: NetworkCoin;
  /** The network's own coin; null if it is no currency of the venue. */
  readonly native: NetworkCoin | null;
  readonly units: bigint;
  /** In wei. */
  readonly fee: bigint;
  /** Units that payouts of the coin wait for; null if they don't. */
  readonly missing: bigint | null;
}

/**
 * Whether a sweep is worth its fee, twenty times over unless payouts wait for it. Where nobody knows
 * what a token or its gas is worth, it is moved only for those: by amounts of which twenty are enough.
 */
export function isWorthIt({ coin, native, units, fee, missing }: SweepWorth): boolean {
  const [paid, moved] = coin.contract === null ? [fee, units] : [
    fee * (native?.price ?? 0n) * powerOfTen(coin.digits),
    units * coin.price * powerOfTen(native?.digits ?? 0),
  ];
  if (paid === 0n || moved === 0n) return missing !== null && units * FEES_MIN >= missing;
  return missing === null ? paid * FEES_MIN <= moved : paid < moved;
}

/**
 * Returns for what an address sends all of its own coins; null while that is above the network's
 * limit. All of it goes to the block's maker, so that the fee is known beforehand and nothing is left
 * at the address.
 */
export function emptyingFee(
  network: EvmNetwork,
  { baseFee, tip }: { readonly baseFee: bigint; readonly tip: bigint },
): GasFee | null {
  // Enough for two full blocks in a row.
  const price = baseFee * 5n / 4n + tipOf(network, tip);
  return price > network.feeMax ? null : { feeMax: price, tip: price };
}

/** Signs a sweep by the address of a key. */
export function signSweep(
  keys: AccountKeys,
  place: KeyPlace,
  chainId: bigint,
  sweep: SweepTerms,
  fee: GasFee,
): SignedPayment {
  const { nonce, gas } = sweep;
  const terms: PaymentTerms = { nonce, gas, ...fee };
  return signPayment(keys, place, chainId, { ...sweep, units: valueOf(sweep, fee) }, terms);
}

/** Returns what a sweep took of an address's own coins: each of its transactions may pay another sum. */
export function takenBy(
  { attempts }: Pick<KnownPayout, "attempts">,
  { txid, isSuccess, fee }: EvmReceipt,
): bigint {
  const attempt = attempts.find((one) => one.txid === txid);
  return fee + (isSuccess && attempt !== undefined ? coinsOf(attempt.signed) : 0n);
}

/** Returns what some logs tell of transfers from an address (topic 1) or to it (topic 2). */
export function movedBy(logs: readonly EvmLog[], topic: 1 | 2, address: string): bigint {
  return logs
    .filter(({ topics, data }) =>
      addressOfWord(topics[topic] ?? "") === address.toLowerCase() && data.length === 66
    )
    .reduce((sum, { data }) => sum + readQuantity(data, "a transfer"), 0n);
}

function valueOf({ contract, units, gas }: SweepTerms, { feeMax }: GasFee): bigint {
  return contract === null ? units - gas * feeMax : units;
}
