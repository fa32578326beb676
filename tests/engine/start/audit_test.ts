import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../../src/domain/assert.ts";
import { auditStore, runAudit } from "../../../src/engine/start/audit.ts";
import { Contacts } from "../../../src/secrets/contacts.ts";
import { markSealing, sealingCheck } from "../../../src/secrets/sealing_mark.ts";
import { Vault } from "../../../src/secrets/vault.ts";
import { LostTailError } from "../../../src/engine/start/store_checks.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { readHeadMark } from "../../../src/store/file/head_mark.ts";
import {
  entryKey,
  epochKey,
  headKey,
  type Key,
  lastEntryKey,
  rowKey,
  sidecarKey,
} from "../../../src/store/keys.ts";
import { readMembersRow, writeMembersRow } from "../../../src/store/rows/row_codec.ts";
import { sealRow, unsealRow } from "../../../src/store/rows/row_seal.ts";
import { parseHead, writeHead } from "../../../src/store/log/head_codec.ts";
import { openExistingStore } from "../../../src/store/store.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { everything } from "../../support/everything.ts";
import { Prng } from "../../support/prng.ts";

const CLOCK = { now: Date.UTC(2030, 0, 1) };

/** Creates a venue's file with some history, all of it folded. */
async function createVenue(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path, clock: CLOCK });
  await addStream(test);
  await runStream(test, new Prng(3), 300);
  await test.folded();
  await test.close();
  return file;
}

/** Changes the store without the venue. */
async function damage(file: VenueFile, change: (kv: Deno.Kv) => Promise<unknown>): Promise<void> {
  const kv = await Deno.openKv(file.path);
  try {
    await change(kv);
  } finally {
    kv.close();
  }
}

