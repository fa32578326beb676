import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LEDGER_ONE } from "../../../src/domain/money/money.ts";
import { eventually } from "../../support/eventually.ts";
import { subscribed } from "../../support/private_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";

/** Returns the index of the only member whose private streams are read. */
function readerOf({ venue, realtime }: ServedVenue): number {
  const members = venue.engine.venue.members().map(({ member }) => member.index);
  return members.find((member) => realtime.hub.memberTopics(member) !== undefined) ?? -1;
}

describe("the trade stream", () => {
  it("shows each side its own view, with its fee", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await served.listenAs("alice", "?stream=trade");
      assertEquals((await alice.next()).success.sequences, { trade: 0 });
      const bob = await subscribed(served, "bob", "?stream=trade");
      const order = { price: "100", amount: "2", client_order_id: "mine" };
      const maker = (await venue.order("alice", order)).body;
      const taker = (await venue.order("bob", { side: "sell", price: "99", amount: "0.5" })).body;
      const seen = (await alice.message("trade")).trade;
      const read = (await venue.get("alice", "/api/v2/backend/market/trades")).body[0];
      assertEquals(seen, {
        id: read.id,
        price: "100.0",
        amount: "0.5",
        total: "50.0",
        market: "btcusdt",
        side: "buy",
        taker_type: "sell",
        date: taker.created_at,
        created_at: taker.created_at,
        created_at_ms: taker.created_at_ms,
        order_id: maker.id,
        order_uuid: maker.uuid,
        client_order_id: "mine",
        fee: read.fee,
        fee_currency: "btc",
        fee_amount: read.fee_amount,
        liquidity: "maker",
      });
      const other = await bob.message("trade");
      assertEquals(other.sequence, 1);
      const { side, order_id, fee_currency, liquidity } = other.trade;
      assertEquals([side, order_id, fee_currency, liquidity], ["sell", taker.id, "usdt", "taker"]);
      assertEquals([other.trade.order_uuid, other.trade.client_order_id], [taker.uuid, null]);
    });
  });
});

describe("the balances streams", () => {
  it("tell all balances each time, as the list over HTTP has them", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await served.listenAs("alice", "?stream=balances");
      const first = await client.next();
      const read = (await venue.get("alice", "/api/v2/backend/account/balances")).body;
      const expected = read.map((one: Frame) => [one.currency, [one.balance, one.locked]]);
      assertEquals(Object.entries(first.balances), expected);
      assertEquals(first.snapshot, true);
      await venue.order("alice", { price: "100", amount: "2" });
      await venue.order("bob", { side: "sell", price: "100" });
      const locked = await client.message("balances");
      assertEquals(Object.keys(locked), ["balances", "sequence", "event"]);
      assertEquals(locked.balances, { ...first.balances, usdt: locked.balances.usdt });
      assertEquals(locked.balances.usdt[1], "200.0");
      const filled = await client.message("balances");
      assertEquals(filled.balances.usdt[1], "100.0");
      const after = (await venue.get("alice", "/api/v2/backend/account/balances")).body;
      assertEquals(
        Object.entries(filled.balances),
        after.map((one: Frame) => [one.currency, [one.balance, one.locked]]),
      );
      const { sequence } = first;
      assertEquals([locked.sequence, filled.sequence], [sequence + 1, sequence + 2]);
    });
  });

  it("come one by one on `balance`", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await served.listenAs("bob", "?stream=balance");
      const count = (await venue.get("bob", "/api/v2/backend/account/balances")).body.length;
      const start: Frame[] = [];
      for (let i = 0; i < count; i++) start.push(await client.next());
      assert(start.every(({ snapshot }) => snapshot === true));
      assertEquals(new Set(start.map(({ sequence }) => sequence)).size, 1);
      const before = start.find(({ balance }) => balance.currency === "usdt").balance;
      await venue.order("alice", { price: "100" });
      await venue.order("bob", { side: "sell", price: "100" });
      const sequence = start[0].sequence;
      const [lock, base, quote] = [
        await client.message("balance"),
        await client.message("balance"),
        await client.message("balance"),
      ];
      assertEquals([lock, base, quote].map(({ balance }) => [balance.currency, balance.locked]), [
        ["btc", "1.0"],
        ["btc", "0.0"],
        ["usdt", "0.0"],
      ]);
      assertEquals(
        [lock, base, quote].map((one) => one.sequence),
        [1, 2, 3].map((n) => sequence + n),
      );
      assert(Number(quote.balance.balance) > Number(before.balance));
    });
  });

  it("show deposits and the operator's corrections", async () => {
    await withServedVenue(async (served) => {
      const { engine } = served.venue;
      const client = await served.listenAs("alice", "?stream=balances");
      const before = (await client.message("balances")).balances.btc.map(Number);
      const uid = engine.venue.holder(readerOf(served)).member.uid;
      const amount = 5n * LEDGER_ONE;
      await engine.submit({ kind: "adjust_balance", uid, currency: "btc", amount }, null);
      const btc = { uid, currency: "btc", amount, txid: "t1", output: 0, confirmations: 0 };
      const lookup = await engine.findDeposit(0, "t1", 0);
      await engine.submit({ kind: "observe_deposit", ...btc, ...lookup }, null);
      const id = engine.venue.counters.deposits;
      for (const action of ["accept", "process", "collect"] as const) {
        await engine.submit({ kind: "change_deposit", id, action, confirmations: 9 }, null);
      }
      const told: number[][] = [];
      while (told.length < 5) {
        const { balances } = await client.message("balances");
        assertEquals(Object.keys(balances), ["btc", "eth", "usdt", "bch"]);
        told.push(balances.btc.map((text: string, half: number) => Number(text) - before[half]));
      }
      assertEquals(told, [[5, 0], [5, 0], [5, 5], [5, 5], [10, 0]]);
    });
  });
});

