/** Whether a token is there and has the digits that it is served with: else all its amounts would be wrong. */
import { type CoinTerms, CoinTermsError } from "../rails/network_rail.ts";
import type { EvmChain } from "./evm_chain.ts";
import { isTokensFault } from "./evm_node_error.ts";

/** A call of `decimals()`. */
const DECIMALS = "0x313ce567";

/**
 * Checks a coin's digits by what its contract says, unless that says nothing: not all do.
 *
 * @throws {CoinTermsError} its address has no code, as one of another network or a mistyped one, or
 * the digits differ
 */
export async function checkDigits(
  chain: Pick<EvmChain, "read" | "hasCode">,
  coin: CoinTerms,
): Promise<void> {
  if (coin.contract === null) return;
  let answer = "0x";
  try {
    answer = await chain.read(coin.contract, DECIMALS);
  } catch (error) {
    if (!isTokensFault(error)) throw error;
  }
  // Whatever is asked of an address without code, it answers nothing, and refuses nothing.
  if (answer === "0x" && !await chain.hasCode(coin.contract)) {
    throw new CoinTermsError(`The contract of ${coin.currency} has no code`, "contract");
  }
  if (answer === "0x" || BigInt(answer) === BigInt(coin.digits)) return;
  const what = `The contract of ${coin.currency} has other digits than it`;
  throw new CoinTermsError(what, "network_digits");
}
