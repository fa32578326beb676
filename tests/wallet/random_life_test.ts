import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import { ANY_ADDRESS, PAYOUT_OUTCOMES } from "../../src/wallet/rails/sandbox_rail.ts";
import type { Wallet } from "../../src/wallet/wallet.ts";
import { Prng } from "../support/prng.ts";
import { units } from "../support/domain_venue.ts";
import { BLOCK_MS, mortalEngine, WalletVenue, WatchedRail } from "../support/wallet_venue.ts";

const ROUNDS = 80;
const WITHDRAWALS_MAX = 40;

/** The wallets of two processes, which occasionally die and are replaced. */
class Mortals {
  readonly rails: WatchedRail[] = [];
  readonly wallets: Wallet[] = [];

  constructor(readonly venues: readonly WalletVenue[], readonly prng: Prng) {
    venues.forEach((_, i) => this.revive(i));
  }

  revive(i: number): void {
    const venue = present(this.venues[i], `venue ${i}`);
    const when = this.prng.pick(["before", "after"] as const);
    const { engine } = mortalEngine(venue.engine, { write: this.prng.between(1, 60), when });
    const rail = new WatchedRail(engine, BLOCK_MS);
    this.rails.push(rail);
    this.wallets[i] = venue.wallet(engine, rail);
  }

  async tick(): Promise<void> {
    const ticks = this.wallets.map((wallet) => wallet.tick());
    const ends = await Promise.allSettled(ticks);
    ends.forEach(({ status }, i) => {
      if (status === "rejected" || this.prng.chance(0.2)) this.revive(i);
    });
  }
}

/** Makes a random change to the chain or the venue. */
async function disturb(venue: WalletVenue, prng: Prng): Promise<void> {
  const outcome = prng.pick(PAYOUT_OUTCOMES);
  const how = prng.pick(["drop", "replay"] as const);
  switch (prng.below(5)) {
    case 0:
      return await venue.rail.setRule("btc", ANY_ADDRESS, { outcome, times: prng.below(3) });
    case 1:
      return void await venue.rail.reorganise({ currency: "btc" }, prng.between(1, 3), how);
    case 2:
      return void await venue.pay(prng.pick(["alice", "bob"]), `0.${prng.between(1, 9)}`);
    case 3:
      if (venue.test.venue.counters.withdraws >= WITHDRAWALS_MAX) return;
      return void await venue.withdraw("1");
    case 4:
      return await retry(venue);
  }
}

/** Retries all parked withdrawals as an operator does. */
async function retry(venue: WalletVenue): Promise<void> {
  await venue.engine.fresh();
  for (const { id, state } of [...venue.test.venue.withdraws.values()]) {
    if (state !== "errored") continue;
    await venue.engine.submit({ kind: "change_withdraw", id, action: "retry" }, null);
  }
}

/** Asserts that every payout and deposit happened as recorded. */
async function check(venue: WalletVenue, hint: string): Promise<void> {
  const { counters } = venue.test.venue;
  let paid = 0;
  for (let id = 1; id <= counters.withdraws; id++) {
    const { state } = await venue.sent(id);
    assert(state === "succeed" || state === "failed", `${hint}: withdrawal ${id} is ${state}`);
    if (state === "succeed") paid += 1;
    const found = await venue.rail.find(`withdraw-${id}`);
    const isThere = found.kind === "sent" && !found.isFailed;
    // If one is dropped after it arrived, the operator bears the loss, and nothing is paid again.
    if (state === "failed") assertEquals(isThere, false, `${hint}: withdrawal ${id}`);
  }
  let credited = 0n;
  for (let id = 1; id <= counters.deposits; id++) {
    const { state, amount } = await venue.deposit(id);
    assert(["collected", "canceled", "errored"].includes(state), `${hint}: deposit ${id} ${state}`);
    if (state === "collected") credited += amount;
  }
  const held = ["alice", "bob"].map((uid) =>
    venue.test.venue.holder(venue.test.member(uid)).accounts[0]?.available ?? 0n
  );
  const expected = units("100") + credited - BigInt(paid) * units("1");
  assertEquals(held.reduce((sum, one) => sum + one), expected, hint);
}

describe("wallets that live and die at random", () => {
  for (let seed = 1; seed <= 4; seed++) {
    it(`pay and credit everything once (seed ${seed})`, async () => {
      await using venue = await WalletVenue.open();
      await using other = await venue.join();
      const prng = new Prng(seed);
      const mortals = new Mortals([venue, other], prng);
      for (let round = 0; round < ROUNDS; round++) {
        await disturb(venue, prng);
        await mortals.tick();
        venue.clock.now += prng.below(2 * BLOCK_MS);
      }
      await venue.rail.setRule("btc", ANY_ADDRESS, { outcome: "confirm", times: 0 });
      const last = other.wallet();
      for (let i = 0; i < 3; i++) {
        await retry(venue);
        await venue.mine(last, 10);
      }
      assertEquals(mortals.rails.flatMap(({ resent }) => resent), []);
      assert(venue.test.venue.counters.withdraws > 3 && venue.test.venue.counters.deposits > 3);
      await check(venue, `seed ${seed}`);
    });
  }
});
