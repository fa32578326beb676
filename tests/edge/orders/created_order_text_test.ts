import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { createdOrderText } from "../../../src/edge/orders/created_order_text.ts";
import { CREATED_ORDER } from "../../../src/edge/schemas/answers.ts";
import { type Fraction, isoSeconds, type WireSource } from "../../../src/edge/wire/wire.ts";
import {
  isPriceless,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../src/domain/trading/order.ts";
import { formatInteger } from "../../../src/domain/money/money.ts";

const SOURCE = {
  venue: { book: () => ({ market: { id: "btcusdt", pricePrecision: 2, amountPrecision: 6 } }) },
  uuidOf: (id: number) => `00000000-0000-8000-8000-${String(id).padStart(12, "0")}`,
} as unknown as WireSource;

const arbitraryOrder = fc.record({
  id: fc.nat(),
  member: fc.nat(),
  market: fc.constant(0),
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom(...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  selfTrade: fc.constantFrom(...SELF_TRADE_PREVENTIONS),
  price: fc.nat(),
  triggerPrice: fc.nat(),
  volume: fc.nat(),
  clientOrderId: fc.stringMatching(/^[A-Za-z0-9_-]{0,36}$/),
  makerFee: fc.nat(500_000),
  takerFee: fc.nat(500_000),
});

describe("the answer to a new order", () => {
  it("is what JSON.stringify makes of the order's fields, whichever they are", () => {
    fc.assert(fc.property(
      arbitraryOrder,
      fc.nat(),
      fc.constantFrom<Fraction>(0, 1),
      fc.boolean(),
      (order, at, fraction, isPeatio) => {
        const volume = formatInteger(order.volume, 6, fraction);
        const priced = (ticks: number) => ticks === 0 ? null : formatInteger(ticks, 2, fraction);
        const rate = (ppm: number) => formatInteger(ppm, 6, fraction);
        const clientOrderId = order.clientOrderId === "" ? null : order.clientOrderId;
        const expected = {
          uuid: SOURCE.uuidOf(order.id),
          side: order.side,
          type: order.type,
          market_id: "btcusdt",
          volume,
          // A market or stop order may have a bound, which is not shown.
          price: isPriceless(order) ? null : priced(order.price),
          state: "pending",
          created_at: isPeatio ? isoSeconds(at) : Math.floor(at / 1000),
          id: order.id,
          market: "btcusdt",
          ord_type: order.type,
          avg_price: fraction === 0 ? "0" : "0.0",
          updated_at: Math.floor(at / 1000),
          created_at_ms: at,
          updated_at_ms: at,
          origin_volume: volume,
          remaining_volume: volume,
          executed_volume: fraction === 0 ? "0" : "0.0",
          executed_total: fraction === 0 ? "0" : "0.0",
          fees: {},
          maker_fee: rate(order.makerFee),
          taker_fee: rate(order.takerFee),
          trades_count: 0,
          time_in_force: order.timeInForce,
          trigger_price: priced(order.triggerPrice),
          self_trade_prevention: order.selfTrade,
          client_order_id: clientOrderId,
          reject_reason: null,
          ...(isPeatio ? { client_id: clientOrderId } : {}),
        };
        const text = createdOrderText(SOURCE, order, at, fraction, isPeatio);
        assertEquals(text, JSON.stringify(expected));
        const names = Object.keys(CREATED_ORDER.shape)
          .filter((name) => name !== "trades" && (isPeatio || name !== "client_id"));
        assertEquals(Object.keys(JSON.parse(text)).sort(), names.sort());
      },
    ));
  });
});
