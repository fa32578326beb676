/** Finds the transaction that has taken a nonce. */
import type { EvmChain } from "./evm_chain.ts";
import { EvmNodeError } from "./evm_node_error.ts";

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
