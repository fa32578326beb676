import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WatchHearing } from "../../src/engine/watch_hearing.ts";

/** A watch at a time that the test sets. */
function watchAt(clock: { now: number }): WatchHearing {
  return new WatchHearing(() => clock.now);
}

describe("a watch", () => {
  it("is lost where it has told nothing for seconds of a head that has moved, and then begins anew", () => {
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

  it("is not where nothing has moved, however long, or nobody knows", () => {
    const clock = { now: 0 };
    const hearing = watchAt(clock);
    hearing.hear("02");
    for (clock.now = 0; clock.now < 60_000; clock.now += 1000) {
      for (const head of ["02", "01", null]) assertEquals(hearing.isLost(head), false);
    }
  });

  it("is not where it tells, though always a little late", () => {
    const clock = { now: 0 };
    const hearing = watchAt(clock);
    for (let version = 10; version < 99; version++) {
      clock.now += 1000;
      assertEquals(hearing.isLost(String(version)), false);
      hearing.hear(String(version - 1));
    }
  });
});
