/**
 * Pays deposits and withdrawals on chains of this machine while blocks are replaced and processes
 * are killed, and checks at the end that chains and ledger agree to the last unit.
 */
import { assert } from "@std/assert";
import { printLine } from "../bench/load/report.ts";
import { type TaskArguments, taskArguments } from "../support/task_arguments.ts";
import { mustAgree } from "./coins/coin_books.ts";
import { CoinLife, type CoinLifeOptions } from "./coins/coin_life.ts";

const USAGE = "Usage: deno task kill:coins [--deposits=N] [--payouts=N] [--seed=N]";
const COUNT = 1_000;
/** A member's codes are for one withdrawal each half minute. */
const PAYOUTS_PER_MEMBER = 20;
const MEMBERS_MIN = 4;
const KILL_MS_MAX = 12_000;
const AWAY_MS_MAX = 2_000;

if (import.meta.main) await main(taskArguments(USAGE, takeCoinArguments));

/** Takes how much is to happen, and the seed of it. */
export function takeCoinArguments(given: TaskArguments): CoinLifeOptions {
  const deposits = given.whole("deposits", COUNT);
  const payouts = given.whole("payouts", COUNT);
  const seed = given.whole("seed", 1);
  return {
    deposits,
    payouts,
    seed,
    members: Math.max(MEMBERS_MIN, Math.ceil(payouts / PAYOUTS_PER_MEMBER)),
    killMsMax: KILL_MS_MAX,
    awayMsMax: AWAY_MS_MAX,
  };
}

async function main(options: CoinLifeOptions): Promise<void> {
  const started = performance.now();
  const tell = (text: string) => {
    printLine(`${((performance.now() - started) / 1000).toFixed(0)} s: ${text}`);
  };
  await using life = await CoinLife.begin({ ...options, onProgress: tell });
  try {
    await liveAndAgree(life, tell);
  } finally {
    printLine(life.venue.faults);
  }
}

/** Lives, lets everything come to its end, and checks it. */
export async function liveAndAgree(
  life: CoinLife,
  tell: (text: string) => void,
): Promise<void> {
  tell(`${life.members.length} members`);
  await life.live();
  tell(`lived: ${life.text}`);
  await life.settle();
  tell(`settled: ${life.text}`);
  await mustAgree(life);
  tell("chains and ledger agree");
  await life.venue.stop();
  for (const flags of [[], ["--chain"]]) {
    const { isClean, output } = await life.venue.audit(...flags);
    assert(isClean, `deno task audit ${flags.join(" ")}\n${output}`);
    if (flags.length > 0) tell(`audits clean\n${output}`);
  }
}
