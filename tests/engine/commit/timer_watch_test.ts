import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { PublishedState } from "../../../src/engine/published_state.ts";
import { TIMER_PATIENCE_MS_MAX, TimerWatch } from "../../../src/engine/commit/timer_watch.ts";
import { FakeIntervals } from "../../support/fake_intervals.ts";

const DUE = 1000;

/** Returns a watch over one timer, and its clock and the log's time, which can be set. */
function watchOf(isShared: boolean): { watch: TimerWatch; at: { clock: number; log: number } } {
  const at = { clock: 0, log: 0 };
  const venue = {
    timers: { soonest: DUE },
    get time() {
      return at.log;
    },
  };
  const published = { venue } as unknown as PublishedState;
  return { watch: new TimerWatch({ published, isShared, now: () => at.clock }), at };
}

describe("the watch for timers", () => {
  for (const time of ["clock", "log"] as const) {
    it(`finds one due by the ${time}, and not before`, () => {
      const { watch, at } = watchOf(false);
      at[time] = DUE - 1;
      assertEquals(watch.isDue(), false);
      at[time] = DUE;
      assertEquals(watch.isDue(), true);
    });
  }

  it("leaves it to others for a random while if the store is shared", () => {
    const { random } = Math;
    try {
      for (const share of [0, 0.5]) {
        Math.random = () => share;
        const { watch, at } = watchOf(true);
        at.clock = DUE + share * TIMER_PATIENCE_MS_MAX - 1;
        assertEquals(watch.isDue(), false);
        at.clock += 1;
        assertEquals(watch.isDue(), true);
      }
    } finally {
      Math.random = random;
    }
  });

  it("reports one that is due at each check until it is stopped", () => {
    using intervals = new FakeIntervals();
    const { watch, at } = watchOf(false);
    let told = 0;
    watch.start(() => told += 1);
    intervals.fire();
    assertEquals(told, 0);
    at.clock = DUE;
    intervals.fire();
    intervals.fire();
    assertEquals(told, 2);
    watch.stop();
    assertEquals(intervals.periods, []);
  });
});
