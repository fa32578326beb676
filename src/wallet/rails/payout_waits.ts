/** Why payouts wait, and what to do about it: the words of the operator's notices. */
import { formatDecimal } from "../../domain/money/money.ts";
import type { NetworkCoin, NetworkFault } from "./network_rail.ts";

/** Why a payout waits; a network's fault has the name of that. */
export type WaitReason =
  | "too_little"
  /** Its fee would be too high. */
  | "dear"
  /** Others have to go first, or a block has to come: nobody has to do anything. */
  | "crowded"
  /** Its recipient's contract, or the node, does not say what it takes. */
  | "untold"
  /** Somebody else seems to pay from the wallet's address. */
  | "overtaken"
  /** The rail does not answer in time, or has failed. */
  | "silent"
  /** No process takes it up. */
  | "untaken"
  | NetworkFault;

/**
 * Thrown by a rail that does nothing about a payout now, and by looking it up says nothing of it: it
 * goes on once there is more money, room, a lower fee, or a node to be relied on. Its message tells
 * the operator what to do, and may name the wallet's own address.
 */
export class PayoutWaitsError extends Error {
  override name = "PayoutWaitsError";
  constructor(readonly reason: WaitReason, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** What the wallet lacks for a payout. */
export interface MissingCoins {
  /** The coin; undefined if it is the network's own, and no currency is. */
  readonly coin: Pick<NetworkCoin, "currency"> | undefined;
  /** In the network's smallest units, of which a coin has 10^digits. */
  readonly units: bigint;
  readonly digits: number;
  readonly network: string;
  /** Where to send it: the wallet's own address. */
  readonly address: string;
}

const NODE_ADVICE: Readonly<Record<NetworkFault, string>> = {
  unreachable:
    "does not answer: see whether it runs, and whether WALLET_NODES has its address and password",
  other_network: "is of another network: put the right one into WALLET_NODES",
  behind: "has not caught up with its network: see in its own log whether it comes further",
  reorganised: "shows other blocks where some counted as final: see the notice network_reorganised",
  contradicting: "contradicts itself: look into its log, or use another node",
};

/** Returns what to send where. */
export function missingText({ coin, units, digits, network, address }: MissingCoins): string {
  const name = coin?.currency ?? "of the network's own coin";
  return `send ${formatDecimal(units, digits)} ${name} to ${address} on ${network}`;
}

/** Returns what is wrong with a node, and where to look; `detail` as it was noticed. */
export function nodeText(network: string, fault: NetworkFault, detail = ""): string {
  const text = `The node of ${network} ${NODE_ADVICE[fault]}`;
  return detail === "" ? text : `${text} (${detail})`;
}
