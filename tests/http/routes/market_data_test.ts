import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type * as z from "zod";
import {
  CURRENCY,
  DEPTH,
  K_LINE,
  MARKET,
  MEMBER_LEVELS,
  ORDER_BOOK,
  PUBLIC_TRADE,
  TICKER,
  TRADING_FEE,
} from "../../../src/edge/schemas/market_answers.ts";
import { CANDLES_MAX, type MARKETS_QUERY } from "../../../src/edge/schemas/market_data.ts";
import { assertError } from "../../support/assert_error.ts";
import { BUILD, type TestVenue, withVenue } from "../../support/with_venue.ts";

const PUBLIC = "/api/v2/backend/public";
const BTC = `${PUBLIC}/markets/btcusdt`;

/** Trades at 5 and 6, and leaves bids at 4 and 3 and asks at 7 and 8. */
async function trade(venue: TestVenue): Promise<void> {
  for (const [amount, price] of [["1.1", "5"], ["0.9", "6"]]) {
    await venue.order("bob", { side: "sell", amount, price });
    await venue.order("alice", { amount, price });
    venue.clock.now += 61_000;
  }
  await venue.order("alice", { price: "4", amount: "2" });
  await venue.order("alice", { price: "3" });
  await venue.order("bob", { side: "sell", price: "7" });
  await venue.order("bob", { side: "sell", price: "8" });
  await venue.order("bob", { side: "sell", price: "8", amount: "0.5" });
}

async function marketIds(venue: TestVenue, query: string): Promise<string[]> {
  const { body } = await venue.get(null, `${PUBLIC}/markets?${query}`);
  return body.map(({ id }: { id: string }) => id);
}

async function changeMarket(venue: TestVenue, id: string, json: unknown): Promise<void> {
  const answer = await venue.call("operator", "PATCH", `/api/v2/admin/markets/${id}`, { json });
  assertEquals(answer.status, 200, answer.text);
}

describe("tickers", () => {
  it("show the last 24 hours and the best prices", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const answer = await venue.get(null, `${BTC}/tickers`);
      assertEquals(answer.status, 200);
      TICKER.parse(answer.body);
      const at = Math.floor(venue.clock.now / 1000);
      assertEquals(answer.body, {
        at,
        ticker: {
          at,
          low: "5.0",
          high: "6.0",
          open: "5.0",
          last: "6.0",
          volume: "10.9",
          vol: "10.9",
          amount: "2.0",
          avg_price: "5.45",
          price_change_percent: "+20.00%",
          buy: "4.0",
          sell: "7.0",
        },
      });
    }));

  it("are zero without trades, and keep the last price after a day", () =>
    withVenue(async (venue) => {
      const empty = (await venue.get(null, `${BTC}/tickers`)).body.ticker;
      assertEquals([empty.open, empty.last, empty.volume, empty.price_change_percent], [
        "0.0",
        "0.0",
        "0.0",
        "+0.00%",
      ]);
      await trade(venue);
      venue.clock.now += 25 * 3600 * 1000;
      const old = (await venue.get(null, `${BTC}/tickers`)).body.ticker;
      assertEquals([old.last, old.high, old.amount], ["6.0", "0.0", "0.0"]);
    }));

  it("come for all listed markets by id", () =>
    withVenue(async (venue) => {
      const answer = await venue.get(null, `${PUBLIC}/markets/tickers`);
      assertEquals(Object.keys(answer.body), ["btcusdt", "ethusdt", "ethbtc", "bchusdt"]);
      TICKER.parse(answer.body.ethbtc);
    }));
});

