/** What goes wrong with a node. The errors hold no URL, address or key: they are logged. */
import type { NetworkFault } from "../rails/network_rail.ts";
import type { BlockPlace } from "./block_place.ts";

/** A node is not to be relied on now. */
export class EvmNodeError extends Error {
  override name = "EvmNodeError";
  constructor(readonly fault: NetworkFault, what: string) {
    super(`The node is ${fault}: ${what}`);
  }
}

/** A block that was final is not on the chain any more. */
export class ReplacedBlockError extends EvmNodeError {
  constructor(readonly block: BlockPlace) {
    super("reorganised", "it has another block where one was final");
  }
}

/** An answer is longer than it may be: the node's fault, or that of a contract that was called. */
export class LongAnswerError extends EvmNodeError {
  constructor() {
    super("contradicting", "its answer is too long");
  }
}

/** Why a node does not do what it was asked. */
export type RefusalReason =
  | "known"
  | "nonce_used"
  | "underpriced"
  | "too_little_money"
  | "reverted"
  | "out_of_gas"
  | "no_state"
  | "too_long"
  | "other";

/** What nodes say, each in words of its own, and what they mean. */
const MEANINGS: readonly (readonly [RegExp, RefusalReason])[] = [
  // First, since a contract chooses the words with which it reverts.
  [/out ?of ?gas|gas required exceeds/i, "out_of_gas"],
  [
    /revert|invalid ?(?:fe ?)?(?:opcode|jump)|stack (?:und|ov)erflow|write protection|evm error/i,
    "reverted",
  ],
  [/stack limit|return data out of bounds|max call depth|gas uint64 overflow/i, "reverted"],
  [/already known|already imported|already exists/i, "known"],
  [/nonce too low|nonce is too low|old nonce/i, "nonce_used"],
  [/underpriced|fee too low|max fee per gas less than/i, "underpriced"],
  [/insufficient (?:funds|balance)/i, "too_little_money"],
  [
    /missing trie|no state|state .*(?:not |un)available|pruned|archive|unknown block|not found|block ?out ?of ?range/i,
    "no_state",
  ],
  // Most answer a list of questions up to so many bytes only.
  [/response.*(?:too (?:large|big)|exceeded)/i, "too_long"],
];

/** The node answered, but did not do what it was asked. */
export class RpcRefusedError extends Error {
  override name = "RpcRefusedError";
  readonly reason: RefusalReason;
  constructor(method: string, code: number, message: string) {
    const reason = MEANINGS.find(([words]) => words.test(message))?.[1] ?? "other";
    super(`The node refuses ${method}: ${reason} (${code})`);
    this.reason = reason;
  }
}

/** Returns whether an error is for want of a node; what a token answers can look like a contradiction. */
export function isOfNode(error: unknown): boolean {
  return error instanceof EvmNodeError && error.fault !== "contradicting";
}

/** Returns why the node refused; null for any other error. */
export function refusalOf(error: unknown): RefusalReason | null {
  return error instanceof RpcRefusedError ? error.reason : null;
}

/** Returns whether an answer is too long, to be read or for the node: to fewer questions it may not be. */
export function isTooLong(error: unknown): boolean {
  return error instanceof LongAnswerError || refusalOf(error) === "too_long";
}

/** A token's contract answers what it was asked with nothing that makes sense. */
export class TokenAnswerError extends Error {
  override name = "TokenAnswerError";
}

/** Returns whether a token's contract is to blame for an error, and not the node. */
export function isTokensFault(error: unknown): boolean {
  const reason = refusalOf(error);
  return error instanceof TokenAnswerError || reason === "reverted" || reason === "out_of_gas";
}
