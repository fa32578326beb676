/** Damages to rows of tables, most of them with a valid seal: only what they hold is wrong. */
import { BLOCK_HEADER_BYTES } from "../../src/store/rows/block_codec.ts";
import { BLOCK_TABLES, HISTORY_TABLES, type Key, type Table } from "../../src/store/keys.ts";
import { sealRow, unsealRow } from "../../src/store/rows/row_seal.ts";
import type { Prng } from "../support/prng.ts";
import type { DamageKind, Family } from "./damage.ts";
import { type Change, nameOf } from "./damaged_copy.ts";
import type { StoredValue } from "./damage_venue.ts";

/** Kinds of damage to the rows of a table. */
export const ROW_KINDS: Readonly<Record<string, DamageKind>> = {
  "a row is missing": one((row) => [{ key: row.key, value: undefined }]),
  "all rows are missing": ({ now }) =>
    some(now.map(({ key }): Change => ({ key, value: undefined }))),
  "a bit is flipped": one((row, prng) => [{ key: row.key, value: flipped(stored(row), 0, prng) }]),
  "a bit is flipped under a valid seal": sealed((bytes, family, prng) =>
    flipped(bytes, contentStart(bytes, family), prng)
  ),
  "the seal is gone": one((row) => {
    const bytes = stored(row).slice();
    bytes[0] = (bytes[0] ?? 0) & 0x7f;
    return [{ key: row.key, value: bytes }];
  }),
  "its end is cut off": one((row, prng) => [{
    key: row.key,
    value: stored(row).slice(0, prng.between(1, stored(row).length - 1)),
  }]),
  "its end is cut off under a valid seal": sealed((bytes, family, prng) =>
    bytes.slice(0, prng.between(contentStart(bytes, family), bytes.length - 1))
  ),
  "bytes follow it under a valid seal": sealed((bytes, _, prng) =>
    Uint8Array.of(...bytes, prng.below(256))
  ),
  "it is of another type": one((row, prng) => [{
    key: row.key,
    value: prng.pick([1, "text", true, { bytes: 1 }, [1], 1n]),
  }]),
  "it is empty": one((row) => [{ key: row.key, value: new Uint8Array() }]),
  "it is true at a later sequence": sealed((bytes, family) => ofLaterSequence(bytes, family)),
  "it has no format": sealed((bytes) => Uint8Array.of(0, ...bytes.slice(1))),
  "it has a newer format": sealed((bytes) => Uint8Array.of(30, ...bytes.slice(1))),
  "its header has another count": header((view, prng) =>
    view.setUint32(9, view.getUint32(9, true) + prng.between(1, 9), true)
  ),
  "its header has another last id": header((view, prng) =>
    view.setFloat64(13, view.getFloat64(13, true) + prng.between(1, 9), true)
  ),
  "two rows are swapped": two((a, b) => [moved(a, b.key), moved(b, a.key)]),
  "a row stands in another's place too": two((a, b) => [moved(a, b.key)]),
  "a row is there twice": one((row, prng) => [moved(row, elsewhere(row.key, prng))]),
  "a row is moved": one((row, prng) => [
    { key: row.key, value: undefined },
    moved(row, elsewhere(row.key, prng)),
  ]),
  "a row is another account's": one((row, prng) => {
    const [prefix = "", table = "", owner, ...rest] = row.key;
    if (rest.length === 0 || typeof owner !== "number") return null;
    const key = [prefix, table, owner + prng.between(1, 3), ...rest];
    return [{ key: row.key, value: undefined }, moved(row, key)];
  }),
  "a row's key is of another type": one((row) => {
    const last = row.key[row.key.length - 1] ?? "";
    const key = [...row.key.slice(0, -1), typeof last === "number" ? `${last}` : 7];
    return [{ key: row.key, value: undefined }, moved(row, key)];
  }),
  "a row was never there": one((row) => [
    moved(row, [...row.key.slice(0, -1), typeof row.key.at(-1) === "number" ? 1e9 : "never"]),
  ]),
  "a row lies deeper": one((row) => [moved(row, [...row.key, 9])]),
  "a row is an older one": (family, prng) => {
    const { now, once } = family;
    const before = new Map(once.map((row) => [nameOf(row.key), row]));
    const changed = now.flatMap((row) => {
      const old = before.get(nameOf(row.key));
      return old !== undefined && !isSame(records(old, family), records(row, family)) ? [old] : [];
    });
    return changed.length === 0 ? null : [{ ...prng.pick(changed) }];
  },
  "all rows are older ones": (family) => {
    const { now, once } = family;
    const before = new Map(now.map((row) => [nameOf(row.key), row]));
    const known = new Set(once.map(({ key }) => nameOf(key)));
    const later = now.filter(({ key }) => !known.has(nameOf(key)));
    const isOlder = once.some((row) => {
      const present = before.get(nameOf(row.key)) ?? row;
      return !isSame(records(row, family), records(present, family));
    });
    if (later.length === 0 && !isOlder) return null;
    return [...once, ...later.map(({ key }) => ({ key, value: undefined }))];
  },
};

