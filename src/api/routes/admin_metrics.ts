/** What the engine has done so far, for operators and benchmarks. */
import * as z from "zod";
import type { Metrics } from "../../engine/engine.ts";
import { type Call, type Endpoint, endpoint } from "../contract.ts";

const count = z.int().min(0);

const METRICS = z.object({
  commits: count.meta({ description: "Commits sent, of the log and of the fold." }),
  log_mutations: count.meta({ description: "Mutations that answers waited for." }),
  fold_mutations: count.meta({ description: "Mutations written behind the log." }),
  events: count.meta({ description: "Sequence of the last durable event." }),
  unfolded_events: count.meta({ description: "Events that the rows do not hold yet." }),
  orders: count,
  trades: count,
  open_orders: count,
  rss: count.meta({ description: "Resident memory of the process, in bytes." }),
}) satisfies z.ZodType<Metrics>;

function readMetrics(call: Call<undefined, undefined>): Response {
  return call.json(200, call.engine.metrics());
}

/** The operator's view of the engine. */
export const ADMIN_METRICS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "readMetrics",
    method: "GET",
    paths: ["/api/v2/admin/metrics"],
    tag: "Operator",
    summary: "What the engine has done since it was opened",
    access: { kind: "operator" },
    answer: {
      status: 200,
      description: "Counts, of this process.",
      schema: METRICS,
      example: {
        commits: 1200,
        log_mutations: 2300,
        fold_mutations: 900,
        events: 41000,
        unfolded_events: 300,
        orders: 20000,
        trades: 4100,
        open_orders: 9000,
        rss: 210_000_000,
      },
    },
    errors: {},
    handle: readMetrics,
  }),
];
