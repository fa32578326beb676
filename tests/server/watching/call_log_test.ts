import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readConfig } from "../../../src/server/config.ts";
import { Logger } from "../../../src/server/logger.ts";
import { VenueServer } from "../../../src/server/venue_server.ts";

/** Returns the calls that a venue with this log level records. */
async function callsAt(level: string): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const environment = { PORT: "0", KV_PATH: ":memory:", LOG_LEVEL: level };
  const config = readConfig(environment, ["--demo"]);
  const server = await VenueServer.start(
    config,
    new Logger(config.logLevel, (line) => lines.push(line)),
  );
  for (
    const [method, path] of [
      ["GET", "/api/v2/backend/public/markets/btcusdt/depth?limit=1"],
      ["HEAD", "/api/v2/backend/public/timestamp"],
      ["GET", "/nowhere?token=x"],
    ] as const
  ) {
    await (await fetch(server.url + path, { method })).body?.cancel();
  }
  await server.stop();
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "call");
}

describe("the log of a venue", () => {
  it("has each call without its query at the lowest level", async () => {
    const startedAt = performance.now();
    const calls = await callsAt("debug");
    const most = performance.now() - startedAt;
    const isTimed = (ms: unknown) => Number(ms) >= 0 && Number(ms) <= most;
    const told = calls.map(({ at: _, ms, ...call }): Record<string, unknown> => (
      { ...call, isTimed: isTimed(ms) }
    ));
    assertEquals(told, [
      {
        level: "debug",
        event: "call",
        method: "GET",
        path: "/api/v2/backend/public/markets/btcusdt/depth",
        status: 200,
        isTimed: true,
      },
      {
        level: "debug",
        event: "call",
        method: "HEAD",
        path: "/api/v2/backend/public/timestamp",
        status: 200,
        isTimed: true,
      },
      {
        level: "debug",
        event: "call",
        method: "GET",
        path: "/nowhere",
        status: 404,
        isTimed: true,
      },
    ]);
    assert(!JSON.stringify(calls).includes("token"));
  });

  it("has none above it", async () => {
    assertEquals(await callsAt("info"), []);
  });
});
