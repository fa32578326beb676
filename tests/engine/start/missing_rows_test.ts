import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import type { FeeRow } from "../../../src/domain/trading/fees.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import {
  type Key,
  logPrefix,
  rowKey,
  sidecarKey,
  STATE_TABLES,
  watermarkKey,
} from "../../../src/store/keys.ts";
import { itemsOf, writeRecordRow } from "../../../src/store/rows/row_codec.ts";
import { sealRecord, sealRow, unsealRow } from "../../../src/store/rows/row_seal.ts";
import { addPeople, openMoney, pay, PEOPLE, withdraw } from "../../e2e/killed_money.ts";
import { copyStore } from "../../support/damaged_file.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { units } from "../../support/domain_venue.ts";

/** Creates a folded venue with rows in all of these tables; some deposits have ended, some not. */
async function fill(path: string): Promise<void> {
  const parts = await openMoney(path);
  const { test, wallet } = parts;
  await addPeople(parts);
  await test.addMarket("btc", "usdt");
  const [uid] = PEOPLE;
  await test.must({ kind: "adjust_balance", uid, currency: "usdt", amount: units("1000") });
  await test.must({ kind: "set_fee", market: "any", group: "any", maker: 1000, taker: 2000 });
  await test.must({ kind: "set_fee", market: "btcusdt", group: "any", maker: 0, taker: 500 });
  const limits = { limit24h: units("100"), limit1m: units("1000") };
  for (const level of [-1, 3]) {
    await test.must({ kind: "set_withdraw_limit", row: { level, group: "any", ...limits } });
  }
  await test.must({
    kind: "create_key",
    uid,
    kid: "a key",
    role: "member",
    scopes: ["read"],
    nonceMode: "single",
  });
  await pay(parts, uid, "1.5");
  while (test.venue.counters.deposits === 0 || test.venue.deposits.size > 0) await wallet.tick();
  await test.placed(uid, { amount: "1", price: "100" });
  // On a slow machine a deposit can end before it is looked at.
  while (test.venue.deposits.size === 0) {
    await pay(parts, uid, "2.5");
    await wallet.tick();
  }
  await withdraw(test, uid, "0.25");
  await test.folded();
  await test.close();
}

/** Returns the keys of all rows of some tables, and that of the venue's record. */
async function keysOf(path: string): Promise<Key[]> {
  using kv = await Deno.openKv(path);
  const keys: Key[] = [];
  for await (const { key } of kv.list({ prefix: logPrefix() as Deno.KvKey })) {
    if (STATE_TABLES.some((table) => startsWith(key, rowKey(table)))) keys.push(key as Key);
  }
  return [...keys, sidecarKey(["venue"])];
}

function startsWith(key: Deno.KvKey, prefix: Key): boolean {
  return prefix.every((part, i) => key[i] === part);
}

/** Opens and closes a venue after a change of its store. */
async function openChanged(
  file: VenueFile,
  name: string,
  change: (kv: Deno.Kv) => Promise<unknown>,
  from: string = file.path,
): Promise<string> {
  const path = `${file.directory}/${name}`;
  await copyStore(from, path);
  const kv = await Deno.openKv(path);
  await change(kv);
  kv.close();
  await (await EngineVenue.open({ path })).close();
  return path;
}

/** Makes the watermark one of an older program. */
async function dropSum(kv: Deno.Kv): Promise<void> {
  const { value } = await kv.get<Record<string, unknown>>(watermarkKey() as Deno.KvKey);
  const { checksum: _checksum, stateSum: _stateSum, ...older } = value ?? {};
  await kv.set(watermarkKey() as Deno.KvKey, sealRecord(older));
}

async function sumOf(path: string): Promise<unknown> {
  using kv = await Deno.openKv(path);
  return (await kv.get<Record<string, unknown>>(watermarkKey() as Deno.KvKey)).value?.stateSum;
}

function assertRefused(opening: Promise<unknown>, what: string): Promise<Error> {
  return assertRejects(() => opening, InvariantError, undefined, `Opens ${what}`);
}

describe("a venue with missing or extra rows", () => {
  it("is refused if any row of its state is missing", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const keys = await keysOf(file.path);
    const tables = new Set(keys.map((key) => key[logPrefix().length]));
    assertEquals([...tables].sort(), [...STATE_TABLES, "side"].sort());
    for (const [i, key] of keys.entries()) {
      const opening = openChanged(file, `without${i}`, (kv) => kv.delete(key as Deno.KvKey));
      await assertRefused(opening, `without ${key.join("/")}`);
    }
    await (await EngineVenue.open({ path: file.path })).close();
  });

  it("is refused with an extra or misplaced row, even if validly sealed", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const here = rowKey("fees", 0, "any");
    const there = rowKey("fees", 0, "vip");
    const copy = async (kv: Deno.Kv) => {
      const { value } = await kv.get(here as Deno.KvKey);
      await kv.set(there as Deno.KvKey, sealRow(there, unsealRow(here, value)));
    };
    await assertRefused(openChanged(file, "more", copy), "with a row more");
    const move = async (kv: Deno.Kv) => {
      await copy(kv);
      await kv.delete(here as Deno.KvKey);
    };
    await assertRefused(openChanged(file, "moved", move), "with a row of another place");
  });

  it("is proved at the start if an older program folded without a sum, which is then kept", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const path = await openChanged(file, "older", dropSum);
    assertEquals((await runAudit(path)).differences, []);
    assertEquals(await sumOf(path), await sumOf(file.path));
    const missing = openChanged(file, "later", async (kv) => {
      await kv.delete(rowKey("fees", -1, "any") as Deno.KvKey);
    }, path);
    await assertRefused(missing, "without a row after an upgrade");
  });

  it("is refused if any row of its state is missing, or too many, where no sum tells", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const keys = (await keysOf(file.path)).slice(0, -1);
    for (const [i, key] of keys.entries()) {
      const opening = openChanged(file, `unproved${i}`, async (kv) => {
        await dropSum(kv);
        await kv.delete(key as Deno.KvKey);
      });
      await assertRefused(opening, `without ${key.join("/")} and without a sum`);
    }
    const here = rowKey("fees", 0, "any");
    const there = rowKey("fees", 0, "vip");
    const opening = openChanged(file, "unproved-more", async (kv) => {
      await dropSum(kv);
      const { value } = await kv.get(here as Deno.KvKey);
      const [row] = itemsOf<FeeRow>([unsealRow(here, value)]);
      const bytes = writeRecordRow(1, [{ ...row, group: "vip" }]);
      await kv.set(there as Deno.KvKey, sealRow(there, bytes));
    });
    const { message } = await assertRefused(opening, "with a row more and without a sum");
    assertStringIncludes(message, "rebuild them");
  });

  it("is refused if only the sum is wrong, and the audit finds it", async () => {
    await using file = await VenueFile.create();
    await fill(file.path);
    const opening = openChanged(file, "sum", async (kv) => {
      const { value } = await kv.get<Record<string, unknown>>(watermarkKey() as Deno.KvKey);
      const { checksum: _checksum, ...watermark } = value ?? {};
      const other = { ...watermark, stateSum: Number(watermark.stateSum) + 1 };
      await kv.set(watermarkKey() as Deno.KvKey, sealRecord(other));
    });
    await assertRefused(opening, "with another sum");
    const { differences } = await runAudit(`${file.directory}/sum`);
    assertEquals(differences, ["watermark: the sum of the state's rows differs"]);
  });
});
