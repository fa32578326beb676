/** What the engine has done so far, for operators and benchmarks. */
import * as z from "zod";
import type { DistributionFigures } from "../../engine/distribution.ts";
import type { Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { ok, OPERATOR } from "../endpoint_parts.ts";
import type { Figures } from "../figures.ts";

const count = z.int().min(0);

const DISTRIBUTION = z.object({
  count: count.meta({ description: "Values in all." }),
  sum: z.number(),
  bounds: z.array(z.number()).meta({ description: "Upper bounds of the ranges, inclusive." }),
  counts: z.array(count).meta({ description: "Values by range; the last range has no bound." }),
}) satisfies z.ZodType<DistributionFigures>;

const DISTRIBUTION_EXAMPLE = {
  count: 600,
  sum: 1500,
  bounds: [1, 2, 5],
  counts: [0, 250, 300, 50],
};

const FIGURES = z.object({
  commits: count.meta({ description: "Commits sent, of the log and of the fold." }),
  log_mutations: count.meta({ description: "Mutations that answers waited for." }),
  fold_mutations: count.meta({ description: "Mutations written behind the log." }),
  events: count.meta({ description: "Sequence of the last durable event." }),
  unfolded_events: count.meta({ description: "Events that the rows do not hold yet." }),
  orders: count,
  trades: count,
  open_orders: count,
  batch_size: DISTRIBUTION.meta({ description: "Commands of each durable entry of the log." }),
  commit_ms: DISTRIBUTION.meta({ description: "Time of each commit of the log, in ms." }),
  conflicts: count.meta({ description: "Commits that another process's came before." }),
  failed_commits: count.meta({ description: "Commits that the store did not take." }),
  unknown_commits: count.meta({ description: "Commits whose outcome had to be looked up." }),
  queue: count.meta({ description: "Commands that wait or are in flight." }),
  lag_events: count.meta({ description: "Durable events that this process has not read yet." }),
  lag_ms: count.meta({ description: "Time since the process knew all durable events, in ms." }),
  sockets: count.meta({ description: "Websockets that are open." }),
  dropped_readers: count.meta({ description: "Websockets closed since they read too slowly." }),
  auth_failures: count.meta({
    description: "Signed calls refused for who makes them or from where, and failed sign-ins.",
  }),
  rss: count.meta({ description: "Resident memory of the process, in bytes." }),
}) satisfies z.ZodType<Figures>;

function readMetrics(call: Call): Response {
  const { sockets, authFailures } = call.services;
  return call.json(200, { ...call.engine.metrics(), ...sockets(), ...authFailures.figures() });
}

/** The operator's view of the engine. */
export const ADMIN_METRICS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMetrics",
    method: "GET",
    paths: ["/api/v2/admin/metrics"],
    ...OPERATOR,
    summary: "What the engine has done since it was opened",
    answer: ok("Counts, of this process.", FIGURES, {
      commits: 1200,
      log_mutations: 2300,
      fold_mutations: 900,
      events: 41000,
      unfolded_events: 300,
      orders: 20000,
      trades: 4100,
      open_orders: 9000,
      batch_size: DISTRIBUTION_EXAMPLE,
      commit_ms: DISTRIBUTION_EXAMPLE,
      conflicts: 4,
      failed_commits: 0,
      unknown_commits: 1,
      queue: 12,
      lag_events: 0,
      lag_ms: 40,
      sockets: 250,
      dropped_readers: 2,
      auth_failures: 3,
      rss: 210_000_000,
    }),
    handle: readMetrics,
  }),
];
