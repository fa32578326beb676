/**
 * Finds what has taken a nonce, and what has paid in a payout's place. A venue that was restored from a copy has forgotten the
 * replacements for a higher fee that it has sent since, and one of them may be in a block.
 */
import { type EvmChain, TRANSFER_TOPIC } from "./evm_chain.ts";
import { addressWord } from "./evm_hex.ts";
import { EvmNodeError } from "./evm_node_error.ts";
import type { Payment } from "./evm_payments.ts";

/** A nonce that was taken after one block, and by the end of another. */
export interface SpentNonce {
  readonly address: string;
  readonly nonce: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the txid of the transaction with a nonce of an address.
 *
 * @throws {EvmNodeError} the blocks hold none
 */
export async function findSpender(
  chain: Pick<EvmChain, "sentBy" | "blocks">,
  { address, nonce, from, to }: SpentNonce,
): Promise<string> {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (await chain.sentBy(address, middle) > nonce) after = middle;
    else before = middle;
  }
  const [block] = await chain.blocks([after]);
  const lower = address.toLowerCase();
  const spender = block?.transactions.find((one) => one.from === lower && one.nonce === nonce);
  if (spender === undefined) throw new EvmNodeError("contradicting", "nothing has taken a nonce");
  return spender.txid;
}

/** Where a payment is on the chain. */
export interface PaymentPlace {
  readonly txid: string;
  readonly height: number;
}

/**
 * Returns where the transaction is that has taken a payout's nonce, if it pays the same; null if it
 * does something else.
 */
export async function forgottenPayment(
  chain: Pick<EvmChain, "sentBy" | "blocks" | "receipts">,
  { address: to, contract, units }: Payment,
  spent: SpentNonce,
): Promise<PaymentPlace | null> {
  const txid = await findSpender(chain, spent);
  const [receipt] = await chain.receipts([txid]);
  if (receipt?.isSuccess !== true) return null;
  const { height, logs } = receipt;
  const [block] = await chain.blocks([height]);
  const call = block?.transactions.find((one) => one.txid === txid);
  const called = (contract ?? to).toLowerCase();
  if (call?.to !== called) return null;
  if (contract === null) return call.value === units ? { txid, height } : null;
  const topics = [TRANSFER_TOPIC, `0x${addressWord(spent.address)}`, `0x${addressWord(to)}`];
  const isPaid = logs.some((log) => log.contract === called && log.topics.join() === topics.join());
  return isPaid ? { txid, height } : null;
}
