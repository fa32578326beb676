/** Measures several venues in turn: the machine's hours differ. */
import type { LoadResult } from "./load_run.ts";
import type { Report } from "./report.ts";

/** One of those that are measured. */
export interface Side {
  readonly title: string;
  /** Loads it once; rounds count from 1. */
  readonly run: (round: number) => Promise<LoadResult>;
}

/**
 * Runs all sides, round by round; returns each one's orders per second, the means of all rounds.
 *
 * @throws {Error} if an order is refused
 */
export async function runInTurn(
  report: Report,
  rounds: number,
  sides: readonly Side[],
): Promise<number[]> {
  const sums = sides.map(() => 0);
  for (let round = 1; round <= rounds; round++) {
    for (const [place, { title, run }] of sides.entries()) {
      const result = await run(round);
      if (result.refusedShare > 0) throw new Error(`Orders were refused: ${result.refusal}`);
      report.addRun(`in turn ${round}, ${title}`, "orders", result, 1);
      sums[place] = (sums[place] ?? 0) + result.perSecond;
    }
  }
  return sums.map((sum) => sum / rounds);
}
