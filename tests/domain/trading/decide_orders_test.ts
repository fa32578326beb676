import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { LEVEL_LOTS_MAX, ORDER_LOTS_MAX } from "../../../src/domain/limits.ts";
import { REJECTION_CODES, type RejectionCode } from "../../../src/domain/rejection.ts";
import { DomainVenue, type OrderText } from "../../support/domain_venue.ts";

/** Returns a market with every limit, and a member with few rights and little money. */
function strictMarket(): DomainVenue {
  const test = new DomainVenue()
    .withMarket("btc", "usdt", {
      minPrice: "10",
      maxPrice: "1000",
      minAmount: "0.1",
      minTotal: "100",
    })
    .withMember("ann", { usdt: "200" });
  test.buy("ann", "1", "100", { clientOrderId: "taken" });
  test.change("ann", { openOrdersMax: 1, marketOrdersEnabled: false });
  test.must({ kind: "change_market", id: "btcusdt", changes: { state: "cancel_only" } });
  test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 5 } });
  return test;
}

interface Step {
  readonly code: RejectionCode;
  readonly field?: string;
  /** Removes the cause of this refusal, in the venue or in the order of all later steps. */
  readonly mend: Partial<OrderText> | ((test: DomainVenue) => unknown);
}

const STEPS: readonly Step[] = [
  {
    code: "trading_level_too_low",
    mend: (test) =>
      test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 3 } }),
  },
  { code: "price_forbidden", field: "price", mend: { type: "stop_limit", price: "0" } },
  { code: "price_missing", field: "price", mend: { price: "9.001" } },
  { code: "trigger_price_missing", field: "trigger_price", mend: { trigger: "1", type: "limit" } },
  {
    code: "trigger_price_forbidden",
    field: "trigger_price",
    mend: { type: "stop_limit", trigger: "9.0001" },
  },
  { code: "time_in_force_forbidden", field: "time_in_force", mend: { timeInForce: "gtc" } },
  { code: "volume_off_grid", field: "amount", mend: { amount: "0.01" } },
  { code: "price_off_grid", field: "price", mend: { price: "9" } },
  { code: "trigger_price_off_grid", field: "trigger_price", mend: { trigger: "9" } },
  { code: "client_order_id_taken", field: "client_order_id", mend: { clientOrderId: "free" } },
  {
    code: "market_not_enabled",
    field: "market",
    mend: (test) =>
      test.must({ kind: "change_market", id: "btcusdt", changes: { state: "enabled" } }),
  },
  { code: "volume_too_small", field: "amount", mend: { amount: "0.1" } },
  { code: "price_too_low", field: "price", mend: { price: "2000" } },
  { code: "price_too_high", field: "price", mend: { price: "220" } },
  { code: "price_too_low", field: "trigger_price", mend: { trigger: "2000" } },
  { code: "price_too_high", field: "trigger_price", mend: { trigger: "200" } },
  { code: "total_too_small", field: "amount", mend: { amount: "10" } },
  { code: "price_out_of_band", field: "price", mend: { price: "200" } },
  {
    code: "open_orders_exceeded",
    field: "market",
    mend: (test) => test.change("ann", { openOrdersMax: 2 }),
  },
  { code: "balance_insufficient", field: "amount", mend: { amount: "0.5" } },
];

