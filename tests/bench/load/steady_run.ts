/** Orders at a steady rate on an otherwise idle venue, timed from their planned times. */
import type { BenchVenue } from "./bench_venue.ts";
import { percentile } from "./load_run.ts";
import { runPlanned } from "./planned_run.ts";
import { PresignedRequests } from "./presigned.ts";
import { type Report, whole } from "./report.ts";
import { randomOrder, RandomStream } from "./workloads.ts";

/** Rate and duration. */
export interface SteadyOptions {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Times from the planned sending to the answer, in ms. */
export interface SteadyResult {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

const ORDERS_LINE = "POST /api/v2/trading/market/orders";
const CONNECTIONS = 64;
/** Long enough for a new process to compile its hot code, and to fold its first window. */
const WARM_UP_SECONDS = 15;

/** Runs the load after a warm-up at the same rate. */
export async function runSteady(
  venue: BenchVenue,
  report: Report,
  options: SteadyOptions,
): Promise<SteadyResult> {
  await sendSteadily(venue, { ...options, seconds: Math.min(options.seconds, WARM_UP_SECONDS) });
  const { latencies, lateness } = await sendSteadily(venue, options);
  const result = {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    worst: latencies.at(-1) ?? NaN,
  };
  const title = `${whole(options.perSecond)} orders/s for ${options.seconds} s`;
  report.add(
    `${title}, from the planned moment of sending`,
    `p50 ${result.p50.toFixed(2)} ms, p99 ${result.p99.toFixed(2)} ms, ` +
      `p99.9 ${percentile(latencies, 0.999).toFixed(2)} ms, worst ${result.worst.toFixed(1)} ms`,
  );
  report.add(
    `${title}: of that before sending`,
    `p50 ${percentile(lateness, 0.5).toFixed(2)} ms, p99 ${
      percentile(lateness, 0.99).toFixed(2)
    } ms, ` +
      `worst ${(lateness.at(-1) ?? NaN).toFixed(1)} ms`,
  );
  report.add(
    `${title}: RSS of the server`,
    `${whole(await venue.server.residentMebibytes())} MiB`,
  );
  await venue.clear();
  return result;
}

/** In ms, ascending. */
interface SteadyTimes {
  readonly latencies: Float64Array;
  readonly lateness: Float64Array;
}

async function sendSteadily(
  venue: BenchVenue,
  { perSecond, seconds }: SteadyOptions,
): Promise<SteadyTimes> {
  const { signers, nonces } = venue.signers;
  const count = perSecond * seconds;
  const signed = new PresignedRequests(signers, count, nonces, seconds * 500);
  const random = new RandomStream(12);
  const latencies = new Float64Array(count);
  const lateness = new Float64Array(count);
  let answered = 0;
  await runPlanned(venue.server.port, CONNECTIONS, { perSecond, seconds }, (index) => ({
    write: (buffer) => signed.writeInto(buffer, index, ORDERS_LINE, randomOrder(random)),
    onAnswer: ({ plannedAt, sentAt, answeredAt, status, body }) => {
      if (status !== 201) throw new Error(`${status} ${new TextDecoder().decode(body)}`);
      latencies[answered] = answeredAt - plannedAt;
      lateness[answered++] = sentAt - plannedAt;
    },
  }));
  return { latencies: latencies.sort(), lateness: lateness.sort() };
}
