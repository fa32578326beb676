import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CREATED_ORDER, ORDER } from "../../../src/edge/schemas/answers.ts";
import { assertError } from "../../support/assert_error.ts";
import { withVenue } from "../../support/with_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
const READ = "/api/v2/backend/market/orders";

describe("placing an order", () => {
  it("answers 201 with the order in shortest form", () =>
    withVenue(async (venue) => {
      const answer = await venue.order("alice", { amount: "1.50", price: 9120 });
      assertEquals(answer.status, 201);
      assertEquals(answer.headers.get("content-type"), "application/json");
      CREATED_ORDER.parse(answer.body);
      const { uuid, side, type, market_id, volume, price, state, created_at } = answer.body;
      assertEquals([side, type, market_id, volume, price, state], [
        "buy",
        "limit",
        "btcusdt",
        "1.5",
        "9120",
        "pending",
      ]);
      assertMatch(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assertEquals(Number.isInteger(created_at), true);
    }));

  it("answers with every field that the order has when it is read", () =>
    withVenue(async (venue) => {
      const bulk = "/api/v2/trading/market/bulk/orders";
      const terms = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "1" };
      const one = (await venue.order("alice")).body;
      const [other] = (await venue.post("alice", bulk, [terms])).body;
      for (const created of [one, other]) {
        const { trades: _, ...read } = (await venue.get("alice", `${READ}/${created.id}`)).body;
        const names = Object.keys(read);
        assertEquals(names.filter((name) => !(name in created)), []);
        assertEquals(created.reject_reason, null);
        assertEquals(names.indexOf("reject_reason"), names.length - 1);
        assertEquals(Object.keys(created).at(-1), "reject_reason");
      }
    }));

  it("takes decimals of JSON numbers digit by digit", () =>
    withVenue(async (venue) => {
      const text =
        '{"market":"btcusdt","side":"sell","amount":0.300000,"type":"limit","price":0.1}';
      const answer = await venue.call("alice", "POST", ORDERS, { text });
      assertEquals([answer.status, answer.body.volume, answer.body.price], [201, "0.3", "0.1"]);
    }));

  it("takes them with an exponent, as programs write floats", () =>
    withVenue(async (venue) => {
      const text =
        '{"market":"btcusdt","side":"buy","amount":5e-02,"type":"limit","price":9.1200e+3}';
      const answer = await venue.call("alice", "POST", ORDERS, { text });
      assertEquals([answer.status, answer.body.volume, answer.body.price], [201, "0.05", "9120"]);
    }));

  it("takes them without a zero before or after the point", () =>
    withVenue(async (venue) => {
      const answer = await venue.order("alice", { amount: ".5", price: "100." });
      assertEquals([answer.status, answer.body.volume, answer.body.price], [201, "0.5", "100"]);
    }));

  it("takes post_only as a separate field with the type limit", () =>
    withVenue(async (venue) => {
      for (const post_only of [true, "true", "True", 1, "1"]) {
        const { status, body } = await venue.order("alice", { post_only });
        assertEquals([status, body.type], [201, "post_only"], String(post_only));
      }
      for (const post_only of [false, "False", 0, null, undefined]) {
        const { status, body } = await venue.order("alice", { post_only });
        assertEquals([status, body.type], [201, "limit"], String(post_only));
      }
      const same = await venue.order("alice", { type: "post_only", post_only: true });
      assertEquals([same.status, same.body.type], [201, "post_only"]);
      const other = { type: "market", price: undefined, amount: "0.001", post_only: false };
      assertEquals((await venue.order("alice", other)).status, 201);
      const older = { market: "btcusdt", side: "buy", volume: "1", price: "1", post_only: true };
      const { body } = await venue.post("alice", "/api/v2/peatio/market/orders", older);
      assertEquals(body.ord_type, "post_only");
    }));

  it("takes url-encoded and multipart forms", () =>
    withVenue(async (venue) => {
      const form = "market=btcusdt&side=buy&amount=1&type=limit&price=100";
      const urlEncoded = await venue.call("alice", "POST", ORDERS, {
        text: form,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
      assertEquals(urlEncoded.status, 201);
      const parts = new URLSearchParams(form).entries().map(([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      );
      const multipart = await venue.call("alice", "POST", ORDERS, {
        text: `${[...parts].join("")}--x--\r\n`,
        headers: { "Content-Type": "multipart/form-data; boundary=x" },
      });
      assertEquals(multipart.status, 201);
    }));

  it("answers null for the price of a market order", () =>
    withVenue(async (venue) => {
      await venue.order("bob", { side: "sell" });
      const answer = await venue.order("alice", { type: "market", price: null });
      assertEquals([answer.status, answer.body.type, answer.body.price], [201, "market", null]);
    }));

  it("takes fill_or_kill for limit and fok", () =>
    withVenue(async (venue) => {
      const answer = await venue.order("alice", { type: "fill_or_kill" });
      assertEquals([answer.status, answer.body.type, answer.body.time_in_force], [
        201,
        "limit",
        "fok",
      ]);
      const order = await venue.get("alice", `${READ}/${answer.body.id}`);
      assertEquals([order.body.state, order.body.reject_reason], ["cancel", "not_fillable"]);
    }));

  it("answers a repeated client order id with the first order", () =>
    withVenue(async (venue) => {
      const first = await venue.order("alice", { client_order_id: "my-1" });
      const repeat = await venue.order("alice", { client_order_id: "my-1" });
      assertEquals([repeat.status, repeat.body], [201, first.body]);
      const other = await venue.order("alice", { client_order_id: "my-1", price: "101" });
      assertError(other, 422, "market.order.duplicate_client_order_id");
    }));

  const refusals: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["no market", { market: undefined }, "market.order.missing_market"],
    ["an unknown market", { market: "x" }, "market.market.doesnt_exist_or_not_enabled"],
    ["no side", { side: undefined }, "market.order.missing_side"],
    ["a wrong side", { side: "up" }, "market.order.invalid_side"],
    ["no amount", { amount: undefined }, "market.order.missing_amount"],
    ["an amount in words", { amount: "one" }, "market.order.non_decimal_volume"],
    ["a number off the grid", { amount: 1e-7 }, "market.order.invalid_volume_or_price"],
    ["an endless exponent", { amount: "1e400" }, "market.order.invalid_volume_or_price"],
    ["half an exponent", { amount: "1e" }, "market.order.non_decimal_volume"],
    ["no digit before an exponent", { amount: ".e1" }, "market.order.non_decimal_volume"],
    ["an amount of zero", { amount: "0" }, "market.order.non_positive_volume"],
    ["an amount off the grid", { amount: "1.0000001" }, "market.order.invalid_volume_or_price"],
    ["too small an amount", { amount: "0.00001" }, "market.order.invalid_volume_or_price"],
    [
      "an endless amount",
      { amount: `0.${"1".repeat(17)}` },
      "market.order.invalid_volume_or_price",
    ],
    ["no type", { type: undefined }, "market.order.missing_type"],
    ["a wrong type", { type: "maybe" }, "market.order.invalid_type"],
    ["no price", { price: undefined }, "market.order.missing_price"],
    ["a price in words", { price: "low" }, "market.order.non_decimal_price"],
    ["a negative price", { price: "-1" }, "market.order.non_positive_price"],
    ["a price off the grid", { price: "1.001" }, "market.order.invalid_volume_or_price"],
    ["a price on a market order", { type: "market" }, "market.order.market_order_price"],
    ["no trigger price", { type: "stop_limit" }, "market.order.missing_trigger_price"],
    ["a stray trigger price", { trigger_price: "1" }, "market.order.invalid_trigger_price"],
    ["a wrong time in force", { time_in_force: "day" }, "market.order.invalid_time_in_force"],
    [
      "two times in force",
      { type: "fill_or_kill", time_in_force: "ioc" },
      "market.order.invalid_time_in_force",
    ],
    [
      "a time in force on post_only",
      { type: "post_only", time_in_force: "ioc" },
      "market.order.invalid_time_in_force",
    ],
    ["post_only in other words", { post_only: "maybe" }, "market.order.invalid_post_only"],
    [
      "post_only beside a fill-or-kill",
      { type: "fill_or_kill", post_only: true },
      "market.order.invalid_post_only",
    ],
    [
      "post_only beside another time in force",
      { time_in_force: "ioc", post_only: true },
      "market.order.invalid_time_in_force",
    ],
    [
      "a wrong self-trade prevention",
      { self_trade_prevention: "x" },
      "market.order.invalid_self_trade_prevention",
    ],
    ["a wrong client order id", { client_order_id: "a b" }, "market.order.invalid_client_order_id"],
    [
      "too long a client order id",
      { client_order_id: "a".repeat(37) },
      "market.order.too_long_client_order_id",
    ],
    ["no funds", { amount: "1000000" }, "market.account.insufficient_balance"],
  ];
  for (const [cause, terms, identifier] of refusals) {
    it(`answers 422 ${identifier} for ${cause}`, () =>
      withVenue(async (venue) => {
        const answer = await venue.order("alice", terms);
        assertError(answer, 422, identifier);
        const { field, rule, type } = answer.body.details;
        assertEquals([typeof field, typeof rule], ["string", "string"]);
        assertEquals(type, "type" in terms ? terms["type"] : "limit");
      }));
  }

  it("names the field, and the rule and limit that it broke", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice", { amount: "999999999" });
      assertEquals(body, {
        errors: ["market.order.invalid_volume_or_price"],
        details: { field: "amount", limit: "10000000", rule: "maximum", type: "limit" },
      });
      const changes = { min_total: "5", min_price: "0.05", max_price: "1000000" };
      await venue.call("operator", "PATCH", "/api/v2/admin/markets/btcusdt", { json: changes });
      const orders: [Record<string, string>, Record<string, string>][] = [
        [{ amount: "0.00001" }, { field: "amount", limit: "0.0001", rule: "minimum" }],
        [{ amount: "0.0000001" }, { field: "amount", limit: "6", rule: "precision" }],
        [{ price: "0.5" }, { field: "amount", limit: "5", rule: "minimum_total" }],
        [{ price: "0.001" }, { field: "price", limit: "2", rule: "precision" }],
        [{ price: "0.01" }, { field: "price", limit: "0.05", rule: "minimum" }],
        [{ price: "1000000.01" }, { field: "price", limit: "1000000", rule: "maximum" }],
        [
          { type: "stop_limit", trigger_price: "1000000.001" },
          { field: "trigger_price", limit: "2", rule: "precision" },
        ],
      ];
      for (const [terms, details] of orders) {
        const expected = { ...details, type: terms["type"] ?? "limit" };
        assertEquals((await venue.order("alice", terms)).body.details, expected);
      }
    }));

  it("answers several shape errors at once", () =>
    withVenue(async (venue) => {
      const answer = await venue.post("alice", ORDERS, { market: "btcusdt" });
      assertError(
        answer,
        422,
        "market.order.missing_side",
        "market.order.missing_amount",
        "market.order.missing_type",
      );
    }));

  it("answers 400 for broken JSON and 422 for a non-object", () =>
    withVenue(async (venue) => {
      const broken = await venue.call("alice", "POST", ORDERS, { text: '{"market":' });
      assertError(broken, 400, "server.method.invalid_message_body");
      const list = await venue.post("alice", ORDERS, []);
      assertError(list, 422, "server.method.invalid_message_body");
    }));

  it("answers 413 for a body over 4 KiB", () =>
    withVenue(async (venue) => {
      const answer = await venue.order("alice", { client_order_id: "x".repeat(4 * 1024) });
      assertError(answer, 413, "server.body_too_large");
    }));

  it("spends the nonce of a call that it refuses", () =>
    withVenue(async (venue) => {
      const headers = venue.sign("alice");
      const wrong = await venue.call(null, "POST", ORDERS, { json: {}, headers });
      assertEquals(wrong.status, 422);
      const again = await venue.call(null, "POST", ORDERS, { json: {}, headers });
      assertError(again, 401, "authz.nonce_already_used");
      assertEquals(typeof again.body.server_time, "number");
      const key = venue.engine.venue.keyByKid.get("demo-alice");
      assertEquals(key?.nonces.has(Number(headers["X-Auth-Nonce"]), 0), true);
    }));

  it("answers 403 below the trading level", () =>
    withVenue(async (venue) => {
      await venue.call("operator", "PATCH", "/api/v2/admin/members/IDA11CE00001", {
        json: { level: 1 },
      });
      assertError(await venue.order("alice"), 403, "market.trade.not_permitted");
    }));
});

describe("cancelling an order", () => {
  it("takes an id, a uuid and a client order id", () =>
    withVenue(async (venue) => {
      const byId = await venue.order("alice");
      const byUuid = await venue.order("alice");
      await venue.order("alice", { client_order_id: "c" });
      for (const name of [byId.body.id, byUuid.body.uuid, "client:c"]) {
        const answer = await venue.post("alice", `${ORDERS}/cancel/${name}`);
        assertEquals([answer.status, answer.body.state], [201, "cancel"]);
        ORDER.parse(answer.body);
      }
    }));

  it("takes a client order id for as long as the order is open", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice", { client_order_id: "old" });
      venue.clock.now += 25 * 3_600_000;
      const read = await venue.get("alice", "/api/v2/backend/market/orders/client:old");
      assertEquals([read.status, read.body.id], [200, body.id]);
      const answer = await venue.post("alice", `${ORDERS}/cancel/client:old`);
      assertEquals([answer.status, answer.body.id, answer.body.state], [201, body.id, "cancel"]);
    }));

  it("returns an order that has ended as it is", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      await venue.post("alice", `${ORDERS}/cancel/${body.id}`);
      const again = await venue.post("alice", `${ORDERS}/cancel/${body.uuid}`);
      assertEquals([again.status, again.body.state], [201, "cancel"]);
    }));

  it("answers 422 for orders that are unknown or another's", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("bob");
      const uuid = crypto.randomUUID();
      for (const name of [999, body.id, body.uuid, uuid, "9".repeat(30), "client:none"]) {
        assertError(await venue.post("alice", `${ORDERS}/cancel/${name}`), 422, "record.not_found");
      }
      const bad = await venue.post("alice", `${ORDERS}/cancel/abc`);
      assertError(bad, 422, "market.order.invaild_id_or_uuid");
    }));

  it("answers 422 on a halted market", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      await venue.call("operator", "PATCH", "/api/v2/admin/markets/btcusdt", {
        json: { state: "halted" },
      });
      const answer = await venue.post("alice", `${ORDERS}/cancel/${body.id}`);
      assertError(answer, 422, "market.market.halted");
    }));
});

