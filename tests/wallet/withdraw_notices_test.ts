import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Withdraw, WithdrawState } from "../../src/domain/money/withdraw.ts";
import { WITHDRAW_STATES } from "../../src/domain/money/withdraw.ts";
import { WithdrawNotices } from "../../src/wallet/withdraw_notices.ts";
import { moneyVenue } from "../support/money_venue.ts";

describe("WithdrawNotices", () => {
  const test = moneyVenue();
  const asked = test.withdraw("ann", "btc", "0.25", test.activeBeneficiary("ann", "btc"));

  async function told(
    tell: (notices: WithdrawNotices, withdraw: Withdraw) => Promise<void>,
    state: WithdrawState,
  ) {
    const sent: unknown[] = [];
    const notices = new WithdrawNotices({ venue: test.venue }, {
      send: (uid, content) => Promise.resolve(void sent.push({ uid, ...content })),
    });
    await tell(notices, { ...asked, state });
    return sent;
  }

  it("name the member, the withdrawal and the amount", async () => {
    assertEquals(await told((notices, one) => notices.requested(one), "accepted"), [
      { uid: "ann", kind: "withdraw_requested", id: 1, amount: "0.25", currency: "btc" },
    ]);
  });

  it("tell only of an end", async () => {
    const ends: Partial<Record<WithdrawState, string>> = {
      succeed: "withdraw_succeeded",
      failed: "withdraw_failed",
      rejected: "withdraw_failed",
      canceled: "withdraw_canceled",
    };
    for (const state of WITHDRAW_STATES) {
      const messages = await told((notices, one) => notices.ended(one), state);
      const kinds = messages.map((one) => (one as { kind: string }).kind);
      assertEquals(kinds, [ends[state]].filter((kind) => kind !== undefined), state);
    }
  });
});
