import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CREATED_ORDER } from "../../../src/edge/schemas/answers.ts";
import { assertError } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const BULK = "/api/v2/trading/market/bulk/orders";
const BULK_BY_ID = "/api/v2/trading/market/bulk/orders_by_id";
const READ = "/api/v2/backend/market/orders";
const BUY = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };

async function openCount(venue: TestVenue): Promise<number> {
  return (await venue.get("alice", `${READ}?state=wait&limit=1000`)).body.length;
}

describe("placing many orders", () => {
  it("answers 201 with the orders in the order of the request", () =>
    withVenue(async (venue) => {
      const answer = await venue.post("alice", BULK, [BUY, { ...BUY, price: "99" }]);
      assertEquals(answer.status, 201);
      answer.body.forEach((order: unknown) => CREATED_ORDER.parse(order));
      assertEquals(answer.body.map((order: { price: string }) => order.price), ["100", "99"]);
    }));

  it("places none if one fails, and names it", () =>
    withVenue(async (venue) => {
      const shape = await venue.post("alice", BULK, [BUY, { ...BUY, side: "x" }]);
      assertError(shape, 422, "market.order.invalid_side");
      assertEquals(shape.body.index, 1);
      const market = await venue.post("alice", BULK, [BUY, BUY, { ...BUY, market: "x" }]);
      assertError(market, 422, "market.market.doesnt_exist_or_not_enabled");
      assertEquals(market.body.index, 2);
      const rich = { ...BUY, amount: "60000" };
      const funds = await venue.post("alice", BULK, [rich, rich]);
      assertError(funds, 422, "market.account.insufficient_balance");
      assertEquals(funds.body.index, 1);
      const named = { ...BUY, client_order_id: "a" };
      const twice = await venue.post("alice", BULK, [named, named]);
      assertError(twice, 422, "market.order.duplicate_client_order_id");
      assertEquals(twice.body.index, 1);
      assertEquals(await openCount(venue), 0);
    }));

  it("names the first order with a wrong field, whatever kind of fault that is", () =>
    withVenue(async (venue) => {
      const worded = { ...BUY, amount: "x" };
      const strange = { ...BUY, market: "x" };
      const priceless = { ...BUY, price: undefined };
      const priced = { ...BUY, type: "market" };
      const uneven = { ...BUY, price: "100.001" };
      const two = { ...BUY, type: "fill_or_kill", time_in_force: "ioc" };
      const rich = { ...BUY, amount: "60000" };
      const missing = "market.order.missing_price";
      const cases: [Record<string, unknown>[], string, number][] = [
        [[priceless, worded], missing, 0],
        [[worded, priceless], "market.order.non_decimal_volume", 0],
        [[BUY, priced, strange], "market.order.market_order_price", 1],
        [[BUY, uneven, two], "market.order.invalid_volume_or_price", 1],
        [[BUY, two, uneven], "market.order.invalid_time_in_force", 1],
        [[rich, rich, worded], "market.order.non_decimal_volume", 2],
        [[rich, rich, BUY, priceless], missing, 3],
        [[BUY, rich, rich], "market.account.insufficient_balance", 2],
      ];
      for (const [orders, identifier, index] of cases) {
        const answer = await venue.post("alice", BULK, orders);
        assertError(answer, 422, identifier);
        assertEquals(answer.body.index, index, JSON.stringify(orders));
      }
      const { body } = await venue.post("alice", BULK, [uneven, worded]);
      assertEquals(body.details, {
        field: "price",
        limit: "2",
        rule: "precision",
        type: "limit",
      });
      assertEquals(await openCount(venue), 0);
    }));

  it("answers 422 to no list or an empty one", () =>
    withVenue(async (venue) => {
      assertError(await venue.post("alice", BULK), 422, "market.order.missing_orders");
      assertError(await venue.post("alice", BULK, BUY), 422, "market.order.invalid_orders");
      assertError(await venue.post("alice", BULK, []), 422, "market.order.empty_orders");
      const broken = await venue.call("alice", "POST", BULK, { text: "[{]" });
      assertError(broken, 422, "server.method.invalid_message_body");
    }));

  it("counts what it does not parse, and takes as much from the rate limit as it has orders", () =>
    withVenue(async (venue) => {
      const many = `[${"{},".repeat(80_000)}{}]`;
      const answer = await venue.call("alice", "POST", BULK, {
        text: many,
        headers: { "Content-Type": "application/json" },
      });
      assertError(answer, 413, "market.order.bulk_limit_exceeded");
      assertEquals(answer.body.details, { value: "80001", limit: "100" });
      assertEquals(answer.headers.get("retry-after"), null);
      const next = await venue.order("alice");
      assertError(next, 429, "server.rate_limited");
      assertEquals(next.headers.get("retry-after"), "1");
      const [first, second] = [
        await venue.post("bob", BULK, [{}, {}, {}]),
        await venue.order("bob"),
      ];
      assertEquals([first, second].map(({ headers }) => headers.get("ratelimit-remaining")), [
        "97",
        "96",
      ]);
    }, { rateLimit: 100 }));

  it("answers 413 above the limit, which may be the member's own", () =>
    withVenue(async (venue) => {
      const many = Array.from({ length: 101 }, () => BUY);
      const answer = await venue.post("alice", BULK, many);
      assertError(answer, 413, "market.order.bulk_limit_exceeded");
      assertEquals(answer.body.details, { value: "101", limit: "100" });
      await venue.call("operator", "PATCH", "/api/v2/admin/members/IDA11CE00001", {
        json: { bulk_orders_max: 101 },
      });
      assertEquals((await venue.post("alice", BULK, many)).status, 201);
    }));

  it("takes bodies up to 256 KiB", () =>
    withVenue(async (venue) => {
      const item = JSON.stringify(BUY);
      const large = { text: `[${item}${" ".repeat(200 * 1024)}]` };
      assertEquals((await venue.call("alice", "POST", BULK, large)).status, 201);
      const larger = { text: `[${item}${" ".repeat(257 * 1024)}]` };
      const refused = await venue.call("alice", "POST", BULK, larger);
      assertError(refused, 413, "server.body_too_large");
    }));
});