describe("k-lines", () => {
  it("are arrays of numbers, oldest first", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const answer = await venue.get(null, `${BTC}/k-line`);
      assertEquals(answer.status, 200);
      K_LINE.parse(answer.body);
      const start = Date.UTC(2030, 0, 1) / 1000 + 60;
      assertEquals(answer.body, [[start, 5, 5, 5, 5, 1.1], [start + 60, 6, 6, 6, 6, 0.9]]);
      const hour = await venue.get(null, `${BTC}/k-line?period=60`);
      assertEquals(hour.body, [[start - 60, 5, 6, 5, 6, 2]]);
    }));

  it("keep to both times, inclusive, and to the limit unless both are given", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const start = Date.UTC(2030, 0, 1) / 1000 + 60;
      const starts = async (query: string) =>
        (await venue.get(null, `${BTC}/k-line?${query}`)).body.map((point: number[]) => point[0]);
      assertEquals(await starts(`time_from=${start + 60}`), [start + 60]);
      assertEquals(await starts(`time_to=${start}`), [start]);
      assertEquals(await starts("limit=1"), [start + 60]);
      assertEquals(await starts(`time_from=${start}&limit=1`), [start]);
      for (const ignored of ["1", "0", "10001", "x", ""]) {
        const query = `time_from=${start}&time_to=${start + 60}&limit=${ignored}`;
        assertEquals(await starts(query), [start, start + 60], `limit ${ignored}`);
      }
    }));

  it("say if there are more between both times than one answer has", () =>
    withVenue(async (venue) => {
      let count = CANDLES_MAX;
      const candle = { start: 0, open: 1, high: 1, low: 1, close: 1, volume: 1n, total: 1n };
      const candles = () => Promise.resolve(Array(count).fill(candle));
      Object.defineProperty(venue.engine, "candles", { value: candles });
      const limited = async (query: string) => {
        const { status, headers } = await venue.get(null, `${BTC}/k-line?${query}`);
        return [status, headers.get("x-scan-limited")];
      };
      assertEquals(await limited("time_from=0&time_to=9999999"), [200, "true"]);
      assertEquals(await limited(`limit=${CANDLES_MAX}`), [200, null]);
      count -= 1;
      assertEquals(await limited("time_from=0&time_to=9999999"), [200, null]);
    }));
});

describe("depth", () => {
  it("sums by price, both sides from the highest to the lowest", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const answer = await venue.get(null, `${BTC}/depth`);
      DEPTH.parse(answer.body);
      assertEquals(answer.body, {
        timestamp: Math.floor(venue.clock.now / 1000),
        asks: [["8.0", "1.5"], ["7.0", "1.0"]],
        bids: [["4.0", "2.0"], ["3.0", "1.0"]],
        event: venue.engine.venue.bookById.get("btcusdt")?.levelsSequence,
      });
    }));

  it("tells the event that the book is of, and on request its checksum", () =>
    withVenue(async (venue) => {
      await venue.order("alice", { price: "99.5", amount: "2" });
      await venue.order("bob", { side: "sell", price: "100.25" });
      const plain = (await venue.get(null, `${BTC}/depth`)).body;
      assertEquals(plain.event, venue.engine.venue.sequence);
      for (const word of ["crc32", "true"]) {
        const { body } = await venue.get(null, `${BTC}/depth?checksum=${word}`);
        // CRC32 of "100.25:1.0:99.5:2.0".
        assertEquals(body, { ...plain, timestamp: body.timestamp, checksum: 3_720_841_938 });
      }
      assertEquals("checksum" in (await venue.get(null, `${BTC}/depth`)).body, false);
      await venue.order("alice", { market: "ethusdt" });
      await venue.order("alice", { type: "stop", price: undefined, trigger_price: "500" });
      assertEquals((await venue.get(null, `${BTC}/depth`)).body.event, plain.event);
      await venue.order("alice", { price: "90" });
      const { event } = (await venue.get(null, `${BTC}/depth`)).body;
      assertEquals(event, venue.engine.venue.sequence);
      const wrong = await venue.get(null, `${BTC}/depth?checksum=md5`);
      assertError(wrong, 422, "public.market_depth.invalid_checksum");
    }));

  it("keeps the levels nearest the spread, and follows the book and the clock", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const near = await venue.get(null, `${BTC}/depth?limit=1`);
      assertEquals([near.body.asks, near.body.bids], [[["7.0", "1.0"]], [["4.0", "2.0"]]]);
      await venue.order("alice", { price: "4.5" });
      const moved = await venue.get(null, `${BTC}/depth?limit=1`);
      assertEquals(moved.body.bids, [["4.5", "1.0"]]);
      venue.clock.now += 1000;
      const later = await venue.get(null, `${BTC}/depth?limit=1`);
      assertEquals(later.body.timestamp, Math.floor(venue.clock.now / 1000));
    }));
});

