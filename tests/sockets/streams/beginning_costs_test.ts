import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MESSAGES_PER_COST } from "../../../src/edge/callers/rate_limit.ts";
import { PrivateStreams } from "../../../src/sockets/streams/private_streams.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { withVenue } from "../../support/with_venue.ts";

const SINCE = new Map([["order", 0]]);

/** Opens a venue where alice has so many orders, and beginnings cost what the test says. */
async function openCosting(orders: number) {
  const test = await EngineVenue.open();
  await test.addUsual();
  for (let i = 0; i < orders; i++) await test.placed("alice", { price: "1", amount: "0.01" });
  const alice = test.member("alice");
  const debt = { ms: 0 };
  const charged: [member: number, messages: number][] = [];
  const costs = {
    waitMs: () => debt.ms,
    charge: (member: number, messages: number) => void charged.push([member, messages]),
  };
  const hub = new Hub();
  hub.register(new PrivateStreams(test.engine, hub, () => {}, costs));
  return { test, alice, hub, debt, charged };
}

describe("the beginning of private streams", () => {
  it("costs their member by the messages that it has", async () => {
    const { test, alice, hub, charged } = await openCosting(7);
    await using _ = test;
    await hub.subscribe(new FramesReader(alice), ["order"]);
    await hub.subscribe(new FramesReader(alice), ["order"], SINCE);
    await hub.subscribe(new FramesReader(alice), ["balances"]);
    assertEquals(charged, [[alice, 7], [alice, 7]]);
  });

  it("waits until its member has paid for the one before, and is never refused", async () => {
    for (const since of [undefined, SINCE]) {
      const { test, alice, hub, debt } = await openCosting(3);
      await using _ = test;
      debt.ms = 5;
      const reader = new FramesReader(alice);
      const subscribing = Promise.resolve(hub.subscribe(reader, ["order"], since));
      await new Promise((resolve) => setTimeout(resolve, 30));
      assertEquals(reader.frames, []);
      debt.ms = 0;
      await subscribing;
      await eventually("the orders", () => reader.frames.length === 3);
    }
  });
});

describe("the bucket of a member", () => {
  it("gives a call for each 50 messages that began a stream", () =>
    withVenue((venue) => {
      const { beginnings } = venue.auth;
      assertEquals(beginnings.waitMs(0), 0);
      beginnings.charge(0, 10 * MESSAGES_PER_COST + 1);
      assertEquals(beginnings.waitMs(0), 0);
      beginnings.charge(0, 2 * MESSAGES_PER_COST);
      assertEquals([beginnings.waitMs(0), beginnings.waitMs(1)], [200, 0]);
      return Promise.resolve();
    }, { rateLimit: 10 }));
});
