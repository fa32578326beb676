import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import { ANY_LEVEL } from "../../src/domain/money/withdraw_limits.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { ANY_ADDRESS, type PayoutOutcome } from "../../src/wallet/rails/sandbox_rail.ts";
import { PayoutWaitsError, type WaitReason } from "../../src/wallet/rails/payout_waits.ts";
import type { Payout } from "../../src/wallet/rails/rail.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";
import { BLOCK_MS, mortalEngine, WalletVenue, WatchedRail } from "../support/wallet_venue.ts";

function rule(venue: WalletVenue, outcome: PayoutOutcome, times: number = 0): Promise<void> {
  return venue.rail.setRule("btc", ANY_ADDRESS, { outcome, times });
}

/**
 * Returns an engine whose answer to a claim comes after the claim has expired and `meanwhile` has
 * run, although its own clock stands still.
 */
function slowClaim(
  { engine, clock }: WalletVenue,
  meanwhile: () => Promise<void>,
): Engine {
  const start = clock.now;
  const submit: Engine["submit"] = async (command, ...more) => {
    const outcome = await engine.submit(command, ...more);
    if (command.kind === "change_withdraw" && command.action === "claim") {
      clock.now += CLAIM_LIFE_MS + 1;
      await meanwhile();
    }
    return outcome;
  };
  return changedEngine(engine, { submit, now: () => start });
}

