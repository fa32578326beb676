import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import { createClientAddress } from "../../src/api/client_address.ts";
import type { Env } from "../../src/api/env.ts";

const PEER = "10.0.0.1";

/** The address that is told of a call from `PEER` with this header. */
async function addressOf(proxies: number, forwarded?: string): Promise<string> {
  const clientAddress = createClientAddress(proxies);
  const app = new Hono<Env>();
  app.get("/", (c) => c.text(clientAddress(c)));
  const headers: HeadersInit = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  const info = { remoteAddr: { transport: "tcp", hostname: PEER, port: 1 } };
  return await (await app.request("/", { headers }, info)).text();
}

describe("the address of a caller", () => {
  it("is the peer's where there is no proxy, whatever a header claims", async () => {
    assertEquals(await addressOf(0), PEER);
    assertEquals(await addressOf(0, "203.0.113.7"), PEER);
  });

  it("is what the outermost proxy has seen", async () => {
    assertEquals(await addressOf(1, "203.0.113.7"), "203.0.113.7");
    assertEquals(await addressOf(1, "198.51.100.9, 203.0.113.7"), "203.0.113.7");
    assertEquals(await addressOf(2, "198.51.100.9, 203.0.113.7,10.0.0.2"), "203.0.113.7");
    assertEquals(await addressOf(1, "2001:db8::7"), "2001:db8::7");
  });

  it("is the peer's where the proxies have told none", async () => {
    assertEquals(await addressOf(1), PEER);
    assertEquals(await addressOf(2, "203.0.113.7"), PEER);
    assertEquals(await addressOf(1, "203.0.113.7, unknown"), PEER);
    assertEquals(await addressOf(1, ""), PEER);
  });
});
