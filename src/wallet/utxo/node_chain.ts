/** What a node says of its chain, in checked shapes: nothing of it is believed that can't be. */
import { parseDecimal } from "../../domain/money/money.ts";
import { inSlices } from "../../engine/yield_to_others.ts";
import { blockHashOf, merkleRootOf } from "./block_proof.ts";
import { NodeRefusalError, UtxoFaultError } from "./utxo_faults.ts";
import { isRecord, type JsonRpc, type NodeValue } from "./utxo_node.ts";
import { readRawTransaction } from "./raw_transaction.ts";
import { type BlockName, UTXO_DIGITS, type UtxoNetwork } from "./utxo_networks.ts";

/** An output of a transaction; `name` is {@linkcode outpoint}. */
export interface ChainOutput {
  readonly index: number;
  /** In the network's unit. */
  readonly amount: bigint;
  /** In lower-case hex. */
  readonly script: string;
  /** The node tells of a token that it holds beside its amount; absent for others. */
  readonly hasToken?: true;
}

/** A transaction as the node tells it. */
export interface ChainTransaction {
  readonly txid: string;
  readonly isCoinbase: boolean;
  /** Names of the outputs that it spends. */
  readonly spends: readonly string[];
  readonly outputs: readonly ChainOutput[];
  /** Its bytes in hex; null from nodes that do not tell them. */
  readonly raw: string | null;
}

/** A block as the node tells it. */
export interface ChainBlock extends BlockName {
  readonly parent: string;
  /** Its hash proves that these are all, by their txids. */
  readonly transactions: readonly ChainTransaction[];
}

/** Blocks that are not on the node's chain, or none, by the last of them. */
export interface LeftBranch {
  readonly hash: string;
  readonly length: number;
}

/** An output that nothing has spent, as the node knows it. */
export interface UnspentOutput {
  readonly amount: bigint;
  readonly script: string;
  /** 0 while it is in no block. */
  readonly confirmations: number;
}

/** Transactions that are gone through before others get a turn. */
export const AT_ONCE = 200;
/** Blocks that a node may know of and not have yet. */
const BLOCKS_BEHIND_MAX = 6;
/** Blocks within which a payment should be in one, for estimates. */
const FEE_TARGET_BLOCKS = 4;
const FEE_TEXT = /^\d+(?:\.\d+)?(?:e-\d+)?$/i;
const HASH = /^[0-9a-f]{64}$/;
/** Four bytes. */
const WORD = /^[0-9a-f]{8}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
/** The node's number for a height, a hash or a transaction that it does not know. */
const NOT_THERE: readonly number[] = [-5, -8];
const ALREADY_IN_CHAIN = -27;

/**
 * Returns whether a transaction's bytes, whose hash its txid is, spend what the node says, and have
 * these outputs. Where a node tells no bytes, there is no doubt.
 */
export function isProven(
  { txid, raw, spends }: ChainTransaction,
  outputs: readonly ChainOutput[],
): boolean {
  if (raw === null) return true;
  const read = readRawTransaction(raw);
  if (read?.txid !== txid) return false;
  const spent = new Set(read.spends.map((one) => outpoint(one.txid, one.index)));
  return spends.every((name) => spent.has(name)) && outputs.every(({ index, amount, script }) => {
    const proven = read.outputs[index];
    return proven?.amount === amount && proven.script === script;
  });
}

/**
 * Returns whether an output holds a token beside its amount, by the transaction's bytes, which have
 * that before its script; where a node tells no bytes, by its word.
 */
export function holdsToken(
  { tokenPrefix }: Pick<UtxoNetwork, "tokenPrefix">,
  { raw }: ChainTransaction,
  { index, amount, script, hasToken }: ChainOutput,
): boolean {
  if (tokenPrefix === null) return false;
  if (raw === null) return hasToken === true;
  const proven = readRawTransaction(raw)?.outputs[index];
  return proven?.amount === amount && proven.script.startsWith(tokenPrefix) &&
    proven.script.endsWith(script);
}

