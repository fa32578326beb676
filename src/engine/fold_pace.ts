/** Lets orders go before the fold: it works in slices, and rests between them while it can afford to. */
import { sleep } from "../store/in_time.ts";
import { yieldToOthers } from "./yield_to_others.ts";

/** How long a slice is, in ms: an order waits for a few of them at the most. */
const SLICE_MS = 0.5;
/** How long the fold rests behind a slice, in ms. */
const REST_MS = 1;

/** When the fold goes on. */
export class FoldPace {
  readonly #isPressed: () => boolean;
  #sliceStart = 0;

  /** @param isPressed whether there is more to fold than a rest could be afforded for */
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
