import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { candlesText, tickerJson } from "../../../src/edge/wire/market_wire.ts";
import { CandleChanged } from "../../../src/sockets/streams/market_contents.ts";
import { candleTuple } from "../../../src/sockets/rpc/rpc_tuples.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

const BOOK = new DomainVenue().withMarket("btc", "usdt", { pricePrecision: 2, amountPrecision: 8 })
  .book();
const { market } = BOOK;
/** Not representable as a double. */
const VOLUME = 2n ** 53n + 1n;
const AMOUNT = "90071992.54740993";
const PRICES = { open: 3, high: 4, low: 2, close: 3 };
const CANDLE = { start: 60, ...PRICES, volume: VOLUME, total: 3n * VOLUME * BOOK.totalUnit };

describe("a volume of more lots than a safe integer holds", () => {
  it("is exact in candles, over HTTP and in both stream dialects", () => {
    const tuple = `[60,0.03,0.04,0.02,0.03,${AMOUNT}]`;
    assertEquals(candlesText(market, [CANDLE]), `[${tuple}]`);
    assertEquals(new CandleChanged(market, "1m", CANDLE).payload(), tuple);
    assertEquals(candleTuple(market, CANDLE).slice(-2), [AMOUNT, "0.03"]);
  });

  it("is exact in tickers", () => {
    const { ticker } = tickerJson(BOOK, { ...CANDLE, last: 3 }, 60, 0);
    assertEquals([ticker.amount, ticker.avg_price], [AMOUNT, "0.03"]);
    assertEquals(ticker.volume, "2702159.7764222979");
  });
});
