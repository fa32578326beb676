/** The networks of Bitcoin's family: what tells them apart, and what is usual on them. */
import type { AccountPath } from "../keys/account_keys.ts";

/** A block of a network. */
export interface BlockName {
  readonly height: number;
  readonly hash: string;
}

/** Fees in the network's unit for 1,000 virtual bytes. */
export interface FeeRates {
  /** What nodes pass on at all. */
  readonly min: bigint;
  /** Paid while the node has no estimate. */
  readonly fallback: bigint;
  /** At most this is paid for what can wait. */
  readonly cheap: bigint;
  /** Nothing dearer is paid, whatever a node says. */
  readonly max: bigint;
}

/** The parameters of a network. */
export interface UtxoNetwork {
  readonly name: string;
  /** Name of its coin, or of the coin that it is a test of. */
  readonly coin: string;
  /** Blocks by which a node proves to be of this network; the first is the genesis block. */
  readonly landmarks: readonly BlockName[];
  /** What its bech32 addresses begin with; null without segregated witnesses. */
  readonly bech32: string | null;
  /** What its CashAddr begins with; null where addresses have no such form. */
  readonly cashPrefix: string | null;
  /**
   * What an output's bytes begin with, in hex, if it holds a token beside its amount: nodes tell of that
   * apart from its script. Null where outputs hold no tokens.
   */
  readonly tokenPrefix: string | null;
  /** First byte of the address of a public key's hash. */
  readonly keyVersion: number;
  /** First bytes of the address of a script's hash; the first one is canonical. */
  readonly scriptVersions: readonly number[];
  /** Of the account as in SLIP-44: `m/84'` where addresses are of witnesses, else `m/44'`. */
  readonly accountPath: AccountPath;
  /** What signatures of inputs are of. `forkid`: as of witnesses, with the flag of Bitcoin Cash. */
  readonly signatures: "witness" | "legacy" | "forkid";
  /** Less than this is no output, in the network's unit. */
  readonly dust: bigint;
  /** More than this was never at one place, in the network's unit. */
  readonly amountMax: bigint;
  /** Blocks on top of and with its own after which a transaction is final. */
  readonly finalDepth: number;
  /** Blocks with its own after which the coins of a new block can be spent. */
  readonly coinbaseMaturity: number;
  readonly fees: FeeRates;
  /** Blocks after which a payment that is in none is sent with a higher fee; null where no node takes that. */
  readonly bumpBlocks: number | null;
  /** How long the mempool is not asked for again while no block comes, in ms. */
  readonly mempoolMs: number;
}

/** Units in one coin, on all of these networks. */
export const UTXO_DIGITS = 8;
/** A node's mempool may be megabytes of names; a payment is shown so much later at most. */
const MEMPOOL_MS = 5_000;
const COIN = 10n ** BigInt(UTXO_DIGITS);

const BITCOIN_GENESIS = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
const TESTNET_GENESIS = "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943";
const REGTEST_GENESIS = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206";

/** The first block after Bitcoin and Bitcoin Cash, which share their genesis, have parted. */
const PARTING_HEIGHT = 478_559;

const BITCOIN: UtxoNetwork = {
  name: "bitcoin",
  coin: "bitcoin",
  landmarks: [
    { height: 0, hash: BITCOIN_GENESIS },
    {
      height: PARTING_HEIGHT,
      hash: "00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148",
    },
  ],
  bech32: "bc",
  cashPrefix: null,
  tokenPrefix: null,
  keyVersion: 0x00,
  scriptVersions: [0x05],
  accountPath: "m/84'/0'/0'",
  signatures: "witness",
  dust: 546n,
  amountMax: 21_000_000n * COIN,
  finalDepth: 12,
  coinbaseMaturity: 100,
  fees: { min: 1_000n, fallback: 20_000n, cheap: 5_000n, max: 500_000n },
  bumpBlocks: 6,
  mempoolMs: MEMPOOL_MS,
};

const BITCOIN_TESTNET: UtxoNetwork = {
  ...BITCOIN,
  name: "bitcoin-testnet",
  landmarks: [{ height: 0, hash: TESTNET_GENESIS }],
  bech32: "tb",
  keyVersion: 0x6f,
  scriptVersions: [0xc4],
  accountPath: "m/84'/1'/0'",
};

const LITECOIN: UtxoNetwork = {
  ...BITCOIN,
  name: "litecoin",
  coin: "litecoin",
  landmarks: [{
    height: 0,
    hash: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
  }],
  bech32: "ltc",
  keyVersion: 0x30,
  // The second one is Bitcoin's, under which older wallets still show theirs.
  scriptVersions: [0x32, 0x05],
  accountPath: "m/84'/2'/0'",
  dust: 5_460n,
  amountMax: 84_000_000n * COIN,
  finalDepth: 24,
  fees: { min: 1_000n, fallback: 10_000n, cheap: 10_000n, max: 1_000_000n },
  bumpBlocks: 12,
};

