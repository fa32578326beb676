import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  PAUSE_MS_MAX,
  SendBudget,
  UNPAUSED_FRAMES,
} from "../../../src/sockets/sending/send_budget.ts";

/** Creates a budget and notes one second of events, by its own clock. */
function budgetBeside(eventsPerSecond: number) {
  const clock = { now: 1000 };
  const budget = new SendBudget(() => clock.now);
  for (let tenth = 0; tenth < 10; tenth++) {
    budget.noteEvents(eventsPerSecond / 10);
    clock.now += 100;
  }
  return { clock, budget };
}

describe("the send budget", () => {
  it("has no pause after a few frames", () => {
    const { budget } = budgetBeside(0);
    assertEquals(budget.pause(), 0);
    budget.spend(10);
    assertEquals(budget.pause(), 0);
  });

  it("has longer pauses for a busier venue, but never above the bound", () => {
    const pauses = [0, 5_000, 10_000, 20_000, 1_000_000].map((events) => {
      const { budget } = budgetBeside(events);
      budget.spend(UNPAUSED_FRAMES);
      return budget.pause();
    });
    assertEquals(pauses, [...pauses].sort((a, b) => a - b));
    assert((pauses[0] ?? 0) < (pauses[2] ?? 0));
    assertEquals(pauses.at(-1), PAUSE_MS_MAX);
    assert(PAUSE_MS_MAX <= 50, "readers are told twenty times a second");
  });

  it("counts small portions together", () => {
    const { budget, clock } = budgetBeside(1_000_000);
    for (let i = 0; i < 100; i++) budget.spend(UNPAUSED_FRAMES / 100);
    assertEquals(Math.round(budget.pause()), PAUSE_MS_MAX);
    clock.now += PAUSE_MS_MAX;
    assertEquals(budget.pause(), 0);
  });

  it("has room for fewer frames while the venue is busy", () => {
    const calm = budgetBeside(0).budget.framesWithin(50);
    const busy = budgetBeside(1_000_000).budget.framesWithin(50);
    assert(busy > 0 && busy < calm / 5, `${busy} of ${calm}`);
  });
});
