import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import { ANY_LEVEL } from "../../src/domain/money/withdraw_limits.ts";
import { owedOn, waitingCounts, waitingFor } from "../../src/wallet/waiting_withdraws.ts";
import { moneyVenue } from "../support/money_venue.ts";

describe("a withdrawal", () => {
  it("waits for approval, its rail, a payment by hand, a decision, or the end of a hold", () => {
    const test = moneyVenue();
    const { venue } = test;
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    const waits = () => {
      const withdraw = venue.withdraws.get(id) ?? venue.endedWithdraws[0];
      return withdraw === undefined ? "gone" : waitingFor(venue, withdraw);
    };
    assertEquals(waits(), "rail");
    test.moveWithdraw(id, "leave_to_hand");
    assertEquals(waits(), "payment_by_hand");
    test.moveWithdraw(id, "hand_over");
    const stops: [Command, Command][] = [
      [
        { kind: "set_switches", switches: { withdrawals: false } },
        { kind: "set_switches", switches: { withdrawals: true } },
      ],
      [
        { kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } },
        { kind: "change_currency", id: "btc", changes: { withdrawalEnabled: true } },
      ],
      [
        { kind: "change_member", uid: "ann", changes: { state: "locked" } },
        { kind: "change_member", uid: "ann", changes: { state: "active" } },
      ],
    ];
    for (const [stop, resume] of stops) {
      test.must(stop);
      assertEquals(waits(), "hold");
      test.must(resume);
    }
    assertEquals(waits(), "approval", "the lock has taken it back");
    test.moveWithdraw(id, "approve");
    test.moveWithdraw(id, "claim");
    assertEquals(waits(), "rail");
    test.moveWithdraw(id, "park");
    assertEquals(waits(), "decision");
    test.moveWithdraw(id, "send", { txid: "sent" });
    assertEquals(waits(), "decision", "nobody sees it confirmed without a rail");
    test.must({ kind: "set_settings", changes: { walletRail: "sandbox" } });
    assertEquals(waits(), "rail");
    test.moveWithdraw(id, "fail");
    assertEquals(waits(), null);
  });

  it("is counted by what it waits for, with the time of the oldest", () => {
    const test = moneyVenue();
    const [btc, eur] = ["btc", "eur"].map((code) => test.activeBeneficiary("ann", code));
    const first = test.sink.at;
    test.withdraw("ann", "btc", "1", btc ?? 0);
    test.sink.at += 1000;
    test.withdraw("ann", "btc", "1", btc ?? 0);
    const fiat = test.withdraw("ann", "eur", "1", eur ?? 0);
    const row = { level: ANY_LEVEL, group: "any", limit24h: 0n, limit1m: null };
    test.must({ kind: "set_withdraw_limit", row });
    test.withdraw("ann", "btc", "1", btc ?? 0);
    const none = { count: 0, oldestAt: 0 };
    assertEquals(waitingCounts(test.venue), {
      approval: { count: 2, oldestAt: first + 1000 },
      payment_by_hand: none,
      rail: { count: 2, oldestAt: first },
      decision: none,
      hold: none,
    });
    test.moveWithdraw(fiat.id, "approve");
    const { approval, payment_by_hand } = waitingCounts(test.venue);
    assertEquals([approval.count, payment_by_hand.count], [1, 1]);
  });

  it("is owed on its network from its approval until it is sent or ends", () => {
    const test = moneyVenue();
    const { venue } = test;
    const { currency, network } = { currency: "btc", network: "bitcoin" };
    test.must({ kind: "add_network", id: currency, network: { name: network, digits: 8 } });
    const owed = (on = network) => owedOn(venue, { currency, network: on });
    const { id, amount, fee } = test.withdraw(
      "ann",
      "btc",
      "1",
      test.activeBeneficiary("ann", "btc"),
    );
    const all = amount - fee;
    assertEquals([owed(), owed("litecoin")], [all, 0n]);
    assertEquals(owedOn(venue, { currency: "eth", network }), 0n);
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    assertEquals(owed(), all);
    test.must({ kind: "set_switches", switches: { withdrawals: true } });
    test.moveWithdraw(id, "leave_to_hand");
    assertEquals(owed(), 0n);
    test.moveWithdraw(id, "hand_over");
    test.moveWithdraw(id, "claim");
    assertEquals(owed(), all);
    test.moveWithdraw(id, "send", { txid: "sent" });
    assertEquals(owed(), 0n);
  });
});
