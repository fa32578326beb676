import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DepthTexts } from "../../../src/edge/wire/depth_texts.ts";
import { depthText } from "../../../src/edge/wire/market_wire.ts";
import type { MarketBook } from "../../../src/domain/trading/market_book.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Returns two markets with some levels each. */
function venue(): { test: DomainVenue; btc: MarketBook; eth: MarketBook } {
  const test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt")
    .withMember("ann", { btc: "1000", eth: "1000", usdt: "10000" });
  for (const market of ["btcusdt", "ethusdt"]) {
    for (let i = 0; i < 20; i++) test.sell("ann", "1", String(20 + i), { market });
  }
  return { test, btc: test.book("btcusdt"), eth: test.book("ethusdt") };
}

describe("the texts of depths", () => {
  it("are made once a second, or when their book changes", () => {
    const { test, btc, eth } = venue();
    const depths = new DepthTexts();
    const first = depths.text(btc, 5, 1, 0);
    assertEquals(first, depthText(btc, 5, 1, 0));
    const other = depths.text(eth, 5, 1, 0);
    btc.asks.levels = () => {
      throw new Error("The text is made again");
    };
    assertEquals(depths.text(btc, 5, 1, 0), first);
    Reflect.deleteProperty(btc.asks, "levels");
    test.sell("ann", "1", "19");
    assertEquals(depths.text(btc, 5, 1, 0), depthText(btc, 5, 1, 0));
    assertEquals(depths.text(btc, 5, 1, 1), depthText(btc, 5, 1, 1));
    assertEquals(depths.text(eth, 5, 1, 0), other);
  });

  it("of a quiet market are dropped after their second, by any later request", () => {
    const { btc, eth } = venue();
    const depths = new DepthTexts();
    for (let limit = 1; limit <= 20; limit++) depths.text(btc, limit, 1, 0);
    const { length } = depths.text(eth, 1, 2, 0);
    assertEquals(depths.characters, length);
  });

  it("are limited in characters over all books together", () => {
    const { test, btc, eth } = venue();
    const depths = new DepthTexts(2000);
    let longest = 0;
    for (let limit = 1; limit <= 20; limit++) {
      for (const book of [btc, eth]) {
        const text = depths.text(book, limit, 1, 0);
        assertEquals(text, depthText(book, limit, 1, 0));
        longest = Math.max(longest, depths.characters);
      }
    }
    assert(longest > 1000 && longest <= 2000, `${longest}`);
    const before = depths.characters;
    const { length } = depths.text(btc, 1, 1, 0);
    test.sell("ann", "1", "19", { market: "btcusdt" });
    depths.text(btc, 1, 1, 0);
    assert(depths.characters <= before + length, "what was of the book before it changed is gone");
  });
});
