import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Key } from "../../src/store/keys.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import type { FaultyStore } from "../support/faulty_store.ts";
import { stateText } from "../support/state_text.ts";

/** Has something happen before the rows of one table are read for the first time. */
function before(store: FaultyStore, table: string, happen: () => Promise<void>): void {
  const list = store.list.bind(store);
  let isFirst = true;
  store.list = async function* <T>(start: Key, end: Key, options = {}) {
    if (isFirst && start.includes(table)) {
      isFirst = false;
      await happen();
    }
    yield* list<T>(start, end, options);
  };
}

describe("opening a venue while another process folds", () => {
  it("reads the rows again where those that it has are of two times", async () => {
    await using file = await VenueFile.create();
    const { path } = file;
    await using one = await EngineVenue.open({ path, isShared: true });
    await one.addUsual();
    await one.folded();
    let times = 0;
    const prepare = (store: FaultyStore) =>
      before(store, "open_orders", async () => {
        // The markets are read by now; the order will rest on one that they do not have.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await one.addMarket("eth", "usdt");
        await one.placed("alice", { market: "ethusdt", amount: "1", price: "10" });
        await one.folded();
        times += 1;
      });

    await using two = await EngineVenue.open({ path, isShared: true, prepare });

    assertEquals(times, 1);
    assertEquals(stateText(two.venue), stateText(one.venue));
  });
});
