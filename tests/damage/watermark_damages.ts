/** Damages to the head and to the watermark, most of them as if written so. */
import { type Head, parseHead, writeHead } from "../../src/store/log/head_codec.ts";
import { type SealedRecord, sealRecord, unsealRecord } from "../../src/store/rows/row_seal.ts";
import type { Watermark } from "../../src/store/rows/watermark.ts";
import type { Prng } from "../support/prng.ts";
import type { DamageKind } from "./damage.ts";
import { EMPTY_WATERMARK } from "../../src/store/rows/watermark.ts";

/** Fields that older programs did not write, without which the same is meant, or all is proved. */
const OF_LATER_PROGRAMS = new Set(["stateSum", "pnlKept", "hasFunds"]);

/** Kinds of damage to either point. */
export const POINT_KINDS: Readonly<
  Record<"head" | "watermark", Readonly<Record<string, DamageKind>>>
> = {
  head: {
    ...anyPoint(),
    "it is behind the log": head(({ sequence }, prng) => ({ sequence: back(sequence, prng) })),
    "it is ahead of the log": head(({ sequence }, prng) => ({
      sequence: sequence + prng.between(1, 50),
    })),
    "it has an earlier time": head(({ at }, prng) => ({ at: back(at, prng) })),
    "it has a later time": head(({ at }, prng) => ({ at: at + prng.between(1, 10_000) })),
    "it has another hash": head(({ hash }, prng) => ({ hash: flipped(hash, prng) })),
    "it is of another epoch": head(() => ({ epoch: "another" })),
    "it has a newer format": ({ now: [one] }) =>
      one === undefined
        ? null
        : [{ key: one.key, value: Uint8Array.of(99, ...(one.value as Uint8Array).slice(1)) }],
    "its end is cut off": ({ now: [one] }, prng) => {
      if (one === undefined) return null;
      const bytes = one.value as Uint8Array;
      return [{ key: one.key, value: bytes.slice(0, prng.below(bytes.length)) }];
    },
  },
  watermark: {
    ...anyPoint(),
    "it is back by one": point(({ sequence, target }) => ({
      sequence: sequence - 1,
      target: target - 1,
    })),
    "it is back by some": point(({ sequence }, prng) => {
      const earlier = back(sequence, prng);
      return { sequence: earlier, target: earlier };
    }),
    "its sequence is back": point(({ sequence }, prng) => ({ sequence: back(sequence, prng) })),
    "it is at the beginning": point(() => ({ sequence: 0, target: 0 })),
    "it is ahead": point(({ sequence, target }, prng) => {
      const by = prng.between(1, 20);
      return { sequence: sequence + by, target: target + by };
    }),
    "its target is ahead": point(({ target }, prng) => ({ target: target + prng.between(1, 20) })),
    "its target is back": point(({ sequence }, prng) => ({ target: back(sequence, prng) })),
    "it is no number": point((_, prng) => ({ sequence: prng.pick([NaN, 1.5, -1, Infinity]) })),
    "it has another time": point(({ at }, prng) => ({ at: at + prng.between(1, 9999) })),
    "it has another hash": point(({ hash }, prng) => ({ hash: flipped(hash, prng) })),
    "it has another sum": point(({ stateSum }, prng) => ({
      stateSum: (stateSum ?? 0) + prng.between(1, 9),
    })),
    "it has other levels": point(({ levels }) => ({
      levels: { ...levels, withdraw: levels.withdraw + 1 },
    })),
    "it has other switches": point(({ switches }) => ({
      switches: { ...switches, trading: !switches.trading },
    })),
    "it counts other records": point(({ counters }, prng) => {
      const name = prng.pick(Object.keys(counters) as (keyof typeof counters)[]);
      return { counters: { ...counters, [name]: counters[name] + prng.between(1, 3) } };
    }),
    "a field is missing": ({ now: [one] }, prng) => {
      if (one === undefined) return null;
      const { checksum: _, ...record } = one.value as SealedRecord<Watermark>;
      const names = Object.keys(record).filter((name) =>
        name in EMPTY_WATERMARK && !OF_LATER_PROGRAMS.has(name) && isNeeded(record, name)
      );
      const missing = prng.pick(names);
      const left = Object.entries(record).filter(([name]) => name !== missing);
      return [{ key: one.key, value: sealRecord(Object.fromEntries(left)) }];
    },
    "a field has changed under an old checksum": ({ now: [one] }, prng) => {
      if (one === undefined) return null;
      const record = one.value as Watermark;
      return [{ key: one.key, value: { ...record, sequence: back(record.sequence, prng) } }];
    },
  },
};

/** Whether a field is not what is taken for it where it is missing. */
function isNeeded(record: object, name: string): boolean {
  const [is, otherwise] = [record, EMPTY_WATERMARK].map((one) =>
    JSON.stringify((one as Record<string, unknown>)[name])
  );
  return is !== otherwise;
}

function anyPoint(): Readonly<Record<string, DamageKind>> {
  return {
    "it is missing": ({ now: [one] }) =>
      one === undefined ? null : [{ key: one.key, value: undefined }],
    "it is of another type": ({ now: [one] }, prng) =>
      one === undefined
        ? null
        : [{ key: one.key, value: prng.pick([1, "text", true, 1n, new Uint8Array()]) }],
    "it is an older one": ({ once: [one] }) => one === undefined ? null : [one],
  };
}

function head(change: (head: Head, prng: Prng) => Partial<Head>): DamageKind {
  return ({ now: [one] }, prng) => {
    if (one === undefined) return null;
    const old = parseHead(one.value as Uint8Array);
    return [{ key: one.key, value: writeHead({ ...old, ...change(old, prng) }) }];
  };
}

function point(change: (watermark: Watermark, prng: Prng) => Partial<Watermark>): DamageKind {
  return ({ now: [one] }, prng) => {
    if (one === undefined) return null;
    const old = unsealRecord("watermark", one.value as SealedRecord<Watermark>) as Watermark;
    return [{ key: one.key, value: sealRecord({ ...old, ...change(old, prng) }) }];
  };
}

function back(from: number, prng: Prng): number {
  return Math.max(1, from - prng.between(1, 40));
}

function flipped(bytes: Uint8Array, prng: Prng): Uint8Array {
  const copy = bytes.slice();
  const at = prng.below(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << prng.below(8));
  return copy;
}