describe("a payout", () => {
  it("is claimed, sent, confirmed, and takes the locked amount with it", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({
      kind: "change_currency",
      id: "btc",
      changes: { withdrawFee: units("0.5") },
    });
    const wallet = venue.wallet();
    await venue.withdraw("10");
    assertEquals(await venue.balance("alice"), "90/10");
    await wallet.tick();
    const sent = await venue.sent();
    assertEquals([sent.state, sent.claims, sent.confirmations], ["confirming", 1, 0]);
    await venue.mine(wallet, 1);
    assertEquals((await venue.sent()).confirmations, 1);
    await venue.mine(wallet, 1);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(await venue.balance("alice"), "90/0");
    const [payment, ...others] = await venue.payments();
    assertEquals([payment?.txid, payment?.amount], [sent.txid, units("9.5")]);
    assertEquals(others, []);
    await venue.mine(wallet, 10);
    assertEquals(venue.told, ["1 succeed"]);
    assertEquals(venue.rail.sent, ["withdraw-1"]);
    assertEquals(venue.faults, []);
  });

  it("that the rail refuses gives the funds back", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "refuse", 1);
    await venue.withdraw("10");
    await venue.wallet().tick();
    assertEquals((await venue.sent()).state, "failed");
    assertEquals(await venue.balance("alice"), "100/0");
    assertEquals(await venue.payments(), []);
    assertEquals(venue.told, ["1 failed"]);
  });

  it("that fails on the chain gives the funds back", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "fail", 1);
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals((await venue.sent()).state, "confirming");
    await venue.mine(wallet, 1);
    assertEquals((await venue.sent()).state, "failed");
    assertEquals(await venue.balance("alice"), "100/0");
  });

  it("waits for its block again if it is thrown out", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 2);
    assertEquals((await venue.sent()).confirmations, 1);
    await venue.rail.reorganise({ currency: "btc" }, 5, "replay");
    await wallet.tick();
    assertEquals([(await venue.sent()).state, (await venue.sent()).confirmations], [
      "confirming",
      0,
    ]);
    await venue.mine(wallet, 2);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals((await venue.payments()).length, 1);
  });

  it("whose transaction is gone for good gives the funds back", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 2);
    await venue.rail.reorganise({ currency: "btc" }, 5, "drop");
    await wallet.tick();
    assertEquals((await venue.sent()).state, "failed");
    assertEquals(await venue.balance("alice"), "100/0");
    assertEquals(await venue.payments(), []);
  });

  it("whose answer is lost is looked up and goes on", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "lose_answer", 1);
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals([venue.rail.sent.length, venue.rail.resent], [1, []]);
    assertEquals((await venue.payments()).length, 1);
  });

  it("that was lost on its way is sent again under the same id", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "lose_request", 1);
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals([venue.rail.sent, venue.rail.resent], [["withdraw-1", "withdraw-1"], []]);
    assertEquals((await venue.payments()).length, 1);
  });

  it("that is lost again and again is parked, and goes on when the operator retries", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "lose_request");
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "errored");
    assertEquals(await venue.balance("alice"), "90/10");
    assertEquals([venue.logged, venue.told], [["payout_parked"], []]);
    await rule(venue, "confirm");
    await venue.mine(wallet, 20);
    assertEquals((await venue.sent()).state, "errored");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "retry" });
    await venue.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 4);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.rail.resent, []);
    assertEquals((await venue.payments()).length, 1);
  });

  it("that nobody can look up is parked, and not sent again on the operator's retry", async () => {
    await using venue = await WalletVenue.open();
    await rule(venue, "hide");
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await wallet.tick();
    assertEquals((await venue.sent()).state, "errored");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "retry" });
    await venue.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 4);
    assertEquals((await venue.sent()).state, "errored");
    assertEquals(venue.logged, ["payout_parked", "payout_parked"]);
    await rule(venue, "confirm");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "retry" });
    await venue.mine(wallet, CLAIM_LIFE_MS / BLOCK_MS + 4);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.rail.sent.length, 1);
    assertEquals((await venue.payments()).length, 1);
  });

  it("waits where a network does not answer, and goes on once it does", async () => {
    for (const manner of ["lose_request", "hide"] as const) {
      await using venue = await WalletVenue.open();
      await rule(venue, manner);
      await venue.withdraw("10");
      const wallet = venue.wallet(venue.engine, venue.changedRail({ isOutside: true }));
      await venue.mine(wallet, 3);
      assertEquals((await venue.sent()).state, "processing");
      assertEquals(venue.logged, ["payout_waits"]);
      await rule(venue, "confirm");
      await venue.mine(wallet, (CLAIM_LIFE_MS + 30_000) / BLOCK_MS + 4);
      assertEquals((await venue.sent()).state, "succeed");
      assertEquals((await venue.payments()).length, 1);
    }
  });

  it("is parked unsent if its address can't be read", async () => {
    await using venue = await WalletVenue.open();
    venue.isAddressKnown = false;
    await venue.withdraw("10");
    await venue.wallet().tick();
    assertEquals((await venue.sent()).state, "errored");
    const [notice] = await venue.wallet().notices.list();
    assertEquals(notice?.reason, "the beneficiary's address cannot be read");
    assertEquals(venue.rail.sent, []);
  });

  it("sent but not found calls the operator and stays locked", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    await venue.wallet().tick();
    const empty = venue.changedRail({ find: () => Promise.resolve({ kind: "absent" }) });
    await venue.mine(venue.wallet(venue.engine, empty), 3);
    assertEquals((await venue.sent()).state, "confirming");
    assertEquals(venue.logged, ["payout_missing"]);
    assertEquals(await venue.balance("alice"), "90/10");
    await venue.mine(venue.wallet(), 2);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("waits as long as its rail has too little money, and is tried again now and then", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    let asked = 0;
    let isPoor = true;
    const send = (payout: Payout) => {
      asked += 1;
      if (isPoor) {
        return Promise.reject(new PayoutWaitsError("too_little", "The wallet holds too little"));
      }
      return venue.rail.send(payout);
    };
    const wallet = venue.wallet(venue.engine, venue.changedRail({ send }));
    for (let round = 0; round < 5; round++) {
      await wallet.tick();
      venue.clock.now += CLAIM_LIFE_MS + 1;
    }
    assertEquals([asked, (await venue.sent()).state], [1, "processing"]);
    venue.clock.now += 30_000;
    await wallet.tick();
    assertEquals([asked, (await venue.sent()).state], [2, "processing"]);
    assertEquals(venue.logged, ["payout_waits"]);
    isPoor = false;
    venue.clock.now += 30_000 + CLAIM_LIFE_MS;
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals([asked, venue.rail.sent.length], [3, 1]);
  });

  it("waits for a reason that is told anew when it changes, each kind once an hour", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    let why = new PayoutWaitsError("unreachable", "its node is away");
    const changed = venue.changedRail({ send: () => Promise.reject(why) });
    const told = async (kind: WaitReason, message: string) => {
      why = new PayoutWaitsError(kind, message);
      venue.clock.now += 30_000 + CLAIM_LIFE_MS;
      const before = venue.logged.length;
      // Any process, also one that has just started.
      await venue.wallet(venue.engine, changed).tick();
      const notices = await venue.wallet().notices.list();
      assertEquals(notices.map(({ kind, id }) => [kind, id]), [["payout_waits", 1]]);
      return [notices[0]?.reason, venue.logged.length - before];
    };
    assertEquals(await told("unreachable", "away"), ["away", 1]);
    assertEquals(await told("unreachable", "away"), ["away", 0]);
    assertEquals(await told("too_little", "send 1"), ["send 1", 1]);
    assertEquals(await told("unreachable", "away"), ["away", 0]);
    assertEquals(await told("too_little", "send 3"), ["send 3", 0]);
    assertEquals(await told("dear", "gas"), ["gas", 1]);
    venue.clock.now += 3_600_000;
    assertEquals(await told("dear", "gas"), ["gas", 0], "it has not changed");
    assertEquals(await told("too_little", "send 2"), ["send 2", 1]);
    venue.clock.now += 30_000 + CLAIM_LIFE_MS;
    await venue.wallet().tick();
    assertEquals((await venue.sent()).state, "confirming");
    assertEquals(await venue.wallet().notices.list(), [], "it has been sent");
    assertEquals(venue.faults, []);
  });

  it("waits while nobody can tell what has become of it, and is never parked for that", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    let isAway = true;
    const wait = () => Promise.reject(new PayoutWaitsError("unreachable", "The node is away"));
    const wallet = venue.wallet(
      venue.engine,
      venue.changedRail({
        send: (payout) => isAway ? venue.rail.send(payout).then(wait) : venue.rail.send(payout),
        find: (id) => isAway ? wait() : venue.rail.find(id),
      }),
    );
    for (let round = 0; round < 4; round++) {
      await wallet.tick();
      venue.clock.now += 30_000 + CLAIM_LIFE_MS;
    }
    assertEquals([(await venue.sent()).state, venue.logged], ["processing", ["payout_waits"]]);
    isAway = false;
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.rail.sent.length, 1);
  });

  it("is left to processes that can pay, which others never take it from", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const send = () => Promise.reject(new Error("It has nothing to sign with"));
    const watching = venue.wallet(venue.engine, venue.changedRail({ pays: () => false, send }));
    await watching.tick();
    assertEquals([(await venue.sent()).state, venue.logged], ["accepted", []]);
    // The one that pays has claimed it, and is gone.
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "claim", claims: 0 });
    venue.clock.now += CLAIM_LIFE_MS + 1;
    await watching.tick();
    assertEquals([(await venue.sent()).state, (await venue.sent()).claims], ["processing", 1]);
    await venue.mine(venue.wallet(), 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.rail.sent.length, 1);
  });

  it("waits while withdrawals are stopped, venue-wide or for its currency", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const wallet = venue.wallet();
    const stop = (withdrawals: boolean) =>
      venue.test.must({ kind: "set_switches", switches: { withdrawals } });
    const enable = (withdrawalEnabled: boolean) =>
      venue.test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled } });
    await stop(false);
    await venue.mine(wallet, 3);
    await stop(true);
    await enable(false);
    await venue.mine(wallet, 3);
    assertEquals([(await venue.sent()).state, venue.rail.sent.length], ["accepted", 0]);
    await enable(true);
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("waits while its member is frozen, and then for an operator", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const freeze = (state: "locked" | "active") =>
      venue.test.must({ kind: "change_member", uid: "alice", changes: { state } });
    await freeze("locked");
    await venue.mine(venue.wallet(), 3);
    assertEquals([(await venue.sent()).state, venue.rail.sent.length], ["accepted", 0]);
    await freeze("active");
    await venue.mine(venue.wallet(), 3);
    assertEquals([(await venue.sent()).state, venue.rail.sent.length], ["accepted", 0]);
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "approve" });
    await venue.mine(venue.wallet(), 3);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("that a process has claimed is parked once an operator has disabled its beneficiary", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    venue.onAddress = async () => {
      venue.onAddress = null;
      await venue.test.must({ kind: "disable_beneficiary", uid: "alice", id: 1 });
    };
    await venue.wallet().tick();
    assertEquals([(await venue.sent()).state, venue.rail.sent.length], ["errored", 0]);
    const [notice] = await venue.wallet().notices.list();
    assertEquals(notice?.reason, "the beneficiary is disabled");
  });

  it("of money that is on no chain is left to the operator", async () => {
    await using venue = await WalletVenue.open();
    const { test } = venue;
    const member = test.member("alice");
    const currency = { ...currencyDefinition("eur", 2), type: "fiat" } as const;
    await test.must({ kind: "create_currency", currency });
    const [eur, amount] = [currency.id, units("5")];
    await test.must({ kind: "adjust_balance", uid: "alice", currency: eur, amount });
    await test.must({ kind: "create_beneficiary", member, currency: eur, addressDigest: "bank" });
    await test.must({ kind: "try_pin", member, id: 2, pin: 1, isRight: true });
    const asked = { member, otp: { member, step: 2, generation: 1 }, beneficiary: 2 };
    await test.must({ kind: "request_withdraw", ...asked, currency: eur, amount });
    await test.must({ kind: "change_withdraw", id: 1, action: "approve" });
    await venue.mine(venue.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 2);
    const { state, claims } = await venue.sent();
    assertEquals([state, claims, venue.rail.sent], ["processing", 0, []]);
  });

  it("above its member's limits waits for the operator", async () => {
    await using venue = await WalletVenue.open();
    const row = { level: ANY_LEVEL, group: "any", limit24h: units("5"), limit1m: units("5") };
    await venue.test.must({ kind: "set_withdraw_limit", row });
    await venue.withdraw("10");
    const wallet = venue.wallet();
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "accepted");
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "approve" });
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("to another member's address is a deposit of that member, unless it fails", async () => {
    await using venue = await WalletVenue.open();
    const address = await venue.address("bob");
    await venue.rail.send({
      id: "withdraw-9",
      currency: "btc",
      address,
      tag: null,
      amount: units("4"),
    });
    await rule(venue, "fail", 1);
    await venue.rail.send({
      id: "withdraw-8",
      currency: "btc",
      address,
      tag: null,
      amount: units("2"),
    });
    await venue.mine(venue.wallet(), 3);
    assertEquals(await venue.balance("bob"), "4/0");
  });
});

