import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ANY_LEVEL,
  isContradicted,
  isWithin,
  WithdrawLimits,
} from "../../../src/domain/money/withdraw_limits.ts";

describe("the limit of a member's withdrawals", () => {
  it("is that of level and group, else of the level, else of the group, else of all", () => {
    const rows = [[3, "vip"], [3, "any"], [ANY_LEVEL, "vip"], [ANY_LEVEL, "any"]] as const;
    const limits = new WithdrawLimits();
    rows.forEach(([level, group], i) =>
      limits.set({ level, group, limit24h: BigInt(i + 1), limit1m: 9n })
    );
    const chosen = () => limits.choose(3, "vip")?.limit24h ?? null;
    assertEquals(limits.choose(2, "other")?.limit24h, 4n);
    for (const [i, [level, group]] of rows.entries()) {
      assertEquals(chosen(), BigInt(i + 1));
      assertEquals(limits.delete({ level, group })?.limit24h, BigInt(i + 1));
    }
    assertEquals(chosen(), null);
  });

  it("is none if it has neither sum, and applies if it has either", () => {
    const limits = new WithdrawLimits();
    const rows = [[null, null, false], [null, 5n, true], [5n, null, true], [0n, 0n, true]] as const;
    for (const [limit24h, limit1m, isLimited] of rows) {
      limits.set({ level: 1, group: "any", limit24h, limit1m });
      assertEquals(limits.choose(1, "vip") !== null, isLimited);
    }
  });

  it("is reached by its sum, lets nothing pass if it is zero, and everything if there is none", () => {
    const cases = [
      [5n, 5n, true],
      [6n, 5n, false],
      [1n, 0n, false],
      [0n, 0n, false],
      [10n ** 30n, null, true],
    ] as const;
    for (const [sum, limit, isAllowed] of cases) assertEquals(isWithin(sum, limit), isAllowed);
  });

  it("contradicts itself if that of the longer time is lower", () => {
    const cases = [
      [5n, 4n, true],
      [5n, 5n, false],
      [5n, null, false],
      [null, 4n, false],
      [0n, 0n, false],
      [1n, 0n, true],
    ] as const;
    for (const [shorter, longer, isWrong] of cases) {
      assertEquals(isContradicted(shorter, longer), isWrong);
    }
  });
});
