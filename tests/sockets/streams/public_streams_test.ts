import { crc32 } from "node:zlib";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_LEVELS_MAX } from "../../../src/sockets/streams/book_mirror.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { StreamClient } from "../../support/stream_client.ts";

const DEPTH = "/api/v2/backend/public/markets/btcusdt/depth";

describe("the stream of a book", () => {
  it("begins with a snapshot, best first, then sends each level that changes", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("alice", { price: "101", amount: "2" });
      await venue.order("alice", { price: "102.5" });
      await venue.order("bob", { side: "sell", price: "110" });
      const placed = await venue.order("bob", { side: "sell", price: "105", amount: "0.5" });
      const client = await listen("?stream=btcusdt.ob-inc");
      // The number of the event that has just been.
      const mark = () => ({ event: venue.engine.venue.sequence, last: true });
      assertEquals(await client.next(), {
        "btcusdt.ob-snap": {
          asks: [["105.0", "0.5"], ["110.0", "1.0"]],
          bids: [["102.5", "1.0"], ["101.0", "2.0"]],
          sequence: 1,
        },
        sequence: 1,
        ...mark(),
      });
      await client.message("success");
      await venue.order("alice", { price: "101", amount: "0.25" });
      assertEquals(await client.next(), {
        "btcusdt.ob-inc": { bids: ["101.0", "2.25"], sequence: 2 },
        sequence: 2,
        ...mark(),
      });
      await venue.post("bob", `/api/v2/trading/market/orders/cancel/${placed.body.uuid}`);
      assertEquals(await client.next(), {
        "btcusdt.ob-inc": { asks: ["105.0", "0"], sequence: 3 },
        sequence: 3,
        ...mark(),
      });
    });
  });

  it("sends a fill level by level, removals first", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("bob", { side: "sell", price: "100", amount: "1" });
      await venue.order("bob", { side: "sell", price: "101", amount: "1" });
      const client = await listen("?stream=btcusdt.ob-inc");
      await client.message("success");
      await venue.order("alice", { price: "101", amount: "3" });
      const messages = [await client.next(), await client.next(), await client.next()];
      assertEquals(messages.map((message) => message["btcusdt.ob-inc"]), [
        { asks: ["100.0", "0"], sequence: 2 },
        { asks: ["101.0", "0"], sequence: 3 },
        { bids: ["101.0", "1.0"], sequence: 4 },
      ]);
      assertEquals(messages.map(({ last }) => last), [undefined, undefined, true]);
      const { event } = (await venue.get(null, DEPTH)).body;
      assertEquals(messages.map((message) => message["event"]), [event, event, event]);
    });
  });

  it("tells nothing of orders that never came to rest", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("bob", { side: "sell", price: "110" });
      const client = await listen("?stream=btcusdt.ob-inc");
      await client.message("success");
      await venue.order("alice", { type: "post_only", price: "111" });
      await venue.order("bob", { side: "sell", type: "market", price: undefined });
      await venue.order("alice", { price: "105", time_in_force: "ioc" });
      const stop = { type: "stop_limit", trigger_price: "120", price: "120" };
      const { body } = await venue.order("alice", stop);
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${body.id}`);
      await venue.order("alice", { price: "101" });
      assertEquals((await client.next())["btcusdt.ob-inc"], {
        bids: ["101.0", "1.0"],
        sequence: 2,
      });
    });
  });

  it("continues at the same number for a second reader", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const first = await listen("?stream=btcusdt.ob-inc");
      await first.message("success");
      await venue.order("alice", { price: "101" });
      assertEquals((await first.next()).sequence, 2);
      const second = await listen("?stream=btcusdt.ob-inc");
      const snapshot = await second.message("btcusdt.ob-snap");
      assertEquals(snapshot.sequence, 2);
      assertEquals(snapshot["btcusdt.ob-snap"].bids, [["101.0", "1.0"]]);
      await second.message("success");
      await venue.order("alice", { price: "102" });
      assertEquals(await first.next(), await second.next());
    });
  });

  it("carries a checksum of the ten best levels on request", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("alice", { price: "99.5", amount: "2" });
      const client = await listen("?stream=btcusdt.ob-inc&checksum=crc32");
      const snapshot = await client.message("btcusdt.ob-snap");
      // CRC32 of "99.5:2.0", and of "100.25:1.0:99.5:2.0".
      assertEquals(snapshot["btcusdt.ob-snap"].checksum, 60_503_221);
      await client.message("success");
      await venue.order("bob", { side: "sell", price: "100.25" });
      assertEquals((await client.next())["btcusdt.ob-inc"].checksum, 3_720_841_938);
      const { body } = await venue.get(null, `${DEPTH}?checksum=crc32`);
      assertEquals(body.checksum, 3_720_841_938);
      const other = await listen("?stream=btcusdt.ob-levels&checksum=true");
      const whole = await other.message("btcusdt.ob-snap");
      assertEquals(whole["btcusdt.ob-snap"].checksum, 3_720_841_938);
    });
  });

  it("shows the levels nearest the spread, and those that move up or out", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const { engine } = venue;
      const { market } = engine.venue.bookById.get("btcusdt") ?? { market: null };
      assert(market !== null);
      for (let i = 0; i < BOOK_LEVELS_MAX + 2; i += 50) {
        const json = Array.from({ length: Math.min(50, BOOK_LEVELS_MAX + 2 - i) }, (_, at) => ({
          market: "btcusdt",
          side: "buy",
          type: "limit",
          amount: "1",
          price: String(1000 - i - at),
        }));
        const answer = await venue.post("alice", "/api/v2/trading/market/bulk/orders", json);
        assertEquals(answer.status, 201);
      }
      const client = await listen("?stream=btcusdt.ob-inc");
      const { bids } = (await client.message("btcusdt.ob-snap"))["btcusdt.ob-snap"];
      assertEquals(bids.length, BOOK_LEVELS_MAX);
      await client.message("success");
      await venue.order("alice", { price: "1001" });
      const worst = bids.at(-1)[0];
      assertEquals((await client.next())["btcusdt.ob-inc"].bids, [worst, "0"]);
      assertEquals((await client.next())["btcusdt.ob-inc"].bids, ["1001.0", "1.0"]);
      await venue.order("bob", { side: "sell", price: "1001" });
      assertEquals((await client.next())["btcusdt.ob-inc"].bids, ["1001.0", "0"]);
      assertEquals((await client.next())["btcusdt.ob-inc"].bids, [worst, "1.0"]);
      // Changes beyond the limit are not sent.
      await venue.order("alice", { price: "5" });
      await venue.order("alice", { price: "1002" });
      assertEquals((await client.next())["btcusdt.ob-inc"].bids, [worst, "0"]);
    });
  });
});

describe("the stream of a book's levels", () => {
  it("begins with the whole book, then sends all levels of a commit at once", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("bob", { side: "sell", price: "100", amount: "1" });
      await venue.order("bob", { side: "sell", price: "101", amount: "1" });
      const client = await listen("?stream=btcusdt.ob-levels&checksum=crc32");
      const snapshot = await client.message("btcusdt.ob-snap");
      assertEquals(snapshot["btcusdt.ob-snap"].asks, [["100.0", "1.0"], ["101.0", "1.0"]]);
      await client.message("success");
      await venue.order("alice", { price: "101", amount: "3" });
      assertEquals(await client.next(), {
        "btcusdt.ob-levels": {
          asks: [["100.0", "0"], ["101.0", "0"]],
          bids: [["101.0", "1.0"]],
          sequence: 2,
          checksum: crc32("101.0:1.0"),
        },
        sequence: 2,
        event: (await venue.get(null, DEPTH)).body.event,
        last: true,
      });
      await venue.order("alice", { price: "99" });
      const next = await client.next();
      assertEquals(next["btcusdt.ob-levels"].bids, [["99.0", "1.0"]]);
      assertEquals([next["btcusdt.ob-levels"].asks, next.sequence], [[], 3]);
    });
  });
});

describe("the stream of trades", () => {
  it("sends every trade of its market once, numbered from one", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const client = await listen("?stream=btcusdt.trades");
      await client.message("success");
      await venue.order("bob", { side: "sell", price: "100", amount: "1" });
      await venue.order("bob", { side: "sell", price: "101.5", amount: "1" });
      await venue.order("alice", { price: "102", amount: "1.25" });
      const [first, second] = [await client.next(), await client.next()];
      const date = Math.floor(venue.clock.now / 1000);
      const { trades: [trade] } = second["btcusdt.trades"];
      const { tid, ...others } = trade;
      assertEquals(others, {
        taker_type: "buy",
        date,
        created_at: date,
        created_at_ms: venue.clock.now,
        price: "101.5",
        amount: "0.25",
      });
      assertEquals(tid, first["btcusdt.trades"].trades[0].tid + 1);
      assertEquals([first.sequence, second.sequence], [1, 2]);
    });
  });
});

describe("the streams of candles", () => {
  it("send the current candle at first and on changes, and the last of a period", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const client = await listen("?stream=btcusdt.kline-1m,btcusdt.kline-7m");
      assertEquals((await client.message("success")).success.streams, ["btcusdt.kline-1m"]);
      venue.clock.now = Math.ceil(venue.clock.now / 60_000) * 60_000;
      const start = venue.clock.now / 1000;
      await trade("100", "1");
      const first = await client.message("btcusdt.kline-1m");
      assertEquals(first, { "btcusdt.kline-1m": [start, 100, 100, 100, 100, 1], sequence: 1 });
      await trade("103.5", "0.5");
      const late = await listen("?stream=btcusdt.kline-1m");
      assertEquals((await late.next())["btcusdt.kline-1m"], [start, 100, 103.5, 100, 103.5, 1.5]);
      venue.clock.now += 60_000;
      await trade("102", "1");
      const [old, next] = [await client.next(), await client.next()];
      assertEquals(old["btcusdt.kline-1m"], [start, 100, 103.5, 100, 103.5, 1.5]);
      assertEquals(next["btcusdt.kline-1m"], [start + 60, 102, 102, 102, 102, 1]);
      assertEquals([old.sequence, next.sequence], [2, 3]);

      async function trade(price: string, amount: string): Promise<void> {
        await venue.order("bob", { side: "sell", price, amount });
        await venue.order("alice", { price, amount });
      }
    });
  });
});

describe("the stream of tickers", () => {
  it("sends all markets on subscribing and after changes, under the usual names", async () => {
    await withServedVenue(async ({ venue, url }) => {
      const client = new StreamClient(`${url}/api/v2/stream/public?stream=global.tickers`);
      const first = await client.message("global.tickers");
      assertEquals(Object.keys(first["global.tickers"]).sort(), [
        ...[...venue.engine.venue.bookById.keys()].sort(),
      ]);
      assertEquals(first.sequence, 0);
      await venue.order("bob", { side: "sell", price: "100", amount: "2" });
      await venue.order("alice", { price: "100", amount: "0.5" });
      await venue.order("alice", { price: "99.5", amount: "0.5" });
      const second = await client.message("global.tickers");
      const at = Math.floor(venue.clock.now / 1000);
      assertEquals(second.sequence, 1);
      assertEquals(second["global.tickers"].btcusdt, {
        at,
        name: "BTC/USDT",
        base_unit: "btc",
        quote_unit: "usdt",
        low: "100.0",
        high: "100.0",
        open: "100.0",
        last: "100.0",
        close: "100.0",
        volume: "50.0",
        amount: "0.5",
        avg_price: "100.0",
        price_change_percent: "+0.00%",
        buy: "99.5",
        sell: "100.0",
      });
    });
  });
});
