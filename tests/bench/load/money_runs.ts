/** Measures profit and loss of a member with many trades, and lists of money among many records. */
import type { BenchVenue } from "./bench_venue.ts";
import { LoadConnection } from "./load_connection.ts";
import { percentile } from "./load_run.ts";
import { FILL_NONCE_WINDOW_MS, MoneyFill } from "./money_fill.ts";
import type { KeySigner, NonceRanges } from "./presigned.ts";
import { latencyText, type Report, whole } from "./report.ts";
import type { VenueMember } from "./venue_setup.ts";
import { limitOrder, orderLoad, signedLoad } from "./workloads.ts";

/** The venue's settings for these runs. */
export const MONEY_ENVIRONMENT = {
  PNL_CURRENCIES: "usdt,btc",
  WALLET_RAIL: "sandbox",
  NONCE_WINDOW_MS: String(FILL_NONCE_WINDOW_MS),
} as const;

/** Options of these runs. */
export interface MoneyOptions {
  /** Number of other members' deposits and withdrawals together. */
  readonly money: number;
  readonly connections: number;
}

const ACCOUNT = "/api/v2/backend/account";
const PNL = `GET ${ACCOUNT}/stats/pnl`;
const LISTS = {
  "A2, transactions": `GET ${ACCOUNT}/transactions`,
  "A4, withdrawals": `GET ${ACCOUNT}/withdraws`,
  "A14, deposits": `GET ${ACCOUNT}/deposits`,
} as const;
const TRADES = 100_000;
/** Number of deposits, and of withdrawals, of the member whose lists are read: two full pages. */
const OWN_RECORDS = 200;
/** Reads signed at a time, few enough to be sent before their nonces expire. */
const READS_PER_RUN = 100;
const READ_RUNS = 5;
const READ_SECONDS_MAX = 30;
/** Duration and maximum number of the orders that run beside reads. */
const BUSY_SECONDS = 2;
const BUSY_ORDERS_MAX = 60_000;
const TRADES_FOLLOWED = 200;
const BURSTS = 5;
/** Bulks per burst; fewer than would make the venue fold at once. */
const BURST_BULKS = 60;
const ORDERS_PER_BULK = 100;
/** All trades of these runs are of one lot at one price. */
const PRICE_TICKS = 30_000;
const TRADE_LOTS = 100;

/** The members of these runs. */
interface Cast {
  readonly reader: VenueMember;
  readonly taker: VenueMember;
  readonly maker: VenueMember;
  /** Uids of all others. */
  readonly others: readonly string[];
}

/** Measures lists without and with other members' records, then profit and loss. */
export async function runMoney(
  venue: BenchVenue,
  report: Report,
  options: MoneyOptions,
): Promise<void> {
  const cast = castOf(venue);
  const fill = (work: (fill: MoneyFill) => Promise<void>) => () =>
    MoneyFill.in(venue.settings, work);
  const emptyMs = await venue.restart(fill(async (fill) => {
    await fill.deposits([cast.reader.uid], OWN_RECORDS);
    await fill.withdraws([cast.reader.uid], OWN_RECORDS);
  }));
  await reportStart(venue, report, "empty venue", emptyMs);
  const empty = await readLists(venue, report, cast.reader, "empty venue");
  await venue.clear();
  const fullMs = await venue.restart(fill((fill) => fillOthers(fill, report, cast, options.money)));
  await reportStart(venue, report, "full venue", fullMs);
  const full = await readLists(venue, report, cast.reader, "full venue");
  for (const [name, p50] of full) {
    const ratio = p50 / (empty.get(name) ?? Infinity);
    report.add(`${name}, full to empty`, ratio.toFixed(2));
  }
  await venue.clear();
  await runPnl(venue, report, cast, options);
}

function castOf({ members }: BenchVenue): Cast {
  const [reader, taker, maker, ...others] = members;
  if (reader === undefined || taker === undefined || maker === undefined) {
    throw new Error("The venue has too few members");
  }
  return { reader, taker, maker, others: others.map(({ uid }) => uid) };
}

async function fillOthers(
  fill: MoneyFill,
  report: Report,
  { others, taker, maker }: Cast,
  count: number,
): Promise<void> {
  const before = fill.events;
  const start = performance.now();
  await fill.deposits(others, Math.floor(count / 2));
  await fill.withdraws(others, Math.ceil(count / 2));
  const seconds = (performance.now() - start) / 1000;
  report.add(
    "filled with others' deposits and withdrawals",
    `${whole(count)} records, ${whole(fill.events - before)} events, ${seconds.toFixed(0)} s`,
  );
  await fill.trades(taker.uid, maker.uid, TRADES);
  await fill.rest(taker.uid, maker.uid);
}

async function reportStart(
  venue: BenchVenue,
  report: Report,
  name: string,
  ms: number,
): Promise<void> {
  report.add(`${name}: start to the first accepted order`, `${whole(ms)} ms`);
  report.add(
    `${name}: RSS after the start`,
    `${whole(await venue.server.residentMebibytes())} MiB`,
  );
}