describe("recent trades", () => {
  it("are newest first and tell nothing of members", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const answer = await venue.get(null, `${BTC}/trades`);
      answer.body.forEach((one: unknown) => PUBLIC_TRADE.strict().parse(one));
      assertEquals(
        answer.body.map((one: { price: string; total: string }) => [one.price, one.total]),
        [
          ["6.0", "5.4"],
          ["5.0", "5.5"],
        ],
      );
    }));

  it("keep to limit, order and timestamp", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const prices = async (query: string) =>
        (await venue.get(null, `${BTC}/trades?${query}`)).body.map((one: { price: string }) =>
          one.price
        );
      assertEquals(await prices("limit=1"), ["6.0"]);
      assertEquals(await prices("order_by=asc"), ["5.0", "6.0"]);
      const second = Math.floor(venue.clock.now / 1000);
      assertEquals(await prices(`timestamp=${second - 61}`), ["5.0"]);
      assertEquals(await prices(`timestamp=${second - 200}`), []);
    }));
});

describe("order books", () => {
  it("are a list with one book of orders, best first", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const { body } = await venue.get(null, `${BTC}/order-book`);
      assertEquals(body.length, 1);
      ORDER_BOOK.parse(body[0]);
      const prices = (side: { price: string }[]) => side.map((order) => order.price);
      assertEquals(prices(body[0].asks), ["7.0", "8.0", "8.0"]);
      assertEquals(prices(body[0].bids), ["4.0", "3.0"]);
      const fields = Object.keys(body[0].asks[0]);
      assertEquals(fields.includes("client_order_id") || fields.includes("member"), false);
      const limited = await venue.get(null, `${BTC}/order-book?asks_limit=2&bids_limit=1`);
      assertEquals([limited.body[0].asks.length, limited.body[0].bids.length], [2, 1]);
    }));

  it("do not remake the text of an order that has not traded", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const { engine } = venue;
      const uuidOf = engine.uuidOf.bind(engine);
      let made = 0;
      engine.uuidOf = (id) => {
        made += 1;
        return uuidOf(id);
      };
      const read = async (query: string) => await venue.get(null, `${BTC}/order-book?${query}`);
      await read("asks_limit=3&bids_limit=3");
      assertEquals(made, 5);
      await read("asks_limit=2&bids_limit=3");
      assertEquals(made, 5);
      await venue.order("alice", { price: "7", amount: "0.25" });
      made = 0;
      const { body } = await read("asks_limit=3");
      assertEquals([made, body[0].asks[0].remaining_volume], [1, "0.75"]);
    }));
});

