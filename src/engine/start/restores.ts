/**
 * When a store was restored. Ids that were given after the first copy are given again, so what has a
 * name outside the store by its id needs another one from then on. What was there at the last restore
 * may have gone on outside, of which the copy knows nothing.
 */
import type { Mutation } from "../../store/kv/commit.ts";
import { sidecarKey } from "../../store/keys.ts";
import { RESTORES_KEY } from "../../store/sidecar_keys.ts";
import type { Store } from "../../store/store.ts";
import type { Engine } from "../engine.ts";

/** The restores of a store, in ms, as stamped. */
export interface Restores {
  readonly first: number;
  readonly last: number;
}

/** As stored. Older versions noted the first one alone. */
interface RestoresRow {
  readonly at: number;
  readonly last?: number;
}

/** Returns the row that notes one more restore, at a time in ms. */
export async function restoresRow(store: Store, at: number): Promise<Mutation> {
  const key = sidecarKey(RESTORES_KEY);
  const known = (await store.get<RestoresRow>(key)).value;
  const value: RestoresRow = { at: known?.at ?? at, last: at };
  return { key, value };
}

/** Returns when the store was restored; null if it never was. */
export async function readRestores(engine: Pick<Engine, "readSidecar">): Promise<Restores | null> {
  const row = await engine.readSidecar(RESTORES_KEY) as RestoresRow | null;
  return row === null ? null : { first: row.at, last: row.last ?? row.at };
}