describe("placing an order with everything wrong", () => {
  it("is refused for one reason after another, in order of precedence", () => {
    const test = strictMarket();
    test.set({ priceBandBps: 500 });
    let order: OrderText = {
      amount: "0.0000001",
      price: "1",
      type: "market",
      timeInForce: "ioc",
      clientOrderId: "taken",
    };
    let place = -1;
    for (const { code, field, mend } of STEPS) {
      const { rejected, field: wrong } = test.refused("ann", order);
      assertEquals([rejected, wrong], [code, field]);
      // Price and trigger price go through the same two checks, one after the other.
      if (field !== "trigger_price") {
        assert(REJECTION_CODES.indexOf(code) > place, `${code} is listed where it is checked`);
        place = REJECTION_CODES.indexOf(code);
      }
      if (typeof mend === "function") mend(test);
      else order = { ...order, ...mend };
    }
    assert(!isRejection(test.place("ann", order)), "nothing is wrong with it any more");
  });

  it("says which limit was broken", () => {
    const test = strictMarket();
    test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 0 } });
    test.must({ kind: "change_market", id: "btcusdt", changes: { state: "enabled" } });
    const limits: [OrderText, RejectionCode, string][] = [
      [{ amount: "0.0000001", price: "10" }, "volume_off_grid", "6"],
      [{ amount: "1", price: "10.001" }, "price_off_grid", "2"],
      [{ amount: "0.01", price: "10" }, "volume_too_small", "0.1"],
      [{ amount: "1", price: "9.99" }, "price_too_low", "10"],
      [{ amount: "1", price: "1000.01" }, "price_too_high", "1000"],
      [{ amount: "1", price: "1000" }, "open_orders_exceeded", "1"],
      [{ amount: "0.1", price: "1000" }, "open_orders_exceeded", "1"],
      [{ amount: "10", price: "10" }, "open_orders_exceeded", "1"],
      [{ amount: "1", price: "99" }, "total_too_small", "100"],
      [{ amount: "1", price: "100" }, "open_orders_exceeded", "1"],
    ];
    for (const [order, code, limit] of limits) {
      const refusal = test.refused("ann", order);
      assertEquals([refusal.rejected, refusal.limit], [code, limit]);
    }
  });
});

