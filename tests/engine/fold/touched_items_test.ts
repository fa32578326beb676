import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { DepositSet, Trade, WithdrawSet } from "../../../src/domain/event.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../../src/domain/people/member.ts";
import { TouchedItems } from "../../../src/engine/fold/touched_items.ts";

/** Rows hold several items: one that is not named may be there by chance. */
it("a trade and movements of money name all that they change", () => {
  const trade = { kind: "trade", maker: 1, taker: 2, makerMember: 30, takerMember: 40, market: 5 };
  const touched = new TouchedItems();
  touched.note(trade as Trade);
  touched.note({ kind: "deposit_set", deposit: { member: 60, currency: 7 } } as DepositSet);
  touched.note({ kind: "withdraw_set", withdraw: { member: 80, currency: 9 } } as WithdrawSet);
  assertEquals([...touched.orders], [1, 2]);
  assertEquals([...touched.members], [FEES_MEMBER, OUTSIDE_MEMBER, 30, 40, 60, 80]);
  assertEquals([...touched.markets], [5]);
  assertEquals([...touched.currencies], [7]);
});
