import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InterruptibleSleep } from "../../src/engine/interruptible_sleep.ts";

const LONG_MS = 3_600_000;

/** Returns the number of timeouts that `act` sets and leaves behind. */
async function timeoutsLeft(act: () => Promise<void>): Promise<number> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const left = new Set<unknown>();
  globalThis.setTimeout = ((step: () => void, ms: number) => {
    const timer = set(() => {
      left.delete(timer);
      step();
    }, ms);
    left.add(timer);
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
    assertEquals(await timeoutsLeft(() => new InterruptibleSleep().sleep(1)), 0);
  });

  it("ends when it is woken, and leaves no timeout behind", async () => {
    const one = new InterruptibleSleep();
    const left = await timeoutsLeft(async () => {
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
    const sleeping = one.sleep(LONG_MS).then(() => isOver = true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(isOver, false);
    one.wake();
    await sleeping;
  });
});
