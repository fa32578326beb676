import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Engine, UnavailableError } from "../../src/engine/engine.ts";
import type { Rail, SeenOutput } from "../../src/wallet/rails/rail.ts";
import { SandboxRail } from "../../src/wallet/rails/sandbox_rail.ts";
import type { Wallet } from "../../src/wallet/wallet.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { units } from "../support/domain_venue.ts";
import { BLOCK_MS, mortalEngine, WalletVenue } from "../support/wallet_venue.ts";

/** Creates a wallet whose rail shows the given outputs. */
function showing(venue: WalletVenue, told: { seen: SeenOutput[] }): Wallet {
  return venue.wallet(venue.engine, showingRail(venue, told));
}

function showingRail(venue: WalletVenue, told: { seen: SeenOutput[] }): Rail {
  return venue.changedRail({
    watch: () => Promise.resolve({ outputs: told.seen, cursor: null }),
    look: (_currency, txid) => Promise.resolve(told.seen.find((one) => one.txid === txid) ?? null),
  });
}

describe("a deposit", () => {
  it("is submitted, confirmed, accepted and collected", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const txid = await venue.pay("bob", "1.5");
    await wallet.tick();
    const seen = await venue.deposit();
    assertEquals([seen.state, seen.confirmations, seen.txid], ["submitted", 0, txid]);
    assertEquals(await venue.balance("bob"), "0/0");
    await venue.mine(wallet, 1);
    assertEquals((await venue.deposit()).confirmations, 1);
    await venue.mine(wallet, 1);
    const collected = await venue.deposit();
    assertEquals([collected.state, collected.confirmations], ["collected", 2]);
    assertEquals(await venue.balance("bob"), "1.5/0");
    await venue.mine(wallet, 200);
    assertEquals(venue.test.venue.counters.deposits, 1);
    assertEquals(await venue.balance("bob"), "1.5/0");
    assertEquals(venue.faults, []);
  });

  it("is collected without a block if the currency asks for no confirmation", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({ kind: "change_currency", id: "btc", changes: { minConfirmations: 0 } });
    await venue.pay("bob", "1");
    await venue.wallet().tick();
    assertEquals((await venue.deposit()).state, "collected");
  });

  it("waits for the operator below the minimum, and stops counting confirmations", async () => {
    await using venue = await WalletVenue.open();
    const changes = { minDepositAmount: units("1") };
    await venue.test.must({ kind: "change_currency", id: "btc", changes });
    await venue.pay("bob", "0.5");
    const wallet = venue.wallet();
    await venue.mine(wallet, 5);
    const waiting = await venue.deposit();
    assertEquals([waiting.state, waiting.confirmations], ["submitted", 2]);
    const { sequence } = venue.test.venue;
    await venue.mine(wallet, 200);
    assertEquals(venue.test.venue.sequence, sequence);
    await venue.test.must({ kind: "change_deposit", id: 1, action: "accept" });
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "collected");
    assertEquals(await venue.balance("bob"), "0.5/0");
  });

  it("goes on when deposits are enabled again, even if it is final by then", async () => {
    await using venue = await WalletVenue.open();
    const enable = (depositEnabled: boolean) =>
      venue.test.must({ kind: "change_currency", id: "btc", changes: { depositEnabled } });
    await enable(false);
    await venue.pay("bob", "2");
    const wallet = venue.wallet();
    await venue.mine(wallet, 150);
    assertEquals((await venue.deposit()).state, "submitted");
    await enable(true);
    await wallet.tick();
    assertEquals(await venue.balance("bob"), "2/0");
  });

  it("starts counting again if its block is thrown out before it is accepted", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const txid = await venue.pay("bob", "1");
    await venue.mine(wallet, 1);
    assertEquals((await venue.deposit()).confirmations, 1);
    assertEquals(await venue.rail.reorganise({ currency: "btc" }, 3, "replay"), [txid]);
    await wallet.tick();
    const again = await venue.deposit();
    assertEquals([again.state, again.confirmations], ["submitted", 0]);
    await venue.mine(wallet, 2);
    assertEquals((await venue.deposit()).state, "collected");
    assertEquals(await venue.balance("bob"), "1/0");
  });

  it("is canceled when its transaction is gone before it is accepted", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    await venue.pay("bob", "1");
    await venue.mine(wallet, 1);
    await venue.rail.reorganise({ currency: "btc" }, 3, "drop");
    await venue.mine(wallet, 5);
    assertEquals((await venue.deposit()).state, "canceled");
    assertEquals(await venue.balance("bob"), "0/0");
    assertEquals(venue.logged, []);
  });

  it("is taken back when its transaction is gone after it was accepted", async () => {
    await using venue = await WalletVenue.open();
    await venue.pay("bob", "1");
    await venue.mine(venue.wallet(), 1);
    venue.clock.now += BLOCK_MS;
    const { engine } = mortalEngine(venue.engine, { write: 1, when: "after", action: "accept" });
    await venue.wallet(engine).tick();
    assertEquals((await venue.deposit()).state, "accepted");
    assertEquals(await venue.balance("bob"), "0/1");
    await venue.rail.reorganise({ currency: "btc" }, 5, "drop");
    await venue.mine(venue.wallet(), 5);
    assertEquals((await venue.deposit()).state, "errored");
    assertEquals(await venue.balance("bob"), "0/0");
  });

  it("stays locked once accepted while its block is thrown out, until it returns", async () => {
    await using venue = await WalletVenue.open();
    await venue.pay("bob", "1");
    await venue.mine(venue.wallet(), 1);
    venue.clock.now += BLOCK_MS;
    const { engine } = mortalEngine(venue.engine, { write: 1, when: "after", action: "accept" });
    await venue.wallet(engine).tick();
    await venue.rail.reorganise({ currency: "btc" }, 5, "replay");
    await venue.mine(venue.wallet(), 1);
    assertEquals(await venue.balance("bob"), "0/1");
    await venue.mine(venue.wallet(), 1);
    assertEquals(await venue.balance("bob"), "1/0");
  });

  it("lost after being collected stays, and the operator is called once", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    const wallets = [venue.wallet(), other.wallet()];
    await venue.pay("bob", "1");
    for (const wallet of wallets) await venue.mine(wallet, 3);
    await venue.rail.reorganise({ currency: "btc" }, 100, "drop");
    for (const wallet of wallets) await venue.mine(wallet, 3);
    assertEquals((await venue.deposit()).state, "collected");
    assertEquals(await venue.balance("bob"), "1/0");
    assertEquals([...venue.logged, ...other.logged], ["deposit_lost"]);
    const [notice] = await venue.wallet().notices.list();
    assertEquals([notice?.kind, notice?.id, notice?.currency], ["deposit_lost", 1, "btc"]);
  });

  it("is not made of a transaction first seen when it is gone", async () => {
    await using venue = await WalletVenue.open();
    const address = await venue.address("bob");
    const output = { address, txid: "aa", output: 0, amount: units("1"), confirmations: 0 };
    const told = { seen: [{ ...output, isDropped: true }] };
    const wallet = showing(venue, told);
    await wallet.tick();
    assertEquals(venue.test.venue.counters.deposits, 0);
    told.seen = [{ ...output, confirmations: 2, isDropped: false }];
    await wallet.tick();
    assertEquals(await venue.balance("bob"), "1/0");
    assertEquals([venue.logged, venue.faults], [[], []]);
  });

  it("that was given up and comes back is not credited: the operator is called", async () => {
    await using venue = await WalletVenue.open();
    const address = await venue.address("bob");
    const output = { address, txid: "aa", output: 3, amount: units("1"), confirmations: 1 };
    const told = { seen: [{ ...output, isDropped: false }] };
    const wallet = showing(venue, told);
    await wallet.tick();
    told.seen = [{ ...output, isDropped: true }];
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "canceled");
    // It may still never be in a block, or another may take its place.
    for (
      const doubt of [{ confirmations: 0 }, { confirmations: 1, isReplaceable: true } as const]
    ) {
      told.seen = [{ ...output, ...doubt, isDropped: false }];
      await wallet.tick();
      assertEquals(venue.logged, []);
    }
    told.seen = [{ ...output, confirmations: 9, isDropped: false }];
    await wallet.tick();
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "canceled");
    assertEquals(await venue.balance("bob"), "0/0");
    assertEquals(venue.logged, ["deposit_returned"]);
  });

  it("is known by output, not by transaction", async () => {
    await using venue = await WalletVenue.open();
    const address = await venue.address("bob");
    const seen = [0, 1].map((output) => ({
      address,
      txid: "bb",
      output,
      amount: units("1"),
      confirmations: 2,
      isDropped: false,
    }));
    const wallet = showing(venue, { seen });
    await wallet.tick();
    await wallet.tick();
    assertEquals(await venue.balance("bob"), "2/0");
    assertEquals(venue.test.venue.counters.deposits, 2);
  });

  it("too fine for its currency is refused, calling the operator once", async () => {
    await using venue = await WalletVenue.open();
    const wallet = venue.wallet();
    const txid = await venue.rail.deposit({ currency: "btc" }, await venue.address("bob"), 1n);
    await venue.mine(wallet, 3);
    assertEquals(venue.test.venue.counters.deposits, 0);
    const notices = await wallet.notices.list();
    assertEquals(notices.map(({ kind, txid, reason }) => [kind, txid, reason]), [
      ["deposit_refused", txid, "deposit_amount_invalid"],
    ]);
  });

  it("not above its fee is refused once by the same terms, and told of once", async () => {
    await using venue = await WalletVenue.open();
    const address = await venue.address("bob");
    const terms = (changes: { depositFee?: bigint; price?: bigint }) =>
      venue.test.must({ kind: "change_currency", id: "btc", changes });
    await terms({ depositFee: units("1") });
    const output = { address, txid: "tx", amount: units("1"), confirmations: 2, isDropped: false };
    const told = { seen: Array.from({ length: 20 }, (_, i) => ({ ...output, output: i })) };
    let observed = 0;
    const engine = changedEngine(venue.engine, {
      submit: (...given: Parameters<Engine["submit"]>) => {
        observed += given[0].kind === "observe_deposit" ? 1 : 0;
        return venue.engine.submit(...given);
      },
    });
    const wallet = venue.wallet(engine, showingRail(venue, told));
    for (let i = 0; i < 3; i++) await wallet.tick();
    assertEquals([observed, venue.logged], [20, ["deposit_refused"]]);
    assertEquals((await wallet.notices.list()).length, 1);
    await terms({ price: units("3") });
    await wallet.tick();
    assertEquals(observed, 20);
    await terms({ depositFee: units("2") });
    for (let i = 0; i < 3; i++) await wallet.tick();
    assertEquals([observed, venue.logged.length], [40, 1]);
    await terms({ depositFee: 0n });
    await wallet.tick();
    assertEquals([observed, await venue.balance("bob")], [60, "20/0"]);
    assertEquals(venue.faults, []);
  });

  it("refused as too small may be entered by the operator", async () => {
    await using venue = await WalletVenue.open();
    const changes = { depositFee: units("1") };
    await venue.test.must({ kind: "change_currency", id: "btc", changes });
    const address = await venue.address("bob");
    const output = { address, txid: "tx", output: 0, amount: units("1"), confirmations: 2 };
    const wallet = showing(venue, { seen: [{ ...output, isDropped: false }] });
    await wallet.tick();
    await venue.test.must({
      kind: "observe_deposit",
      uid: "bob",
      currency: "btc",
      amount: units("2"),
      txid: "tx",
      output: 0,
      confirmations: 0,
      knownId: 0,
      checkedAt: venue.test.venue.sequence,
    });
    await wallet.tick();
    assertEquals(venue.logged, ["deposit_refused", "deposit_mismatched"]);
  });

  it("to an unknown address changes nothing", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.deposit({ currency: "btc" }, "btc1qnobody", units("1"));
    const { sequence } = venue.test.venue;
    await venue.mine(venue.wallet(), 3);
    assertEquals(venue.test.venue.sequence, sequence);
    assertEquals(venue.faults, []);
  });

  it("entered only by the operator is collected once accepted", async () => {
    await using venue = await WalletVenue.open();
    await venue.test.must({
      kind: "observe_deposit",
      uid: "bob",
      currency: "btc",
      amount: units("3"),
      txid: "",
      output: 0,
      confirmations: 0,
      knownId: 0,
      checkedAt: 0,
    });
    const wallet = venue.wallet(venue.engine, null);
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "submitted");
    await venue.test.must({ kind: "change_deposit", id: 1, action: "accept" });
    await wallet.tick();
    assertEquals(await venue.balance("bob"), "3/0");
  });
});

