/** Measures the application with an engine that does not store orders. */
import { BenchVenue } from "./bench_venue.ts";
import type { LoadResult } from "./load_run.ts";
import type { Report } from "./report.ts";
import { orderLoad } from "./workloads.ts";

const PROGRAM = "tests/bench/load/ceiling_server.ts";
const ORDERS_PER_SECOND_MAX = 60_000;
const WARM_UP_SECONDS = 2;

/** Duration and concurrency. */
export interface CeilingOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly members: number;
}

/** Runs T4 with all connections; returns orders per second. */
export async function runCeiling(
  directory: string,
  report: Report,
  { seconds, connections, members }: CeilingOptions,
): Promise<number> {
  const venue = await BenchVenue.start(directory, { program: PROGRAM, members });
  const run = (time: number): Promise<LoadResult> =>
    venue.run(connections, time, orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * time, 2, time));
  try {
    await run(Math.min(seconds, WARM_UP_SECONDS));
    const result = await run(seconds);
    const title = `the same application, storing nothing, ${connections} connections`;
    report.addRun(title, "orders", result, 1);
    return result.perSecond;
  } finally {
    await venue.server.stop();
  }
}
