/** What amounts are worth. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { toldUnits, unitsText } from "../../src/pages/shared/amounts.ts";
import {
  basisPoints,
  type Prices,
  shownDigits,
  valueOf,
  worthOf,
} from "../../src/pages/wallet/valuing.ts";

const PRICES: Prices = {
  last: new Map([["btc/usdt", "20000.5"], ["eth/btc", "0.05"]]),
  own: new Map([["btc", "19000"], ["eth", "1000"], ["usdt", "1"], ["xyz", "0"], ["bch", "400"]]),
};

function value(amount: string, currency: string, quote: string): string | null {
  const units = valueOf(toldUnits(amount), currency, quote, PRICES);
  return units === null ? null : unitsText(units);
}

describe("valuing", () => {
  it("goes by the last price of a market, in either direction", () => {
    assertEquals(value("2", "btc", "usdt"), "40001");
    assertEquals(value("1", "btc", "eth"), "20");
    assertEquals(value("0.0000000000000001", "usdt", "usdt"), "0.0000000000000001");
  });

  it("goes by the currencies' own prices where nothing was traded", () => {
    assertEquals(value("3", "bch", "usdt"), "1200");
    assertEquals(value("2.5", "eth", "bch"), "6.25");
  });

  it("tells nothing where nothing is known", () => {
    assertEquals(value("1", "xyz", "usdt"), null);
    assertEquals(value("1", "usdt", "xyz"), null);
    assertEquals(value("0", "xyz", "usdt"), "0");
    assertEquals(value("1", "new", "usdt"), null);
  });

  it("sums up without a float, and says what is missing", () => {
    const amounts = [["btc", toldUnits("1")], ["bch", toldUnits("0.1")], ["xyz", 5n]] as const;
    const { sum, isPartial } = worthOf(amounts, "usdt", PRICES);
    assertEquals([unitsText(sum), isPartial], ["20040.5", true]);
  });

  it("shows shares, and digits that fit a currency", () => {
    assertEquals(basisPoints(1n, 3n), 3333);
    assertEquals(basisPoints(1n, 0n), 0);
    assertEquals([shownDigits("20000.0", 8), shownDigits("1.0", 6), shownDigits("50", 1)], [
      6,
      2,
      1,
    ]);
  });
});