describe("deposits watched by several processes", () => {
  it("are credited once each", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    for (let i = 0; i < 12; i++) await venue.pay(i % 2 === 0 ? "alice" : "bob", "1");
    const wallets = [venue.wallet(), other.wallet()];
    for (let round = 0; round < 4; round++) {
      await Promise.all(wallets.map((wallet) => wallet.tick()));
      venue.clock.now += BLOCK_MS;
    }
    await Promise.all(wallets.map((wallet) => wallet.tick()));
    await venue.engine.fresh();
    assertEquals(venue.test.venue.counters.deposits, 12);
    assertEquals([await venue.balance("alice"), await venue.balance("bob")], ["106/0", "6/0"]);
    assertEquals([...venue.faults, ...other.faults], []);
  });

  it("are credited once when the chain is read again from the beginning", async () => {
    await using venue = await WalletVenue.open();
    await venue.pay("bob", "1");
    await venue.mine(venue.wallet(), 200);
    const key = ["wallet_cursors", "sandbox", "btc"];
    assert(await venue.engine.readSidecar(key) !== null);
    await venue.engine.writeSidecar({ key, value: null });
    await venue.mine(venue.wallet(), 3);
    assertEquals(venue.test.venue.counters.deposits, 1);
    assertEquals(await venue.balance("bob"), "1/0");
  });

  it("are not skipped when they can't be recorded at first", async () => {
    await using venue = await WalletVenue.open();
    await venue.pay("bob", "1");
    venue.clock.now += 500 * BLOCK_MS;
    const submit = () => Promise.reject(new UnavailableError("Not now"));
    const refusing = changedEngine(venue.engine, { submit });
    await venue.wallet(refusing).tick();
    assertEquals(venue.test.venue.counters.deposits, 0);
    await venue.wallet().tick();
    assertEquals(await venue.balance("bob"), "1/0");
  });

  it("are not skipped because a later one could be recorded", async () => {
    await using venue = await WalletVenue.open();
    await venue.pay("bob", "1");
    await venue.pay("bob", "2");
    venue.clock.now += 500 * BLOCK_MS;
    let calls = 0;
    const submit: Engine["submit"] = (...given) => {
      calls += 1;
      if (calls === 1) return Promise.reject(new UnavailableError("Not now"));
      return venue.engine.submit(...given);
    };
    await venue.wallet(changedEngine(venue.engine, { submit })).tick();
    assertEquals(venue.test.venue.counters.deposits, 1);
    await venue.wallet().tick();
    assertEquals(await venue.balance("bob"), "3/0");
  });

  it("wait while the rows are behind, for the next try or the next tick", async () => {
    await using venue = await WalletVenue.open();
    let behind = 0;
    const findDeposit: Engine["findDeposit"] = async (...given) => {
      const lookup = await venue.engine.findDeposit(...given);
      return behind > 0 ? { knownId: 0, checkedAt: -1 } : lookup;
    };
    const folded = () => {
      behind -= 1;
      return venue.engine.folded();
    };
    const wallet = venue.wallet(changedEngine(venue.engine, { findDeposit, folded }));
    behind = 2;
    await venue.pay("bob", "1");
    await wallet.tick();
    assertEquals([venue.test.venue.counters.deposits, venue.faults], [1, []]);
    behind = 3;
    const txid = await venue.pay("bob", "2");
    await wallet.tick();
    assertEquals([venue.test.venue.counters.deposits, venue.faults.length], [1, 1]);
    assertMatch(`${venue.faults[0]}`, new RegExp(`${txid} will be tried again`));
    await venue.mine(wallet, 3);
    assertEquals(await venue.balance("bob"), "3/0");
    assertEquals(await wallet.notices.list(), []);
  });

  it("are credited once whichever write a process dies at", async () => {
    await using venue = await WalletVenue.open();
    await using other = await venue.join();
    let credited = 0;
    let isOver = false;
    for (let write = 1; !isOver; write++) {
      for (const when of ["before", "after"] as const) {
        const mortal = mortalEngine(venue.engine, { write, when });
        await venue.pay("bob", "1");
        credited += 1;
        const rail = new SandboxRail(mortal.engine, BLOCK_MS);
        const dying = venue.wallet(mortal.engine, rail);
        for (let block = 0; block < 3; block++) {
          venue.clock.now += BLOCK_MS;
          await dying.tick().catch(() => {});
        }
        await venue.mine(other.wallet(), 3);
        assertEquals(await venue.balance("bob"), `${credited}/0`, `${when} write ${write}`);
        isOver = !mortal.isDead();
      }
    }
    assert(credited >= 8, `${credited}`);
  });
});
