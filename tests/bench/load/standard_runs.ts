/** The standard benchmark: orders, bulks, cancels and reads on a venue in use. */
import type { BenchVenue } from "./bench_venue.ts";
import { runRpcOrders } from "./rpc_runs.ts";
import { latencyText, mutationsText, type Report, whole } from "./report.ts";
import {
  bulkLoad,
  cancelLoad,
  depthLoad,
  orderLoad,
  ORDERS_PER_BULK,
  ordersPageLoad,
  readLoad,
  restingBulkLoad,
} from "./workloads.ts";

/** Names of the runs, as `--only` takes them. */
export const RUNS = ["idle", "t4", "rpc", "t5", "cancel", "depth", "feeds", "t8"] as const;

/** One of the runs. */
export type RunName = typeof RUNS[number];

/** Duration and concurrency of the runs. */
export interface RunOptions {
  readonly seconds: number;
  readonly connections: number;
  /** Sequential sets per second, as a unit for rates. */
  readonly sets: number;
}

const IDLE_ORDERS = 2000;
const IDLE_SECONDS_MAX = 20;
/** More than the venue is expected to answer per second, so that no run ends early. */
export const ORDERS_PER_SECOND_MAX = 45_000;
const BULKS_PER_SECOND_MAX = 1500;
const READS_PER_SECOND_MAX = 60_000;
const PAGES_PER_SECOND_MAX = 15_000;
/** Feeds without an end of their own: a pair's book and trades, and all markets. */
const FEEDS = [
  "/api/v2/coingecko/pairs",
  "/api/v2/coingecko/tickers",
  "/api/v2/coingecko/orderbook?ticker_id=BTC_USDT&depth=100",
  "/api/v2/coingecko/historical_trades?ticker_id=BTC_USDT&limit=100",
  "/api/v2/coinmarketcap/summary",
  "/api/v2/coinmarketcap/assets",
  "/api/v2/coinmarketcap/ticker",
  "/api/v2/coinmarketcap/orderbook/BTC_USDT?depth=100",
  "/api/v2/coinmarketcap/trades/BTC_USDT",
  "/api/v2/udf/config",
  "/api/v2/udf/symbols?symbol=btcusdt",
  "/api/v2/udf/search?query=btc",
  "/api/v2/udf/history?symbol=btcusdt&resolution=1&to=4000000000&countback=300",
  "/api/v2/udf/time",
] as const;
const CANCEL_BULKS_PER_MEMBER = 3;
/** Long enough for a new process to compile its hot code. */
export const WARM_UP_SECONDS = 5;

/** Runs the selected runs in their order. */
export async function runStandard(
  venue: BenchVenue,
  report: Report,
  options: RunOptions,
  names: readonly RunName[],
): Promise<void> {
  const short = { ...options, seconds: Math.max(1, options.seconds / 3) };
  if (names.includes("idle")) await runIdle(venue, report);
  if (names.includes("t4")) await runOrders(venue, report, options);
  if (names.includes("rpc")) await runRpcOrders(venue, report, options);
  if (names.includes("t5")) await runBulks(venue, report, short);
  if (names.includes("cancel")) await runCancels(venue, report, short);
  if (names.includes("depth")) await runDepth(venue, report, short);
  if (names.includes("feeds")) await runFeeds(venue, report, short);
  if (names.includes("t8")) {
    await fillPages(venue);
    await runOrderPages(venue, report, short);
  }
  report.add(
    "RSS of the server at the end",
    `${whole(await venue.server.residentMebibytes())} MiB`,
  );
}

async function runIdle(venue: BenchVenue, report: Report): Promise<void> {
  const load = orderLoad(venue.signers, IDLE_ORDERS, 1);
  const result = await venue.run(1, IDLE_SECONDS_MAX, load);
  report.addRun("T4, one at a time on an idle venue", "orders", result, 1);
}

/** Loads a venue before a run that is compared with one on a process of another age. */
export async function warmUp(
  venue: BenchVenue,
  connections: number,
  seconds = WARM_UP_SECONDS,
): Promise<void> {
  const load = orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * seconds, 7, seconds);
  await venue.run(connections, seconds, load);
  await venue.folded();
}

/** The results of T4. */
export interface OrdersResult {
  readonly perSecond: number;
  /** In ms, ascending. */
  readonly latencies: Float64Array;
  /** Number of events not folded at its end, as text. */
  readonly unfolded: string;
}

