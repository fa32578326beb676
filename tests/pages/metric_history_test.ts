/** What is drawn of the venue's counters. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { durationText } from "../../src/pages/operate/watch/duration_text.ts";
import {
  type Counters,
  KEPT_SECONDS,
  type Sample,
  sampleOf,
  withSample,
} from "../../src/pages/operate/watch/metric_history.ts";

function counters(orders: number, counts: readonly number[], sum: number): Counters {
  const count = counts.reduce((all, one) => all + one, 0);
  return {
    orders,
    trades: 0,
    open_orders: 7,
    commit_ms: { count, sum, bounds: [1, 2, 5], counts },
    queue: 3,
    sockets: 4,
    lag_ms: 5,
    unfolded_events: 6,
    rss: 3 * 1_048_576,
  };
}

describe("a sample of figures", () => {
  it("has rates and times of what came since the one before", () => {
    const before = { at: 100, counters: counters(10, [5, 0, 0, 0], 2) };
    const { figures } = sampleOf(before, counters(14, [5, 98, 2, 0], 102), 102);
    assertEquals([figures.orders, figures.trades], [2, 0]);
    assertEquals([figures.commit, figures.slowest], [1, 5]);
    assertEquals([figures.queue, figures.sockets, figures.lag], [3, 4, 5]);
    assertEquals([figures.unfolded, figures.memory, figures.open], [6, 3, 7]);
  });

  it("tells no rates without one before, nor of another process's counters", () => {
    const later = counters(14, [1, 0, 0, 0], 1);
    assertEquals(sampleOf(null, later, 102).figures.orders, null);
    const before = { at: 100, counters: counters(20, [5, 0, 0, 0], 2) };
    const { figures } = sampleOf(before, later, 102);
    assertEquals([figures.orders, figures.commit, figures.slowest], [null, null, null]);
  });

  it("tells no times where nothing was committed", () => {
    const same = counters(10, [5, 0, 0, 0], 2);
    const { figures } = sampleOf({ at: 100, counters: same }, same, 102);
    assertEquals([figures.commit, figures.slowest], [null, null]);
  });

  it("is kept for ten minutes", () => {
    let samples: readonly Sample[] = [];
    for (let at = 0; at <= 2 * KEPT_SECONDS; at += 2) {
      samples = withSample(samples, { ...sampleOf(null, counters(0, [0, 0, 0, 0], 0), at) });
    }
    assertEquals(samples.length, KEPT_SECONDS / 2);
    assertEquals(samples[0]?.at, KEPT_SECONDS + 2);
  });
});

describe("a duration", () => {
  it("is told in its largest units", () => {
    const plain = (ms: number) => durationText(ms).replaceAll("\u202f", " ");
    assertEquals([plain(0), plain(59_999), plain(60_000)], ["0 s", "59 s", "1 min"]);
    assertEquals([plain(3_600_000 * 5 + 60_000), plain(86_400_000 * 3)], ["5 h 1 min", "3 d 0 h"]);
  });
});
