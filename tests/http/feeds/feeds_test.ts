import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const GECKO = "/api/v2/coingecko";
const CAP = "/api/v2/coinmarketcap";
const CHART = "/api/v2/udf";
const MINUTE_MS = 60_000;

/** Trades 1 at 5 and 0.5 at 6, a minute later, and leaves bids at 4 and 3 and an ask at 7. */
async function trade(venue: TestVenue): Promise<void> {
  await venue.order("bob", { side: "sell", amount: "1", price: "5" });
  await venue.order("alice", { amount: "1", price: "5" });
  venue.clock.now += MINUTE_MS;
  await venue.order("alice", { amount: "0.5", price: "6" });
  await venue.order("bob", { side: "sell", amount: "0.5", price: "6" });
  await venue.order("alice", { price: "4", amount: "2" });
  await venue.order("alice", { price: "3" });
  await venue.order("bob", { side: "sell", price: "7" });
  // What feeds tell may be a second old.
  venue.clock.now += 1_000;
}

async function read(venue: TestVenue, path: string) {
  const answer = await venue.get(null, path);
  assertEquals(answer.status, 200, answer.text);
  return answer.body;
}

describe("the feeds for sites that list venues", () => {
  it("tell the pairs and their last 24 hours", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const [pair] = await read(venue, `${GECKO}/pairs`);
      assertEquals(pair, { ticker_id: "BTC_USDT", base: "BTC", target: "USDT" });
      const [ticker] = await read(venue, `${GECKO}/tickers`);
      const day = { base_volume: "1.5", high: "6.0", low: "5.0" };
      assertEquals(ticker, {
        ticker_id: "BTC_USDT",
        base_currency: "BTC",
        target_currency: "USDT",
        last_price: "6.0",
        target_volume: "8.0",
        bid: "4.0",
        ask: "7.0",
        ...day,
      });
      const [summary] = await read(venue, `${CAP}/summary`);
      assertEquals(summary, {
        trading_pairs: "BTC_USDT",
        base_currency: "BTC",
        quote_currency: "USDT",
        last_price: 6,
        lowest_ask: 7,
        highest_bid: 4,
        base_volume: 1.5,
        quote_volume: 8,
        price_change_percent_24h: 20,
        highest_price_24h: 6,
        lowest_price_24h: 5,
      });
      assertEquals((await read(venue, `${CAP}/ticker`)).BTC_USDT, {
        last_price: 6,
        base_volume: 1.5,
        quote_volume: 8,
        isFrozen: "0",
      });
      const { BTC } = await read(venue, `${CAP}/assets`);
      assertEquals([BTC.can_deposit, BTC.can_withdraw], [true, true]);
    }));

  it("tell the books, best first, and as many levels as are asked for", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const { timestamp, ...book } = await read(venue, `${GECKO}/orderbook?ticker_id=btc_usdt`);
      assertEquals(Math.abs(timestamp - venue.clock.now) < 5_000, true);
      assertEquals(book, {
        ticker_id: "BTC_USDT",
        bids: [["4.0", "2.0"], ["3.0", "1.0"]],
        asks: [["7.0", "1.0"]],
      });
      const best = await read(venue, `${CAP}/orderbook/BTC_USDT?depth=2`);
      assertEquals([best.bids, best.asks], [[["4.0", "2.0"]], [["7.0", "1.0"]]]);
    }));

  it("tell the trades, by side and time", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const path = `${GECKO}/historical_trades?ticker_id=BTC_USDT`;
      const { buy, sell } = await read(venue, path);
      assertEquals([buy.length, sell.length], [1, 1]);
      const { trade_timestamp, trade_id: _, ...first } = buy[0];
      assertEquals(first, { price: "5.0", base_volume: "1.0", target_volume: "5.0", type: "buy" });
      const since = Math.ceil(trade_timestamp / 1000) + 1;
      const later = await read(venue, `${path}&start_time=${since}`);
      assertEquals([later.buy.length, later.sell.length], [0, 1]);
      const earlier = await read(venue, `${path}&end_time=${since}&type=buy`);
      assertEquals([earlier.buy.length, earlier.sell.length], [1, 0]);
      const trades = await read(venue, `${CAP}/trades/BTC_USDT`);
      assertEquals(trades.map((one: { price: number; type: string }) => [one.price, one.type]), [
        [6, "sell"],
        [5, "buy"],
      ]);
    }));

  it("refuse a pair that there is not, and name the field", () =>
    withVenue(async (venue) => {
      const identifier = "public.market.doesnt_exist";
      for (
        const [path, field] of [
          [`${GECKO}/orderbook?ticker_id=BTC_XYZ`, "ticker_id"],
          [`${GECKO}/historical_trades?ticker_id=btcusdt`, "ticker_id"],
          [`${CAP}/orderbook/BTC_XYZ`, "pair"],
          [`${CAP}/trades/BTC_XYZ`, "pair"],
          [`${CHART}/symbols?symbol=nothing`, "symbol"],
          [`${CHART}/history?symbol=nothing&resolution=1&to=1`, "symbol"],
        ] as const
      ) {
        const answer = await venue.get(null, path);
        assertError(answer, 422, identifier);
        assertEquals(answer.body.details.field, field);
      }
    }));

  it("tell that a market is frozen", () =>
    withVenue(async (venue) => {
      const json = { state: "halted" };
      await venue.call("operator", "PATCH", "/api/v2/admin/markets/btcusdt", { json });
      assertEquals((await read(venue, `${CAP}/ticker`)).BTC_USDT.isFrozen, "1");
    }));
});

