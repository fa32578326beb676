/**
 * How old the memory is that public reads are answered from. A process that can't catch up with the
 * log answers all the same, and says how long ago it last knew that nothing was missing.
 */
import { type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import { within } from "../engine/within.ts";

/** The header of an answer that is older than a moment, in s. */
export const AGE_HEADER = "Age";
/** How long a public read waits for what others have written, in ms, … */
const PATIENCE_MS = 100;
/** … unless the store has been silent for so long that it hardly answers now. */
const SILENCE_MS = 1_000;

/**
 * Catches up if the process is late and that is quick; null if it is not late, as nearly always.
 *
 * @returns the age of the answer in s; null if it has none
 */
export function caughtUp(
  engine: Pick<Engine, "fresh" | "lagMs">,
): Promise<string | null> | null {
  const { lagMs } = engine;
  return lagMs <= LATE_MS_MAX ? null : ageAfter(engine, lagMs > SILENCE_MS ? 0 : PATIENCE_MS);
}

async function ageAfter(
  engine: Pick<Engine, "fresh" | "lagMs">,
  patienceMs: number,
): Promise<string | null> {
  const isFresh = await within(patienceMs, engine.fresh()).then(() => true, () => false);
  return isFresh ? null : String(Math.ceil(engine.lagMs / 1000));
}
