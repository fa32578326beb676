/** Logs written by older programs. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../../src/domain/command.ts";
import { decide } from "../../../src/domain/decide.ts";
import { ANY_OUTPUT } from "../../../src/domain/money/deposit.ts";
import { NO_KEY, type VenueEvent } from "../../../src/domain/event.ts";
import { OUTSIDE_MEMBER } from "../../../src/domain/people/member.ts";
import { runMarket } from "../../../src/domain/trading/matching.ts";
import { UndoLog } from "../../../src/domain/undo_log.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { openingStore } from "../../../src/server/opening_store.ts";
import { LOG_FORMAT } from "../../../src/store/stored_formats.ts";
import { firstLayoutHeadKey, headKey, logPrefix } from "../../../src/store/keys.ts";
import { writeHead } from "../../../src/store/log/head_codec.ts";
import { openExistingStore } from "../../../src/store/store.ts";
import { FirstLayoutError, readHead } from "../../../src/store/log/venue_log.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { older } from "../../support/older_log.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf } from "../../support/private_streams.ts";
import { TestSink } from "../../support/test_sink.ts";

const ASK = { side: "sell", amount: "1", price: "100" } as const;
/** The second order is pending until the first has matched. */
const BULK = [
  { amount: "1", price: "100" },
  { type: "post_only", amount: "1", price: "99" },
] as const;

/** Returns the event of the first market in format 1, which does not tell of its orders. */
function unusedMarket({ venue }: EngineVenue): VenueEvent[] {
  const { isUsed: _, ...market } = venue.book(0).market;
  return [{ kind: "market_set", market }];
}

/** Returns the events of resting orders in format 2, which do not notify their members. */
function untoldRest(test: EngineVenue): VenueEvent[] {
  const { venue } = test;
  const sink = new TestSink(venue, new UndoLog());
  sink.at = venue.time;
  for (const command of [test.placing("bob", ASK), test.placing("alice", ...BULK)]) {
    decide(venue, null, command, sink);
    runMarket(venue, venue.book(0), sink);
  }
  return sink.events.map(({ event }) =>
    event.kind === "order_rested" ? { kind: event.kind, id: event.id } : event
  );
}

/** Returns the events of an order in format 3 that ends without a trade, which is not counted. */
function uncounted(test: EngineVenue): VenueEvent[] {
  const { venue } = test;
  const sink = new TestSink(venue, new UndoLog());
  sink.at = venue.time;
  decide(venue, null, test.placing("alice", { amount: "1", price: "9", timeInForce: "fok" }), sink);
  runMarket(venue, venue.book(0), sink);
  return sink.events.map(({ event }) =>
    event.kind === "order_closed" ? { ...event, untraded: 0 } : event
  );
}

/** Returns all messages of alice's order stream, such as `3: 2 done`. */
async function told(test: EngineVenue): Promise<string[]> {
  const reader = new FramesReader(test.member("alice"));
  await streamsOf(test).hub.subscribe(reader, ["order"], new Map([["order", 0]]));
  return reader.news("order").map((frame) => {
    const { sequence, order } = JSON.parse(frame);
    return `${sequence}: ${order.id} ${order.state}`;
  });
}

const OLD_TXID = "0xAbCdEf12".padEnd(66, "5");

/** Returns the event of a deposit in format 3, which was named as it was entered. */
function deposited(test: EngineVenue, txid: string): VenueEvent[] {
  const [at, member] = [test.venue.time, test.member("alice")];
  const { available = 0n, locked = 0n } = test.venue.holder(member).accounts[0] ?? {};
  const balances = {
    available,
    locked,
    feesAvailable: 0n,
    outsideAvailable: test.venue.account(OUTSIDE_MEMBER, 0).available,
  };
  return [{
    kind: "deposit_set",
    deposit: {
      id: 1,
      member,
      currency: 0,
      amount: 10n ** 16n,
      fee: 0n,
      txid,
      output: ANY_OUTPUT,
      confirmations: 0,
      state: "submitted",
      createdAt: at,
      updatedAt: at,
      completedAt: 0,
    },
    ...balances,
  }];
}

function regrid(id: string, pricePrecision: number): Command {
  return { kind: "change_market", id, changes: { pricePrecision } };
}

