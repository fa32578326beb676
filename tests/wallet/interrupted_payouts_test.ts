import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import type { Withdraw } from "../../src/domain/money/withdraw.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { Rail } from "../../src/wallet/rails/rail.ts";
import { ANY_ADDRESS, type PayoutOutcome } from "../../src/wallet/rails/sandbox_rail.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { BLOCK_MS, mortalEngine, WalletVenue } from "../support/wallet_venue.ts";

describe("a payout", () => {
  it("is not sent when its member is frozen after others' were claimed", async () => {
    await using venue = await WalletVenue.open();
    for (let i = 0; i < 10; i++) await venue.withdraw("1");
    const freeze = (state: "banned" | "active") =>
      venue.test.must({ kind: "change_member", uid: "alice", changes: { state } });
    const { rail } = venue;
    const freezing = venue.changedRail({
      async send(payout) {
        if (rail.sent.length === 0) await freeze("banned");
        return await rail.send(payout);
      },
    });
    const wallet = venue.wallet(venue.engine, freezing);
    await wallet.tick();
    assert(!rail.sent.includes("withdraw-9") && !rail.sent.includes("withdraw-10"));
    const sent = rail.sent.length;
    await venue.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 2);
    assertEquals([rail.sent.length, venue.faults], [sent, []]);
    await freeze("active");
    await venue.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 2);
    assertEquals(rail.sent.length, sent, "an operator decides anew");
    for (const { id, state, isApproved } of [...venue.engine.venue.withdraws.values()]) {
      const action = state === "errored" ? "retry" : "approve";
      if (state === "errored" || !isApproved) {
        await venue.test.must({ kind: "change_withdraw", id, action });
      }
    }
    await venue.mine(venue.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 4);
    assertEquals(await venue.balance("alice"), "90/0");
    assertEquals((await venue.payments()).length, 10);
  });

  it("is not sent when its member is frozen after its claim", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const freeze = (state: "banned" | "active") =>
      venue.test.must({ kind: "change_member", uid: "alice", changes: { state } });
    const submit: Engine["submit"] = async (...given) => {
      const outcome = await venue.engine.submit(...given);
      await freeze("banned");
      return outcome;
    };
    await venue.wallet(changedEngine(venue.engine, { submit })).tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["errored", []]);
    await venue.mine(venue.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 2);
    assertEquals([(await venue.sent()).claims, venue.rail.sent], [1, []]);
    await freeze("active");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "retry" });
    await venue.mine(venue.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 4);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("is not sent when it has ended while its address was read", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    venue.onAddress = async () => {
      venue.onAddress = null;
      venue.clock.now += CLAIM_LIFE_MS + 1;
      await venue.test.must({ kind: "change_withdraw", id: 1, action: "fail" });
    };
    await venue.wallet().tick();
    assertEquals([venue.rail.sent, venue.logged], [[], []]);
    assertEquals(await venue.balance("alice"), "100/0");
  });

  it("is not sent when its rail is taken away after its claim, but left to an operator", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    venue.onAddress = async () => {
      venue.onAddress = null;
      await venue.test.must({ kind: "set_settings", changes: { walletRail: "none" } });
    };
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["processing", []]);
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await wallet.tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["errored", []]);
  });

  it("is not sent on a claim that died while its address was read, but on the next", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    venue.onAddress = () => {
      venue.onAddress = null;
      venue.clock.now += CLAIM_LIFE_MS + 1;
      return Promise.resolve();
    };
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["processing", []]);
    await venue.mine(wallet, 3);
    const { state, claims } = await venue.sent();
    assertEquals([state, claims, venue.rail.sent], ["succeed", 2, ["withdraw-1"]]);
    assertEquals(venue.logged, []);
  });

  it("is parked if each claim dies before anything is sent", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    venue.onAddress = () => {
      venue.clock.now += CLAIM_LIFE_MS + 1;
      return Promise.resolve();
    };
    await venue.mine(venue.wallet(), 3);
    const { state, claims } = await venue.sent();
    assertEquals([state, claims, venue.rail.sent], ["errored", 2, []]);
    assertEquals(venue.logged, ["payout_parked"]);
  });

  it("lost on its way is sent again even if it cannot be looked up at first", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.setRule("btc", ANY_ADDRESS, { outcome: "lose_request", times: 1 });
    await venue.withdraw("10");
    let finds = 0;
    const find: Rail["find"] = (id) => {
      finds += 1;
      if (finds === 1) return Promise.reject(new Error("The rail is busy"));
      return venue.rail.find(id);
    };
    await venue.wallet(venue.engine, venue.changedRail({ find })).tick();
    assertEquals([(await venue.sent()).state, venue.logged], ["confirming", []]);
    assertEquals((await venue.payments()).length, 1);
  });

  it("is parked, and the operator called, in one commit", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.setRule("btc", ANY_ADDRESS, { outcome: "lose_request", times: 0 });
    await venue.withdraw("10");
    const { engine } = mortalEngine(venue.engine, { write: 1, when: "after", action: "park" });
    await venue.wallet(engine).tick();
    assertEquals((await venue.sent()).state, "errored");
    const [notice, ...others] = await venue.wallet().notices.list();
    assertEquals([notice?.kind, notice?.id, others], ["payout_parked", 1, []]);
  });

  it("being sent by a process can't be failed by the operator", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const refused: string[] = [];
    const failing = venue.changedRail({
      async send(payout) {
        const fail = { kind: "change_withdraw", id: 1, action: "fail" } as const;
        const outcome = await venue.engine.submit(fail, null);
        refused.push(isRejection(outcome) ? outcome.rejected : outcome.kind);
        return await venue.rail.send(payout);
      },
    });
    await venue.mine(venue.wallet(venue.engine, failing), 3);
    assertEquals(refused, ["withdraw_state_invalid"]);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(await venue.balance("alice"), "90/0");
  });

  it("calls nobody when another process has ended it meanwhile", async () => {
    const replaced = ({ rail }: WalletVenue): Pick<Rail, "find"> => ({
      async find(id) {
        const found = await rail.find(id);
        return found.kind === "absent" ? found : { ...found, txid: "replaced" };
      },
    });
    const ways: readonly [PayoutOutcome, typeof replaced | null, Withdraw["state"]][] = [
      ["fail", null, "failed"],
      ["confirm", replaced, "succeed"],
    ];
    for (const [outcome, answers, state] of ways) {
      await using venue = await WalletVenue.open();
      await using other = await venue.join();
      await venue.rail.setRule("btc", ANY_ADDRESS, { outcome, times: 0 });
      await venue.withdraw("10");
      const frozen = venue.changedRail({
        ...answers?.(venue),
        async send(payout) {
          const sent = await venue.rail.send(payout);
          const wallet = other.wallet(other.engine, other.changedRail({ ...answers?.(other) }));
          await other.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 3);
          return sent;
        },
      });
      await venue.wallet(venue.engine, frozen).tick();
      assertEquals((await venue.sent()).state, state);
      assertEquals([venue.logged, other.logged], [[], []]);
    }
  });

  it("sent after its withdrawal has ended calls the operator", async () => {
    const ways = [["fail", {}], ["succeed", { txid: "by-hand" }], ["succeed", {}]] as const;
    for (const [action, more] of ways) {
      await using venue = await WalletVenue.open();
      await venue.withdraw("10");
      const late = venue.changedRail({
        async send(payout) {
          await venue.test.must({ kind: "change_withdraw", id: 1, action: "park" });
          await venue.test.must({ kind: "change_withdraw", id: 1, action, ...more });
          return await venue.rail.send(payout);
        },
      });
      const wallet = venue.wallet(venue.engine, late);
      await wallet.tick();
      const { state } = await venue.sent();
      const [payment] = await venue.payments();
      const told = (await wallet.notices.list()).map(({ kind, id, txid, reason }) => [
        kind,
        id,
        txid,
        reason,
      ]);
      const isAgreed = action === "succeed" && !("txid" in more);
      assertEquals(told, isAgreed ? [] : [["payout_unbooked", 1, payment?.txid, state]]);
    }
  });
});