describe("private streams", () => {
  it("are a member's own", async () => {
    await withServedVenue(async (served) => {
      const { venue, listen } = served;
      const bob = await subscribed(served, "bob", "?stream=order,trade,balances,balance");
      const nobody = await listen("?stream=order,trade");
      assertEquals((await nobody.message("success")).success.streams, []);
      bob.frames.length = 0;
      await venue.order("alice", { price: "90" });
      await venue.order("bob", { price: "91" });
      const { order } = await bob.message("order");
      assertEquals(order.price, "91.0");
      assertEquals([...bob.frames, ...nobody.frames].filter((frame) => "order" in frame), []);
    });
  });

  it("begin on a later subscribe and end on unsubscribe", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "");
      assertEquals(await client.subscribe("order", "btcusdt.trades"), ["btcusdt.trades", "order"]);
      await venue.order("alice", { price: "90" });
      assertEquals((await client.message("order")).sequence, 1);
      client.send({ event: "unsubscribe", streams: ["order"] });
      await client.message("success");
      await venue.order("alice", { price: "91" });
      assertEquals(await client.subscribe("order"), ["btcusdt.trades", "order"]);
      assertEquals(client.frames, []);
      client.send({ event: "unsubscribe", streams: ["order"] });
      assertEquals((await client.next()).success.message, "unsubscribed");
    });
  });

  it("go on for a client that comes back with `since`", async () => {
    await withServedVenue(async (served) => {
      const { venue, listenAs } = served;
      const watching = await subscribed(served, "alice", "?stream=order,balances");
      const leaving = await subscribed(served, "alice", "?stream=order,balances");
      await venue.order("alice", { price: "90" });
      const seen = {
        order: (await leaving.message("order")).sequence,
        balances: (await leaving.message("balances")).sequence,
      };
      await leaving.close();
      const id = (await venue.order("alice", { price: "100", amount: "2" })).body.id;
      await venue.order("bob", { side: "sell", price: "100" });
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${id}`);
      const back = await listenAs(
        "alice",
        `?stream=order,balances&since=order:${seen.order},balances:${seen.balances}`,
      );
      const missed: Frame[] = [];
      for (;;) {
        const frame = await back.next();
        if ("success" in frame) break;
        missed.push(frame);
      }
      const live: Frame[] = [];
      while (live.length < 8) live.push(await watching.next());
      for (const stream of ["order", "balances"]) {
        const of = (frames: Frame[]) => frames.filter((frame) => stream in frame);
        assertEquals(of(missed), of(live).slice(1), stream);
        assertEquals(of(missed).length, 3);
      }
      await venue.order("alice", { price: "80" });
      assertEquals((await back.message("order")).sequence, seen.order + 4);
    });
  });

  it("say when a replay is impossible, and send the current state", async () => {
    await withServedVenue(async (served) => {
      const { listenAs } = served;
      const client = await listenAs("alice", "?stream=order&since=77");
      assertEquals(await client.next(), {
        error: { message: "order: since 77 was never sent; sending the current state instead" },
      });
      const { success } = await client.next();
      assertEquals([success.streams, success.sequences], [["order"], { order: 0 }]);
    });
  });
});

describe("the deposit_address stream", () => {
  it("sends addresses when they are made, numbered since the process started", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const first = await subscribed(served, "alice", "?stream=deposit_address");
      const bob = await subscribed(served, "bob", "?stream=deposit_address");
      const path = "/api/v2/backend/account/deposit_address";
      const btc = (await venue.get("alice", `${path}/btc`)).body;
      assertEquals(await first.next(), {
        deposit_address: { type: "create", currencies: ["btc"], address: btc.address },
        sequence: 1,
      });
      const second = await subscribed(served, "alice", "?stream=deposit_address");
      await venue.get("alice", `${path}/btc`);
      await venue.get("alice", `${path}/eth`);
      for (const client of [first, second]) {
        const message = await client.next();
        assertEquals(message.deposit_address.currencies, ["eth"]);
        assertEquals(message.sequence, 2);
      }
      assertEquals(bob.frames, []);
    });
  });

  it("is silent to one who has missed nothing, and tells others how much", async () => {
    await withServedVenue(async ({ venue, listenAs }) => {
      const begun = async (since: number) => {
        venue.clock.now += 1;
        const client = await listenAs("alice", `?stream=deposit_address&since=${since}`);
        const frames = [await client.next()];
        while (!("success" in frames.at(-1))) frames.push(await client.next());
        const { sequences } = frames.pop().success;
        return [sequences.deposit_address, ...frames.map(({ error }) => error.message)];
      };
      assertEquals(await begun(0), [0]);
      for (const currency of ["btc", "eth"]) {
        const path = `/api/v2/backend/account/deposit_address/${currency}`;
        // On a loaded machine it may be in progress when the call is answered.
        await eventually("an address", async () => (await venue.get("alice", path)).body.address);
      }
      assertEquals(await begun(2), [2]);
      assertEquals(await begun(1), [
        2,
        "deposit_address: since 1 was followed by 1 more, which are not kept; read the " +
        "addresses over HTTP",
      ]);
      assertEquals(await begun(3), [
        2,
        "deposit_address: since 3 was never sent by this process of the venue; read the " +
        "addresses over HTTP",
      ]);
    });
  });
});
