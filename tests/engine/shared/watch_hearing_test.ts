import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WatchHearing } from "../../../src/engine/shared/log_follower.ts";

/** Creates a watch with a clock that the test sets. */
function watchAt(clock: { now: number }): WatchHearing {
  return new WatchHearing(() => clock.now);
}

describe("a watch", () => {
  it("is lost if it is silent for seconds after the head moved, and then starts over", () => {
    const clock = { now: 0 };
    const hearing = watchAt(clock);
    hearing.hear("01");
    assertEquals(hearing.isLost("02"), false);
    clock.now = 4999;
    assertEquals(hearing.isLost("03"), false);
    clock.now = 5000;
    assertEquals(hearing.isLost("03"), true);
    assertEquals(hearing.isLost("03"), false);
  });

  it("is not lost while nothing moves or nothing is known, for however long", () => {
    const clock = { now: 0 };
    const hearing = watchAt(clock);
    hearing.hear("02");
    for (clock.now = 0; clock.now < 60_000; clock.now += 1000) {
      for (const head of ["02", "01", null]) assertEquals(hearing.isLost(head), false);
    }
  });

  it("is not lost while it reports, even if always a little late", () => {
    const clock = { now: 0 };
    const hearing = watchAt(clock);
    for (let version = 10; version < 99; version++) {
      clock.now += 1000;
      assertEquals(hearing.isLost(String(version)), false);
      hearing.hear(String(version - 1));
    }
  });
});
