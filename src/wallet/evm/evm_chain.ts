/** What a node knows of its chain, read and checked. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { present } from "../../domain/assert.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import type { JsonRpc, RpcQuestion } from "./evm_node.ts";
import {
  EvmNodeError,
  isTokensFault,
  isTooLong,
  LongAnswerError,
  refusalOf,
  RpcRefusedError,
  TokenAnswerError,
} from "./evm_node_error.ts";
import {
  addressWord,
  hexOf,
  readAddress,
  readBytes,
  readCount,
  readFields,
  readHash,
  readList,
  readQuantity,
} from "./evm_hex.ts";

/** The first topic of a token's transfers: `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** What begins a call of `balanceOf(address)`. */
const BALANCE_OF = "0x70a08231";
/**
 * Gas of a call that reads one number. No honest contract takes a tenth of it; without a limit, one
 * that never ends takes a whole block's each time, and the node has no time for anything else.
 */
const READ_GAS = 1_000_000n;
/** Gas of a call that tries what a contract does. */
const TRIAL_GAS = 2_000_000n;
/** How long the answer to such a call may be, in bytes, or a node's words where it fails. */
const READ_BYTES_MAX = 4096;
/** The bloom of a block's logs. */
const BLOOM = /^0x[0-9a-f]{512}$/i;
const BLOOM_BITS = 2048;
/** How many bits of it an address or a topic sets, each by two bytes of its hash. */
const BITS_EACH = 3;
/** A contract that every chain has, and that answers what it is given. */
const IDENTITY = "0x0000000000000000000000000000000000000004";

/** A block without its transactions. */
export interface EvmHeader {
  readonly height: number;
  readonly hash: string;
  readonly parent: string;
  /** In ms. */
  readonly at: number;
  /** In wei for a unit of gas. */
  readonly baseFee: bigint;
}

/** A block. */
export interface EvmBlock extends EvmHeader {
  readonly transactions: readonly EvmTransaction[];
  /** What its logs are likely to be, see {@linkcode mayHaveLog}; null if the node shows none. */
  readonly bloom: string | null;
}

/** A transaction; addresses are in lower case, as in all records of this file. */
export interface EvmTransaction {
  readonly txid: string;
  readonly from: string;
  /** Null where it creates a contract. */
  readonly to: string | null;
  readonly nonce: number;
  /** In wei. */
  readonly value: bigint;
}

/** What a contract told. */
export interface EvmLog {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly txid: string;
  readonly hash: string;
  /** Its place in the block. */
  readonly index: number;
}

/** What came of a transaction. */
export interface EvmReceipt {
  readonly txid: string;
  readonly height: number;
  readonly hash: string;
  readonly isSuccess: boolean;
  /** What it cost its sender beside what it moved, in wei. */
  readonly fee: bigint;
  readonly logs: readonly EvmLog[];
}

/** A call of a contract that changes nothing. */
export interface EvmCall {
  readonly from?: string;
  readonly to: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
}

/** A call of an address as if it had this code. */
export interface CodeCall {
  readonly address: string;
  readonly code: string;
  readonly data: string;
}

/** Whose balance is asked for; of a token if there is a contract. */
export interface BalanceOf {
  readonly address: string;
  readonly contract: string | null;
  /** Hash of the block after which it is asked. */
  readonly hash: string;
}

/** The chain as a node knows it. */
export class EvmChain {
  /** The highest block of the node; null before the first. */
  height: number | null = null;
  /** How often the last block was read from a node of which all was well. */
  reads = 0;
  /** Height of the last block that was read, and that the node has to show from then on. */
  #proven = 0;
  /** Whether the node's genesis has been right since it last had a fault. */
  #isKnown = false;

  /**
   * @param expectedGenesis returns the hash of the genesis, given the node's
   * @param checkFinal throws where what counted as final by an earlier block is gone
   */
  constructor(
    private readonly node: JsonRpc,
    private readonly network: EvmNetwork,
    private readonly expectedGenesis: (found: string) => Promise<string>,
    private readonly now: () => number,
    private readonly checkFinal: (head: EvmHeader) => Promise<void>,
  ) {}

  /**
   * Returns the last block, from a node of which all is well: it is of this network, has caught up,
   * shows no less than it did, and has all blocks that anything was concluded by as final. Whoever
   * sends or concludes anything asks for it first.
   *
   * @throws {EvmNodeError} otherwise
   */
  async head(): Promise<EvmHeader> {
    const head = await this.latest();
    await this.checkFinal(head);
    this.reads += 1;
    return head;
  }

