/** Payments as transactions: what they call, what they may pay for it, and their signatures. */
import { Transaction } from "micro-eth-signer";
import type { AccountKeys, KeyPlace } from "../keys/account_keys.ts";
import type { EvmCall } from "./evm_chain.ts";
import { addressWord, hexOf, wordOf } from "./evm_hex.ts";
import type { EvmNetwork } from "./evm_networks.ts";

/** What begins a call of `transfer(address,uint256)`. */
const TRANSFER = "0xa9059cbb";

/** Gas of a payment to an address that is no contract. */
export const PLAIN_GAS = 21_000n;
/** Which key the wallet pays with. */
export const WALLET_KEY: KeyPlace = { own: 0 };

/** What is paid to whom. */
export interface Payment {
  readonly address: string;
  /** The token's contract; null for the network's own coin. */
  readonly contract: string | null;
  readonly units: bigint;
}

/** What a transaction pays at most for a unit of gas, in wei: in all, and to the block's maker. */
export interface GasFee {
  readonly feeMax: bigint;
  readonly tip: bigint;
}

/** What a transaction is beside its payment. */
export interface PaymentTerms extends GasFee {
  readonly nonce: number;
  readonly gas: bigint;
}

/** A signed transaction. */
export interface SignedPayment {
  readonly txid: string;
  readonly signed: string;
}

/** Returns a payment as a call by an address, for so much for gas or for nothing. */
export function callOf(
  { address, contract, units }: Payment,
  from: string,
  fee: GasFee | null = null,
): EvmCall {
  const paid = fee === null
    ? {}
    : { maxFeePerGas: hexOf(fee.feeMax), maxPriorityFeePerGas: hexOf(fee.tip) };
  return contract === null
    ? { from, to: address, value: hexOf(units), ...paid }
    : { from, to: contract, data: transferData(address, units), ...paid };
}

/** Signs a payment by the address of a key; the private key is used and dropped. */
export function signPayment(
  keys: Pick<AccountKeys, "privateKeyAt">,
  place: KeyPlace,
  chainId: bigint,
  { address, contract, units }: Payment,
  { nonce, gas, feeMax, tip }: PaymentTerms,
): SignedPayment {
  const transaction = Transaction.prepare({
    type: "eip1559",
    chainId,
    nonce: BigInt(nonce),
    gasLimit: gas,
    maxFeePerGas: feeMax,
    maxPriorityFeePerGas: tip,
    to: contract ?? address,
    value: contract === null ? units : 0n,
    data: contract === null ? "" : transferData(address, units),
  });
  const key = keys.privateKeyAt(place);
  try {
    // By RFC 6979: who signs the same twice has the same transaction.
    const signed = transaction.signBy(key, false);
    return { txid: signed.hash, signed: signed.toHex() };
  } finally {
    key.fill(0);
  }
}

/** Returns how much of the network's own coin a signed transaction pays, beside its fee. */
export function coinsOf(signed: string): bigint {
  return Transaction.fromHex(signed).raw.value;
}

/** Returns what a payment takes at most of the network's own coin, in wei. */
export function costOf(
  { contract, units }: Pick<Payment, "contract" | "units">,
  gas: bigint,
  feeMax: bigint,
): bigint {
  return gas * feeMax + (contract === null ? units : 0n);
}

/** Returns what to pay to a block's maker where so much is asked, within the network's limits. */
export function tipOf({ tipMin, tipMax }: EvmNetwork, asked: bigint): bigint {
  return asked < tipMin ? tipMin : asked > tipMax ? tipMax : asked;
}

/** Returns what to pay for gas in the next blocks; null while that is above the network's limit. */
export function gasFee(
  network: EvmNetwork,
  { baseFee, tip: asked }: { readonly baseFee: bigint; readonly tip: bigint },
): GasFee | null {
  const { feeMax } = network;
  const tip = tipOf(network, asked);
  if (baseFee + tip > feeMax) return null;
  // Enough for six full blocks in a row, each of which raises the base fee by an eighth.
  const wanted = 2n * baseFee + tip;
  return { feeMax: wanted < feeMax ? wanted : feeMax, tip };
}

/**
 * Returns what has to be paid for a node to take a transaction in the place of another: an eighth
 * more of both, or what is usual now if that is more; null if that is above the network's limit.
 */
export function raisedFee(network: EvmNetwork, last: GasFee, usual: GasFee): GasFee | null {
  const raised = (one: bigint, now: bigint) => {
    const more = (one * 9n + 7n) / 8n;
    return more > now ? more : now;
  };
  const feeMax = raised(last.feeMax, usual.feeMax);
  return feeMax > network.feeMax ? null : { feeMax, tip: raised(last.tip, usual.tip) };
}

function transferData(address: string, units: bigint): string {
  return TRANSFER + addressWord(address) + wordOf(units);
}
