/** Does something again and again, whatever comes between. */
import { sleep as sleepFor } from "../../calls/caller.ts";

/** Pause after a first failure, in ms, and the longest. */
const [PAUSE_MS, PAUSE_MS_MAX] = [1_000, 30_000];
/** So many failures more than successes are trouble. */
const FAILURES_MAX = 3;

/** What is done, how often, and who hears of trouble. */
export interface KeptUp {
  step(): Promise<void>;
  /** Returns how long to wait after a step that went well, in ms. */
  pauseMs(): number;
  /** Waits; by default for so many ms, or until it is ended. */
  sleep?(ms: number, ended: AbortSignal): Promise<void>;
  /** Called once when it keeps failing, and once, with null, when all is well again. */
  onTrouble(error: unknown): void;
}

/**
 * Does it until it is ended. What fails is tried again, later each time: a venue may have halted a
 * market, have too many calls, or be away for a while. One that fails every other time counts as
 * failing, too.
 */
export async function keepUp(kept: KeptUp, ended: AbortSignal): Promise<void> {
  const { step, pauseMs, onTrouble, sleep = sleepFor } = kept;
  let [failures, isInTrouble] = [0, false];
  while (!ended.aborted) {
    let pause: number;
    try {
      await step();
      failures = Math.max(0, failures - 1);
      pause = pauseMs();
      if (isInTrouble && failures === 0) {
        isInTrouble = false;
        onTrouble(null);
      }
    } catch (error) {
      if (ended.aborted) return;
      failures += 1;
      pause = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** Math.min(failures - 1, FAILURES_MAX * 2));
      if (!isInTrouble && failures >= FAILURES_MAX) {
        isInTrouble = true;
        onTrouble(error);
      }
    }
    if (!ended.aborted) await sleep(pause, ended).catch(() => {});
  }
}
