/**
 * The end of a chain in memory: the blocks after the last final one, with what they pay to the wallet
 * and what they spend. It follows the node from block to block; what lost blocks held comes back as
 * outputs without confirmation.
 */
import { inSlices } from "../../engine/yield_to_others.ts";
import type { ChainBlock, ChainOutput, ChainTransaction, NodeChain } from "./node_chain.ts";
import { AT_ONCE, contradiction, holdsToken, isProven, outpoint } from "./node_chain.ts";
import { ReplacedBlockError, TokenOutputError, UtxoFaultError } from "./utxo_faults.ts";
import type { BlockName, UtxoNetwork } from "./utxo_networks.ts";
import type { CoinPlace, SentOutput } from "./utxo_rows.ts";

/** An output to the wallet with what its transaction spends. */
export interface WalkedOutput extends SentOutput {
  readonly isCoinbase: boolean;
  readonly spends: readonly string[];
}

/** A block in memory. */
export interface WalkedBlock extends BlockName {
  readonly parent: string;
  readonly outputs: readonly WalkedOutput[];
  readonly txids: ReadonlySet<string>;
  /** Which transaction spends an output, by the output's name. */
  readonly spenders: ReadonlyMap<string, string>;
}

/** An output that is in no block of the chain. */
export interface LooseOutput {
  readonly output: WalkedOutput;
  /** The last block when it was first missing; null while the node has it, or until it is asked. */
  missingSince: number | null;
  /** The last block when it was given up; null until then. */
  droppedAt: number | null;
}

/** An output with what its script pays to. */
interface AddressedOutput {
  readonly address: string;
  readonly output: ChainOutput;
}

/** What a walk works with. */
export interface ChainWalkParts {
  readonly network: UtxoNetwork;
  readonly chain: Pick<NodeChain, "tip" | "hashAt" | "blockAt" | "mempool" | "waiting">;
  /** Returns the address that a script in hex pays to; null if it can be none of the wallet's. */
  readonly addressOf: (script: string) => string | null;
  /** Returns what those of these addresses are that are the wallet's. */
  readonly placesOf: (addresses: readonly string[]) => Promise<ReadonlyMap<string, CoinPlace>>;
  /** Returns which of these outputs, by their names, are noted as coins that the wallet can spend. */
  readonly ownOf: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Returns the names of the coins that the wallet counts. */
  readonly coins: () => Promise<Iterable<string>>;
  /** Called with what is survived. */
  readonly onFault: (error: unknown) => void;
}

/** Blocks that are asked for at once, as many as fit into this time, in ms. */
const BLOCKS_AT_ONCE_MAX = 8;
const BLOCKS_MS = 1_000;
/** How often the chain may change under one walk. */
const TURNS_MAX = 20;
/** Transactions of the mempool that are looked at in one walk. */
const LOOKS_MAX = 200;
const LOOKS_AT_ONCE = 8;
/** No payment of the wallet spends more coins; strangers' transactions have thousands of inputs. */
const SENT_INPUTS_MAX = 100;

/** A walk along one chain. */
export class ChainWalk {
  readonly #parts: ChainWalkParts;
  #base: BlockName | null = null;
  #blocks: WalkedBlock[] = [];
  #loose = new Map<string, LooseOutput>();
  /** Names of outputs in memory that the wallet can spend, which may not be noted yet. */
  #own = new Set<string>();
  /** Transactions of the mempool that were looked at, and those that are still to be. */
  #looked = new Set<string>();
  #unlooked: readonly string[] = [];
  /** When the mempool was last asked for, by `performance.now()`, and the last block at that time. */
  #asked = { hash: "", atMs: -Infinity };
  /** Height of the highest block that was walked over, whether or not it is still on the chain. */
  #read = 0;
  /** Whether the last walk has reached the node's last block. */
  #isAtEnd = false;
  #blocksAtOnce = 1;

  constructor(parts: ChainWalkParts) {
    this.#parts = parts;
  }

  /** The last block before those in memory; null before the walk begins. */
  get base(): BlockName | null {
    return this.#base;
  }

  /** The blocks in memory, the oldest first. */
  get blocks(): readonly WalkedBlock[] {
    return this.#blocks;
  }

  /** Outputs that are in no block. */
  get loose(): Iterable<LooseOutput> {
    return this.#loose.values();
  }

