/** What is paid by hand, and what by a rail that goes and comes back: never the same. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../src/domain/command.ts";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import { balancesAfter } from "../../src/domain/money/money_balances.ts";
import type { WalletRail } from "../../src/domain/settings.ts";
import type { Withdraw, WithdrawAction } from "../../src/domain/money/withdraw.ts";
import { ANY_LEVEL } from "../../src/domain/money/withdraw_limits.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import type { Rail } from "../../src/wallet/rails/rail.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import { waitingFor } from "../../src/wallet/waiting_withdraws.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { units } from "../support/domain_venue.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { older } from "../support/older_log.ts";
import { Prng } from "../support/prng.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

function setRail(venue: WalletVenue, walletRail: WalletRail) {
  return venue.test.must({ kind: "set_settings", changes: { walletRail } });
}

async function waits(venue: WalletVenue, id: number = 1): Promise<string | null> {
  const withdraw = await venue.sent(id);
  return waitingFor(venue.engine.venue, withdraw);
}

/** Reports a withdrawal as paid by hand; returns whether that was taken. */
async function payByHand({ engine }: WalletVenue, id: number): Promise<boolean> {
  const txid = `by hand ${id}`;
  const command = { kind: "change_withdraw", id, action: "succeed", txid } as const;
  return !isRejection(await engine.submit(command, null));
}

/** Returns the warnings of a process with this rail in one round, and what it submits. */
async function round({ engine }: Pick<WalletVenue, "engine">, rail: Rail | null, rounds = 1) {
  const warned: unknown[] = [];
  const wallet = new Wallet({
    engine,
    rail,
    payeeOf: () => Promise.resolve({ address: "payee", tag: null }),
    memberNotices: { ended: () => Promise.resolve() },
    log: {
      info: () => {},
      warn: (event, fields) => warned.push({ event, ...fields }),
      error: () => {},
    },
  });
  for (let i = 0; i < rounds; i++) await wallet.tick();
  return warned;
}

describe("a withdrawal whose rail is taken away after its approval", () => {
  it("is offered for payment by hand once it is marked, and no rail that returns pays it", async () => {
    await using venue = await WalletVenue.open();
    const id = await venue.withdraw("10");
    await setRail(venue, "none");
    assertEquals(await waits(venue), "rail");
    assertEquals(await payByHand(venue, id), false);
    await venue.wallet(venue.engine, null).tick();
    assertEquals(await waits(venue), "payment_by_hand");
    await setRail(venue, "sandbox");
    await venue.wallet().tick();
    assertEquals([await waits(venue), venue.rail.sent], ["payment_by_hand", []]);
    assertEquals(await payByHand(venue, id), true);
    await venue.wallet().tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent], ["succeed", []]);
  });

  it("is paid by a rail that returns if an operator hands it over, and then not by hand", async () => {
    await using venue = await WalletVenue.open();
    const id = await venue.withdraw("10");
    await setRail(venue, "none");
    await venue.wallet(venue.engine, null).tick();
    await setRail(venue, "sandbox");
    await venue.test.must({ kind: "change_withdraw", id, action: "hand_over" });
    assertEquals([await waits(venue), await payByHand(venue, id)], ["rail", false]);
    await venue.wallet().tick();
    assertEquals(venue.rail.sent.length, 1);
  });

  it("goes on being the rail's if that was gone for a moment that no process saw", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await setRail(venue, "none");
    await setRail(venue, "sandbox");
    await venue.wallet().tick();
    assertEquals(venue.rail.sent.length, 1);
  });

  it("is approved as a payment by hand if it waited for that", async () => {
    await using venue = await WalletVenue.open();
    const row = { level: ANY_LEVEL, group: "any", limit24h: units("5"), limit1m: units("5") };
    await venue.test.must({ kind: "set_withdraw_limit", row });
    const id = await venue.withdraw("10");
    await setRail(venue, "none");
    await venue.wallet(venue.engine, null).tick();
    assertEquals([await waits(venue), (await venue.sent()).isByHand], ["approval", false]);
    await venue.test.must({ kind: "change_withdraw", id, action: "approve" });
    await venue.wallet(venue.engine, null).tick();
    assertEquals(await waits(venue), "payment_by_hand");
  });
});

describe("processes that were started with different rails", () => {
  it("obey the store and say so: one with a rail pays nothing once the venue has none", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await setRail(venue, "none");
    const event = "wallet_rail_differs";
    const warned = await round(venue, venue.rail, 3);
    assertEquals(warned, [{ event, process: "sandbox", store: "none" }]);
    assertEquals([await waits(venue), venue.rail.sent], ["payment_by_hand", []]);
  });

  it("obey the store and say so: one without leaves payments to the venue's rail", async () => {
    await using venue = await WalletVenue.open();
    const id = await venue.withdraw("10");
    const warned = await round(venue, null, 3);
    const event = "wallet_rail_differs";
    assertEquals(warned, [{ event, process: "none", store: "sandbox" }]);
    assertEquals([await waits(venue), await payByHand(venue, id)], ["rail", false]);
    assertEquals(await round(venue, venue.rail), []);
    assertEquals(venue.rail.sent.length, 1);
  });

  it("leave coins on no network to payment by hand where the venue's rails are to networks", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const withoutThem = venue.changedRail({ serves: () => false });
    await venue.wallet(venue.engine, withoutThem).tick();
    assertEquals(await waits(venue), "rail");
    await setRail(venue, "networks");
    await venue.wallet(venue.engine, withoutThem).tick();
    assertEquals(await waits(venue), "payment_by_hand");
  });
});

