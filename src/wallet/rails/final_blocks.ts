/**
 * The blocks by which anything of a network was concluded to be final: those at which coins' cursors
 * stand, and the last one by which rows are written. That one is noted before they are, since a
 * process may end before a cursor is stored. Where one of them is on the chain no more, an operator
 * has to look: whatever was concluded by it may be wrong.
 */
import { present } from "../../domain/assert.ts";
import type { SidecarKey } from "../../engine/engine.ts";
import type { NetworkRailParts, ReplacedBlock } from "./network_rail.ts";

/** So many final blocks before the last one are remembered each; before these, fewer and fewer. */
const REMEMBERED_EACH = 64;

/** A block. */
export interface FinalBlock {
  readonly height: number;
  readonly hash: string;
}

/** The last final block, and some before it, which tell how much was replaced if it is gone. */
interface NotedBlock extends FinalBlock {
  /** The latest first; older programs have noted none. */
  readonly before?: readonly FinalBlock[];
}

/** What the check of such blocks works with. */
export interface FinalBlocksParts {
  readonly engine: Pick<NetworkRailParts["engine"], "readSidecar" | "changeSidecar">;
  /** The row of the last one. Older programs have written none. */
  readonly key: SidecarKey;
  /** Returns the blocks at which coins' cursors stand, and others that are known to be final. */
  readonly others: () => Promise<readonly FinalBlock[]>;
  /** How many blocks have to follow one that is final. */
  readonly depth: number;
  /** Returns the hashes of the chain's blocks at these heights; null where it ends below one. */
  readonly hashesAt: (heights: readonly number[]) => Promise<readonly (string | null)[]>;
  /** Returns what is thrown where a block is gone, and where the chain ends below one. */
  readonly replaced: (block: FinalBlock) => Error;
  readonly behind: () => Error;
}

/** The final blocks of a network. */
export class FinalBlocks {
  readonly #parts: FinalBlocksParts;
  /** The last block of the chain when all was in order, and what was noted then. */
  #checked: { readonly last: string; readonly noted: FinalBlock | null } | null = null;

  constructor(parts: FinalBlocksParts) {
    this.#parts = parts;
  }

  /** Returns what is noted; null if nothing is yet. */
  async noted(): Promise<NotedBlock | null> {
    return await this.#parts.engine.readSidecar(this.#parts.key) as NotedBlock | null;
  }

  /**
   * Returns the height of the last block that was read and is on the chain yet, as far as blocks are
   * remembered: a little before the first that was replaced. Null if none of them is.
   *
   * @param below where a block is known to be gone
   */
  async keptHeight(below: number): Promise<number | null> {
    const known = (await this.#known()).filter(({ height }) => height < below);
    return await this.#lastKept(known);
  }

  /**
   * Returns the height of the last block from which all may be read anew, since no block up to it is
   * known to be gone. Null if nothing is known of any.
   */
  async resumableHeight(): Promise<number | null> {
    const known = await this.#known();
    const oldest = known.at(-1);
    return oldest === undefined ? null : await this.#lastKept(known) ?? oldest.height - 1;
  }

  /** Returns the blocks that are remembered, the latest first. */
  async #known(): Promise<readonly FinalBlock[]> {
    const noted = await this.noted();
    return noted === null ? [] : [noted, ...noted.before ?? []];
  }

