import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ORDER, ORDER_WITH_TRADES } from "../../../src/edge/schemas/answers.ts";
import { assertError, refusesQueries } from "../../support/assert_error.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { withVenue } from "../../support/with_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
const READ = "/api/v2/backend/market/orders";

describe("reading orders", () => {
  it("lists them newest first, in read shape, with paging headers", () =>
    withVenue(async (venue) => {
      const first = await venue.order("alice");
      const second = await venue.order("alice");
      const answer = await venue.get("alice", READ);
      assertEquals(answer.status, 200);
      assertEquals(answer.body.map((order: { id: number }) => order.id), [
        second.body.id,
        first.body.id,
      ]);
      answer.body.forEach((order: unknown) => ORDER.parse(order));
      assertEquals(answer.body[0].price, "100.0");
      assertEquals([answer.headers.get("page"), answer.headers.get("per-page")], ["1", "100"]);
    }));

  it("keeps to market, units, state, type, side and page", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("alice", { market: "ethusdt", side: "sell", type: "post_only" });
      const cancelled = await venue.order("alice", { market: "ethbtc", price: "0.01" });
      await venue.post("alice", `${ORDERS}/cancel/${cancelled.body.id}`);
      const markets = async (query: string) => {
        const answer = await venue.get("alice", `${READ}?${query}`);
        return answer.body.map((order: { market: string }) => order.market);
      };
      assertEquals(await markets("market=btcusdt"), ["btcusdt"]);
      assertEquals(await markets("market=btcusdt&market=ethbtc"), ["ethbtc", "btcusdt"]);
      assertEquals(await markets("state=wait,done&state[]=cancel&market=ethbtc"), ["ethbtc"]);
      assertEquals(await markets("base_unit=eth"), ["ethbtc", "ethusdt"]);
      assertEquals(await markets("quote_unit=usdt&base_unit=eth"), ["ethusdt"]);
      assertEquals(await markets("state[0]=wait&state[1]=cancel&market[0]=ethbtc"), ["ethbtc"]);
      assertEquals(await markets("state%5B0%5D=cancel"), ["ethbtc"]);
      assertEquals(await markets("state=cancel"), ["ethbtc"]);
      assertEquals(await markets("state=wait,cancel&order_by=asc"), [
        "btcusdt",
        "ethusdt",
        "ethbtc",
      ]);
      assertEquals(await markets("ord_type=post_only"), ["ethusdt"]);
      assertEquals(await markets("type=sell"), ["ethusdt"]);
      assertEquals(await markets("limit=1&page=2"), ["ethusdt"]);
      assertEquals(await markets("page=9"), []);
    }));

  it("goes as deep as 100,000 orders, and no deeper", () =>
    withVenue(async (venue) => {
      assertEquals((await venue.get("alice", `${READ}?limit=1000&page=100`)).status, 200);
      const deeper = await venue.get("alice", `${READ}?limit=1000&page=101`);
      assertError(deeper, 422, "market.order.invalid_page");
    }));

  it("takes time_from as inclusive and time_to as exclusive", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      const count = async (query: string) =>
        (await venue.get("alice", `${READ}?${query}`)).body.length;
      assertEquals(await count(`time_from=${body.created_at}`), 1);
      assertEquals(await count(`time_from=${body.created_at + 1}`), 0);
      assertEquals(await count(`time_to=${body.created_at}`), 0);
      assertEquals(await count(`time_to=${body.created_at + 1}`), 1);
    }));

  refusesQueries(READ, [
    ["market=x", "market.market.doesnt_exist"],
    ["base_unit=x", "market.market.doesnt_exist"],
    ["quote_unit=btcc", "market.market.doesnt_exist"],
    ["state=open", "market.order.invalid_state"],
    ["state=", "market.order.invalid_state"],
    ["state=,", "market.order.invalid_state"],
    ["state[]=", "market.order.invalid_state"],
    ["ord_type=x", "market.order.invalid_ord_type"],
    ["ord_type=", "market.order.invalid_ord_type"],
    ["ord_type=,", "market.order.invalid_ord_type"],
    ["ord_type[]=", "market.order.invalid_ord_type"],
    ["type=x", "market.order.invalid_type"],
    ["order_by=id", "market.order.invalid_order_by"],
    ["limit=0", "market.order.invalid_limit"],
    ["limit=1001", "market.order.invalid_limit"],
    ["limit=9999999999999999", "market.order.invalid_limit"],
    ["limit=-99999999999999999999", "market.order.invalid_limit"],
    ["limit=x", "market.order.non_integer_limit"],
    ["page=x", "market.order.non_integer_page"],
    ["page=0", "market.order.non_positive_page"],
    ["page=1001", "market.order.invalid_page"],
    ["page=9007199254740993", "market.order.invalid_page"],
    ["page=-9007199254740993", "market.order.non_positive_page"],
    ["time_from=x", "market.order.non_integer_time_from"],
    ["time_from=", "market.order.empty_time_from"],
    ["time_to=1.5", "market.order.non_integer_time_to"],
    ["time_to=", "market.order.empty_time_to"],
  ]);

  it("shows each side of a self-trade as that order's own", () =>
    withVenue(async (venue) => {
      const terms = {
        market: "btcusdt",
        amount: "1",
        price: "20000",
        self_trade_prevention: "none",
      };
      const sell = await venue.order("alice", { ...terms, side: "sell" });
      const buy = await venue.order("alice", { ...terms, side: "buy" });
      for (
        const [{ body: { id } }, side, liquidity] of [
          [sell, "sell", "maker"],
          [buy, "buy", "taker"],
        ] as const
      ) {
        const { body } = await venue.get("alice", `${READ}/${id}`);
        assertEquals([body.state, body.executed_volume, body.trades_count], ["done", "1.0", 1]);
        assertEquals(
          body.trades.map((one: Record<string, unknown>) => [
            one.order_id,
            one.side,
            one.taker_type,
            one.liquidity,
          ]),
          [[id, side, "buy", liquidity]],
        );
      }
    }));

  it("shows one by id, uuid and client order id, with its trades", () =>
    withVenue(async (venue) => {
      await venue.order("bob", { side: "sell", amount: "0.4", price: "99" });
      const { body } = await venue.order("alice", { client_order_id: "c" });
      for (const name of [body.id, body.uuid, "client:c"]) {
        const answer = await venue.get("alice", `${READ}/${name}`);
        assertEquals(answer.status, 200);
        ORDER_WITH_TRADES.parse(answer.body);
        assertEquals(answer.body.avg_price, "99.0");
        assertEquals([answer.body.executed_volume, answer.body.remaining_volume], ["0.4", "0.6"]);
        assertEquals(answer.body.trades.length, 1);
        const { price, amount, total, fee, fee_currency, fee_amount, liquidity, side } =
          answer.body.trades[0];
        assertEquals({ price, amount, total, fee, fee_currency, fee_amount, liquidity, side }, {
          price: "99.0",
          amount: "0.4",
          total: "39.6",
          fee: "0.002",
          fee_currency: "btc",
          fee_amount: "0.0008",
          liquidity: "taker",
          side: "buy",
        });
      }
    }));

  it("shows an order consistent with its trades even if it trades meanwhile", async () => {
    const store = await FaultyStore.open(":memory:");
    await withVenue(async (venue) => {
      const { body: { id } } = await venue.order("alice", { amount: "3" });
      const sell = () => venue.order("bob", { side: "sell", amount: "1" });
      await sell();
      await venue.engine.folded();
      store.onListed = async () => {
        store.onListed = () => Promise.resolve();
        await sell();
      };
      const shown = async () => {
        const { body } = await venue.get("alice", `${READ}/${id}`);
        return [body.executed_volume, body.trades_count, body.trades.length];
      };
      assertEquals(await shown(), ["1.0", 1, 1]);
      assertEquals(await shown(), ["2.0", 2, 2]);
    }, { sharedStore: store });
  });

  it("answers 404 for orders unknown or another's, 422 for an invalid name", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("bob");
      for (const name of [999, body.id, body.uuid, "client:none"]) {
        assertError(await venue.get("alice", `${READ}/${name}`), 404, "record.not_found");
      }
      const bad = await venue.get("alice", `${READ}/a-b`);
      assertError(bad, 422, "market.order.invaild_id_or_uuid");
    }));
});
