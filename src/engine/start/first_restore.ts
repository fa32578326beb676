/**
 * When a store was first restored: ids that were given after the copy are given again, so what has
 * a name outside the store by its id needs another one from then on.
 */
import type { Mutation } from "../../store/kv/commit.ts";
import { sidecarKey } from "../../store/keys.ts";
import { FIRST_RESTORE_KEY } from "../../store/sidecar_keys.ts";
import type { Store } from "../../store/store.ts";
import type { Engine } from "../engine.ts";

interface FirstRestore {
  /** In ms, as stamped. */
  readonly at: number;
}

/** Returns the row that notes a restore at a time, in ms, unless there was one before. */
export async function firstRestoreRow(store: Store, at: number): Promise<Mutation> {
  const key = sidecarKey(FIRST_RESTORE_KEY);
  const first: FirstRestore = { at };
  return { key, value: (await store.get<FirstRestore>(key)).value ?? first };
}

/** Returns when the store was first restored, in ms; null if it never was. */
export async function firstRestoreAt(engine: Pick<Engine, "readSidecar">): Promise<number | null> {
  return (await engine.readSidecar(FIRST_RESTORE_KEY) as FirstRestore | null)?.at ?? null;
}