describe("cancelling many orders", () => {
  it("takes uuids and client order ids, skipping unknown and foreign ones", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      await venue.order("alice", { client_order_id: "c" });
      await venue.order("alice");
      const foreign = await venue.order("bob");
      const names = [body.uuid, "client:c", foreign.body.uuid, crypto.randomUUID(), body.uuid];
      const answer = await venue.call("alice", "DELETE", BULK, { json: names });
      assertEquals([answer.status, answer.text], [200, '"orders.cancel.accepted"']);
      assertEquals(answer.headers.get("X-Cancelled-Orders"), "2");
      const again = await venue.call("alice", "DELETE", BULK, { json: names });
      assertEquals([again.text, again.headers.get("X-Cancelled-Orders")], [answer.text, "0"]);
      assertEquals(await openCount(venue), 1);
      const kept = await venue.get("bob", `${READ}/${foreign.body.id}`);
      assertEquals(kept.body.state, "wait");
    }));

  it("takes ids", () =>
    withVenue(async (venue) => {
      const first = await venue.order("alice");
      const second = await venue.order("alice");
      const json = [first.body.id, second.body.id, 999];
      const answer = await venue.call("alice", "DELETE", BULK_BY_ID, { json });
      assertEquals([answer.status, answer.body], [200, "orders.cancel.accepted"]);
      assertEquals(answer.headers.get("X-Cancelled-Orders"), "2");
      assertEquals(await openCount(venue), 0);
    }));

  it("skips orders on a halted market", () =>
    withVenue(async (venue) => {
      const halted = await venue.order("alice", { market: "ethusdt" });
      const first = await venue.order("alice");
      const second = await venue.order("alice");
      await venue.call("operator", "PATCH", "/api/v2/admin/markets/ethusdt", {
        json: { state: "halted" },
      });
      const uuids = [halted.body.uuid, first.body.uuid];
      const ids = [halted.body.id, second.body.id];
      for (const [path, json] of [[BULK, uuids], [BULK_BY_ID, ids]] as const) {
        const answer = await venue.call("alice", "DELETE", path, { json });
        assertEquals([answer.status, answer.body], [200, "orders.cancel.accepted"]);
        assertEquals(answer.headers.get("X-Cancelled-Orders"), "1");
      }
      const open = await venue.get("alice", `${READ}?state=wait`);
      assertEquals(open.body.map(({ id }: { id: number }) => id), [halted.body.id]);
    }));

  it("answers 422 to invalid names, and 413 to too many", () =>
    withVenue(async (venue) => {
      const remove = (path: string, json: unknown) => venue.call("alice", "DELETE", path, { json });
      const name = await remove(BULK, [crypto.randomUUID(), "x"]);
      assertError(name, 422, "market.order.invaild_id_or_uuid");
      assertEquals(name.body.index, 1);
      assertError(await remove(BULK, [1]), 422, "market.order.invaild_id_or_uuid");
      assertError(await remove(BULK_BY_ID, [1.5]), 422, "market.order.invaild_id_or_uuid");
      assertError(await remove(BULK_BY_ID, ["x"]), 422, "market.order.invaild_id_or_uuid");
      assertError(await remove(BULK_BY_ID, {}), 422, "market.order.invalid_orders");
      assertError(await remove(BULK, []), 422, "market.order.empty_orders");
      const many = Array.from({ length: 101 }, (_, i) => i + 1);
      assertError(await remove(BULK_BY_ID, many), 413, "market.order.bulk_limit_exceeded");
    }));
});
