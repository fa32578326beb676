import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ROWS_AT_ONCE } from "../../../src/engine/reading_queue.ts";
import { units } from "../../support/domain_venue.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { RowReads } from "../../support/row_reads.ts";

const CURRENCIES = 2 * ROWS_AT_ONCE;

describe("profit and loss", () => {
  it("of many currencies is read a few rows at a time, one read per member at a time", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    await test.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } });
    for (let i = 0; i < CURRENCIES; i++) {
      await test.addMarket(`c${i}`, "usdt");
      const amount = units("1");
      await test.must({ kind: "adjust_balance", uid: "alice", currency: `c${i}`, amount });
    }
    await test.folded();
    const { store } = test;
    const reads = new RowReads();
    const read = store.getMany.bind(store);
    store.getMany = async (keys) => await reads.read(await read(keys));
    const member = test.member("alice");
    const all = await Promise.all([1, 2, 3].map(() => test.engine.pnl(member)));
    const codes = all.map((rows) => rows.map(({ currency }) => currency));
    const expected = test.venue.currencies.map(({ id }) => id).filter((id) => /^c\d/.test(id));
    for (const list of codes) assertEquals(list.filter((id) => /^c\d/.test(id)), expected);
    assert(reads.atOnceMax <= ROWS_AT_ONCE, `${reads.atOnceMax} reads`);
  });
});
