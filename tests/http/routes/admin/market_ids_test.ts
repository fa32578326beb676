import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const PUBLIC = "/api/v2/backend/public/markets";

function create(venue: TestVenue, base: string, quote: string, id?: string): Promise<Answer> {
  return venue.post("operator", `${ADMIN}/markets`, {
    base_unit: base,
    quote_unit: quote,
    price_precision: 2,
    amount_precision: 6,
    ...(id === undefined ? {} : { id }),
  });
}

async function withCurrencies(
  codes: readonly string[],
  test: (venue: TestVenue) => Promise<void>,
): Promise<void> {
  await withVenue(async (venue) => {
    for (const id of codes) await venue.post("operator", `${ADMIN}/currencies`, { id });
    await test(venue);
  });
}

describe("a market", () => {
  it("is told from another by its currencies, whatever their codes join to", () =>
    withCurrencies(["pax", "gusd", "paxg", "usd", "us", "dbtc"], async (venue) => {
      assertEquals((await create(venue, "pax", "gusd")).body.id, "paxgusd");
      const joined = await create(venue, "paxg", "usd");
      assertError(joined, 422, "admin.market.duplicate_id");
      const chosen = await create(venue, "paxg", "usd", "paxg-usd");
      assertEquals([chosen.status, chosen.body.id, chosen.body.name], [
        201,
        "paxg-usd",
        "PAXG/USD",
      ]);
      assertEquals((await create(venue, "us", "dbtc")).body.id, "usdbtc");
      const other = await create(venue, "btc", "usd");
      assertEquals([other.status, other.body.id], [201, "btcusd"], "it is no reverse of us/dbtc");
      assertError(await create(venue, "usd", "btc"), 422, "admin.market.reverse_exists");
      assertError(await create(venue, "usd", "btc", "mine"), 422, "admin.market.reverse_exists");
      assertError(await create(venue, "btc", "usd", "again"), 422, "admin.market.duplicate_id");
    }));

  it("is served and traded under the id that the operator chose", () =>
    withCurrencies(["paxg", "usd"], async (venue) => {
      await create(venue, "paxg", "usd", "paxg_usd");
      const adjustment = { currency: "usd", amount: "100", reason: "funds", uid: "IDA11CE00001" };
      await venue.post("operator", `${ADMIN}/adjustments`, adjustment);
      const order = { market: "paxg_usd", side: "buy", type: "limit", amount: "1", price: "2" };
      const placed = await venue.post("alice", "/api/v2/trading/market/orders", order);
      assertEquals([placed.status, placed.body.market_id], [201, "paxg_usd"]);
      const depth = await venue.get(null, `${PUBLIC}/paxg_usd/depth`);
      assertEquals(depth.body.bids, [["2.0", "1.0"]]);
      const listed = await venue.get(null, `${PUBLIC}?base_unit=paxg&quote_unit=usd`);
      assertEquals(listed.body.map(({ id }: { id: string }) => id), ["paxg_usd"]);
    }));

  it("has no id that paths, streams or fees read otherwise", () =>
    withCurrencies(["paxg", "usd"], async (venue) => {
      const wrong = [
        "any",
        "all",
        "global",
        "tickers",
        "a",
        "A1",
        "a.b",
        "a/b",
        "-ab",
        "a--b",
        "a_",
      ];
      for (const id of [...wrong, "a".repeat(33)]) {
        assertError(await create(venue, "paxg", "usd", id), 422, "admin.market.invalid_id");
      }
      assertError(await create(venue, "paxg", "usd", "btcusdt"), 422, "admin.market.duplicate_id");
    }));
});
