/**
 * Finds what has taken a nonce, and what has paid in a payout's place. A venue that was restored from a
 * copy has forgotten the replacements for a higher fee that it has sent since, and one of them may be
 * in a block.
 */
import { type EvmChain, TRANSFER_TOPIC } from "./evm_chain.ts";
import { addressWord } from "./evm_hex.ts";
import { EvmNodeError, refusalOf } from "./evm_node_error.ts";
import { callOf, type Payment } from "./evm_payments.ts";

/** Blocks whose state and receipts each node keeps, up to one that is final. */
export const STATE_BLOCKS = 128;

/** What has taken a nonce is where the node has forgotten who had sent what. */
export class ForgottenStateError extends Error {
  override name = "ForgottenStateError";
}

/** A nonce that was taken by the end of a block. */
export interface SpentNonce {
  readonly address: string;
  readonly nonce: number;
  /** The block after which it was, unless blocks were replaced since: then it may be below. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the txid of the transaction with a nonce of an address.
 *
 * @throws {ForgottenStateError} the node can't tell any more
 * @throws {EvmNodeError} the blocks hold none
 */
export async function findSpender(
  chain: Pick<EvmChain, "sentBy" | "blocks">,
  { address, nonce, from, to }: SpentNonce,
): Promise<string> {
  let [before, after] = [from, to];
  let forgotten: unknown = null;
  const isTakenBy = async (height: number): Promise<boolean> => {
    try {
      return await chain.sentBy(address, height) > nonce;
    } catch (error) {
      const isKept = height > from && to - from <= STATE_BLOCKS;
      if (refusalOf(error) !== "no_state" || isKept) throw error;
      // It may come after those that the node has forgotten.
      forgotten = error;
      return false;
    }
  };
  if (await isTakenBy(from)) [before, after] = [0, from];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (await isTakenBy(middle)) after = middle;
    else before = middle;
  }
  const [block] = await chain.blocks([after]);
  const lower = address.toLowerCase();
  const spender = block?.transactions.find((one) => one.from === lower && one.nonce === nonce);
  if (spender !== undefined) return spender.txid;
  if (forgotten !== null) {
    const what = "The node does not know any more what has taken a nonce";
    throw new ForgottenStateError(what, { cause: forgotten });
  }
  throw new EvmNodeError("contradicting", "nothing has taken a nonce");
}

/** Where a payment is on the chain. */
export interface PaymentPlace {
  readonly txid: string;
  readonly height: number;
}

/** Returns where a transaction is, if it pays the same for an address as a payment of it. */
export async function placeIfPaid(
  chain: Pick<EvmChain, "blocks" | "receipts" | "inputOf">,
  payment: Payment,
  { txid, from }: { readonly txid: string; readonly from: string },
): Promise<PaymentPlace | null> {
  const { address: to, contract, units } = payment;
  const [receipt] = await chain.receipts([txid]);
  if (receipt?.isSuccess !== true) return null;
  const { height, logs } = receipt;
  const [block] = await chain.blocks([height]);
  const call = block?.transactions.find((one) => one.txid === txid);
  const called = (contract ?? to).toLowerCase();
  if (call?.to !== called) return null;
  if (contract === null) return call.value === units ? { txid, height } : null;
  // A token that takes a fee tells of less than was sent.
  if (await chain.inputOf(txid) !== callOf(payment, from).data) return null;
  const topics = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`];
  const isPaid = logs.some((log) => log.contract === called && log.topics.join() === topics.join());
  return isPaid ? { txid, height } : null;
}
