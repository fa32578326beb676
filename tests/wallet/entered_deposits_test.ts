import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../src/domain/command.ts";
import { ANY_OUTPUT } from "../../src/domain/money/deposit.ts";
import type { WatchedOutputs } from "../../src/wallet/rails/rail.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import { units } from "../support/domain_venue.ts";
import { BLOCK_MS, WalletVenue } from "../support/wallet_venue.ts";

/** Enters a deposit as an operator does. */
async function enter(
  venue: WalletVenue,
  given: { uid: string; amount: string; txid: string; output?: number; freedId?: number },
): Promise<string> {
  const { uid, amount, txid, output = ANY_OUTPUT, freedId = 0 } = given;
  const outcome = await venue.engine.submit({
    kind: "observe_deposit",
    uid,
    currency: "btc",
    amount: units(amount),
    txid,
    output,
    confirmations: 0,
    ...await venue.engine.findDeposit(0, txid, output),
    freedId,
  }, null);
  return isRejection(outcome) ? outcome.rejected : outcome.kind;
}

/** Reverses a deposit. */
async function reverse(venue: WalletVenue, id: number): Promise<void> {
  const reversed = { type: "deposit", record: await venue.deposit(id) } as const;
  const lookup = { knownId: 0, checkedAt: venue.test.venue.sequence };
  await venue.test.must({ kind: "reverse", reversed, ...lookup });
}

/** A rail on which every payment is the second output of its transaction. */
class SecondOutputRail extends SandboxRail {
  override async watch(...given: Parameters<SandboxRail["watch"]>): Promise<WatchedOutputs> {
    const { outputs, cursor } = await super.watch(...given);
    return { cursor, outputs: outputs.map((seen) => ({ ...seen, output: 1 })) };
  }
}

/** A rail whose transactions have two equal outputs, each of which it shows twice. */
class TwinOutputRail extends SandboxRail {
  override async watch(...given: Parameters<SandboxRail["watch"]>): Promise<WatchedOutputs> {
    const { outputs, cursor } = await super.watch(...given);
    const twins = outputs.map((seen) => ({ ...seen, output: 1 }));
    return { cursor, outputs: [...outputs, ...outputs, ...twins, ...twins] };
  }
}

