/** Several processes on one KV server: throughput, an outage, and a cold start. */
import { NONCE_KEPT_WINDOWS } from "../../../src/domain/people/nonce_window.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { balanceTotals } from "../../e2e/balance_totals.ts";
import { hasKvServer } from "../../e2e/kv_server.ts";
import { SharedVenue } from "../../e2e/shared_venue.ts";
import { USUAL_NONCE_WINDOW_MS } from "./bench_venue.ts";
import { LoadConnection } from "./load_connection.ts";
import { type Load, type LoadResult, runLoad } from "./load_run.ts";
import { latencyText, type Report, whole } from "./report.ts";
import { ServerProcess } from "./server_process.ts";
import type { VenueMember } from "./venue_setup.ts";
import {
  bulkOf,
  cancelAllLoad,
  meetingOrder,
  ORDERS_PER_BULK,
  RandomStream,
  restingOrder,
  signedLoad,
} from "./workloads.ts";

const MEMBERS = 200;
const MARKET = "btcusdt";
const ORDERS_LINE = "POST /api/v2/trading/market/orders";
const MEETING_SHARE = 0.2;
const PROCESSES_LEAST = 2;
/** Number of connections, either of all processes together or of each. */
const CONNECTIONS = 64;
const ROUNDS = 3;
const SHARED_SECONDS = 4;
const WARM_UP_SECONDS = 2;
const ORDERS_PER_SECOND_MAX = 12_000;

const CLOCK_TICKS_PER_SECOND = 100;

const BEFORE_LOSS_MS = 3000;
const AWAY_MS = 10_000;
const LOSS_SECONDS = 20;
const LOSS_ORDERS_MAX = 120_000;

const OPEN_ORDERS = 10_000;
const STARTS = 3;
/** How far back a start reads the log for nonces, in ms, and a little more. */
const NONCES_KEPT_MS = NONCE_KEPT_WINDOWS * USUAL_NONCE_WINDOW_MS + 500;
const POLL_MS = 2;
/** Number of events that reading the metrics adds. */
const UNFOLDED_LEFT = 2;
const FILL_SECONDS_MAX = 20;
const CLEAR_SECONDS_MAX = 20;
const QUIET_MS_MAX = 30_000;
/** A signed read adds an entry to the log, so polling must leave the venue time to fold. */
const QUIET_POLL_MS = 600;

/** Measures all three; reports it if there is no KV server. */
export async function runShared(report: Report, processes: number): Promise<void> {
  if (!hasKvServer()) {
    report.add("several processes on one KV server", "not measured: `denokv` is not on the PATH");
    return;
  }
  await using venue = await SharedVenue.start();
  const members = await venue.createMembers(MEMBERS);
  const others = Array.from(
    { length: Math.max(0, processes - PROCESSES_LEAST) },
    () => ServerProcess.spawn(venue.settings),
  );
  try {
    await Promise.all(others.map((server) => server.ready()));
    await runProcesses(venue, report, members, [venue.a, venue.b, ...others]);
  } finally {
    await Promise.all(others.map((server) => server.kill()));
  }
  await runLoss(venue, report, members);
  await runColdStart(venue, report, members);
}

/** Sends orders to one, two and four processes in turn; checks that none is lost or doubled. */
async function runProcesses(
  venue: SharedVenue,
  report: Report,
  members: readonly VenueMember[],
  servers: readonly ServerProcess[],
): Promise<void> {
  const funds = await totals(venue, members);
  let answered = (await venue.operator(venue.a).metrics()).orders;
  const widths = widthsOf(servers.length);
  const rounds: Turn[][] = [];
  // The machine's speed varies from second to second, so only turns of one round are compared.
  for (let round = 0; round < ROUNDS; round++) {
    const turns: Turn[] = [];
    for (const { count, each } of widths) {
      turns.push(await takeTurn(venue, members, servers.slice(0, count), each));
    }
    rounds.push(turns);
  }
  answered += rounds.flat().reduce((sum, { accepted }) => sum + accepted, 0);
  const alone = rounds.map((turns) => (turns[0] as Turn).rate);
  widths.forEach(({ count, each }, index) => {
    const turns = rounds.map((round) => round[index] as Turn);
    const rates = turns.map(({ rate }) => rate);
    const ofOne = rates.map((rate, round) => (rate / (alone[round] as number)).toFixed(2));
    const slowest = turns.map((turn) =>
      `${whole(turn.slowest.perSecond)}, ${latencyText(turn.slowest)}`
    );
    const busy = turns.map((turn) => turn.busy.map((share) => `${whole(share * 100)} %`).join(" "));
    report.add(
      `${count} of ${servers.length} processes take orders of one market, ${each} connections each`,
      `${whole(mean(rates))} orders/s, ${(mean(rates) / mean(alone)).toFixed(2)} × one ` +
        `(${ofOne.join(", ")}); the slowest process ${slowest.join("; ")}; ` +
        `refused ${turns.reduce((sum, turn) => sum + turn.refused, 0)}; ` +
        `processor ${busy.join("; ")}`,
    );
  });
  const orders = await Promise.all(
    servers.map(async (server) => (await venue.operator(server).metrics()).orders),
  );
  const areSame = orders.every((count) => count === answered);
  report.add(
    "orders answered, and counted by each process",
    `${whole(answered)}; ${areSame ? "the same" : `OTHERS: ${orders.join(", ")}`}`,
  );
  await checkFunds(venue, report, members, funds);
}

