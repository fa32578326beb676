import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../src/domain/assert.ts";
import { type Key, logPrefix, rowKey, sideKey, type Table } from "../../src/store/keys.ts";
import { addPeople, openMoney, pay, PEOPLE, withdraw } from "../e2e/killed_money.ts";
import { copyStore } from "../support/damaged_file.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { units } from "../support/test_venue.ts";

/** Tables of which a start needs every row. */
const STATE_TABLES: readonly Table[] = [
  "beneficiaries",
  "currencies",
  "markets",
  "members",
  "open_deposits",
  "open_orders",
  "open_withdraws",
];

/** A folded venue with a row in each of these tables; all but one of its deposits have ended. */
async function fill(path: string): Promise<void> {
  const parts = await openMoney(path);
  const { test, wallet } = parts;
  await addPeople(parts);
  await test.addMarket("btc", "usdt");
  const [uid] = PEOPLE;
  await test.must({ kind: "adjust_balance", uid, currency: "usdt", amount: units("1000") });
  await pay(parts, uid, "1.5");
  while (test.venue.counters.deposits === 0 || test.venue.deposits.size > 0) await wallet.tick();
  await test.placed(uid, { amount: "1", price: "100" });
  await pay(parts, uid, "2.5");
  while (test.venue.deposits.size === 0) await wallet.tick();
  await withdraw(test, uid, "0.25");
  await test.folded();
  await test.close();
}

/** Keys of all rows of some tables, and that of the venue's record. */
async function keysOf(path: string): Promise<Key[]> {
  using kv = await Deno.openKv(path);
  const keys: Key[] = [];
  for await (const { key } of kv.list({ prefix: logPrefix() as Deno.KvKey })) {
    if (STATE_TABLES.some((table) => startsWith(key, rowKey(table)))) keys.push(key as Key);
  }
  return [...keys, sideKey(["venue"])];
}

function startsWith(key: Deno.KvKey, prefix: Key): boolean {
  return prefix.every((part, i) => key[i] === part);
}

describe("a venue with a row missing", () => {
  it("is not opened where the row is state, whichever it is", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const keys = await keysOf(file.path);
    const tables = new Set(keys.map((key) => key[logPrefix().length]));
    assertEquals([...tables].sort(), [...STATE_TABLES, "side"].sort());
    for (const [i, key] of keys.entries()) {
      const path = `${file.directory}/without${i}`;
      await copyStore(file.path, path);
      const kv = await Deno.openKv(path);
      await kv.delete(key as Deno.KvKey);
      kv.close();
      const opening = async () => await (await EngineVenue.open({ path })).close();
      await assertRejects(opening, InvariantError, undefined, `Opens without ${key.join("/")}`);
    }
    await (await EngineVenue.open({ path: file.path })).close();
  });
});
