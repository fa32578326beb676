/** Damages to a store: kinds of damage, each to every family of keys that it can befall. */
import { TABLES } from "../../src/store/keys.ts";
import { Prng } from "../support/prng.ts";
import { LAST_KINDS, RECORD_KINDS } from "./beside_damages.ts";
import type { DamagedStores, StoredValue } from "./damage_venue.ts";
import type { Change } from "./damaged_copy.ts";
import { LOG_KINDS } from "./log_damages.ts";
import { ROW_KINDS } from "./row_damages.ts";
import { POINT_KINDS } from "./watermark_damages.ts";

/** Values of one family, such as the rows of a table, as they are and as they once were. */
export interface Family {
  readonly name: string;
  readonly now: readonly StoredValue[];
  readonly once: readonly StoredValue[];
}

/** Draws a damage of a kind to a family; null if it can't befall that. */
export type DamageKind = (family: Family, prng: Prng) => Change[] | null;

/** A damage. */
export interface Damage {
  readonly name: string;
  readonly changes: readonly Change[];
}

/**
 * Returns damages of every kind to every family.
 *
 * @param rounds how many of each are drawn
 * @param without kinds that do no harm to this store
 */
export function damagesOf(
  stores: DamagedStores,
  seed: number,
  rounds: number,
  without: readonly string[] = [],
): Damage[] {
  const prng = new Prng(seed);
  const damages: Damage[] = [];
  const add = (family: Family, kinds: Readonly<Record<string, DamageKind>>) => {
    for (const [kind, draw] of Object.entries(kinds)) {
      if (without.includes(kind)) continue;
      for (let round = 0; round < rounds; round++) {
        const changes = draw(family, prng);
        if (changes !== null) damages.push({ name: `${family.name}: ${kind}`, changes });
      }
    }
  };
  for (const table of TABLES) add(familyOf(stores, table), ROW_KINDS);
  add(familyOf(stores, "log"), LOG_KINDS);
  for (const name of ["head", "watermark"] as const) {
    add(familyOf(stores, name), POINT_KINDS[name]);
  }
  add({ ...familyOf(stores, "log"), name: "last" }, LAST_KINDS);
  add(familyOf(stores, "epoch"), RECORD_KINDS.epoch);
  const isRecord = ({ key }: StoredValue) => key[1] === "side" && key[2] === "venue";
  const records = { now: stores.now.filter(isRecord), once: stores.once.filter(isRecord) };
  add({ name: "side/venue", ...records }, RECORD_KINDS.venue);
  return damages;
}

function familyOf({ now, once }: DamagedStores, name: string): Family {
  const isOfIt = ({ key }: StoredValue) => key[1] === name;
  return { name, now: now.filter(isOfIt), once: once.filter(isOfIt) };
}
