import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_LEVEL, WithdrawLimits } from "../../src/domain/withdraw_limits.ts";

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
      limits.delete({ level, group, limit24h: 0n, limit1m: 0n });
    }
    assertEquals(chosen(), null);
  });

  it("is none if both its sums are zero, and applies if either is not", () => {
    const limits = new WithdrawLimits();
    const rows = [[0n, 0n, false], [0n, 5n, true], [5n, 0n, true]] as const;
    for (const [limit24h, limit1m, isLimited] of rows) {
      limits.set({ level: 1, group: "any", limit24h, limit1m });
      assertEquals(limits.choose(1, "vip") !== null, isLimited);
    }
  });
});
