/** A venue asked to end under load; partly needs `denokv` (`cargo install denokv --locked`). */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { StreamClient } from "../support/stream_client.ts";
import { KilledVenue } from "./killed_venue.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";
/** Deno Deploy's time limit for a shutdown. */
const END_MS_MAX = 5_000;
const UNDER_WAY_MS = 200;
/** Less than the time for which the venue waits for the endless call. */
const ASKED_AGAIN_MS = 1_500;

const HALF_REQUEST = "POST /api/v2/trading/market/orders HTTP/1.1\r\nHost: venue\r\n" +
  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";

/** Starts a call that never ends, for which the venue waits as long as it can. */
async function startEndlessCall(port: number): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(HALF_REQUEST));
  return connection;
}

describe("a venue told to stop under load", () => {
  it("loses nothing it answered, and exits with the right code", async () => {
    const venue = await KilledVenue.create(2);
    try {
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        assertEquals((await venue.endRound(signal)).code, 0, signal);
      }
      // An endless call delays the end by three of the five seconds allowed.
      const endless = await startEndlessCall(venue.port);
      assertEquals((await venue.endRound("SIGINT")).code, 0, "with an endless call");
      endless.close();
      // Ctrl-C in a terminal sends two signals: one directly, one through the parent process.
      const once = await startEndlessCall(venue.port);
      const toldAgain = { signal: "SIGTERM", afterMs: 0 } as const;
      assertEquals((await venue.endRound("SIGINT", toldAgain)).code, 0, "asked once, told twice");
      once.close();
      // A second request ends it immediately.
      const twice = await startEndlessCall(venue.port);
      const status = await venue.endRound("SIGINT", { signal: "SIGINT", afterMs: ASKED_AGAIN_MS });
      assertEquals(status.code, 130, "asked twice");
      twice.close();
    } catch (error) {
      await venue.abandon();
      throw error;
    }
    const { answers, landed, orders, refusals } = venue.figures;
    diagnostic(
      `${answers} answers, ${refusals} refusals, ${landed} of ${orders} orders landed unanswered`,
    );
    await venue.finish();
  });
});

describeUnless(isSkipped)(`a venue told to stop while its KV server hangs${WHY}`, () => {
  it("ends in time despite a pending order, and one on a guarded socket", async () => {
    await using venue = await SharedVenue.start();
    const [member] = await venue.createMembers(1) as [VenueMember];
    const socket = await StreamClient.open(
      `${venue.a.baseUrl}/api/v2/trading?cancel_on_disconnect=true`,
      member.signer.headers(venue.nonces.take(1)),
    );
    venue.kv.freeze();
    const order = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "300" };
    socket.send([1, 1, "create_order", ["btcusdt", "limit", "buy", "1", "300"]]);
    const sent = venue.call(venue.a, member.signer, "POST", "/trading/market/orders", order)
      .then(({ status }) => status, () => null);
    await sleep(UNDER_WAY_MS);
    const start = performance.now();
    assertEquals((await venue.a.stop()).code, 0);
    assert(performance.now() - start < END_MS_MAX);
    assert(await sent !== 201);
    await socket.closed;
  });
});
