import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertThrows } from "@std/assert";
import { IP_RANGES_MAX, IpAllowList } from "../../src/secrets/ip_allow_list.ts";

function allows(entries: string[], address: string): boolean {
  return IpAllowList.parse(entries)?.has(address) ?? true;
}

describe("IpAllowList", () => {
  it("is null for an empty list", () => {
    assertEquals(IpAllowList.parse([]), null);
  });

  it("holds single addresses", () => {
    assertEquals(allows(["10.0.0.1"], "10.0.0.1"), true);
    assertEquals(allows(["10.0.0.1"], "10.0.0.2"), false);
    assertEquals(allows(["2001:db8::1"], "2001:0db8:0:0:0:0:0:1"), true);
    assertEquals(allows(["2001:db8::1"], "2001:db8::2"), false);
  });

  it("holds the first and last address of a range, and neither neighbour", () => {
    const list = ["192.168.4.0/22"];
    assertEquals(allows(list, "192.168.4.0"), true);
    assertEquals(allows(list, "192.168.7.255"), true);
    assertEquals(allows(list, "192.168.3.255"), false);
    assertEquals(allows(list, "192.168.8.0"), false);
    assertEquals(allows(["2001:db8::/33"], "2001:db8:7fff:ffff::1"), true);
    assertEquals(allows(["2001:db8::/33"], "2001:db8:8000::"), false);
  });

  it("ignores the host bits of a range's address", () => {
    assertEquals(allows(["10.1.2.3/8"], "10.200.0.1"), true);
  });

  it("holds every address of one family under /0", () => {
    assertEquals(allows(["0.0.0.0/0"], "255.255.255.255"), true);
    assertEquals(allows(["0.0.0.0/0"], "2001:db8::1"), false);
    assertEquals(allows(["::/0"], "2001:db8::1"), true);
    assertEquals(allows(["::/0"], "10.1.2.3"), false);
    assertEquals(allows(["::/64"], "::ffff:10.1.2.3"), false);
    assertEquals(allows(["::ffff:0:0/95"], "10.1.2.3"), false);
  });

  it("recognises an IPv4 address mapped into IPv6", () => {
    assertEquals(allows(["10.0.0.0/8"], "::ffff:10.1.2.3"), true);
    assertEquals(allows(["10.0.0.0/8"], "::ffff:a01:203"), true);
    assertEquals(allows(["10.0.0.0/8"], "::10.1.2.3"), false);
    assertEquals(allows(["::ffff:0:0/96"], "10.1.2.3"), true);
    assertEquals(allows(["::ffff:10.1.2.0/120"], "10.1.2.3"), true);
    assertEquals(allows(["::ffff:10.1.2.0/120"], "10.1.3.3"), false);
  });

  it("holds whatever any of its entries holds", () => {
    const list = ["10.0.0.1", "2001:db8::/32", "172.16.0.0/12"];
    assertEquals(allows(list, "172.31.255.255"), true);
    assertEquals(allows(list, "172.32.0.0"), false);
  });

  it("never holds anything but an address", () => {
    for (const text of ["", "unknown", "10.0.0", "1.2.3.4.5", "::g"]) {
      assertEquals(allows(["0.0.0.0/0", "::/0"], text), false, text);
    }
  });

  it("names the entry that is not an address or range", () => {
    const bad = [
      "",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/08",
      "10.0.0.256",
      "10.0.0.01",
      "2001:db8::/129",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7::8",
      "example.com",
      "10.0.0.0/8 ",
      "10.0.0.1%eth0",
      "::1%eth0",
      `::1%${"a".repeat(70_000)}`,
      `${"0".repeat(70_000)}::1`,
    ];
    for (const entry of bad) {
      assertThrows(() => IpAllowList.parse(["10.0.0.1", entry]), RangeError, `"${entry}"`);
    }
  });

  it("has an upper bound", () => {
    const entries = Array.from({ length: IP_RANGES_MAX + 1 }, (_, i) => `10.0.0.${i}`);
    assertThrows(() => IpAllowList.parse(entries), RangeError, "at most 50");
    assertEquals(IpAllowList.parse(entries.slice(1))?.has("10.0.0.50"), true);
  });
});
