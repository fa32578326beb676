/** Measures how soon members see their orders, and the cost of many readers of one book. */
import type { BenchVenue } from "./bench_venue.ts";
import type { BookForm } from "../../../src/sockets/streams/book_feed.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { type BookLoad, type BookLoadResult, runBookLoad } from "./book_load.ts";
import { BookReaders, SAMPLED_SOCKETS } from "./reader_worker.ts";
import { FrameSocket } from "./frame_socket.ts";
import { percentile } from "./load_run.ts";
import { runPlanned } from "./planned_run.ts";
import { PresignedRequests } from "./presigned.ts";
import { type Report, whole } from "./report.ts";
import { orderLoad, randomOrder, RandomStream } from "./workloads.ts";

/** Options of these runs. */
export interface StreamOptions {
  /** Number of readers of the book. */
  readonly streams: number;
  readonly seconds: number;
  readonly connections: number;
}

const ORDERS_LINE = "POST /api/v2/trading/market/orders";
const LISTENING_MEMBERS = 100;
const PLANNED_PER_SECOND = 1000;
const PLANNED_SECONDS = 20;
const PLANNED_CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;

/** The book runs: stream, prices per side, and orders per commit, at 200 commits per second. */
const BOOK_RUNS: readonly BookRun[] = [
  { form: "ob-inc", prices: 5, orders: 1, seconds: 60 },
  { form: "ob-inc", prices: 200, orders: 1, seconds: 15 },
  { form: "ob-levels", prices: 200, orders: 1, seconds: 15 },
  { form: "ob-levels", prices: 200, orders: 5, seconds: 15 },
];
/** The last of them, without readers. */
const QUIET_RUN = { prices: 200, orders: 5, seconds: 10 } as const;
const LAST_FRAMES_MS = 2000;
const RATE_SECONDS_MAX = 10;
const ORDERS_PER_SECOND_MAX = 45_000;

/** Measures both. */
export async function runStreams(
  venue: BenchVenue,
  report: Report,
  options: StreamOptions,
): Promise<void> {
  const { streams } = options;
  await runOrderEvents(venue, report);
  const without = await orderRate(venue, options);
  report.add(`T4, ${options.connections} connections, nobody reads`, `${whole(without)} orders/s`);
  const quiet = await runBookLoad(venue, QUIET_RUN);
  report.add(`${bookTitle(QUIET_RUN)}, nobody reads`, loadText(quiet));
  await venue.clear();
  for (const run of BOOK_RUNS) await runBookReaders(venue, report, streams, run);
  const readers = await BookReaders.open(venue, { sockets: streams, form: "ob-inc" });
  const beside = await orderRate(venue, options);
  const { gaps, ended } = await readers.result();
  const share = (beside / without * 100).toFixed(0);
  report.add(
    `T4, ${options.connections} connections, beside ${whole(options.streams)} readers of a book`,
    `${whole(beside)} orders/s, ${share} % of the rate without; ${gaps} gaps, ${ended} ended`,
  );
  await venue.clear();
}

/** Measures the time from an order's answer and planned time to its first event at a socket. */
async function runOrderEvents(venue: BenchVenue, report: Report): Promise<void> {
  const { signers, nonces } = venue.signers;
  const own = { signers: signers.slice(0, LISTENING_MEMBERS), nonces };
  const events = new Map<string, number>();
  const sockets = await Promise.all(own.signers.map((signer) =>
    FrameSocket.open(
      venue.server.port,
      "/api/v2/stream/private?stream=order",
      signer.headers(nonces.take(1)),
    )
  ));
  const decoder = new TextDecoder();
  for (const socket of sockets) {
    socket.read((text) => {
      const { order, snapshot } = JSON.parse(decoder.decode(text));
      if (order === undefined || snapshot === true || events.has(order.uuid)) return;
      events.set(order.uuid, performance.now());
    });
  }
  const answers: { uuid: string; plannedAt: number; answeredAt: number }[] = [];
  const seconds = WARM_UP_SECONDS + PLANNED_SECONDS;
  const signed = new PresignedRequests(own.signers, PLANNED_PER_SECOND * seconds, nonces);
  const random = new RandomStream(11);
  const plan = { perSecond: PLANNED_PER_SECOND, seconds };
  await runPlanned(venue.server.port, PLANNED_CONNECTIONS, plan, (index) => ({
    write: (buffer) => signed.writeInto(buffer, index, ORDERS_LINE, randomOrder(random)),
    onAnswer: ({ plannedAt, answeredAt, status, body }) => {
      const text = decoder.decode(body);
      if (status !== 201) throw new Error(`${status} ${text}`);
      if (index < PLANNED_PER_SECOND * WARM_UP_SECONDS) return;
      answers.push({ uuid: JSON.parse(text).uuid, plannedAt, answeredAt });
    },
  }));
  await sleep(LAST_FRAMES_MS);
  for (const socket of sockets) socket.close();
  const missing = answers.filter(({ uuid }) => !events.has(uuid)).length;
  const since = (moment: "plannedAt" | "answeredAt") =>
    delayText(answers.map((answer) => (events.get(answer.uuid) ?? Infinity) - answer[moment]));
  const title = `order to \`order\` event at ${whole(PLANNED_PER_SECOND)} orders/s`;
  report.add(`${title}, from the answer's arrival`, since("answeredAt"));
  report.add(
    `${title}, from the planned moment of sending`,
    `${since("plannedAt")}; ${whole(answers.length)} orders, ${missing} without an event`,
  );
  await venue.clear();
}

