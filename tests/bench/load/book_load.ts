/** Orders and cancels at a steady 200 commits per second, some of which readers can recognise. */
import type { BenchVenue } from "./bench_venue.ts";
import { type PlannedAnswer, runPlanned } from "./planned_run.ts";
import { type KeySigner, PresignedRequests } from "./presigned.ts";
import { limitOrder, RandomStream } from "./workloads.ts";

/** The market of the book. */
export const BOOK_MARKET = "btcusdt";
const BULK_LINE = "/api/v2/trading/market/bulk/orders";
const COMMITS_PER_SECOND = 200;
const CONNECTIONS = 16;
/** One in so many calls has an order at a unique price, which shows when readers see it. */
const MARK_EVERY = 20;
const MIDDLE_TICKS = 30_000;
const MARK_TICKS = 10_000;
const MARKS_MAX = 5000;
const LOTS = 10_000;
/** Number of calls with resting orders from which on every second call cancels the oldest. */
const RESTING_CALLS = 500;

/** Options of the load. */
export interface BookLoad {
  /** Number of prices that change on each side. */
  readonly prices: number;
  /** Orders per call; each call is one commit. */
  readonly orders: number;
  readonly seconds: number;
}

/** The results. */
export interface BookLoadResult {
  readonly commitsPerSecond: number;
  /** Number of orders placed or cancelled per second. */
  readonly ordersPerSecond: number;
  /** From the planned time to the answer, in ms. */
  readonly latencies: readonly number[];
  /** When the order at each unique price was answered, in ms since the epoch, by ticks. */
  readonly marks: ReadonlyMap<number, number>;
}

/** Alternates between placing and cancelling. */
export async function runBookLoad(venue: BenchVenue, load: BookLoad): Promise<BookLoadResult> {
  const calls = new BookCalls(venue, load);
  const before = await venue.metrics();
  const plan = { perSecond: COMMITS_PER_SECOND, seconds: load.seconds };
  const { seconds } = await runPlanned(
    venue.server.port,
    CONNECTIONS,
    plan,
    (index) => calls.next(index),
  );
  const after = await venue.metrics();
  const { latencies, marks } = calls;
  return {
    commitsPerSecond: (after.commits - before.commits) / seconds,
    ordersPerSecond: latencies.length * load.orders / seconds,
    latencies,
    marks,
  };
}

class BookCalls {
  readonly latencies: number[] = [];
  readonly marks = new Map<number, number>();
  readonly #venue: BenchVenue;
  readonly #load: BookLoad;
  readonly #random = new RandomStream(12);
  readonly #placed: { readonly ids: readonly number[]; readonly index: number }[] = [];
  readonly #decoder = new TextDecoder();

  constructor(venue: BenchVenue, load: BookLoad) {
    this.#venue = venue;
    this.#load = load;
  }

  next(index: number) {
    const isFull = this.#placed.length > RESTING_CALLS;
    const old = index % 2 === 1 && isFull ? this.#placed.shift() : undefined;
    return old === undefined ? this.#placing(index) : this.#cancelling(old);
  }

  #placing(index: number) {
    const mark = index % MARK_EVERY === 0 ? MARK_TICKS + index / MARK_EVERY % MARKS_MAX : null;
    const side = this.#random.below(2) === 0 ? "buy" : "sell";
    const ticks = Array.from({ length: this.#load.orders }, (_, place) => {
      const away = place === 0 && mark !== null ? mark : this.#random.below(this.#load.prices);
      return MIDDLE_TICKS + (side === "buy" ? -1 - away : 1 + away);
    });
    const orders = ticks.map((price) =>
      limitOrder(BOOK_MARKET, side, price, LOTS + this.#random.below(LOTS))
    );
    return {
      write: (buffer: Uint8Array) =>
        this.#sign(buffer, index, `POST ${BULK_LINE}`, `[${orders.join(",")}]`),
      onAnswer: (answer: PlannedAnswer) => {
        const text = this.#textOf(answer, 201);
        const ids = JSON.parse(text).map(({ id }: { id: number }) => id);
        this.#placed.push({ ids, index });
        const [first = 0] = ticks;
        if (mark !== null) this.marks.set(first, performance.timeOrigin + answer.answeredAt);
      },
    };
  }

  #cancelling({ ids, index }: { readonly ids: readonly number[]; readonly index: number }) {
    return {
      write: (buffer: Uint8Array) =>
        this.#sign(buffer, index, `DELETE ${BULK_LINE}_by_id`, JSON.stringify(ids)),
      onAnswer: (answer: PlannedAnswer) => {
        this.#textOf(answer, 200);
      },
    };
  }

  #sign(buffer: Uint8Array, index: number, line: string, body: string): number {
    const { signers, nonces } = this.#venue.signers;
    const signer = [signers[index % signers.length] as KeySigner];
    return new PresignedRequests(signer, 1, nonces).writeInto(buffer, 0, line, body);
  }

  #textOf({ plannedAt, answeredAt, status, body }: PlannedAnswer, expected: number): string {
    const text = this.#decoder.decode(body);
    if (status !== expected) throw new Error(`${status} ${text}`);
    this.latencies.push(answeredAt - plannedAt);
    return text;
  }
}
