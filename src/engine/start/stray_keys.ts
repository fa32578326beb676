/** Finds keys that do not belong in a venue's store, which reads of its log and rows pass over. */
import {
  entryKey,
  type Key,
  keyFamilies,
  logKey,
  logPrefix,
  singleKeys,
} from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { readHead } from "../../store/log/venue_log.ts";

/** How many are named. */
const NAMED_MAX = 100;

/** A range of keys, its end exclusive. */
type Range = readonly [start: Key, end: Key];

/** Returns the names of keys under the log's prefix that no program of a venue writes, or some. */
export async function findStrayKeys(store: Store): Promise<string[]> {
  const keys: Key[] = [];
  const { value: { epoch } } = await readHead(store);
  for (const range of rangesBetween(epoch)) keys.push(...await keysIn(store, range));
  keys.push(...await keysIn(store, [logKey(), entryKey(1, 0)]));
  const { value: before } = await readHead(store);
  const behind = await keysIn(store, [[...logKey(), before.sequence + 1], endOf(logKey())]);
  // A running venue has appended meanwhile.
  const { value: { sequence } } = await readHead(store);
  keys.push(...behind.filter((key) => !(Number(key[logKey().length]) <= sequence)));
  return keys.slice(0, NAMED_MAX).map((key) => key.slice(logPrefix().length).join("/"));
}

async function keysIn(store: Store, [start, end]: Range): Promise<Key[]> {
  const listing = store.list(start, end, { limit: NAMED_MAX });
  return await Array.fromAsync(listing, ({ key }) => key);
}

/** Returns the ranges before, between and behind all that a venue keeps in its epoch. */
function rangesBetween(epoch: string): Range[] {
  const one = singleKeys(epoch).map((key): Range => [key, [...key, ""]]);
  const many = keyFamilies().map((key): Range => [key, endOf(key)]);
  const kept = [...one, ...many];
  kept.sort(([a], [b]) => nameOf(a) < nameOf(b) ? -1 : 1);
  const [prefix] = logPrefix();
  const starts: Key[] = [logPrefix(), ...kept.map(([, end]) => end)];
  const ends: Key[] = [...kept.map(([start]) => start), [`${prefix}\0`]];
  return starts.map((start, i) => [start, ends[i] as Key]);
}

function endOf(key: Key): Key {
  return [...key, Infinity];
}

function nameOf(key: Key): string {
  return String(key[logPrefix().length]);
}