  async #lastKept(known: readonly FinalBlock[]): Promise<number | null> {
    // Where the chain has one, it has all before it.
    let [first, end] = [0, known.length];
    while (first < end) {
      const middle = Math.floor((first + end) / 2);
      const block = present(known[middle], "it is among those that are known");
      const [found] = await this.#parts.hashesAt([block.height]);
      if (found === block.hash) end = middle;
      else first = middle + 1;
    }
    return known[first]?.height ?? null;
  }

  /**
   * Checks that the chain has them all, and notes the block that is final by its last one: from then
   * on that may be concluded by.
   *
   * @throws what `replaced` or `behind` returns
   */
  async check(last: FinalBlock): Promise<void> {
    const { engine, key, others, depth, hashesAt, replaced, behind } = this.#parts;
    const noted = await this.noted();
    if (last.hash === this.#checked?.last && isSame(noted, this.#checked.noted)) return;
    const blocks = [...noted === null ? [] : [noted], ...await others()];
    const height = Math.max(0, last.height - depth);
    const [hash = null, ...found] = await hashesAt([height, ...blocks.map((one) => one.height)]);
    const gone = blocks.filter((one, i) => (found[i] ?? one.hash) !== one.hash)
      .toSorted((a, b) => a.height - b.height);
    if (gone[0] !== undefined) throw replaced(gone[0]);
    if (hash === null || found.includes(null)) throw behind();
    const next = noted === null || noted.height < height
      ? { height, hash, before: await this.#before({ height, hash }, noted) }
      : noted;
    const now = next === noted ? noted : await engine.changeSidecar(
      key,
      (old) => isSame(old as FinalBlock | null, noted) ? next : old as FinalBlock | null,
    );
    // What another process has noted meanwhile may be of another chain.
    if (!isSame(now, next)) return await this.check(last);
    this.#checked = { last: last.hash, noted: next };
  }

  /**
   * Returns which blocks are remembered before one that will be the last. Of those before what the
   * venue has read, the node is asked once for all, as far as it has them. It is asked for the last
   * once more: one wrong answer would have an operator look.
   */
  async #before(
    { height, hash }: FinalBlock,
    noted: NotedBlock | null,
  ): Promise<readonly FinalBlock[]> {
    const heights = olderHeights(height);
    const read = heights.filter((one) => noted !== null && one > noted.height);
    const older = heights.filter((one) => one < (noted?.height ?? height));
    const hashes = new Map([
      ...noted?.before === undefined ? await this.#told(older).catch(() => []) : [],
      ...(noted === null ? [] : [noted, ...noted.before ?? []]).map(toEntry),
      ...await this.#told([...read, height]),
    ]);
    if (hashes.get(height) !== hash) throw this.#parts.behind();
    return heights.flatMap((one) => {
      const of = hashes.get(one);
      return of === undefined ? [] : [{ height: one, hash: of }];
    });
  }

  /**
   * Returns hashes by height of blocks that the node has, and tells twice: by a wrong one, all would be
   * read anew from a block that is gone.
   */
  async #told(heights: readonly number[]): Promise<readonly (readonly [number, string])[]> {
    const { hashesAt, behind } = this.#parts;
    if (heights.length === 0) return [];
    const found = await hashesAt(heights);
    const again = await hashesAt(heights);
    if (again.some((hash, i) => hash !== found[i])) throw behind();
    return heights.flatMap((height, i) => {
      const hash = found[i] ?? null;
      return hash === null ? [] : [[height, hash] as const];
    });
  }

  /** Returns what is known now of replaced blocks by one that is gone: more may be replaced later. */
  async replacedBy({ height, hash }: FinalBlock): Promise<ReplacedBlock> {
    // A node that doesn't answer now is asked again by the next look.
    const kept = await this.keptHeight(height).catch(() => null);
    return { height, hash, depth: this.#parts.depth + 1, kept };
  }

  /**
   * Notes a block from which all is read anew, in the place of one that is gone, and returns it; or an
   * earlier one, to which another call has gone back, perhaps at the same time.
   */
  async goBack({ height, hash }: FinalBlock): Promise<FinalBlock> {
    const noted = await this.#parts.engine.changeSidecar(this.#parts.key, (old): NotedBlock => {
      const known = old as NotedBlock | null;
      if (known !== null && known.height < height) return known;
      const before = known?.before ?? [];
      return { height, hash, before: before.filter((one) => one.height < height) };
    });
    return { height: noted.height, hash: noted.hash };
  }
}

/** Returns which final blocks before one are remembered, by height, the latest first. */
function olderHeights(height: number): readonly number[] {
  const count = Math.min(REMEMBERED_EACH, height);
  const heights = Array.from({ length: count }, (_, i) => height - 1 - i);
  for (let step = REMEMBERED_EACH; step <= height; step *= 2) {
    // It stays the same until the next one has become as old, and so is seldom asked for.
    const older = (Math.floor(height / step) - 1) * step;
    if (older < height - REMEMBERED_EACH) heights.push(older);
  }
  return heights;
}

function toEntry({ height, hash }: FinalBlock): readonly [number, string] {
  return [height, hash];
}

function isSame(one: FinalBlock | null, other: FinalBlock | null): boolean {
  return one?.height === other?.height && one?.hash === other?.hash;
}
