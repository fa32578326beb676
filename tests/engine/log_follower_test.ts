import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { headKey } from "../../src/store/keys.ts";
import { type Hint, UnreadableError } from "../../src/store/store.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";

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

describe("what the watch says of the head", () => {
  it("is gone by: the head is not asked for again", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await reader.engine.fresh();
    const read = reader.store.get.bind(reader.store);
    reader.store.get = () => Promise.reject(new UnreadableError("The head cannot be read"));
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    reader.engine.onEvent((event) => {
      if (event.kind === "order_accepted") resolve();
    });
    const order = await writer.placed("alice", { amount: "1", price: "1" });
    await heard;
    assertEquals(reader.venue.orders.has(order), true);
    reader.store.get = read;
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
