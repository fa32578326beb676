import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { eventually } from "../support/eventually.ts";
import { rawHandshake } from "../support/raw_handshake.ts";

const PUBLIC = "/api/v2/backend/public";
const STREAM = "/api/v2/stream/public?stream=global.tickers";

async function startVenue(
  kvPath: string,
  settings: Readonly<Record<string, string>> = {},
  lines: string[] = [],
): Promise<VenueServer> {
  const config = readConfig({
    PORT: "0",
    KV_PATH: kvPath,
    NEW_STORE: "yes",
    MASTER_KEY: "01".repeat(32),
    OPERATOR_KEY: "boss:boss-secret-of-length",
    ...settings,
  }, []);
  return await VenueServer.start(config, new Logger("info", (line) => lines.push(line)));
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

  it("comes with what an operator has to look at", async () => {
    const backupMark = await Deno.makeTempFile();
    await Deno.utime(backupMark, new Date(0), new Date(0));
    const lines: string[] = [];
    const server = await startVenue(":memory:", { BACKUP_MARK: backupMark }, lines);
    await eventually("an old backup", async () => {
      const [, body] = await ask(server, "health/ready");
      return JSON.stringify(body) === '{"status":"ready","degraded":["backup_old"]}';
    });
    await eventually(
      "a line",
      () => lines.some((line) => line.includes('"reasons":["backup_old"]')),
    );
    await server.stop();
    await Deno.remove(backupMark);
  });

  it("is told to Prometheus on a port of its own", async () => {
    const server = await startVenue(":memory:", { METRICS_PORT: "0", BUILD: "v7" });
    const url = server.metricsUrl ?? "";
    const answer = await fetch(url);
    assertEquals(answer.headers.get("content-type")?.split(";")[0], "text/plain");
    const text = await answer.text();
    for (const line of ["kvenue_ready 1", 'build="v7"', 'kvenue_waiting{what="mail"} 0']) {
      assert(text.includes(line), `${line}\n${text}`);
    }
    const statuses = [await fetch(url, { method: "POST" }), await fetch(`${url}/x`)];
    assertEquals(statuses.map(({ status }) => status), [405, 404]);
    await Promise.all(statuses.map(({ body }) => body?.cancel()));
    const [status, version] = await ask(server, "version");
    const { build, formats } = version as { build: string; formats: Record<string, number> };
    assertEquals([status, build, Object.keys(formats)], [200, "v7", ["log", "rows"]]);
    await server.stop();
    await assertRejects(() => fetch(url), TypeError);
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
