/** The rate of a plain venue on PostgreSQL, to compare with: at its best number of connections. */
import { NONCE_WINDOW_MS } from "../load/bench_venue.ts";
import { latencyText, type Report, whole } from "../load/report.ts";
import { MEMBERS } from "../load/bench_venue.ts";
import { orderLoad } from "../load/workloads.ts";
import { findPostgres } from "./postgres_cluster.ts";
import { PostgresVenue } from "./postgres_venue.ts";

/** How long each number of connections is tried. */
export interface PostgresOptions {
  readonly secondsEach: number;
}

/** What was best. */
export interface PostgresBest {
  readonly perSecond: number;
  readonly connections: number;
}

const CONNECTIONS = [1, 4, 8, 16, 32, 64] as const;
const ORDERS_PER_SECOND_MAX = 10_000;
const FEE_RATE = "0.002";
const FIRST_ORDERS = 5000;
const FIRST_CONNECTIONS = 16;

/** Tries all numbers of connections; null where PostgreSQL is not installed. */
export async function runPostgres(
  directory: string,
  report: Report,
  { secondsEach }: PostgresOptions,
): Promise<PostgresBest | null> {
  const programs = await findPostgres();
  if (programs === null) {
    report.add("PostgreSQL venue", "skipped: PostgreSQL is not installed");
    return null;
  }
  const venue = await PostgresVenue.start(programs, directory, {
    members: MEMBERS,
    feeRate: FEE_RATE,
    nonceWindowMs: NONCE_WINDOW_MS,
  });
  try {
    report.add("PostgreSQL venue", venue.cluster.version);
    await firstOrders(venue);
    const loose = await best(venue, report, secondsEach, false);
    await best(venue, report, secondsEach, true);
    return loose;
  } finally {
    await venue.stop();
  }
}

/** A book and connections' plans to begin with. */
async function firstOrders(venue: PostgresVenue): Promise<void> {
  const serving = { connections: FIRST_CONNECTIONS, isStrict: false };
  const result = await venue.run(serving, 60, orderLoad(venue.signers, FIRST_ORDERS, 1));
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
}

async function best(
  venue: PostgresVenue,
  report: Report,
  seconds: number,
  isStrict: boolean,
): Promise<PostgresBest> {
  let found: PostgresBest = { perSecond: 0, connections: 0 };
  const title = `PostgreSQL venue${isStrict ? ", strict" : ""}`;
  for (const connections of CONNECTIONS) {
    await venue.rest();
    const load = orderLoad(venue.signers, ORDERS_PER_SECOND_MAX * seconds, 2);
    const result = await venue.run({ connections, isStrict }, seconds, load);
    if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
    const { perSecond } = result;
    report.add(
      `${title}, ${connections} connections`,
      `${whole(perSecond)} orders/s, ${latencyText(result)}`,
    );
    if (perSecond > found.perSecond) found = { perSecond, connections };
  }
  return found;
}