/** Returns the name of an output. */
export function outpoint(txid: string, index: number): string {
  return `${txid}:${index}`;
}

/** Reads the name of an output. */
export function readOutpoint(name: string): { readonly txid: string; readonly index: number } {
  const [txid = "", index] = name.split(":");
  return { txid, index: Number(index) };
}

/** A node of one network. */
export class NodeChain {
  readonly #network: UtxoNetwork;
  readonly #node: JsonRpc;
  /** Whether the node has proved to be of the network since it was last away. */
  #isProven = false;

  constructor(network: UtxoNetwork, node: JsonRpc) {
    this.#network = network;
    this.#node = node;
  }

  /**
   * Returns the last block by the node's own word, of one that is of this network and up to date.
   *
   * @throws {UtxoFaultError} it isn't
   */
  async tip(): Promise<BlockName> {
    try {
      await this.#prove();
      const info = record(await this.#node.call("getblockchaininfo"), "its chain");
      const height = count(info.blocks, "its height");
      const hash = hashOf(info.bestblockhash, "its last block");
      const headers = info.headers === undefined ? height : count(info.headers, "its headers");
      if (info.initialblockdownload === true || headers - height > BLOCKS_BEHIND_MAX) {
        throw new UtxoFaultError("behind", "The node has not caught up with its network");
      }
      return { height, hash };
    } catch (error) {
      if (error instanceof UtxoFaultError) this.#isProven = false;
      throw error;
    }
  }

  /** Returns the hash of the block at a height; null if there is none. */
  async hashAt(height: number): Promise<string | null> {
    const answer = await this.#unlessNotThere("getblockhash", height);
    return answer === null ? null : hashOf(answer, "a block's hash");
  }

  /** Returns a block with its transactions; null if the chain ends below it. */
  async blockAt(height: number): Promise<ChainBlock | null> {
    const hash = await this.hashAt(height);
    if (hash === null) return null;
    // Between the two answers the block may have been replaced, and gone.
    const block = await this.#block(hash);
    if (block !== null && block.height !== height) throw contradiction("a block's name");
    return block;
  }

  /**
   * Returns the transactions of a block of the node's chain.
   *
   * @throws {UtxoFaultError} the node shows another block
   */
  async transactionsOf({ height, hash }: BlockName): Promise<readonly ChainTransaction[]> {
    const block = await this.blockAt(height);
    if (block?.hash !== hash) throw new UtxoFaultError("behind", "The node shows another block");
    return block.transactions;
  }

  async #block(hash: string): Promise<ChainBlock | null> {
    const answer = await this.#unlessNotThere("getblock", hash, 2);
    if (answer === null) return null;
    const block = record(answer, "a block");
    if (block.hash !== hash) throw contradiction("a block's name");
    const height = count(block.height, "a block's height");
    const parent = height === 0 ? "" : hashOf(block.previousblockhash, "a block's parent");
    const merkleRoot = provenRoot(hash, parent, block);
    const transactions: ChainTransaction[] = [];
    for await (const some of inSlices(list(block.tx, "a block's transactions"), AT_ONCE)) {
      transactions.push(...some.map(transactionOf));
    }
    if (
      transactions.length === 0 ||
      transactions.some(({ isCoinbase }, i) => isCoinbase !== (i === 0)) ||
      merkleRootOf(transactions.map(({ txid }) => txid)) !== merkleRoot
    ) {
      throw contradiction("a block's transactions");
    }
    return { height, hash, parent, transactions };
  }

