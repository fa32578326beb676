import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { bookRows, groupings } from "../../../src/pages/trade/book_rows.ts";
import type { Level } from "../../../src/client/client.ts";

const ASKS: readonly Level[] = [
  ["100.01", "1.0"],
  ["100.09", "2.0"],
  ["100.1", "0.5"],
  ["100.11", "4.0"],
];
const BIDS: readonly Level[] = [["99.99", "1.0"], ["99.9", "3.0"], ["99.89", "0.1"]];
const NONE: ReadonlySet<string> = new Set();

describe("the rows of a book", () => {
  it("have amounts and their sums from the best price on", () => {
    const rows = bookRows(ASKS, "asks", "0.01", NONE, 3);
    assertEquals(rows.map(({ price, amount, sum }) => [price, amount, sum]), [
      ["100.01", "1", "1"],
      ["100.09", "2", "3"],
      ["100.1", "0.5", "3.5"],
    ]);
    assertEquals(rows.map(({ share }) => share), [28, 85, 100]);
  });

  it("group prices away from the spread, so that none looks better than it is", () => {
    const asks = bookRows(ASKS, "asks", "0.1", NONE, 10);
    assertEquals(asks.map(({ price, amount }) => [price, amount]), [["100.1", "3.5"], [
      "100.2",
      "4",
    ]]);
    const bids = bookRows(BIDS, "bids", "0.1", NONE, 10);
    assertEquals(bids.map(({ price, amount }) => [price, amount]), [["99.9", "4"], [
      "99.8",
      "0.1",
    ]]);
    assertEquals(bookRows(BIDS, "bids", "10", NONE, 10).map(({ price }) => price), ["90"]);
  });

  it("mark one's own orders, grouped or not", () => {
    const own = new Set(["100.09"]);
    const marks = (step: string) => bookRows(ASKS, "asks", step, own, 10).map(({ isOwn }) => isOwn);
    assertEquals(marks("0.01"), [false, true, false, false]);
    assertEquals(marks("0.1"), [true, false]);
  });

  it("keep amounts that no float can hold", () => {
    const huge: Level = ["0.00000001", "123456789012345678.0000000000000001"];
    const [row] = bookRows([huge], "bids", "0.00000001", NONE, 1);
    assertEquals(row?.amount, "123456789012345678.0000000000000001");
  });
});

describe("the steps of a book", () => {
  it("begin with the finest, and end before a step is a good part of the price", () => {
    assertEquals(groupings(2, "20000.0"), ["0.01", "0.1", "1", "10", "100"]);
    assertEquals(groupings(6, "0.05"), ["0.000001", "0.00001", "0.0001", "0.001"]);
    assertEquals(groupings(2, "0.0"), ["0.01"]);
    assertEquals(groupings(0, "1000"), ["1", "10"]);
  });
});
