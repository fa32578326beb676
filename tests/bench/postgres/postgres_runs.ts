/** Measures a plain venue on PostgreSQL for comparison, at its best number of connections. */
import { MEMBERS, NONCE_WINDOW_MS } from "../load/bench_venue.ts";
import { latencyText, type Report, whole } from "../load/report.ts";
import { orderLoad } from "../load/workloads.ts";
import { findPostgres } from "./postgres_cluster.ts";
import { PostgresVenue } from "./postgres_venue.ts";

/** The best result. */
export interface PostgresBest {
  readonly title: string;
  readonly perSecond: number;
  readonly connections: number;
}

const CONNECTIONS = [1, 4, 8, 16, 32, 64] as const;
const ORDERS_PER_SECOND_MAX = 10_000;
const SECONDS_EACH = 3;
const FEE_RATE = "0.002";
const FIRST_ORDERS = 5000;
const FIRST_CONNECTIONS = 16;

/** Tries all numbers of connections; returns nothing if PostgreSQL is not installed. */
export async function runPostgres(
  directory: string,
  report: Report,
): Promise<readonly PostgresBest[]> {
  const programs = await findPostgres();
  if (programs === null) {
    report.add("PostgreSQL venue", "skipped: PostgreSQL is not installed");
    return [];
  }
  const venue = await PostgresVenue.start(programs, directory, {
    members: MEMBERS,
    feeRate: FEE_RATE,
    nonceWindowMs: NONCE_WINDOW_MS,
  });
  try {
    report.add("PostgreSQL venue", venue.cluster.version);
    await firstOrders(venue);
    const results: PostgresBest[] = [];
    for (const isStrict of [true, false]) results.push(await best(venue, report, isStrict));
    return results;
  } finally {
    await venue.stop();
  }
}

/** Fills the book, and lets connections plan their queries. */
async function firstOrders(venue: PostgresVenue): Promise<void> {
  const serving = { connections: FIRST_CONNECTIONS, isStrict: false };
  const result = await venue.run(serving, 60, orderLoad(venue.signers, FIRST_ORDERS, 1));
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
}

async function best(
  venue: PostgresVenue,
  report: Report,
  isStrict: boolean,
): Promise<PostgresBest> {
  const title = isStrict
    ? "a PostgreSQL venue, one transaction per order"
    : "the same, which lets a book stay crossed after a race";
  let found: PostgresBest = { title, perSecond: 0, connections: 0 };
  for (const connections of CONNECTIONS) {
    await venue.rest();
    const load = orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * SECONDS_EACH, 2);
    const result = await venue.run({ connections, isStrict }, SECONDS_EACH, load);
    if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
    const { perSecond } = result;
    report.add(
      `${title}, ${connections} connections`,
      `${whole(perSecond)} orders/s, ${latencyText(result)}`,
    );
    if (perSecond > found.perSecond) found = { title, perSecond, connections };
  }
  return found;
}
