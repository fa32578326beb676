import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertNotEquals } from "@std/assert";
import { networkOf, parseAddress } from "../../src/secrets/ip_address.ts";

describe("parseAddress()", () => {
  it("strips brackets and zones", () => {
    assertEquals(parseAddress("[::1]"), 1n);
    assertEquals(parseAddress("fe80::1%eth0"), 0xfe80n << 112n | 1n);
  });
});

describe("networkOf()", () => {
  it("counts an IPv6 network as one, and each IPv4 address by itself", () => {
    assertEquals(networkOf("2001:db8:1:2::1"), networkOf("2001:db8:1:2:3:4:5:6"));
    assertNotEquals(networkOf("2001:db8:1:2::1"), networkOf("2001:db8:1:3::1"));
    assertNotEquals(networkOf("192.0.2.1"), networkOf("192.0.2.2"));
  });

  it("counts the spellings of an address as one", () => {
    assertEquals(networkOf("::ffff:192.0.2.1"), networkOf("192.0.2.1"));
    assertEquals(networkOf("0:0:0:0:0:0:0:1"), networkOf("::1"));
    assertEquals(networkOf("[2001:DB8::1]"), networkOf("2001:db8::1"));
  });

  it("leaves text that is no address as it is", () => {
    assertEquals([networkOf("unix"), networkOf("")], ["unix", ""]);
  });
});
