/**
 * Coins that are in no block any more: which of them never will be, and which payouts wait for one.
 * A final block is against a coin if it spends otherwise what the coin was made of, or what that was
 * made of in its turn, or if it is in the place of the block that made the coin, or of one before
 * that. Beside the coin's row, the blocks that the node's chain has left tell what that was: a txid
 * proves what its transaction spends.
 */
import type { PaymentDoubt } from "../rails/network_rail.ts";
import { type ChainWalk, isConflict, type WalkedBlock } from "./chain_walk.ts";
import type { ChainBlock, LeftBranch, NodeChain } from "./node_chain.ts";
import { contradiction, isProven, outpoint, readOutpoint } from "./node_chain.ts";
import type { UtxoCoins } from "./utxo_coins.ts";
import { NodeRefusalError, UtxoFaultError } from "./utxo_faults.ts";
import type { UtxoNetwork } from "./utxo_networks.ts";
import type { CoinRow, OutputName, PayoutRow } from "./utxo_rows.ts";

/** What this works with. */
export interface LostCoinParts {
  readonly network: UtxoNetwork;
  readonly chain: NodeChain;
  readonly coins: UtxoCoins;
  readonly walk: ChainWalk;
  /** Called with a payout that has long waited for coins that nothing is known of; perhaps again. */
  readonly onDoubted: (payout: PayoutRow, doubt: PaymentDoubt) => Promise<void>;
}

/** A transaction of a block that the chain has left. */
interface LeftTransaction {
  readonly spends: readonly string[];
  /** If its block made its coins: they are gone with the branch. Null for others. */
  readonly branch: BranchRoot | null;
}

/** The first block of a branch; null as long as it is not known. */
interface BranchRoot {
  block: Pick<ChainBlock, "hash" | "parent"> | null;
}

/** The transactions that a coin was made by, one after the other, and what they spend. */
interface CoinOrigin {
  readonly txids: readonly string[];
  readonly spends: readonly string[];
  /** Whose blocks made coins that they spend, or the coin itself. */
  readonly branches: readonly BranchRoot[];
}

/** A payout that waits for a coin which is in no block. */
interface CoinWait {
  /** The last block when that was first seen. */
  readonly since: number;
  isTold: boolean;
}

/** Blocks of a branch that are read; a longer one is of another network with the same beginning. */
const BRANCH_MAX = 2_000;
/** How long one look reads of branches, in ms: deposits and payouts wait meanwhile. */
const LEARN_MS_MAX = 2_000;
/** Blocks that are remembered until branches are read. */
const BLOCKS_MAX = 100;

/** What was read of branches. */
interface BranchesRead {
  readonly txids: ReadonlySet<string>;
  /** Their last blocks. */
  readonly branches: string;
}

/** What is known of coins that are in no block. */
export class LostCoins {
  readonly #parts: LostCoinParts;
  #left: ReadonlyMap<string, LeftTransaction> = new Map();
  /** For which transactions, and in which branches, that was read: once, whatever came of it. */
  #read: BranchesRead = { txids: new Set(), branches: "" };
  /** What of that is not read yet; null if nothing is. */
  #reading: AsyncIterator<void> | null = null;
  /** The last block when the node could not tell of branches. */
  #failedAfter: string | null = null;
  /** What branches may tell to be against a coin: the first blocks since one is missing. */
  #blocks: readonly WalkedBlock[] = [];
  #waits: ReadonlyMap<string, CoinWait> = new Map();

  constructor(parts: LostCoinParts) {
    this.#parts = parts;
  }