describe("payouts of several processes", () => {
  it("are sent once each", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    for (let i = 0; i < 10; i++) await venue.withdraw("1");
    const wallets = [venue.wallet(), other.wallet()];
    for (let round = 0; round < 4; round++) {
      await Promise.all(wallets.map((wallet) => wallet.tick()));
      venue.clock.now += BLOCK_MS;
    }
    await Promise.all(wallets.map((wallet) => wallet.tick()));
    const sent = [...venue.rail.sent, ...other.rail.sent].sort();
    assertEquals(sent, Array.from({ length: 10 }, (_, i) => `withdraw-${i + 1}`).sort());
    assertEquals((await venue.payments()).length, 10);
    assertEquals(await venue.balance("alice"), "90/0");
    const told = [...venue.told, ...other.told].sort();
    assertEquals(told, Array.from({ length: 10 }, (_, i) => `${i + 1} succeed`).sort());
  });

  it("leave a young claim alone", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    await venue.withdraw("10");
    const { engine } = mortalEngine(venue.engine, { write: 1, when: "after", action: "claim" });
    await venue.wallet(engine).tick();
    assertEquals((await venue.sent()).state, "processing");
    venue.clock.now += CLAIM_LIFE_MS;
    await other.wallet().tick();
    assertEquals((await venue.sent()).claims, 1);
    venue.clock.now += 1;
    await other.wallet().tick();
    assertEquals([(await venue.sent()).state, (await venue.sent()).claims], ["confirming", 2]);
  });

  it("settle what a dead one has sent even while withdrawals are stopped", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const { engine } = mortalEngine(venue.engine, { write: 1, when: "before", action: "send" });
    await venue.wallet(engine).tick();
    await venue.test.must({ kind: "set_switches", switches: { withdrawals: false } });
    await venue.mine(venue.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 2);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.rail.resent, []);
  });

  it("send nothing on a claim that was taken over meanwhile", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    await venue.withdraw("10");
    const slow = venue.wallet(slowClaim(venue, () => other.wallet().tick()));
    await slow.tick();
    assertEquals([venue.rail.sent, other.rail.sent], [[], ["withdraw-1"]]);
    await venue.mine(other.wallet(), 3);
    assertEquals((await venue.sent()).state, "succeed");
  });

  it("are sent once whichever write a process dies at", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    let asked = 0;
    let isOver = false;
    for (let write = 1; !isOver; write++) {
      for (const when of ["before", "after"] as const) {
        const mortal = mortalEngine(venue.engine, { write, when });
        const rail = new WatchedRail(mortal.engine, BLOCK_MS);
        const id = await venue.withdraw("1");
        asked += 1;
        const dying = venue.wallet(mortal.engine, rail);
        for (let block = 0; block < 3; block++) {
          venue.clock.now += BLOCK_MS;
          await dying.tick().catch(() => {});
        }
        await venue.mine(other.wallet(), CLAIM_LIFE_MS / BLOCK_MS + 4);
        const what = `${when} write ${write}`;
        assertEquals((await venue.sent(id)).state, "succeed", what);
        assertEquals((await venue.payments()).length, asked, what);
        assertEquals([...rail.resent, ...other.rail.resent], [], what);
        isOver = !mortal.isDead();
      }
    }
    assertEquals(await venue.balance("alice"), `${100 - asked}/0`);
    assert(asked >= 8, `${asked}`);
  });
});

describe("a rail that does not answer", () => {
  it("is asked about a payout that it has sent silently", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const silent = venue.changedRail({
      async send(payout) {
        await venue.rail.send(payout);
        return await new Promise(() => {});
      },
    });
    await venue.mine(venue.wallet(venue.engine, silent), 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals([venue.rail.sent.length, venue.rail.resent], [1, []]);
  });

  it("leaves a payout to the operator", async () => {
    await using venue = await WalletVenue.open();
    await venue.withdraw("10");
    const down = () => Promise.reject(new Error("The rail is down"));
    const rail = venue.changedRail({ watch: down, look: down, send: down, find: down });
    await venue.wallet(venue.engine, rail).tick();
    assertEquals((await venue.sent()).state, "errored");
    assert(venue.faults.length > 0);
  });
});
