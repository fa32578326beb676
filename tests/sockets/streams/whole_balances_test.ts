import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EngineVenue } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { streamsOf } from "../../support/private_streams.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { SEND_BUFFER_BYTES_MAX } from "../../../src/sockets/limits.ts";

type Balances = Record<string, [string, string]>;

function toldTo(reader: FramesReader): Balances[] {
  return reader.news("balances").map((frame) => JSON.parse(frame).balances);
}

/** Opens a venue where alice has several currencies and reads her balances. */
async function openRead(frameBytes = 0) {
  const test = await EngineVenue.open();
  await test.addUsual();
  await test.addMarket("eth", "usdt");
  const { hub, faults } = streamsOf(test);
  const live = new FramesReader(test.member("alice"), frameBytes);
  await hub.subscribe(live, ["balances"]);
  return { test, hub, faults, live };
}

function adjust(test: EngineVenue, currency: string, amount = 10n ** 16n): Promise<unknown> {
  return test.must({ kind: "adjust_balance", uid: "alice", currency, amount });
}

/** Cancels all of alice's orders. */
function cancelAll(test: EngineVenue): Promise<unknown> {
  const member = test.member("alice");
  return test.must({ kind: "cancel_all_orders", member, market: -1, side: null });
}

describe("the stream of all balances", () => {
  it("tells those that an event leaves alone as well", async () => {
    const { test, live } = await openRead();
    await using _ = test;
    await adjust(test, "eth");
    await test.place("alice", { price: "10", amount: "2" });
    assertEquals(toldTo(live), [
      { btc: ["1000000.0", "0.0"], usdt: ["1000000000.0", "0.0"], eth: ["1.0", "0.0"] },
      { btc: ["1000000.0", "0.0"], usdt: ["999999980.0", "20.0"], eth: ["1.0", "0.0"] },
    ]);
  });

  it("is replayed with balances that changed only later", async () => {
    const { test, hub, faults, live } = await openRead();
    await using _ = test;
    // Locked before what is replayed, and released, filled in part and filled in it.
    const prices = ["9", "10", "11"];
    for (const price of prices) await test.place("alice", { price, amount: "2" });
    await test.place("alice", { side: "sell", price: "20", amount: "3" });
    const start = test.venue.holder(live.member).messages.balances;
    await adjust(test, "eth");
    await test.place("bob", { side: "sell", price: "10", amount: "3" });
    await test.place("bob", { side: "buy", price: "20", amount: "1" });
    await cancelAll(test);
    for (let since = start; since < start + 8; since++) {
      const back = new FramesReader(live.member);
      await hub.subscribe(back, ["balances"], new Map([["balances", since]]));
      assertEquals(back.news("balances"), live.news("balances", since), `since ${since}`);
    }
    assertEquals(faults, []);
  });

  it("is replayed through reversals, which lock nothing", async () => {
    const { test, hub, faults, live } = await openRead();
    await using _ = test;
    const known = { txid: "tx", output: 0, confirmations: 0, knownId: 0, checkedAt: 1e9 };
    const amount = 3n * 10n ** 16n;
    await test.must({ kind: "change_currency", id: "eth", changes: { depositFee: 10n ** 15n } });
    await test.place("alice", { side: "sell", price: "20", amount: "3" });
    const start = test.venue.holder(live.member).messages.balances;
    for (const currency of ["btc", "eth"]) {
      const { deposits: last } = test.venue.counters;
      await test.must({ kind: "observe_deposit", uid: "alice", currency, amount, ...known });
      for (const action of ["accept", "process", "collect"] as const) {
        await test.must({ kind: "change_deposit", id: last + 1, action });
      }
      const record = await test.engine.deposit(last + 1);
      if (record === null) throw new Error("The deposit is gone");
      const lookup = { knownId: 0, checkedAt: 1e9 };
      await test.must({ kind: "reverse", reversed: { type: "deposit", record }, ...lookup });
      await adjust(test, currency);
    }
    for (let since = start; since < start + 12; since++) {
      const back = new FramesReader(live.member);
      await hub.subscribe(back, ["balances"], new Map([["balances", since]]));
      assertEquals(back.news("balances"), live.news("balances", since), `since ${since}`);
    }
    assertEquals(faults, []);
  });

  it("is replayed from where it is known what an order had locked", async () => {
    const { test, hub, faults, live } = await openRead();
    await using _ = test;
    await test.place("alice", { amount: "1", type: "stop", trigger: "50" });
    const { balances: start, order } = test.venue.holder(live.member).messages;
    await adjust(test, "eth");
    await cancelAll(test);
    const since = new Map([["balances", start], ["order", order]]);
    const back = new FramesReader(live.member);
    await hub.subscribe(back, ["balances", "order"], since);
    const [cancelled] = back.frames.map((frame) => JSON.parse(frame));
    assertEquals(cancelled.order.state, "cancel");
    assertEquals(back.frames.slice(1), live.news("balances").slice(-1));
    assertEquals([hub.sequencesOf(back).balances, faults], [start + 2, []]);
  });

  it("spares a reader that is far behind all but the last, and then goes on", async () => {
    const { test, live } = await openRead(SEND_BUFFER_BYTES_MAX / 3);
    await using _ = test;
    live.read();
    await adjust(test, "eth");
    live.unread = SEND_BUFFER_BYTES_MAX + 1;
    for (let i = 0; i < 5; i++) await adjust(test, "eth");
    assertEquals(toldTo(live).length, 1);
    live.read();
    await eventually("the last", () => toldTo(live).length > 1);
    await adjust(test, "eth");
    assertEquals(toldTo(live).map(({ eth }) => eth?.[0]), ["1.0", "6.0", "7.0"]);
  });

  it("is whole in the RPC dialect too", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      alice.stream.send([1, 1, "subscribe", ["private", ["balances"]]]);
      const first = await alice.event("bu");
      await served.venue.order("alice", { price: "100", amount: "2" });
      const second = await alice.event("bu");
      const currencies = (tuples: string[][]) => tuples.map(([currency]) => currency);
      assertEquals(currencies(second), currencies(first));
      assertEquals(second.filter(([, , locked]: string[]) => locked !== "0"), [
        ["usdt", "9999800", "200"],
      ]);
    }));
});