  /**
   * Reads, in the blocks that the chain has left, what those of these coins were made of that are in
   * no block. Only more blocks than can be replaced have had coins that payouts are made of, beside
   * change, which ends with its payout. It reads some at a time, and goes on with the next call. What
   * the node can't tell is asked again with the next block: until then, less is known.
   */
  async learn(names: readonly OutputName[]): Promise<void> {
    const { coins, walk } = this.#parts;
    const until = performance.now() + LEARN_MS_MAX;
    const txids = (await coins.rows(names))
      .filter((row) => this.#isMissing(row) && row.changeOf === null && row.spentAt === undefined)
      .map(({ txid }) => txid);
    const isLearnt = this.#reading === null && this.#failedAfter === null;
    this.#blocks = [
      ...isLearnt || txids.length === 0 ? [] : this.#passed(),
      ...walk.blocks,
    ].slice(0, BLOCKS_MAX);
    if (txids.length === 0 || walk.last?.hash === this.#failedAfter) return;
    if (this.#reading === null) this.#failedAfter = null;
    try {
      this.#reading ??= await this.#beginReading(txids);
    } catch (error) {
      this.#noteUnread(error);
    }
    while (this.#reading !== null && performance.now() < until) {
      if ((await this.#reading.next()).done === true) this.#reading = null;
    }
  }

  /** Returns what reads the branches that the node tells of now; null if that was read. */
  async #beginReading(txids: readonly string[]): Promise<AsyncIterator<void> | null> {
    const { network: { finalDepth }, chain } = this.#parts;
    const found = (await chain.leftBranches())
      .filter(({ length }) => length > finalDepth && length <= BRANCH_MAX);
    const branches = found.map(({ hash }) => hash).toSorted().join();
    const { txids: known } = this.#read;
    if (branches === this.#read.branches && txids.every((txid) => known.has(txid))) return null;
    return this.#readAll(found, { txids: new Set(txids), branches });
  }

  /** Reads branches, a block at each step. */
  async *#readAll(found: readonly LeftBranch[], read: BranchesRead): AsyncGenerator<void> {
    const left = new Map<string, LeftTransaction>();
    let isWhole = true;
    for (const branch of found) {
      try {
        yield* this.#readBranch(branch, read.txids, left);
      } catch (error) {
        // What it does not tell, or not sensibly, it won't tell later either.
        if (!isUnreadable(error)) {
          this.#noteUnread(error);
          isWhole = false;
        }
      }
      // That it can't be read may have taken long, too.
      yield;
    }
    // A branch that can't be read now may have been read before.
    this.#left = isWhole ? left : new Map([...this.#left, ...left]);
    if (isWhole) this.#read = read;
  }

  #noteUnread(error: unknown): void {
    if (!(error instanceof NodeRefusalError || error instanceof UtxoFaultError)) throw error;
    this.#failedAfter = this.#parts.walk.last?.hash ?? null;
  }

  /**
   * Notes which of these coins never will be.
   *
   * @returns height of a final block that is against one; null if none is known
   * @throws {UtxoFaultError} the node shows another block, or can't prove what it has
   */
  async lostAt(names: readonly OutputName[]): Promise<number | null> {
    const { coins, walk } = this.#parts;
    let lostAt: number | null = null;
    for (const row of await coins.rows(names)) {
      // Blocks that counted as final may have been replaced since they were taken.
      if (row.height !== null) continue;
      const against = row.spentAt === undefined ? this.#against(row) : [];
      const block = against.find((one) => walk.isFinal(one));
      if (block !== undefined) {
        await this.#prove(block, row);
        await coins.lose(row, block.height);
        lostAt ??= block.height;
      }
      lostAt ??= row.spentAt ?? null;
    }
    return lostAt;
  }

  /** Takes note of payouts that wait, and tells which of them nobody will know more of. */
  async doubt(payouts: readonly PayoutRow[]): Promise<void> {
    const { coins, walk, onDoubted } = this.#parts;
    const waits = new Map<string, CoinWait>();
    for (const payout of payouts) {
      const rows = await coins.rows(payout.inputs);
      const missing = rows.filter((row) => this.#isWaitedFor(row));
      if (missing.length === 0) continue;
      const wait = this.#waits.get(payout.id) ?? { since: walk.height, isTold: false };
      waits.set(payout.id, wait);
      if (wait.isTold || !this.#isLong(wait)) continue;
      const others = rows.filter((row) => !this.#isMissing(row));
      await onDoubted(payout, { missing: missing.map(nameOf), others: others.map(nameOf) });
      wait.isTold = true;
    }
    this.#waits = waits;
  }

  /** Returns whether nobody knows if a payout arrives, and for so long that nothing waits for it. */
  isDoubted(id: string): boolean {
    const wait = this.#waits.get(id);
    return wait !== undefined && this.#isLong(wait);
  }

  #isLong({ since }: CoinWait): boolean {
    const { network: { finalDepth }, walk } = this.#parts;
    return walk.height - since > finalDepth;
  }

  #isMissing({ txid, height }: CoinRow): boolean {
    return height === null && this.#parts.walk.blockOf(txid) === null;
  }

  /** Change comes as soon as its payout does. */
  #isWaitedFor(row: CoinRow): boolean {
    const { changeOf } = row;
    return this.#isMissing(row) && this.#against(row).length === 0 &&
      (changeOf === null || this.isDoubted(changeOf));
  }

  /** Returns what is remembered of blocks that the walk has passed: they are final. */
  #passed(): WalkedBlock[] {
    const { base } = this.#parts.walk;
    return this.#blocks.filter(({ height }) => base !== null && height <= base.height);
  }

  /** Returns the blocks in memory that are against a coin. */
  #against(row: CoinRow): WalkedBlock[] {
    const { walk } = this.#parts;
    const { txids, spends, branches } = this.#origin(row);
    return [...this.#passed(), ...walk.blocks].filter((block) =>
      isConflict(block, spends, txids) || branches.some((one) => isInPlaceOf(block, one))
    );
  }