describe("markets and currencies", () => {
  it("list markets, filtered and searched", () =>
    withVenue(async (venue) => {
      const ids = (query: string) => marketIds(venue, query);
      assertEquals(await ids(""), ["btcusdt", "ethusdt", "ethbtc", "bchusdt"]);
      assertEquals(await ids("ordering=desc"), ["bchusdt", "ethbtc", "ethusdt", "btcusdt"]);
      assertEquals(await ids("base_unit=eth&quote_unit=btc"), ["ethbtc"]);
      assertEquals(await ids("search[base_code]=BTC"), ["btcusdt"]);
      assertEquals(await ids("search[base_code]=_tc"), ["btcusdt"]);
      const either = "search[base_code]=btc&search[quote_name]=bitcoin";
      assertEquals(await ids(either), ["btcusdt", "ethbtc"]);
      assertEquals(await ids("limit=1&page=2"), ["ethusdt"]);
    }));

  it("sort markets by any field, amounts by value, and ties by position", () =>
    withVenue(async (venue) => {
      const changes = {
        btcusdt: { position: 3, max_price: "200", min_amount: "0.02", min_total: "10" },
        ethusdt: { position: 1, max_price: "1000", min_amount: "0.1", min_total: "9" },
        ethbtc: { position: 2, max_price: "30", min_amount: "0.01", min_total: "1" },
        bchusdt: { position: 4, max_price: "2000", min_amount: "0.3", min_total: "11" },
      };
      for (const [id, json] of Object.entries(changes)) await changeMarket(venue, id, json);
      await changeMarket(venue, "ethusdt", { state: "halted" });
      await changeMarket(venue, "ethbtc", { state: "cancel_only" });
      const expected: Record<z.infer<typeof MARKETS_QUERY>["order_by"], readonly string[]> = {
        position: ["ethusdt", "ethbtc", "btcusdt", "bchusdt"],
        id: ["bchusdt", "btcusdt", "ethbtc", "ethusdt"],
        name: ["bchusdt", "btcusdt", "ethbtc", "ethusdt"],
        base_unit: ["bchusdt", "btcusdt", "ethusdt", "ethbtc"],
        quote_unit: ["ethbtc", "ethusdt", "btcusdt", "bchusdt"],
        min_price: ["ethbtc", "ethusdt", "btcusdt", "bchusdt"],
        max_price: ["ethbtc", "btcusdt", "ethusdt", "bchusdt"],
        min_amount: ["ethbtc", "btcusdt", "ethusdt", "bchusdt"],
        min_total: ["ethbtc", "ethusdt", "btcusdt", "bchusdt"],
        amount_precision: ["ethbtc", "ethusdt", "bchusdt", "btcusdt"],
        price_precision: ["ethusdt", "btcusdt", "bchusdt", "ethbtc"],
        state: ["ethbtc", "btcusdt", "bchusdt", "ethusdt"],
      };
      for (const [field, ids] of Object.entries(expected)) {
        assertEquals(await marketIds(venue, `order_by=${field}`), ids, field);
        const backwards = await marketIds(venue, `order_by=${field}&ordering=desc`);
        assertEquals(backwards, ids.toReversed(), field);
      }
    }));

  it("leave out a market that is disabled", () =>
    withVenue(async (venue) => {
      await changeMarket(venue, "ethbtc", { state: "disabled" });
      const { body, headers } = await venue.get(null, `${PUBLIC}/markets`);
      body.forEach((market: unknown) => MARKET.parse(market));
      assertEquals([body.length, headers.get("total")], [3, "3"]);
      const gone = await venue.get(null, `${PUBLIC}/markets/ethbtc/depth`);
      assertError(gone, 422, "public.market.doesnt_exist");
    }));

  it("list currencies by kind and search, and show one in any case", () =>
    withVenue(async (venue) => {
      const ids = async (query: string) =>
        (await venue.get(null, `${PUBLIC}/currencies?${query}`)).body.map((one: { id: string }) =>
          one.id
        );
      assertEquals(await ids(""), ["btc", "eth", "usdt", "bch"]);
      assertEquals(await ids("type=fiat"), []);
      assertEquals(await ids("search[name]=ether"), ["eth", "usdt"]);
      assertEquals(await ids("search[name]=ether%25"), ["eth"]);
      const one = await venue.get(null, `${PUBLIC}/currencies/BTC`);
      CURRENCY.parse(one.body);
      assertEquals([one.body.id, one.body.base_factor], ["btc", 100000000]);
    }));

  it("are served under the trading paths, in shortest form", () =>
    withVenue(async (venue) => {
      const markets = await venue.get(null, "/api/v2/trading/public/markets");
      assertEquals([markets.status, markets.body[0].max_price], [200, "0"]);
      const currencies = await venue.get(null, "/api/v2/trading/public/currencies");
      assertEquals([currencies.status, currencies.body.length], [200, 4]);
    }));
});

describe("the venue's own data", () => {
  it("are levels, fees, clock, version and health", () =>
    withVenue(async (venue) => {
      const levels = await venue.get(null, `${PUBLIC}/member-levels`);
      MEMBER_LEVELS.parse(levels.body);
      assertEquals(levels.body.withdraw.minimum_level, 3);
      const fees = await venue.get(null, `${PUBLIC}/trading_fees`);
      TRADING_FEE.parse(fees.body[0]);
      assertEquals([fees.body[0].market_id, fees.body[0].maker], ["any", "0.002"]);
      const timestamp = await venue.get(null, `${PUBLIC}/timestamp`);
      assertEquals(timestamp.body, new Date(venue.clock.now).toISOString());
      assertEquals((await venue.get(null, `${PUBLIC}/version`)).body, BUILD);
      assertEquals((await venue.get(null, `${PUBLIC}/health/alive`)).status, 200);
      assertEquals((await venue.get(null, `${PUBLIC}/health/ready`)).status, 200);
    }));

  it("give health as the bare status under the older name, for bots", () =>
    withVenue(async (venue) => {
      for (const end of ["alive", "ready"]) {
        const { status, text } = await venue.get(null, `/api/v2/peatio/public/health/${end}`);
        assertEquals([status, text], [200, "200"]);
      }
    }));

  it("say 503 with the reason once the venue does not take orders", () =>
    withVenue(async (venue) => {
      await venue.engine.close();
      const answer = await venue.get(null, `${PUBLIC}/health/ready`);
      assertEquals(answer.status, 503);
      assertEquals(answer.body.errors, ["server.not_ready", "server.closing"]);
      assertEquals(answer.headers.get("retry-after"), "1");
    }));
});

