import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InterruptibleSleep } from "../../src/engine/interruptible_sleep.ts";
import { timeoutsAlone } from "../support/timeouts_alone.ts";

/** Lengths that no other test uses: older runtimes run several at once. */
const SHORT_MS = 7;
const LONG_MS = 3_600_001;
const OTHER_LONG_MS = 3_600_002;

/** Returns the number of timeouts of this length that `act` sets and leaves behind. */
async function timeoutsLeft(length: number, act: () => Promise<void>): Promise<number> {
  using _alone = await timeoutsAlone();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  globalThis.setTimeout = ((step: () => void, ms: number) => {
    const timer = set(() => {
      left.delete(timer);
      step();
    }, ms);
    if (ms === length) left.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = ((timer: Parameters<typeof clear>[0]) => {
    left.delete(timer);
    clear(timer);
  }) as typeof clearTimeout;
  try {
    await act();
    return left.size;
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

describe("an interruptible sleep", () => {
  it("ends by itself", async () => {
    const sleeping = () => new InterruptibleSleep().sleep(SHORT_MS);
    assertEquals(await timeoutsLeft(SHORT_MS, sleeping), 0);
  });

  it("ends when it is woken, and leaves no timeout behind", async () => {
    const one = new InterruptibleSleep();
    const left = await timeoutsLeft(LONG_MS, async () => {
      const first = one.sleep(LONG_MS);
      one.wake();
      await first;
      const second = one.sleep(LONG_MS);
      one.wake();
      await second;
    });
    assertEquals(left, 0);
  });

  it("is not ended by a call that came before it, or while nobody slept", async () => {
    const one = new InterruptibleSleep();
    one.wake();
    let isOver = false;
    const sleeping = one.sleep(OTHER_LONG_MS).then(() => isOver = true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(isOver, false);
    one.wake();
    await sleeping;
  });
});