  /** Returns the transactions that a coin was made by, as far as they are known. */
  #origin({ txid, spends }: CoinRow): CoinOrigin {
    const names = new Set(spends);
    const txids = new Set([txid]);
    const branches: BranchRoot[] = [];
    for (const one of txids) {
      const left = this.#left.get(one);
      if (left === undefined) continue;
      if (left.branch !== null) branches.push(left.branch);
      for (const name of left.spends) {
        names.add(name);
        txids.add(readOutpoint(name).txid);
      }
    }
    return { txids: [...txids], spends: [...names], branches };
  }

  /** Reads a branch from its last block down: what a transaction spends was made there or below. */
  async *#readBranch(
    { hash, length }: LeftBranch,
    txids: ReadonlySet<string>,
    left: Map<string, LeftTransaction>,
  ): AsyncGenerator<void> {
    const { chain } = this.#parts;
    const wanted = new Set(txids);
    const root: BranchRoot = { block: null };
    let last: ChainBlock | null = null;
    let at = hash;
    for (let i = 0; i < length; i++) {
      const block: ChainBlock | null = await chain.leftBlock(at);
      // Of the last ones the node may never have had more than their headers, and others it may have
      // pruned.
      if (block === null && last !== null) return;
      if (block !== null) takeWanted(block, root, wanted, left);
      last = block;
      at = block?.parent ?? await chain.parentOf(at);
      yield;
    }
    if (last !== null) root.block = { hash: last.hash, parent: last.parent };
  }

  /** Checks that a block is against a coin: until then, what it spends is the node's word. */
  async #prove(block: WalkedBlock, row: CoinRow): Promise<void> {
    const { txids, spends, branches } = this.#origin(row);
    if (branches.some((one) => isInPlaceOf(block, one))) return;
    const spent = new Set(spends);
    const spending = (await this.#parts.chain.transactionsOf(block)).filter((one) =>
      !txids.includes(one.txid) && one.spends.some((name) => spent.has(name))
    );
    if (spending.length === 0 || !spending.every((one) => isProven(one, []))) {
      throw contradiction("a transaction");
    }
  }
}

/** Takes from a block what is wanted, and what in the block that was made of. */
function takeWanted(
  { transactions }: ChainBlock,
  branch: BranchRoot,
  wanted: Set<string>,
  left: Map<string, LeftTransaction>,
): void {
  // Not every network has a block's transactions in the order in which they spend each other.
  for (let before = -1; before < left.size;) {
    before = left.size;
    for (const one of transactions) {
      const { txid, spends, isCoinbase } = one;
      if (!wanted.has(txid) || left.has(txid)) continue;
      if (!isProven(one, [])) throw contradiction("a transaction");
      left.set(txid, { spends, branch: isCoinbase ? branch : null });
      for (const name of spends) wanted.add(readOutpoint(name).txid);
    }
  }
}

/** Returns whether a block is where a branch had its first one. */
function isInPlaceOf({ hash, parent }: WalkedBlock, { block }: BranchRoot): boolean {
  return parent === block?.parent && hash !== block.hash;
}

/** Returns whether the node does not tell a thing, or not sensibly. */
function isUnreadable(error: unknown): boolean {
  return error instanceof NodeRefusalError ||
    error instanceof UtxoFaultError && error.fault === "contradicting";
}

function nameOf({ txid, index }: OutputName): string {
  return outpoint(txid, index);
}
