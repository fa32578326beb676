/** Damages to entries of the log. */
import type { Prng } from "../support/prng.ts";
import type { DamageKind } from "./damage.ts";
import type { StoredValue } from "./damage_venue.ts";
import type { Change } from "./damaged_copy.ts";

/** Kinds of damage to the log. */
export const LOG_KINDS: Readonly<Record<string, DamageKind>> = {
  "an entry is missing": one((entry) => [{ key: entry.key, value: undefined }]),
  "the first entry is missing": ({ now: [first] }) =>
    first === undefined ? null : [{ key: first.key, value: undefined }],
  "the last entry is missing": ({ now }) => {
    const last = now.at(-1);
    return last === undefined ? null : [{ key: last.key, value: undefined }];
  },
  "its tail is missing": ({ now }, prng) =>
    now.slice(prng.below(now.length)).map(({ key }) => ({ key, value: undefined })),
  "all entries are missing": ({ now }) => now.map(({ key }) => ({ key, value: undefined })),
  "a bit is flipped": one((entry, prng) => {
    const bytes = (entry.value as Uint8Array).slice();
    const at = prng.between(1, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << prng.below(8));
    return [{ key: entry.key, value: bytes }];
  }),
  "its end is cut off": one((entry, prng) => {
    const bytes = entry.value as Uint8Array;
    return [{ key: entry.key, value: bytes.slice(0, prng.between(1, bytes.length - 1)) }];
  }),
  "bytes follow it": one((entry, prng) => [
    { key: entry.key, value: Uint8Array.of(...entry.value as Uint8Array, prng.below(256)) },
  ]),
  "it is of another type": one((entry, prng) => [
    { key: entry.key, value: prng.pick([1, "text", true, { bytes: 1 }, 1n]) },
  ]),
  "it is empty": one((entry) => [{ key: entry.key, value: new Uint8Array() }]),
  "it has a newer format": one((entry) => [
    { key: entry.key, value: Uint8Array.of(99, ...(entry.value as Uint8Array).slice(1)) },
  ]),
  "two entries are swapped": two((a, b) => [
    { key: a.key, value: b.value },
    { key: b.key, value: a.value },
  ]),
  "an entry stands in another's place too": two((a, b) => [{ key: b.key, value: a.value }]),
  "an entry has another part": one((entry) => [
    { key: [...entry.key.slice(0, -1), 1], value: entry.value },
  ]),
  "an entry is there twice": one((entry) => {
    const [prefix = "", log = "", first = 0] = entry.key;
    return [{ key: [prefix, log, Number(first) + 0.5, 0], value: entry.value }];
  }),
  "an entry was never there, behind the head": ({ now }, prng) => {
    const [prefix = "", log = "", last = 0] = now.at(-1)?.key ?? [];
    return [{
      key: [prefix, log, Number(last) + prng.between(1_000, 9_000), 0],
      value: prng.pick(now).value,
    }];
  },
  "an entry was never there, before the first": ({ now }, prng) => {
    const [prefix = "", log = ""] = now.at(0)?.key ?? [];
    return [{ key: [prefix, log, -prng.below(9), 0], value: prng.pick(now).value }];
  },
};

function one(draw: (entry: StoredValue, prng: Prng) => Change[]): DamageKind {
  return ({ now }, prng) => draw(prng.pick(now), prng);
}

function two(draw: (a: StoredValue, b: StoredValue) => Change[]): DamageKind {
  return ({ now }, prng) => {
    const a = prng.pick(now);
    return draw(a, prng.pick(now.filter((entry) => entry !== a)));
  };
}
