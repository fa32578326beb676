import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import type { PnlRow } from "../../../src/domain/pnl/pnl.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { foldWindow } from "../../../src/engine/fold/fold_window.ts";
import { FoldWriter } from "../../../src/engine/fold/fold_writer.ts";
import { readPnl } from "../../../src/engine/read/pnl_query.ts";
import { pnlRowName, pnlSheet } from "../../../src/engine/fold/pnl_sheets.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import type { Entry } from "../../../src/store/log/entry_codec.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { openRow } from "../../../src/store/rows/row_codec.ts";
import { openStore } from "../../../src/store/store.ts";
import {
  EMPTY_WATERMARK,
  foldCommit,
  readWatermark,
  rowMutations,
} from "../../../src/store/rows/watermark.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { entriesOf, foldAll, noPause, windowsOf } from "../../support/folded_events.ts";
import { logEntries } from "../../support/logged_entries.ts";
import { PnlStream } from "../../support/pnl_stream.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MEMBERS } from "../../support/random_command.ts";
import { ReferencePnl } from "../../support/reference_pnl.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";

const KEPT = ["ccc", "aaa", "ddd"];

function keep(test: DomainVenue, ...currencies: string[]): void {
  test.must({ kind: "set_settings", changes: { pnlCurrencies: currencies } });
}

/** Creates a stream during which the valued currencies change. */
function changingStream(seed: number): DomainVenue {
  const stream = new PnlStream(new Prng(seed));
  keep(stream.test, "bbb");
  stream.fund();
  keep(stream.test, ...KEPT);
  stream.run(250);
  keep(stream.test, "aaa", "ccc", "bbb");
  stream.run(250);
  keep(stream.test, ...KEPT);
  stream.run(250);
  return stream.test;
}

function logOf(test: DomainVenue, seed = 1): Entry[] {
  return entriesOf(test.sink.events, new Prng(seed));
}

/** Returns the rows of profit and loss by key, without their sequence. */
function pnlRows(rows: MemoryRows): Map<string, Uint8Array> {
  const found = [...rows.rows].filter(([, { table }]) => table.startsWith("pnl"));
  return new Map(
    found.map(([key, { bytes }]) => {
      const row = present(bytes, "rows of profit and loss are never deleted");
      return [key, row.slice(openRow(row).reader.position)] as const;
    }).sort(([a], [b]) => a < b ? -1 : 1),
  );
}

/** Returns members' answers after folding the windows into a store; `unfolded` is in memory. */
async function answers(
  windows: readonly (readonly Entry[])[],
  test: DomainVenue,
  uids: readonly string[],
  unfolded: readonly Entry[] = [],
): Promise<PnlRow[][]> {
  const store = await openStore(":memory:");
  const writer = new FoldWriter(store, await readWatermark(store));
  await logEntries(store, windows.flat());
  for (const window of windows) assertEquals(await writer.write(window, noPause), true);
  const rows = await Promise.all(
    uids.map((uid) =>
      readPnl(store, test.venue, {
        member: test.member(uid),
        entries: unfolded,
        catchUp: noPause,
      })
    ),
  );
  store.close();
  return rows;
}

function sorted(rows: readonly PnlRow[]): PnlRow[] {
  const name = (row: PnlRow) => `${row.pnlCurrency} ${row.currency}`;
  return [...rows].sort((a, b) => name(a) < name(b) ? -1 : 1);
}

describe("the rows of profit and loss", () => {
  it("are separate for each member and each 64 of its currencies", async () => {
    const sheet = pnlSheet(new MemoryRows());
    const names = [1, 2].flatMap((member) =>
      [0, 63, 64, 999].map((currency) => pnlRowName(member, currency))
    );
    await sheet.load(names);
    for (const name of names) sheet.put(name, { ledgers: [] }, 1);
    const places = (await sheet.changes(1, noPause)).map(({ place }) => place);
    assertEquals(places, [[1, 0], [1, 1], [1, 15], [2, 0], [2, 1], [2, 15]]);
  });
});

