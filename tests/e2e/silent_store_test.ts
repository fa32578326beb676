/** What a process asks its KV server for, and does without its answers; needs `denokv`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { DelayingProxy } from "../support/delaying_proxy.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue, until } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

const PUBLIC = "/api/v2/backend/public";
/** Until a process that has started counts as idle, and how long it is then watched, in ms. */
const SETTLED_MS = 5_000;
const WATCHED_MS = 3_000;
const WATCHES = 4;
const REQUESTS_PER_SECOND_MAX = 2;
/** A process says after 1.5 s that it is not ready; a loaded machine needs longer. */
const NOT_READY_MS_MAX = 4_000;
const ANSWER_MS_MAX = 2_000;

async function ready({ baseUrl }: ServerProcess): Promise<{ status: number; errors: string[] }> {
  const response = await fetch(`${baseUrl}${PUBLIC}/health/ready`);
  const { errors = [] } = await response.json();
  return { status: response.status, errors };
}

describeUnless(isSkipped)(`a process and its KV server${WHY}`, () => {
  it("asks for no more than two things a second while nobody calls", async () => {
    await using venue = await SharedVenue.start();
    await using proxy = new DelayingProxy(Number(new URL(venue.kv.url).port), 0);
    await venue.b.stop();
    venue.b = await ServerProcess.start({ ...venue.settings, kvPath: proxy.url });
    await sleep(SETTLED_MS);
    const counts: number[] = [];
    for (let watch = 0; watch < WATCHES; watch++) {
      const before = proxy.requests;
      await sleep(WATCHED_MS);
      counts.push(proxy.requests - before);
    }
    const least = Math.min(...counts) / WATCHED_MS * 1000;
    assert(least <= REQUESTS_PER_SECOND_MAX, `Requests in ${WATCHED_MS} ms: ${counts}`);
    assert(least > 0, "It looks whether it still hears");
  });

  it("answers public reads from memory while the server is frozen, and is not ready", async () => {
    await using venue = await SharedVenue.start();
    venue.kv.freeze();
    const ms = await until(() => ready(venue.a), ({ status }) => status === 503);
    assert(ms < NOT_READY_MS_MAX, `It was ready for ${ms} ms`);
    const start = performance.now();
    const response = await fetch(`${venue.a.baseUrl}${PUBLIC}/markets/btcusdt/depth`);
    assertEquals(response.status, 200);
    assertEquals((await response.json()).asks, []);
    assert(Number(response.headers.get("Age")) > 0);
    assert(performance.now() - start < ANSWER_MS_MAX);
    venue.kv.thaw();
    await until(() => ready(venue.a), ({ status }) => status === 200);
  });

  it("is not ready once another seals with a master key that it lacks, and says so", async () => {
    await using venue = await SharedVenue.start();
    const masterKey = `${randomMasterKey()},${venue.settings.masterKey}`;
    await venue.b.stop();
    venue.b = await ServerProcess.start({ ...venue.settings, masterKey });
    const { uid } = await venue.operator(venue.b).call("POST", "/members", {
      email: "new@example.com",
      level: 3,
    });
    const key = await venue.operator(venue.b).call("POST", `/members/${uid}/api_keys`, {
      reason: "trades here",
    });
    const headers = { "x-auth-apikey": String(key["kid"]) };
    const answer = await fetch(`${venue.a.baseUrl}/api/v2/backend/account/balances`, {
      headers: {
        ...headers,
        "x-auth-nonce": String(Date.now()),
        "x-auth-signature": "0".repeat(64),
      },
    });
    assertEquals([answer.status, (await answer.json()).errors], [
      503,
      ["server.unavailable", "server.master_key_outdated"],
    ]);
    await until(() => ready(venue.a), ({ status }) => status === 503);
    assertEquals((await ready(venue.a)).errors, [
      "server.not_ready",
      "server.master_key_outdated",
    ]);
    assertEquals((await ready(venue.b)).status, 200);
    await until(
      () => Promise.resolve(venue.a.output),
      (text) => text.includes("master_key_outdated"),
    );
  });
});
