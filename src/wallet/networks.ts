/** The networks that rails lead to, by the names that an operator gives currencies. */
import type { NameForm } from "../domain/money/currency.ts";
import { canonicalEvmAddress } from "./evm/evm_address.ts";
import { EVM_ADDRESSES, EVM_NETWORKS, EVM_PATH, type EvmNetwork } from "./evm/evm_networks.ts";
import { HttpNode } from "./evm/evm_node.ts";
import { EvmRail } from "./evm/evm_rail.ts";
import type { AccountPath } from "./keys/account_keys.ts";
import type { NetworkRail, NetworkRailParts } from "./rails/network_rail.ts";
import { canonicalAddress } from "./utxo/utxo_addresses.ts";
import { UTXO_DIGITS, UTXO_NETWORKS, type UtxoNetwork } from "./utxo/utxo_networks.ts";
import { UtxoNode } from "./utxo/utxo_node.ts";
import { UtxoRail } from "./utxo/utxo_rail.ts";

/** Fractional digits of wei. */
const EVM_DIGITS = 18;

/** A network, whether this process has a node of it or not. */
export interface Network {
  readonly name: string;
  /** Name of its own coin, or of the coin that it is a test of. */
  readonly coin: string;
  /** Whether its coins are worth nothing: anybody has them for the asking. */
  readonly isTest: boolean;
  /** Fractional digits of the smallest unit of its own coin. */
  readonly digits: number;
  /** How its transactions and addresses are compared. */
  readonly nameForm: NameForm;
  /** The most confirmations that its rail counts: blocks beyond them are final. */
  readonly confirmationsMax: number;
  /** Where a wallet has its keys. */
  readonly account: AccountPath;
  /** In whose name owners of addresses are kept: networks with the same addresses share it. */
  readonly addresses: string;
  /** Whether tokens live on it, as contracts. */
  readonly hasContracts: boolean;
  /** Returns the canonical spelling of an address; null if it is none. */
  canonicalAddress(address: string): string | null;
  /** Creates the rail, by the URL of a node. */
  createRail(url: string, parts: NetworkRailParts): NetworkRail;
}

/** Networks whose coins are worth something. */
const OF_WORTH: ReadonlySet<string> = new Set([
  "ethereum",
  "bitcoin",
  "bitcoin-cash",
  "litecoin",
  "dogecoin",
]);

/**
 * Networks whose coins are worth something and of whose kind no test has met a node: they can't be
 * chosen yet.
 */
const CLOSED: ReadonlySet<string> = new Set(["bitcoin-cash", "dogecoin"]);

const NETWORKS: readonly Network[] = [
  ...EVM_NETWORKS.map(fromEvm),
  ...UTXO_NETWORKS.map(fromUtxo),
].filter(({ name }) => !CLOSED.has(name));

/** The names of all networks. */
export const NETWORK_NAMES: readonly string[] = NETWORKS.map(({ name }) => name);

/** Returns the network with a name; undefined if there is none. */
export function networkNamed(name: string | undefined): Network | undefined {
  return NETWORKS.find((network) => network.name === name);
}

function fromEvm(network: EvmNetwork): Network {
  return {
    name: network.name,
    coin: "ether",
    isTest: !OF_WORTH.has(network.name),
    digits: EVM_DIGITS,
    nameForm: "common",
    confirmationsMax: network.finalBlocks,
    account: EVM_PATH,
    addresses: EVM_ADDRESSES,
    hasContracts: true,
    canonicalAddress: canonicalEvmAddress,
    createRail: (url, parts) => new EvmRail({ ...parts, network, node: new HttpNode({ url }) }),
  };
}

function fromUtxo(network: UtxoNetwork): Network {
  return {
    name: network.name,
    coin: network.coin,
    isTest: !OF_WORTH.has(network.name),
    digits: UTXO_DIGITS,
    nameForm: network.cashPrefix === null ? "common" : "cash",
    confirmationsMax: network.finalDepth,
    account: network.accountPath,
    addresses: network.name,
    hasContracts: false,
    canonicalAddress: (address) => canonicalAddress(network, address),
    createRail: (url, parts) => new UtxoRail({ ...parts, network, node: new UtxoNode({ url }) }),
  };
}