describe("a payout that is under way when the rail is taken away", () => {
  const claim = { kind: "change_withdraw", id: 1, action: "claim", claims: 0 } as const;

  it("is left to an operator's decision once nobody can be sending it", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.test.must(claim);
    await setRail(venue, "none");
    await venue.wallet(venue.engine, null).tick();
    assertEquals(await waits(venue), "rail");
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await venue.wallet(venue.engine, null).tick();
    assertEquals([await waits(venue), venue.logged], ["decision", ["payout_parked"]]);
    assertEquals(await payByHand(venue, 1), true);
  });

  it("is left to the rail by a process without one while the venue has it", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.test.must(claim);
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await venue.wallet(venue.engine, null).tick();
    assertEquals(await waits(venue), "rail");
    await venue.wallet().tick();
    assertEquals(venue.rail.sent.length, 1);
  });

  it("is looked up by a process that still has the rail", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.test.must(claim);
    await setRail(venue, "none");
    venue.clock.now += CLAIM_LIFE_MS + 1;
    const { id } = await venue.sent();
    const sent = {
      id: `withdraw-${id}`,
      currency: "btc",
      address: "payee",
      tag: null,
      amount: units("10"),
    };
    await venue.rail.send(sent);
    await venue.wallet().tick();
    assertEquals((await venue.sent()).state, "confirming");
    await setRail(venue, "sandbox");
    assertEquals(await waits(venue), "rail");
  });

  it("is parked by that process if the rail has not sent it", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.test.must(claim);
    await setRail(venue, "none");
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await venue.wallet().tick();
    assertEquals([await waits(venue), venue.rail.sent], ["decision", []]);
  });
});

describe("withdrawals of an older program, which did not say who pays them", () => {
  const STATES = ["accepted", "processing"] as const;

  it("are paid by no rail until an operator has looked, however long they have been approved", async () => {
    await using file = await older(5, ({ venue }) =>
      STATES.flatMap((state, index) => {
        const withdraw: Withdraw = {
          id: index + 1,
          member: venue.holderByUid.get("alice")?.member.index ?? 0,
          currency: 0,
          amount: units("1"),
          fee: 0n,
          beneficiary: 1,
          state,
          isApproved: true,
          txid: "",
          confirmations: 0,
          claims: index,
          createdAt: 1,
          updatedAt: 1,
          doneAt: 0,
        };
        const moved = units("1") * BigInt(index + 1);
        const balances = balancesAfter(venue, withdraw, { available: -moved, locked: moved });
        return [{ kind: "withdraw_set", withdraw, ...balances } as const];
      }));
    const test = await EngineVenue.open({ path: file.path });
    await test.must({ kind: "set_settings", changes: { walletRail: "sandbox" } });
    const { engine } = test;
    const states = () =>
      [...engine.venue.withdraws.values()].map((one) => [
        waitingFor(engine.venue, one),
        one.isByHand,
      ]);
    assertEquals(states(), [["rail", undefined], ["rail", undefined]]);
    const rail = new SandboxRail(engine, 1000);
    await round({ engine }, rail, 3);
    assertEquals(states(), [["payment_by_hand", true], ["decision", undefined]]);
    for (const id of [1, 2]) assertEquals(await rail.find(`withdraw-${id}`), { kind: "absent" });
    await test.must({ kind: "change_withdraw", id: 2, action: "retry" });
    assertEquals(states()[1], ["rail", false]);
    await test.folded();
    await test.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});

describe("rails that come and go at random, at processes that disagree", () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`never pay what was offered for payment by hand (seed ${seed})`, async () => {
      await using venue = await WalletVenue.open();
      await using other = await venue.join();
      const random = new Prng(seed);
      const paid = new Set<number>();
      for (let step = 0; step < 160; step++) {
        const { engine } = venue;
        await engine.fresh();
        const open = [...engine.venue.withdraws.values()];
        switch (random.below(9)) {
          case 0:
            await setRail(venue, random.pick(["none", "sandbox"]));
            break;
          case 1:
            await venue.withdraw("0.5", random.chance(0.3) ? { isByHand: true } : {});
            break;
          case 2:
          case 7:
          case 8: {
            const process = random.pick([venue, other]);
            await process.wallet(process.engine, random.chance(0.5) ? venue.rail : null).tick();
            break;
          }
          case 3:
            venue.clock.now += random.below(CLAIM_LIFE_MS * 2);
            break;
          case 4: {
            // Somebody pays what the list offers, and says so much later, or never.
            const offered = open.filter((one) =>
              waitingFor(engine.venue, one) === "payment_by_hand"
            );
            if (offered.length > 0) paid.add(random.pick(offered).id);
            break;
          }
          case 5: {
            const left = open.filter(({ id }) => !paid.has(id));
            if (left.length === 0) break;
            const { id, claims } = random.pick(left);
            const action: WithdrawAction = random.pick(["hand_over", "retry", "claim"]);
            await engine.submit({ kind: "change_withdraw", id, action, claims }, null);
            break;
          }
          default:
            if (paid.size > 0) await payByHand(venue, random.pick([...paid]));
        }
      }
      await venue.engine.fresh();
      const sent = venue.rail.sent.map((name) => Number(name.replace("withdraw-", "")));
      assertEquals(sent.filter((id) => paid.has(id)), []);
      assert(sent.length > 0 && paid.size > 0, "both ways of payment were tried");
    });
  }
});
