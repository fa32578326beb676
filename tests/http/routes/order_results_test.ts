import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CREATED_ORDER } from "../../../src/edge/schemas/answers.ts";
import { assertError } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
const BULK = "/api/v2/trading/market/bulk/orders";
const READ = "/api/v2/backend/market/orders";
const OLDER = "/api/v2/peatio/market/orders";
const RESULT = { response: "result" };
const BUY = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };

/** Offers 0.4 at 99 and 0.5 at 100. */
async function offer(venue: TestVenue): Promise<void> {
  await venue.order("bob", { side: "sell", amount: "0.4", price: "99" });
  await venue.order("bob", { side: "sell", amount: "0.5", price: "100" });
}

describe("an order that asks for its result", () => {
  it("is answered with its state, fills, average and trades with their fees", () =>
    withVenue(async (venue) => {
      await offer(venue);
      const { status, body } = await venue.order("alice", RESULT);
      assertEquals(status, 201);
      CREATED_ORDER.parse(body);
      const { state, executed_volume, remaining_volume, executed_total, trades_count } = body;
      assertEquals([state, executed_volume, remaining_volume, executed_total, trades_count], [
        "wait",
        "0.9",
        "0.1",
        "89.6",
        2,
      ]);
      assertEquals(body.avg_price, "99.5555555555555555");
      assertEquals(body.fees, { btc: "0.0018" });
      const [first, second] = body.trades;
      assertEquals([first.price, first.amount, first.total], ["99", "0.4", "39.6"]);
      assertEquals([first.fee_amount, first.fee_currency, first.liquidity], [
        "0.0008",
        "btc",
        "taker",
      ]);
      assertEquals([second.price, second.amount, second.order_id], ["100", "0.5", body.id]);
    }));

  it("is shown as it is read right afterwards, with the fields of its creation", () =>
    withVenue(async (venue) => {
      await offer(venue);
      const { body } = await venue.order("alice", RESULT);
      const read = (await venue.get("alice", `/api/v2/finex/market/orders/${body.id}`)).body;
      const { type, market_id, volume, ...rest } = body;
      assertEquals([type, market_id, volume], ["limit", "btcusdt", "1"]);
      assertEquals(Object.keys(rest), Object.keys(read));
      assertEquals([rest.state, rest.trades.length], [read.state, read.trades.length]);
    }));

  const ends: readonly (readonly [string, Record<string, unknown>, readonly unknown[]])[] = [
    ["done", { amount: "0.9" }, ["done", null, 2]],
    ["one that would take", { type: "post_only" }, ["reject", "would_take", 0]],
    ["one that can't fill", { type: "fill_or_kill" }, ["cancel", "not_fillable", 0]],
    ["the rest of an ioc", { time_in_force: "ioc" }, ["cancel", "time_in_force", 2]],
    [
      "a market order that finds no more",
      { type: "market", price: undefined },
      ["cancel", "insufficient_market_liquidity", 2],
    ],
    ["a stop", { type: "stop_limit", trigger_price: "500" }, ["trigger_wait", null, 0]],
    ["one that rests", { price: "1" }, ["wait", null, 0]],
  ];
  for (const [what, terms, expected] of ends) {
    it(`tells how it ended: ${what}`, () =>
      withVenue(async (venue) => {
        await offer(venue);
        const { body } = await venue.order("alice", { ...terms, ...RESULT });
        assertEquals([body.state, body.reject_reason, body.trades.length], expected);
      }));
  }

  it("tells of a trade with oneself the side of the order", () =>
    withVenue(async (venue) => {
      await venue.order("alice", { side: "sell" });
      const { body } = await venue.order("alice", { self_trade_prevention: "none", ...RESULT });
      const sides = body.trades.map(({ side, liquidity }: Record<string, string>) => {
        return [side, liquidity];
      });
      assertEquals([body.state, sides], ["done", [["buy", "taker"]]]);
    }));

  it("is answered with its present state and trades if it repeats a client order id", () =>
    withVenue(async (venue) => {
      const named = { client_order_id: "my-1", ...RESULT };
      const first = (await venue.order("alice", named)).body;
      assertEquals([first.state, first.trades], ["wait", []]);
      await venue.order("bob", { side: "sell", amount: "0.25" });
      const again = (await venue.order("alice", named)).body;
      assertEquals([again.id, again.state, again.executed_volume], [first.id, "wait", "0.25"]);
      assertEquals([again.trades.length, again.trades[0].liquidity], [1, "maker"]);
      await venue.order("bob", { side: "sell", amount: "0.75" });
      const ended = (await venue.order("alice", named)).body;
      assertEquals([ended.state, ended.trades.length, ended.remaining_volume], ["done", 2, "0"]);
      const { body } = await venue.order("alice", { client_order_id: "my-1" });
      assertEquals([body.state, "trades" in body], ["pending", false]);
    }));

  it("may ask for it by a query or a form", () =>
    withVenue(async (venue) => {
      const query = await venue.post("alice", `${ORDERS}?response=result`, BUY);
      assertEquals(query.body.state, "wait");
      const form = await venue.call("alice", "POST", ORDERS, {
        text: "market=btcusdt&side=buy&amount=1&type=limit&price=100&response=result",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      assertEquals(form.body.state, "wait");
    }));

  it("is shown under the older path as orders and trades are there", () =>
    withVenue(async (venue) => {
      await offer(venue);
      const order = { market: "btcusdt", side: "buy", volume: "0.4", price: "99", ...RESULT };
      const { body } = await venue.post("alice", OLDER, { ...order, client_id: "my-1" });
      assertEquals([body.state, body.client_id, typeof body.created_at], [
        "done",
        "my-1",
        "string",
      ]);
      assertEquals([body.trades[0].volume, body.trades[0].funds], ["0.4", "39.6"]);
    }));
});

describe("an order that asks for an acknowledgement", () => {
  it("is answered as one that says nothing", () =>
    withVenue(async (venue) => {
      await offer(venue);
      for (const response of ["ack", null, undefined]) {
        const { body } = await venue.order("alice", { response });
        assertEquals([body.state, body.executed_volume, "trades" in body], [
          "pending",
          "0",
          false,
        ]);
      }
    }));

  it("is refused if it asks for anything else, with the field", () =>
    withVenue(async (venue) => {
      for (const [response, nearest] of [["results", "result"], ["", undefined], [1, undefined]]) {
        const answer = await venue.order("alice", { response });
        assertError(answer, 422, "market.order.invalid_response");
        const { field, rule, nearest: named } = answer.body.details;
        assertEquals([field, rule, named], ["response", "known", nearest]);
      }
      const misspelt = await venue.order("alice", { respons: "result" });
      assertError(misspelt, 422, "server.unknown_field");
      const { field, nearest } = misspelt.body.details;
      assertEquals([field, nearest], ["respons", "response"]);
      assertEquals((await venue.get("alice", READ)).body, []);
    }));
});

describe("a bulk of which some orders ask for their results", () => {
  it("answers each as it asks", () =>
    withVenue(async (venue) => {
      await offer(venue);
      const orders = [BUY, { ...BUY, ...RESULT, price: "101" }, { ...BUY, response: "ack" }];
      const { status, body } = await venue.post("alice", BULK, orders);
      assertEquals(status, 201);
      const summary = body.map((one: Record<string, unknown>) => [
        one["state"],
        one["executed_volume"],
        "trades" in one,
      ]);
      // The first one has taken all that was offered.
      assertEquals(summary, [["pending", "0", false], ["wait", "0", true], [
        "pending",
        "0",
        false,
      ]]);
    }));

  it("names the order that asks for anything else", () =>
    withVenue(async (venue) => {
      const answer = await venue.post("alice", BULK, [BUY, { ...BUY, response: "x" }]);
      assertError(answer, 422, "market.order.invalid_response");
      assertEquals(answer.body.index, 1);
    }));

  it("may repeat orders, which are shown as they are by now", () =>
    withVenue(async (venue) => {
      const named = { ...BUY, ...RESULT, client_order_id: "my-1" };
      const [first] = (await venue.post("alice", BULK, [named])).body;
      await venue.order("bob", { side: "sell" });
      const [again, other] = (await venue.post("alice", BULK, [named, BUY])).body;
      assertEquals([again.id, again.state, again.trades.length], [first.id, "done", 1]);
      assertEquals(other.state, "pending");
    }));
});
