import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError, refusesQueries } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const PNL = "/api/v2/backend/account/stats/pnl";
const PEATIO = "/api/v2/peatio/account/stats/pnl";

async function trade(venue: TestVenue, price: string): Promise<void> {
  assertEquals((await venue.order("bob", { side: "sell", price })).status, 201);
  assertEquals((await venue.order("alice", { side: "buy", price })).status, 201);
}

describe("GET account/stats/pnl", () => {
  it("has a row for each currency that the member ever had, in each that is kept", () =>
    withVenue(async (venue) => {
      for (const path of [PNL, PEATIO]) {
        const answer = await venue.get("alice", path);
        assertEquals(answer.status, 200);
        assertEquals(
          answer.body.map((row: Record<string, string>) => `${row.pnl_currency} ${row.currency}`),
          ["usdt", "btc"].flatMap((kept) =>
            ["btc", "eth", "usdt", "bch"].map((currency) => `${kept} ${currency}`)
          ),
        );
      }
      const nobody = await venue.get("operator", PNL);
      assertEquals([nobody.status, nobody.body], [200, []]);
      assertEquals(nobody.headers.get("total"), "0");
    }));

  it("values what was never traded by the currencies' own prices", () =>
    withVenue(async (venue) => {
      const { body } = await venue.get("alice", `${PNL}?pnl_currency=btc`);
      assertEquals(body, [
        {
          currency: "btc",
          pnl_currency: "btc",
          total_credit: "100.0",
          total_debit: "0.0",
          total_credit_value: "100.0",
          total_debit_value: "0.0",
          average_buy_price: "1.0",
          average_sell_price: null,
          average_balance_price: "1.0",
          total_balance_value: "100.0",
        },
        {
          currency: "eth",
          pnl_currency: "btc",
          total_credit: "1000.0",
          total_debit: "0.0",
          total_credit_value: "50.0",
          total_debit_value: "0.0",
          average_buy_price: "0.05",
          average_sell_price: null,
          average_balance_price: "0.05",
          total_balance_value: "50.0",
        },
        {
          currency: "usdt",
          pnl_currency: "btc",
          total_credit: "10000000.0",
          total_debit: "0.0",
          total_credit_value: "500.0",
          total_debit_value: "0.0",
          average_buy_price: "0.00005",
          average_sell_price: null,
          average_balance_price: "0.00005",
          total_balance_value: "500.0",
        },
        {
          currency: "bch",
          pnl_currency: "btc",
          total_credit: "1000.0",
          total_debit: "0.0",
          total_credit_value: "20.0",
          total_debit_value: "0.0",
          average_buy_price: "0.02",
          average_sell_price: null,
          average_balance_price: "0.02",
          total_balance_value: "20.0",
        },
      ]);
    }));

  it("counts a trade at once, with its price and without its fee", () =>
    withVenue(async (venue) => {
      // The first price also applies to the earlier 100 btc of each member.
      await trade(venue, "100");
      await trade(venue, "200");
      const buyer = await venue.get("alice", `${PNL}?pnl_currency=usdt`);
      assertEquals(buyer.body[0], {
        currency: "btc",
        pnl_currency: "usdt",
        total_credit: "101.996",
        total_debit: "0.0",
        total_credit_value: "10299.4",
        total_debit_value: "0.0",
        average_buy_price: "100.9784697439115259",
        average_sell_price: null,
        average_balance_price: "100.9784697439115259",
        total_balance_value: "10299.4",
      });
      assertEquals(buyer.body[2].total_debit_value, "300.0");
      const seller = await venue.get("bob", `${PNL}?pnl_currency=usdt`);
      assertEquals(seller.body[0], {
        currency: "btc",
        pnl_currency: "usdt",
        total_credit: "100.0",
        total_debit: "2.0",
        total_credit_value: "10000.0",
        total_debit_value: "300.0",
        average_buy_price: "100.0",
        average_sell_price: "150.0",
        average_balance_price: "100.0",
        total_balance_value: "9800.0",
      });
      assertEquals(seller.body[2].total_credit, "10000299.4");
      // Everything before the second trade, and this trade itself, is valued at 1/100 btc per usdt.
      const inverse = await venue.get("bob", `${PNL}?pnl_currency=btc`);
      assertEquals(inverse.body[2].total_credit_value, "100002.994");
    }));

  it("takes the code in any case", () =>
    withVenue(async (venue) => {
      const { body } = await venue.get("alice", `${PNL}?pnl_currency=UsDt`);
      assertEquals(new Set(body.map((row: { pnl_currency: string }) => row.pnl_currency)).size, 1);
      assertEquals(body[0].pnl_currency, "usdt");
    }));

  it("names the currencies that are kept where nothing is valued in the given one", () =>
    withVenue(async (venue) => {
      for (const path of [PNL, PEATIO]) {
        const answer = await venue.get("alice", `${path}?pnl_currency=ETH`);
        assertError(answer, 422, "pnl.currency.not_kept");
        const details = { field: "pnl_currency", value: "ETH", rule: "known", limit: "usdt,btc" };
        assertEquals(answer.body.details, details);
      }
    }));

  it("answers 422 for an unknown currency, but not for one that is hidden", () =>
    withVenue(async (venue) => {
      for (const code of ["doge", ""]) {
        const answer = await venue.get("alice", `${PNL}?pnl_currency=${code}`);
        assertError(answer, 422, "pnl.currency.doesnt_exist");
        assertEquals(answer.body.details.field, "pnl_currency");
      }
      await venue.engine.submit(
        { kind: "change_currency", id: "btc", changes: { visible: false } },
        null,
      );
      const hidden = await venue.get("alice", `${PNL}?pnl_currency=btc`);
      assertEquals([hidden.status, hidden.body.length], [200, 4]);
      const nobody = await venue.get("operator", `${PNL}?pnl_currency=btc`);
      assertEquals([nobody.status, nobody.body], [200, []]);
    }));

  it("is one page unless the call says otherwise", () =>
    withVenue(async (venue) => {
      const whole = await venue.get("alice", PNL);
      assertEquals(
        ["page", "per-page", "total"].map((name) => whole.headers.get(name)),
        ["1", "1000", "8"],
      );
      const page = await venue.get("alice", `${PNL}?limit=4&page=2`);
      assertEquals(page.body, whole.body.slice(4));
      assertEquals(
        ["page", "per-page", "total"].map((name) => page.headers.get(name)),
        ["2", "4", "8"],
      );
      assertEquals((await venue.get("alice", `${PNL}?page=2`)).body, []);
    }));

  refusesQueries(PNL, [
    ["limit=0", "pagination.invalid_limit"],
    ["limit=1001", "pagination.invalid_limit"],
    ["limit=x", "pagination.non_integer_limit"],
    ["page=x", "pagination.non_integer_page"],
    ["page=0", "pagination.non_positive_page"],
    ["page=101&limit=1000", "pagination.invalid_page"],
  ]);

  it("needs a caller who may read", () =>
    withVenue(async (venue) => assertEquals((await venue.get(null, PNL)).status, 401)));

  it("returns nothing if nothing is kept any more", () =>
    withVenue(async (venue) => {
      await venue.engine.submit({ kind: "set_settings", changes: { pnlCurrencies: [] } }, null);
      assertEquals((await venue.get("alice", PNL)).body, []);
      const answer = await venue.get("alice", `${PNL}?pnl_currency=usdt`);
      assertError(answer, 422, "pnl.currency.not_kept");
      assertEquals(answer.body.details.limit, "");
    }));
});
