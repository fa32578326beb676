/**
 * The blocks by which anything of a network was concluded to be final: those at which coins' cursors
 * stand, and the last one by which rows are written. That one is noted before they are, since a
 * process may end before a cursor is stored. Where one of them is on the chain no more, an operator
 * has to look: whatever was concluded by it may be wrong.
 */
import type { SidecarKey } from "../../engine/engine.ts";
import type { NetworkRailParts } from "./network_rail.ts";

/** A block. */
export interface FinalBlock {
  readonly height: number;
  readonly hash: string;
}

/** What the check of such blocks works with. */
export interface FinalBlocksParts {
  readonly engine: Pick<NetworkRailParts["engine"], "readSidecar" | "changeSidecar">;
  /** The row of the last one: a `FinalBlock`. Older programs have written none. */
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
  async noted(): Promise<FinalBlock | null> {
    return await this.#parts.engine.readSidecar(this.#parts.key) as FinalBlock | null;
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
    const next = noted === null || noted.height < height ? { height, hash } : noted;
    const now = next === noted ? noted : await engine.changeSidecar(
      key,
      (old) => isSame(old as FinalBlock | null, noted) ? next : old as FinalBlock | null,
    );
    // What another process has noted meanwhile may be of another chain.
    if (!isSame(now, next)) return await this.check(last);
    this.#checked = { last: last.hash, noted: next };
  }

  /** Notes a block from which all is read anew, in the place of one that is gone. */
  async goBack({ height, hash }: FinalBlock): Promise<void> {
    await this.#parts.engine.changeSidecar(this.#parts.key, () => ({ height, hash }));
  }
}

function isSame(one: FinalBlock | null, other: FinalBlock | null): boolean {
  return one?.height === other?.height && one?.hash === other?.hash;
}