/** A run of the book with readers. */
interface BookRun extends BookLoad {
  readonly form: BookForm;
}

/** Measures the delay of changes at the readers' sockets, and the server's memory. */
async function runBookReaders(
  venue: BenchVenue,
  report: Report,
  sockets: number,
  run: BookRun,
): Promise<void> {
  const readers = await BookReaders.open(venue, { sockets, form: run.form });
  const start = await venue.server.residentMebibytes();
  const load = await runBookLoad(venue, run);
  const end = await venue.server.residentMebibytes();
  await sleep(LAST_FRAMES_MS);
  const { frames, gaps, ended, seen } = await readers.result();
  const title = `${bookTitle(run)}, ${whole(sockets)} readers of \`${run.form}\``;
  const delays = delaysOf(load.marks, seen);
  report.add(`${title}: from the answer's arrival to the socket`, delayText(delays));
  report.add(
    title,
    `${loadText(load)}; ${whole(frames / run.seconds)} frames/s, ${gaps} gaps, ` +
      `${ended} sockets ended, RSS ${whole(start)} → ${whole(end)} MiB in ${run.seconds} s`,
  );
  await venue.clear();
}

function bookTitle({ prices, orders }: BookLoad): string {
  return `200 commits/s of ${orders} each at ${prices} prices a side`;
}

function loadText({ commitsPerSecond, ordersPerSecond, latencies }: BookLoadResult): string {
  return `${whole(commitsPerSecond)} commits/s, ${whole(ordersPerSecond)} orders and cancels/s, ` +
    `answered in ${delayText(latencies)}`;
}

/** Returns the delays between marked orders' answers and their prices at sampled sockets. */
function delaysOf(marks: ReadonlyMap<number, number>, seen: Float64Array): number[] {
  const delays: number[] = [];
  const first = new Map<number, number>();
  for (let at = 0; at < seen.length; at += 2) {
    const ticks = seen[at] ?? 0;
    const marked = marks.get(ticks);
    if (marked === undefined) continue;
    // Each socket sees a price twice: when the order is placed, and when it is cancelled.
    const count = (first.get(ticks) ?? 0) + 1;
    first.set(ticks, count);
    if (count <= SAMPLED_SOCKETS) delays.push((seen[at + 1] ?? 0) - marked);
  }
  return delays;
}

/** Runs T4 with all connections for a short time; returns orders per second. */
async function orderRate(
  venue: BenchVenue,
  { seconds, connections }: StreamOptions,
): Promise<number> {
  const time = Math.min(seconds, RATE_SECONDS_MAX);
  const load = orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * time, 2);
  const result = await venue.run(connections, time, load);
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
  await venue.clear();
  return result.perSecond;
}

function delayText(delays: readonly number[]): string {
  const sorted = Float64Array.from(delays).sort();
  return `p50 ${percentile(sorted, 0.5).toFixed(2)} ms, p99 ${
    percentile(sorted, 0.99).toFixed(2)
  } ms, ` +
    `longest ${(sorted.at(-1) ?? NaN).toFixed(1)} ms`;
}
