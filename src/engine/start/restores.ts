/**
 * When a store was restored. Ids that were given after the first copy are given again, so what has a
 * name outside the store by its id needs another one from then on. What was there at the last restore
 * may have gone on outside, of which the copy knows nothing. Indexes of members are given again too,
 * so the keys of those who came later are on a branch that no other restore has used.
 */
import type { Mutation } from "../../store/kv/commit.ts";
import { sidecarKey } from "../../store/keys.ts";
import { RESTORES_KEY } from "../../store/sidecar_keys.ts";
import type { Store } from "../../store/store.ts";
import type { Engine } from "../engine.ts";

/** Where the keys of members are that were made after a restore. */
export interface KeyBranch {
  /** When it was restored, in whole seconds; later if an earlier restore has that branch. */
  readonly branch: number;
  /** Index of the first member that the copy did not have. */
  readonly from: number;
}

/** The restores of a store, in ms, as stamped. */
export interface Restores {
  readonly first: number;
  readonly last: number;
  /** Of each restore, the oldest first; older programs have noted none for theirs. */
  readonly branches: readonly KeyBranch[];
}

/** As stored. Older versions noted the first one alone, and later ones the first and the last. */
interface RestoresRow {
  readonly at: number;
  readonly last?: number;
  readonly branches?: readonly KeyBranch[];
}

/** One more restore. */
export interface NewRestore {
  /** As stamped, in ms. */
  readonly at: number;
  /** By the clock, in ms: two restores of one copy may have the same stamp. */
  readonly now: number;
  /** How many members the copy has, with the venue's own accounts. */
  readonly members: number;
}

/** The branch of members from before any restore. */
const FIRST_BRANCH = 0;
/** Branches up to this one are others'. */
const LAST_TAKEN_BRANCH = 1;

/** Returns the row that notes one more restore. */
export async function restoresRow(
  store: Store,
  { at, now, members }: NewRestore,
): Promise<Mutation> {
  const key = sidecarKey(RESTORES_KEY);
  const known = (await store.get<RestoresRow>(key)).value;
  const branches = known?.branches ?? [];
  const taken = branches.at(-1)?.branch ?? LAST_TAKEN_BRANCH;
  const branch = Math.max(Math.floor(now / 1_000), taken + 1);
  const value: RestoresRow = {
    at: known?.at ?? at,
    last: at,
    branches: [...branches, { branch, from: members }],
  };
  return { key, value };
}

/** Returns when the store was restored; null if it never was. */
export async function readRestores(engine: Pick<Engine, "readSidecar">): Promise<Restores | null> {
  const row = await engine.readSidecar(RESTORES_KEY) as RestoresRow | null;
  if (row === null) return null;
  return { first: row.at, last: row.last ?? row.at, branches: row.branches ?? [] };
}

/** Returns the branch that the keys of a member are on, by its index. */
export function branchOf(restores: Restores | null, member: number): number {
  return restores?.branches.findLast(({ from }) => from <= member)?.branch ?? FIRST_BRANCH;
}