/** The results of one number of processes. */
interface Turn {
  /** Orders per second of all processes together. */
  readonly rate: number;
  readonly slowest: LoadResult;
  readonly refused: number;
  /** Number of accepted orders, including those of the warm-up. */
  readonly accepted: number;
  /** Share of a processor that each process used. */
  readonly busy: readonly number[];
}

async function takeTurn(
  venue: SharedVenue,
  members: readonly VenueMember[],
  servers: readonly ServerProcess[],
  each: number,
): Promise<Turn> {
  // Open orders lock funds that the next turn needs.
  await cancelAll(venue, members);
  const warmUp = await runAll(venue, members, servers, each, WARM_UP_SECONDS);
  const busyBefore = await Promise.all(servers.map(processorSeconds));
  const results = await runAll(venue, members, servers, each, SHARED_SECONDS);
  const busyAfter = await Promise.all(servers.map(processorSeconds));
  return {
    rate: results.reduce((sum, result) => sum + result.perSecond, 0),
    slowest: results.reduce((a, b) => a.perSecond < b.perSecond ? a : b),
    refused: refused(results),
    accepted: acceptedBy([...warmUp, ...results]),
    busy: busyAfter.map((seconds, i) => (seconds - (busyBefore[i] ?? 0)) / SHARED_SECONDS),
  };
}

/** Returns one, two, four processes, with as many connections in total, then with as many each. */
function widthsOf(processes: number): { readonly count: number; readonly each: number }[] {
  const widths: { count: number; each: number }[] = [];
  for (let count = 1; count <= processes; count *= 2) {
    widths.push({ count, each: CONNECTIONS / count });
    if (count > 1) widths.push({ count, each: CONNECTIONS });
  }
  return widths;
}

/** Kills the KV server under load, restarts it after 10 s, and checks that both continue. */
async function runLoss(
  venue: SharedVenue,
  report: Report,
  members: readonly VenueMember[],
): Promise<void> {
  const funds = await totals(venue, members);
  const before = (await venue.operator(venue.a).metrics()).orders;
  const accepted: number[] = [];
  const statuses = new Map<number, number>();
  const runs = [venue.a, venue.b].map((server, i) => {
    const load = marketLoad(venue, members, LOSS_ORDERS_MAX / 2, i);
    const onAnswer = (_body: Uint8Array, _index: number, status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) accepted.push(performance.now());
    };
    return runLoad(server.port, CONNECTIONS / 4, LOSS_SECONDS, { ...load, onAnswer });
  });
  await sleep(BEFORE_LOSS_MS);
  await venue.kv.kill();
  const lostAt = performance.now();
  await sleep(AWAY_MS);
  await venue.kv.restart();
  const backAt = performance.now();
  await Promise.all(runs);
  const first = accepted.find((at) => at >= backAt) ?? Infinity;
  // Orders in flight at the kill may have been answered just after it.
  const isSilent = !accepted.some((at) => at > lostAt + 1000 && at < backAt - AWAY_MS / 10);
  const orders = (await venue.operator(venue.b).metrics()).orders - before;
  const unknown = statuses.get(504) ?? 0;
  const areRight = orders >= accepted.length && orders <= accepted.length + unknown;
  report.add(
    "KV server away for 10 s: from its return to the next accepted order",
    `${whole(first - backAt)} ms`,
  );
  report.add(
    "KV server away for 10 s: answers",
    `${[...statuses].map(([status, count]) => `${whole(count)} × ${status}`).join(", ")}; ` +
      `${isSilent ? "none" : "SOME"} accepted meanwhile; ${whole(orders)} orders in the log, ` +
      (areRight ? "as answered" : "NOT AS ANSWERED"),
  );
  await checkFunds(venue, report, members, funds);
}

/** Measures a start up to its first answer, with 10,000 open orders and many or few nonces. */
async function runColdStart(
  venue: SharedVenue,
  report: Report,
  members: readonly VenueMember[],
): Promise<void> {
  const random = new RandomStream(21);
  const by = { signers: members.map(({ signer }) => signer), nonces: venue.nonces };
  const bulks = signedLoad(by, OPEN_ORDERS / ORDERS_PER_BULK, 201, (index) => ({
    line: "POST /api/v2/trading/market/bulk/orders",
    body: bulkOf(() => restingOrder(random, MARKET, index % 2 === 0 ? "buy" : "sell")),
  }));
  await cancelAll(venue, members);
  const filled = await runLoad(venue.a.port, 4, FILL_SECONDS_MAX, bulks);
  if (filled.refusedShare > 0) throw new Error(`The fill was refused: ${filled.refusal}`);
  await folded(venue);
  await venue.b.stop();
  const title = `cold start with ${
    whole(OPEN_ORDERS)
  } open orders on a KV server, to its first answer`;
  report.add(`${title}, right after the load`, await coldStarts(venue));
  await sleep(NONCES_KEPT_MS);
  await folded(venue);
  report.add(title, await coldStarts(venue));
  venue.b = await ServerProcess.start(venue.settings);
}