/** Runs T4 with all connections, and reports its cost to the store. */
export async function runOrders(
  venue: BenchVenue,
  report: Report,
  { seconds, connections, sets }: RunOptions,
  prefix = "",
): Promise<OrdersResult> {
  const load = orderLoad(venue.signers, Math.ceil(ORDERS_PER_SECOND_MAX * seconds), 2, seconds);
  const before = await venue.metrics();
  const result = await venue.run(connections, seconds, load);
  const after = await venue.metrics();
  const resident = await venue.server.residentMebibytes();
  const foldMs = await venue.folded();
  const settled = await venue.metrics();
  const title = `${prefix}T4, ${connections} connections, ${result.seconds.toFixed(0)} s`;
  const orders = Math.max(1, after.orders - before.orders);
  const commits = after.commits - before.commits;
  report.addRun(title, "orders", result, 1);
  report.add(`${title}: ratio to R`, (result.perSecond / sets).toFixed(2));
  report.add(`${title}: mutations per order`, mutationsText(before, settled));
  report.add(`${title}: orders per commit`, (orders / Math.max(1, commits)).toFixed(1));
  report.add(`${title}: trades per order`, ((after.trades - before.trades) / orders).toFixed(2));
  const unfolded =
    `${whole(after.unfolded_events)} of ${whole(after.events - before.events)} events, ` +
    `folded ${foldMs.toFixed(0)} ms later`;
  report.add(`${title}: unfolded at its end`, unfolded);
  report.add(`${title}: RSS of the server`, `${whole(resident)} MiB`);
  await venue.clear();
  return { perSecond: result.perSecond, latencies: result.latencies, unfolded };
}

/** Runs T5 with all connections; returns orders per second. */
export async function runBulks(
  venue: BenchVenue,
  report: Report,
  { seconds, connections, sets }: RunOptions,
): Promise<number> {
  const load = bulkLoad(venue.signers, Math.ceil(BULKS_PER_SECOND_MAX * seconds), 3, seconds);
  const before = await venue.metrics();
  const result = await venue.run(connections, seconds, load);
  const after = await venue.metrics();
  const foldMs = await venue.folded();
  const settled = await venue.metrics();
  const title = `T5, hundreds, ${connections} connections, ${result.seconds.toFixed(0)} s`;
  report.addRun(title, "orders", result, ORDERS_PER_BULK);
  report.add(`${title}: ratio to R`, (result.perSecond * ORDERS_PER_BULK / sets).toFixed(2));
  report.add(`${title}: mutations per order`, mutationsText(before, settled));
  report.add(
    `${title}: unfolded at its end`,
    `${whole(after.unfolded_events)} events, folded ${foldMs.toFixed(0)} ms later`,
  );
  await venue.clear();
  return result.perSecond * ORDERS_PER_BULK;
}

async function runCancels(
  venue: BenchVenue,
  report: Report,
  { seconds, connections }: RunOptions,
): Promise<void> {
  const members = venue.members.length;
  const ids: number[][] = venue.members.map(() => []);
  const bulks = restingBulkLoad(venue.signers, members * CANCEL_BULKS_PER_MEMBER, 4);
  const onAnswer = (body: Uint8Array, index: number) => {
    const orders: { id: number }[] | { errors: string[] } = JSON.parse(
      new TextDecoder().decode(body),
    );
    if (Array.isArray(orders)) ids[index % members]?.push(...orders.map((order) => order.id));
  };
  const placed = await venue.run(8, IDLE_SECONDS_MAX * 6, { ...bulks, onAnswer });
  if (placed.refusedShare > 0) throw new Error(`Orders to cancel were refused: ${placed.refusal}`);
  await venue.folded();
  const result = await venue.run(connections, seconds, cancelLoad(venue.signers, ids));
  report.addRun(`T2, cancels, ${connections} connections`, "cancels", result, 1);
  await venue.clear();
}

async function runDepth(
  venue: BenchVenue,
  report: Report,
  { seconds, connections }: RunOptions,
): Promise<void> {
  await fillBook(venue);
  const load = depthLoad(Math.ceil(READS_PER_SECOND_MAX * seconds));
  const result = await venue.run(connections, seconds, load);
  report.addRun("M5, depth of 300 levels a side", "reads", result, 1);
  await venue.clear();
}

/** Reads each of the public feeds, with a book of 300 levels a side. */
async function runFeeds(
  venue: BenchVenue,
  report: Report,
  { seconds, connections }: RunOptions,
): Promise<void> {
  await fillBook(venue);
  const time = Math.max(1, seconds / FEEDS.length);
  for (const path of FEEDS) {
    const load = readLoad([path], Math.ceil(READS_PER_SECOND_MAX * time));
    const result = await venue.run(connections, time, load);
    report.addRun(path, "reads", result, 1);
  }
  await venue.clear();
}

/** Runs T8 on the newest hundred orders of each member; returns reads per second. */
export async function runOrderPages(
  venue: BenchVenue,
  report: Report,
  { seconds, connections }: RunOptions,
  title = "T8, page one",
): Promise<number> {
  const load = ordersPageLoad(venue.signers, Math.ceil(PAGES_PER_SECOND_MAX * seconds));
  const result = await venue.run(connections, seconds, load);
  report.addRun(`${title}, ${connections} connections`, "reads", result, 1);
  const single = await venue.run(1, IDLE_SECONDS_MAX, ordersPageLoad(venue.signers, 1000));
  report.add(`${title}, one at a time`, latencyText(single));
  return result.perSecond;
}

/** Gives every member a full page of finished orders. */
export async function fillPages(venue: BenchVenue): Promise<void> {
  await fillBook(venue);
  await venue.clear();
}

async function fillBook(venue: BenchVenue): Promise<void> {
  const load = restingBulkLoad(venue.signers, venue.members.length, 5);
  const result = await venue.run(8, IDLE_SECONDS_MAX * 6, load);
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
}
