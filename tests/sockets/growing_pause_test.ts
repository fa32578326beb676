import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GrowingPause } from "../../src/sockets/growing_pause.ts";

const [MIN, MAX] = [60_000, 3_600_000];

/** Returns how many minutes each of the pauses takes that begin just before the other is forgotten. */
function lengths(pause: GrowingPause, times: number): number[] {
  let now = 0;
  return Array.from({ length: times }, () => {
    pause.begin(now);
    const seconds = pause.secondsLeft(now);
    now += 1_000 * seconds + MAX - 1;
    return seconds / 60;
  });
}

describe("a pause", () => {
  it("lasts a while, and is not prolonged", () => {
    const pause = new GrowingPause(MIN, MAX);
    assertEquals(pause.secondsLeft(5), 0);
    pause.begin(5);
    pause.begin(1_005);
    assertEquals([pause.secondsLeft(5), pause.secondsLeft(1_006)], [60, 59]);
    assertEquals(pause.secondsLeft(5 + MIN), 0);
  });

  it("is longer if another was needed soon before, up to the longest", () => {
    assertEquals(lengths(new GrowingPause(MIN, MAX), 8), [1, 2, 4, 8, 16, 32, 60, 60]);
    assertEquals(lengths(new GrowingPause(MIN, MAX, 10), 4), [1, 10, 60, 60]);
    const pause = new GrowingPause(MIN, MAX);
    for (const now of [0, MIN + MAX]) {
      pause.begin(now);
      assertEquals(pause.secondsLeft(now), 60);
    }
  });

  it("that was another's fault ends, and the next is no longer for it", () => {
    const pause = new GrowingPause(MIN, MAX);
    pause.begin(0);
    pause.takeBack(1_000);
    assertEquals(pause.secondsLeft(1_000), 0);
    pause.begin(2_000);
    assertEquals(pause.secondsLeft(2_000), 60);
    pause.takeBack(2_000 + MIN);
    pause.begin(2_000 + MIN);
    assertEquals(pause.secondsLeft(2_000 + MIN), 120);
  });
});
