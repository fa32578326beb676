import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { READINGS_WAITING_MAX } from "../../../src/engine/reading_queue.ts";
import { earlierOrders, MemberPast } from "../../../src/sockets/streams/member_past.ts";
import { OrderCopies } from "../../../src/sockets/streams/private_messages.ts";
import { CutReads, readMissed, replay } from "../../../src/sockets/streams/replay.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf, withMemberEvents } from "../../support/private_streams.ts";
import { turnsDuring } from "../../support/turns_during.ts";

const SINCE = new Map([["order", 0]]);

/** Opens a venue where both members have an order and replays for alice are held. */
async function openHeld() {
  const test = await EngineVenue.open();
  await test.addUsual();
  for (const uid of ["alice", "bob"]) await test.placed(uid, { price: "1", amount: "1" });
  const alice = test.member("alice");
  const gate = Promise.withResolvers<void>();
  const begun: number[] = [];
  const engine = withMemberEvents(test, async (read, member) => {
    begun.push(member);
    if (member === alice) await gate.promise;
    return await read();
  });
  const { hub } = streamsOf({ engine });
  const comeBack = (uid: string) => {
    const reader = new FramesReader(test.member(uid));
    return { reader, told: Promise.resolve(hub.subscribe(reader, ["order"], SINCE)) };
  };
  return { test, alice, hub, begun, comeBack, release: () => gate.resolve() };
}

describe("replays", () => {
  it("of one member leave room for others, however many of its readers come back", async () => {
    const { test, alice, begun, comeBack, release } = await openHeld();
    await using _ = test;
    // More than the lists allowed to wait, yet none of them is refused.
    const readers = Array.from({ length: READINGS_WAITING_MAX + 50 }, () => comeBack("alice"));
    const other = comeBack("bob");
    await other.told;
    assertEquals(other.reader.news("order").length, 1);
    assertEquals(begun, [alice, test.member("bob")]);
    release();
    await Promise.all(readers.map(({ told }) => told));
    assertEquals(new Set(readers.map(({ reader }) => reader.news("order").length)), new Set([1]));
  });

  it("are not started for readers that have left by then", async () => {
    const { test, alice, hub, begun, comeBack, release } = await openHeld();
    await using _ = test;
    const [first, ...gone] = Array.from({ length: 8 }, () => comeBack("alice"));
    for (const { reader } of gone) hub.leave(reader);
    release();
    await Promise.all([first?.told, ...gone.map(({ told }) => told)]);
    assertEquals(begun, [alice]);
    assertEquals(gone.flatMap(({ reader }) => reader.frames), []);
  });

  it("give others their turn, however much has happened", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const member = test.member("alice");
    for (let round = 0; round < 3; round++) {
      const orders = Array.from({ length: 900 }, () => ({ price: "1", amount: "1" }));
      await test.must(test.placing("alice", ...orders));
      await test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
    }
    const copies = new OrderCopies(test.venue, member);
    const missed = await readMissed(
      test.engine,
      member,
      new Map([["order", 0]]),
      copies,
      new CutReads(),
    );
    assertEquals(missed.refused, new Map());
    const { events } = missed;
    const slices = Math.ceil(events.length / 1024);
    const { before } = await test.engine.memberEvents(member, ({ order }) => order === 0);
    const source = {
      venue: test.venue,
      member,
      events,
      before,
      orders: new Map(),
      accounts: [],
      needsAccounts: false,
    };
    const works = [
      () => earlierOrders(events, member),
      () => MemberPast.before(source),
      () => replay(test.engine, missed, () => {}),
    ];
    for (const work of works) {
      const turns = await turnsDuring(work);
      assert(turns >= slices - 1, `${turns} turns of ${slices} slices`);
    }
  });
});
