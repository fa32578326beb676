import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Turns } from "../../../src/engine/shared/turns.ts";
import { headKey } from "../../../src/store/keys.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { FaultyStore } from "../../support/faulty_store.ts";

/** How long the store takes to tell its head, in ms: a process is far from it then. */
const FAR_MS = 40;

describe("a process that is opened far from its store", () => {
  it("takes turns as one that is far from its first commit on", async () => {
    await using file = await VenueFile.create();
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    const head = String(headKey());
    const prepare = (store: FaultyStore) => {
      store.get = async <T>(key: Parameters<FaultyStore["get"]>[0]) => {
        if (String(key) === head) await sleep(FAR_MS);
        return await FaultyStore.prototype.get.call(store, key) as never;
      };
      // What the follower reads would tell it, too.
      store.getTogether = async (...args) => {
        await committed;
        return await FaultyStore.prototype.getTogether.apply(store, args);
      };
    };
    const { giveWay } = Turns.prototype;
    const wereFar: boolean[] = [];
    Turns.prototype.giveWay = function () {
      wereFar.push(this.isFar);
      return giveWay.call(this);
    };
    try {
      await using test = await EngineVenue.open({ path: file.path, isShared: true, prepare });
      await test.addMarket("btc", "usdt");
      commit();
    } finally {
      Turns.prototype.giveWay = giveWay;
    }
    assertEquals(wereFar[0], true);
  });
});
