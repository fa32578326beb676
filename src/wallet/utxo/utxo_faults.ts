/** Why a network can't be relied on now. No message holds a URL, a password, a member's address or a key. */
import type { NetworkFault } from "../rails/network_rail.ts";
import type { BlockName } from "./utxo_networks.ts";
import { PayoutWaitsError } from "../rails/payout_waits.ts";

/** The rail does not know, and so does nothing; it tries again. */
export class UtxoFaultError extends Error {
  override name = "UtxoFaultError";
  constructor(readonly fault: NetworkFault, message: string) {
    super(message);
  }
}

/** A block that was final is not on the chain any more. */
export class ReplacedBlockError extends UtxoFaultError {
  constructor(readonly block: BlockName) {
    super("reorganised", "Blocks were replaced that counted as final");
  }
}

/** The node has answered that it won't. */
export class NodeRefusalError extends Error {
  override name = "NodeRefusalError";
  /** @param code the node's number for the reason */
  constructor(readonly method: string, readonly code: number) {
    super(`The node refuses ${method} (${code})`);
  }
}

/** An output to the wallet holds a token: it counts as nobody's, since to spend it would burn that. */
export class TokenOutputError extends Error {
  override name = "TokenOutputError";
}

/** A payment waits until there are coins to make it of. */
export class CoinsMissingError extends PayoutWaitsError {
  override name: string = "CoinsMissingError";
}

/** There are enough coins, and more of them than one payment has room for. */
export class CoinsScatteredError extends CoinsMissingError {
  override name = "CoinsScatteredError";
}