/** A kind that befalls one row. */
function one(draw: (row: StoredValue, prng: Prng, family: Family) => Change[] | null): DamageKind {
  return (family, prng) =>
    family.now.length === 0 ? null : draw(prng.pick(family.now), prng, family);
}

/** A kind that befalls two rows of different contents. */
function two(draw: (a: StoredValue, b: StoredValue) => Change[]): DamageKind {
  return ({ now }, prng) => {
    if (now.length < 2) return null;
    const a = prng.pick(now);
    const others = now.filter((row) => row !== a && !isSame(contents(row), contents(a)));
    return others.length === 0 ? null : draw(a, prng.pick(others));
  };
}

/** A kind that changes what a row holds, and seals it again. */
function sealed(
  change: (bytes: Uint8Array, family: Family, prng: Prng) => Uint8Array,
): DamageKind {
  return one((row, prng, family) => {
    const value = sealRow(row.key as Key, change(contents(row), family, prng));
    return [{ key: row.key, value }];
  });
}

/** A kind that changes the header of a block. */
function header(change: (view: DataView, prng: Prng) => void): DamageKind {
  const draw = sealed((bytes, _, prng) => {
    change(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), prng);
    return bytes;
  });
  return (family, prng) => isBlocks(family) ? draw(family, prng) : null;
}

/** Returns the change that puts a row under another key, with a valid seal. */
function moved(row: StoredValue, key: Deno.KvKey): Change {
  return { key, value: sealRow(key as Key, contents(row)) };
}

function elsewhere(key: Deno.KvKey, prng: Prng): Deno.KvKey {
  const last = key.at(-1);
  const next = typeof last === "number" ? last + prng.between(1, 3) * 1e6 : `${String(last)}x`;
  return [...key.slice(0, -1), next];
}

function ofLaterSequence(bytes: Uint8Array, family: Family): Uint8Array {
  if (isBlocks(family)) {
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setFloat64(1, 2 ** 40, true);
    return bytes;
  }
  const rest = bytes.slice(sequenceEnd(bytes));
  return Uint8Array.of(bytes[0] ?? 0, 0xff, 0xff, 0xff, 0xff, 0x7f, ...rest);
}

/** Returns where a row's records begin, behind its format and sequence. */
function contentStart(bytes: Uint8Array, family: Family): number {
  return isBlocks(family) ? BLOCK_HEADER_BYTES : sequenceEnd(bytes);
}

/** Returns where a row's sequence ends: a number of seven bits a byte, the lowest first. */
function sequenceEnd(bytes: Uint8Array): number {
  let end = 1;
  while (((bytes[end] ?? 0) & 0x80) !== 0) end += 1;
  return end + 1;
}

function isBlocks({ name }: Family): boolean {
  return BLOCK_TABLES.has(name as Table) || HISTORY_TABLES.has(name as Table);
}

function flipped(bytes: Uint8Array, from: number, prng: Prng): Uint8Array {
  const copy = bytes.slice();
  const at = prng.between(from, copy.length - 1);
  copy[at] = (copy[at] ?? 0) ^ (1 << prng.below(8));
  return copy;
}

function stored({ value }: StoredValue): Uint8Array {
  return value as Uint8Array;
}

function contents(row: StoredValue): Uint8Array {
  return unsealRow(row.key as Key, stored(row).slice());
}

/** Returns what a row holds, whenever that became true. */
function records(row: StoredValue, family: Family): Uint8Array {
  const bytes = contents(row);
  return bytes.slice(contentStart(bytes, family));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function some(changes: Change[]): Change[] | null {
  return changes.length === 0 ? null : changes;
}
