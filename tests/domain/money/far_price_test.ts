import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { farPrices } from "../../../src/domain/money/far_price.ts";
import type { MarketState } from "../../../src/domain/trading/market.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";

const FUNDS = { btc: "10", eth: "100", usdt: "1000000" };

/** A venue on which both markets can trade. */
class PricedVenue {
  readonly test = new DomainVenue()
    .withMarket("btc", "usdt").withMarket("eth", "btc", { pricePrecision: 4 })
    .withMember("ann", FUNDS).withMember("bob", FUNDS);

  price(id: string, text: string): void {
    this.test.must({ kind: "change_currency", id, changes: { price: units(text) } });
  }

  state(id: string, state: MarketState): void {
    this.test.must({ kind: "change_market", id, changes: { state } });
  }

  trade(market: string, price: string): void {
    this.test.sell("ann", "0.01", price, { market });
    this.test.buy("bob", "0.01", price, { market });
  }

  far(): [string, string, string][] {
    const { venue } = this.test;
    return farPrices(venue).map(({ currency, market, price }) => [
      venue.currency(currency).id,
      market,
      formatDecimal(price),
    ]);
  }
}

describe("a currency's price", () => {
  it("is far if it is more than a fifth of the market's price from it, whichever way", () => {
    const priced = new PricedVenue();
    priced.price("btc", "100");
    assertEquals(priced.far(), [], "nothing has traded");
    priced.trade("btcusdt", "20000");
    for (const price of ["16000", "24000"]) {
      priced.price("btc", price);
      assertEquals(priced.far(), [], price);
    }
    for (const price of ["15999.9999999999999999", "24000.0000000000000001", "0"]) {
      priced.price("btc", price);
      assertEquals(priced.far(), [["btc", "btcusdt", "20000"]], price);
    }
  });

  it("is told by the other one's, of either side that counts for one", () => {
    const priced = new PricedVenue();
    priced.price("btc", "20000");
    priced.price("eth", "1000");
    priced.trade("ethbtc", "0.1");
    assertEquals(priced.far(), [["eth", "ethbtc", "2000"]]);
    priced.price("eth", "2000");
    assertEquals(priced.far(), []);
    // Now the base is what counts for one.
    priced.price("eth", "1");
    assertEquals(priced.far(), [["btc", "ethbtc", "10"]]);
    priced.price("btc", "10");
    assertEquals(priced.far(), []);
    // Of two that both do, the quote tells the base's.
    priced.price("btc", "1");
    assertEquals(priced.far(), [["eth", "ethbtc", "0.1"]]);
  });

  it("is not told by one without a price, nor by a market that is disabled", () => {
    const priced = new PricedVenue();
    priced.trade("btcusdt", "20000");
    priced.price("btc", "0");
    priced.price("usdt", "0");
    assertEquals(priced.far(), []);
    priced.price("btc", "5000");
    assertEquals(priced.far(), [["usdt", "btcusdt", "0.25"]]);
    priced.state("btcusdt", "halted");
    assertEquals(priced.far().length, 1);
    priced.state("btcusdt", "disabled");
    assertEquals(priced.far(), []);
  });

  it("is judged as it is to be", () => {
    const priced = new PricedVenue();
    priced.trade("btcusdt", "20000");
    const { venue } = priced.test;
    const btc = venue.currency(0);
    assertEquals(farPrices(venue).length, 1);
    assertEquals(farPrices(venue, { ...btc, price: units("20000") }), []);
  });
});
