import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { candlesText, changePercent, tickerJson } from "../../../src/edge/wire/market_wire.ts";
import {
  isoSeconds,
  memberTradeJson,
  orderJson,
  publicTradeJson,
  vwap,
} from "../../../src/edge/wire/wire.ts";
import { candleTuple } from "../../../src/sockets/rpc/rpc_tuples.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";
import { withVenue } from "../../support/with_venue.ts";

describe("changePercent()", () => {
  const cases: readonly (readonly [number, number, string])[] = [
    [5, 6, "+20.00%"],
    [6, 5, "-16.67%"],
    [100, 100, "+0.00%"],
    [0, 7, "+0.00%"],
    [3, 1, "-66.67%"],
    [1000000, 999999, "+0.00%"],
    [100000, 99995, "-0.01%"],
    [1, 1000, "+99900.00%"],
  ];
  for (const [open, last, text] of cases) {
    it(`is ${text} from ${open} to ${last}`, () => assertEquals(changePercent(open, last), text));
  }
});

describe("the mean price of many trades", () => {
  const precisions = { pricePrecision: 0, amountPrecision: 1 };
  const book = new DomainVenue().withMarket("btc", "usdt", precisions).book();
  const { market } = book;
  const prices = { open: 5, high: 6, low: 5, close: 6, last: 6 };
  const record = { ...prices, start: 60, volume: 20n, total: units("10.9") };

  it("is finer than any price of the market, in tickers and candles", () => {
    assertEquals(tickerJson(book, record, 60, 1).ticker.avg_price, "5.45");
    assertEquals(tickerJson(book, record, 60, 0).ticker.avg_price, "5.45");
    assertEquals(candleTuple(market, record).at(-1), "5.45");
  });

  it("has the ledger's digits, rounded down, without trailing zeros", () => {
    assertEquals(vwap(market, units("2"), 30n, 1), "0.6666666666666666");
    assertEquals(vwap(market, units("6"), 30n, 1), "2.0");
    assertEquals(vwap(market, units("6"), 30n, 0), "2");
    assertEquals([vwap(market, 0n, 0n, 1), vwap(market, 0n, 0n, 0)], ["0.0", "0"]);
  });
});

describe("wire shapes", () => {
  it("round an order's mean price down to the ledger's precision, not the market's", () =>
    withVenue(async (venue) => {
      await venue.order("bob", { side: "sell", amount: "1", price: "100" });
      await venue.order("bob", { side: "sell", amount: "2", price: "100.01" });
      const { body } = await venue.order("alice", { amount: "3", price: "101" });
      const alice = venue.engine.venue.holderByUid.get("IDA11CE00001")?.member.index ?? -1;
      const order = await venue.engine.order(alice, body.id);
      if (order === null) throw new Error("The order is gone");
      assertEquals(orderJson(venue.engine, order, 1).avg_price, "100.0066666666666666");
      assertEquals(orderJson(venue.engine, order, 0).avg_price, "100.0066666666666666");
      assertEquals(orderJson(venue.engine, order, 1).state, "done");
    }));

  it("show fees exactly, of the base for a buy and of the total for a sell", () =>
    withVenue((venue) => {
      const trade = {
        id: 1,
        market: 0,
        price: 33333,
        volume: 333333,
        takerSide: "buy" as const,
        at: Date.UTC(2030, 0, 1, 1, 2, 3, 999),
        orderId: 1,
        feeRate: 1500,
        liquidity: "taker" as const,
      };
      const buy = memberTradeJson(venue.engine.venue, { ...trade, side: "buy" }, 1);
      assertEquals([buy.fee_amount, buy.fee_currency], ["0.0004999995", "btc"]);
      const sell = memberTradeJson(venue.engine.venue, { ...trade, side: "sell" }, 1);
      assertEquals([sell.total, sell.fee_amount, sell.fee_currency], [
        "111.10988889",
        "0.166664833335",
        "usdt",
      ]);
      assertEquals(
        publicTradeJson(venue.engine.venue, trade, 1).created_at,
        "2030-01-01T01:02:03Z",
      );
      return Promise.resolve();
    }));

  it("write candles as exact number literals", () =>
    withVenue((venue) => {
      const { market } = venue.engine.venue.book(0);
      const candle = { start: 60, open: 1, high: 1000000000001, low: 1, close: 10, total: 0n };
      const text = candlesText(market, [{ ...candle, volume: 1n }, { ...candle, volume: 100n }]);
      assertEquals(
        text,
        "[[60,0.01,10000000000.01,0.01,0.1,0.000001],[60,0.01,10000000000.01,0.01,0.1,0.0001]]",
      );
      return Promise.resolve();
    }));

  it("cut times to whole seconds in UTC", () => {
    assertEquals(isoSeconds(Date.UTC(2020, 2, 12, 17, 1, 56, 789)), "2020-03-12T17:01:56Z");
  });
});