describe("a deposit entered by the operator", () => {
  it("is not accepted if the chain shows another amount or member", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const txids = [await venue.pay("bob", "1"), await venue.pay("bob", "1")];
    await enter(venue, { uid: "bob", amount: "10", txid: txids[0] ?? "" });
    await enter(venue, { uid: "alice", amount: "1", txid: txids[1] ?? "", output: 0 });
    await venue.mine(wallet, 200);
    assertEquals([(await venue.deposit(1)).state, (await venue.deposit(2)).state], [
      "submitted",
      "submitted",
    ]);
    assertEquals([await venue.balance("alice"), await venue.balance("bob")], ["100/0", "0/0"]);
    const notices = await wallet.notices.list();
    const told = notices.map(({ kind, id, txid, reason }) => [kind, id, txid, reason]);
    assertEquals(told.sort(), [
      ["deposit_mismatched", 1, txids[0], "another_amount"],
      ["deposit_mismatched", 2, txids[1], "another_member"],
    ]);
    assertEquals(venue.faults, []);
  });

  it("is left to the operator if the chain shows another one", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    for (let i = 0; i < 2; i++) {
      await enter(venue, { uid: "alice", amount: "10", txid: await venue.pay("bob", "1") });
    }
    await wallet.tick();
    await venue.test.must({ kind: "change_deposit", id: 1, action: "accept" });
    await venue.test.must({ kind: "change_deposit", id: 2, action: "reject" });
    await wallet.tick();
    assertEquals((await venue.deposit(1)).state, "accepted", "no block holds it yet");
    await venue.mine(wallet, 5);
    assertEquals((await venue.deposit(1)).state, "collected");
    assertEquals((await venue.deposit(2)).state, "rejected");
    assertEquals([await venue.balance("alice"), await venue.balance("bob")], ["110/0", "0/0"]);
  });

  it("follows the chain if that shows the same, whichever output it is", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet(venue.engine, new SecondOutputRail(venue.engine, BLOCK_MS));
    const txid = await venue.pay("bob", "7");
    assertEquals(await enter(venue, { uid: "bob", amount: "7", txid }), "deposit_set");
    await venue.mine(wallet, 5);
    assertEquals((await venue.deposit()).state, "collected");
    assertEquals(venue.test.venue.counters.deposits, 1);
    assertEquals(await venue.balance("bob"), "7/0");
    assertEquals(await wallet.notices.list(), []);
  });

  it("may be without what is too small for its currency", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const entered = [["7", "7.0000000099999999"], ["7", "7.00000001"]] as const;
    for (const [amount, paid] of entered) {
      await enter(venue, { uid: "bob", amount, txid: await venue.pay("bob", paid), output: 0 });
    }
    await venue.mine(wallet, 5);
    const states = [(await venue.deposit(1)).state, (await venue.deposit(2)).state];
    assertEquals(states, ["collected", "submitted"]);
    const told = (await wallet.notices.list()).map(({ kind, id, reason }) => [kind, id, reason]);
    assertEquals(told, [["deposit_mismatched", 2, "another_amount"]]);
  });

  it("calls the operator once if another output pays as much", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet(venue.engine, new TwinOutputRail(venue.engine, BLOCK_MS));
    const txid = await venue.pay("bob", "7");
    await enter(venue, { uid: "bob", amount: "7", txid });
    await venue.mine(wallet, 5);
    assertEquals((await venue.deposit()).state, "collected");
    assertEquals(await venue.balance("bob"), "7/0");
    const told = (await wallet.notices.list()).map(({ kind, id, reason }) => [kind, id, reason]);
    assertEquals(told, [["deposit_mismatched", 1, "another_output"]]);
  });

  for (const ending of ["reversed", "turned down"] as const) {
    it(`anew, once it was ${ending}, is seen by the watch when its block comes back`, async () => {
      await using venue = await WalletVenue.open();
      const wallet = venue.wallet();
      const txid = await venue.pay("bob", "7");
      await enter(venue, { uid: "bob", amount: "7", txid });
      if (ending === "reversed") {
        await venue.mine(wallet, 3);
        await reverse(venue, 1);
      } else {
        await wallet.tick();
        await venue.test.must({ kind: "change_deposit", id: 1, action: "reject" });
        await wallet.tick();
      }
      assertEquals(await venue.rail.reorganise({ currency: "btc" }, 5, "replay"), [txid]);
      await wallet.tick();
      const { deposits } = venue.test.venue.counters;
      await enter(venue, { uid: "bob", amount: "7", txid, freedId: 1 });
      await venue.mine(wallet, 3);
      assertEquals((await venue.deposit(deposits + 1)).state, "collected");
      assertEquals(await venue.balance("bob"), "7/0");
      assertEquals([venue.logged, venue.faults], [[], []]);
    });
  }

  it("calls nobody if it was reversed before its transaction was gone", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    const wallets = [venue.wallet(), other.wallet()];
    await venue.pay("bob", "1");
    for (const wallet of wallets) await venue.mine(wallet, 3);
    await reverse(venue, 1);
    await venue.rail.reorganise({ currency: "btc" }, 100, "drop");
    await wallets[0]?.tick();
    await venue.engine.folded();
    venue.test.venue.depositNames.knownSince = venue.test.venue.sequence;
    await wallets[1]?.tick();
    assertEquals([...venue.logged, ...other.logged], []);
    assertEquals(await venue.wallet().notices.list(), []);
  });

  it("was reversed and its transaction is there again: the operator is called once", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const txid = await venue.pay("bob", "1");
    await venue.mine(wallet, 3);
    await reverse(venue, 1);
    const other = venue.wallet();
    for (const one of [other, wallet, other]) await one.tick();
    const told = (await wallet.notices.list()).map(({ kind, id, reason }) => [kind, id, reason]);
    assertEquals([told, venue.logged], [[["deposit_returned", 1, "reversed"]], [
      "deposit_returned",
    ]]);
    await enter(venue, { uid: "bob", amount: "1", txid, output: 0, freedId: 1 });
    await venue.mine(other, 3);
    assertEquals([await venue.balance("bob"), venue.faults], ["1/0", []]);
    assertEquals((await wallet.notices.list()).length, 1);
  });

  it("calls nobody if entered by output, or not at all", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet(venue.engine, new TwinOutputRail(venue.engine, BLOCK_MS));
    const txid = await venue.pay("bob", "7");
    await venue.pay("bob", "1");
    await enter(venue, { uid: "bob", amount: "7", txid, output: 0 });
    await enter(venue, { uid: "bob", amount: "7", txid, output: 1 });
    await venue.mine(wallet, 5);
    assertEquals(await venue.balance("bob"), "16/0");
    assertEquals(await wallet.notices.list(), []);
  });

  it("is refused once the chain has shown it, whichever output", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet(venue.engine, new SecondOutputRail(venue.engine, BLOCK_MS));
    const txid = await venue.pay("bob", "7");
    await venue.mine(wallet, 5);
    const again = { uid: "bob", amount: "7", txid };
    assertEquals(await enter(venue, again), "deposit_known");
    assertEquals(await enter(venue, { ...again, output: 1 }), "deposit_known");
    assertEquals(await venue.balance("bob"), "7/0");
  });

  it("is not collected while the chain can't be watched", async () => {
    await using venue = await WalletVenue.open();
    const rail = new SandboxRail(venue.engine, BLOCK_MS);
    const wallet = venue.wallet(venue.engine, rail);
    await enter(venue, { uid: "bob", amount: "1", txid: await venue.pay("bob", "1") });
    await venue.test.must({ kind: "change_deposit", id: 1, action: "accept" });
    rail.watch = () => Promise.reject(new Error("The rail is down"));
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "accepted");
    await venue.rail.reorganise({ currency: "btc" }, 5, "drop");
    await venue.wallet().tick();
    assertEquals((await venue.deposit()).state, "errored");
    assertEquals(await venue.balance("bob"), "0/0");
  });

  it("is looked up in turns when more than fifty wait", async () => {
    await using venue = await WalletVenue.open();
    const txids = Array.from({ length: 52 }, (_, i) => `tx-${i}`);
    for (const txid of txids) await enter(venue, { uid: "bob", amount: "1", txid, output: 0 });
    const rail = new SandboxRail(venue.engine, BLOCK_MS);
    let looked: string[] = [];
    rail.look = (_currency, txid) => {
      looked.push(txid);
      return Promise.resolve(null);
    };
    const wallet = venue.wallet(venue.engine, rail);
    for (const turn of [txids.slice(0, 50), txids.slice(50), txids.slice(0, 50)]) {
      looked = [];
      await wallet.tick();
      assertEquals(looked, turn);
    }
  });
});
