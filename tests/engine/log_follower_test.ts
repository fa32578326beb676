import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { headKey, lastEntryKey } from "../../src/store/keys.ts";
import { type Hint, UnreadableError } from "../../src/store/store.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";

/** Orders of one request whose entry is longer than what the watch tells. */
const LONG_ENTRY_ORDERS = 800;

describe("catching up with the log", () => {
  it("reads the head anew for whoever asks while another reading is under way", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await reader.engine.fresh();

    const read = reader.store.get.bind(reader.store);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const started = new Promise<void>((start) => {
      reader.store.get = async <T>(...args: Parameters<typeof read>) => {
        const answer = await read<T>(...args);
        start();
        await answered;
        return answer;
      };
    });
    const before = reader.engine.fresh();
    await started;
    const order = await writer.placed("alice", { amount: "1", price: "1" });
    const behind = reader.engine.fresh();
    resolve();
    await before;
    await behind;
    assertEquals(reader.venue.orders.has(order), true);
  });
});

describe("what the watch says", () => {
  it("is gone by: neither the head nor its entry is asked for again", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await reader.engine.fresh();
    const unreadable = new UnreadableError("The log cannot be read");
    const { get, list } = reader.store;
    reader.store.get = () => Promise.reject(unreadable);
    reader.store.list = () => {
      throw unreadable;
    };
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    reader.engine.onEvent((event) => {
      if (event.kind === "order_accepted") resolve();
    });
    const order = await writer.placed("alice", { amount: "1", price: "1" });
    await heard;
    assertEquals(reader.venue.orders.has(order), true);
    Object.assign(reader.store, { get, list });
  });

  it("leaves out entries that are long, or that came before another: they are read", async () => {
    await using file = await VenueFile.create();
    const words: (readonly Hint[])[] = [];
    let tell = (_: readonly Hint[]) => {};
    const prepare = (store: EngineVenue["store"]) => {
      store.watch = (_keys, _signal, wake) => {
        tell = wake;
        return new Promise(() => {});
      };
    };
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await writer.addUsual();
    await writer.must({
      kind: "change_member",
      uid: "alice",
      changes: { openOrdersMax: LONG_ENTRY_ORDERS + 9, bulkOrdersMax: LONG_ENTRY_ORDERS },
    });
    await reader.engine.fresh();
    const order = { side: "buy", amount: "1", price: "1" } as const;
    const place = async (count: number) => {
      await writer.must(writer.placing("alice", ...Array.from({ length: count }, () => order)));
      const keys = [headKey(), lastEntryKey()];
      words.push(await Promise.all(keys.map((key) => writer.store.get(key))));
    };
    for (const count of [1, LONG_ENTRY_ORDERS, 1, 1]) await place(count);
    const [first, long, , last] = words as [Hint[], Hint[], Hint[], Hint[]];
    assertEquals(long[1], first[1], "a long one is not told");
    // The head of one entry may come with another entry.
    for (const word of [[long[0], first[1]], [last[0], first[1]], last, first]) {
      tell(word as Hint[]);
      await reader.engine.fresh();
    }
    assertEquals(reader.venue.orders.size, LONG_ENTRY_ORDERS + 3);
    assertEquals(reader.venue.sequence, writer.venue.sequence);
    assertEquals(reader.faults, []);
  });

  it("may be of a while ago, or nothing", async () => {
    await using file = await VenueFile.create();
    let tell = (_: Hint) => {};
    const prepare = (store: EngineVenue["store"]) => {
      store.watch = (_keys, _signal, wake) => {
        tell = (head) => wake([head]);
        return new Promise(() => {});
      };
    };
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    const before = await reader.store.get<Uint8Array>(headKey());
    await writer.addUsual();
    await reader.engine.fresh();
    tell(before);
    tell({ value: null, versionstamp: null });
    tell(before);
    const order = await writer.placed("alice", { amount: "1", price: "1" });
    await reader.engine.fresh();
    assertEquals(reader.venue.orders.has(order), true);
    assertEquals(reader.faults, []);
    assertEquals(reader.engine.health().isReady, true);
  });
});
