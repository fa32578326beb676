/** Stores whose parts are each valid but do not belong together. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError, present } from "../../../src/domain/assert.ts";
import type { OrderAccepted, VenueEvent } from "../../../src/domain/event.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { commitEntry } from "../../../src/engine/commit/commit_entry.ts";
import { LostTailError } from "../../../src/engine/start/store_checks.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import { NOTHING_BESIDE } from "../../../src/store/kv/commit.ts";
import { encodeEntry } from "../../../src/store/log/entry_codec.ts";
import { writeEvent } from "../../../src/store/log/event_codec.ts";
import { type Head, writeHead } from "../../../src/store/log/head_codec.ts";
import {
  entryKey,
  epochKey,
  headKey,
  type Key,
  logPrefix,
  rowKey,
  watermarkKey,
} from "../../../src/store/keys.ts";
import { DamagedStoreError } from "../../../src/store/rows/row_seal.ts";
import { openExistingStore, type Store } from "../../../src/store/store.ts";
import { readEntries, readHead } from "../../../src/store/log/venue_log.ts";
import {
  EMPTY_WATERMARK,
  foldCommit,
  readWatermark,
  type Watermark,
} from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { units } from "../../support/domain_venue.ts";

const RICH = units("1000000000");

/** Creates a folded venue; bob offers 1 btc for 9 usdt, and alice has 1e9 usdt. */
async function createVenue(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await test.addUsual();
  await test.placed("bob", { side: "sell", amount: "1", price: "9" });
  await test.folded();
  await test.close();
  return file;
}

/** Returns a venue's file after a change of its store. */
async function changed(change: (store: Store) => Promise<unknown>): Promise<VenueFile> {
  const file = await createVenue();
  const store = await openExistingStore(file.path);
  try {
    await change(store);
  } finally {
    store.close();
  }
  return file;
}

async function writeAll(store: Store, key: readonly string[], value: unknown): Promise<void> {
  const { versionstamp } = await store.get(key);
  const check = { key, versionstamp };
  const { kind } = await store.commit({ check, mutations: [{ key, value }] }, "fold");
  assertEquals(kind, "committed");
}

/** Replaces the head. */
async function changeHead(store: Store, change: (head: Head) => Partial<Head>): Promise<void> {
  const { value: head } = await readHead(store);
  await writeAll(store, headKey() as string[], writeHead({ ...head, ...change(head) }));
}

/** Replaces the watermark. */
async function changeWatermark(
  store: Store,
  change: (watermark: Watermark) => Partial<Watermark>,
): Promise<void> {
  const current = await readWatermark(store);
  const next = { ...current.value, ...change(current.value) };
  assertEquals((await store.commit(foldCommit(current, next, []), "fold")).kind, "committed");
}

/** Returns another value of the same type. */
function differing(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (value instanceof Uint8Array) return value.map((byte) => byte ^ 1);
  return Array.isArray(value) ? [...value, "btc"] : { ...value as object, other: 1 };
}

/** Appends an entry as a venue would. */
async function append(store: Store, ...events: VenueEvent[]): Promise<void> {
  const current = await readHead(store);
  const { at, hash, sequence } = current.value;
  const batchId = crypto.getRandomValues(new Uint8Array(16));
  const writer = new ByteWriter();
  for (const event of events) writeEvent(writer, event, at);
  const count = events.length;
  const entry = encodeEntry({ first: sequence + 1, at, batchId, count }, writer.take(), hash);
  const next = { ...current.value, sequence: sequence + count, hash: entry.hash, batchId };
  const { kind } = await commitEntry(store, current, next, entry.bytes, NOTHING_BESIDE);
  assertEquals(kind, "committed");
}

/** Returns alice's order for 1 btc at a price in cents, with `locked` as her locked funds. */
function accepted(price: number, locked: bigint): OrderAccepted {
  return {
    kind: "order_accepted",
    id: 2,
    member: 2,
    market: 0,
    side: "buy",
    type: "limit",
    timeInForce: "gtc",
    selfTrade: "none",
    price,
    triggerPrice: 0,
    volume: 1000,
    clientOrderId: "",
    makerFee: 0,
    takerFee: 0,
    orderLocked: units(`${price / 100}`),
    keepsFees: true,
    available: RICH - locked,
    locked,
    resting: true,
  };
}

/** Returns what an audit finds, as one text. */
async function found({ path }: VenueFile): Promise<string> {
  return (await runAudit(path)).differences.join("\n");
}

/** Asserts that opening the venue is refused. */
async function refused(
  { path }: VenueFile,
  error: new (...args: never[]) => Error,
  text: string,
): Promise<void> {
  await assertRejects(() => EngineVenue.open({ path }), error as typeof Error, text);
}

describe("a log", () => {
  it("that breaks an invariant is found by the audit, and refused at the start", async () => {
    await using file = await changed((store) => append(store, accepted(800, units("7"))));
    const text = "locked of member 2 in currency 1 is what its orders";
    assertStringIncludes(await found(file), text);
    await refused(file, InvariantError, text);
  });

  it("that ends between a stop's trigger and its matching continues, even from rows", async () => {
    await using file = await createVenue();
    const first = await EngineVenue.open({ path: file.path });
    const stop = { type: "stop_limit", amount: "1", price: "10", trigger: "20" } as const;
    const id = await first.placed("alice", stop);
    const member = first.member("alice");
    await first.close();
    const store = await openExistingStore(file.path);
    await append(store, { kind: "order_triggered", id, member });
    store.close();
    await runRebuild(file.path);
    await using second = await EngineVenue.open({ path: file.path });
    await second.must({ kind: "note_act" });
    assertEquals((await second.engine.order(member, id))?.state, "done");
  });

  it("with a book that was crossed for a while is found by the audit", async () => {
    await using file = await changed(async (store) => {
      await append(store, accepted(1000, units("10")));
      await append(store, {
        kind: "order_closed",
        id: 2,
        member: 2,
        state: "cancel",
        reason: "requested",
        available: RICH,
        locked: 0n,
        untraded: 1,
      });
    });
    assertStringIncludes(await found(file), "the book of btcusdt is not crossed at ");
  });

  it("with valid additions is accepted", async () => {
    await using file = await changed((store) => append(store, accepted(800, units("8"))));
    assertEquals(await found(file), "");
    await using test = await EngineVenue.open({ path: file.path });
    assertEquals(test.book.bids.best()?.price, 800);
  });
});

