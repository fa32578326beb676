/** Payouts that may not be sent: the log would refuse them, so it is not asked in every round. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import { ANY_LEVEL } from "../../src/domain/money/withdraw_limits.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Rail } from "../../src/wallet/rails/rail.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { units } from "../support/domain_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

/** Returns the commands that a wallet submits in one round. */
async function asked(venue: WalletVenue, rail: Rail = venue.rail): Promise<string[]> {
  const kinds: string[] = [];
  const submit: Engine["submit"] = (command, ...more) => {
    kinds.push(command.kind);
    return venue.engine.submit(command, ...more);
  };
  await venue.wallet(changedEngine(venue.engine, { submit }), rail).tick();
  return kinds;
}

describe("nothing is asked of the log for a payout", () => {
  it("of a withdrawal that waits for the operator", async () => {
    await using venue = await WalletVenue.open();
    const row = { level: ANY_LEVEL, group: "any", limit24h: units("5"), limit1m: units("5") };
    await venue.test.must({ kind: "set_withdraw_limit", row });
    await venue.withdraw("10");
    assertEquals(await asked(venue), []);
  });

  it("of a coin that the rail does not serve", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10", { isByHand: true });
    assertEquals(await asked(venue, venue.changedRail({ serves: () => false })), []);
  });

  it("of a coin that no rail served when it was requested, until an operator hands it over", async () => {
    await using venue = await WalletVenue.open();
    const id = await venue.withdraw("10", { isByHand: true });
    assertEquals(await asked(venue), []);
    await venue.test.must({ kind: "change_withdraw", id, action: "hand_over" });
    assertEquals((await asked(venue))[0], "change_withdraw");
  });

  it("while withdrawals are stopped or its member is frozen", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const settings: ((isOn: boolean) => Command)[] = [
      (withdrawals) => ({ kind: "set_switches", switches: { withdrawals } }),
      (withdrawalEnabled) => ({
        kind: "change_currency",
        id: "btc",
        changes: { withdrawalEnabled },
      }),
    ];
    for (const setting of settings) {
      await venue.test.must(setting(false));
      assertEquals(await asked(venue), [], setting(false).kind);
      await venue.test.must(setting(true));
    }
    const state = (state: "active" | "locked"): Command => (
      { kind: "change_member", uid: "alice", changes: { state } }
    );
    await venue.test.must(state("locked"));
    assertEquals(await asked(venue), []);
    await venue.test.must(state("active"));
    assertEquals(await asked(venue), [], "the lock has taken its approval back");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "approve" });
    assertEquals((await asked(venue))[0], "change_withdraw");
  });
});

describe("a payout that a lock of its member overtakes", () => {
  const lock: Command = { kind: "change_member", uid: "alice", changes: { state: "locked" } };

  it("is parked before it is sent", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const submit: Engine["submit"] = async (command, ...more) => {
      const outcome = await venue.engine.submit(command, ...more);
      const isClaim = command.kind === "change_withdraw" && command.action === "claim";
      if (isClaim) await venue.test.must(lock);
      return outcome;
    };
    await venue.wallet(changedEngine(venue.engine, { submit })).tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["errored", []]);
  });

  it("is parked instead of being taken over", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "claim", claims: 0 });
    await venue.test.must(lock);
    await venue.wallet().tick();
    assertEquals((await venue.sent()).state, "processing", "as long as the claim lives");
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await venue.wallet().tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["errored", []]);
  });
});

describe("a payout", () => {
  it("to a beneficiary without an address is parked unsent", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const wallet = new Wallet({
      engine: venue.engine,
      rail: venue.rail,
      payeeOf: () => Promise.resolve({ address: "", tag: null }),
      memberNotices: { ended: () => Promise.resolve() },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    await wallet.tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["errored", []]);
  });

  it("taken over and sent by another process calls no operator", async () => {
    await using venue = await WalletVenue.open();
    const changes = { minConfirmations: 100 };
    await venue.test.must({ kind: "change_currency", id: "btc", changes });
    await venue.withdraw("10");
    const slow = venue.changedRail({
      async send(payout) {
        const outcome = await venue.rail.send(payout);
        venue.clock.now += CLAIM_LIFE_MS + 1;
        await venue.wallet().tick();
        return outcome;
      },
    });
    await venue.wallet(venue.engine, slow).tick();
    assertEquals([venue.logged, venue.rail.sent.length], [[], 1]);
    assertEquals((await venue.sent()).state, "confirming");
  });

  it("arrives with its first block if its coin asks for none", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({ kind: "change_currency", id: "btc", changes: { minConfirmations: 0 } });
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals((await venue.sent()).state, "confirming");
    await venue.mine(wallet, 1);
    assertEquals((await venue.sent()).state, "succeed");
  });
});