describe("the fold of profit and loss", () => {
  for (let seed = 1; seed <= 8; seed++) {
    it(`matches a member's history, stream ${seed}`, async () => {
      const stream = new PnlStream(new Prng(seed));
      // Some prices are known only later, and one never.
      keep(stream.test, ...KEPT);
      stream.fund();
      stream.run(600);
      const { test } = stream;
      const events = test.sink.events.map(({ event }) => event);
      const reference = new ReferencePnl(events, test.venue);
      const windows = windowsOf(logOf(test), new Prng(seed), 30);
      const found = await answers(windows, test, STREAM_MEMBERS);
      for (const [i, uid] of STREAM_MEMBERS.entries()) {
        assertEquals(sorted(found[i] ?? []), sorted(reference.rows(test.member(uid))), uid);
      }
      assert(test.trades().length > 50, "the stream traded");
      assert(found.flat().some((row) => row.averageSellPrice !== null), "somebody sold");
    });
  }

  it("matches a history during which its currencies changed", async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const test = changingStream(seed);
      const reference = new ReferencePnl(test.sink.events.map(({ event }) => event), test.venue);
      const found = await answers([logOf(test)], test, STREAM_MEMBERS);
      for (const [i, uid] of STREAM_MEMBERS.entries()) {
        assertEquals(sorted(found[i] ?? []), sorted(reference.rows(test.member(uid))), uid);
      }
    }
  });

  it("gives the same rows in one window as in many", async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const entries = logOf(changingStream(seed));
      const whole = pnlRows(await foldAll([entries]));
      assert(whole.size > 8, `${whole.size} rows`);
      for (const entriesMax of [1, 3, 40]) {
        const windows = windowsOf(entries, new Prng(seed), entriesMax);
        assertEquals(pnlRows(await foldAll(windows)), whole);
      }
    }
  });

  it("omits what came before it was kept, even if a window is folded again", async () => {
    const stream = new PnlStream(new Prng(6));
    stream.fund();
    stream.run(100);
    keep(stream.test, ...KEPT);
    stream.run(5);
    const entries = logOf(stream.test);
    const { changes, watermark } = await foldWindow(
      entries,
      new MemoryRows(),
      EMPTY_WATERMARK,
      noPause,
    );
    const once = new MemoryRows();
    once.note(changes);
    const whole = pnlRows(once);
    for (let written = 0; written <= changes.length; written++) {
      const rows = new MemoryRows();
      rows.note(changes.slice(0, written));
      const cutShort = { ...EMPTY_WATERMARK, target: watermark.sequence };
      const again = await foldWindow(entries, rows, cutShort, noPause);
      rows.note(again.changes);
      assertEquals(pnlRows(rows), whole, `after ${written} of ${changes.length} rows`);
    }
  });

  it("folds a half-written window again, wherever it was cut", async () => {
    const entries = logOf(changingStream(5));
    const middle = Math.floor(entries.length / 3);
    const before = await foldWindow(
      entries.slice(0, middle),
      new MemoryRows(),
      EMPTY_WATERMARK,
      noPause,
    );
    const window = entries.slice(middle);
    const rowsBefore = () => {
      const rows = new MemoryRows();
      rows.note(before.changes);
      return rows;
    };
    const once = rowsBefore();
    const { changes, watermark } = await foldWindow(window, once, before.watermark, noPause);
    const cutShort = { ...before.watermark, target: watermark.sequence };
    once.note(changes);
    const whole = pnlRows(once);
    for (let written = 0; written <= changes.length; written++) {
      const rows = rowsBefore();
      rows.note(changes.slice(0, written));
      const again = await foldWindow(window, rows, cutShort, noPause);
      rows.note(again.changes);
      assertEquals(pnlRows(rows), whole, `after ${written} of ${changes.length} rows`);
    }
  });

  it("writes no accumulators until it is kept, but knows earlier prices", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt")
      .withMember("ann", { usdt: "1000" }).withMember("ben", { btc: "10" });
    const trade = (price: string) => {
      test.sell("ben", "1", price);
      test.buy("ann", "1", price);
    };
    trade("40");
    trade("50");
    const tables = new Set(
      (await foldAll([logOf(test)])).rows.values().map(({ table }) => table).filter((table) =>
        table.startsWith("pnl")
      ),
    );
    assertEquals([...tables], ["pnl_prices"]);
    keep(test, "usdt");
    test.fund("ann", "btc", "2");
    trade("60");
    const [rows] = await answers([logOf(test)], test, ["ann"]);
    assertEquals(
      rows?.map(({ currency, totalCredit, totalCreditValue }) => [
        currency,
        totalCredit / 10n ** 16n,
        totalCreditValue / 10n ** 16n,
      ]),
      [["btc", 3n, 160n], ["usdt", 0n, 0n]],
    );
  });

  it("keeps one row per member, however many trades it has", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt")
      .withMember("ann", { usdt: "1000000" }).withMember("ben", { btc: "1000" });
    keep(test, "usdt", "btc");
    for (let i = 0; i < 300; i++) {
      test.sell("ben", "0.01", "100");
      test.buy("ann", "0.01", "100");
    }
    assertEquals(test.trades().length, 300);
    const rows = await foldAll(windowsOf(logOf(test), new Prng(1), 20));
    const places = [...rows.rows.values()].filter(({ table }) => table === "pnl")
      .map(({ place }) => place[0] as number);
    assertEquals(places.sort((a, b) => a - b), [test.member("ann"), test.member("ben")]);
  });

  it("keeps the rest if one of its currencies is unknown", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann");
    // The venue refuses this now, but older logs may contain it.
    const currencies = ["doge", "btc", "btc"];
    test.sink.emit({ kind: "pnl_currencies_set", currencies, kept: currencies });
    test.fund("ann", "btc", "1");
    test.withCurrencies("doge");
    test.fund("ann", "btc", "1");
    const log = logOf(test);
    const [rows] = await answers([log], test, ["ann"]);
    assertEquals(rows?.map((row) => row.pnlCurrency), ["btc"]);
    assertEquals(pnlRows(await foldAll([log])), pnlRows(await foldAll(log.map((one) => [one]))));
  });
});

