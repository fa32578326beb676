import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";

/** Elements of an order that all members of the family have. */
const FAMILY = 13;
/** Elements of a trade that all members of the family have. */
const FAMILY_TRADE = 12;

/** Times in ms that a record ends with: two of an order, one of a trade. */
function timesOf(record: Frame[], count: number): Frame[] {
  return record.slice(record.length - count);
}

/**
 * Returns the name and the further elements of the next event about an order or a trade, without
 * the times in ms that it ends with.
 */
async function next({ stream }: RpcClient, hasTimes = true): Promise<Frame[]> {
  const names = ["os", "on", "ou", "oc", "or", "tr"];
  const [, name, args] = await stream.next((frame) => frame[0] === 4 && names.includes(frame[1]));
  const [family, times] = name === "tr" ? [FAMILY_TRADE, 1] : [FAMILY, 2];
  return [name, ...args.slice(family, hasTimes ? args.length - times : args.length)];
}

function order(type: string, price: string, fields: object): readonly unknown[] {
  return ["btcusdt", type, "buy", "1", price, fields];
}

describe("records over an order socket", () => {
  it("tell which of the member's orders they are about, its terms and why it ended", () =>
    withServedVenue(async (served) => {
      await served.venue.order("bob", { side: "sell", price: "100", amount: "1" });
      const alice = await RpcClient.open(served, "alice");
      await alice.call("subscribe", ["private", ["orders", "trades"]]);
      const place = (...args: Parameters<typeof order>) =>
        alice.stream.send([1, "new", "create_order", order(...args)]);
      place("p", "100", { client_order_id: "a" });
      assertEquals(await next(alice), ["on", null, "a", null, "gtc"]);
      assertEquals(await next(alice), ["or", "would_take", "a", null, "gtc"]);
      place("l", "100", { client_order_id: "b", time_in_force: "ioc" });
      assertEquals(await next(alice), ["on", null, "b", null, "ioc"]);
      assertEquals(await next(alice), ["tr", "b", "taker"]);
      assertEquals(await next(alice), ["ou", null, "b", null, "ioc"]);
      place("sl", "120", { client_order_id: "c", trigger_price: "110" });
      assertEquals(await next(alice), ["on", null, "c", "110", "gtc"]);
      alice.stream.send([1, "end", "cancel_order", ["uuid", "client:c"]]);
      assertEquals(await next(alice), ["oc", null, "c", "110", "gtc"]);
      const listed = await alice.call("list_orders", ["btcusdt", 1]);
      assertEquals(listed.map((tuple: Frame[]) => tuple.slice(FAMILY, -2)), [
        [null, "c", "110", "gtc"],
        [null, "b", null, "ioc"],
        ["would_take", "a", null, "gtc"],
      ]);
      const found = await alice.call("get_orders", ["client:c", "client:a"]);
      assertEquals(found.map((tuple: Frame[]) => tuple[FAMILY + 1]), ["c", "a"]);
      const [trade] = await alice.call("get_order_trades", ["client:b"]);
      assertEquals(trade.slice(FAMILY_TRADE, -1), ["b", "taker"]);
    }));

  it("end with their times in ms, as the same records over HTTP have them", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      await alice.call("subscribe", ["private", ["orders", "trades"]]);
      await alice.call("subscribe", ["public", ["btcusdt.trades"]]);
      await venue.order("alice", { price: "100", amount: "1" });
      venue.clock.now += 1234;
      await venue.order("bob", { side: "sell", price: "100", amount: "1" });
      const names = ["on", "tr", "ou", "trade"];
      const told = new Map<string, Frame[]>();
      while (told.size < names.length) {
        const [, name, args] = await alice.stream.next((frame) => names.includes(frame[1]));
        told.set(name, args);
      }
      const [order] = (await venue.get("alice", "/api/v2/backend/market/orders")).body;
      const [trade] = (await venue.get("alice", "/api/v2/backend/market/trades")).body;
      const { created_at_ms, updated_at_ms } = order;
      assert(updated_at_ms >= created_at_ms + 1234);
      assertEquals(trade.created_at_ms, updated_at_ms);
      assertEquals(timesOf(told.get("on") ?? [], 2), [created_at_ms, created_at_ms]);
      assertEquals(timesOf(told.get("ou") ?? [], 2), [created_at_ms, updated_at_ms]);
      assertEquals(timesOf(told.get("tr") ?? [], 1), [trade.created_at_ms]);
      assertEquals(timesOf(told.get("trade") ?? [], 1), [trade.created_at_ms]);
    }));

  it("share the number of their event", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      await alice.call("subscribe", ["private", ["orders", "trades", "balances"]]);
      await served.venue.order("alice", { price: "100", amount: "1" });
      await served.venue.order("bob", { side: "sell", price: "100", amount: "1" });
      const events = new Map<string, number>();
      while (events.size < 5) {
        const [kind, name, , , event] = await alice.stream.next();
        if (kind === 4) events.set(events.has(name) ? `${name} again` : name, event);
      }
      const [on, bu, tr, ou, again] = ["on", "bu", "tr", "ou", "bu again"]
        .map((name) => events.get(name));
      assertEquals([bu, ou, again], [on, tr, tr]);
      assertEquals(served.venue.engine.venue.sequence, tr);
    }));

  it("have the family's elements alone at older paths", () =>
    withServedVenue(async (served) => {
      await served.venue.order("bob", { side: "sell", price: "100", amount: "1" });
      const alice = await RpcClient.open(served, "alice", "/api/v2/finex");
      await alice.call("subscribe", ["private", ["orders", "trades"]]);
      alice.stream.send([1, 1, "create_order", order("p", "100", { client_order_id: "a" })]);
      const last = () => next(alice, false);
      assertEquals([await last(), await last()], [["on"], ["or", "would_take"]]);
      alice.stream.send([1, 1, "create_order", order("l", "100", { client_order_id: "b" })]);
      assertEquals([await last(), await last(), await last()], [["on"], ["tr"], ["ou"]]);
      const [listed] = await alice.call("list_orders", ["btcusdt", 1]);
      assertEquals(listed.length, FAMILY);
    }));
});