  /** Returns the branches that the node's chain has left; none of a node that can't tell. */
  async leftBranches(): Promise<readonly LeftBranch[]> {
    try {
      const tips = list(await this.#node.call("getchaintips"), "its branches");
      return tips.map((tip) => record(tip, "a branch")).map(({ hash, branchlen }) => ({
        hash: hashOf(hash, "a branch"),
        length: count(branchlen, "a branch"),
      }));
    } catch (error) {
      if (error instanceof NodeRefusalError) return [];
      throw error;
    }
  }

  /** Returns a block of such a branch; null if the node has no more than its header. */
  async leftBlock(hash: string): Promise<ChainBlock | null> {
    try {
      return await this.#block(hash);
    } catch (error) {
      if (error instanceof NodeRefusalError) return null;
      throw error;
    }
  }

  /** Returns the hash of the block before another, whatever branch that is on. */
  async parentOf(hash: string): Promise<string> {
    const header = record(await this.#node.call("getblockheader", hash), "a header");
    return hashOf(header.previousblockhash, "a block's parent");
  }

  /** Returns the txids of transactions that wait for a block. */
  async mempool(): Promise<readonly string[]> {
    const answer = list(await this.#node.call("getrawmempool"), "its mempool");
    return answer.map((txid) => hashOf(txid, "its mempool"));
  }

  /** Returns a transaction that waits for a block; null if it does no more. */
  async waiting(txid: string): Promise<ChainTransaction | null> {
    const answer = await this.#unlessNotThere("getrawtransaction", txid, true);
    if (answer === null) return null;
    const transaction = transactionOf(answer);
    if (transaction.txid !== txid) throw contradiction("a transaction's name");
    return transaction;
  }

  /** Returns an output that nothing has spent, not even in the mempool; null if something has. */
  async unspent(txid: string, index: number): Promise<UnspentOutput | null> {
    const answer = await this.#node.call("gettxout", txid, index, true);
    if (answer === null) return null;
    const output = record(answer, "an output");
    return {
      amount: amountOf(output.value),
      script: scriptOf(output.scriptPubKey),
      confirmations: count(output.confirmations, "an output's confirmations"),
    };
  }

  /**
   * Sends a transaction; one that the node has already is no fault.
   *
   * @throws {NodeRefusalError} the node does not take it
   */
  async send(bytes: Uint8Array): Promise<void> {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      await this.#node.call("sendrawtransaction", hex);
    } catch (error) {
      if (!(error instanceof NodeRefusalError && error.code === ALREADY_IN_CHAIN)) throw error;
    }
  }

  /** Returns the fee for 1,000 virtual bytes, within the network's bounds. */
  async feeRate(): Promise<bigint> {
    const { min, fallback, max } = this.#network.fees;
    const estimate = await this.#estimate();
    const rate = estimate ?? fallback;
    return rate < min ? min : rate > max ? max : rate;
  }

  /** Returns the node's estimate of a fee; null if it has none. */
  async #estimate(): Promise<bigint | null> {
    try {
      const answer = await this.#node.call("estimatesmartfee", FEE_TARGET_BLOCKS);
      const rate = isRecord(answer) ? answer.feerate : null;
      return rate === null || rate === undefined ? null : feeOf(rate);
    } catch (error) {
      // Not every node of the family can estimate.
      if (error instanceof NodeRefusalError) return null;
      throw error;
    }
  }

  /** Checks that the node is of this network, once after each time that it was away. */
  async #prove(): Promise<void> {
    if (this.#isProven) return;
    for (const { height, hash } of this.#network.landmarks) {
      const found = await this.hashAt(height);
      if (found === null) {
        throw new UtxoFaultError("behind", "The node has not caught up with its network");
      }
      if (found !== hash) {
        throw new UtxoFaultError("other_network", "The node is of another network");
      }
    }
    this.#isProven = true;
  }

  async #unlessNotThere(
    method: string,
    ...params: readonly NodeValue[]
  ): Promise<NodeValue> {
    try {
      return await this.#node.call(method, ...params);
    } catch (error) {
      if (error instanceof NodeRefusalError && NOT_THERE.includes(error.code)) return null;
      throw error;
    }
  }
}

