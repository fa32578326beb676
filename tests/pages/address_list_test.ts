/** Lists of addresses from which a key may be used. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { addressesIn, firstNoAddress } from "../../src/pages/settings/address_list.ts";
import { percentText } from "../../src/pages/shared/percent.ts";

describe("a list of addresses", () => {
  it("has one a line, or with commas or spaces between", () => {
    assertEquals(addressesIn(" 203.0.113.0/24\n2001:db8::1, 10.0.0.1\t;"), [
      "203.0.113.0/24",
      "2001:db8::1",
      "10.0.0.1",
    ]);
    assertEquals(addressesIn("\n"), []);
  });

  it("takes addresses and ranges of both kinds", () => {
    const good = ["0.0.0.0/0", "255.255.255.255", "10.1.2.3/32", "::1", "2001:db8::/32", "fe80::1"];
    assertEquals(firstNoAddress(good), undefined);
  });

  it("finds what is none", () => {
    const bad = ["256.1.1.1", "1.2.3", "1.2.3.4.", "1.2.3.4/33", "host.example", "::1/129", "a:b"];
    for (const text of bad) assertEquals(firstNoAddress(["10.0.0.1", text]), text);
  });
});

describe("a percentage", () => {
  it("is exact", () => {
    assertEquals(["0.002", "0.0", "0.00015", "1"].map(percentText), [
      "0.2 %",
      "0 %",
      "0.015 %",
      "100 %",
    ]);
  });
});
