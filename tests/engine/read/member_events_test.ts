import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { messagesOf } from "../../../src/domain/event_effects.ts";
import type { LoggedEvent } from "../../../src/engine/engine.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { Prng } from "../../support/prng.ts";
import { turnsDuring } from "../../support/turns_during.ts";

async function trade(test: EngineVenue, seed: number, commands: number): Promise<void> {
  const prng = new Prng(seed);
  for (let i = 0; i < commands; i++) {
    await test.place(prng.pick(["alice", "bob"]), {
      side: prng.pick(["buy", "sell"] as const),
      price: `${100 + prng.below(5)}`,
      amount: `0.${prng.between(1, 9)}`,
      selfTrade: prng.pick(["none", "cancel_newest"] as const),
    });
    if (!prng.chance(0.2)) continue;
    const member = test.member(prng.pick(["alice", "bob"]));
    await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
  }
}

function countsOf(test: EngineVenue, uid: string) {
  const { messages, tradesCount } = test.venue.holder(test.member(uid));
  return { ...messages, trade: tradesCount };
}

describe("the events of a member", () => {
  it("can be read back to the first, and add up to its counts", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    await trade(test, 1, 300);
    for (const uid of ["alice", "bob"]) {
      const member = test.member(uid);
      const read = await test.engine.memberEvents(member, ({ balances }) => balances === 0);
      assertEquals(read.before, { order: 0, balances: 0, balance: 0, trade: 0 });
      assertEquals(read.isCut, false);
      const made = { order: 0, balances: 0, balance: 0, trade: 0 };
      for (const { event } of read.events) {
        const { orders, accounts, trades } = messagesOf(event, member);
        made.order += orders;
        made.balances += accounts > 0 ? 1 : 0;
        made.balance += accounts;
        made.trade += trades;
      }
      assertEquals(made, countsOf(test, uid));
    }
  });

  it("are read with the sequences and times they were announced with", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const member = test.member("alice");
    const told: LoggedEvent[] = [];
    test.engine.onEvent((event, sequence, at) => {
      const { orders, accounts } = messagesOf(event, member);
      if (orders + accounts > 0) told.push({ event, sequence, at });
    });
    const { order } = countsOf(test, "alice");
    const orders = Array.from({ length: 5 }, () => ({ amount: "1", price: "1" }));
    await test.place("alice", ...orders);
    await trade(test, 6, 40);
    const { events } = await test.engine.memberEvents(member, (before) => before.order <= order);
    assertEquals(events, told);
  });

  it("are read as far back as asked for", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    await trade(test, 2, 100);
    const member = test.member("alice");
    const { order } = countsOf(test, "alice");
    const read = await test.engine.memberEvents(member, (before) => before.order <= order - 3);
    assertEquals(read.before.order <= order - 3, true);
    const all = await test.engine.memberEvents(member, ({ balances }) => balances === 0);
    assertEquals(read.events, all.events.slice(-read.events.length));
    assertEquals((await test.engine.memberEvents(member, () => true)).events, []);
  });

  it("are read with a turn for others after each entry", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const entries = 150;
    for (let i = 0; i < entries; i++) await test.placed("bob", { price: "1", amount: "1" });
    const read = () => test.engine.memberEvents(test.member("alice"), () => false);
    const turns = await turnsDuring(read);
    assert(turns >= entries, `${turns} turns`);
  });

  it("keep their counts after a restart, from rows and tail", async () => {
    await using file = await VenueFile.create();
    const first = await EngineVenue.open({ path: file.path });
    await first.addUsual();
    await trade(first, 3, 100);
    await first.folded();
    await trade(first, 4, 20);
    const before = countsOf(first, "alice");
    await first.close();
    await using again = await EngineVenue.open({ path: file.path });
    assertEquals(countsOf(again, "alice"), before);
  });

  it("are announced one by one, each when the state has just reached it", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const told: number[] = [];
    test.engine.onEvent((event, sequence) => {
      assertEquals(test.venue.sequence, sequence);
      told.push(sequence);
      if (event.kind !== "order_closed") return;
      assertEquals(test.venue.endedOrders.some(({ id }) => id === event.id), true);
    });
    const start = test.venue.sequence;
    await trade(test, 5, 50);
    assertEquals(told, Array.from({ length: told.length }, (_, i) => start + 1 + i));
    assertEquals(test.venue.sequence, start + told.length);
  });
});