/** Returns the root over a block's transactions; its hash proves that the header has it. */
function provenRoot(
  hash: string,
  parent: string,
  block: { readonly [name: string]: NodeValue },
): string {
  const merkleRoot = hashOf(block.merkleroot, "a block's header");
  const [version, bits] = [block.versionHex, block.bits].map((word) => {
    if (typeof word !== "string" || !WORD.test(word)) throw contradiction("a block's header");
    return word;
  });
  const time = count(block.time, "a block's header");
  const nonce = count(block.nonce, "a block's header");
  const header = { version: version ?? "", parent, merkleRoot, time, bits: bits ?? "", nonce };
  if (blockHashOf(header) !== hash) throw contradiction("a block's header");
  return merkleRoot;
}

function transactionOf(answer: NodeValue): ChainTransaction {
  const transaction = record(answer, "a transaction");
  const inputs = list(transaction.vin, "inputs").map((input) => record(input, "an input"));
  // Litecoin's confidential part has inputs and outputs of its own, which no transparent key owns.
  const spends = inputs.flatMap(({ txid, vout }) =>
    txid === undefined || vout === undefined
      ? []
      : [outpoint(hashOf(txid, "an input"), count(vout, "an input"))]
  );
  const outputs = list(transaction.vout, "outputs").flatMap((output, index) => {
    const { n, value, scriptPubKey, tokenData } = record(output, "an output");
    if (scriptPubKey === undefined) return [];
    if (n !== index) throw contradiction("an output's index");
    const told = { index, amount: amountOf(value), script: scriptOf(scriptPubKey) };
    return [tokenData === undefined ? told : { ...told, hasToken: true as const }];
  });
  const isCoinbase = inputs.some(({ coinbase }) => coinbase !== undefined);
  const txid = hashOf(transaction.txid, "a transaction");
  const raw = transaction.hex === undefined ? null : text(transaction.hex, "a transaction");
  return { txid, isCoinbase, spends, outputs, raw };
}

/** A coin has eight digits, and no network has more than 10¹² coins. */
function amountOf(value: NodeValue | undefined): bigint {
  const amount = typeof value === "string" ? parseDecimal(value, UTXO_DIGITS) : null;
  if (amount === null || amount < 0n) throw contradiction("an amount");
  return amount;
}

/** An estimate may be finer than the unit, and is rounded up; small ones have an exponent. */
function feeOf(value: NodeValue): bigint | null {
  if (typeof value !== "string" || !FEE_TEXT.test(value)) return null;
  const [mantissa = "", exponent = "0"] = value.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent) - UTXO_DIGITS;
  const digits = BigInt(whole + fraction);
  if (places <= 0) return digits * 10n ** BigInt(-places);
  if (places > 40) return null;
  const divisor = 10n ** BigInt(places);
  return (digits + divisor - 1n) / divisor;
}

function scriptOf(value: NodeValue | undefined): string {
  const hex = isRecord(value) ? value.hex : undefined;
  if (typeof hex !== "string" || !HEX.test(hex)) throw contradiction("a script");
  return hex;
}

function record(value: NodeValue, of: string): { readonly [name: string]: NodeValue } {
  if (!isRecord(value)) throw contradiction(of);
  return value;
}

function list(value: NodeValue | undefined, of: string): readonly NodeValue[] {
  if (!Array.isArray(value)) throw contradiction(of);
  return value;
}

function count(value: NodeValue | undefined, of: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw contradiction(of);
  }
  return value;
}

function text(value: NodeValue | undefined, of: string): string {
  if (typeof value !== "string") throw contradiction(of);
  return value;
}

function hashOf(value: NodeValue | undefined, of: string): string {
  const hash = text(value, of);
  if (!HASH.test(hash)) throw contradiction(of);
  return hash;
}

/** Returns what is to be said of a node whose answer can't be true. */
export function contradiction(of: string): UtxoFaultError {
  return new UtxoFaultError("contradicting", `The node tells nothing sensible of ${of}`);
}
