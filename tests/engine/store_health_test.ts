import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { ReadNonces } from "../../src/engine/read_nonces.ts";
import { StoreHealth, type WatchedStore } from "../../src/engine/store_health.ts";
import { FakeIntervals } from "../support/fake_intervals.ts";

/** Lets everything that is already due happen. */
async function soon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Returns what looks after a fake store, and a list of what it reports and does. */
function healthOf(options: { isInPlace?: () => Promise<boolean>; fails?: boolean } = {}) {
  const head = { epoch: "epoch", sequence: 1, hash: new Uint8Array(1) };
  const told: string[] = [];
  const reserve = {
    isSpent: true,
    look: (isFailing: boolean) => {
      told.push(`look ${isFailing}`);
      return isFailing ? Promise.reject(new Error("no room")) : Promise.resolve();
    },
    stop: () => Promise.resolve(void told.push("reserve stopped")),
  };
  const store = {
    follower: { head: { value: head } },
    sequencer: {
      fault: options.fails ? "store_failing" : "",
      stopWriting: () => told.push("writing stopped"),
    },
    lock: options.isInPlace ? { isInPlace: options.isInPlace } : null,
    reserve,
    readNonces: new ReadNonces(0),
    clock: { isStepped: false, look() {} },
    onFault: (error: Error) => told.push(error.message),
    onMark: ({ sequence }: { sequence: number }) => told.push(`mark ${sequence}`),
  };
  return { health: new StoreHealth(store as unknown as WatchedStore), head, told };
}

it("a store's upkeep reports the mark at the start, when it has moved, and at the end", async () => {
  using intervals = new FakeIntervals();
  const { health, head, told } = healthOf();
  health.start();
  await soon();
  assertEquals(told.splice(0), ["mark 1"]);
  head.sequence = 2;
  intervals.fire(1000);
  intervals.fire(1000);
  await soon();
  assertEquals(told.splice(0), ["mark 2"]);
  head.sequence = 3;
  await health.stop();
  assertEquals(told, ["reserve stopped", "mark 3"]);
  assertEquals(intervals.periods, []);
});

it("a store's upkeep stops writing at each check that misses the file, and marks nothing", async () => {
  using intervals = new FakeIntervals();
  const { health, told } = healthOf({ isInPlace: () => Promise.resolve(false) });
  health.start();
  await soon();
  intervals.fire(200);
  await soon();
  assertEquals(told, ["writing stopped", "writing stopped"]);
});

it("a store's upkeep begins no mark before the last one is done", async () => {
  using intervals = new FakeIntervals();
  const looks: PromiseWithResolvers<boolean>[] = [];
  const isInPlace = () => {
    const look = Promise.withResolvers<boolean>();
    looks.push(look);
    return look.promise;
  };
  const { health } = healthOf({ isInPlace });
  health.start();
  intervals.fire(1000);
  await soon();
  assertEquals(looks.length, 1);
  looks[0]?.resolve(false);
  await soon();
  assertEquals(looks.length, 2);
});

it("a store's upkeep checks the reserve, and reports its failures", async () => {
  using intervals = new FakeIntervals();
  for (const fails of [false, true]) {
    const { health, told } = healthOf({ fails });
    health.start();
    await soon();
    told.length = 0;
    intervals.fire(500);
    await soon();
    assertEquals(told, fails ? ["look true", "no room"] : ["look false"]);
    assertEquals(health.isFull, true);
    await health.stop();
  }
});
