import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RequestPace, REQUESTS_AT_ONCE_MAX } from "../../src/sockets/request_pace.ts";

const SECONDS = 20;

/** Returns how many of `perSecond` requests per second are accepted in each second. */
function taken(perSecond: number): number[] {
  const { now } = performance;
  let at = performance.now();
  try {
    performance.now = () => at;
    const pace = new RequestPace();
    return Array.from({ length: SECONDS }, () => {
      let count = 0;
      for (let i = 0; i < perSecond; i++) {
        at += 1000 / perSecond;
        if (!pace.isTooFast()) count += 1;
      }
      return count;
    });
  } finally {
    performance.now = now;
  }
}

/** Sends requests until one is too fast, at each time in ms; returns the numbers accepted. */
function takenAt(...times: readonly number[]): number[] {
  const { now } = performance;
  let at = 0;
  try {
    performance.now = () => at;
    const pace = new RequestPace();
    return times.map((time) => {
      at = time;
      let count = 0;
      while (count <= REQUESTS_AT_ONCE_MAX && !pace.isTooFast()) count += 1;
      return count;
    });
  } finally {
    performance.now = now;
  }
}

describe("the pace of a client's requests", () => {
  it("allows one more request every 20 ms, not earlier", () => {
    assertEquals(takenAt(0, 19, 20, 59, 60), [REQUESTS_AT_ONCE_MAX, 0, 1, 1, 1]);
  });

  it("allows no more after a long silence than at first", () => {
    const hour = 60 * 60 * 1000;
    assertEquals(takenAt(hour, 2 * hour), [REQUESTS_AT_ONCE_MAX, REQUESTS_AT_ONCE_MAX]);
  });

  it("counts a long request as several", () => {
    const pace = new RequestPace();
    for (let room = REQUESTS_AT_ONCE_MAX; room > 0; room -= 4) {
      assert(!pace.isTooFast(769));
    }
    assert(pace.isTooFast(1));
  });

  it("allows fifty a second steadily, plus a burst", () => {
    assertEquals(taken(50), Array(SECONDS).fill(50));
    const counts = taken(200);
    assertEquals(counts[0], 200);
    assertEquals(counts.slice(4), Array(SECONDS - 4).fill(50));
    const all = counts.reduce((sum, count) => sum + count, 0);
    const most = REQUESTS_AT_ONCE_MAX + SECONDS * 50;
    assert(all >= most - 1 && all <= most, `${all} of ${most}`);
  });
});
