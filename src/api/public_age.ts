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

/** Catches up if that is quick; returns what tells the age of the answer otherwise. */
export async function caughtUp(
  engine: Pick<Engine, "fresh" | "lagMs">,
): Promise<Record<string, string>> {
  const { lagMs } = engine;
  if (lagMs <= LATE_MS_MAX) return {};
  const catchingUp = engine.fresh();
  const patience = lagMs > SILENCE_MS ? 0 : PATIENCE_MS;
  const isFresh = await within(patience, catchingUp).then(() => true, () => false);
  return isFresh ? {} : { [AGE_HEADER]: String(Math.ceil(engine.lagMs / 1000)) };
}
