/** Compares a venue without and with its history, to find the cost of a million stored orders. */
import { sleep } from "../../../src/store/kv/in_time.ts";
import { type BenchVenue, USUAL_NONCE_WINDOW_MS } from "./bench_venue.ts";
import { type Report, whole } from "./report.ts";
import type { Load } from "./load_run.ts";
import {
  fillPages,
  ORDERS_PER_SECOND_MAX,
  type RunOptions,
  runOrderPages,
  runOrders,
  warmUp,
} from "./standard_runs.ts";
import { MARKETS } from "./venue_setup.ts";
import {
  bulkOf,
  meetingLoad,
  meetingOrder,
  ORDERS_PER_BULK,
  RandomStream,
  restingBulkLoad,
  restingOrder,
  signedLoad,
  type Signers,
} from "./workloads.ts";

const FILL_CONNECTIONS = 16;
const FILL_SECONDS_MAX = 600;
const STARTS = 3;
/** Runs in which memory is measured. */
const MEMORY_RUNS = 3;
const MEMORY_RUN_SECONDS_MAX = 8;
const MEMORY_SAMPLE_MS = 500;

/** Options, with the size of the history in orders. */
export interface StoredOptions extends RunOptions {
  readonly stored: number;
  readonly open: number;
}

/** The cost of the history. */
export interface StoredResult {
  /** Rate of the filled venue divided by that of the empty one. */
  readonly share: number;
  readonly startMs: number;
  /** Most memory of the filled venue while it trades, in MiB. */
  readonly residentMax: number;
}

/** Measures the empty venue, fills it, measures it again, and restarts it. */
export async function runStored(
  venue: BenchVenue,
  report: Report,
  options: StoredOptions,
): Promise<StoredResult> {
  report.add("empty venue", `RSS ${whole(await venue.server.residentMebibytes())} MiB`);
  await warmUp(venue, options.connections);
  const empty = await runOrders(venue, report, options, "empty venue: ");
  await fillPages(venue);
  const emptyPages = await runOrderPages(venue, report, options, "empty venue: T8, page one");
  await fill(venue, report, options);
  report.add("filled venue", `RSS ${whole(await venue.server.residentMebibytes())} MiB`);
  const pages = await runOrderPages(venue, report, options, "filled venue: T8, page one");
  const startMs = await restartWithWindow(venue, USUAL_NONCE_WINDOW_MS);
  report.add("filled venue: start to the first accepted order", `${whole(startMs)} ms`);
  report.add(
    "filled venue after a restart",
    `RSS ${whole(await venue.server.residentMebibytes())} MiB`,
  );
  const windowMs = Math.max(USUAL_NONCE_WINDOW_MS, options.seconds * 1000);
  await restartWithWindow(venue, windowMs);
  const residentMax = await measureMemory(venue, report, options);
  await restartWithWindow(venue, windowMs);
  await warmUp(venue, options.connections);
  const filled = await runOrders(venue, report, options, "filled venue: ");
  const share = filled.perSecond / empty.perSecond;
  report.add("order rate, filled to empty", share.toFixed(2));
  report.add("T8 page one rate, filled to empty", (pages / emptyPages).toFixed(2));
  return { share, startMs, residentMax };
}

/** Measures some starts with open orders; returns the longest in ms. */
export async function measureStart(
  venue: BenchVenue,
  report: Report,
  open: number,
): Promise<number> {
  await runFill(venue, restingBulkLoad(venue.signers, open / ORDERS_PER_BULK, 1));
  await venue.folded();
  const times: number[] = [];
  while (times.length < STARTS) times.push(await restartWithWindow(venue, USUAL_NONCE_WINDOW_MS));
  report.add(
    `${whole(open)} open orders: start to the first accepted order`,
    times.map((ms) => `${whole(ms)} ms`).join(", "),
  );
  return Math.max(...times);
}

