/**
 * Walks over a chain's blocks, once for all coins, and remembers what it found in those that may
 * still be replaced. What it remembers can be lost: it is read again.
 */
import { assert, present } from "../../domain/assert.ts";
import type { BlockPlace } from "./block_place.ts";
import type { EvmBlock, EvmChain, EvmHeader } from "./evm_chain.ts";
import { EvmNodeError, ReplacedBlockError } from "./evm_node_error.ts";
import { type FoundOutput, nameOf } from "./found_outputs.ts";

/** Blocks that are asked for at once: fewer after an answer that was too long or too late. */
const BLOCKS_AT_ONCE = 25;
/** How long one turn reads, in ms; the next one continues. */
const TURN_MS = 3_000;

/** A block that was read. */
interface WalkedBlock extends BlockPlace {
  readonly outputs: readonly FoundOutput[];
}

/** What a walk works with. */
export interface WalkParts {
  readonly chain: EvmChain;
  /** Returns what blocks pay to members, by block. */
  readonly find: (blocks: readonly EvmBlock[]) => Promise<readonly (readonly FoundOutput[])[]>;
  /** How long lost outputs are remembered, in blocks. */
  readonly lostBlocks: number;
}

/** The blocks behind the place from which the coin that is furthest behind has to read. */
export class BlockWalk {
  readonly #parts: WalkParts;
  #blocksAtOnce = BLOCKS_AT_ONCE;
  #base: BlockPlace | null = null;
  /** The blocks after it, without a gap. */
  #blocks: WalkedBlock[] = [];
  /** Outputs of blocks that were replaced, and at which height of the chain, by name. */
  readonly #lost = new Map<string, { readonly output: FoundOutput; readonly at: number }>();

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  /** The last block that was read. */
  get tip(): BlockPlace {
    return this.#blocks.at(-1) ?? present(this.#base, "a walk has begun");
  }

  /** Returns the hash of a block that was read; null for any other. */
  hashAt(height: number): string | null {
    const base = present(this.#base, "a walk has begun");
    if (height === base.height) return base.hash;
    return this.#blocks[height - base.height - 1]?.hash ?? null;
  }

  /** Returns what was found in the blocks above a height. */
  outputsAbove(height: number): readonly FoundOutput[] {
    const base = present(this.#base, "a walk has begun");
    return this.#blocks.slice(Math.max(0, height - base.height)).flatMap(({ outputs }) => outputs);
  }

  /** Returns what was found in blocks that were replaced, and has not come again. */
  lostOutputs(): readonly FoundOutput[] {
    return [...this.#lost.values()].map(({ output }) => output);
  }

  /**
   * Reads on to the chain's end, or as far as one turn gets.
   *
   * @param since where a coin has to continue
   * @throws {EvmNodeError} the chain has no such block any more, or its node can't be relied on
   */
  async readOn(since: BlockPlace, head: EvmHeader): Promise<void> {
    // Beyond what was read, others have walked meanwhile: what they passed is final.
    const isElsewhere = this.#base === null || since.height < this.#base.height ||
      since.height > this.tip.height;
    if (isElsewhere) await this.restart(since);
    // Others have gone back behind all that was read.
    if (!await this.#leaveReplaced(head)) await this.restart(since);
    const end = performance.now() + TURN_MS;
    while (this.tip.height < head.height && performance.now() < end) await this.#readSome(head);
    for (const [name, { at }] of this.#lost) {
      if (at + this.#parts.lostBlocks < head.height) this.#lost.delete(name);
    }
    const hash = this.hashAt(since.height);
    if (hash === null) throw new EvmNodeError("behind", "it lacks a block that was read");
    if (hash !== since.hash) throw new ReplacedBlockError(since);
  }

  /** Begins anew behind a block. */
  async restart(since: BlockPlace): Promise<void> {
    const [found] = await this.#parts.chain.headers([since.height]);
    if (found === null) throw new EvmNodeError("behind", "it lacks a block that was read");
    if (found?.hash !== since.hash) throw new ReplacedBlockError(since);
    this.#base = since;
    this.#blocks = [];
  }

  /** Forgets the blocks below a height, from which nobody has to read any more. */
  forgetBelow(height: number): void {
    const base = present(this.#base, "a walk has begun");
    const count = Math.min(height - base.height, this.#blocks.length);
    if (count <= 0) return;
    const [last] = this.#blocks.splice(0, count).slice(-1);
    this.#base = present(last, "a forgotten block was read");
  }

  /** Steps back to the last block that the chain still has; returns whether it has any of them. */
  async #leaveReplaced(head: EvmHeader): Promise<boolean> {
    const { chain } = this.#parts;
    const [tip] = await chain.headers([this.tip.height]);
    if (tip?.hash === this.tip.hash) return true;
    const base = present(this.#base, "a walk has begun");
    let kept = this.#blocks.length;
    while (kept > 0) {
      const part = this.#blocks.slice(Math.max(0, kept - BLOCKS_AT_ONCE), kept);
      const found = await chain.headers(part.map(({ height }) => height));
      const same = part.findLastIndex(({ hash }, i) => found[i]?.hash === hash);
      kept -= part.length - 1 - same;
      if (same >= 0) break;
    }
    for (const { outputs } of this.#blocks.splice(kept)) {
      for (const output of outputs) this.#lost.set(nameOf(output), { output, at: head.height });
    }
    if (kept > 0) return true;
    const [found] = await chain.headers([base.height]);
    return found?.hash === base.hash;
  }

  async #readSome(head: EvmHeader): Promise<void> {
    const { chain, find } = this.#parts;
    const first = this.tip.height + 1;
    const count = Math.min(this.#blocksAtOnce, head.height - first + 1);
    const heights = Array.from({ length: count }, (_, i) => first + i);
    let blocks: readonly EvmBlock[];
    let outputs: readonly (readonly FoundOutput[])[];
    try {
      blocks = chained(this.tip, await chain.blocks(heights));
      outputs = await find(blocks);
    } catch (error) {
      if (count === 1) throw error;
      this.#blocksAtOnce = Math.floor(count / 2);
      return;
    }
    this.#blocksAtOnce = Math.min(this.#blocksAtOnce + 1, BLOCKS_AT_ONCE);
    assert(outputs.length === blocks.length, "each block has its outputs");
    blocks.forEach(({ height, hash }, i) => {
      this.#blocks.push({ height, hash, outputs: outputs[i] ?? [] });
    });
    for (const output of outputs.flat()) this.#lost.delete(nameOf(output));
  }
}

/** Returns blocks each of which follows the one before. */
function chained(tip: BlockPlace, blocks: readonly (EvmBlock | null)[]): readonly EvmBlock[] {
  let { hash } = tip;
  return blocks.map((block) => {
    if (block === null) throw new EvmNodeError("behind", "it lacks a block below its last");
    if (block.parent !== hash) {
      throw new EvmNodeError("contradicting", "a block follows another than the one before it");
    }
    hash = block.hash;
    return block;
  });
}
