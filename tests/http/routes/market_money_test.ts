/** What market and stop buys cost: their money, over HTTP and over a socket. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const BULK = "/api/v2/trading/market/bulk/orders";
const READ = "/api/v2/backend/market/orders";
const SHORT = "market.account.insufficient_balance";
/** Alice has 10,000,000 usdt. */
const BUY = { market: "btcusdt", side: "buy", type: "market", amount: "15" };

async function ask(venue: TestVenue, amount: string, price: string): Promise<void> {
  await venue.order("bob", { side: "sell", amount, price });
}

async function usdt(venue: TestVenue): Promise<string[]> {
  const { body } = await venue.get("alice", "/api/v2/backend/account/balances/usdt");
  return [body.balance, body.locked];
}

describe("a market buy", () => {
  it("that costs more than is free is refused before anything happens", () =>
    withVenue(async (venue) => {
      await ask(venue, "14", "700000");
      await ask(venue, "1", "800000");
      const { engine } = venue;
      const before = engine.venue.counters.orders;
      const answer = await venue.order("alice", { ...BUY, price: undefined });
      assertError(answer, 422, SHORT);
      assertEquals(answer.body.details, {
        field: "amount",
        needed: "10600000",
        available: "10000000",
        rule: "funds",
        type: "market",
      });
      assertEquals([engine.venue.counters.orders, await usdt(venue)], [
        before,
        ["10000000.0", "0.0"],
      ]);
      const fitting = await venue.order("alice", { ...BUY, price: undefined, amount: "14.25" });
      const { body } = await venue.get("alice", `${READ}/${fitting.body.id}`);
      assertEquals([fitting.status, body.state, body.executed_volume], [201, "done", "14.25"]);
      assertEquals(await usdt(venue), ["0.0", "0.0"]);
    }));

  it("fills what there is if nobody offers as much as it wants", () =>
    withVenue(async (venue) => {
      await ask(venue, "1", "700000");
      const { body: { id } } = await venue.order("alice", { ...BUY, price: undefined });
      const { body } = await venue.get("alice", `${READ}/${id}`);
      assertEquals([body.state, body.reject_reason, body.executed_volume], [
        "cancel",
        "insufficient_market_liquidity",
        "1.0",
      ]);
      assertEquals(await usdt(venue), ["9300000.0", "0.0"]);
    }));

  it("is refused in a bulk for what the orders before it leave of asks and money", () =>
    withVenue(async (venue) => {
      for (const price of ["4000000", "5000000", "6000000"]) await ask(venue, "1", price);
      const one = { ...BUY, amount: "1" };
      const answer = await venue.post("alice", BULK, [one, one, one]);
      assertError(answer, 422, SHORT);
      assertEquals([answer.body.index, answer.body.details], [2, {
        field: "amount",
        needed: "6000000",
        available: "100000",
        rule: "funds",
        type: "market",
      }]);
      assertEquals(await usdt(venue), ["10000000.0", "0.0"]);
      const limit = { ...BUY, type: "limit", amount: "1", price: "100" };
      const locked = await venue.post("alice", BULK, [{ ...limit, amount: "60000" }, one, one]);
      assertEquals([locked.status, locked.body.index, locked.body.details.available], [
        422,
        2,
        "0",
      ]);
    }));

  it("over a socket is refused likewise, by itself or among others", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      await ask(venue, "14", "700000");
      await ask(venue, "1", "800000");
      const alice = await RpcClient.open(served, "alice");
      const args = ["btcusdt", "m", "buy", "15"];
      const [, , , errors, { details }] = await alice.ask("create_order", args);
      assertEquals([errors, details], [[SHORT], {
        field: "amount",
        needed: "10600000",
        available: "10000000",
        rule: "funds",
        type: "market",
      }]);
      const [, , , answers, { failures }] = await alice.ask("create_bulk", [args, args]);
      assertEquals(answers, ["error", "error"]);
      assertEquals(failures.map((one: { errors: string[] }) => one.errors), [[SHORT], [SHORT]]);
      assertEquals(await usdt(venue), ["10000000.0", "0.0"]);
    }));
});

describe("a stop buy", () => {
  it("fills completely once it is triggered, with what its member has free", () =>
    withVenue(async (venue) => {
      await ask(venue, "1", "1000");
      await venue.order("alice", { amount: "1", price: "1000" });
      const stop = { ...BUY, type: "stop", amount: "1", trigger_price: "1050", price: undefined };
      const { body: { id } } = await venue.order("alice", stop);
      assertEquals(await usdt(venue), ["9997845.0", "1155.0"]);
      await ask(venue, "0.02", "1060");
      await ask(venue, "1", "1200");
      await venue.order("bob", { amount: "0.01", price: "1060", self_trade_prevention: "none" });
      const { body } = await venue.get("alice", `${READ}/${id}`);
      assertEquals([body.state, body.reject_reason, body.executed_volume], ["done", null, "1.0"]);
      // 0.01 at 1060, and 0.99 at 1200.
      assertEquals(await usdt(venue), ["9997801.4", "0.0"]);
    }));
});

describe("a fill-or-kill order that can't fill", () => {
  it("is cancelled completely, wherever it is shown", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      await alice.call("subscribe", ["private", ["orders"]]);
      const { body: { id } } = await venue.order("alice", { type: "fill_or_kill" });
      const { body } = await venue.get("alice", `${READ}/${id}`);
      assertEquals([body.state, body.reject_reason, body.executed_volume], [
        "cancel",
        "not_fillable",
        "0.0",
      ]);
      for (const [state, count] of [["cancel", 1], ["reject", 0]] as const) {
        const listed = await venue.get("alice", `${READ}?state=${state}`);
        assertEquals(listed.body.length, count, state);
      }
      assertEquals((await alice.event("oc")).slice(3, 6), ["buy", "c", "f"]);
    }));
});