describe("the datafeed for charts", () => {
  it("tells what it has, its time and its symbols", () =>
    withVenue(async (venue) => {
      const config = await read(venue, `${CHART}/config`);
      assertEquals([config.supports_search, config.supports_time], [true, true]);
      const time = await read(venue, `${CHART}/time`);
      assertEquals(Math.abs(time - venue.clock.now / 1000) < 5, true);
      for (const name of ["btcusdt", "BTC/USDT", "kvenue:BTC/USDT"]) {
        const symbol = await read(venue, `${CHART}/symbols?symbol=${encodeURIComponent(name)}`);
        assertEquals([symbol.ticker, symbol.name], ["btcusdt", "BTC/USDT"]);
      }
      const found = await read(venue, `${CHART}/search?query=ETH&type=&exchange=&limit=5`);
      assertEquals(found.some(({ ticker }: { ticker: string }) => ticker === "ethusdt"), true);
      assertEquals(await read(venue, `${CHART}/search?query=btc&type=stock`), []);
    }));

  it("tells bars between two times, or so many before one", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const now = Math.floor(venue.clock.now / 1000);
      const history = `${CHART}/history?symbol=btcusdt&resolution=1`;
      const bars = await read(venue, `${history}&from=${now - 600}&to=${now + 60}`);
      assertEquals([bars.s, bars.o, bars.c, bars.v], ["ok", [5, 6], [5, 6], [1, 0.5]]);
      const last = await read(venue, `${history}&to=${now + 60}&countback=1`);
      assertEquals([last.s, last.c], ["ok", [6]]);
      // The end is not included.
      const first = await read(venue, `${history}&from=${now - 600}&to=${bars.t[1]}`);
      assertEquals(first.t, [bars.t[0]]);
      const day = await read(venue, `${history.replace("=1", "=1D")}&from=0&to=${now + 60}`);
      assertEquals([day.o, day.h, day.v], [[5], [6], [1.5]]);
      const none = await read(venue, `${history}&from=${now + 600}&to=${now + 900}`);
      assertEquals(none, { s: "no_data", nextTime: bars.t[1] });
      assertEquals(await read(venue, `${history}&from=0&to=0`), { s: "no_data" });
      for (const late of [`from=${now}000&to=${now}`, `from=${now}&to=${now}000`]) {
        const { status, body } = await venue.get(null, `${history}&${late}`);
        assertEquals([status, body.details?.unit], [422, "seconds"], late);
      }
    }));
});