describe("the keys of a venue", () => {
  it("are all known: others are found by the audit", async () => {
    const stray: Key[] = [
      epochKey("another"),
      logPrefix(),
      [...headKey(), 1],
      ["kvenue1", "membets", 0],
      ["kvenue1", "zzz"],
      [...rowKey("members"), Infinity],
      entryKey(0, 0),
      ["kvenue1", "log", "x"],
      ["kvenue1", "log", 1e9],
    ];
    for (const key of stray) {
      await using file = await changed((store) => writeAll(store, key as string[], "?"));
      const name = key.slice(1).join("/");
      assertEquals(await found(file), `key ${name} is not one of the venue's`, name);
    }
  });
});

describe("a head", () => {
  it("with another time is found by the audit, and refused at the start", async () => {
    await using file = await changed((store) => changeHead(store, ({ at }) => ({ at: at + 1 })));
    assertStringIncludes(await found(file), "the head has the last time");
    await refused(file, InvariantError, "the head has the last time");
  });

  it("with another hash is refused at the start, with a mark or without", async () => {
    const hash = new Uint8Array(32);
    await using file = await changed((store) => changeHead(store, () => ({ hash })));
    await refused(file, LostTailError, "its tail is lost");
    await Deno.remove(`${file.path}.head`);
    await refused(file, InvariantError, "the head's hash is that of the last entry");
  });

  it("of another log is refused at the start", async () => {
    await using file = await changed((store) => changeHead(store, () => ({ epoch: "another" })));
    await refused(file, LostTailError, "is not the one that");
  });
});

describe("a watermark", () => {
  it("ahead of the log is found by the audit", async () => {
    await using file = await changed((store) =>
      changeWatermark(store, ({ sequence }) => ({ sequence: sequence + 1, target: sequence + 1 }))
    );
    assertStringIncludes(await found(file), "the watermark is not ahead of the log");
  });

  it("of which anything else differs is found by the audit", async () => {
    const { sequence: _, target: _target, ...named } = EMPTY_WATERMARK;
    // These two are about rows, and are proved by them.
    const { stateSum: _sum, hasFunds: _funds, ...rest } = named;
    for (const name of Object.keys(rest) as (keyof typeof rest)[]) {
      await using file = await changed((store) =>
        changeWatermark(store, (watermark) => ({ [name]: differing(watermark[name]) }))
      );
      const expected = "watermark: counters, settings, time or hash differ from the replay";
      assertEquals(await found(file), expected, name);
    }
  });

  it("within an entry is found by the audit, and so are rows that are missing there", async () => {
    await using file = await createVenue();
    const store = await openExistingStore(file.path);
    const { value: head } = await readHead(store);
    const entries = await Array.fromAsync(readEntries(store, 0, head.sequence, null));
    const long = entries.findLast(({ events }) => events.length > 1);
    const { first: within, events } = present(long, "an entry has several events");
    await changeWatermark(store, () => ({ sequence: within, target: within }));
    await store.deleteAll(rowKey("members"));
    store.close();
    const text = await found(file);
    const end = within + events.length - 1;
    assertStringIncludes(text, `watermark: ${within} lies within an entry that ends at ${end}`);
    assertStringIncludes(text, "row members 0 differs from the replay");
  });

  it("whose target lies within an entry is found by the audit", async () => {
    await using file = await changed((store) =>
      changeWatermark(store, () => ({ sequence: 0, target: 1 }))
    );
    assertStringIncludes(await found(file), "row members 0 differs from the replay");
  });

  it("that is no point of the log is found by the audit", async () => {
    const points = [{ target: 1 }, { sequence: -1 }, { sequence: 1.5 }, { sequence: NaN }];
    for (const point of points) {
      await using file = await changed((store) => changeWatermark(store, () => point));
      assertStringIncludes(await found(file), "the watermark names events of the log");
    }
  });

  it("that is no record is found by the audit, and refused at the start", async () => {
    for (const value of ["text", 1, true]) {
      await using file = await changed((store) =>
        writeAll(store, watermarkKey() as string[], value)
      );
      assertStringIncludes(await found(file), "The watermark of the store is damaged");
      await refused(file, DamagedStoreError, "The watermark of the store is damaged");
    }
  });

  it("that is missing leaves rows that do not count, and the audit finds them", async () => {
    await using file = await changed((store) => writeAll(store, watermarkKey() as string[], null));
    assertStringIncludes(await found(file), "row members 0 differs from the replay");
  });
});

describe("a venue's record", () => {
  it("is refused at the start if it was changed", async () => {
    await using file = await changed(async (store) => {
      await store.changeSidecar(["venue"], (old) => ({ ...old as object, createdAt: 1 }));
    });
    await refused(file, DamagedStoreError, "The venue's record of the store is damaged");
  });
});
