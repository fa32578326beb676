/** How many payouts a process moves at once, and where it stops. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Engine } from "../../src/engine/engine.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { units } from "../support/domain_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

const AT_ONCE = 8;
const LEFT = 2;

/** Opens a venue with a few more withdrawals than a process moves at once. */
async function withMany(): Promise<WalletVenue> {
  const venue = await WalletVenue.open();
  for (let i = 0; i < AT_ONCE + LEFT; i++) await venue.withdraw("1");
  return venue;
}

/** Returns how many withdrawals nobody has claimed. */
function unclaimed({ test }: WalletVenue): number {
  return [...test.venue.withdraws.values()].filter(({ state }) => state === "accepted").length;
}

describe("a round of payouts", () => {
  it("claims eight at once, and the next when those are done", async () => {
    await using venue = await withMany();
    let waiting = -1;
    venue.onAddress = async () => {
      venue.onAddress = null;
      // Commands are decided in their order: after this one no claim of the round is in the queue.
      await venue.test.must({ kind: "set_switches", switches: { withdrawals: true } });
      waiting = unclaimed(venue);
    };
    await venue.wallet().tick();
    assertEquals([waiting, venue.rail.sent.length], [LEFT, AT_ONCE + LEFT]);
  });

  it("claims no more once the wallet is stopped", async () => {
    await using venue = await withMany();
    const wallet = venue.wallet();
    const stopping = Promise.withResolvers<Promise<void>>();
    venue.onAddress = () => {
      stopping.resolve(wallet.stop());
      return Promise.resolve();
    };
    wallet.start();
    await stopping.promise;
    assertEquals([unclaimed(venue), venue.rail.sent.length], [LEFT, AT_ONCE]);
    venue.onAddress = null;
    await venue.wallet().tick();
    assertEquals([unclaimed(venue), venue.rail.sent.length], [0, AT_ONCE + LEFT]);
  });

  it("takes one of each member before anybody has a second one", async () => {
    await using venue = await withMany();
    const { test } = venue;
    const member = await test.addMember("carol", { btc: "5" });
    await test.must({ kind: "set_two_factor", member, step: 1, generation: 0, isOn: true });
    const address = { member, currency: "btc", addressDigest: "other digest" };
    await test.must({ kind: "create_beneficiary", ...address });
    await test.must({ kind: "try_pin", member, id: 2, pin: 1, isRight: true });
    await test.must({
      kind: "request_withdraw",
      member,
      otp: { member, step: 2, generation: 1 },
      beneficiary: 2,
      currency: "btc",
      amount: units("1"),
    });
    let first: readonly string[] = [];
    venue.onAddress = () => {
      venue.onAddress = null;
      first = [...test.venue.withdraws.values()]
        .filter(({ state }) => state !== "accepted")
        .map((one) => test.venue.holder(one.member).member.uid);
      return Promise.resolve();
    };
    await venue.wallet().tick();
    assertEquals([first.length, first.filter((uid) => uid === "carol").length], [AT_ONCE, 1]);
  });

  it("asks no more of a rail that is silent, and next of what it has not asked", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({ kind: "change_currency", id: "btc", changes: { minConfirmations: 2 } });
    for (let i = 0; i < AT_ONCE + LEFT; i++) await venue.withdraw("1");
    await venue.wallet().tick();
    const asked: string[] = [];
    const find = async (id: string): Promise<never> => {
      asked.push(id);
      await sleep(1_050);
      throw new Error("too late");
    };
    const wallet = venue.wallet(venue.engine, venue.changedRail({ find }));
    await wallet.tick();
    assertEquals(asked.length, AT_ONCE);
    await wallet.tick();
    // All others come before the first has its turn again.
    assertEquals(new Set(asked.slice(0, AT_ONCE + LEFT)).size, AT_ONCE + LEFT);
    assertEquals(asked.length, 2 * AT_ONCE);
  });

  it("submits nothing for what is paid by hand or waits, and claims what no longer does", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("1");
    await venue.withdraw("1", { isByHand: true });
    const submitted: string[] = [];
    const submit: Engine["submit"] = (command, ...more) => {
      submitted.push(command.kind);
      return venue.engine.submit(command, ...more);
    };
    const wallet = venue.wallet(changedEngine(venue.engine, { submit }));
    const open = (withdrawals: boolean) =>
      venue.test.must({ kind: "set_switches", switches: { withdrawals } });
    await open(false);
    await wallet.tick();
    assertEquals(submitted, []);
    await open(true);
    await wallet.tick();
    assertEquals(submitted, ["change_withdraw", "change_withdraw"], "a claim, and what was sent");
    assertEquals(venue.rail.sent, ["withdraw-1"]);
  });
});
