/** Metrics of this process, for operators and benchmarks. */
import * as z from "zod";
import type { DistributionFigures } from "../../engine/distribution.ts";
import type { Call } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { ok, OPERATOR } from "../endpoint_parts.ts";
import type { Figures } from "../figures.ts";

const count = z.int().min(0);

const DISTRIBUTION = z.object({
  count: count.meta({ description: "Total number of values." }),
  sum: z.number(),
  bounds: z.array(z.number()).meta({ description: "Inclusive upper bounds of the ranges." }),
  counts: z.array(count).meta({
    description: "Number of values per range; the last range has no bound.",
  }),
}) satisfies z.ZodType<DistributionFigures>;

const DISTRIBUTION_EXAMPLE = {
  count: 600,
  sum: 1500,
  bounds: [1, 2, 5],
  counts: [0, 250, 300, 50],
};

const FIGURES = z.object({
  commits: count.meta({ description: "Commits sent, of log and rows." }),
  log_mutations: count.meta({ description: "Mutations that responses waited for." }),
  fold_mutations: count.meta({ description: "Mutations of rows, written after the log." }),
  events: count.meta({ description: "Sequence of the last durable event." }),
  unfolded_events: count.meta({ description: "Events not yet folded into rows." }),
  orders: count,
  trades: count,
  open_orders: count,
  batch_size: DISTRIBUTION.meta({ description: "Commands per durable entry of the log." }),
  commit_ms: DISTRIBUTION.meta({ description: "Duration of commits to the log, in ms." }),
  conflicts: count.meta({ description: "Commits lost to another process that committed first." }),
  failed_commits: count.meta({ description: "Commits that the store refused." }),
  unknown_commits: count.meta({ description: "Commits whose outcome had to be looked up." }),
  queue: count.meta({ description: "Commands waiting or in flight." }),
  lag_events: count.meta({ description: "Durable events that this process has not yet read." }),
  lag_ms: count.meta({
    description: "Time since this process last knew all durable events, in ms.",
  }),
  sockets: count.meta({ description: "Open websockets." }),
  dropped_readers: count.meta({ description: "Websockets closed because they read too slowly." }),
  auth_failures: count.meta({
    description:
      "Signed requests refused because of the caller or its address, and failed sign-ins.",
  }),
  rss: count.meta({ description: "Resident memory of the process, in bytes." }),
}) satisfies z.ZodType<Figures>;

function readMetrics(call: Call): Response {
  const { sockets, authFailures } = call.services;
  return call.json(200, { ...call.engine.metrics(), ...sockets(), ...authFailures.figures() });
}

/** Endpoints of metrics. */
export const ADMIN_METRICS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMetrics",
    method: "GET",
    paths: ["/api/v2/admin/metrics"],
    ...OPERATOR,
    summary: "Get engine metrics",
    answer: ok("Metrics of this process since the engine was opened.", FIGURES, {
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