describe("cancelling all orders", () => {
  it("takes every open order with an empty body, in read shape", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("alice", { market: "ethusdt", side: "sell" });
      await venue.order("bob");
      const answer = await venue.call("alice", "POST", `${ORDERS}/cancel`);
      assertEquals([answer.status, answer.body.length], [200, 2]);
      assertEquals(answer.headers.get("X-Cancelled-Orders"), "2");
      answer.body.forEach((order: unknown) => ORDER.parse(order));
      const literal = await venue.call("bob", "POST", `${ORDERS}/cancel`, { text: "null" });
      assertEquals([literal.status, literal.body.length], [200, 1]);
    }));

  it("keeps to the given market and side", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("alice", { side: "sell", price: "200" });
      await venue.order("alice", { market: "ethusdt" });
      const answer = await venue.post("alice", `${ORDERS}/cancel`, {
        market: "btcusdt",
        side: "sell",
      });
      assertEquals(answer.body.map((order: { side: string }) => order.side), ["sell"]);
      assertEquals(answer.headers.get("X-Cancelled-Orders"), "1");
      assertEquals((await venue.get("alice", `${READ}?state=wait`)).body.length, 2);
    }));

  it("answers 422 for a halted market, and skips its orders if none is named", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      await venue.order("alice", { market: "ethusdt" });
      await venue.call("operator", "PATCH", "/api/v2/admin/markets/btcusdt", {
        json: { state: "halted" },
      });
      const refused = await venue.post("alice", `${ORDERS}/cancel`, { market: "btcusdt" });
      assertError(refused, 422, "market.market.halted");
      assertEquals(refused.body.details, { field: "market", rule: "state" });
      const rest = await venue.post("alice", `${ORDERS}/cancel`);
      assertEquals(rest.body.map((order: { market: string }) => order.market), ["ethusdt"]);
      assertEquals((await venue.get("alice", `${READ}/${body.id}`)).body.state, "wait");
    }));

  it("answers 422 for a wrong market or side", () =>
    withVenue(async (venue) => {
      const market = await venue.post("alice", `${ORDERS}/cancel`, { market: "x" });
      assertError(market, 422, "market.market.doesnt_exist");
      const side = await venue.post("alice", `${ORDERS}/cancel`, { side: "x" });
      assertError(side, 422, "market.order.invalid_side");
    }));
});