describe("a log of format 1", () => {
  it("is continued, and survives a rebuild", async () => {
    await using file = await older(1, unusedMarket);
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(test.venue.book(0).market.isUsed, undefined);
    await test.must(regrid("btcusdt", 3));
    const id = await test.placed("bob", { side: "sell", amount: "1", price: "9" });
    const names = [{ id }];
    const member = test.member("bob");
    await test.must({ kind: "cancel_orders", member, names, strict: true, isKnown: false });
    const refused = { rejected: "precision_frozen", field: "price_precision" } as const;
    assertEquals(await test.engine.submit(regrid("btcusdt", 2), null), refused);
    await test.must(regrid("ethusdt", 4));
    await test.placed("bob", { market: "ethusdt", amount: "1", price: "9" });
    assertEquals(await test.engine.submit(regrid("ethusdt", 3), null), refused);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    const used = rebuilt.venue.books.map(({ market }) => market.isUsed);
    assertEquals(used, [undefined, true]);
    assertEquals(await rebuilt.engine.submit(regrid("ethusdt", 3), null), refused);
  });
});

describe("a log of format 3", () => {
  it("is continued, and counts only later orders that end without a trade", async () => {
    await using file = await older(3, uncounted);
    const clock = { now: Date.now() };
    const untraded = (test: EngineVenue) => {
      const { holders } = test.venue;
      return holders[test.member("alice")]?.untraded;
    };
    const test = await EngineVenue.open({ path: file.path, clock });
    assertEquals(untraded(test)?.count, 0);
    for (const _ of [1, 2]) {
      await test.placed("alice", { amount: "1", price: "9", timeInForce: "fok" });
    }
    assertEquals(untraded(test)?.count, 2);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path, clock });
    assertEquals(untraded(again)?.count, 2);
    await again.close();
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path, clock });
    assertEquals(untraded(rebuilt)?.count, 2);
    await rebuilt.placed("alice", { amount: "1", price: "9", timeInForce: "fok" });
    assertEquals(untraded(rebuilt)?.count, 3);
  });
});

describe("a log of format 2", () => {
  const before = ["1: 2 wait", "2: 3 pending", "3: 2 done"];

  it("keeps the numbers of its messages, and continues after them", async () => {
    await using file = await older(2, untoldRest);
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(await told(test), before);
    await test.placed("bob", ASK);
    await test.place("alice", ...BULK);
    const all = [...before, "4: 5 wait", "5: 6 pending", "6: 5 done", "7: 6 wait"];
    assertEquals(await told(test), all);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    assertEquals(await told(rebuilt), all);
  });

  it("that ends before a pending order has rested continues by announcing it", async () => {
    await using file = await older(2, (test) => untoldRest(test).slice(0, -1));
    await using test = await EngineVenue.open({ path: file.path });
    await test.must({ kind: "note_act" });
    assertEquals(await told(test), [...before, "4: 3 wait"]);
  });
});

describe("a log of format 3", () => {
  it("has deposits that block others of any usual spelling, in memory and as rows", async () => {
    const spelled = OLD_TXID.toUpperCase().replace("X", "x");
    await using file = await older(3, (test) => deposited(test, spelled));
    const plain = OLD_TXID.slice(2).toLowerCase();
    const spellings = [plain, `0x${plain}`, plain.toUpperCase(), spelled];
    const known = async (test: EngineVenue) => {
      for (const txid of spellings) {
        for (const output of [0, ANY_OUTPUT]) {
          const outcome = await test.engine.submit({
            kind: "observe_deposit",
            uid: "bob",
            currency: "btc",
            amount: 10n ** 16n,
            txid,
            output,
            confirmations: 0,
            ...await test.engine.findDeposit(0, txid, output),
          }, null);
          assertEquals(outcome, { kind: "deposit_known", id: 1 }, `${txid} ${output}`);
        }
      }
    };
    const test = await EngineVenue.open({ path: file.path });
    await known(test);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    await known(rebuilt);
    const found = await rebuilt.engine.deposits(rebuilt.member("alice"), { txid: plain }, {
      offset: 0,
      limit: 1,
      direction: "desc",
    });
    assertEquals(found.items.map(({ id, txid }) => [id, txid]), [[1, spelled]]);
  });
});

