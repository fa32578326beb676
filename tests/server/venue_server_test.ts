import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Config, readConfig } from "../../src/server/config.ts";
import { Logger } from "../../src/server/logger.ts";
import { sidecarKey } from "../../src/store/keys.ts";
import { openExistingStore } from "../../src/store/store.ts";
import { NoStoreError } from "../../src/store/store.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { CLOCK_AHEAD_MS_MAX } from "../../src/engine/engine.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { RawHttp } from "../support/raw_http.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";
import { ConfigError } from "../../src/server/config_error.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";

const DAY_MS = 86_400_000;
const OLD = "01".repeat(32);
const NEW = "02".repeat(32);
const OTHER = "03".repeat(32);
const OPERATOR_KEY = "boss:boss-secret-of-length";

/** A server and its log lines. */
interface Started {
  readonly server: VenueServer;
  readonly lines: string[];
}

function configOf(environment: Record<string, string>): Config {
  const own = { PORT: "0", KV_PATH: ":memory:", MASTER_KEY: OLD, NEW_STORE: "yes" };
  return readConfig({ ...own, ...environment }, []);
}

async function start(config: Config): Promise<Started> {
  const lines: string[] = [];
  const logger = new Logger("info", (line) => lines.push(line));
  return { server: await VenueServer.start(config, logger), lines };
}

async function members(server: VenueServer): Promise<Response> {
  const headers = signedHeaders("boss", "boss-secret-of-length", Date.now());
  return await fetch(`${server.url}/api/v2/admin/members`, { headers });
}

function lineOf(lines: readonly string[], event: string): Promise<Record<string, unknown>> {
  return eventually(
    `a line "${event}"`,
    () => lines.map((text) => JSON.parse(text)).find((one) => one.event === event),
  );
}

