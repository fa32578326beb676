/** What an operator is told that rules and rates mean. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { withdrawActNames } from "../../src/pages/operate/money/withdraw_states.ts";
import { ruleText, stepText } from "../../src/pages/operate/rules/market_rules.ts";
import { rateText } from "../../src/pages/operate/rules/rate_text.ts";
import { OPERATE_EN } from "../../src/pages/texts/operate_en.ts";

const RULES = {
  base: "BTC",
  quote: "USDT",
  pricePrecision: "2",
  amountPrecision: "6",
  minPrice: "0.01",
  maxPrice: "1000000.0",
  minAmount: "0.0001",
  minTotal: "5.0",
};

describe("a market's rules", () => {
  it("are told in steps and bounds", () => {
    assertEquals(
      ruleText(OPERATE_EN.rules, RULES),
      "Prices in steps of 0.01 USDT. Prices from 0.01 USDT. Prices up to 1\u202f000\u202f000 USDT. " +
        "Amounts in steps of 0.000001 BTC. An order is of at least 0.0001 BTC. " +
        "Price × amount is at least 5 USDT.",
    );
  });

  it("leave out what is none, or can't be read", () => {
    const none = { ...RULES, maxPrice: "0.0", minTotal: "", minAmount: "much", minPrice: "0" };
    assertEquals(
      ruleText(OPERATE_EN.rules, { ...none, pricePrecision: "17" }),
      "Amounts in steps of 0.000001 BTC.",
    );
    assertEquals([stepText("0"), stepText("-1"), stepText("1.5")], ["1", null, null]);
  });
});

describe("a rate", () => {
  it("is read in percent, exactly", () => {
    const plain = (rate: string) => rateText(rate)?.replace("\u202f", " ");
    assertEquals([plain("0.0015"), plain("0.5"), plain("0")], ["0.15 %", "50 %", "0 %"]);
    assertEquals(plain("0.000000000000000"), "0 %");
    assertEquals(plain("0.00000000000001"), "0.000000000001 %");
    assertEquals([rateText(""), rateText("."), rateText("-1"), rateText("x")], [
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("a withdrawal", () => {
  const acts = (state: string, isApproved = false, isByHand = false) =>
    withdrawActNames({ state, is_approved: isApproved, is_by_hand: isByHand });

  it("has the acts that the venue may take in its state", () => {
    assertEquals(acts("accepted"), ["approve", "succeed", "reject"]);
    assertEquals(acts("accepted", true), ["succeed", "reject"]);
    assertEquals(acts("accepted", true, true), ["handOver", "succeed", "reject"]);
    assertEquals(acts("errored", true), ["retry", "succeed", "fail"]);
    assertEquals(acts("confirming", true), ["succeed", "fail"]);
    assertEquals(acts("succeed", true), ["giveBack"]);
    assertEquals([acts("rejected"), acts("canceled"), acts("failed")], [[], [], []]);
  });
});
