import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HealthLog } from "../../../src/server/watching/health_log.ts";
import type { Health } from "../../../src/engine/engine.ts";

const LOG_TIME = Date.UTC(2030, 0, 2, 3, 4, 5);
/** From then on the clock is not more than 2 s behind. */
const BEHIND = "not_ready clock_behind 2030-01-02T03:04:03.000Z";

/** Returns the log lines for a venue in these states, checked one after another. */
function told([first = "", ...others]: readonly Health["reason"][]): string[] {
  const lines: string[] = [];
  let reason = first;
  const health = () => ({ isReady: reason === "", reason });
  const log = new HealthLog({ health, venue: { time: LOG_TIME } }, {
    info: (event) => lines.push(event),
    warn: (event, fields) => lines.push([event, ...Object.values(fields ?? {})].join(" ")),
  });
  log.start();
  log.stop();
  for (reason of others) log.look();
  return lines;
}

describe("the log of a venue's health", () => {
  it("reports at once what is wrong at the start, and nothing if all is well", () => {
    assertEquals(told(["clock_behind"]), [BEHIND]);
    assertEquals(told(["", "", ""]), []);
  });

  it("reports once what persists, and once that it has gone", () => {
    const reasons = ["", "clock_behind", "clock_behind", "clock_behind", "", ""] as const;
    assertEquals(told(reasons), [BEHIND, "ready"]);
    assertEquals(
      told(["", "store_full", "store_full", "fold_behind", "fold_behind"]),
      ["not_ready store_full", "not_ready fold_behind"],
    );
  });

  it("reports what an operator has to look at, if it lasts, and that it is over", () => {
    const lines: string[] = [];
    let degraded: readonly string[] = [];
    const watched = {
      health: () => ({ isReady: true, reason: "" as const }),
      venue: { time: LOG_TIME },
      degraded: () => degraded,
    };
    const log = new HealthLog(watched, {
      info: (event) => lines.push(event),
      warn: (event, fields) => lines.push(`${event} ${fields?.reasons}`),
    });
    for (degraded of [[], ["a"], [], ["a", "b"], ["a", "b"], ["a", "b"], [], []]) log.look();
    assertEquals(lines, ["degraded a,b", "no_longer_degraded"]);
  });

  it("looks by itself until it is stopped", () => {
    const { setInterval, clearInterval } = globalThis;
    const looks = new Map<number, () => void>();
    let reason: Health["reason"] = "";
    const lines: string[] = [];
    try {
      globalThis.setInterval =
        ((look: () => void) => (looks.set(1, look), 1)) as unknown as typeof setInterval;
      globalThis.clearInterval = ((id: number) => looks.delete(id)) as typeof clearInterval;
      const log = new HealthLog({
        health: () => ({ isReady: false, reason }),
        venue: { time: LOG_TIME },
      }, {
        info: (event) => lines.push(event),
        warn: (event) => lines.push(event),
      });
      log.start();
      reason = "store_full";
      for (let times = 0; times < 2; times++) looks.get(1)?.();
      log.stop();
    } finally {
      Object.assign(globalThis, { setInterval, clearInterval });
    }
    assertEquals([lines, looks.size], [["not_ready"], 0]);
  });

  it("ignores what lasts only a moment", () => {
    assertEquals(told(["", "queue_full", "", "queue_full", ""]), []);
    assertEquals(told(["store_full", "", "store_full", "store_full"]), ["not_ready store_full"]);
  });
});