/** Returns all rows in a range of keys. */
async function rowsOf(kv: Deno.Kv, start: Key, end: Key): Promise<Deno.KvEntry<Uint8Array>[]> {
  const selector = { start: start as Deno.KvKey, end: end as Deno.KvKey };
  return await Array.fromAsync(kv.list<Uint8Array>(selector));
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Returns what an audit finds after the change, as one text. */
async function found(change: (kv: Deno.Kv) => Promise<unknown>): Promise<string> {
  await using file = await createVenue();
  await damage(file, change);
  const { differences } = await runAudit(file.path);
  return differences.join("\n");
}

/** Returns what an audit finds if a venue continues right after its first read of the head. */
async function foundBeside(goOn: (test: EngineVenue) => Promise<unknown>): Promise<string[]> {
  await using file = await createVenue();
  await using test = await EngineVenue.open({ path: file.path, clock: CLOCK });
  const store = await openExistingStore(file.path);
  const get = store.get.bind(store);
  let isFirst = true;
  store.get = async <T>(key: Key) => {
    const found = await get<T>(key);
    if (isFirst && key.join() === headKey().join()) {
      isFirst = false;
      await goOn(test);
    }
    return found;
  };
  const { differences } = await auditStore(store);
  store.close();
  return [...differences];
}

describe("the audit", () => {
  it("finds nothing in a sound venue, and reports its contents", async () => {
    await using file = await createVenue();
    const { differences, figures } = await runAudit(file.path);
    assertEquals(differences, []);
    assertEquals(figures.get("folded"), figures.get("events"));
    assertEquals(figures.get("members"), "5");
    assert(Number(figures.get("rows compared")) > 10);
  });

  it("finds nothing in a half-folded venue", async () => {
    await using file = await VenueFile.create();
    const prepare = (store: EngineVenue["store"]) => {
      store.plan = (purpose, count) => purpose === "fold" && count > 2 ? "fail" : "none";
    };
    const test = await EngineVenue.open({ path: file.path, clock: CLOCK, prepare });
    await addStream(test);
    await runStream(test, new Prng(3), 500);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("finds a changed balance", async () => {
    const key = rowKey("members", 0) as Deno.KvKey;
    const text = await found(async (kv) => {
      const { value } = await kv.get<Uint8Array>(key);
      const row = readMembersRow(unsealRow(key as Key, value));
      const account = row.value.find(({ member }) => member.uid === "ann")?.accounts[0];
      if (account === undefined) throw new Error("ann has no account");
      account.available += 1n;
      await kv.set(key, sealRow(key as Key, writeMembersRow(row.sequence, row.value)));
    });
    assertEquals(text, "row members 0 differs from the replay");
  });

  it("finds a missing row", async () => {
    for (const table of ["member_orders", "member_trades", "market_trades", "candles"] as const) {
      const text = await found(async (kv) => {
        const [row] = await rowsOf(kv, rowKey(table, 0), rowKey(table, Infinity));
        if (row === undefined) throw new Error(`No row in ${table}`);
        await kv.delete(row.key);
      });
      assertStringIncludes(text, `row ${table}`);
    }
  });

  it("finds a row that should not exist", async () => {
    const text = await found(async (kv) => {
      const [row] = await rowsOf(kv, rowKey("open_orders", 0), rowKey("open_orders", Infinity));
      await kv.set(rowKey("open_orders", 9999) as Deno.KvKey, row?.value);
    });
    assertEquals(text, "row open_orders 9999 differs from the replay");
  });

  it("finds a row that should not exist, even with a valid seal", async () => {
    const place = rowKey("open_orders", 9999);
    const text = await found(async (kv) => {
      const [row] = await rowsOf(kv, rowKey("open_orders", 0), rowKey("open_orders", Infinity));
      const bytes = unsealRow(row?.key as Key, row?.value);
      await kv.set(place as Deno.KvKey, sealRow(place, bytes));
    });
    assertEquals(text, "row open_orders 9999 differs from the replay");
  });

  it("opens what the given master keys have sealed, and says so where it has none", async () => {
    await using file = await VenueFile.create();
    const [first, second, other] = [1, 2, 3].map((byte) => [new Uint8Array(32).fill(byte)]);
    const test = await EngineVenue.open({ path: file.path, clock: CLOCK });
    const said = async (...keys: (Uint8Array[] | undefined)[]) => {
      const report = await runAudit(file.path, sealingCheck(keys.flatMap((key) => key ?? [])));
      return [report.figures.get("master key"), report.differences.length];
    };
    assertEquals(await said(first), ["has sealed nothing yet", 0]);
    const vault = new Vault(first ?? []);
    await new Contacts(test.engine, vault).open();
    await markSealing(test.engine, vault);
    assertEquals(await said(first), ["opens the store", 0]);
    assertEquals(await said(other), [undefined, 1]);
    // A rotation that was cut short behind the mark needs both.
    await markSealing(test.engine, new Vault([second, first].flatMap((key) => key ?? [])));
    await test.close();
    for (const one of [first, second]) assertEquals(await said(one), [undefined, 1]);
    assertEquals(await said(second, first), ["opens the store", 0]);
    const { figures, differences } = await runAudit(file.path);
    assertEquals(figures.get("master key"), "not checked, since MASTER_KEY is not set");
    assertEquals(differences, []);
  });

  it("finds a flipped bit in an entry", async () => {
    const prng = new Prng(8);
    for (let round = 0; round < 3; round++) {
      const text = await found(async (kv) => {
        const entries = await rowsOf(kv, entryKey(0, 0), entryKey(Infinity, 0));
        const entry = prng.pick(entries);
        await kv.set(entry.key, flipped(entry.value, 1 + prng.below(entry.value.length - 1)));
      });
      assertStringIncludes(text, "Broken invariant");
    }
  });

  it("finds a missing entry", async () => {
    const text = await found(async (kv) => {
      const entries = await rowsOf(kv, entryKey(0, 0), entryKey(Infinity, 0));
      await kv.delete(entries[entries.length >> 1]?.key ?? []);
    });
    assertStringIncludes(text, "Broken invariant");
  });

  it("finds a head with another hash", async () => {
    const text = await found(async (kv) => {
      const { value } = await kv.get<Uint8Array>(headKey() as Deno.KvKey);
      const head = parseHead(value ?? new Uint8Array());
      const damaged = writeHead({ ...head, hash: flipped(head.hash, 0) });
      await kv.set(headKey() as Deno.KvKey, damaged);
    });
    assertStringIncludes(text, "the head's hash is that of the last entry");
  });

  it("finds a missing or wrong row of the epoch", async () => {
    const text = "epoch: its row is missing or of another form";
    const change = (value: unknown) => async (kv: Deno.Kv) => {
      const [row] = await rowsOf(kv, epochKey(""), epochKey("~"));
      const key = row?.key ?? [];
      await (value === undefined ? kv.delete(key) : kv.set(key, value));
    };
    assertEquals(await found(change(undefined)), text);
    assertEquals(await found(change({ after: 1e9 })), text);
  });

  it("finds a copy of the last entry that is not one of the log's", async () => {
    const text = await found(async (kv) => {
      const entry = (await rowsOf(kv, entryKey(0, 0), entryKey(Infinity, 0))).at(-1);
      const bytes = entry?.value ?? new Uint8Array();
      await kv.set(lastEntryKey() as Deno.KvKey, flipped(bytes, bytes.length - 1));
    });
    assertEquals(text, "last: the copy of the last entry is not one of the log's entries");
  });

  it("finds a missing or changed record of the venue", async () => {
    const key = sidecarKey(["venue"]) as Deno.KvKey;
    assertEquals(await found((kv) => kv.delete(key)), "side/venue: the venue's record is missing");
    const text = await found(async (kv) => {
      const { value } = await kv.get<object>(key);
      await kv.set(key, { ...value, uuidKey: new Uint8Array(32) });
    });
    assertEquals(text, "The venue's record of the store is damaged");
  });

  it("finds a mark beside the file that is torn, and takes a copy without one", async () => {
    await using file = await createVenue();
    const text = "head: the mark beside the file is torn, and nothing can be compared with it";
    for (const mark of ['{"epoch":"', "", '{"sequence":5,"hash":""}']) {
      await Deno.writeTextFile(`${file.path}.head`, mark);
      assertEquals((await runAudit(file.path)).differences, [text]);
    }
    await Deno.remove(`${file.path}.head`);
    assertEquals((await runAudit(file.path)).differences, []);
  });

  it("finds a log that has lost its tail, as does the next start", async () => {
    await using file = await VenueFile.create();
    const test = await EngineVenue.open({ path: file.path });
    await test.addUsual();
    await test.close();
    const copy = await Deno.readFile(file.path);
    const again = await EngineVenue.open({ path: file.path });
    await again.placed("alice", { amount: "1", price: "1" });
    await again.close();
    for (const name of ["", "-wal", "-shm"]) await Deno.remove(file.path + name).catch(() => {});
    await Deno.writeFile(file.path, copy);
    const { differences } = await runAudit(file.path);
    assertEquals(differences.filter((text) => text.startsWith("head: ")).length, 1);
    await assertRejects(() => EngineVenue.open({ path: file.path }), LostTailError);
  });
});

describe("an audit beside a running venue", () => {
  it("does not mistake concurrent commits for a lost tail", async () => {
    const differences = await foundBeside(async (test) => {
      test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
      await runStream(test, new Prng(4), 20);
      const { events } = test.engine.metrics();
      await eventually("the mark of the head", async () => {
        return ((await readHeadMark(test.store.path ?? ""))?.sequence ?? 0) >= events;
      });
    });
    assertEquals(differences, []);
  });

  it("reports that the venue has folded meanwhile", async () => {
    const differences = await foundBeside(async (test) => {
      await runStream(test, new Prng(4), 20);
      await test.folded();
    });
    const text = "rows: the venue folded during the audit; repeat it when the venue is quiet";
    assertEquals(differences, [text]);
  });
});

describe("the rebuild", () => {
  it("restores damaged or missing rows and removes extra ones", async () => {
    await using file = await createVenue();
    const before = await EngineVenue.open({ path: file.path, clock: CLOCK });
    const seen = await everything(before.engine);
    await before.close();
    await damage(file, async (kv) => {
      const rows = await rowsOf(kv, rowKey("members", -Infinity), rowKey("members", Infinity));
      for (const { key, value } of rows) await kv.set(key, flipped(value, value.length - 1));
      const [orders] = await rowsOf(
        kv,
        rowKey("member_orders", 0),
        rowKey("member_orders", Infinity),
      );
      await kv.delete(orders?.key ?? []);
      await kv.set(rowKey("market_trades", 7, 0) as Deno.KvKey, orders?.value);
    });
    assert((await runAudit(file.path)).differences.length >= 3);
    const sequence = await runRebuild(file.path);
    const { differences, figures } = await runAudit(file.path);
    assertEquals(differences, []);
    assertEquals(String(sequence), figures.get("events"));
    assertEquals(figures.get("folded"), figures.get("events"));
    await using after = await EngineVenue.open({ path: file.path, clock: CLOCK });
    assertEquals(await everything(after.engine), seen);
  });

  it("leaves the rows alone if the log is damaged", async () => {
    await using file = await createVenue();
    const all: Deno.KvEntry<Uint8Array>[][] = [];
    const look = async (kv: Deno.Kv) => all.push(await rowsOf(kv, [], ["z"]));
    await damage(file, async (kv) => {
      const key = entryKey(1, 0) as Deno.KvKey;
      const value = (await kv.get<Uint8Array>(key)).value ?? new Uint8Array();
      await kv.set(key, flipped(value, value.length - 1));
      await look(kv);
    });
    await assertRejects(() => runRebuild(file.path), InvariantError);
    await damage(file, look);
    assert((all[0]?.length ?? 0) > 0);
    assertEquals(all[1], all[0]);
  });
});
