import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import type { Store } from "../../../src/store/store.ts";
import { EngineVenue, orderIds } from "../../support/engine_venue.ts";

const ROUNDS = 2;
/** Orders between the early and the late ones, so that these are in different rows. */
const BETWEEN = 1200;
const ORDERS_PER_COMMAND = 300;

/** Calls `act` behind the first row of each of the first lists of a member's orders. */
function amidLists(store: Store, member: number, act: (round: number) => Promise<void>): void {
  const list = store.list.bind(store);
  let rounds = 0;
  store.list = async function* <T>(...[start, end, options]: Parameters<Store["list"]>) {
    let isFirst = start[1] === "member_orders" && start[2] === member &&
      options?.limit === undefined;
    for await (const row of list<T>(start, end, options)) {
      yield row;
      if (isFirst && rounds < ROUNDS) await act(rounds++);
      isFirst = false;
    }
  };
}

it("a page of ended orders is that of one moment, though more end during each of its reads", async () => {
  await using test = await EngineVenue.open();
  await test.addUsual();
  const resting = { amount: "1", price: "1" };
  const early = orderIds(await test.place("alice", resting, resting));
  for (let placed = 0; placed < BETWEEN; placed += ORDERS_PER_COMMAND) {
    await test.place("bob", { side: "sell", amount: String(ORDERS_PER_COMMAND), price: "10" });
    const buys = Array.from({ length: ORDERS_PER_COMMAND }, () => ({ amount: "1", price: "10" }));
    await test.place("alice", ...buys);
  }
  const late = orderIds(await test.place("alice", resting, resting));
  await test.folded();
  const member = test.member("alice");
  const cancelled: number[] = [];
  amidLists(test.store, member, async (round) => {
    for (const ids of [early, late]) {
      const id = present(ids[round], "a round has its orders");
      const names = [{ id }];
      await test.must({ kind: "cancel_orders", member, names, strict: true, isKnown: false });
      cancelled.push(id);
    }
    await test.folded();
  });
  const filter = { states: new Set(["cancel"] as const) };
  const request = { offset: 0, limit: 25, direction: "asc" } as const;
  const { items } = await test.engine.orders(member, filter, request);
  const page = items.map(({ id }) => id);
  assertEquals(cancelled.length, 2 * ROUNDS);
  assertEquals(page, cancelled.slice(0, page.length).sort((a, b) => a - b));
});
