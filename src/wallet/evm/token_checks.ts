/**
 * Whether a token is what it is served as: it is there and has these digits, else all its amounts
 * would be wrong, and what is sent of it arrives, else members were credited what can't be paid.
 */
import { type CoinTerms, CoinTermsError } from "../rails/network_rail.ts";
import type { EvmChain } from "./evm_chain.ts";
import { addressWord } from "./evm_hex.ts";
import { isTokensFault, refusalOf, RpcRefusedError } from "./evm_node_error.ts";

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

/**
 * Code that sends all that its address has of a token to another, and answers how much has left and
 * how much has arrived. It sends it in halves: a token may take its fee beside what is sent, and then
 * refuses to send all. What the token does not do moves nothing, and what takes too much gas fails.
 */
const TRIAL_CODE = "0x" + [
  // What the recipient has, and what the address has.
  "6008602035604556" + "5b600f30604556",
  // Sends one half, and what is left then.
  "5b8060011c" + "601a81607756" + "5b8103" + "602390607756",
  // What has left and what has arrived, to be returned.
  "5b602a30604556" + "5b9003" + "6035602035604556" + "5b9091900360a05260805260406080f3",
  // balanceOf(address), or two zeros are returned at once.
  "5b6370a0823160e01b600052600452" + "6020600060246000600035620186a0fa",
  "601f3d1116607157604060c0f3" + "5b6000519056",
  // transfer(address,uint256).
  "5b63a9059cbb60e01b600052602035600452602452" + "60006000604460006000600035620493e0f15056",
].join("");
/** Such an answer. */
const TRIED = /^0x([0-9a-f]{64})([0-9a-f]{64})$/;

/** What an address has of a token, to be sent to another. */
export interface TokenTrial {
  readonly address: string;
  readonly contract: string;
}

/** The node can't tell whether a token takes a fee, so that only a sweep will. */
export class UntriedTokenError extends Error {
  override name = "UntriedTokenError";
  constructor(cause?: unknown) {
    super("The node can't try a token's transfer, which would show its fee", { cause });
  }
}

/**
 * Returns those of some trials by which less would arrive than leaves, if all were sent to an address
 * after a block with this hash: nothing is sent. Any token may take a fee of what it moves, and begin
 * with it at any time.
 *
 * @param onFault told where the node can't try it
 */
export async function takingFees<T extends TokenTrial>(
  { chain, onFault }: {
    readonly chain: Pick<EvmChain, "callsAs">;
    readonly onFault: (error: unknown) => void;
  },
  trials: readonly T[],
  { to, hash }: { readonly to: string; readonly hash: string },
): Promise<readonly T[]> {
  const calls = trials.map(({ address, contract }) => ({
    address,
    code: TRIAL_CODE,
    data: `0x${addressWord(contract)}${addressWord(to)}`,
  }));
  try {
    const answers = (await chain.callsAs(calls, hash)).map((answer) => TRIED.exec(answer));
    if (answers.includes(null)) throw new UntriedTokenError();
    return trials.filter((_, i) => {
      const [left = 0n, arrived = 0n] = answers[i]?.slice(1).map((word) => BigInt(`0x${word}`)) ??
        [];
      return BigInt.asIntN(256, arrived) < left;
    });
  } catch (error) {
    const isRefused = error instanceof RpcRefusedError && refusalOf(error) !== "no_state";
    if (!isRefused && !(error instanceof UntriedTokenError)) throw error;
    onFault(isRefused ? new UntriedTokenError(error) : error);
    return [];
  }
}

/** Returns whether a token takes a fee of what an address sends to another. */
export async function takesFee(
  parts: Parameters<typeof takingFees>[0],
  { from, contract, to }: {
    readonly from: string;
    /** Null for the network's own coin, which takes none. */
    readonly contract: string | null;
    readonly to: string;
  },
  { hash }: { readonly hash: string },
): Promise<boolean> {
  if (contract === null) return false;
  return (await takingFees(parts, [{ address: from, contract }], { to, hash })).length > 0;
}
