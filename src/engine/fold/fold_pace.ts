/** Lets orders go before the fold, which works in slices and rests between them if it can. */
import { sleep } from "../../store/kv/in_time.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** Length of a slice, in ms: an order waits for a few of them at most. */
const SLICE_MS = 0.5;
/** Length of the rest after a slice, in ms. */
const REST_MS = 1;

/** Paces the fold. */
export class FoldPace {
  readonly #isPressed: () => boolean;
  #sliceStart = 0;

  /** @param isPressed whether there is too much to fold for a rest */
  constructor(isPressed: () => boolean) {
    this.#isPressed = isPressed;
  }

  /** Ends the slice if it has been long enough; called often. */
  async pause(): Promise<void> {
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await (this.#isPressed() ? yieldToOthers() : sleep(REST_MS));
    this.#sliceStart = performance.now();
  }
}
