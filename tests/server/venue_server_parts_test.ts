import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { itUnless } from "../support/unless.ts";
import { readConfig } from "../../src/server/config.ts";
import { VenueEngine } from "../../src/engine/venue_engine.ts";
import { sessionKey } from "../../src/engine/sidecar_rows.ts";
import { Logger } from "../../src/server/logger.ts";
import { sidecarKey } from "../../src/store/keys.ts";
import { openExistingStore } from "../../src/store/store.ts";
import { VenueServer } from "../../src/server/venue_server.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import { StreamClient } from "../support/stream_client.ts";

const SECRET = "boss-secret-of-length";
const MINUTE_MS = 60_000;

interface Started {
  readonly server: VenueServer;
  readonly lines: Record<string, unknown>[];
}

async function start(
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Started> {
  const own = { PORT: "0", KV_PATH: ":memory:", MASTER_KEY: "01".repeat(32), NEW_STORE: "yes" };
  const config = readConfig({ ...own, OPERATOR_KEY: `boss:${SECRET}`, ...settings }, [...args]);
  const lines: Record<string, unknown>[] = [];
  const logger = new Logger("info", (line) => lines.push(JSON.parse(line)));
  return { server: await VenueServer.start(config, logger), lines };
}

/** Whether there is a network of its own kind on this machine. */
function hasIpv6(): boolean {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}

describe("a venue's server", () => {
  it("takes nonces from before its start of keys that it has made itself, and of no other", async () => {
    await using file = await VenueFile.create();
    const settings = { KV_PATH: file.path, NONCE_WINDOW_MS: String(MINUTE_MS) };
    const statuses: number[] = [];
    for (let times = 0; times < 2; times++) {
      const { server } = await start(settings);
      const headers = signedHeaders("boss", SECRET, Date.now() - MINUTE_MS / 2);
      const answer = await fetch(`${server.url}/api/v2/admin/members`, { headers });
      await answer.body?.cancel();
      statuses.push(answer.status);
      await server.stop();
    }
    assertEquals(statuses, [200, 401]);
  });

  itUnless(!hasIpv6())("is where its address says, in brackets for IPv6", async () => {
    const { server } = await start({ HOST: "::1" });
    assert(/^http:\/\/\[::1\]:\d+$/.test(server.url), server.url);
    const answer = await fetch(`${server.url}/api/v2/backend/public/health/alive`);
    assertEquals([answer.status, await answer.json()], [200, { status: "alive" }]);
    await server.stop();
  });
});

/** Whatever stands in the place of another thing does so for all: it is one case of its own. */
describe("a venue's server that is left alone", () => {
  it("takes sessions away that are over", async () => {
    await using file = await VenueFile.create();
    const first = await start({ KV_PATH: file.path });
    await first.server.stop();
    const row = sessionKey("ID1", "1");
    const store = await openExistingStore(file.path);
    await store.writeSidecar(row, {});
    store.close();
    const { setInterval } = globalThis;
    const soon = (look: () => void, ms: number) => setInterval(look, ms === 10_000 ? 1 : ms);
    globalThis.setInterval = soon as typeof setInterval;
    const starting = start({ KV_PATH: file.path });
    const { server } = await starting.finally(() => globalThis.setInterval = setInterval);
    const reader = await Deno.openKv(file.path);
    await eventually("that it is gone", async () => {
      return (await reader.get(sidecarKey(row))).value === null;
    });
    reader.close();
    await server.stop();
  });
});

describe("a venue's server that fails a call", () => {
  it("names it, in its answer and in its log", async () => {
    const { serve } = Deno;
    let onError: ((error: unknown) => Response | Promise<Response>) | undefined;
    Deno.serve = ((options: Deno.ServeTcpOptions, handler: Deno.ServeHandler<Deno.NetAddr>) => {
      onError = options.onError;
      return serve(options, handler);
    }) as typeof serve;
    const { server, lines } = await start({}).finally(() => Deno.serve = serve);
    const answer = await onError?.(new Error("It has no answer"));
    assertEquals(answer?.status, 500);
    assertEquals(await answer?.json(), { errors: ["server.internal_error"] });
    const id = answer?.headers.get("x-request-id") ?? "";
    assert(/^[-0-9a-f]{36}$/.test(id), id);
    assertEquals(lines.filter(({ requestId }) => requestId === id).length, 1);
    await server.stop();
  });
});

describe("a venue's server that fails a request over a socket", () => {
  it("says so in its log", async () => {
    const { server, lines } = await start({}, ["--demo"]);
    const headers = signedHeaders("demo-alice", "demo-alice-secret", Date.now());
    const client = await StreamClient.open(`${server.url}/api/v2/trading`, headers);
    const { submit } = VenueEngine.prototype;
    VenueEngine.prototype.submit = () => Promise.reject(new Error("It is not to be had"));
    try {
      client.send([1, 7, "create_order", ["btcusdt", "l", "buy", "1", "1"]]);
      await eventually(
        "the fault",
        () =>
          lines.find(({ event, method, path }) =>
            event === "request_failed" && method === "RPC" && path === "create_order"
          ),
      );
    } finally {
      VenueEngine.prototype.submit = submit;
    }
    await client.close();
    await server.stop();
  });
});
