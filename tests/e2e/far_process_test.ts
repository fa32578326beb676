/** A process far from its KV server beside a near one; needs `denokv`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { sendOrders, type SentOrders } from "../bench/load/far_runs.ts";
import { percentile } from "../bench/load/load_run.ts";
import { ServerProcess } from "../bench/load/server_process.ts";
import { DelayingProxy } from "../support/delaying_proxy.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

/** One way. */
const DELAY_MS = 200;
const NEAR_PER_SECOND = 100;
const MEMBERS = 10;
const SECONDS = 5;
const FAR_PER_SECOND = 5;
/** What a process that is far may need for an order, in round trips. */
const TRIPS_MAX = 8;
/** The rate that a near process keeps. */
const NEAR_SHARE_MIN = 0.7;

describeUnless(isSkipped)(`a process far from its KV server${WHY}`, () => {
  it("gets all its orders in beside a near one under load, which keeps its rate", async () => {
    await using venue = await SharedVenue.start();
    await using proxy = new DelayingProxy(Number(new URL(venue.kv.url).port), DELAY_MS);
    const members = await venue.createMembers(2 * MEMBERS);
    await venue.b.stop();
    venue.b = await ServerProcess.start({ ...venue.settings, kvPath: proxy.url });
    const [near, far] = [members.slice(0, MEMBERS), members.slice(MEMBERS)];
    const both = (seconds: number) =>
      Promise.all([
        sendOrders(venue.a, near, venue.nonces, { perSecond: NEAR_PER_SECOND, seconds }),
        sendOrders(venue.b, far, venue.nonces, { perSecond: FAR_PER_SECOND, seconds }),
      ]) as Promise<[SentOrders, SentOrders]>;
    // By then each process knows the members whose orders it takes.
    await both(MEMBERS / FAR_PER_SECOND);
    const [ofNear, ofFar] = await both(SECONDS);
    assertEquals([ofFar.refusal, ofNear.refusal], ["", ""]);
    assertEquals(ofFar.accepted, FAR_PER_SECOND * SECONDS);
    const p50 = percentile(ofFar.latencies, 0.5);
    assert(p50 <= TRIPS_MAX * 2 * DELAY_MS, `A far order takes ${p50} ms`);
    const share = ofNear.perSecond / NEAR_PER_SECOND;
    assert(share >= NEAR_SHARE_MIN, `The near process keeps ${share} of its rate`);
    await venue.assertAuditIsClean();
  });
});