/** Reads the first page of each list sequentially; returns the medians in ms. */
async function readLists(
  venue: BenchVenue,
  report: Report,
  { signer }: VenueMember,
  prefix: string,
): Promise<Map<string, number>> {
  const medians = new Map<string, number>();
  for (const [name, line] of Object.entries(LISTS)) {
    await readRun(venue, signer, line);
    const latencies: number[] = [];
    for (let run = 0; run < READ_RUNS; run++) {
      latencies.push(...await readRun(venue, signer, line));
    }
    const sorted = Float64Array.from(latencies).sort();
    medians.set(name, percentile(sorted, 0.5));
    report.add(`${prefix}: ${name}, page one, one at a time`, latencyText({ latencies: sorted }));
  }
  return medians;
}

/** Measures the latencies of repeated reads, in ms. */
async function readRun(venue: BenchVenue, signer: KeySigner, line: string): Promise<Float64Array> {
  const by = { signers: [signer], nonces: venue.nonces };
  const load = signedLoad(by, READS_PER_RUN, 200, () => ({ line, body: "" }));
  const result = await venue.run(1, READ_SECONDS_MAX, load);
  if (result.refusedShare > 0) throw new Error(`${line} was refused: ${result.refusal}`);
  return result.latencies;
}

async function runPnl(
  venue: BenchVenue,
  report: Report,
  cast: Cast,
  { connections }: MoneyOptions,
): Promise<void> {
  const name = `A1, ${whole(TRADES)} trades`;
  const connection = await LoadConnection.open(venue.server.port);
  try {
    const taker = new Caller(connection, cast.taker.signer, venue.nonces);
    const maker = new Caller(connection, cast.maker.signer, venue.nonces);
    const resting = await times(READS_PER_RUN * READ_RUNS, async () => (await taker.call(PNL)).ms);
    report.add(`${name}, at rest`, latencyText({ latencies: resting }));
    report.add(
      `${name}, right after a trade`,
      await afterTrades(taker, maker, 1, TRADES_FOLLOWED),
    );
    report.add(
      `${name}, right after ${whole(BURST_BULKS * ORDERS_PER_BULK)} trades`,
      await afterTrades(taker, maker, BURST_BULKS, BURSTS),
    );
    const load = orderLoad(venue.signers, BUSY_ORDERS_MAX, 2);
    const running = venue.run(connections, BUSY_SECONDS, load);
    const until = performance.now() + BUSY_SECONDS * 1000;
    const busy: number[] = [];
    while (performance.now() < until) busy.push((await taker.call(PNL)).ms);
    const result = await running;
    const latencies = Float64Array.from(busy).sort();
    report.add(
      `${name}, while ${whole(result.perSecond)} orders/s come in`,
      latencyText({ latencies }),
    );
  } finally {
    connection.close();
  }
  await venue.clear();
}

/** Trades, and reads profit and loss as soon as the last trade is answered. */
async function afterTrades(
  taker: Caller,
  maker: Caller,
  bulks: number,
  rounds: number,
): Promise<string> {
  let before = (await taker.call(PNL)).text;
  const latencies = await times(rounds, async () => {
    for (let i = 0; i < bulks; i++) {
      for (const [caller, side] of [[maker, "sell"], [taker, "buy"]] as const) {
        const order = limitOrder("btcusdt", side, PRICE_TICKS, TRADE_LOTS);
        await (bulks === 1 ? caller.place("orders", order) : caller.place(
          "bulk/orders",
          `[${Array.from({ length: ORDERS_PER_BULK }, () => order).join(",")}]`,
        ));
      }
    }
    const { ms, text } = await taker.call(PNL);
    if (text === before) throw new Error("Profit and loss does not know of the last trades");
    before = text;
    return ms;
  });
  return latencyText({ latencies });
}

async function times(count: number, step: () => Promise<number>): Promise<Float64Array> {
  const all = new Float64Array(count);
  for (let i = 0; i < count; i++) all[i] = await step();
  return all.sort();
}

/** Sequential calls of one member. */
class Caller {
  constructor(
    readonly connection: LoadConnection,
    readonly signer: KeySigner,
    readonly nonces: NonceRanges,
  ) {}

  /** Makes a call, which must succeed; returns its text and duration in ms. */
  async call(line: string, body = ""): Promise<{ readonly text: string; readonly ms: number }> {
    const headers = Object.entries(this.signer.headers(this.nonces.take(1)))
      .map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const request = new TextEncoder().encode(
      `${line} HTTP/1.1\r\nHost: venue\r\n${headers}Content-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const start = performance.now();
    const status = await this.connection.exchange(request);
    const ms = performance.now() - start;
    const text = new TextDecoder().decode(this.connection.body());
    if (status >= 300) throw new Error(`${line}: ${status} ${text}`);
    return { text, ms };
  }

  /** Places orders. */
  async place(path: "orders" | "bulk/orders", body: string): Promise<void> {
    await this.call(`POST /api/v2/trading/market/${path}`, body);
  }
}
