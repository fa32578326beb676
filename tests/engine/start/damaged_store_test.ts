/** Stores with damaged files. `BIT_FLIPS=500` runs longer. */
import { DatabaseSync } from "node:sqlite";
import { bytesToHex } from "@noble/hashes/utils.js";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { diagnostic } from "../../support/diagnostic.ts";
import { type HeadMark, readHeadMark } from "../../../src/store/file/head_mark.ts";
import { openStore } from "../../../src/store/store.ts";
import { readEntries, readHead } from "../../../src/store/log/venue_log.ts";
import { addPeople, openMoney, pay, PEOPLE, withdraw } from "../../e2e/killed_money.ts";
import { copyStore, flipBit, sizeOf } from "../../support/damaged_file.ts";
import { OPERATING } from "../../support/documents.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { Prng } from "../../support/prng.ts";
import { PANIC, StoreReader } from "../../support/store_reader.ts";
import { units } from "../../support/domain_venue.ts";

const FLIPS = Number(Deno.env.get("BIT_FLIPS") ?? 20);
/** A new seed for every run; a failure prints it, and `KVENUE_TEST_SEED` sets it. */
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Date.now());
const ORDERS = 250;
const UNFOLDED_ORDERS = 20;
const MONEY_ROUNDS = 4;
const TICKS = 8;

/** Makes trades, deposits and withdrawals of some members; the last orders are not folded. */
async function fill(path: string, prng: Prng): Promise<EngineVenue> {
  const parts = await openMoney(path);
  const { test } = parts;
  await addPeople(parts);
  await test.addMarket("btc", "usdt");
  for (const uid of PEOPLE) {
    await test.must({ kind: "adjust_balance", uid, currency: "usdt", amount: units("1000000") });
  }
  for (let i = 0; i < ORDERS; i++) await placeRandom(test, prng, i);
  for (let round = 0; round < MONEY_ROUNDS; round++) {
    const uid = prng.pick(PEOPLE);
    await pay(parts, uid, "1.5");
    await withdraw(test, uid, "0.25");
    for (let tick = 0; tick < TICKS; tick++) await parts.wallet.tick();
  }
  await test.folded();
  for (let i = 0; i < UNFOLDED_ORDERS; i++) await placeRandom(test, prng, -1);
  return test;
}

/** Creates the file of the usual venue, which is closed. */
async function endedVenue(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await test.addUsual();
  await test.close();
  return file;
}

/** Waits until the head mark beside the file is up to date. */
function marked(path: string, { venue }: EngineVenue): Promise<HeadMark> {
  return eventually("the mark of the head", async () => {
    const mark = await readHeadMark(path);
    return mark?.sequence === venue.sequence && mark;
  });
}

async function placeRandom(test: EngineVenue, prng: Prng, number: number): Promise<void> {
  await test.placed(prng.pick(PEOPLE), {
    side: prng.pick(["buy", "sell"]),
    amount: `0.${prng.between(1, 9)}`,
    price: `${prng.between(100, 120)}`,
    ...(number > 0 && number % 5 === 0 ? { clientOrderId: `c${number}` } : {}),
  });
}

/**
 * Asserts that only lists of the past lack records: a row whose key is damaged is not found until
 * an audit reports it. Everything else, above all the state, must be unchanged.
 */
function assertLacksOnly(seen: string, expected: string, bit: number): void {
  const [after, before] = [JSON.parse(seen), JSON.parse(expected)];
  for (const [name, was] of Object.entries(before)) {
    const is = after[name];
    if (JSON.stringify(is) === JSON.stringify(was)) continue;
    assert(!/^(state|ticker|orders count)/.test(name), `Bit ${bit} changes ${name}`);
    const known = new Set(itemsOf(was).map((item) => JSON.stringify(item)));
    for (const item of itemsOf(is)) {
      const isKnown = item === null || known.has(JSON.stringify(item));
      assert(isKnown, `Bit ${bit} changes ${name}: ${JSON.stringify(item)}`);
    }
  }
}

function itemsOf(list: unknown): unknown[] {
  const { items = list } = list as { items?: unknown };
  return (items as unknown[]).flat();
}

/** Returns the hashes of a log's entries by their last sequence. */
async function hashesOf(path: string): Promise<Map<number, string>> {
  const store = await openStore(path);
  const { value: head } = await readHead(store);
  const hashes = new Map([[0, "none"]]);
  for await (const { first, events, hash } of readEntries(store, 0, head.sequence, null)) {
    hashes.set(first + events.length - 1, hash.toString());
  }
  store.close();
  return hashes;
}

/**
 * Asserts that the store equals an earlier state, whose sequence it returns; null if it is refused.
 */
async function assertIsPrefix(
  reader: StoreReader,
  path: string,
  whole: Map<number, string>,
): Promise<number | null> {
  const { refusal } = await reader.served(path);
  if (refusal !== "") {
    const isExplained = /tail is lost|damaged|cannot be|has format/.test(refusal);
    assert(isExplained || refusal === PANIC, refusal);
    return null;
  }
  assertEquals(await reader.differences(path), []);
  const found = await hashesOf(path);
  for (const [sequence, hash] of found) assertEquals(whole.get(sequence), hash);
  return Math.max(...found.keys());
}

/** Changes a file's rows with SQL, without the platform's KV. */
function encode(path: string, statement: string): void {
  const database = new DatabaseSync(path);
  database.exec(statement);
  database.close();
}

/** Declares a test that draws; a failure says how to run it with the same draws. */
function itIsSeeded(
  name: string,
  test: (prng: Prng) => Promise<void>,
): void {
  it(name, async () => {
    try {
      await test(new Prng(SEED));
    } catch (error) {
      const again = `Run again with KVENUE_TEST_SEED=${SEED} BIT_FLIPS=${FLIPS}`;
      throw new Error(again, { cause: error });
    }
  });
}

