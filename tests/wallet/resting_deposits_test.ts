import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SeenOutput } from "../../src/wallet/rails/rail.ts";
import type { Wallet } from "../../src/wallet/wallet.ts";
import { units } from "../support/domain_venue.ts";
import { WalletVenue } from "../support/wallet_venue.ts";

/** A confirmed output below the minimum, which the watch has shown and is final by now. */
class SmallDeposit {
  looks = 0;
  seen: SeenOutput;
  #isShown = true;

  constructor(address: string, txid = "aa") {
    const amount = units("0.5");
    this.seen = { address, txid, output: 0, amount, confirmations: 2, isDropped: false };
  }

  /** Opens a venue with one. */
  static async open(venue: WalletVenue): Promise<SmallDeposit> {
    const changes = { minDepositAmount: units("1") };
    await venue.test.must({ kind: "change_currency", id: "btc", changes });
    return new SmallDeposit(await venue.address("bob"));
  }

  wallet(venue: WalletVenue): Wallet {
    const rail = venue.changedRail({
      watch: () => Promise.resolve({ outputs: this.#isShown ? [this.seen] : [], cursor: null }),
      look: () => {
        this.looks += 1;
        return Promise.resolve(this.seen);
      },
    });
    return venue.wallet(venue.engine, rail);
  }

  /** Returns how often it is looked up in some rounds, from the first of which it is final. */
  async looksOf(wallet: Wallet, rounds: number): Promise<number> {
    this.#isShown = false;
    const before = this.looks;
    for (let i = 0; i < rounds; i++) await wallet.tick();
    return this.looks - before;
  }
}

describe("a deposit that is confirmed and left to the operator", () => {
  it("is looked up once, and then once in a minute", async () => {
    await using venue = await WalletVenue.open();
    const small = await SmallDeposit.open(venue);
    const wallet = small.wallet(venue);
    await wallet.tick();
    assertEquals(small.looks, 0, "the watch has shown it");
    assertEquals(await small.looksOf(wallet, 20), 1);
    venue.clock.now += 60_000;
    assertEquals(await small.looksOf(wallet, 20), 1);
    assertEquals((await venue.deposit()).state, "submitted");
    small.seen = { ...small.seen, confirmations: 0, isDropped: true };
    venue.clock.now += 60_000;
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "canceled");
    assertEquals([venue.faults, venue.logged], [[], []]);
  });

  it("is looked up in every round while it lacks confirmations", async () => {
    await using venue = await WalletVenue.open();
    const small = await SmallDeposit.open(venue);
    small.seen = { ...small.seen, confirmations: 1 };
    const wallet = small.wallet(venue);
    await wallet.tick();
    assertEquals(await small.looksOf(wallet, 5), 5);
  });

  const terms = {
    "its minimum is lowered": { minDepositAmount: units("0.5") },
    "fewer confirmations are asked for, and its minimum is lowered": {
      minConfirmations: 1,
      minDepositAmount: 0n,
    },
  };
  for (const [when, changes] of Object.entries(terms)) {
    it(`goes on once ${when}, in whichever process`, async () => {
      await using venue = await WalletVenue.open();
      await using other = await venue.join();
      const small = await SmallDeposit.open(venue);
      const wallets = [small.wallet(venue), small.wallet(other)];
      for (const wallet of wallets) await wallet.tick();
      for (const wallet of wallets) assertEquals(await small.looksOf(wallet, 3), 1);
      // Its price is none of its terms.
      const price = units("7");
      await venue.test.must({ kind: "change_currency", id: "btc", changes: { price } });
      for (const wallet of wallets) assertEquals(await small.looksOf(wallet, 3), 0);
      await venue.test.must({ kind: "change_currency", id: "btc", changes });
      await wallets[1]?.tick();
      assertEquals((await venue.deposit()).state, "collected");
      assertEquals(await venue.balance("bob"), "0.5/0");
    });
  }

  it("goes on once the operator accepts it, or deposits are enabled", async () => {
    await using venue = await WalletVenue.open();
    const small = await SmallDeposit.open(venue);
    const wallet = small.wallet(venue);
    await wallet.tick();
    assertEquals(await small.looksOf(wallet, 3), 1);
    await venue.test.must({ kind: "change_deposit", id: 1, action: "accept" });
    await wallet.tick();
    assertEquals((await venue.deposit()).state, "collected");
    const enable = async (depositEnabled: boolean) => {
      const changes = { depositEnabled, minDepositAmount: 0n };
      await venue.test.must({ kind: "change_currency", id: "btc", changes });
    };
    await enable(false);
    const late = new SmallDeposit(small.seen.address, "bb");
    const next = late.wallet(venue);
    await next.tick();
    assertEquals(await late.looksOf(next, 3), 1);
    await enable(true);
    await next.tick();
    assertEquals((await venue.deposit(2)).state, "collected");
    assertEquals(await venue.balance("bob"), "1/0");
  });
});
