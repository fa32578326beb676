import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PNL_CURRENCIES_MAX } from "../../src/domain/limits.ts";
import { moneyVenue, refusalOf } from "../support/money_venue.ts";

describe("the operator's settings", () => {
  it("limit profit and loss to a few known currencies without repeats", () => {
    const test = moneyVenue();
    const set = (...currencies: string[]) =>
      refusalOf(test.do({ kind: "set_pnl_currencies", currencies }));
    assertEquals(set("usdt", "eur"), null);
    assertEquals(set("usdt", "doge"), "currency_not_found");
    assertEquals(set("usdt", "usdt"), "pnl_currencies_invalid");
    test.withCurrencies("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9");
    assertEquals(
      set("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"),
      "pnl_currencies_invalid",
    );
    assertEquals(test.venue.pnlCurrencies, ["usdt", "eur"]);
    assertEquals(set("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"), null);
    assertEquals(test.venue.pnlCurrencies.length, PNL_CURRENCIES_MAX);
  });

  it("stop trading on the whole venue or in one currency, but not cancels", () => {
    const test = moneyVenue().withMarket("btc", "usdt");
    const order = { amount: "1", price: "10", side: "sell" } as const;
    const { id } = test.sell("ann", "1", "10");
    const place = () => refusalOf(test.place("ann", order));
    test.must({ kind: "set_switches", switches: { trading: false } });
    assertEquals(place(), "market_not_enabled");
    test.must({ kind: "set_switches", switches: { trading: true } });
    for (const currency of ["btc", "usdt"]) {
      test.must({ kind: "change_currency", id: currency, changes: { tradingEnabled: false } });
      assertEquals(place(), "market_not_enabled");
      test.must({ kind: "change_currency", id: currency, changes: { tradingEnabled: true } });
    }
    assertEquals(place(), null);
    test.must({ kind: "set_switches", switches: { trading: false } });
    assertEquals(refusalOf(test.cancel("ann", id)), null);
  });
});
