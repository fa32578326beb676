/**
 * Kills a venue at random times, again and again, and checks after each restart that every answered
 * command took effect once, and that funds have not changed.
 * Ends after the given rounds or time, whichever comes first; a failure keeps the store.
 */
import { printLine } from "../bench/load/report.ts";
import { type TaskArguments, taskArguments } from "../support/task_arguments.ts";
import { KILL_MOMENTS, KilledVenue, type KillFigures } from "./killed_venue.ts";

const USAGE = "Usage: deno task kill [--rounds=N] [--seconds=N]";
const ROUNDS_DEFAULT = 200;
const ROUNDS_PER_STORE = 60;
const ROUNDS_PER_AUDIT = 15;

interface Arguments {
  readonly rounds: number;
  readonly seconds: number;
}

if (import.meta.main) await main(taskArguments(USAGE, takeKillArguments));

/** Takes the number of rounds, and the time after which no other begins. */
export function takeKillArguments(given: TaskArguments): Arguments {
  return {
    rounds: given.whole("rounds", ROUNDS_DEFAULT),
    seconds: given.whole("seconds", Infinity),
  };
}

async function main({ rounds, seconds }: Arguments): Promise<void> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const total = { kills: 0, answers: 0, orders: 0, landed: 0, refusals: 0 };
  let done = 0;
  while (done < rounds && elapsed() < seconds) {
    const venue = await KilledVenue.create(Math.floor(Math.random() * 2 ** 24));
    const wanted = Math.min(ROUNDS_PER_STORE, rounds - done);
    done += await killAgainAndAgain(venue, wanted, () => elapsed() >= seconds);
    add(total, venue.figures);
    printLine(`${done} rounds, ${figuresText(total)}, ${elapsed().toFixed(0)} s`);
  }
  printLine(`${done} rounds: every answered command is there exactly once; all audits clean`);
}

/** Runs rounds on one store, at least one; returns how many. */
async function killAgainAndAgain(
  venue: KilledVenue,
  rounds: number,
  isLate: () => boolean,
): Promise<number> {
  let done = 0;
  try {
    do {
      const moment = KILL_MOMENTS[done % KILL_MOMENTS.length] ?? KILL_MOMENTS[0];
      done += 1;
      await venue.round(moment, done % ROUNDS_PER_AUDIT === 0);
    } while (done < rounds && !isLate());
    await venue.finish();
    return done;
  } catch (error) {
    await venue.abandon();
    printLine(`round ${done} of the store in ${venue.directory} failed`);
    throw error;
  }
}

function add(total: { -readonly [Figure in keyof KillFigures]: number }, more: KillFigures): void {
  total.kills += more.kills;
  total.answers += more.answers;
  total.orders += more.orders;
  total.landed += more.landed;
}

function figuresText({ kills, answers, orders, landed }: KillFigures): string {
  return `${kills} kills, ${answers} answers, ${orders} orders (${landed} landed unanswered)`;
}