  /** Returns the last block, whether or not final ones were replaced. */
  async latest(): Promise<EvmHeader> {
    const [chainId, syncing, latest] = await this.#ask([
      { method: "eth_chainId", params: [] },
      { method: "eth_syncing", params: [] },
      blockQuestion("latest", false),
    ]);
    if (readQuantity(chainId, "the chain's id") !== this.network.chainId) {
      throw new EvmNodeError("other_network", "it has another chain's id");
    }
    if (!this.#isKnown) await this.#checkGenesis();
    if (syncing !== false) throw new EvmNodeError("behind", "it is catching up");
    const head = readHeader(latest);
    const { staleMs } = this.network;
    if (staleMs !== null && this.now() - head.at > staleMs) {
      throw new EvmNodeError("behind", "its last block is old");
    }
    if (head.height < this.#proven) {
      throw new EvmNodeError("behind", "it shows fewer blocks than before");
    }
    this.height = head.height;
    return head;
  }

  /** Notes that blocks up to this height were read: what a node only says of them is not enough. */
  prove(height: number): void {
    this.#proven = Math.max(this.#proven, height);
  }

  /** Has the node's genesis checked again: after a fault, another node may answer. */
  doubt(): void {
    this.#isKnown = false;
  }

  /** Returns headers by height; null beyond the last block. */
  async headers(heights: readonly number[]): Promise<readonly (EvmHeader | null)[]> {
    const found = await this.#ask(heights.map((height) => blockQuestion(hexOf(height), false)));
    return found.map((one, i) => one === null ? null : atHeight(readHeader(one), heights[i]));
  }

  /** Returns blocks by height; null beyond the last block. */
  async blocks(heights: readonly number[]): Promise<readonly (EvmBlock | null)[]> {
    const found = await this.#ask(heights.map((height) => blockQuestion(hexOf(height), true)));
    return found.map((one, i) => one === null ? null : atHeight(readBlock(one), heights[i]));
  }

  /**
   * Returns the transfers in blocks of tokens with these contracts, by block. Where a node does not
   * tell so many of one block, its receipts do.
   */
  async transfers(
    blocks: readonly EvmBlock[],
    contracts: readonly string[],
  ): Promise<readonly (readonly EvmLog[])[]> {
    if (contracts.length === 0) return blocks.map(() => []);
    const [block, ...others] = blocks;
    try {
      return await this.#transferLogs(blocks.map(({ hash }) => hash), contracts);
    } catch (error) {
      const isRefused = error instanceof RpcRefusedError || isTooLong(error);
      if (!isRefused || block === undefined || others.length > 0) throw error;
    }
    const receipts = await this.#receiptsIn(block);
    return [receipts.flatMap(({ logs }) => logs.filter((log) => isTransferOf(log, contracts)))];
  }

  async #transferLogs(
    hashes: readonly string[],
    contracts: readonly string[],
  ): Promise<readonly (readonly EvmLog[])[]> {
    const found = await this.#ask(hashes.map((blockHash) => ({
      method: "eth_getLogs",
      params: [{ blockHash, address: contracts, topics: [TRANSFER_TOPIC] }],
    })));
    return found.map((logs, i) => {
      const read = readList(logs, "a block's logs").map(readLog);
      if (read.every(({ hash }) => hash === hashes[i])) return read;
      throw new EvmNodeError("contradicting", "it shows a log of another block");
    });
  }

  /**
   * Checks by a block's receipts that it has no transfers of tokens but those that were told: a
   * node's index of logs may lack what its blocks have.
   *
   * @throws {EvmNodeError} it has others, or the node lacks some of its receipts
   */
  async checkTransfers(
    block: EvmBlock,
    contracts: readonly string[],
    told: readonly EvmLog[],
  ): Promise<void> {
    const receipts = await this.#receiptsIn(block);
    const known = new Set(told.map(({ index }) => index));
    const isMissed = (log: EvmLog) => isTransferOf(log, contracts) && !known.has(log.index);
    if (receipts.some(({ logs }) => logs.some(isMissed))) {
      throw new EvmNodeError("contradicting", "a block's logs lack a transfer of its receipts");
    }
  }

  /** @throws {EvmNodeError} the node lacks some of them */
  async #receiptsIn(block: EvmBlock): Promise<readonly EvmReceipt[]> {
    const receipts = await this.#shownReceipts(block);
    const shown = new Set(receipts.map(({ txid, hash }) => hash === block.hash ? txid : ""));
    if (block.transactions.every(({ txid }) => shown.has(txid))) return receipts;
    throw new EvmNodeError("contradicting", "a block lacks receipts");
  }

  async #shownReceipts({ hash, transactions }: EvmBlock): Promise<readonly EvmReceipt[]> {
    try {
      const [found] = await this.#ask([{ method: "eth_getBlockReceipts", params: [hash] }]);
      return readList(found, "a block's receipts").map(readReceipt);
    } catch (error) {
      // Not every node has this method, or takes a hash.
      if (!(error instanceof RpcRefusedError) && !isTooLong(error)) throw error;
    }
    const found = await this.receiptsInParts(transactions.map(({ txid }) => txid));
    return found.flatMap((one) => one ?? []);
  }

  /** Returns receipts by txid, of fewer at once where they are too long: blocks may be full of logs. */
  async receiptsInParts(txids: readonly string[]): Promise<readonly (EvmReceipt | null)[]> {
    try {
      return await this.receipts(txids);
    } catch (error) {
      if (!isTooLong(error) || txids.length <= 1) throw error;
    }
    const half = Math.ceil(txids.length / 2);
    const first = await this.receiptsInParts(txids.slice(0, half));
    return [...first, ...await this.receiptsInParts(txids.slice(half))];
  }

  /** Returns receipts by txid; null for transactions that no block holds. */
  async receipts(txids: readonly string[]): Promise<readonly (EvmReceipt | null)[]> {
    const found = await this.#ask(
      txids.map((txid) => ({ method: "eth_getTransactionReceipt", params: [txid] })),
    );
    return found.map((one, i) => {
      const receipt = one === null ? null : readReceipt(one);
      if (receipt === null || receipt.txid === txids[i]) return receipt;
      throw new EvmNodeError("contradicting", "it shows another receipt");
    });
  }

  /** Returns whether the node knows a transaction, be it in a block or waiting for one. */
  async knows(txid: string): Promise<boolean> {
    const [found] = await this.#ask([{ method: "eth_getTransactionByHash", params: [txid] }]);
    return found !== null;
  }

  /** Returns the bytes with which a transaction calls a contract. */
  async inputOf(txid: string): Promise<string> {
    const [found] = await this.#ask([{ method: "eth_getTransactionByHash", params: [txid] }]);
    const { hash, input } = readFields(found, "a transaction");
    if (readHash(hash, "a txid") === txid) return readBytes(input, "a transaction's input");
    throw new EvmNodeError("contradicting", "it shows another transaction");
  }

  /**
   * Returns balances after blocks, in units; those of each coin are asked by themselves.
   *
   * @throws {TokenAnswerError} a token's contract tells none
   */
  async balances(asked: readonly BalanceOf[]): Promise<readonly bigint[]> {
    const found = new Map<BalanceOf, bigint>();
    const byCoin = Map.groupBy(asked, ({ contract }) => contract);
    await Promise.all([...byCoin].map(async ([contract, of]) => {
      const balances = contract === null
        ? (await this.#ask(of.map(({ address, hash }) => ({
          method: "eth_getBalance",
          params: [address, atBlock(hash)],
        })))).map((balance) => readQuantity(balance, "a balance"))
        : (await this.#read(of.map(({ address, hash }) => ({
          method: "eth_call",
          params: [readCall(contract, BALANCE_OF + addressWord(address)), atBlock(hash)],
        })))).map(readTokens);
      of.forEach((one, i) => found.set(one, present(balances[i], "each has a balance")));
    }));
    return asked.map((one) => present(found.get(one), "each has a balance"));
  }

  /**
   * Returns whether the node is well and answers calls after a block: then it is a contract's fault
   * if it does not answer that one's.
   */
  async answersCalls(hash: string): Promise<boolean> {
    try {
      await this.head();
      const data = addressWord(IDENTITY);
      const call = readCall(IDENTITY, `0x${data}`);
      const [answer] = await this.#ask([{ method: "eth_call", params: [call, atBlock(hash)] }]);
      return answer === `0x${data}`;
    } catch {
      return false;
    }
  }

  /** Returns how many transactions an address has sent up to a block's height. */
  async sentBy(address: string, height: number): Promise<number> {
    const params = [address, hexOf(height)];
    const [count] = await this.#ask([{ method: "eth_getTransactionCount", params }]);
    return readCount(count, "a count of transactions");
  }

  /** Returns how many transactions an address has sent, with those that wait in the node's pool. */
  async pooledBy(address: string): Promise<number> {
    const params = [address, "pending"];
    const [count] = await this.#ask([{ method: "eth_getTransactionCount", params }]);
    return readCount(count, "a count of transactions");
  }

  /** Returns how many transactions addresses have sent up to a block with this hash. */
  async sentByAll(addresses: readonly string[], hash: string): Promise<readonly number[]> {
    const counts = await this.#ask(addresses.map((one) => ({
      method: "eth_getTransactionCount",
      params: [one, atBlock(hash)],
    })));
    return counts.map((count) => readCount(count, "a count of transactions"));
  }

  /** Returns whether there is code at an address, after a block by its hash or after the last one. */
  async hasCode(address: string, hash: string | null = null): Promise<boolean> {
    const at = hash === null ? "latest" : atBlock(hash);
    const [code] = await this.#ask([{ method: "eth_getCode", params: [address, at] }]);
    return readBytes(code, "a contract's code") !== "0x";
  }

  /** Returns what a call answers after the last block. */
  async call(call: EvmCall): Promise<string> {
    const [answer] = await this.#ask([{ method: "eth_call", params: [call, "latest"] }]);
    return readBytes(answer, "a call's answer");
  }

  /** Returns what calls of addresses that have no code answer after a block, as if they had some. */
  async callsAs(calls: readonly CodeCall[], hash: string): Promise<readonly string[]> {
    const gas = hexOf(TRIAL_GAS);
    const questions = calls.map(({ address, code, data }) => ({
      method: "eth_call",
      params: [{ to: address, data, gas }, atBlock(hash), { [address]: { code } }],
    }));
    const answers = await this.#ask(questions, READ_BYTES_MAX);
    return answers.map((answer) => readBytes(answer, "a call's answer"));
  }

  /**
   * Returns the number that a contract answers to a call after the last block, as bytes.
   *
   * @throws {TokenAnswerError} it fails, or answers too much
   */
  async read(contract: string, data: string): Promise<string> {
    const params = [readCall(contract, data), "latest"];
    const [answer] = await this.#read([{ method: "eth_call", params }]);
    return readBytes(answer, "a call's answer");
  }

  /**
   * Returns how much gas a call would take as a transaction after the last block. It is tried with
   * no more than a payment may take: a recipient that burns all it is given would keep the node busy.
   */
  async gasOf(call: EvmCall): Promise<bigint> {
    const capped = { ...call, gas: hexOf(this.network.gasMax) };
    const [gas] = await this.#ask([{ method: "eth_estimateGas", params: [capped, "latest"] }]);
    return readQuantity(gas, "an estimate of gas");
  }

  /** Returns what the node would give a block's maker, in wei for a unit of gas. */
  async tip(): Promise<bigint> {
    const [tip] = await this.#ask([{ method: "eth_maxPriorityFeePerGas", params: [] }]);
    return readQuantity(tip, "a tip");
  }

  /** Gives signed bytes to the network; does nothing if it knows them. */
  async broadcast(signed: string): Promise<void> {
    try {
      await this.#ask([{ method: "eth_sendRawTransaction", params: [signed] }]);
    } catch (error) {
      if (refusalOf(error) !== "known") throw error;
    }
  }

  async #checkGenesis(): Promise<void> {
    const [found] = await this.#ask([blockQuestion("0x0", false)]);
    const { hash } = readHeader(found);
    if (hash !== await this.expectedGenesis(hash)) {
      throw new EvmNodeError("other_network", "its first block is another");
    }
    this.#isKnown = true;
  }

  async #ask(
    questions: readonly RpcQuestion[],
    bytesMax?: number,
  ): Promise<readonly unknown[]> {
    return questions.length === 0 ? [] : await this.node.ask(questions, bytesMax);
  }

  /** Asks what one contract answers with few bytes; how many there are is its choice. */
  async #read(questions: readonly RpcQuestion[]): Promise<readonly unknown[]> {
    try {
      return await this.#ask(questions, READ_BYTES_MAX);
    } catch (error) {
      if (!(error instanceof LongAnswerError) && !isTokensFault(error)) throw error;
      throw new TokenAnswerError("A token's contract fails where it is asked", { cause: error });
    }
  }
}