describe("public refusals", () => {
  const refusals: readonly (readonly [string, string])[] = [
    ["markets/x/tickers", "public.market.doesnt_exist"],
    ["markets/x/k-line", "public.market.doesnt_exist"],
    ["markets/x/depth", "public.market.doesnt_exist"],
    ["markets/x/trades", "public.market.doesnt_exist"],
    ["markets/x/order-book", "public.market.doesnt_exist"],
    ["markets/btcusdt/k-line?period=2", "public.k_line.invalid_period"],
    ["markets/btcusdt/k-line?period=99999999999999999999", "public.k_line.invalid_period"],
    ["markets/btcusdt/k-line?period=x", "public.k_line.non_integer_period"],
    ["markets/btcusdt/k-line?time_from=x", "public.k_line.non_integer_time_from"],
    ["markets/btcusdt/k-line?time_from=", "public.k_line.empty_time_from"],
    ["markets/btcusdt/k-line?time_to=x", "public.k_line.non_integer_time_to"],
    ["markets/btcusdt/k-line?time_to=", "public.k_line.empty_time_to"],
    ["markets/btcusdt/k-line?limit=x", "public.k_line.non_integer_limit"],
    ["markets/btcusdt/k-line?limit=0&time_to=1", "public.k_line.invalid_limit"],
    ["markets/btcusdt/k-line?limit=0&time_from=1", "public.k_line.invalid_limit"],
    ["markets/btcusdt/k-line?limit=10001", "public.k_line.invalid_limit"],
    ["markets/btcusdt/depth?limit=x", "public.market_depth.non_integer_limit"],
    ["markets/btcusdt/depth?limit=0", "public.market_depth.invalid_limit"],
    ["markets/btcusdt/trades?limit=x", "public.trade.non_integer_limit"],
    ["markets/btcusdt/trades?limit=1001", "public.trade.invalid_limit"],
    ["markets/btcusdt/trades?timestamp=x", "public.trade.non_integer_timestamp"],
    ["markets/btcusdt/trades?order_by=x", "public.trade.invalid_order_by"],
    ["markets/btcusdt/order-book?asks_limit=x", "public.order_book.non_integer_ask_limit"],
    ["markets/btcusdt/order-book?asks_limit=0", "public.order_book.invalid_ask_limit"],
    ["markets/btcusdt/order-book?bids_limit=x", "public.order_book.non_integer_bid_limit"],
    ["markets/btcusdt/order-book?bids_limit=1001", "public.order_book.invalid_bid_limit"],
    ["markets?ordering=x", "public.markets.invalid_ordering"],
    ["markets?order_by=x", "public.markets.invalid_order_by"],
    ["markets?base_unit=x", "public.markets.base_unit_doesnt_exist"],
    ["markets?quote_unit=x", "public.markets.quote_unit_doesnt_exist"],
    ["markets?search=[]", "public.markets.invalid_search"],
    ["markets?search=5", "public.markets.invalid_search"],
    ['markets?search={"base_code":5}', "public.markets.invalid_search"],
    ["markets?limit=0", "pagination.invalid_limit"],
    ["markets?page=x", "pagination.non_integer_page"],
    ["currencies?type=x", "public.currency.invalid_type"],
    ["currencies?limit=x", "pagination.non_integer_limit"],
    ["currencies/x", "public.currency.doesnt_exist"],
    ["trading_fees?page=0", "pagination.non_positive_page"],
  ];
  for (const [path, identifier] of refusals) {
    it(`are 422 ${identifier} for ${path}`, () =>
      withVenue(async (venue) =>
        assertError(await venue.get(null, `${PUBLIC}/${path}`), 422, identifier)
      ));
  }
});