  /**
   * Height of the last block that was walked over: what a node tells of more blocks is no more than
   * its word.
   */
  get height(): number {
    return this.last?.height ?? 0;
  }

  /** Whether that is the node's last block, as of the last walk. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** The last block that was walked over. */
  get last(): BlockName | null {
    return this.#blocks.at(-1) ?? this.#base;
  }

  /** Continues after a block that somebody knows to be final. */
  beginAfter(base: BlockName): void {
    if (this.#base !== null && isSameBlock(base, this.#base)) return;
    const at = this.#blocks.findIndex((block) => isSameBlock(block, base));
    this.#blocks = at < 0 ? [] : this.#blocks.slice(at + 1);
    this.#base = base;
    if (at < 0) this.#isAtEnd = false;
    // What was loose may be in blocks that others have walked over.
    if (at < 0) this.#loose.clear();
    if (at < 0) this.#looked = new Set();
    if (at < 0) this.#asked = { hash: "", atMs: -Infinity };
    this.#own.clear();
    this.#know(this.#blocks.flatMap(({ outputs }) => outputs));
    this.#know([...this.#loose.values()].map(({ output }) => output));
  }

  /**
   * Returns the node's last block, which is no lower than what was walked over. A chain of more work
   * and fewer blocks may take the place of another: then it is waited for until it is as high.
   *
   * @throws {UtxoFaultError} the node can't be relied on
   */
  async tip(): Promise<BlockName> {
    const tip = await this.#parts.chain.tip();
    if (tip.height < Math.max(this.#read, this.height)) {
      throw new UtxoFaultError("behind", "The node shows less than it did");
    }
    return tip;
  }

  /**
   * Follows the node for a while.
   *
   * @param untilMs when to stop, by `performance.now()`
   * @returns whether it has reached the node's last block
   * @throws {UtxoFaultError} the node can't be relied on
   */
  async follow(untilMs: number): Promise<boolean> {
    this.#isAtEnd = false;
    const tip = await this.tip();
    for (let turn = 1; turn <= TURNS_MAX; turn++) {
      await this.#goBack();
      const isThere = await this.#goOn(tip, untilMs);
      if (isThere === null) continue;
      if (isThere) await this.#lookAtMempool();
      if (isThere) this.#judgeLoose();
      this.#isAtEnd = isThere;
      return isThere;
    }
    throw new UtxoFaultError("contradicting", "The node's blocks do not follow each other");
  }

  /** Counts a block and those above it; 0 for one that is not in memory. */
  confirmationsOf(height: number): number {
    return Math.max(0, this.height - height + 1);
  }

  /** Returns the block in memory that holds a transaction. */
  blockOf(txid: string): WalkedBlock | null {
    return this.#blocks.find(({ txids }) => txids.has(txid)) ?? null;
  }

  /** Returns a block in memory where one of these outputs is spent by none of these transactions. */
  conflictOf(spends: readonly string[], txids: readonly string[]): WalkedBlock | null {
    return this.#blocks.find((block) => isConflict(block, spends, txids)) ?? null;
  }

  /** Returns the block in memory where an output is spent, by its name. */
  spentIn(name: string): WalkedBlock | null {
    return this.#blocks.find(({ spenders }) => spenders.has(name)) ?? null;
  }

  /** Whether the block at a height is as deep as no reorganisation goes. */
  isFinal({ height }: Pick<BlockName, "height">): boolean {
    return this.confirmationsOf(height) > this.#parts.network.finalDepth;
  }

  /** Whether the coins of an output in a block can be spent, as far as its age goes. */
  isMature({ isCoinbase }: { readonly isCoinbase?: boolean }, height: number): boolean {
    return !isCoinbase ||
      this.confirmationsOf(height) >= this.#parts.network.coinbaseMaturity;
  }

  /** Takes note of an output that was seen before this walk and is in no block. */
  addLoose(output: WalkedOutput): LooseOutput {
    const name = outpoint(output.txid, output.index);
    const known = this.#loose.get(name);
    if (known !== undefined) return known;
    const loose: LooseOutput = { output, missingSince: null, droppedAt: null };
    this.#loose.set(name, loose);
    return loose;
  }

  /** Forgets the blocks that are not on the node's chain any more. */
  async #goBack(): Promise<void> {
    const { chain } = this.#parts;
    for (;;) {
      const last = this.last;
      if (last === null || await chain.hashAt(last.height) === last.hash) return;
      const lost = this.#blocks.pop();
      if (lost === undefined) {
        throw new ReplacedBlockError(last);
      }
      for (const output of lost.outputs) this.addLoose(output);
    }
  }

  /** Returns whether it has reached the last block; null if the chain has changed meanwhile. */
  async #goOn(tip: BlockName, untilMs: number): Promise<boolean | null> {
    const { chain } = this.#parts;
    let heeded: Set<string> | null = null;
    for (;;) {
      const last = this.last;
      if (last === null || last.height >= tip.height) return true;
      heeded ??= await this.#heeded();
      const startMs = performance.now();
      const heights = Math.min(this.#blocksAtOnce, tip.height - last.height);
      const blocks = await Promise.all(
        Array.from({ length: heights }, (_, i) => chain.blockAt(last.height + 1 + i)),
      );
      for (const block of blocks) {
        if (block === null || block.parent !== this.last?.hash) return null;
        this.#blocks.push(await this.#walked(block, heeded));
        this.#read = Math.max(this.#read, block.height);
      }
      const nowMs = performance.now();
      const isFast = 2 * (nowMs - startMs) < BLOCKS_MS;
      this.#blocksAtOnce = isFast ? Math.min(2 * this.#blocksAtOnce, BLOCKS_AT_ONCE_MAX) : 1;
      if (nowMs >= untilMs) return false;
    }
  }

  /** Returns the names of outputs of which it matters who spends them. */
  async #heeded(): Promise<Set<string>> {
    const loose = [...this.#loose.values()].map(({ output }) => output);
    const outputs = [...this.#blocks.flatMap((block) => block.outputs), ...loose];
    return new Set([...await this.#parts.coins(), ...outputs.map(nameOf)]);
  }

  /**
   * @param heeded outputs of which it matters who spends them; the block's own are added
   * @throws {UtxoFaultError} a transaction pays to the wallet or spends other than the node says
   */
  async #walked(block: ChainBlock, heeded: Set<string>): Promise<WalkedBlock> {
    const { height, hash, parent, transactions } = block;
    const outputs = await this.#ownOutputs(transactions, block);
    for (const output of outputs) heeded.add(nameOf(output));
    const isHeeded = ({ spends }: ChainTransaction) => spends.some((name) => heeded.has(name));
    if (transactions.some((one) => isHeeded(one) && !isProven(one, []))) {
      throw contradiction("a transaction");
    }
    const spenders = new Map<string, string>();
    for (const { txid, spends } of transactions) {
      for (const name of spends) spenders.set(name, txid);
    }
    const txids = new Set(transactions.map(({ txid }) => txid));
    for (const { txid, index } of outputs) this.#loose.delete(outpoint(txid, index));
    return { height, hash, parent, outputs, txids, spenders };
  }

  /**
   * Returns the outputs that pay to the wallet.
   *
   * @param block what holds the transactions; null while no block does
   * @throws {UtxoFaultError} a block's transaction is not as the node says
   */
  async #ownOutputs(
    transactions: readonly ChainTransaction[],
    block: BlockName | null,
  ): Promise<WalkedOutput[]> {
    const { network, addressOf, placesOf, onFault } = this.#parts;
    const found: AddressedOutput[][] = [];
    for await (const some of inSlices(transactions, AT_ONCE)) {
      const addressed = ({ outputs }: ChainTransaction) =>
        outputs.flatMap((output) => {
          const address = output.amount === 0n ? null : addressOf(output.script);
          return address === null ? [] : [{ address, output }];
        });
      found.push(...some.map(addressed));
    }
    const places = await placesOf([...new Set(found.flat().map(({ address }) => address))]);
    let areTokens = false;
    const outputs = transactions.flatMap((transaction, i) => {
      const all = (found[i] ?? []).filter(({ address }) => places.has(address));
      const own = all.filter(({ output }) => !holdsToken(network, transaction, output));
      if (all.length > 0 && !isProven(transaction, own.map(({ output }) => output))) {
        // Who sends what nobody can read must not keep others waiting: its block tells.
        if (block === null) return [];
        throw contradiction("a transaction");
      }
      areTokens ||= own.length < all.length;
      const { txid, isCoinbase, spends } = transaction;
      return own.flatMap(({ address, output: { index, amount } }) => {
        const place = places.get(address);
        return place === undefined
          ? []
          : [{ txid, index, amount, address, place, isCoinbase, spends }];
      });
    });
    if (areTokens && block !== null) {
      const what = `Payments of block ${block.height} hold tokens: they are not credited`;
      onFault(new TokenOutputError(what));
    }
    // Not every network has a block's transactions in the order in which they spend each other.
    this.#know(outputs);
    return await this.#withSenders(outputs);
  }

  #know(outputs: readonly WalkedOutput[]): void {
    for (const { txid, index, place } of outputs) {
      if (!("cold" in place)) this.#own.add(outpoint(txid, index));
    }
  }

  /** Tells what the wallet itself pays to members. */
  async #withSenders(outputs: readonly WalkedOutput[]): Promise<WalkedOutput[]> {
    const spentBy = ({ place, spends }: WalkedOutput) =>
      "member" in place && spends.length <= SENT_INPUTS_MAX ? spends : [];
    const unknown = outputs.flatMap(spentBy).filter((name) => !this.#own.has(name));
    const noted = await this.#parts.ownOf([...new Set(unknown)]);
    const isOwn = (name: string) => this.#own.has(name) || noted.has(name);
    return outputs.map((output) =>
      spentBy(output).some(isOwn) ? { ...output, isSent: true } : output
    );
  }

  /** Looks at what has come to the mempool, as far as there is time for it. */
  async #lookAtMempool(): Promise<void> {
    const { chain, network } = this.#parts;
    const hash = this.last?.hash ?? "";
    const atMs = performance.now();
    if (hash !== this.#asked.hash || atMs - this.#asked.atMs >= network.mempoolMs) {
      this.#takeMempool(await chain.mempool());
      this.#asked = { hash, atMs };
    }
    const unknown = this.#unlooked.slice(0, LOOKS_MAX);
    const found: ChainTransaction[] = [];
    for (let i = 0; i < unknown.length; i += LOOKS_AT_ONCE) {
      const some = unknown.slice(i, i + LOOKS_AT_ONCE);
      const looked = await Promise.all(some.map((txid) => chain.waiting(txid).catch(unreadable)));
      found.push(...looked.filter((transaction) => transaction !== null));
    }
    for (const output of await this.#ownOutputs(found, null)) this.addLoose(output);
    for (const txid of unknown) this.#looked.add(txid);
    this.#unlooked = this.#unlooked.slice(unknown.length);
  }

  /** Takes note of what is in the mempool now. */
  #takeMempool(txids: readonly string[]): void {
    const waiting = new Set(txids);
    this.#unlooked = txids.filter((txid) => !this.#looked.has(txid));
    this.#looked = this.#looked.intersection(waiting);
    for (const loose of this.#loose.values()) {
      if (waiting.has(loose.output.txid)) {
        loose.missingSince = null;
        loose.droppedAt = null;
      } else loose.missingSince ??= this.height;
    }
  }