function readCall(contract: string, data: string): EvmCall {
  return { to: contract, data, gas: hexOf(READ_GAS) };
}

/** Returns a block as nodes want it where a state is asked for. */
function atBlock(hash: string) {
  return { blockHash: hash, requireCanonical: true };
}

/** Returns the number at the beginning of a token's answer. */
function readTokens(value: unknown): bigint {
  const word = /^0x[0-9a-f]{64}/.exec(readBytes(value, "a balance"))?.[0];
  if (word === undefined) throw new TokenAnswerError("A token's contract tells no balance");
  return BigInt(word);
}

function blockQuestion(block: string, isFull: boolean): RpcQuestion {
  return { method: "eth_getBlockByNumber", params: [block, isFull] };
}

function readHeader(value: unknown): EvmHeader {
  const { number, hash, parentHash, timestamp, baseFeePerGas } = readFields(value, "a block");
  return {
    height: readCount(number, "a block's height"),
    hash: readHash(hash, "a block's hash"),
    parent: readHash(parentHash, "a block's parent"),
    at: readCount(timestamp, "a block's time") * 1000,
    baseFee: readQuantity(baseFeePerGas, "a block's fee"),
  };
}

function readBlock(value: unknown): EvmBlock {
  const header = readHeader(value);
  const { transactions, logsBloom } = readFields(value, "a block");
  return {
    ...header,
    bloom: typeof logsBloom === "string" && BLOOM.test(logsBloom) ? logsBloom : null,
    transactions: readList(transactions, "a block's transactions").map((one) => {
      const { blockHash, hash, from, to, nonce, value } = readFields(one, "a transaction");
      if (readHash(blockHash, "a transaction's block") !== header.hash) {
        throw new EvmNodeError("contradicting", "a block shows another's transaction");
      }
      return {
        txid: readHash(hash, "a txid"),
        from: readAddress(from, "a sender"),
        to: to === null || to === undefined ? null : readAddress(to, "a recipient"),
        nonce: readCount(nonce, "a nonce"),
        value: readQuantity(value, "an amount"),
      };
    }),
  };
}

