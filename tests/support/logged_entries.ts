import { type Entry, HASH_BYTES } from "../../src/store/log/entry_codec.ts";
import { entryKey } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/store.ts";
import { LOG_FORMAT } from "../../src/store/stored_formats.ts";

/** Mutations of one commit. */
const AT_ONCE = 500;

/** Puts of entries into a store's log what a fold of them proves itself by. */
export async function logEntries(store: Store, entries: readonly Entry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const mutations = entries.slice(at, at + AT_ONCE).map(({ first, hash }) => {
      const value = new Uint8Array(1 + HASH_BYTES);
      value[0] = LOG_FORMAT;
      value.set(hash, 1);
      return { key: entryKey(first, 0), value };
    });
    const check = { key: ["none"], versionstamp: null };
    const { kind } = await store.commit({ check, mutations }, "log");
    if (kind !== "committed") throw new Error(`The entries are not logged: ${kind}`);
  }
}
