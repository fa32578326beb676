/** How soon members see their orders, and what many readers of one book cost. */
import type { BenchVenue } from "./bench_venue.ts";
import type { ReadersMessage, ReadersOrder, ReadersResult } from "./book_readers.ts";
import { FrameSocket } from "./frame_socket.ts";
import { percentile } from "./load_run.ts";
import { type PlannedAnswer, runPlanned } from "./planned_run.ts";
import { type KeySigner, PresignedRequests } from "./presigned.ts";
import { type Report, whole } from "./report.ts";
import { limitOrder, orderLoad, randomOrder, RandomStream } from "./workloads.ts";

/** How many, and how long. */
export interface StreamOptions {
  /** Readers of the book. */
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

const MARKET = "btcusdt";
const COMMITS_PER_SECOND = 200;
const COMMIT_CONNECTIONS = 16;
const BOOK_SECONDS = 60;
/** Books whose changes fall on so many prices of each side. */
const BOOK_PRICES = [200, 5] as const;
const NEAR_SECONDS = 20;
const SAMPLED_SOCKETS = 20;
/** Every so-manieth order rests at a price of its own, which tells when it was seen. */
const MARK_EVERY = 10;
const MIDDLE_TICKS = 30_000;
const MARK_TICKS = 10_000;
const MARKS_MAX = 5000;
const LOTS = 10_000;
/** Orders of the book, from which on every second request cancels the oldest. */
const RESTING_ORDERS = 500;
const LAST_FRAMES_MS = 2000;
const RATE_SECONDS_MAX = 10;
const ORDERS_PER_SECOND_MAX = 45_000;

/** Measures both. */
export async function runStreams(
  venue: BenchVenue,
  report: Report,
  options: StreamOptions,
): Promise<void> {
  await runOrderEvents(venue, report);
  const without = await orderRate(venue, options);
  report.add(`T4, ${options.connections} connections, nobody reads`, `${whole(without)} orders/s`);
  for (const prices of BOOK_PRICES) {
    const seconds = prices === BOOK_PRICES[0] ? BOOK_SECONDS : NEAR_SECONDS;
    await runBookReaders(venue, report, options, prices, seconds);
  }
  const readers = await BookReaders.open(venue, options.streams);
  const beside = await orderRate(venue, options);
  const { gaps, ended } = await readers.result();
  const share = (beside / without * 100).toFixed(0);
  report.add(
    `T4, ${options.connections} connections, beside ${whole(options.streams)} readers of a book`,
    `${whole(beside)} orders/s, ${share} % of the rate without; ${gaps} gaps, ${ended} ended`,
  );
  await venue.clear();
}

/** Time from an order's answer, and from its planned moment, to its first event at the member's socket. */
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

/** Delay of changes at the readers' sockets, and the server's memory meanwhile. */
async function runBookReaders(
  venue: BenchVenue,
  report: Report,
  { streams }: StreamOptions,
  prices: number,
  seconds: number,
): Promise<void> {
  const readers = await BookReaders.open(venue, streams);
  const start = await venue.server.residentMebibytes();
  const before = await venue.metrics();
  const marks = await runCommits(venue, prices, seconds);
  const after = await venue.metrics();
  const end = await venue.server.residentMebibytes();
  await sleep(LAST_FRAMES_MS);
  const { frames, gaps, ended, seen } = await readers.result();
  const commits = (after.commits - before.commits) / seconds;
  const title = `${whole(streams)} readers of one book, changes at ${prices} prices a side`;
  report.add(`${title}: from the answer's arrival to the socket`, delayText(delaysOf(marks, seen)));
  report.add(
    title,
    `${whole(commits)} commits/s, ${whole(frames / seconds)} frames/s, ${gaps} gaps, ` +
      `${ended} sockets ended, RSS ${whole(start)} → ${whole(end)} MiB in ${seconds} s`,
  );
  await venue.clear();
}

/** Fills the book, then places and cancels in turn, at a steady rate; answers when each price of its own was answered. */
async function runCommits(
  venue: BenchVenue,
  prices: number,
  seconds: number,
): Promise<Map<number, number>> {
  const { signers, nonces } = venue.signers;
  const random = new RandomStream(12);
  const marks = new Map<number, number>();
  const placed: { readonly id: number; readonly index: number }[] = [];
  const decoder = new TextDecoder();
  const signed = (index: number, buffer: Uint8Array, line: string, body: string) => {
    const signer = [signers[index % signers.length] as KeySigner];
    return new PresignedRequests(signer, 1, nonces).writeInto(buffer, 0, line, body);
  };
  const plan = { perSecond: COMMITS_PER_SECOND, seconds };
  await runPlanned(venue.server.port, COMMIT_CONNECTIONS, plan, (index) => {
    const isMark = index % (2 * MARK_EVERY) === 0;
    const side = random.below(2) === 0 ? "buy" : "sell";
    const away = isMark ? MARK_TICKS + index / (2 * MARK_EVERY) % MARKS_MAX : random.below(prices);
    const ticks = MIDDLE_TICKS + (side === "buy" ? -1 - away : 1 + away);
    let isCancel = false;
    return {
      write(buffer) {
        const isFull = placed.length > RESTING_ORDERS;
        const old = index % 2 === 1 && isFull ? placed.shift() : undefined;
        if (old !== undefined) {
          isCancel = true;
          return signed(old.index, buffer, `${ORDERS_LINE}/cancel/${old.id}`, "");
        }
        const body = limitOrder(MARKET, side, ticks, LOTS + random.below(LOTS));
        return signed(index, buffer, ORDERS_LINE, body);
      },
      onAnswer({ answeredAt, status, body }: PlannedAnswer) {
        const text = decoder.decode(body);
        if (status !== 201) throw new Error(`${status} ${text}`);
        if (isCancel) return;
        placed.push({ id: JSON.parse(text).id, index });
        if (isMark) marks.set(ticks, performance.timeOrigin + answeredAt);
      },
    };
  });
  return marks;
}

/** From each marked order's answer to each sampled socket's frame of its price. */
function delaysOf(marks: ReadonlyMap<number, number>, seen: Float64Array): number[] {
  const delays: number[] = [];
  const first = new Map<number, number>();
  for (let at = 0; at < seen.length; at += 2) {
    const ticks = seen[at] ?? 0;
    const marked = marks.get(ticks);
    if (marked === undefined) continue;
    // Each socket sees a price twice: when the order comes, and when it goes.
    const count = (first.get(ticks) ?? 0) + 1;
    first.set(ticks, count);
    if (count <= SAMPLED_SOCKETS) delays.push((seen[at + 1] ?? 0) - marked);
  }
  return delays;
}

/** T4 at full width, for a moment. */
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

/** The worker that reads a book. */
class BookReaders {
  readonly #worker = new Worker(new URL("./book_readers.ts", import.meta.url), { type: "module" });

