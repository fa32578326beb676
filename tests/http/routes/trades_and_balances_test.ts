import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ACCOUNT, MEMBER_TRADE } from "../../../src/edge/schemas/answers.ts";
import { assertError, refusesQueries } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const TRADES = "/api/v2/backend/market/trades";
const BALANCES = "/api/v2/backend/account/balances";

/** Alice buys 0.5 from bob at 100, then sells him 0.25 at 90 on another market. */
async function trade(venue: TestVenue): Promise<void> {
  await venue.order("bob", { side: "sell", amount: "0.5" });
  await venue.order("alice", { amount: "0.5" });
  await venue.order("bob", { market: "ethusdt", amount: "0.25", price: "90" });
  venue.clock.now += 2000;
  await venue.order("alice", { market: "ethusdt", side: "sell", amount: "0.25", price: "90" });
}

describe("the trades of a member", () => {
  it("are listed newest first, with fee and liquidity", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const answer = await venue.get("bob", TRADES);
      assertEquals(answer.status, 200);
      answer.body.forEach((one: unknown) => MEMBER_TRADE.parse(one));
      const { id: _id, order_id, created_at, created_at_ms, ...newest } = answer.body[0];
      const order = await venue.get("bob", `/api/v2/backend/market/orders/${order_id}`);
      assertEquals(created_at_ms, order.body.updated_at_ms);
      assertEquals(created_at, new Date(created_at_ms).toISOString().slice(0, 19) + "Z");
      assertEquals(newest, {
        price: "90.0",
        amount: "0.25",
        total: "22.5",
        fee_currency: "eth",
        fee: "0.002",
        fee_amount: "0.0005",
        market: "ethusdt",
        taker_type: "sell",
        side: "buy",
        liquidity: "maker",
      });
      const sold = answer.body[1];
      assertEquals([sold.fee_currency, sold.fee_amount, sold.side], ["usdt", "0.1", "sell"]);
      assertEquals([answer.headers.get("page"), answer.headers.get("per-page")], ["1", "100"]);
    }));

  it("keep to market, side, times, order and page", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const second = Math.floor(venue.clock.now / 1000);
      const markets = async (query: string) =>
        (await venue.get("alice", `${TRADES}?${query}`)).body.map((one: { market: string }) =>
          one.market
        );
      assertEquals(await markets("market=btcusdt"), ["btcusdt"]);
      assertEquals(await markets("type=sell"), ["ethusdt"]);
      assertEquals(await markets("order_by=asc"), ["btcusdt", "ethusdt"]);
      assertEquals(await markets("limit=1&page=2"), ["btcusdt"]);
      assertEquals(await markets(`time_from=${second}`), ["ethusdt"]);
      assertEquals(await markets(`time_to=${second}`), ["btcusdt"]);
    }));

  refusesQueries(TRADES, [
    ["market=x", "market.market.doesnt_exist"],
    ["type=x", "market.trade.invalid_type"],
    ["order_by=x", "market.trade.invalid_order_by"],
    ["limit=0", "market.trade.invalid_limit"],
    ["limit=1001", "market.trade.invalid_limit"],
    ["limit=x", "market.trade.non_integer_limit"],
    ["page=", "market.trade.empty_page"],
    ["page=x", "market.trade.non_integer_page"],
    ["page=-1", "market.trade.non_positive_page"],
    ["page=5000", "market.trade.invalid_page"],
    ["time_from=x", "market.trade.non_integer_time_from"],
    ["time_from=", "market.trade.empty_time_from"],
    ["time_to=x", "market.trade.non_integer_time_to"],
    ["time_to=", "market.trade.empty_time_to"],
  ]);

  it("answer 403 below the trading level", () =>
    withVenue(async (venue) => {
      await venue.call("operator", "PATCH", "/api/v2/admin/members/IDA11CE00001", {
        json: { level: 1 },
      });
      assertError(await venue.get("alice", TRADES), 403, "market.trade.not_permitted");
    }));
});