describe("a log of format 3", () => {
  const own = [
    { side: "sell", amount: "1", price: "100", selfTrade: "none" },
    { side: "buy", amount: "1", price: "100", selfTrade: "none" },
  ] as const;

  /** Returns the events of a member's trade with itself, of which it was told the maker's side. */
  function toldOnce(test: EngineVenue): VenueEvent[] {
    const { venue } = test;
    const sink = new TestSink(venue, new UndoLog());
    sink.at = venue.time;
    decide(venue, null, test.placing("alice", own[1], own[0]), sink);
    runMarket(venue, venue.book(0), sink);
    return sink.events.map(({ event }) => {
      if (event.kind === "order_accepted") return { ...event, keepsFees: false };
      if (event.kind !== "trade") return event;
      const { isOwn: _, ...old } = event;
      return old;
    });
  }

  /** Returns alice's trades, such as `1 sell`, and how many they are said to be. */
  async function listed(test: EngineVenue): Promise<(string | number | null)[]> {
    const page = { direction: "asc", offset: 0, limit: 100 } as const;
    const { items, total } = await test.engine.trades(test.member("alice"), {}, page);
    return [...items.map(({ id, side }) => `${id} ${side}`), total];
  }

  it("keeps the trades of members with themselves as it told them, and goes on with both", async () => {
    await using file = await older(3, toldOnce);
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(await listed(test), ["1 buy", 1]);
    for (const id of [1, 2]) {
      const order = await test.engine.order(test.member("alice"), id);
      assertEquals(order?.feesPaid, null, "they are not known, rather than none");
      const trades = order === null ? [] : await test.engine.orderTrades(
        order.member,
        order,
        ({ side, orderId }) => [side, orderId],
      );
      assertEquals(trades, [[id === 1 ? "buy" : "sell", id]]);
    }
    for (const order of own) await test.placed("alice", order);
    const all = ["1 buy", "2 sell", "2 buy", 3];
    assertEquals(await listed(test), all);
    await test.folded();
    assertEquals(await listed(test), all);
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await runRebuild(file.path);
    await using rebuilt = await EngineVenue.open({ path: file.path });
    assertEquals(await listed(rebuilt), all);
  });
});

describe("a venue in the first layout", () => {
  it("is refused as such, and left untouched", async () => {
    await using file = await VenueFile.create();
    const kv = await Deno.openKv(file.path);
    await kv.set(firstLayoutHeadKey() as Deno.KvKey, { sequence: 7 });
    kv.close();
    const log = { warn: () => {} };
    const ways = [() => EngineVenue.open({ path: file.path }), runAudit, runRebuild];
    for (const open of ways) {
      await assertRejects(
        () => openingStore(file.path, log, async () => void await open(file.path)),
        FirstLayoutError,
        "an early version",
      );
    }
    const store = await openExistingStore(file.path);
    assertEquals(await Array.fromAsync(store.list(logPrefix(), [...logPrefix(), Infinity])), []);
    store.close();
  });
});

describe("a log of an older format", () => {
  const nothing = ({ venue }: EngineVenue): VenueEvent[] => [
    { kind: "switches_set", switches: venue.switches },
  ];

  const keyAct = ({ venue }: EngineVenue): VenueEvent[] => [
    { kind: "act_noted", id: venue.counters.acts + 1, key: NO_KEY },
  ];

  async function formatOf(path: string): Promise<number | undefined> {
    const store = await openExistingStore(path);
    const { value } = await store.get<Uint8Array>(headKey());
    store.close();
    return value?.[0];
  }

  for (
    const [format, eventsOf] of [[1, unusedMarket], [2, untoldRest], [5, nothing], [
      6,
      keyAct,
    ]] as const
  ) {
    it(`${format} is marked by a start as of this one, so that no older process goes on beside it`, async () => {
      await using file = await older(format, eventsOf);
      assertEquals(await formatOf(file.path), format);
      const test = await EngineVenue.open({ path: file.path });
      const { sequence } = test.venue;
      await test.close();
      assertEquals(await formatOf(file.path), LOG_FORMAT);
      await using again = await EngineVenue.open({ path: file.path });
      assertEquals(again.venue.sequence, sequence, "no event is written");
      await again.addMember("carol");
      await again.folded();
      await again.close();
      assertEquals((await runAudit(file.path)).differences, []);
    });
  }

  it("is marked by one of two that start at once, and both go on", async () => {
    await using file = await older(5, nothing);
    const options = { path: file.path, isShared: true };
    const [one, other] = await Promise.all([EngineVenue.open(options), EngineVenue.open(options)]);
    await one.addMember("carol");
    await other.addMember("dave");
    await one.engine.fresh();
    assertEquals(one.venue.holderByUid.has("dave"), true);
    await one.close();
    await other.close();
  });

  it("stops a process that knows no newer one as soon as a newer one has started", async () => {
    await using file = await older(5, nothing);
    const options = { path: file.path, isShared: true };
    await using test = await EngineVenue.open(options);
    const store = await openExistingStore(file.path);
    const head = await readHead(store);
    // What a start of the next version does.
    const value = writeHead({ ...head.value, format: LOG_FORMAT + 1 });
    const check = { key: headKey(), versionstamp: head.versionstamp };
    const commit = { check, mutations: [{ key: headKey(), value }] };
    assertEquals((await store.commit(commit, "log")).kind, "committed");
    store.close();
    await assertRejects(() => test.addMember("carol"));
    assertEquals(test.engine.health(), { isReady: false, reason: "invariant_broken" });
  });
});