  static async open(venue: BenchVenue, sockets: number): Promise<BookReaders> {
    const readers = new BookReaders();
    const order: ReadersOrder = {
      port: venue.server.port,
      market: MARKET,
      sockets,
      sampleEvery: Math.max(1, Math.floor(sockets / SAMPLED_SOCKETS)),
    };
    await readers.#ask(order);
    return readers;
  }

  /** Ends the readers. */
  async result(): Promise<ReadersResult> {
    const message = await this.#ask(null);
    this.#worker.terminate();
    if (message.kind !== "result") throw new Error(`The readers answered "${message.kind}"`);
    return message;
  }

  async #ask(order: ReadersOrder | null): Promise<ReadersMessage> {
    const message = await new Promise<ReadersMessage>((resolve) => {
      this.#worker.onmessage = ({ data }: MessageEvent<ReadersMessage>) => resolve(data);
      this.#worker.postMessage(order);
    });
    if (message.kind === "failed") throw new Error(message.reason);
    return message;
  }
}

function delayText(delays: readonly number[]): string {
  const sorted = Float64Array.from(delays).sort();
  return `p50 ${percentile(sorted, 0.5).toFixed(2)} ms, p99 ${
    percentile(sorted, 0.99).toFixed(2)
  } ms, ` +
    `longest ${(sorted.at(-1) ?? NaN).toFixed(1)} ms`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
