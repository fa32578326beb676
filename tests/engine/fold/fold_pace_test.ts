import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FoldPace } from "../../../src/engine/fold/folder.ts";

const SLICE_MS = 0.5;

/** Returns the effect of pauses at these times: `on`, or how the fold yields. */
async function pausesAt(times: readonly number[], isPressed: boolean): Promise<string[]> {
  const { performance, setImmediate, setTimeout } = globalThis as unknown as Clock;
  const globals = globalThis as unknown as Clock;
  let now = 0;
  let way = "on";
  globals.performance = { now: () => now };
  globals.setTimeout = (step, ms) => {
    way = `rests ${ms} ms`;
    step();
  };
  globals.setImmediate = (step) => {
    way = "yields";
    step();
  };
  try {
    const pace = new FoldPace(() => isPressed);
    const ways: string[] = [];
    for (const time of times) {
      now = time;
      way = "on";
      await pace.pause();
      ways.push(way);
    }
    return ways;
  } finally {
    Object.assign(globalThis, { performance, setImmediate, setTimeout });
  }
}

interface Clock {
  performance: { now(): number };
  setImmediate: (step: () => void) => void;
  setTimeout: (step: () => void, ms: number) => void;
}

describe("the pace of a fold", () => {
  // A single test, because older runtimes run tests concurrently, and this one replaces the clock.
  it("pauses after each slice if there is time, otherwise only yields to others", async () => {
    const times = [100, 100.2, 100 + SLICE_MS, 100.6, 102];
    const ways = ["rests 1 ms", "on", "rests 1 ms", "on", "rests 1 ms"];
    assertEquals(await pausesAt(times, false), ways);
    assertEquals(await pausesAt([100, 100.2, 101], true), ["yields", "on", "yields"]);
  });
});
