import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  CALM_MS,
  PAUSE_MS_MAX,
  PAUSE_MS_MIN,
  UnsignedPause,
} from "../../src/sockets/unsigned_pause.ts";

describe("a pause of unsigned sockets", () => {
  it("lasts a minute, and is not prolonged", () => {
    const pause = new UnsignedPause();
    assertEquals(pause.secondsLeft(5), 0);
    pause.begin(5);
    pause.begin(1_005);
    assertEquals([pause.secondsLeft(5), pause.secondsLeft(1_006)], [60, 59]);
    assertEquals(pause.secondsLeft(5 + PAUSE_MS_MIN), 0);
  });

  it("is twice as long if another was needed soon before, up to an hour", () => {
    const pause = new UnsignedPause();
    const lengths: number[] = [];
    let now = 0;
    for (let times = 0; times < 8; times++) {
      pause.begin(now);
      lengths.push(pause.secondsLeft(now) / 60);
      now += 1_000 * pause.secondsLeft(now) + CALM_MS - 1;
    }
    assertEquals(lengths, [1, 2, 4, 8, 16, 32, 60, 60]);
    assertEquals(PAUSE_MS_MAX, 60 * PAUSE_MS_MIN);
    now += 1;
    pause.begin(now);
    assertEquals(pause.secondsLeft(now), 60);
  });
});