function readReceipt(value: unknown): EvmReceipt {
  const receipt = readFields(value, "a receipt");
  const { transactionHash, blockHash, blockNumber, status, logs } = receipt;
  const hash = readHash(blockHash, "a receipt's block");
  const txid = readHash(transactionHash, "a receipt's txid");
  const read = readList(logs, "a receipt's logs").map(readLog);
  if (read.some((log) => log.hash !== hash || log.txid !== txid)) {
    throw new EvmNodeError("contradicting", "a receipt shows another's log");
  }
  return {
    txid,
    height: readCount(blockNumber, "a receipt's height"),
    hash,
    isSuccess: readQuantity(status, "a receipt's status") === 1n,
    fee: readQuantity(receipt["gasUsed"], "a receipt's gas") *
      readQuantity(receipt["effectiveGasPrice"], "a price of gas"),
    logs: read,
  };
}

function readLog(value: unknown): EvmLog {
  const log = readFields(value, "a log");
  if (log["removed"] === true) {
    throw new EvmNodeError("contradicting", "a block shows a log that was removed");
  }
  return {
    contract: readAddress(log["address"], "a log's contract"),
    topics: readList(log["topics"], "a log's topics").map((one) => readHash(one, "a topic")),
    data: readBytes(log["data"], "a log's data"),
    txid: readHash(log["transactionHash"], "a log's txid"),
    hash: readHash(log["blockHash"], "a log's block"),
    index: readCount(log["logIndex"], "a log's index"),
  };
}

function isTransferOf(
  { contract, topics: [topic] }: EvmLog,
  contracts: readonly string[],
): boolean {
  return contracts.includes(contract) && topic === TRANSFER_TOPIC;
}

function atHeight<T extends EvmHeader>(block: T, height: number | undefined): T {
  if (block.height === height) return block;
  throw new EvmNodeError("contradicting", "it shows a block of another height");
}

/**
 * Returns whether a block may have a log with all of these addresses and topics. It says yes too
 * often, and never no if there is one.
 *
 * @param bloom null where the node shows none, which tells nothing
 */
export function mayHaveLog(bloom: string | null, parts: readonly string[]): boolean {
  if (bloom === null) return false;
  const set = BigInt(bloom);
  return parts.every((part) => {
    const bits = bitsOf(part);
    return (set & bits) === bits;
  });
}

/** Returns the bits of an address or a topic. */
function bitsOf(part: string): bigint {
  const hash = keccak_256(hexToBytes(part.slice("0x".length)));
  const view = new DataView(hash.buffer, hash.byteOffset);
  let bits = 0n;
  for (let i = 0; i < BITS_EACH; i++) bits |= 1n << BigInt(view.getUint16(2 * i) % BLOOM_BITS);
  return bits;
}
