/** `HEAD` over the wire, because the platform's part in it does not show in process. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DeafClient } from "../support/deaf_client.ts";
import { rawCall } from "../support/raw_http.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";

const BALANCES = "/api/v2/backend/account/balances";

function call({ url, venue }: ServedVenue, method: "GET" | "HEAD", path: string) {
  const headers = { Host: "localhost", Connection: "close", ...venue.sign("alice") };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawCall(url, `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
}

describe("HEAD", () => {
  // Comes first, because the platform gives each warning once.
  it("causes no warning of the platform", () =>
    withServedVenue(async (served) => {
      const warned: unknown[] = [];
      const { warn } = console;
      Object.assign(console, { warn: (...said: unknown[]) => warned.push(said) });
      try {
        assertEquals((await call(served, "HEAD", BALANCES)).status, 200);
      } finally {
        Object.assign(console, { warn });
      }
      assertEquals(warned, []);
    }));

  it("gives the length of GET's answer, and sends no body", () =>
    withServedVenue(async (served) => {
      for (
        const path of [
          "/docs",
          "/api/v2/openapi.json",
          "/api/v2/backend/public/markets",
          "/nowhere",
          BALANCES,
        ]
      ) {
        const got = await call(served, "GET", path);
        const { status, head, body } = await call(served, "HEAD", path);
        assertEquals([status, body], [got.status, ""], path);
        assertEquals(Number(/content-length: (\d+)/.exec(head)?.[1]), got.body.length, path);
      }
    }));

  it("opens no websocket", () =>
    withServedVenue(async ({ url, venue }) => {
      for (const path of ["/api/v2/stream/public", "/api/v2/stream/private?stream=order"]) {
        const headers = {
          Host: "localhost",
          Connection: "Upgrade, close",
          Upgrade: "websocket",
          "Sec-WebSocket-Version": "13",
          "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
          ...venue.sign("alice"),
        };
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const { status } = await rawCall(url, `HEAD ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
        assertEquals(status, 426, path);
      }
    }));

  it("gives no length for a streamed answer", () =>
    withServedVenue(async (served) => {
      const path = "/api/v2/backend/account/statements/trades.csv";
      const { status, head, body } = await call(served, "HEAD", path);
      assertEquals([status, body], [200, ""]);
      assert(head.includes("text/csv") && !head.includes("content-length"), head);
    }));

  it("sends no body over HTTP/2 either", () =>
    withServedVenue(async ({ url, venue }) => {
      using client = await DeafClient.open(url);
      for (const path of ["/docs", "/api/v2/backend/public/markets", "/nowhere", BALANCES]) {
        assert(await client.head(path, venue.sign("alice")), path);
      }
    }));
});