describe("placing orders", () => {
  it("refuses market orders and stops from a member that may not place them", () => {
    const test = strictMarket();
    test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 0 } });
    test.must({ kind: "change_market", id: "btcusdt", changes: { state: "enabled" } });
    const orders: OrderText[] = [
      { amount: "1", type: "market" },
      { amount: "1", type: "stop", trigger: "20" },
    ];
    for (const order of orders) {
      assertEquals(test.place("ann", order), {
        rejected: "market_orders_disabled",
        field: "type",
        index: 0,
      });
    }
  });

  it("says whether an amount or a price has too many digits or is too large", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    const limits: [OrderText, RejectionCode, string, string][] = [
      [{ amount: "10000000.000001", price: "1" }, "volume_too_large", "amount", "10000000"],
      [{ amount: "10000000.0000001", price: "1" }, "volume_off_grid", "amount", "6"],
      [{ amount: "1", price: "99999999999999" }, "price_too_high", "price", "100000000000"],
      [{ amount: "1", price: "99999999999999.001" }, "price_off_grid", "price", "2"],
      [
        { amount: "1", type: "stop", trigger: "100000000000.01" },
        "price_too_high",
        "trigger_price",
        "100000000000",
      ],
    ];
    for (const [order, rejected, field, limit] of limits) {
      assertEquals(test.refused("ann", order), { rejected, field, limit, index: 0 });
    }
    const largest = test.refused("ann", { amount: "10000000", price: "100000000000" });
    assertEquals(largest.rejected, "balance_insufficient");
  });

  it("refuses negative and zero amounts and prices with their own codes", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    const codes: [OrderText, RejectionCode][] = [
      [{ amount: "0", price: "1" }, "volume_too_small"],
      [{ amount: "-1", price: "1" }, "volume_too_small"],
      [{ amount: "1", price: "0" }, "price_missing"],
      [{ amount: "1", price: "-1" }, "price_too_low"],
      [{ amount: "10000000.000001", price: "1" }, "volume_too_large"],
      [{ amount: "1", price: "100000000000.01" }, "price_too_high"],
    ];
    for (const [order, code] of codes) {
      assertEquals(test.refused("ann", order).rejected, code, JSON.stringify(order));
    }
  });

  it("refuses an unknown market", () => {
    const test = strictMarket();
    test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 0, trading: 0 } });
    const orders = [{ ...test.request({ amount: "1", price: "1" }), market: 7 }];
    const member = test.member("ann");
    assertEquals(
      test.do({ kind: "place_orders", member, orders }),
      {
        rejected: "market_not_found",
        field: "market",
        index: 0,
      },
    );
  });

  it("accepts a bulk in full or not at all, and names the first item that fails", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    const order = { amount: "1", price: "100" };
    const refused = test.place("ann", order, order, order);
    assertEquals(refused, {
      rejected: "balance_insufficient",
      field: "amount",
      needed: "100",
      available: "0",
      index: 2,
    });
    assertEquals(test.balance("ann", "usdt"), "200/0");
    assertEquals(test.venue.counters.orders, 0);
    assert(!isRejection(test.place("ann", order, order)));
    assertEquals(test.balance("ann", "usdt"), "0/200");
  });

  it("names an order that is wrong by itself before an earlier one that the state refuses", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    const dear = { amount: "1000", price: "100" };
    const fine = { amount: "1", price: "100" };
    const priceless = { amount: "1" };
    const named = { ...fine, clientOrderId: "a" };
    const cases: [OrderText[], RejectionCode, number][] = [
      [[fine, dear, priceless], "price_missing", 2],
      [[dear, { ...fine, price: "0.001" }, priceless], "price_off_grid", 1],
      [[named, named, priceless], "price_missing", 2],
      [[named, { ...named, price: "1.001" }, priceless], "price_off_grid", 1],
      [[fine, dear, named, named], "balance_insufficient", 1],
    ];
    for (const [orders, rejected, index] of cases) {
      const refusal = test.refused("ann", ...orders);
      assertEquals([refusal.rejected, refusal.index], [rejected, index]);
    }
    const member = test.member("ann");
    const orders = [test.request(dear), { ...test.request(fine), market: 7 }];
    const lost = test.do({ kind: "place_orders", member, orders });
    assertEquals(lost, { rejected: "market_not_found", field: "market", index: 1 });
  });

  it("limits a bulk by the member's own limit if there is one", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    const order = test.request({ amount: "1", price: "1" });
    const member = test.member("ann");
    test.set({ bulkOrdersMax: 2 });
    const bulk = (count: number) =>
      test.do({
        kind: "place_orders",
        member,
        orders: Array.from({ length: count }, () => order),
      });
    assertEquals(bulk(3), { rejected: "orders_per_bulk_exceeded", limit: "2" });
    assert(!isRejection(bulk(2)));
    test.change("ann", { bulkOrdersMax: 3 });
    assert(!isRejection(bulk(3)));
  });

  it("counts open orders per market, but none that cannot rest", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt")
      .withMember("ann", { usdt: "200" });
    test.change("ann", { openOrdersMax: 1 });
    test.buy("ann", "1", "1");
    assertEquals(test.buy("ann", "1", "1", { timeInForce: "ioc" }).state, "cancel");
    assert(!isRejection(test.place("ann", { market: "ethusdt", amount: "1", price: "1" })));
    const refusal = test.refused("ann", { amount: "1", price: "1", type: "post_only" });
    assertEquals(refusal.rejected, "open_orders_exceeded");
  });

  it("lets no more orders rest than the venue does, unless the member has its own limit", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "200" });
    test.set({ openOrdersMax: 2 });
    const place = () => test.place("ann", { amount: "1", price: "1" });
    assert(!isRejection(place()));
    assert(!isRejection(place()));
    const rejected = "open_orders_exceeded";
    const refusal = { rejected, field: "market", limit: "2", index: 0 } as const;
    assertEquals(place(), refusal);
    test.change("ann", { openOrdersMax: 3 });
    assert(!isRejection(place()));
    assertEquals(place(), { ...refusal, limit: "3" });
  });

  for (const trigger of [undefined, "0.01"]) {
    it(`keeps the sum of a ${trigger === undefined ? "level" : "trigger price"} exact`, () => {
      const test = new DomainVenue().withMarket("btc", "usdt");
      const order: OrderText = {
        side: "sell",
        amount: String(ORDER_LOTS_MAX / 1e6),
        price: "5",
        ...(trigger === undefined ? {} : { trigger, type: "stop_limit" as const }),
      };
      test.withMember("ann", { btc: "99999999999" });
      const fitting = Math.floor(LEVEL_LOTS_MAX / ORDER_LOTS_MAX);
      for (let i = 0; i < fitting; i++) assert(!isRejection(test.place("ann", order)));
      assertEquals(test.refused("ann", order).rejected, "volume_too_large");
      test.venue.checkInvariants();
    });
  }
});
