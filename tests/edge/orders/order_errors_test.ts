import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { orderError } from "../../../src/edge/orders/order_errors.ts";
import { ApiError } from "../../../src/edge/errors.ts";
import { assertError } from "../../support/assert_error.ts";
import { withVenue } from "../../support/with_venue.ts";

const BULK = "/api/v2/trading/market/bulk/orders";
const BUY = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };

describe("the details of an error about an order", () => {
  it("name the field, the rule and the type, and the type to use instead", () =>
    withVenue(async (venue) => {
      const cases: [terms: Record<string, unknown>, details: Record<string, string>][] = [
        [
          { type: "stop", trigger_price: "90" },
          { field: "price", rule: "forbidden", type: "stop", use: "stop_limit" },
        ],
        [{ type: "market" }, { field: "price", rule: "forbidden", type: "market", use: "limit" }],
        [
          { type: "market", price: undefined, trigger_price: "90" },
          { field: "trigger_price", rule: "forbidden", type: "market", use: "stop" },
        ],
        [
          { trigger_price: "90" },
          { field: "trigger_price", rule: "forbidden", type: "limit", use: "stop_limit" },
        ],
        [
          { type: "post_only", trigger_price: "90" },
          { field: "trigger_price", rule: "forbidden", type: "post_only" },
        ],
        [
          { type: "stop", price: undefined },
          { field: "trigger_price", rule: "required", type: "stop" },
        ],
        [
          { type: "fill_or_kill", time_in_force: "ioc" },
          { field: "time_in_force", value: "ioc", rule: "forbidden", type: "fill_or_kill" },
        ],
        [{ type: "maybe" }, { field: "type", value: "maybe", rule: "known", type: "maybe" }],
        [{ market: "x" }, { field: "market", value: "x", rule: "known", type: "limit" }],
      ];
      for (const [terms, details] of cases) {
        assertEquals((await venue.order("alice", terms)).body.details, details);
      }
    }));

  it("are those of the item that a bulk names", () =>
    withVenue(async (venue) => {
      const stray = { ...BUY, type: "stop", trigger_price: "90" };
      const shape = await venue.post("alice", BULK, [BUY, { ...BUY, type: "market" }, stray]);
      assertError(shape, 422, "market.order.market_order_price");
      assertEquals([shape.body.index, shape.body.details.type], [1, "market"]);
      const wrong = await venue.post("alice", BULK, [BUY, { ...stray, side: "up" }]);
      assertEquals(wrong.body.details, {
        field: "side",
        value: "up",
        rule: "known",
        type: "stop",
      });
    }));

  it("have the older names of fields where the call had them", () =>
    withVenue(async (venue) => {
      const { type: ord_type, amount: volume, ...rest } = BUY;
      const path = "/api/v2/peatio/market/orders";
      const market = await venue.post("alice", path, { ...rest, volume, ord_type: "market" });
      const details = { field: "price", rule: "forbidden", type: "market", use: "limit" };
      assertEquals(market.body.details, details);
      const small = await venue.post("alice", path, { ...rest, volume: "1e-7", ord_type });
      assertEquals([small.body.details.field, small.body.details.rule], ["volume", "precision"]);
    }));

  it("are left alone where no field is at fault, or it is no 422", () => {
    for (const error of [new ApiError(422, "a.b"), new ApiError(400, "a.b"), new Error("x")]) {
      assertEquals(orderError(error, BUY) === error, true);
    }
  });
});
