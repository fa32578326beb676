/** Damages to what stands beside log and rows. */
import { sealRecord } from "../../src/store/rows/row_seal.ts";
import type { Prng } from "../support/prng.ts";
import type { DamageKind } from "./damage.ts";
import type { StoredValue } from "./damage_venue.ts";
import type { Change } from "./damaged_copy.ts";

/** Kinds of damage to the row of the epoch, and to the venue's record. */
export const RECORD_KINDS: Readonly<
  Record<"epoch" | "venue", Readonly<Record<string, DamageKind>>>
> = {
  epoch: {
    ...anyRecord(),
    "it began behind the log": one(({ key }, prng) => [
      { key, value: { after: 1e9 + prng.below(9) } },
    ]),
    "it began at no sequence": one(({ key }, prng) => [
      { key, value: { after: prng.pick([-1, 0.5, NaN, "0"]) } },
    ]),
    "it says nothing": one(({ key }) => [{ key, value: {} }]),
    "it is another epoch's": one(({ key, value }) => [
      { key, value: undefined },
      { key: [...key.slice(0, -1), "another"], value },
    ]),
  },
  venue: {
    ...anyRecord(),
    "its key of ids has changed under an old checksum": one(({ key, value }, prng) => {
      const record = value as { readonly uuidKey: Uint8Array };
      return [{ key, value: { ...record, uuidKey: flipped(record.uuidKey, prng) } }];
    }),
    "its checksum is another record's": one(({ key, value }) => {
      const { checksum } = sealRecord({ uuidKey: new Uint8Array(32) });
      return [{ key, value: { ...value as object, checksum } }];
    }),
  },
};

/** Kinds of damage to the copy of the last entry, given the entries of the log. */
export const LAST_KINDS: Readonly<Record<string, DamageKind>> = {
  "the copy of the last entry has a flipped bit": last((bytes, prng) => flipped(bytes, prng)),
  "its end is cut off": last((bytes, prng) => bytes.slice(0, prng.below(bytes.length))),
  "bytes follow it": last((bytes, prng) => Uint8Array.of(...bytes, prng.below(256))),
  "it is of another type": last((_, prng) => prng.pick([1, "text", true, { bytes: 1 }, 1n])),
  "it is empty": last(() => new Uint8Array()),
};

function anyRecord(): Readonly<Record<string, DamageKind>> {
  return {
    "it is missing": one(({ key }) => [{ key, value: undefined }]),
    "it is of another type": one(({ key }, prng) => [
      { key, value: prng.pick([1, "text", true, 1n, new Uint8Array([1])]) },
    ]),
  };
}

function one(damage: (row: StoredValue, prng: Prng) => Change[]): DamageKind {
  return ({ now: [row] }, prng) => row === undefined ? null : damage(row, prng);
}

function last(damage: (bytes: Uint8Array, prng: Prng) => unknown): DamageKind {
  return ({ now }, prng) => {
    const entry = now.at(-1);
    if (entry === undefined) return null;
    const [prefix = ""] = entry.key;
    return [{ key: [prefix, "last"], value: damage(entry.value as Uint8Array, prng) }];
  };
}

function flipped(bytes: Uint8Array, prng: Prng): Uint8Array {
  const copy = bytes.slice();
  const at = prng.below(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << prng.below(8));
  return copy;
}
