/** Profit and loss by currency. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { product, toldUnits, unitsText } from "../../src/pages/shared/amounts.ts";
import { PNL_EXAMPLE as ROW } from "../../src/edge/schemas/pnl.ts";
import { pnlLines, pnlSums } from "../../src/pages/wallet/pnl_lines.ts";

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