describe("readPnl()", () => {
  it("sorts by pnl currency as set, then by the positions of currencies", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt");
    test.must({ kind: "change_currency", id: "eth", changes: { position: 0 } });
    keep(test, "usdt", "eth");
    test.withMember("ann", { usdt: "1", btc: "1", eth: "1" });
    const [rows] = await answers([logOf(test)], test, ["ann"]);
    assertEquals(rows?.map((row) => [row.pnlCurrency, row.currency]), [
      ["usdt", "eth"],
      ["usdt", "btc"],
      ["usdt", "usdt"],
      ["eth", "eth"],
      ["eth", "btc"],
      ["eth", "usdt"],
    ]);
  });

  it("returns nothing if nothing is kept, or if nothing has happened since", async () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { btc: "1" });
    assertEquals(await answers([logOf(test)], test, ["ann"]), [[]]);
    keep(test, "usdt");
    assertEquals(await answers([logOf(test)], test, ["ann"]), [[]]);
  });
});

describe("readPnl() ahead of the fold", () => {
  it("returns the same wherever the fold is", async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const test = changingStream(seed);
      const log = logOf(test);
      const expected = await answers([log], test, STREAM_MEMBERS);
      assert(expected.flat().length > STREAM_MEMBERS.length, "there is something to answer");
      for (const share of [0, 0.1, 0.35, 0.6, 0.99]) {
        const at = Math.floor(log.length * share);
        const folded = at === 0 ? [] : [log.slice(0, at)];
        const unfolded = log.slice(at);
        assertEquals(await answers(folded, test, STREAM_MEMBERS, unfolded), expected, `${share}`);
        // Memory may also contain what is already in rows.
        const more = log.slice(Math.floor(at / 2));
        assertEquals(await answers(folded, test, STREAM_MEMBERS, more), expected, `${share}`);
      }
    }
  });

  it("returns the same at every step of a window being written", async () => {
    const test = changingStream(6);
    const log = logOf(test);
    const expected = await answers([log], test, STREAM_MEMBERS);
    const middle = Math.floor(log.length / 3);
    const rows = new MemoryRows();
    const before = await foldWindow(log.slice(0, middle), rows, EMPTY_WATERMARK, noPause);
    rows.note(before.changes);
    const window = log.slice(middle);
    const { changes } = await foldWindow(window, rows, before.watermark, noPause);
    const own = changes.filter(({ table }) => table.startsWith("pnl"));
    assert(own.length > 8, `${own.length} rows`);
    for (let written = 0; written <= own.length; written += 3) {
      const store = await openStore(":memory:");
      const start = await readWatermark(store);
      const stored = [...rows.rows.values(), ...own.slice(0, written)];
      const values = stored.filter(({ table }) => table.startsWith("pnl"))
        .flatMap(({ table, place, bytes }) =>
          rowMutations({ key: rowKey(table, ...place), bytes })
        );
      await store.commit(
        foldCommit(start, { ...start.value, ...before.watermark, stateSum: null }, values),
        "fold",
      );
      const answer = await Promise.all(
        STREAM_MEMBERS.map((uid) =>
          readPnl(store, test.venue, {
            member: test.member(uid),
            entries: window,
            catchUp: noPause,
          })
        ),
      );
      store.close();
      assertEquals(answer, expected, `${written} of ${own.length} rows`);
    }
  });
});

describe("Engine.pnl()", () => {
  it("values what came before any trade at the first price, whoever traded", async () => {
    await using test = await EngineVenue.open();
    await test.addMarket("btc", "usdt");
    await test.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } });
    for (const uid of ["ann", "ben", "carl"]) await test.addMember(uid, { btc: "10", usdt: "100" });
    const price = async () => (await test.engine.pnl(test.member("carl")))[0]?.averageBuyPrice;
    assertEquals(await price(), units("1"), "that of the currency itself");
    for (const price of ["40", "50"]) {
      await test.placed("ben", { side: "sell", amount: "1", price });
      await test.placed("ann", { side: "buy", amount: "1", price });
    }
    assertEquals(await price(), units("40"));
    await test.folded();
    assertEquals(await price(), units("40"));
  });

  it("is up to date with the last answer, even after a restart, and the audit agrees", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addMarket("btc", "usdt");
    await first.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt", "btc"] } });
    for (const uid of ["ann", "ben"]) await first.addMember(uid, { btc: "10", usdt: "1000" });
    for (const price of ["40", "50", "60"]) {
      await first.placed("ben", { side: "sell", amount: "1", price });
      await first.placed("ann", { side: "buy", amount: "1", price });
      const rows = await first.engine.pnl(first.member("ann"));
      assertEquals(rows[0]?.totalCredit, 10n ** 16n * (BigInt(price) / 10n + 7n));
    }
    const rows = await first.engine.pnl(first.member("ann"));
    assertEquals(rows.map((row) => `${row.pnlCurrency} ${row.currency}`), [
      "usdt btc",
      "usdt usdt",
      "btc btc",
      "btc usdt",
    ]);
    await first.close();
    const second = await EngineVenue.open({ path: file.path });
    assertEquals(await second.engine.pnl(second.member("ann")), rows);
    await second.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
