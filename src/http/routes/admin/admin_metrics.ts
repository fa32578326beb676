/** Metrics of this process, for operators and benchmarks. */
import * as z from "zod";
import type { DistributionFigures } from "../../../engine/distribution.ts";
import { NOT_READY_REASONS } from "../../../engine/engine.ts";
import { NETWORK_FAULTS } from "../../../wallet/rails/network_rail.ts";
import type { Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { ofOperators, ok } from "../../endpoint_parts.ts";
import { DEGRADED, DEGRADED_REASONS, type Figures } from "../../../edge/figures.ts";

const count = z.int().min(0);

const DISTRIBUTION = z.object({
  count: count.meta({ description: "Total number of values." }),
  sum: z.number(),
  bounds: z.array(z.number()).meta({ description: "Inclusive upper bounds of the ranges." }),
  counts: z.array(count).meta({
    description: "Number of values per range; the last range has no bound.",
  }),
}) satisfies z.ZodType<DistributionFigures>;

const WAIT = z.object({ count, oldest_ms: count });

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
  unfolded_ms: count.meta({ description: "How long the oldest of them has waited, in ms." }),
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
  closed_sockets: z.array(z.object({ code: z.int(), reason: z.string(), count })).meta({
    description: "Websockets that their clients have not closed, by code and reason.",
  }),
  auth_failures: count.meta({
    description:
      "Signed requests refused because of the caller or its address, and failed sign-ins.",
  }),
  ready: z.boolean(),
  not_ready_reason: z.enum(["", ...NOT_READY_REASONS]),
  degraded: z.array(z.enum(DEGRADED_REASONS)).meta({ description: DEGRADED }),
  waiting: z.object({
    approval: WAIT.meta({ description: "Withdrawals that an operator has to approve." }),
    payment_by_hand: WAIT.meta({ description: "Those that somebody pays by hand." }),
    rail: WAIT.meta({
      description:
        "Those that their rail sends, or sees confirmed; the oldest counts from when it was asked for.",
    }),
    decision: WAIT.meta({ description: "Those that only an operator can bring on." }),
    hold: WAIT.meta({ description: "Those of locked members, or stopped." }),
    deposits: WAIT,
  }).meta({ description: "What waits, and how long the oldest has, in ms." }),
  mail: WAIT.extend({
    failures: count.meta({ description: "Attempts that failed." }),
    given_up: count.meta({ description: "Messages that were given up." }),
    failing_ms: count.meta({ description: "Time since the server last took one, if it fails." }),
  }),
  storage: z.object({
    disk_free: count.nullable().meta({ description: "Bytes left on the store's disk, if known." }),
    disk_size: count.nullable(),
    backup_age_ms: count.nullable().meta({ description: "Age of the last backup, if known." }),
  }),
  networks: z.array(z.object({
    network: z.string(),
    height: count.nullable().meta({ description: "Height of its last block; null if unknown." }),
    fault: z.enum(NETWORK_FAULTS).nullable().meta({
      description: "Why it can't be relied on: nothing is credited or paid meanwhile.",
    }),
    replaced: z.object({
      height: count,
      hash: z.string(),
      depth: count.meta({ description: "How many blocks were replaced at least." }),
      kept: count.nullable().meta({
        description: "Height of the last block that is known to be still there, from which the " +
          "network can go on; null if none is.",
      }),
    }).exactOptional().meta({
      description: "A block that counted as final and is gone; absent unless it is `reorganised`.",
    }),
  })).meta({ description: "The networks that this process has a node of." }),
  rss: count.meta({ description: "Resident memory of the process, in bytes." }),
}) satisfies z.ZodType<Figures>;

function readMetrics(call: Call): Response {
  return call.json(200, call.services.figures());
}

/** Endpoints of metrics. */
export const ADMIN_METRICS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMetrics",
    method: "GET",
    paths: ["/api/v2/admin/metrics"],
    ...ofOperators("viewer"),
    summary: "Get engine metrics",
    answer: ok("Metrics of this process since the engine was opened.", FIGURES, {
      commits: 1200,
      log_mutations: 2300,
      fold_mutations: 900,
      events: 41000,
      unfolded_events: 300,
      unfolded_ms: 40,
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
      closed_sockets: [{ code: 4008, reason: "slow reader", count: 2 }],
      ready: true,
      not_ready_reason: "",
      degraded: ["backup_old"],
      waiting: {
        approval: { count: 1, oldest_ms: 90000 },
        payment_by_hand: { count: 2, oldest_ms: 7000 },
        rail: { count: 0, oldest_ms: 0 },
        decision: { count: 0, oldest_ms: 0 },
        hold: { count: 0, oldest_ms: 0 },
        deposits: { count: 3, oldest_ms: 61000 },
      },
      mail: { count: 0, oldest_ms: 0, failures: 0, given_up: 0, failing_ms: 0 },
      storage: { disk_free: 42000000000, disk_size: 80000000000, backup_age_ms: 172800000 },
      networks: [{ network: "sepolia", height: 7200000, fault: null }],
      auth_failures: 3,
      rss: 210_000_000,
    }),
    handle: readMetrics,
  }),
];
