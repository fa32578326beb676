/** Rows written by older programs. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { compareRows } from "../../../src/engine/start/row_comparison.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import { isOfState, sumWith } from "../../../src/engine/fold/state_sum.ts";
import { ByteReader } from "../../../src/store/byte_reader.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import type { Mutation } from "../../../src/store/kv/commit.ts";
import { rowKey, TABLES } from "../../../src/store/keys.ts";
import { cutRow } from "../../../src/store/rows/long_row.ts";
import {
  type HolderRecord,
  MEMBERS_PER_ROW,
  readMembersRow,
  writeMembersRow,
} from "../../../src/store/rows/row_codec.ts";
import { sealRow } from "../../../src/store/rows/row_seal.ts";
import { openExistingStore, openStore } from "../../../src/store/store.ts";
import { listRows } from "../../../src/store/rows/stored_rows.ts";
import { foldCommit, readWatermark, rowMutations } from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { addMoneyStream, MONEY_MEMBERS, runMoneyStream } from "../../support/money_stream.ts";
import { Prng } from "../../support/prng.ts";

/** Members that do nothing; with those of the stream, they fill several rows. */
const IDLE_MEMBERS = 2 * MEMBERS_PER_ROW;
const DAY = Date.UTC(2030, 0, 1);

/** Writes a row of members in format 2: without the two counts before each one's accounts. */
function membersRow2(sequence: number, holders: readonly HolderRecord[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.byte(2);
  writer.uint(sequence);
  writer.uint(holders.length);
  for (const holder of holders) {
    assertEquals(holder.untraded, { day: 0, count: 0 });
    const row = writeMembersRow(0, [holder]);
    const start = 3;
    const reader = new ByteReader(row, start);
    reader.record();
    reader.passIntegers(7);
    writer.raw(row.subarray(start, reader.position));
    reader.passIntegers(2);
    writer.raw(row.subarray(reader.position));
  }
  return writer.take();
}

/**
 * Writes all rows of a venue in format 2, in which only rows of members are others.
 *
 * @param change changes a member's record on the way
 */
async function writeOlder(
  path: string,
  change: (holder: HolderRecord) => void = () => {},
): Promise<void> {
  const store = await openExistingStore(path);
  const rows: Mutation[] = [];
  let stateSum = 0;
  for (const table of TABLES) {
    for await (const { key, value } of listRows(store, rowKey(table), rowKey(table, Infinity))) {
      let older = value;
      if (table === "members") {
        const members = readMembersRow(value);
        members.value.forEach(change);
        older = membersRow2(members.sequence, members.value);
      }
      older[0] = 2;
      if (isOfState(table)) stateSum = sumWith(stateSum, key, older);
      rows.push({ key, value: sealRow(key, older) });
    }
  }
  const current = await readWatermark(store);
  const commit = foldCommit(current, { ...current.value, stateSum }, rows);
  assertEquals((await store.commit(commit, "fold")).kind, "committed");
  store.close();
}

/** Creates a venue with rows in nearly every table, and no order that ended without a trade. */
async function createVenue(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const clock = { now: DAY };
  const test = await EngineVenue.open({ path: file.path, clock });
  await addMoneyStream(test);
  await runMoneyStream(test, new Prng(5), 60, clock);
  for (let i = 0; i < IDLE_MEMBERS; i++) await test.addMember(`idle ${i}`);
  const [ann, ben] = MONEY_MEMBERS;
  await test.placed(ann, { side: "sell", amount: "2", price: "3" });
  await test.placed(ben, { side: "buy", amount: "1", price: "3" });
  await test.folded();
  await test.close();
  return file;
}

async function differences(path: string): Promise<readonly string[]> {
  return (await runAudit(path)).differences;
}

describe("a store whose rows an older program wrote", () => {
  it("passes its audit: before it is opened, continued and rebuilt, and after", async () => {
    await using file = await createVenue();
    const { path } = file;
    await writeOlder(path);
    assertEquals(await differences(path), []);
    const test = await EngineVenue.open({ path, clock: { now: DAY + 1e10 } });
    // Writes only some of the rows anew.
    await test.placed(MONEY_MEMBERS[1], { amount: "1", price: "1", timeInForce: "fok" });
    await test.folded();
    await test.close();
    assertEquals(await differences(path), []);
    await runRebuild(path);
    assertEquals(await differences(path), []);
  });

  it("fails its audit if a member's record is another", async () => {
    await using file = await createVenue();
    await writeOlder(file.path, (holder) => {
      if (holder.member.uid === "idle 1") holder.tradesCount += 1;
    });
    assertEquals(await differences(file.path), ["row members 0 differs from the replay"]);
  });
});

describe("a row of members of an older program", () => {
  const zero = { day: 0, count: 0 };

  /** Returns members whose row is so long that it is stored as parts. */
  async function wideMembers(): Promise<HolderRecord[]> {
    await using test = await EngineVenue.open();
    return Array.from({ length: 10 }, (_, index) => ({
      member: { ...test.venue.holder(0).member, index },
      accounts: Array.from({ length: 700 }, () => ({ available: 10n ** 36n, locked: 1n })),
      ordersCount: 1,
      tradesCount: 2,
      depositsCount: 3,
      withdrawsCount: 4,
      messages: { order: 5, balances: 6, balance: 7 } as HolderRecord["messages"],
      untraded: { ...zero },
    }));
  }

  /** Returns the names of what differs between a replay's row and a stored one. */
  async function compared(
    replayed: Uint8Array<ArrayBuffer>,
    stored: Uint8Array<ArrayBuffer>,
  ): Promise<string[]> {
    const store = await openStore(":memory:");
    const rows = new MemoryRows();
    rows.note([{ table: "members", place: [0], bytes: replayed }]);
    const current = await readWatermark(store);
    const mutations = rowMutations({ key: rowKey("members", 0), bytes: stored });
    await store.commit(foldCommit(current, current.value, mutations), "fold");
    const { differences } = await compareRows(store, rows, () => true);
    store.close();
    return differences.map(({ name, kind }) => `${name} ${kind}`);
  }

  it("is compared whole if it has several parts, which are cut elsewhere", async () => {
    const members = await wideMembers();
    const older = membersRow2(8, members);
    assertEquals(cutRow(older).length > 1, true);
    assertEquals(await compared(writeMembersRow(9, members), older), []);
    members[9]?.accounts.splice(699, 1, { available: 10n ** 36n, locked: 2n });
    assertEquals(await compared(writeMembersRow(9, members), older), ["members 0 other"]);
  });

  it("differs from a replay that counts orders without a trade, or if it can't be read", async () => {
    const [holder] = await wideMembers() as [HolderRecord];
    const older = membersRow2(8, [holder]);
    assertEquals(await compared(writeMembersRow(8, [holder]), older), []);
    const counted = { ...holder, untraded: { day: 20_000, count: 1 } };
    assertEquals(await compared(writeMembersRow(8, [counted]), older), ["members 0 other"]);
    const cut = older.slice(0, -1);
    assertEquals(await compared(writeMembersRow(8, [holder]), cut), ["members 0 other"]);
  });
});
