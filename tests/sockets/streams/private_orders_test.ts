import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { subscribed } from "../../support/private_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame, StreamClient } from "../../support/stream_client.ts";

/** Returns the orders in the next messages of a stream. */
async function told(client: StreamClient, count: number): Promise<Frame[]> {
  const orders: Frame[] = [];
  while (orders.length < count) orders.push((await client.message("order")).order);
  return orders;
}

function inShort(orders: Frame[]): string[] {
  return orders.map(({ id, state, remaining_volume, reject_reason }) =>
    `${id} ${state} ${Number(remaining_volume)}${reject_reason === null ? "" : ` ${reject_reason}`}`
  );
}

describe("the order stream", () => {
  it("shows all that its member may know of an order", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "?stream=order");
      const { body } = await venue.order("alice", { client_order_id: "mine", price: "90.50" });
      const read = await venue.get("alice", `/api/v2/backend/market/orders/${body.id}`);
      assertEquals(await client.message("order"), {
        event: venue.engine.venue.sequence,
        order: {
          id: body.id,
          uuid: body.uuid,
          market: "btcusdt",
          kind: "bid",
          side: "buy",
          ord_type: "limit",
          price: "90.5",
          avg_price: "0.0",
          state: "wait",
          origin_volume: "1.0",
          remaining_volume: "1.0",
          executed_volume: "0.0",
          executed_total: "0.0",
          fees: {},
          at: body.created_at,
          created_at: read.body.created_at,
          updated_at: read.body.updated_at,
          created_at_ms: body.created_at_ms,
          updated_at_ms: read.body.updated_at_ms,
          trades_count: 0,
          time_in_force: "gtc",
          trigger_price: null,
          client_order_id: "mine",
          reject_reason: null,
        },
        sequence: 1,
      });
    });
  });

  it("shows the whole life: wait, partial fills, done, for maker and taker", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await subscribed(served, "alice", "?stream=order");
      const bob = await subscribed(served, "bob", "?stream=order");
      const maker = (await venue.order("alice", { amount: "2" })).body.id;
      const first = (await venue.order("bob", { side: "sell", amount: "0.5" })).body.id;
      const second = (await venue.order("bob", { side: "sell", amount: "2" })).body.id;
      assertEquals(inShort(await told(alice, 3)), [
        `${maker} wait 2`,
        `${maker} wait 1.5`,
        `${maker} done 0`,
      ]);
      assertEquals(inShort(await told(bob, 4)), [
        `${first} wait 0.5`,
        `${first} done 0`,
        `${second} wait 2`,
        `${second} wait 0.5`,
      ]);
    });
  });

  it("shows cancels, with the reason when no member asked for them", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "?stream=order");
      const id = (await venue.order("alice")).body.id;
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${id}`);
      const ioc = (await venue.order("alice", { time_in_force: "ioc", amount: "3" })).body.id;
      assertEquals(inShort(await told(client, 4)), [
        `${id} wait 1`,
        `${id} cancel 1`,
        `${ioc} wait 3`,
        `${ioc} cancel 3 time_in_force`,
      ]);
    });
  });

  it("shows orders that the book refuses: pending, then reject with the reason", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "?stream=order");
      await venue.order("bob", { side: "sell", price: "100" });
      const post = (await venue.order("alice", { type: "post_only" })).body.id;
      const fok = (await venue.order("alice", { type: "fill_or_kill", amount: "2" })).body.id;
      const market = { market: "ethusdt", type: "market", price: undefined };
      const priceless = (await venue.order("alice", market)).body.id;
      const resting = (await venue.order("alice", { type: "post_only", price: "99" })).body.id;
      const filled = (await venue.order("alice", { type: "market", price: undefined })).body.id;
      assertEquals(inShort(await told(client, 9)), [
        `${post} pending 1`,
        `${post} reject 1 would_take`,
        `${fok} pending 2`,
        `${fok} cancel 2 not_fillable`,
        `${priceless} pending 1`,
        `${priceless} reject 1 insufficient_market_liquidity`,
        `${resting} wait 1`,
        `${filled} pending 1`,
        `${filled} done 0`,
      ]);
    });
  });

  it("shows when a post_only of a bulk comes to rest after earlier matches", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      await venue.order("bob", { side: "sell", price: "100" });
      const client = await subscribed(served, "alice", "?stream=order");
      const order = { market: "btcusdt", side: "buy", type: "limit", amount: "1" };
      const post = { ...order, type: "post_only" };
      const { body } = await venue.post("alice", "/api/v2/trading/market/bulk/orders", [
        { ...order, price: "100" },
        { ...post, price: "99" },
        { ...order, price: "98" },
        { ...post, market: "ethusdt", price: "99" },
      ]);
      const [taker, behind, limit, alone] = body.map(({ id }: Frame) => id);
      await venue.order("alice", { price: "97" });
      assertEquals(inShort(await told(client, 6)), [
        `${taker} wait 1`,
        `${behind} pending 1`,
        `${limit} wait 1`,
        `${alone} wait 1`,
        `${taker} done 0`,
        `${behind} wait 1`,
      ]);
      const next = await client.message("order");
      assertEquals([next.order.price, next.sequence], ["97.0", 7]);
    });
  });

  it("shows stops that wait for their trigger, and the trigger", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      await venue.order("bob", { side: "sell", price: "100" });
      const client = await subscribed(served, "alice", "?stream=order");
      const stop = { type: "stop_limit", trigger_price: "100", price: "101" };
      const id = (await venue.order("alice", stop)).body.id;
      const hit = (await venue.order("alice", { price: "100" })).body.id;
      const orders = await told(client, 4);
      assertEquals(inShort(orders), [
        `${id} trigger_wait 1`,
        `${hit} wait 1`,
        `${hit} done 0`,
        `${id} wait 1`,
      ]);
      assertEquals(orders[0].trigger_price, "100.0");
    });
  });

  it("shows a stop that has fired as pending, since the book may still refuse it", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "?stream=order");
      const stop = { side: "sell", type: "stop", price: undefined, trigger_price: "100" };
      const first = (await venue.order("alice", stop)).body.id;
      const second = (await venue.order("alice", { ...stop, amount: "2" })).body.id;
      await venue.order("bob", { price: "100", amount: "1.5" });
      const hit =
        (await venue.order("alice", { side: "sell", price: "100", amount: "0.5" })).body.id;
      assertEquals(inShort(await told(client, 8)), [
        `${first} trigger_wait 1`,
        `${second} trigger_wait 2`,
        `${hit} wait 0.5`,
        `${hit} done 0`,
        `${first} pending 1`,
        `${first} done 0`,
        `${second} pending 2`,
        `${second} reject 2 insufficient_market_liquidity`,
      ]);
    });
  });

  it("shows both orders of a self-trade, the maker first", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await subscribed(served, "alice", "?stream=order,trade");
      const none = { self_trade_prevention: "none" };
      const maker = (await venue.order("alice", none)).body.id;
      const taker = (await venue.order("alice", { ...none, side: "sell" })).body.id;
      assertEquals(inShort(await told(client, 2)), [`${maker} wait 1`, `${taker} wait 1`]);
      const trades = [await client.message("trade"), await client.message("trade")];
      assertEquals(trades.map(({ sequence, trade }) => [sequence, trade.id, trade.order_id]), [
        [1, 1, maker],
        [2, 1, taker],
      ]);
      assertEquals(inShort(await told(client, 2)), [`${maker} done 0`, `${taker} done 0`]);
      await venue.order("alice", { price: "50" });
      await client.message("order");
      assertEquals(client.frames, []);
    });
  });

  it("begins with the open orders, each marked as a snapshot", async () => {
    await withServedVenue(async (served) => {
      const { venue, listenAs } = served;
      const empty = await listenAs("alice", "?stream=order");
      assertEquals((await empty.next()).success.sequences, { order: 0 });
      const first = (await venue.order("alice", { price: "90" })).body.id;
      const done = (await venue.order("alice", { price: "91" })).body.id;
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${done}`);
      const stop = { side: "sell", type: "stop", price: undefined, trigger_price: "80" };
      const second = (await venue.order("alice", stop)).body.id;
      const client = await listenAs("alice", "?stream=order");
      const begun = [await client.next(), await client.next()];
      assertEquals(
        inShort(begun.map(({ order }) => order)),
        [`${first} wait 1`, `${second} trigger_wait 1`],
      );
      assertEquals(begun.map(({ sequence, snapshot }) => [sequence, snapshot]), [
        [4, true],
        [4, true],
      ]);
      assertEquals((await client.next()).success.sequences, { order: 4 });
      await venue.order("alice", { price: "92" });
      assertEquals((await client.message("order")).sequence, 5);
    });
  });
});
