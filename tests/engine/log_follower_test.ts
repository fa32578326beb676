import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
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
