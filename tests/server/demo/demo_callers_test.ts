/** A demo, whose keys are public, and the pages of other sites in a browser beside it. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../../src/server/config.ts";
import { Logger } from "../../../src/server/logger.ts";
import { VenueServer } from "../../../src/server/venue_server.ts";
import { rawHandshake } from "../../support/raw_handshake.ts";
import { rawCall } from "../../support/raw_http.ts";
import { signedHeaders } from "../../support/signed_headers.ts";

const ALIVE = "/api/v2/backend/public/health/alive";
const CANCEL = "/api/v2/trading/market/orders/cancel";
const SOCKETS = ["/api/v2/trading", "/api/v2/stream/public", "/api/v2/finex"];
const REAL = { MASTER_KEY: "01".repeat(32), OPERATOR_KEY: "boss:boss-secret-of-length" };
const CALLER = "https://bots.example";

async function withServer(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  test: (server: VenueServer, port: string) => Promise<void>,
): Promise<void> {
  const config = readConfig({ PORT: "0", KV_PATH: ":memory:", ...environment }, [...args]);
  const server = await VenueServer.start(config, new Logger("info", () => {}));
  try {
    await test(server, new URL(server.url).port);
  } finally {
    await server.stop();
  }
}

function withDemo(
  environment: Readonly<Record<string, string>>,
  test: (server: VenueServer, port: string) => Promise<void>,
): Promise<void> {
  return withServer(environment, ["--demo"], test);
}

async function read(url: string, path: string, host: string): Promise<[number, string]> {
  const { status, body } = await rawCall(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return [status, status === 200 ? "" : body];
}

let nonce = 0;

/** Returns the answer to a write with the demo's well-known key. */
async function write(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  nonce = Math.max(nonce + 1, Date.now());
  const all = { ...signedHeaders("demo-alice", "demo-alice-secret", nonce), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { status } = await rawCall(
    url,
    `POST ${CANCEL} HTTP/1.1\r\n${lines}Content-Type: application/json\r\n` +
      "Content-Length: 2\r\n\r\n{}",
  );
  return status;
}

async function open(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, connection } = await rawHandshake(url, headers);
  connection.close();
  return status;
}

describe("a demo on a loopback address", () => {
  it("is called by the names of this machine alone", () =>
    withDemo({}, async ({ url }, port) => {
      for (const host of ["localhost", "127.0.0.1", "[::1]", "127.8.9.10", "LocalHost"]) {
        for (const named of [host, `${host}:${port}`, `${host}:1`]) {
          assertEquals(await read(url, ALIVE, named), [200, ""], named);
        }
      }
      const foreign = [
        "evil.example",
        `evil.example:${port}`,
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil-localhost",
        "10.0.0.1",
        "[::2]",
        "[::ffff:127.0.0.1]",
        "localhost:x",
      ];
      for (const host of foreign) {
        for (const path of ["/", "/docs", ALIVE, "/api/v2/backend/account/balances"]) {
          const refused = [400, '{"errors":["server.invalid_host"]}'];
          assertEquals(await read(url, path, host), refused, host);
        }
        assertEquals(await write(url, { Host: host, Origin: `http://${host}` }), 400);
        const rebound = { Host: host, Origin: `http://${host}` };
        assertEquals(await open(`${url}/api/v2/trading`, rebound), 400);
      }
      assertEquals((await rawCall(url, `GET ${ALIVE} HTTP/1.0\r\n\r\n`)).status, 200);
    }));

  it("takes writes and sockets of programs and of its own pages alone", () =>
    withDemo({ CORS_ORIGINS: CALLER }, async ({ url }, port) => {
      const Host = `127.0.0.1:${port}`;
      for (const Origin of [`http://${Host}`, CALLER]) {
        assertEquals(await write(url, { Host, Origin }), 200, Origin);
      }
      assertEquals(await write(url, { Host }), 200);
      const local = `localhost:${port}`;
      assertEquals(await write(url, { Host: local, Origin: `http://${local}` }), 200);
      const foreign = ["http://evil.example", "null", "http://127.0.0.1:1", `http://${local}`, "x"];
      for (const Origin of foreign) {
        assertEquals(await write(url, { Host, Origin }), 403, Origin);
        for (const path of SOCKETS) {
          assertEquals(await open(`${url}${path}`, { Origin }), 403, `${path} ${Origin}`);
        }
      }
      for (const path of SOCKETS) {
        for (const headers of [{}, { Origin: `http://${Host}` }, { Origin: CALLER }]) {
          assertEquals(await open(`${url}${path}`, headers), 101, path);
        }
      }
    }));

  it("is no other at the port of unsigned sockets", () =>
    withDemo({ PUBLIC_SOCKETS_PORT: "0" }, async ({ publicSocketsUrl }) => {
      const url = `${publicSocketsUrl}/api/v2/trading`;
      assertEquals(await open(url, {}), 101);
      assertEquals(await open(url, { Origin: "http://evil.example" }), 403);
      assertEquals(await open(url, { Host: "evil.example" }), 400);
    }));
});

describe("a demo that is open to others", () => {
  it("has whatever names they call it by, and takes nothing of other sites' pages", () =>
    withDemo({ DEMO_HOST: "0.0.0.0" }, async (server, port) => {
      const url = `http://127.0.0.1:${port}`;
      const Host = `demo.example:${port}`;
      assertEquals(await read(url, ALIVE, Host), [200, ""]);
      assertEquals(await write(url, { Host, Origin: `http://${Host}` }), 200);
      assertEquals(await write(url, { Host, Origin: "http://evil.example" }), 403);
      assertEquals(server.url, `http://0.0.0.0:${port}`);
    }));
});

describe("a venue with secret keys", () => {
  it("is called by any name, and its signed sockets from any page", () =>
    withServer(REAL, ["--new"], async ({ url }) => {
      assertEquals(await read(url, ALIVE, "venue.example"), [200, ""]);
      const Origin = "https://elsewhere.example";
      assertEquals(await open(`${url}/api/v2/trading`, { Origin, Host: "venue.example" }), 101);
    }));
});