describe("balances", () => {
  it("show what is free and what is locked", () =>
    withVenue(async (venue) => {
      await venue.order("alice", { side: "sell", amount: "1.5" });
      const answer = await venue.get("alice", `${BALANCES}/btc`);
      assertEquals([answer.status, answer.body], [200, {
        currency: "btc",
        balance: "98.5",
        locked: "1.5",
      }]);
      ACCOUNT.parse(answer.body);
    }));

  it("are zero for a visible currency that the member never had", () =>
    withVenue(async (venue) => {
      const { body } = await venue.get("operator", `${BALANCES}/eth`);
      assertEquals(body, { currency: "eth", balance: "0.0", locked: "0.0" });
      assertError(
        await venue.get("alice", `${BALANCES}/doge`),
        422,
        "account.currency.doesnt_exist",
      );
    }));

  it("are shown for a hidden currency only to those who have some", () =>
    withVenue(async (venue) => {
      const json = { visible: false };
      await venue.call("operator", "PATCH", "/api/v2/admin/currencies/btc", { json });
      const own = await venue.get("alice", `${BALANCES}/btc`);
      assertEquals([own.status, own.body.balance], [200, "100.0"]);
      const listed = await venue.get("alice", BALANCES);
      assertEquals(listed.body[0], own.body);
      assertError(
        await venue.get("operator", `${BALANCES}/btc`),
        422,
        "account.currency.doesnt_exist",
      );
      assertEquals((await venue.get("operator", BALANCES)).body.length, 3);
    }));

  it("are listed with and without a trailing slash, with a total", () =>
    withVenue(async (venue) => {
      for (const path of [BALANCES, `${BALANCES}/`]) {
        const answer = await venue.get("alice", path);
        assertEquals(answer.body.map((one: { currency: string }) => one.currency), [
          "btc",
          "eth",
          "usdt",
          "bch",
        ]);
        assertEquals(answer.headers.get("total"), "4");
      }
    }));

  it("begin with those that the member has, so that page one shows them among many", () =>
    withVenue(async (venue) => {
      for (let i = 0; i < 120; i++) {
        const currency = { id: `new${i}`, position: 0, name: "New" };
        await venue.post("operator", "/api/v2/admin/currencies", currency);
      }
      const pages: string[][] = [];
      for (const page of [1, 2]) {
        const { body } = await venue.get("alice", `${BALANCES}?page=${page}`);
        pages.push(body.map(({ currency }: { currency: string }) => currency));
      }
      const [first = [], second = []] = pages;
      assertEquals(first.slice(0, 4), ["btc", "eth", "usdt", "bch"]);
      assertEquals([first.length, second.length, new Set(pages.flat()).size], [100, 24, 124]);
      assertEquals(first.slice(4, 6), ["new0", "new1"]);
    }));

  it("keep to nonzero, search and page", () =>
    withVenue(async (venue) => {
      const codes = async (signer: "alice" | "operator", query: string) =>
        (await venue.get(signer, `${BALANCES}?${query}`)).body.map((one: { currency: string }) =>
          one.currency
        );
      for (const yes of ["true", "True", "TRUE", "1"]) {
        assertEquals(await codes("operator", `nonzero=${yes}`), [], yes);
      }
      for (const no of ["false", "False", "0"]) {
        assertEquals(await codes("operator", `nonzero=${no}`), ["btc", "eth", "usdt", "bch"], no);
      }
      assertEquals(await codes("alice", "nonzero=true"), ["btc", "eth", "usdt", "bch"]);
      assertEquals(await codes("alice", "search[currency_code]=BT"), ["btc"]);
      assertEquals(await codes("alice", "search%5Bcurrency_name%5D=ether"), ["eth", "usdt"]);
      const search = encodeURIComponent('{"currency_code":"btc","currency_name":"tether"}');
      assertEquals(await codes("alice", `search=${search}`), ["btc", "usdt"]);
      assertEquals(await codes("alice", "limit=1&page=3"), ["usdt"]);
      assertEquals(await codes("alice", "search[currency_code]=b%25"), ["btc", "bch"]);
      assertEquals(await codes("alice", "search[currency_code]=%5C%25"), []);
    }));

  refusesQueries(BALANCES, [
    ["nonzero=maybe", "account.balances.invalid_nonzero"],
    ["nonzero=", "account.balances.invalid_nonzero"],
    ["nonzero=10", "account.balances.invalid_nonzero"],
    ["search=x", "account.balances.invalid_search"],
    ["limit=1001", "pagination.invalid_limit"],
    ["limit=x", "pagination.non_integer_limit"],
    ["page=x", "pagination.non_integer_page"],
    ["page=0", "pagination.non_positive_page"],
    ["page=101&limit=1000", "pagination.invalid_page"],
  ]);
});
