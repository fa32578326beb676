/** Logs as older programs wrote them. */
import { assertEquals } from "@std/assert";
import type { VenueEvent } from "../../src/domain/event.ts";
import { ByteWriter } from "../../src/store/byte_writer.ts";
import type { Mutation } from "../../src/store/kv/commit.ts";
import { encodeEntry } from "../../src/store/log/entry_codec.ts";
import { writeEvent } from "../../src/store/log/event_codec.ts";
import { entryKey } from "../../src/store/keys.ts";
import { openExistingStore, type Store } from "../../src/store/store.ts";
import { appendCommit, readHead } from "../../src/store/log/venue_log.ts";
import { EngineVenue, VenueFile } from "./engine_venue.ts";

/** Appends an entry as an older program would, and marks the log as having its format. */
async function appendOlder(
  store: Store,
  format: number,
  events: readonly VenueEvent[],
): Promise<void> {
  const current = await readHead(store);
  const { at, hash, sequence } = current.value;
  const batchId = crypto.getRandomValues(new Uint8Array(16));
  const writer = new ByteWriter();
  for (const event of events) writeEvent(writer, event, at);
  const count = events.length;
  const entry = encodeEntry({ first: sequence + 1, at, batchId, count }, writer.take(), hash);
  const next = { format, sequence: sequence + count, hash: entry.hash, batchId };
  const earlier: Mutation[] = [];
  for await (
    const { key, value } of store.list<Uint8Array>(entryKey(0, 0), entryKey(sequence + 1, 0))
  ) {
    value[0] = format;
    earlier.push({ key, value });
  }
  entry.bytes[0] = format;
  const commit = appendCommit(current, { ...current.value, ...next }, entry.bytes, {
    mutations: earlier,
    held: [],
  });
  assertEquals((await store.commit(commit, "log")).kind, "committed");
}

/** Creates a log of an older format that ends with an entry of these events. */
export async function older(
  format: number,
  eventsOf: (test: EngineVenue) => readonly VenueEvent[],
): Promise<VenueFile> {
  const file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  await test.addUsual();
  await test.addMarket("eth", "usdt");
  await test.close();
  const store = await openExistingStore(file.path);
  await appendOlder(store, format, eventsOf(test));
  store.close();
  return file;
}
