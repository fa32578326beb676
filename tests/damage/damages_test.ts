/**
 * Damages to a store, all of which the audit has to notice or the start to refuse.
 * `DAMAGE_ROUNDS=20` draws more of each kind, `KVENUE_TEST_SEED` others.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TABLES } from "../../src/store/keys.ts";
import { type SealedRecord, unsealRecord } from "../../src/store/rows/row_seal.ts";
import type { Watermark } from "../../src/store/rows/watermark.ts";
import { type Damage, damagesOf } from "./damage.ts";
import { type DamagedStores, fillVenue } from "./damage_venue.ts";
import { DamagedCopy, nameOf } from "./damaged_copy.ts";

const ROUNDS = Number(Deno.env.get("DAMAGE_ROUNDS") ?? 1);
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Date.now() % 2 ** 31);
const KINDS_MIN = 200;
/** Steps of a window after which some tables are written and others are not. */
const CUT_STEPS = 2;
/** In a window cut short, a row of its start is written anew, as if it had not been yet. */
const CUT_HARMLESS = ["a row is an older one", "all rows are older ones"];

async function assertAllNoticed(
  stores: DamagedStores,
  damages: readonly Damage[],
): Promise<number> {
  const copy = await DamagedCopy.of(stores.now);
  try {
    assertEquals(await copy.noticedBy([]), null, "an undamaged store is clean and starts");
    const unnoticed: string[] = [];
    for (const { name, changes } of damages) {
      if (await copy.noticedBy(changes) === null) unnoticed.push(name);
    }
    assertEquals(unnoticed, []);
    assertEquals(await copy.noticedBy([]), null, "all damages are mended");
  } finally {
    copy.close();
  }
  return new Set(damages.map(({ name }) => name)).size;
}

function watermarkOf({ now }: DamagedStores): Watermark {
  const row = now.find(({ key }) => key[1] === "watermark");
  return unsealRecord("watermark", row?.value as SealedRecord<Watermark>);
}

describe(`damages to a store, KVENUE_TEST_SEED=${SEED}`, () => {
  it("are noticed by the audit or refused at the start, each of several hundred kinds", async () => {
    const stores = await fillVenue(SEED);
    const tables = new Set(stores.now.map(({ key }) => key[1]));
    assertEquals(TABLES.filter((table) => !tables.has(table)), [], "every table has a row");
    const kinds = await assertAllNoticed(stores, damagesOf(stores, SEED, ROUNDS));
    assert(kinds >= KINDS_MIN, `only ${kinds} kinds`);
  });

  it("are noticed as well where a fold was cut short", async () => {
    const stores = await fillVenue(SEED, CUT_STEPS);
    const { sequence, target } = watermarkOf(stores);
    assert(sequence < target, `the rows at ${sequence} are amid a window that ends at ${target}`);
    // Without a row that the window has made, it has yet to be made.
    const known = new Set(stores.once.map(({ key }) => nameOf(key)));
    const before = { ...stores, now: stores.now.filter(({ key }) => known.has(nameOf(key))) };
    const damages = damagesOf(before, SEED, ROUNDS, CUT_HARMLESS);
    const kinds = await assertAllNoticed(stores, damages);
    assert(kinds >= KINDS_MIN, `only ${kinds} kinds`);
  });
});
