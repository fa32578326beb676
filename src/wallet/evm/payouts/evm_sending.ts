/** What payments from any of the wallet's addresses have in common on their way to a block. */
import { present } from "../../../domain/assert.ts";
import type { AccountKeys } from "../../keys/account_keys.ts";
import { PayoutWaitsError } from "../../rails/payout_waits.ts";
import { type EvmChain, type EvmHeader, type EvmReceipt, TRANSFER_TOPIC } from "../evm_chain.ts";
import { addressWord, hexOf } from "../evm_hex.ts";
import type { EvmNetwork } from "../evm_networks.ts";
import { EvmNodeError, refusalOf, RpcRefusedError } from "../evm_node_error.ts";
import {
  callOf,
  type GasFee,
  gasFee,
  type Payment,
  PLAIN_GAS,
  raisedFee,
} from "../evm_payments.ts";
import {
  findSpender,
  ForgottenStateError,
  type PaymentPlace,
  placeIfPaid,
} from "../forgotten_payment.ts";
import type { Attempt, KnownPayout } from "./evm_nonces.ts";

/** How often a payment is sent for a higher fee. */
const ATTEMPTS_MAX = 12;

/** What sending works with. */
export interface SendingParts {
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly keys: AccountKeys;
  readonly onFault: (error: unknown) => void;
}

/** What has taken a payment's nonce. */
export interface Replacement {
  /** Null where the node can't show it: it may pay the same. */
  readonly txid: string | null;
  /** Where it is if it pays the same. */
  readonly paid: PaymentPlace | null;
}

/** Looks after payments that are signed and noted. */
export class EvmSending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /**
   * Returns the gas that a payment by an address may take, or why it is refused.
   *
   * @param fee what it is going to pay for gas, if the address has that; or it is tried for nothing
   * @throws {PayoutWaitsError} the node can't tell now
   */
  async gasOf(payment: Payment, from: string, fee: GasFee | null): Promise<bigint | string> {
    const { chain, network } = this.#parts;
    const call = callOf(payment, from, fee);
    let gas: bigint;
    try {
      gas = await chain.gasOf(call);
      const isToken = payment.contract !== null;
      if (isToken && !isDone(await chain.call({ ...call, gas: hexOf(gas) }))) {
        return "its token refuses it";
      }
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === "reverted") return "its recipient or token refuses it";
      if (reason === "out_of_gas") return "it takes too much gas";
      // A recipient's contract decides what a node says of it, which is no fault of the node.
      if (!(error instanceof RpcRefusedError)) throw error;
      const what = `The node can't tell what it takes (${reason}): see its log, ` +
        "and whether the recipient is a contract that refuses it";
      throw new PayoutWaitsError("untold", what, { cause: error });
    }
    const limit = gas <= PLAIN_GAS ? PLAIN_GAS : gas * 5n / 4n;
    return limit > network.gasMax ? "it takes too much gas" : limit;
  }

  /** Returns what is usual to pay for gas now; null while that is above the network's limit. */
  async usualFee({ baseFee }: EvmHeader): Promise<GasFee | null> {
    const { chain, network } = this.#parts;
    return gasFee(network, { baseFee, tip: await chain.tip() });
  }

  /** Returns the receipt of the one of a payment's transactions that a block holds; null if none. */
  async receipt({ attempts }: KnownPayout): Promise<EvmReceipt | null> {
    const { chain } = this.#parts;
    const found = await chain.receipts(attempts.map(({ txid }) => txid));
    const receipt = found.find((one) => one !== null) ?? null;
    if (receipt === null) return null;
    const [block] = await chain.headers([receipt.height]);
    if (block?.hash === receipt.hash) return receipt;
    throw new EvmNodeError("contradicting", "a receipt is of a block that is not there");
  }

  /**
   * Returns whether another transaction of an address has taken a payment's nonce for good, and
   * where that is if it pays the same: a venue that was restored from a copy has forgotten it.
   *
   * @throws {EvmNodeError} that can't be shown, though the nonce is taken
   */
  async replacement(
    known: KnownPayout,
    of: string,
    head: EvmHeader,
  ): Promise<Replacement | null> {
    const { chain, network: { finalBlocks } } = this.#parts;
    const { nonce, attempts } = known;
    const to = head.height - finalBlocks;
    if (to < 0 || await chain.sentBy(of, to) <= nonce) return null;
    // A reorganisation may have put it below the block after which the payment was signed.
    const from = Math.max(0, (attempts[0]?.height ?? 0) - finalBlocks);
    const spent = { address: of, nonce, from, to };
    let txid: string;
    try {
      txid = await findSpender(chain, spent);
    } catch (error) {
      if (error instanceof ForgottenStateError) return { txid: null, paid: null };
      throw error;
    }
    if (!attempts.some((one) => one.txid === txid)) {
      return { txid, paid: await placeIfPaid(chain, known, { txid, from: of }) };
    }
    throw new EvmNodeError("contradicting", "a payout has a block, but no receipt");
  }

  /** Returns for what a payment of an address should be signed anew; null if it needn't. */
  async raisedFee(known: KnownPayout, of: string, head: EvmHeader): Promise<GasFee | null> {
    const { chain, keys, network } = this.#parts;
    const { nonce, attempts, isFailed = false } = known;
    const last = lastOf(known);
    if (isFailed && !last.isEmpty) return await this.#replacingFee(last, head);
    const isDue = head.height - last.height >= network.bumpBlocks;
    const same = attempts.filter(({ isEmpty }) => isEmpty === last.isEmpty);
    if (!isDue || !keys.canSign || same.length >= ATTEMPTS_MAX) return null;
    // It waits for one before it, and a higher fee would not help.
    if (await chain.sentBy(of, head.height) !== nonce) return null;
    const usual = await this.usualFee(head);
    return usual === null ? null : raisedFee(network, last, usual);
  }

  /** Returns for what a payment that failed is replaced by one of nothing; null while gas is dear. */
  async #replacingFee(last: Attempt, head: EvmHeader): Promise<GasFee | null> {
    const usual = await this.usualFee(head);
    // At the limit, what it replaces waits in no pool that counts.
    return usual === null ? null : raisedFee(this.#parts.network, last, usual) ?? usual;
  }

  /** Sends what was noted; the next look sends it again if the network does not take it now. */
  async broadcast(known: KnownPayout): Promise<void> {
    try {
      await this.#parts.chain.broadcast(lastOf(known).signed);
    } catch (error) {
      const reason = refusalOf(error);
      // Its block came meanwhile, or the network waits with one that pays as much.
      if (reason !== "nonce_used" && reason !== "underpriced") this.#parts.onFault(error);
    }
  }
}

/** Returns a payment's newest transaction. */
export function lastOf({ attempts }: KnownPayout): Attempt {
  return present(attempts.at(-1), "a payout has a transaction");
}

/**
 * Whether a receipt tells that an address has paid. A token that takes a fee tells of less than was
 * sent: any transfer to the recipient counts.
 */
export function hasPaid(
  { isSuccess, logs }: EvmReceipt,
  { contract, address }: Payment,
  from: string,
): boolean {
  if (!isSuccess || contract === null) return isSuccess;
  const topics = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(address)}`];
  return logs.some((log) =>
    log.contract === contract.toLowerCase() && log.topics.join() === topics.join()
  );
}

/** Whether a token's transfer answers that it is done: some answer nothing. */
function isDone(answer: string): boolean {
  return answer === "0x" || /^0x0{63}1(?:[0-9a-f]{64})*$/.test(answer);
}
