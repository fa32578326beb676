/** Measures this venue and the expert one on PostgreSQL in turn. */
import { BenchVenue, MEMBERS, NONCE_WINDOW_MS } from "../load/bench_venue.ts";
import { runInTurn } from "../load/in_turn.ts";
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
  const sendToOwn = async ({ seconds, load }: TimedLoad) =>
    await own.run(CONNECTIONS, seconds, load);
  await sendToOwn(timed(own.signers, WARM_UP_SECONDS, 1));
  const [ownPerSecond = 0, expertPerSecond = 0] = await runInTurn(report, ROUNDS, [
    {
      title: `this venue, ${CONNECTIONS} connections`,
      run: async (round) => {
        await own.clear();
        const result = await sendToOwn(timed(own.signers, SECONDS, round));
        // What it folds later it does not do at the other's cost.
        await own.folded();
        return result;
      },
    },
    {
      title: `the one that flushes, ${CONNECTIONS} connections`,
      run: async (round) => {
        await expert.rest();
        return await expert.run(
          { connections: CONNECTIONS, isStrict: true },
          timed(expert.signers, SECONDS, round),
          timed(expert.signers, WARM_UP_SECONDS, 1),
        );
      },
    },
  ]);
  return { own: ownPerSecond, expert: expertPerSecond };
}

function timed(signers: Signers, seconds: number, seed: number): TimedLoad {
  return { seconds, load: orderLoad(signers, ORDERS_PER_SECOND_MAX * seconds, seed, seconds) };
}
