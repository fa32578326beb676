/** Measures this venue and the expert one on PostgreSQL in turn: the machine's hours differ. */
import { BenchVenue, MEMBERS, NONCE_WINDOW_MS } from "../load/bench_venue.ts";
import type { LoadResult } from "../load/load_run.ts";
import type { Report } from "../load/report.ts";
import { orderLoad, type Signers } from "../load/workloads.ts";
import { EXPERT, FEE_RATE, PostgresVenue, type TimedLoad } from "./postgres_venue.ts";

/** Orders per second, the means of all rounds. */
export interface BesideResult {
  readonly own: number;
  readonly expert: number;
}

const ROUNDS = 4;
const CONNECTIONS = 64;
const SECONDS = 3;
/** Each time the expert venue's process is new; this venue's is warm from its first round on. */
const WARM_UP_SECONDS = 2;
const ORDERS_PER_SECOND_MAX = 30_000;

/** Runs T4 on both venues, round by round; returns the means. */
export async function runBeside(
  programs: string,
  directory: string,
  report: Report,
): Promise<BesideResult> {
  const own = await BenchVenue.start(directory);
  try {
    const expert = await PostgresVenue.start(programs, directory, {
      kind: EXPERT,
      members: MEMBERS,
      feeRate: FEE_RATE,
      nonceWindowMs: NONCE_WINDOW_MS,
    });
    try {
      return await runRounds(own, expert, report);
    } finally {
      await expert.stop();
    }
  } finally {
    await own.server.stop();
  }
}

async function runRounds(
  own: BenchVenue,
  expert: PostgresVenue,
  report: Report,
): Promise<BesideResult> {
  const sums = { own: 0, expert: 0 };
  const sendToOwn = async ({ seconds, load }: TimedLoad) =>
    await own.run(CONNECTIONS, seconds, load);
  await sendToOwn(timed(own.signers, WARM_UP_SECONDS, 1));
  for (let round = 1; round <= ROUNDS; round++) {
    await own.clear();
    const ownResult = await sendToOwn(timed(own.signers, SECONDS, round));
    // What it folds later it does not do at the other's cost.
    await own.folded();
    await expert.rest();
    const expertResult = await expert.run(
      { connections: CONNECTIONS, isStrict: true },
      timed(expert.signers, SECONDS, round),
      timed(expert.signers, WARM_UP_SECONDS, 1),
    );
    sums.own += accepted(report, `in turn ${round}, this venue`, ownResult);
    sums.expert += accepted(report, `in turn ${round}, the one that flushes`, expertResult);
  }
  return { own: sums.own / ROUNDS, expert: sums.expert / ROUNDS };
}

function timed(signers: Signers, seconds: number, seed: number): TimedLoad {
  return { seconds, load: orderLoad(signers, ORDERS_PER_SECOND_MAX * seconds, seed, seconds) };
}

function accepted(report: Report, title: string, result: LoadResult): number {
  if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
  report.addRun(`${title}, ${CONNECTIONS} connections`, "orders", result, 1);
  return result.perSecond;
}