const LITECOIN_TESTNET: UtxoNetwork = {
  ...LITECOIN,
  name: "litecoin-testnet",
  landmarks: [{
    height: 0,
    hash: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
  }],
  bech32: "tltc",
  keyVersion: 0x6f,
  scriptVersions: [0x3a, 0xc4],
  accountPath: "m/84'/1'/0'",
};

const DOGECOIN: UtxoNetwork = {
  name: "dogecoin",
  coin: "dogecoin",
  landmarks: [{
    height: 0,
    hash: "1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691",
  }],
  bech32: null,
  cashPrefix: null,
  tokenPrefix: null,
  keyVersion: 0x1e,
  scriptVersions: [0x16],
  accountPath: "m/44'/3'/0'",
  signatures: "legacy",
  dust: 1_000_000n,
  amountMax: 10_000_000_000n * COIN,
  finalDepth: 60,
  coinbaseMaturity: 240,
  fees: { min: 100_000n, fallback: 1_000_000n, cheap: 1_000_000n, max: 100_000_000n },
  bumpBlocks: null,
  mempoolMs: MEMPOOL_MS,
};

const BITCOIN_CASH: UtxoNetwork = {
  ...BITCOIN,
  name: "bitcoin-cash",
  coin: "bitcoin-cash",
  landmarks: [
    { height: 0, hash: BITCOIN_GENESIS },
    {
      height: PARTING_HEIGHT,
      hash: "000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec",
    },
  ],
  bech32: null,
  cashPrefix: "bitcoincash",
  tokenPrefix: "ef",
  accountPath: "m/44'/145'/0'",
  signatures: "forkid",
  finalDepth: 15,
  fees: { min: 1_000n, fallback: 1_000n, cheap: 1_000n, max: 100_000n },
  bumpBlocks: null,
};

const BITCOIN_CASH_TESTNET: UtxoNetwork = {
  ...BITCOIN_CASH,
  name: "bitcoin-cash-testnet",
  landmarks: [
    { height: 0, hash: TESTNET_GENESIS },
    {
      height: 1_155_876,
      hash: "00000000000e38fef93ed9582a7df43815d5c2ba9fd37ef70c9a0ea4a285b8f5",
    },
  ],
  cashPrefix: "bchtest",
  keyVersion: 0x6f,
  scriptVersions: [0xc4],
  accountPath: "m/44'/1'/0'",
};

/** All networks that there are parameters of. */
export const UTXO_NETWORKS: readonly UtxoNetwork[] = [
  BITCOIN,
  BITCOIN_TESTNET,
  {
    ...BITCOIN_TESTNET,
    name: "bitcoin-testnet4",
    landmarks: [{
      height: 0,
      hash: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
    }],
  },
  {
    ...BITCOIN_TESTNET,
    name: "bitcoin-signet",
    landmarks: [{
      height: 0,
      hash: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    }],
  },
  {
    ...BITCOIN_TESTNET,
    name: "bitcoin-regtest",
    landmarks: [{ height: 0, hash: REGTEST_GENESIS }],
    bech32: "bcrt",
    mempoolMs: 0,
  },
  LITECOIN,
  LITECOIN_TESTNET,
  {
    ...LITECOIN_TESTNET,
    name: "litecoin-regtest",
    landmarks: [{
      height: 0,
      hash: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
    }],
    bech32: "rltc",
    finalDepth: 12,
    bumpBlocks: 3,
    mempoolMs: 0,
  },
  DOGECOIN,
  {
    ...DOGECOIN,
    name: "dogecoin-testnet",
    landmarks: [{
      height: 0,
      hash: "bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e",
    }],
    keyVersion: 0x71,
    scriptVersions: [0xc4],
    accountPath: "m/44'/1'/0'",
  },
  {
    ...DOGECOIN,
    name: "dogecoin-regtest",
    landmarks: [{
      height: 0,
      hash: "3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5",
    }],
    keyVersion: 0x6f,
    scriptVersions: [0xc4],
    accountPath: "m/44'/1'/0'",
    finalDepth: 12,
    coinbaseMaturity: 60,
    mempoolMs: 0,
  },
  BITCOIN_CASH,
  BITCOIN_CASH_TESTNET,
  {
    ...BITCOIN_CASH_TESTNET,
    name: "bitcoin-cash-regtest",
    landmarks: [{ height: 0, hash: REGTEST_GENESIS }],
    cashPrefix: "bchreg",
    mempoolMs: 0,
  },
];

/** Returns the parameters of a network; null if none has this name. */
export function utxoNetwork(name: string): UtxoNetwork | null {
  return UTXO_NETWORKS.find((network) => network.name === name) ?? null;
}
