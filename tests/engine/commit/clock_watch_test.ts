import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ClockWatch, STEPPED_MS_MAX } from "../../../src/engine/commit/clock_watch.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const MINUTE_MS = 60_000;
const BEGUN = Date.UTC(2030, 0);

/** A clock that can be stepped, beside a steady one. */
class Clocks {
  wall = BEGUN;
  steady = 1000;
  readonly watch = new ClockWatch(() => this.wall, () => this.steady);

  /** Lets both clocks run, and looks; returns the time that is told since the beginning. */
  run(ms: number): number {
    this.wall += ms;
    this.steady += ms;
    this.watch.look();
    return this.watch.now() - BEGUN;
  }
}

describe("the time of a process", () => {
  it("goes on as before when the clock is stepped, whichever way", () => {
    for (const step of [10 * MINUTE_MS, -10 * MINUTE_MS, 2001, -2001]) {
      const clocks = new Clocks();
      assertEquals([clocks.run(500), clocks.watch.isStepped], [500, false]);
      clocks.wall += step;
      assertEquals([clocks.run(500), clocks.watch.isStepped], [1000, true]);
      assertEquals([clocks.run(500), clocks.watch.isStepped], [1500, true]);
      clocks.wall -= step;
      assertEquals([clocks.run(500), clocks.watch.isStepped], [2000, false]);
    }
  });

  it("follows a clock that is set by moments, however often", () => {
    const clocks = new Clocks();
    for (let times = 1; times <= 10; times++) {
      clocks.wall += 1500;
      assertEquals([clocks.run(500), clocks.watch.isStepped], [2000 * times, false]);
    }
  });

  it("follows a clock that was left alone for long, as after the machine has slept", () => {
    const clocks = new Clocks();
    clocks.wall += 10 * MINUTE_MS;
    assertEquals(clocks.run(0), 0);
    assertEquals([clocks.run(STEPPED_MS_MAX - 1), clocks.watch.isStepped], [
      STEPPED_MS_MAX - 1,
      true,
    ]);
    const told = clocks.run(1);
    assertEquals([told, clocks.watch.isStepped], [STEPPED_MS_MAX + 10 * MINUTE_MS, false]);
  });

  it("follows one that is stepped time and again only once it is left alone", () => {
    const clocks = new Clocks();
    for (let times = 0; times < 5; times++) {
      clocks.wall += MINUTE_MS;
      clocks.run(STEPPED_MS_MAX - 1);
      assertEquals(clocks.watch.isStepped, true);
    }
  });
});

describe("a venue whose clock is stepped", () => {
  it("is not ready, but stamps and takes everything as before, and is ready again", async () => {
    const clock = { now: BEGUN };
    let steady = 1000;
    await using venue = await EngineVenue.open({ clock, steady: () => steady });
    await venue.addUsual();
    clock.now += 10 * MINUTE_MS;
    await venue.placed("alice", { side: "sell", amount: "1", price: "100" });
    assertEquals(venue.venue.time, BEGUN, "the log's time has not followed");
    assertEquals(venue.engine.health(), { isReady: false, reason: "clock_stepped" });
    steady += 50;
    clock.now += 50;
    await venue.placed("alice", { side: "sell", amount: "1", price: "100" });
    assertEquals([venue.venue.time, venue.engine.now()], [BEGUN + 50, BEGUN + 50]);
    clock.now -= 10 * MINUTE_MS;
    await venue.health("");
    assertEquals(venue.engine.now(), BEGUN + 50);
  });
});
