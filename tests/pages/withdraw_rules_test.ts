/** What pages know of the venue's rules for withdrawals. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { toldUnits, unitsText } from "../../src/pages/shared/amounts.ts";
import {
  addressIn,
  checkAmount,
  isAboveLimits,
  isAddressLike,
  isCodeLike,
  leftOf,
  limitsOf,
  type WithdrawTerms,
} from "../../src/pages/wallet/withdraw_rules.ts";

const TERMS: WithdrawTerms = {
  available: toldUnits("1.00000000123"),
  fee: toldUnits("0.0005"),
  least: toldUnits("0.001"),
  precision: 8,
};

function faultOf(text: string): string | undefined {
  return checkAmount(text, TERMS).fault;
}

describe("the rules of withdrawals", () => {
  it("say what arrives", () => {
    const { units, received, fee, fault } = checkAmount("0.25", TERMS);
    assertEquals(fault, undefined);
    assertEquals([units ?? 0n, received, fee].map(unitsText), ["0.25", "0.2495", "0.0005"]);
  });

  it("let a whole balance go, whose digits too many stay as part of the fee", () => {
    const { fault, received, fee } = checkAmount("1.00000000123", TERMS);
    assertEquals(fault, undefined);
    assertEquals([received, fee].map(unitsText), ["0.9995", "0.00050000123"]);
    assertEquals(faultOf("0.500000001"), "precision");
  });

  it("name the rule that is broken, the first of the venue's", () => {
    assertEquals(faultOf(""), undefined);
    assertEquals(faultOf("a"), "format");
    assertEquals(faultOf("-1"), "format");
    assertEquals(faultOf("1e3"), "format");
    assertEquals(faultOf("0"), "format");
    assertEquals(faultOf("2"), "funds");
    assertEquals(faultOf("0.0005"), "fee");
    assertEquals(faultOf("0.0006"), "minimum");
  });

  it("know what is left of the limits, and what is above them", () => {
    const sums = { last_24_hours: "900.0", last_1_month: "20000.0" };
    const limits = limitsOf({ withdraw_24_hour: "1000.0", withdraw_1_month: "10000.0" }, sums);
    assertEquals(limits.map(leftOf).map(unitsText), ["100", "0"]);
    const [day] = limits;
    assertEquals(isAboveLimits(toldUnits("5"), "20", day === undefined ? [] : [day]), false);
    assertEquals(isAboveLimits(toldUnits("5.01"), "20", day === undefined ? [] : [day]), true);
    assertEquals(isAboveLimits(toldUnits("5"), "20", limits), true);
  });

  it("let everything leave where there are no limits, and nothing without a price where there are", () => {
    const sums = { last_24_hours: "0.0", last_1_month: "0.0" };
    const none = limitsOf({ withdraw_24_hour: null, withdraw_1_month: null }, sums);
    assertEquals(isAboveLimits(toldUnits("5"), "20", none), false);
    const limits = limitsOf({ withdraw_24_hour: "10.0", withdraw_1_month: null }, sums);
    assertEquals(isAboveLimits(toldUnits("5"), "0.0", limits), true);
  });

  it("know what may be a code or an address", () => {
    assertEquals(addressIn(" bc1q exam\tple "), "bc1qexample");
    assertEquals(["012345", " 012345 ", "12345", "1234567", "12345a"].map(isCodeLike), [
      true,
      true,
      false,
      false,
      false,
    ]);
    assertEquals(
      ["bc1qexample", " bitcoincash: qz2", "a", "  ", "<b>x</b>"].map(isAddressLike),
      [
        true,
        true,
        false,
        false,
        false,
      ],
    );
  });
});
