import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import { createClientAddress } from "../../src/edge/client_address.ts";
import type { Env } from "../../src/edge/env.ts";
import { IpAllowList } from "../../src/secrets/ip_allow_list.ts";

const PEER = "10.0.0.1";

/** Returns the client address found for a call from `PEER` with this header. */
async function addressOf(proxies: number, forwarded?: string): Promise<string> {
  const clientAddress = createClientAddress(proxies);
  const app = new Hono<Env>();
  app.get("/", (c) => c.text(clientAddress(c)));
  const headers: HeadersInit = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  const info = { remoteAddr: { transport: "tcp", hostname: PEER, port: 1 } };
  return await (await app.request("/", { headers }, info)).text();
}

describe("the address of a caller", () => {
  it("is the peer's without a proxy, whatever a header claims", async () => {
    assertEquals(await addressOf(0), PEER);
    assertEquals(await addressOf(0, "203.0.113.7"), PEER);
  });

  it("is what the outermost proxy saw", async () => {
    assertEquals(await addressOf(1, "203.0.113.7"), "203.0.113.7");
    assertEquals(await addressOf(1, "198.51.100.9, 203.0.113.7"), "203.0.113.7");
    assertEquals(await addressOf(2, "198.51.100.9, 203.0.113.7,10.0.0.2"), "203.0.113.7");
    assertEquals(await addressOf(1, "2001:db8::7"), "2001:db8::7");
  });

  it("is the same if a proxy adds a port", async () => {
    assertEquals(await addressOf(1, "203.0.113.7:50123"), "203.0.113.7");
    assertEquals(await addressOf(1, "[2001:db8::7]:50123"), "2001:db8::7");
    assertEquals(await addressOf(1, "[2001:db8::7]"), "2001:db8::7");
    assertEquals(await addressOf(2, "198.51.100.9, 203.0.113.7:1 ,10.0.0.2:2"), "203.0.113.7");
  });

  it("is what the proxy said, cut short, if unreadable", async () => {
    const unread = ["unknown", "203.0.113.7:", "203.0.113.7:x", "300.0.0.1:80", "[::g]:1", "_a:1"];
    for (const hop of unread) {
      const address = await addressOf(1, `203.0.113.7, ${hop}`);
      assertEquals(address, hop);
      assertEquals(IpAllowList.parse(["0.0.0.0/0", "::/0"])?.has(address), false, hop);
    }
    assertEquals(await addressOf(1, "x".repeat(1_000)), "x".repeat(64));
  });

  it("is the peer's if the proxies give none", async () => {
    assertEquals(await addressOf(1), PEER);
    assertEquals(await addressOf(2, "203.0.113.7"), PEER);
    assertEquals(await addressOf(1, ""), PEER);
  });
});
