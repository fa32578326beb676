/** The networks that the rail knows, and what sets them apart. */
import type { AccountPath } from "../keys/account_keys.ts";

/** Where all networks of this kind have their keys: wallets know them by ether's number. */
export const EVM_PATH: AccountPath = "m/44'/60'/0'";

/** In whose name is kept what is known of addresses, which are the same on all of these networks. */
export const EVM_ADDRESSES = "evm";

const GWEI = 10n ** 9n;

/** What sets a network apart. */
export interface EvmNetwork {
  readonly name: string;
  readonly chainId: bigint;
  /** Hash of its first block; null where it differs each time: then the first one seen counts. */
  readonly genesis: string | null;
  /**
   * How many blocks come after one that is final: no reorganisation reaches it any more. No coin
   * may ask for more confirmations than this.
   */
  readonly finalBlocks: number;
  /** Age of the last block at which the node counts as behind, in ms; null for never. */
  readonly staleMs: number | null;
  /** Blocks after which a payout that waits is sent again for a higher fee. */
  readonly bumpBlocks: number;
  /** Final blocks from one comparison of an address's balance to the next. */
  readonly compareBlocks: number;
  /** Limits in wei of what a payout pays for a unit of gas: in all, and to the block's maker. */
  readonly feeMax: bigint;
  readonly tipMin: bigint;
  readonly tipMax: bigint;
  /** The most gas that a payout may take. */
  readonly gasMax: bigint;
}

const ETHEREUM: EvmNetwork = {
  name: "ethereum",
  chainId: 1n,
  genesis: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  // Two epochs of 32 blocks, after which the validators have finalised one.
  finalBlocks: 64,
  staleMs: 300_000,
  bumpBlocks: 15,
  compareBlocks: 10,
  feeMax: 500n * GWEI,
  tipMin: GWEI / 100n,
  tipMax: 20n * GWEI,
  gasMax: 300_000n,
};

/** A chain of one's own, whose blocks are made when there is something to put into them. */
const ANVIL: EvmNetwork = {
  ...ETHEREUM,
  name: "anvil",
  chainId: 31_337n,
  genesis: null,
  finalBlocks: 12,
  staleMs: null,
  bumpBlocks: 3,
  compareBlocks: 1,
};

/** The networks by which a coin can go. */
export const EVM_NETWORKS: readonly EvmNetwork[] = [
  ETHEREUM,
  {
    ...ETHEREUM,
    name: "sepolia",
    chainId: 11_155_111n,
    genesis: "0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9",
  },
  ANVIL,
  // Another, for coins on two networks.
  { ...ANVIL, name: "anvil-second", chainId: 31_338n },
];

/** Returns the network of a name; undefined if there is none. */
export function evmNetwork(name: string): EvmNetwork | undefined {
  return EVM_NETWORKS.find((network) => network.name === name);
}
