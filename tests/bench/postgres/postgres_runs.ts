/** Measures two venues on PostgreSQL for comparison, each at its best number of connections. */
import { MEMBERS, NONCE_WINDOW_MS } from "../load/bench_venue.ts";
import { latencyText, type Report, whole } from "../load/report.ts";
import { orderLoad } from "../load/workloads.ts";
import { findPostgres } from "./postgres_cluster.ts";
import { type BesideResult, runBeside } from "./beside_runs.ts";
import { EXPERT, FEE_RATE, PLAIN, type PostgresKind, PostgresVenue } from "./postgres_venue.ts";

/** The best result of a venue. */
export interface PostgresBest {
  readonly title: string;
  readonly kind: PostgresKind;
  readonly perSecond: number;
  readonly connections: number;
}

/** What was found of all venues. */
export interface PostgresResult {
  readonly best: readonly PostgresBest[];
  /** The expert one and this venue in turn. */
  readonly beside: BesideResult;
}

/** A venue as it is measured. */
interface Variant {
  readonly title: string;
  readonly kind: PostgresKind;
  readonly isStrict: boolean;
}

const PLAIN_VARIANTS: readonly Variant[] = [
  { title: "a PostgreSQL venue, one transaction per order", kind: PLAIN, isStrict: true },
  {
    title: "the same, which lets a book stay crossed after a race",
    kind: PLAIN,
    isStrict: false,
  },
];
const EXPERT_VARIANTS: readonly Variant[] = [{
  title: "a PostgreSQL venue that decides in memory and flushes in bulk",
  kind: EXPERT,
  isStrict: true,
}];
const CONNECTIONS = [1, 4, 8, 16, 32, 64] as const;
/** More than these venues are expected to take. */
const ORDERS_PER_SECOND_MAX = 30_000;
const WARM_UP_SECONDS = 2;
const SECONDS_EACH = 3;
const FIRST_ORDERS = 5000;
const FIRST_CONNECTIONS = 16;

/** Tries all numbers of connections; returns null if PostgreSQL is not installed. */
export async function runPostgres(
  directory: string,
  report: Report,
): Promise<PostgresResult | null> {
  const programs = await findPostgres();
  if (programs === null) {
    report.add("PostgreSQL venues", "skipped: PostgreSQL is not installed");
    return null;
  }
  const results: PostgresBest[] = [];
  for (const variants of [PLAIN_VARIANTS, EXPERT_VARIANTS]) {
    const [{ kind } = { kind: PLAIN }] = variants;
    const venue = await PostgresVenue.start(programs, directory, {
      kind,
      members: MEMBERS,
      feeRate: FEE_RATE,
      nonceWindowMs: NONCE_WINDOW_MS,
    });
    try {
      report.add(`PostgreSQL with ${kind.schema}`, venue.cluster.version);
      await firstOrders(venue);
      for (const variant of variants) results.push(await best(venue, report, variant));
    } finally {
      await venue.stop();
    }
  }
  const beside = await runBeside(programs, directory, report);
  report.add(
    "this venue to the one that flushes, in turn",
    `${(beside.own / beside.expert).toFixed(2)} × (${whole(beside.own)} to ` +
      `${whole(beside.expert)} orders/s)`,
  );
  return { best: results, beside };
}

/** Fills the book, and lets connections plan their queries. */
async function firstOrders(venue: PostgresVenue): Promise<void> {
  const serving = { connections: FIRST_CONNECTIONS, isStrict: false };
  const load = orderLoad(venue.signers, FIRST_ORDERS, 1);
  const result = await venue.run(serving, { seconds: 60, load });
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
}

async function best(
  venue: PostgresVenue,
  report: Report,
  { title, kind, isStrict }: Variant,
): Promise<PostgresBest> {
  let found: PostgresBest = { title, kind, perSecond: 0, connections: 0 };
  for (const connections of CONNECTIONS) {
    await venue.rest();
    const timed = (seconds: number, seed: number) => ({
      seconds,
      load: orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * seconds, seed),
    });
    const result = await venue.run(
      { connections, isStrict },
      timed(SECONDS_EACH, 2),
      timed(WARM_UP_SECONDS, 3),
    );
    if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
    const { perSecond } = result;
    report.add(
      `${title}, ${connections} connections`,
      `${whole(perSecond)} orders/s, ${latencyText(result)}`,
    );
    if (perSecond > found.perSecond) found = { title, kind, perSecond, connections };
  }
  return found;
}