/** Trades while the number of open orders stays the same; returns the most memory, in MiB. */
async function measureMemory(
  venue: BenchVenue,
  report: Report,
  { seconds: secondsWanted, connections }: RunOptions,
): Promise<number> {
  const seconds = Math.min(secondsWanted, MEMORY_RUN_SECONDS_MAX);
  const sizes: number[] = [];
  let perSecond = 0;
  for (let run = 0; run < MEMORY_RUNS; run++) {
    const load = meetingLoad(venue.signers, ORDERS_PER_SECOND_MAX * seconds, seconds);
    const running = venue.run(connections, seconds, load);
    let isRunning = true;
    const ended = running.finally(() => isRunning = false);
    while (isRunning) {
      sizes.push(await venue.server.residentMebibytes());
      await Promise.race([ended, sleep(MEMORY_SAMPLE_MS)]);
    }
    const { refusedShare, refusal, perSecond: rate } = await running;
    if (refusedShare > 0) throw new Error(`Orders were refused: ${refusal}`);
    perSecond = rate;
  }
  const { open_orders: open } = await venue.metrics();
  const most = Math.max(...sizes);
  report.add(
    `filled venue, ${whole(open)} orders open throughout`,
    `RSS at most ${whole(most)} MiB in ${MEMORY_RUNS} × ${seconds} s of ${
      whole(perSecond)
    } orders/s`,
  );
  return most;
}

/** Restarts the venue with a shorter window, whose nonces a start reads and a venue keeps. */
async function restartWithWindow(venue: BenchVenue, windowMs: number): Promise<number> {
  return await venue.restart(undefined, { NONCE_WINDOW_MS: String(windowMs) });
}

async function fill(venue: BenchVenue, report: Report, options: StoredOptions): Promise<void> {
  const start = performance.now();
  const before = await venue.metrics();
  const perRound = venue.members.length * ORDERS_PER_BULK;
  const rounds = Math.max(1, Math.round(options.stored / perRound));
  const kept = Math.round(ORDERS_PER_BULK * options.open / options.stored);
  for (let round = 0; round < rounds; round++) {
    await runFill(venue, fillLoad(venue.signers, round, kept));
    await runFill(venue, trimLoad(venue.signers, round));
  }
  const foldMs = await venue.folded();
  const after = await venue.metrics();
  report.add(
    "filled through T5 and T3",
    `${whole(after.orders - before.orders)} orders, ${whole(after.trades - before.trades)} ` +
      `trades, ${whole(kept * rounds * venue.members.length)} left open, ` +
      `${((performance.now() - start) / 1000).toFixed(0)} s (the fold ${foldMs.toFixed(0)} ms ` +
      "later)",
  );
}

async function runFill(venue: BenchVenue, load: Load): Promise<void> {
  const result = await venue.run(FILL_CONNECTIONS, FILL_SECONDS_MAX, load);
  if (result.refusedShare > 0) throw new Error(`The fill was refused: ${result.refusal}`);
}

/** Creates one bulk per member: some orders of the side that stays, and others. */
function fillLoad(by: Signers, round: number, kept: number): Load {
  const random = new RandomStream(round);
  const market = marketOf(round);
  return signedLoad(by, by.signers.length, 201, (index) => {
    const stays = stayingSide(index);
    const goes = stays === "buy" ? "sell" : "buy";
    const body = bulkOf((place) => {
      if (place < kept) return restingOrder(random, market, stays);
      return place % 2 === 0
        ? meetingOrder(random, market, goes)
        : restingOrder(random, market, goes);
    });
    return { line: "POST /api/v2/trading/market/bulk/orders", body };
  });
}

/** Creates cancels of the side that does not stay. */
function trimLoad(by: Signers, round: number): Load {
  return signedLoad(by, by.signers.length, 200, (index) => ({
    line: "POST /api/v2/trading/market/orders/cancel",
    body: `{"market":"${marketOf(round)}","side":"${
      stayingSide(index) === "buy" ? "sell" : "buy"
    }"}`,
  }));
}

function marketOf(round: number): string {
  return MARKETS[round % MARKETS.length] ?? MARKETS[0];
}

function stayingSide(member: number): "buy" | "sell" {
  return member % 2 === 0 ? "buy" : "sell";
}
