/** A log that an older program has written, of format 1. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import { runAudit } from "../../src/engine/audit.ts";
import { runRebuild } from "../../src/engine/rebuild.ts";
import { ByteWriter } from "../../src/store/byte_writer.ts";
import { encodeEntry, LOG_FORMAT } from "../../src/store/entry_codec.ts";
import { writeEvent } from "../../src/store/event_codec.ts";
import { openExistingStore, type Store } from "../../src/store/store.ts";
import { appendCommit, readHead } from "../../src/store/venue_log.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";

/** Appends what an older program says of the first market: nothing of its orders. */
async function appendOlder(store: Store, { venue }: EngineVenue): Promise<void> {
  const current = await readHead(store);
  const { at, hash, sequence } = current.value;
  const batchId = crypto.getRandomValues(new Uint8Array(16));
  const { isUsed: _, ...market } = venue.book(0).market;
  const writer = new ByteWriter();
  writeEvent(writer, { kind: "market_set", market }, at);
  const first = sequence + 1;
  const entry = encodeEntry({ first, at, batchId, count: 1 }, writer.take(), hash);
  entry.bytes[0] = 1;
  const next = { ...current.value, format: 1, sequence: first, hash: entry.hash, batchId };
  const outcome = await store.commit(appendCommit(current, next, entry.bytes, []), "log");
  assertEquals(outcome.kind, "committed");
}

async function older(): Promise<VenueFile> {
  const file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await test.addUsual();
  await test.addMarket("eth", "usdt");
  await test.close();
  const store = await openExistingStore({ path: file.path });
  await appendOlder(store, test);
  store.close();
  return file;
}

function regrid(id: string, pricePrecision: number): Command {
  return { kind: "change_market", id, changes: { pricePrecision } };
}

describe("a log of an older program", () => {
  it("goes on, in rows that a replay makes, too", async () => {
    await using file = await older();
    const test = await EngineVenue.open({ path: file.path });
    assertEquals(test.venue.book(0).market.isUsed, undefined);
    await test.must(regrid("btcusdt", 3));
    const id = await test.placed("bob", { side: "sell", amount: "1", price: "9" });
    const names = [{ id }];
    const member = test.member("bob");
    await test.must({ kind: "cancel_orders", member, names, strict: true, finished: false });
    const refused = { rejected: "precision_frozen", field: "price_precision" };
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

  it("is of the newer format from the first entry on, so that the older stops", async () => {
    await using file = await older();
    const test = await EngineVenue.open({ path: file.path });
    await test.must(regrid("ethusdt", 4));
    await test.close();
    const store = await openExistingStore({ path: file.path });
    assertEquals((await readHead(store)).value.format, LOG_FORMAT);
    store.close();
  });
});