describe("VenueServer", () => {
  it("serves its first operator until it is stopped", async () => {
    const { server, lines } = await start(configOf({ OPERATOR_KEY }));
    const answer = await members(server);
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals((await answer.json()).length, 1);
    await server.stop();
    await assertRejects(() => members(server), TypeError);
    const events = lines.map((line) => JSON.parse(line).event);
    assertEquals(events, ["new_store", "venue_settings", "messages_off", "listening", "stopped"]);
    assert(!lines.join("").includes("boss-secret"));
  });

  it("says why it takes no orders if its clock is behind its store", async () => {
    await using file = await VenueFile.create();
    const config = configOf({ OPERATOR_KEY, KV_PATH: file.path });
    const first = await start(config);
    await first.server.stop();
    const clock = { now: Date.now() + DAY_MS };
    const ahead = await EngineVenue.open({ path: file.path, clock });
    await ahead.addUsual();
    await ahead.close();
    const { server, lines } = await start(config);
    const { at: _, ...line } = await lineOf(lines, "not_ready");
    await server.stop();
    const until = new Date(clock.now - CLOCK_AHEAD_MS_MAX).toISOString();
    assertEquals(line, { level: "warn", event: "not_ready", reason: "clock_behind", until });
    // If the start has to write something, it fails with an explanation.
    const other = configOf({ OPERATOR_KEY: "new:new-secret-of-length", KV_PATH: file.path });
    await assertRejects(() => start(other), ConfigError, "but cannot now: clock_behind");
  });

  it("closes its sockets itself, before the platform does", async () => {
    const { server } = await start(configOf({ OPERATOR_KEY }));
    const path = "/api/v2/stream/public?stream=global.tickers";
    const client = await StreamClient.open(`${server.url}${path}`);
    await server.stop();
    assertEquals((await client.closed).code, CLOSE_CODES.restart);
  });

  it("answers every call with a Date", async () => {
    const { server } = await start(configOf({ OPERATOR_KEY }));
    for (const path of ["/docs", "/nowhere", "/api/v2/backend/public/markets"]) {
      const answer = await fetch(`${server.url}${path}`);
      await answer.body?.cancel();
      const ahead = Date.parse(answer.headers.get("date") ?? "") - Date.now();
      assert(Math.abs(ahead) < 60_000, `${path} is answered at the present`);
    }
    await server.stop();
  });

  it("shows well-known keys only in the demo's reference", async () => {
    const shown: string[][] = [];
    for (const args of [[], ["--demo"]]) {
      const settings = { PORT: "0", KV_PATH: ":memory:", MASTER_KEY: OLD, OPERATOR_KEY };
      const { server } = await start(readConfig(settings, args));
      const page = await (await fetch(`${server.url}/docs`)).text();
      await server.stop();
      shown.push(["KEY=demo-alice SECRET=demo-alice-secret", "http://127.0.0.1", "ws://127.0.0.1"]
        .filter((text) => page.includes(text)));
      assertEquals(page.includes("URL=https://venue.example/api/v2"), args.length === 0);
      assertEquals(page.includes("URL=wss://venue.example/api/v2/stream"), args.length === 0);
    }
    assertEquals(shown.map(({ length }) => length), [0, 3]);
  });

  it("tells a call with its body under way that nothing has happened", async () => {
    const { server } = await start(configOf({ OPERATOR_KEY }));
    const connection = await RawHttp.open(server.url);
    // The platform sends 100 Continue when the body is read, so the call has come that far.
    await connection.send(
      "POST /api/v2/trading/market/orders HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n" +
        "Content-Length: 100\r\n\r\n",
    );
    assertEquals((await connection.answer()).status, 100);
    const stopped = server.stop();
    const { status, head, body } = await connection.answer();
    connection.close();
    await stopped;
    if (IS_OLDEST_RUNTIME) {
      // That runtime waits for the body as long as for any other.
      assertEquals([status, body], [408, '{"errors":["server.body_timeout"]}']);
      return;
    }
    assertEquals([status, body], [503, '{"errors":["server.unavailable"]}']);
    assert(head.includes("retry-after: 1"), head);
  });

  it("does not start on a port that is taken, and lets go of the store", async () => {
    const directory = await Deno.makeTempDir();
    const first = await start(configOf({ OPERATOR_KEY }));
    const PORT = new URL(first.server.url).port;
    const KV_PATH = `${directory}/venue.db`;
    await assertRejects(
      () => start(configOf({ OPERATOR_KEY, PORT, KV_PATH })),
      ConfigError,
      `PORT ${PORT}`,
    );
    await first.server.stop();
    const second = await start(configOf({ OPERATOR_KEY, KV_PATH }));
    await second.server.stop();
    await Deno.remove(directory, { recursive: true });
  });

  it("begins no venue where there is none, unless told to, and leaves nothing behind", async () => {
    const directory = await Deno.makeTempDir();
    const KV_PATH = `${directory}/data/venue.db`;
    const settings = { OPERATOR_KEY, KV_PATH, PORT: "0", MASTER_KEY: OLD };
    const refused = () =>
      assertRejects(() => start(readConfig(settings, [])), NoStoreError, "start --new");
    await refused();
    assertEquals(await Array.fromAsync(Deno.readDir(directory)), []);
    await Deno.mkdir(`${directory}/data`);
    await Deno.writeFile(KV_PATH, new Uint8Array());
    await refused();
    const first = await start(readConfig(settings, ["--new"]));
    await first.server.stop();
    const next = await start(readConfig(settings, []));
    await next.server.stop();
    await Deno.remove(directory, { recursive: true });
  });

  it("tells where it has created a store", async () => {
    const directory = await Deno.makeTempDir();
    const KV_PATH = `${directory}/venue.db`;
    const created: unknown[] = [];
    for (let starts = 0; starts < 2; starts++) {
      const { server, lines } = await start(configOf({ OPERATOR_KEY, KV_PATH }));
      await server.stop();
      const news = lines.map((line) => JSON.parse(line)).filter(({ event }) =>
        event === "new_store"
      );
      created.push(news.map((line) => [line.level, line.KV_PATH]));
    }
    assertEquals(created, [[["info", KV_PATH]], []]);
    await Deno.remove(directory, { recursive: true });
  });

  it("does not start on a store that its platform can't open", async () => {
    const directory = await Deno.makeTempDir();
    const KV_PATH = `${directory}/venue.db`;
    await Deno.writeTextFile(KV_PATH, "no database at all, but a text");
    await assertRejects(() => start(configOf({ OPERATOR_KEY, KV_PATH })), ConfigError, "KV_PATH");
    await Deno.remove(directory, { recursive: true });
  });

  it("tells a demo from another venue before checking keys, leaving nothing behind", async () => {
    const directory = await Deno.makeTempDir();
    const environment = { OPERATOR_KEY, KV_PATH: `${directory}/demo.db`, PORT: "0" };
    const demo = await start(readConfig({ ...environment, MASTER_KEY: "" }, ["--demo"]));
    await demo.server.stop();
    await assertRejects(
      () => start(configOf(environment)),
      ConfigError,
      "KV_PATH points to a demo venue",
    );
    const KV_PATH = `${directory}/venue.db`;
    const DEMO_KEY = "demo-operator:demo-operator-secret";
    await assertRejects(
      () => start(configOf({ OPERATOR_KEY: DEMO_KEY, KV_PATH })),
      ConfigError,
      "OPERATOR_KEY",
    );
    const venue = await start(configOf({ OPERATOR_KEY, KV_PATH }));
    await venue.server.stop();
    await assertRejects(
      () => start(readConfig({ ...environment, KV_PATH, MASTER_KEY: "" }, ["--demo"])),
      ConfigError,
      "KV_PATH points to a venue other than the demo's",
    );
    const files = [...Deno.readDirSync(directory)].map(({ name }) => name);
    assert(!files.includes("venue.db.key"), files.join());
    const again = await start(configOf({ OPERATOR_KEY, KV_PATH }));
    await again.server.stop();
    await Deno.remove(directory, { recursive: true });
  });

  it("rotates master keys: reseals, then no longer needs the old one", async () => {
    const directory = await Deno.makeTempDir();
    const KV_PATH = `${directory}/venue.db`;
    const first = await start(configOf({ OPERATOR_KEY, KV_PATH }));
    await first.server.stop();
    await assertRejects(
      () => start(configOf({ KV_PATH, MASTER_KEY: NEW })),
      ConfigError,
      "MASTER_KEY",
    );
    const rotating = await start(configOf({ KV_PATH, MASTER_KEY: `${NEW},${OLD}` }));
    assertEquals((await lineOf(rotating.lines, "resealed")).rows, 3);
    await rotating.server.stop();
    const { server } = await start(configOf({ KV_PATH, MASTER_KEY: NEW }));
    assertEquals((await members(server)).status, 200);
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  });

  it("needs the older master key until everything is resealed", async () => {
    await using file = await VenueFile.create();
    const KV_PATH = file.path;
    const first = await start(configOf({ OPERATOR_KEY, KV_PATH }));
    await first.server.stop();
    const store = await openExistingStore(KV_PATH);
    const { value: pepper } = await store.get<object>(sidecarKey(["pepper", "contacts"]));
    const sealed = { ...pepper, iv: "" };
    await store.writeSidecar(["beneficiaries", 1], { owner: "ID1", token: "1", sealed });
    store.close();
    const rotating = await start(configOf({ KV_PATH, MASTER_KEY: `${NEW},${OLD}` }));
    await lineOf(rotating.lines, "reseal_failed");
    await rotating.server.stop();
    for (const MASTER_KEY of [NEW, OLD, `${OTHER},${OLD}`]) {
      await assertRejects(
        () => start(configOf({ KV_PATH, MASTER_KEY })),
        ConfigError,
        "MASTER_KEY cannot decrypt what is stored",
      );
    }
    const { server } = await start(configOf({ KV_PATH, MASTER_KEY: `${OLD},${NEW}` }));
    assertEquals((await members(server)).status, 200, "the way back");
    await server.stop();
  });
});