  /**
   * Gives up outputs that can't come back, and forgets those that are given up long since. A block
   * that holds another transaction in their place may itself be replaced: they are given up with what
   * is final.
   */
  #judgeLoose(): void {
    const { finalDepth } = this.#parts.network;
    for (const [name, loose] of this.#loose) {
      const { output: { txid }, missingSince, droppedAt } = loose;
      if (this.blockOf(txid) !== null) this.#loose.delete(name);
      else if (droppedAt !== null) {
        if (this.height - droppedAt > finalDepth) this.#loose.delete(name);
      } else if (missingSince !== null && this.height - missingSince >= finalDepth) {
        loose.droppedAt = this.height;
      }
    }
  }
}

/** Returns whether one of these outputs is spent in a block by none of these transactions. */
export function isConflict(
  { spenders }: WalkedBlock,
  spends: readonly string[],
  txids: readonly string[],
): boolean {
  return spends.some((name) => {
    const spender = spenders.get(name);
    return spender !== undefined && !txids.includes(spender);
  });
}

function nameOf({ txid, index }: WalkedOutput): string {
  return outpoint(txid, index);
}

/** Returns whether two names are of one block. */
function isSameBlock(one: BlockName, other: BlockName): boolean {
  return one.height === other.height && one.hash === other.hash;
}

/** Leaves out a transaction that waits and makes no sense; the node may be right about all others. */
function unreadable(error: unknown): null {
  if (error instanceof UtxoFaultError && error.fault === "contradicting") return null;
  throw error;
}
