/** Profit and loss by currency. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { product, toldUnits, unitsText } from "../../src/pages/shared/amounts.ts";
import { pnlLines, pnlSums } from "../../src/pages/wallet/pnl_lines.ts";

const ROW = {
  currency: "btc",
  pnl_currency: "usdt",
  total_credit: "2.994",
  total_debit: "1.0",
  total_credit_value: "29940.0",
  total_debit_value: "9000.0",
  average_buy_price: "10000.0",
  average_sell_price: "9000.0",
  average_balance_price: "10000.0",
  total_balance_value: "19940.0",
};

describe("profit and loss", () => {
  it("is what was gained by what went out, and what would be by the rest", () => {
    const rows = [ROW, { ...ROW, pnl_currency: "btc" }];
    const held = toldUnits("1.994");
    const lines = pnlLines(
      rows,
      "usdt",
      () => held,
      (_, units) => product(units, toldUnits("11000")),
    );
    assertEquals(lines.length, 1);
    const sums = pnlSums(lines);
    assertEquals([sums.realised, sums.unrealised].map(unitsText), ["-1000", "1994"]);
  });

  it("leaves out what is not known", () => {
    const lines = pnlLines([ROW], "usdt", () => 5n, () => null);
    assertEquals(lines[0]?.unrealised, null);
    assertEquals(unitsText(pnlSums(lines).unrealised), "0");
  });
});
