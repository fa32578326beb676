import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Turns } from "../../src/engine/turns.ts";
import { sidecarKey } from "../../src/store/keys.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";

const PLACE = ["turn"];

/** Runs a test with the turns of two processes on one store. */
async function withTurns(
  run: (store: Store, one: Turns, other: Turns) => Promise<void>,
): Promise<void> {
  const store = await openStore(":memory:");
  try {
    await run(store, new Turns(store), new Turns(store));
  } finally {
    store.close();
  }
}

/** Asks for a turn, and waits until others can see it. */
async function ask(store: Store, turns: Turns): Promise<void> {
  turns.ask();
  await eventually("the request", async () => (await store.get(sidecarKey(PLACE))).value);
}

/** Lets everything run that does not wait for a time. */
async function soon(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Starts to give way; returns a function that tells whether it is over. */
function givingWay(turns: Turns): () => boolean {
  let isOver = false;
  turns.giveWay().then(() => isOver = true);
  return () => isOver;
}

describe("a process that asks for its turn", () => {
  it("is waited for until it is done", () =>
    withTurns(async (store, one, other) => {
      await ask(store, one);
      await other.read();
      const isOver = givingWay(other);
      await soon();
      assertEquals(isOver(), false);
      assertEquals(one.requestDeletion(), [{ key: sidecarKey(PLACE), value: null }]);
      await store.writeSidecar(PLACE, null);
      one.settle();
      assertEquals(one.requestDeletion(), []);
      await other.read();
      await soon();
      assertEquals(isOver(), true);
    }));

  it("does not wait for itself, nor for one that does not ask", () =>
    withTurns(async (store, one, other) => {
      assertEquals(other.requestDeletion(), []);
      const nobodyAsks = givingWay(other);
      await ask(store, one);
      await one.read();
      const isItself = givingWay(one);
      await soon();
      assertEquals([nobodyAsks(), isItself()], [true, true]);
    }));

  it("is not waited for twice if it never goes, unless it asks again", () =>
    withTurns(async (store, one, other) => {
      await ask(store, one);
      await other.read();
      await other.giveWay();
      await other.read();
      const second = givingWay(other);
      await soon();
      assertEquals(second(), true);
      await store.writeSidecar(PLACE, { process: "another" });
      await other.read();
      const third = givingWay(other);
      await soon();
      assertEquals(third(), false);
    }));

  it("goes in its turn where nobody asks", () =>
    withTurns(async (_store, one) => {
      const turn = Promise.withResolvers<void>();
      one.ring.turn = () => turn.promise;
      const isOver = givingWay(one);
      await soon();
      assertEquals(isOver(), false);
      turn.resolve();
      await soon();
      assertEquals(isOver(), true);
    }));

  it("goes on where its request does not get through", () =>
    withTurns(async (store, one) => {
      store.writeSidecar = () => Promise.reject(new Error("The store is out of order"));
      one.ask();
      await soon();
      assertEquals(one.requestDeletion().length, 1);
    }));
});