/** Cancels all orders of all members. */
async function cancelAll(
  { a, nonces }: SharedVenue,
  members: readonly VenueMember[],
): Promise<void> {
  const load = cancelAllLoad({ signers: members.map(({ signer }) => signer), nonces });
  const { refusal, refusedShare } = await runLoad(a.port, 4, CLEAR_SECONDS_MAX, load);
  if (refusedShare > 0) throw new Error(`T3 was refused: ${refusal}`);
}

async function coldStarts({ settings }: SharedVenue): Promise<string> {
  const environment = {
    ...settings.environment,
    NONCE_WINDOW_MS: String(USUAL_NONCE_WINDOW_MS),
  };
  const starts: string[] = [];
  for (let start = 0; start < STARTS; start++) {
    const startedAt = performance.now();
    const server = ServerProcess.spawn({ ...settings, environment });
    while (!await isAnswered(server)) await sleep(POLL_MS);
    starts.push(`${whole(performance.now() - startedAt)} ms`);
    await server.stop();
  }
  return starts.join(", ");
}

function runAll(
  venue: SharedVenue,
  members: readonly VenueMember[],
  servers: readonly ServerProcess[],
  connections: number,
  seconds: number,
): Promise<LoadResult[]> {
  return Promise.all(servers.map((server, i) => {
    const count = Math.ceil(ORDERS_PER_SECOND_MAX * seconds / servers.length);
    const load = marketLoad(venue, members, count, i);
    return runLoad(server.port, connections, seconds, load);
  }));
}

/** Creates orders of one market; one in five trades. */
function marketLoad(
  { nonces }: SharedVenue,
  members: readonly VenueMember[],
  count: number,
  seed: number,
): Load {
  const random = new RandomStream(seed + 31);
  const by = { signers: members.map(({ signer }) => signer), nonces };
  return signedLoad(by, count, 201, () => {
    const side = random.next() < 0.5 ? "buy" : "sell";
    const meets = random.next() < MEETING_SHARE;
    const body = meets ? meetingOrder(random, MARKET, side) : restingOrder(random, MARKET, side);
    return { line: ORDERS_LINE, body };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function acceptedBy(results: readonly LoadResult[]): number {
  return results.reduce((sum, { statuses }) => sum + (statuses.get(201) ?? 0), 0);
}

function refused(results: readonly LoadResult[]): number {
  return results.reduce((sum, result) => sum + result.requests, 0) - acceptedBy(results);
}

function totals(
  { a, nonces }: SharedVenue,
  members: readonly VenueMember[],
): Promise<Record<string, bigint>> {
  return balanceTotals(a, members.map(({ signer }) => ({ signer, nonces })));
}

async function checkFunds(
  venue: SharedVenue,
  report: Report,
  members: readonly VenueMember[],
  before: Record<string, bigint>,
): Promise<void> {
  const after = await totals(venue, members);
  const areSame = Object.entries(before).every(([currency, sum]) => after[currency] === sum);
  const figures = await venue.assertAuditIsClean();
  report.add(
    "funds and audit",
    `${areSame ? "no funds appeared or vanished" : "FUNDS APPEARED OR VANISHED"}, audit ` +
      `clean at ${figures.get("trades") ?? "?"} trades`,
  );
}

async function folded(venue: SharedVenue): Promise<void> {
  const deadline = performance.now() + QUIET_MS_MAX;
  do {
    if (performance.now() > deadline) throw new Error("The fold does not come to rest");
    await sleep(QUIET_POLL_MS);
  } while ((await venue.operator(venue.a).metrics()).unfolded_events > UNFOLDED_LEFT);
}

/** Returns the processor time that a process has used, in seconds; NaN except on Linux. */
async function processorSeconds({ pid }: ServerProcess): Promise<number> {
  if (Deno.build.os !== "linux") return NaN;
  // Deno itself may only read this file with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).output();
  const text = new TextDecoder().decode(stdout);
  // After the name, which may contain spaces, comes the third field.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

async function isAnswered({ port }: ServerProcess): Promise<boolean> {
  const request = `GET /api/v2/backend/public/markets/${MARKET}/depth HTTP/1.1\r\nHost: v\r\n\r\n`;
  try {
    const connection = await LoadConnection.open(port);
    const status = await connection.exchange(new TextEncoder().encode(request));
    connection.close();
    return status === 200;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}
