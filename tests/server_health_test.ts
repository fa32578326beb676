import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../src/config.ts";
import { Logger } from "../src/logger.ts";
import { VenueServer } from "../src/venue_server.ts";
import { eventually } from "./support/eventually.ts";
import { rawHandshake } from "./support/raw_handshake.ts";

const PUBLIC = "/api/v2/backend/public";
const STREAM = "/api/v2/stream/public?stream=global.tickers";

async function startVenue(kvPath: string): Promise<VenueServer> {
  const config = readConfig({
    PORT: "0",
    KV_PATH: kvPath,
    NEW_STORE: "yes",
    MASTER_KEY: "01".repeat(32),
    OPERATOR_KEY: "boss:boss-secret-of-length",
  }, []);
  return await VenueServer.start(config, new Logger("error", () => {}));
}

async function ask(server: VenueServer, path: string): Promise<[number, unknown]> {
  const answer = await fetch(`${server.url}${PUBLIC}/${path}`);
  return [answer.status, await answer.json()];
}

function notReady(reason: string): [number, unknown] {
  return [503, { errors: ["server.not_ready", `server.${reason}`] }];
}

describe("the health of a server", () => {
  it("is alive and ready from its first answer on", async () => {
    const server = await startVenue(":memory:");
    assertEquals(await ask(server, "health/ready"), [200, { status: "ready" }]);
    assertEquals(await ask(server, "health/alive"), [200, { status: "alive" }]);
    await server.stop();
  });

  it("is alive but not ready once an invariant is broken", async () => {
    const directory = await Deno.makeTempDir();
    const kvPath = `${directory}/venue.db`;
    const server = await startVenue(kvPath);
    await Deno.remove(kvPath);
    const answer = await eventually("that it is not ready", async () => {
      const ready = await ask(server, "health/ready");
      return ready[0] !== 200 && ready;
    });
    assertEquals(answer, notReady("invariant_broken"));
    assertEquals(await ask(server, "health/alive"), [200, { status: "alive" }]);
    const [status, body] = await ask(server, "status");
    assertEquals([status, (body as { state: string }).state], [200, "stopped"]);
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  });

  it("is alive but not ready while closing its sockets", async () => {
    const server = await startVenue(":memory:");
    // A client that does not answer the close delays the server for a moment.
    const { connection, status } = await rawHandshake(`${server.url}${STREAM}`);
    assertEquals(status, 101);
    const stopped = server.stop();
    assertEquals(await ask(server, "health/ready"), notReady("closing"));
    assertEquals(await ask(server, "health/alive"), [200, { status: "alive" }]);
    connection.close();
    await stopped;
  });
});