describe("a store whose file has been corrupted", () => {
  itIsSeeded(`serves nothing wrong with any of ${FLIPS} bits flipped`, async (prng) => {
    await using file = await VenueFile.create();
    await (await fill(file.path, prng)).close();
    const good = `${file.directory}/good`;
    await copyStore(file.path, good);
    await using reader = new StoreReader();
    const expected = await reader.served(good);
    assertEquals(expected.refusal, "");
    let refused = 0;
    let shortened = 0;
    const bits = await sizeOf(file.path) * 8;
    for (let flip = 0; flip < FLIPS; flip++) {
      const path = `${file.directory}/flip${flip}`;
      const bit = prng.below(bits);
      await copyStore(file.path, path);
      await flipBit(path, bit);
      const result = await reader.served(path);
      await flipBit(file.path, bit);
      if (result.refusal !== "") refused += 1;
      else if (result.seen !== expected.seen) {
        shortened += 1;
        assertLacksOnly(result.seen, expected.seen, bit);
        const differences = await reader.differences(file.path);
        assert(differences.length > 0, `Bit ${bit} passes an audit`);
      }
      await flipBit(file.path, bit);
      await Deno.remove(path);
    }
    diagnostic(`${refused} of ${FLIPS} were refused, ${shortened} lacked rows of the past`);
  });

  itIsSeeded("serves an earlier state or nothing if its WAL is damaged", async (prng) => {
    await using file = await VenueFile.create();
    const test = await fill(file.path, prng);
    // Its files are copied one after the other, so no fold is to write to them meanwhile.
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    const copied = `${file.directory}/copied`;
    await marked(file.path, test);
    await copyStore(file.path, copied);
    await test.close();
    const whole = await hashesOf(file.path);
    const size = await sizeOf(`${copied}-wal`);
    const end = Math.max(...whole.keys());
    await using reader = new StoreReader();
    let kept = 0;
    for (let trial = 0; trial < FLIPS; trial++) {
      const path = `${file.directory}/wal${trial}`;
      // Half of them lack the head mark, which knows how long the log was.
      await copyStore(copied, path, trial % 2 === 0 ? ["", "-wal"] : undefined);
      if (trial % 4 < 2) await Deno.truncate(`${path}-wal`, prng.below(size));
      else await flipBit(`${path}-wal`, prng.below(size * 8));
      const sequence = await assertIsPrefix(reader, path, whole);
      if (sequence !== null) kept += 1;
      const isMarked = trial % 2 === 1;
      if (isMarked && sequence !== null) assertEquals(sequence, end, "A lost tail was not noticed");
    }
    diagnostic(`${kept} of ${FLIPS} were an earlier state, the others were refused`);
  });
});

describe("a row labelled as a number", () => {
  it("crashes the process, and the guide's line repairs it", async () => {
    await using file = await endedVenue();
    await using reader = new StoreReader();
    const expected = await reader.served(file.path);
    encode(file.path, "UPDATE kv SET v_encoding = 2 WHERE v_encoding = 3");
    assertEquals((await reader.served(file.path)).refusal, PANIC);
    assertEquals(await reader.differences(file.path), [PANIC]);
    encode(file.path, OPERATING.text.match(/UPDATE kv SET [^"]*/)?.[0] ?? "");
    assertEquals(await reader.served(file.path), expected);
    assertEquals(await reader.differences(file.path), []);
  });
});

describe("the mark beside a file", () => {
  it("may be lost; if damaged, it stops a start with a message or is ignored", async () => {
    await using file = await endedVenue();
    await using reader = new StoreReader();
    const expected = await reader.served(file.path);
    assertEquals(expected.refusal, "");
    const mark = await Deno.readTextFile(`${file.path}.head`);
    const texts = ["", "null", "7", "{}", "\0".repeat(mark.length), mark.slice(0, 20)];
    for (const text of [...texts, mark.replace(/[0-9a-f]/, "z"), mark.replace(/\d+,/, "99999,")]) {
      await Deno.writeTextFile(`${file.path}.head`, text);
      const result = await reader.served(file.path);
      if (result.refusal === "") assertEquals(result, expected);
      else assert(result.refusal.includes('run "deno task restore"'), result.refusal);
      await Deno.writeTextFile(`${file.path}.head`, mark);
    }
    await Deno.remove(`${file.path}.head`);
    assertEquals(await reader.served(file.path), expected);
  });

  it("detects an older copy, which is served once the mark is removed", async () => {
    await using file = await endedVenue();
    const older = `${file.directory}/older`;
    await copyStore(file.path, older, [""]);
    await using reader = new StoreReader();
    const expected = await reader.served(older);
    const again = await EngineVenue.open({ path: file.path });
    await again.placed("alice", { side: "buy", amount: "1", price: "100" });
    await again.close();
    await copyStore(older, file.path, [""]);
    const result = await reader.served(file.path);
    assert(result.refusal.includes("its tail is lost"), "It was served");
    await Deno.remove(`${file.path}.head`);
    assertEquals(await reader.served(file.path), expected);
    assertEquals(await reader.differences(file.path), []);
  });

  it("follows the log while the venue runs", async () => {
    await using file = await VenueFile.create();
    const test = await EngineVenue.open({ path: file.path });
    await test.addUsual();
    const mark = await marked(file.path, test);
    const { epoch, sequence, hash } = (await readHead(test.store)).value;
    assertEquals(mark, { epoch, sequence, hash: bytesToHex(hash), nonce: 0 });
    await test.close();
  });
});
