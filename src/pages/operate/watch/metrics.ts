/** The venue's figures, read every two seconds as long as the page is open. */
import { faultOf } from "../../shared/fault.ts";
import { VenueError } from "../../../client/client.ts";
import { me, venue } from "../../shared/session.ts";
import { Shown } from "../../shared/shown.ts";
import { isAway } from "../acting/presence.ts";
import { type Sample, sampleOf, withSample } from "./metric_history.ts";

/** All figures that the venue tells operators. */
export type Metrics = Awaited<ReturnType<typeof readMetrics>>;

const EVERY_MS = 2_000;
/** How often it is counted what waits, in ms. */
export const PENDING_MS = 10_000;

/** The last ones; null while there are none. */
export const metrics: Shown<Metrics | null> = new Shown<Metrics | null>(null);

/** Why the last try has failed; null if it has not. */
export const metricsFault: Shown<string | null> = new Shown<string | null>(null);

/** Whether nothing is read since nobody is there. */
export const isPaused: Shown<boolean> = new Shown(false);

/** How many acts wait for a second operator, a hundred at most. */
export const pendingActs: Shown<number> = new Shown(0);

/** Those of the last ten minutes. */
export const samples: Shown<readonly Sample[]> = new Shown<readonly Sample[]>([]);

/** Begins to read them. */
export function followMetrics(): void {
  let before: { at: number; counters: Metrics } | null = null;
  repeat(EVERY_MS, async () => {
    isPaused.set(isAway());
    if (isPaused.value) return;
    try {
      const counters = await readMetrics();
      const at = Date.now() / 1000;
      metrics.set(counters);
      metricsFault.set(null);
      samples.set(withSample(samples.value, sampleOf(before, counters, at)));
      before = { at, counters };
    } catch (error) {
      metricsFault.set(faultOf(error).text);
      // The session has ended: the page asks to sign in again.
      if (error instanceof VenueError && error.code === "authz.invalid_session") me.set(null);
    }
  });
}

/** Begins to count what waits for a second operator. */
export function followPendingActs(): void {
  repeat(PENDING_MS, async () => {
    if (isAway()) return;
    try {
      const query = { state: "pending", limit: 100 } as const;
      pendingActs.set((await venue.get("/api/v2/admin/approvals", { query })).length);
    } catch (error) {
      // What is out of reach, the overview tells.
      faultOf(error);
    }
  });
}

/** Reads now, and again and again as long as somebody is signed in. */
export function repeat(everyMs: number, read: () => Promise<void>): void {
  const run = async () => {
    await read();
    if (me.value !== null) setTimeout(run, everyMs);
  };
  void run();
}

async function readMetrics() {
  return await venue.get("/api/v2/admin/metrics");
}
