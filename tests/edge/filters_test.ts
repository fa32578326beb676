import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../src/edge/errors.ts";
import { marketIndexes, type MarketWords } from "../../src/edge/filters.ts";
import { DomainVenue } from "../support/domain_venue.ts";

describe("the markets of a query", () => {
  const { venue } = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt")
    .withMarket("eth", "btc");

  function named(words: MarketWords): number[] {
    return [...marketIndexes(venue, words) ?? []];
  }

  it("are those that match all its fields", () => {
    assertEquals(marketIndexes(venue, {}), undefined);
    assertEquals(named({ market: "ethbtc" }), [2]);
    assertEquals(named({ market: "btcusdt, ethusdt" }), [0, 1]);
    assertEquals(named({ base_unit: "eth" }), [1, 2]);
    assertEquals(named({ quote_unit: "usdt" }), [0, 1]);
    assertEquals(named({ base_unit: "eth", quote_unit: "usdt" }), [1]);
    assertEquals(named({ market: "btcusdt", base_unit: "eth" }), []);
    assertEquals(named({ market: "btcusdt,ethbtc", quote_unit: "btc" }), [2]);
  });

  it("must exist, and units must be those of a market on that side", () => {
    const wrong = [
      { market: "ethusdt,nowhere" },
      { base_unit: "usdt" },
      { quote_unit: "eth" },
      { market: "btcusdt", base_unit: "nothing" },
    ];
    for (const words of wrong) {
      const { errors } = assertThrows(() => named(words), ApiError);
      assertEquals(errors, ["market.market.doesnt_exist"], JSON.stringify(words));
    }
  });
});
