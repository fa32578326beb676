import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { monthBefore } from "../../src/domain/calendar.ts";

/** Computes the same with the platform's calendar. */
function monthBeforeByDate(at: number): number {
  const date = new Date(at);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), length);
  return first + (day - 1) * 86_400_000 + at % 86_400_000;
}

describe("one month earlier", () => {
  it("is the same day and time of the month before", () => {
    assertEquals(
      new Date(monthBefore(Date.UTC(2026, 10, 21, 13, 5, 7, 9))).toISOString(),
      "2026-10-21T13:05:07.009Z",
    );
  });

  it("is the last day if that month is shorter", () => {
    const before = (text: string) => new Date(monthBefore(Date.parse(text))).toISOString();
    assertEquals(before("2026-03-31T12:00:00Z"), "2026-02-28T12:00:00.000Z");
    assertEquals(before("2028-03-30T12:00:00Z"), "2028-02-29T12:00:00.000Z");
    assertEquals(before("2026-01-31T00:00:00Z"), "2025-12-31T00:00:00.000Z");
    assertEquals(before("2026-05-31T23:59:59Z"), "2026-04-30T23:59:59.000Z");
  });

  it("matches the platform's calendar on every day of four hundred years", () => {
    for (let day = 0; day < 146_097; day++) {
      const at = Date.UTC(2000, 0, 1, 6, 30) + day * 86_400_000;
      assertEquals(monthBefore(at), monthBeforeByDate(at));
    }
  });
});
