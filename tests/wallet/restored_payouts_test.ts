/** What becomes of withdrawals after a restore. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { WithdrawAction } from "../../src/domain/money/withdraw.ts";
import { runRestore } from "../../src/server/restore.ts";
import type { Rail } from "../../src/wallet/rails/rail.ts";
import { BLOCK_MS, WalletVenue } from "../support/wallet_venue.ts";

const WHY = "it may have been paid after the copy from which the venue was restored";
/** Longer than a claim lives. */
const CLAIM_MS = 6_000;

/** A venue that is restored, as one that goes on from a copy of now. */
class RestoredVenue {
  readonly #opened: WalletVenue[] = [];

  private constructor(public venue: WalletVenue) {
    this.#opened.push(venue);
  }

  static async open(): Promise<RestoredVenue> {
    return new RestoredVenue(await WalletVenue.open());
  }

  /** Restores it, and opens it again with withdrawals on or off. */
  async restore({ withdrawals = true } = {}): Promise<WalletVenue> {
    const { file, clock, test } = this.venue;
    await test.close();
    clock.now += 1;
    const { isBegun } = await runRestore(file.path, () => clock.now);
    assertEquals(isBegun, true);
    this.venue = await this.venue.join();
    this.#opened.push(this.venue);
    clock.now += 1;
    if (withdrawals) await this.set({ withdrawals: true });
    return this.venue;
  }

  async set(switches: { withdrawals: boolean }): Promise<void> {
    await this.venue.test.must({ kind: "set_switches", switches });
  }

  async act(id: number, action: WithdrawAction): Promise<void> {
    await this.venue.test.must({ kind: "change_withdraw", id, action });
  }

  /** Runs rounds of a wallet whose chain is outside of the store. */
  async rounds(count: number = 1, rail: Rail = this.forgetting()): Promise<void> {
    const wallet = this.venue.wallet(this.venue.engine, rail);
    for (let round = 1; round <= count; round++) {
      await wallet.tick();
      this.venue.clock.now += BLOCK_MS;
    }
  }

  /** The sandbox, as if its chain were not in the store. */
  forgetting(changes: Partial<Rail> = {}): Rail {
    const { rail } = this.venue;
    return Object.assign(Object.create(rail), {
      isOutside: true,
      watch: rail.watch.bind(rail),
      look: rail.look.bind(rail),
      send: rail.send.bind(rail),
      find: rail.find.bind(rail),
      createAddress: rail.createAddress.bind(rail),
      ...changes,
    });
  }

  async state(id: number = 1): Promise<string> {
    return (await this.venue.sent(id)).state;
  }

  async parked(): Promise<(string | number)[][]> {
    const notices = await this.venue.wallet().notices.list();
    return notices.filter(({ kind }) => kind === "payout_parked")
      .map(({ id, reason }) => [id, reason]).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const venue of this.#opened.reverse()) await venue[Symbol.asyncDispose]();
  }
}

describe("a withdrawal that was there at a restore", () => {
  it("is parked and not sent, whether it was taken on or not, before withdrawals are open", async () => {
    await using restored = await RestoredVenue.open();
    const { venue } = restored;
    await venue.withdraw("1");
    const taken = await venue.withdraw("2");
    await venue.test.must({ kind: "change_withdraw", id: taken, action: "claim", claims: 0 });
    const { rail } = await restored.restore({ withdrawals: false });
    restored.venue.clock.now += CLAIM_MS;
    await restored.rounds(3);
    assertEquals([await restored.state(1), await restored.state(2)], ["errored", "errored"]);
    assertEquals(await restored.parked(), [[1, WHY], [2, WHY]]);
    await restored.set({ withdrawals: true });
    await restored.rounds(3);
    assertEquals(rail.sent, []);
  });

  it("goes out once when an operator has it paid again", async () => {
    await using restored = await RestoredVenue.open();
    await restored.venue.withdraw("1");
    const venue = await restored.restore();
    await restored.rounds(2);
    await restored.act(1, "retry");
    venue.clock.now += CLAIM_MS;
    await restored.rounds(6);
    assertEquals([await restored.state(), venue.rail.sent], ["succeed", ["withdraw-1"]]);
    assertEquals((await venue.payments()).length, 1);
    assertEquals(await venue.balance("alice"), "99/0");
  });

  it("is decided on anew after each restore", async () => {
    await using restored = await RestoredVenue.open();
    await restored.venue.withdraw("1");
    await restored.restore();
    await restored.venue.withdraw("2");
    await restored.rounds();
    await restored.act(1, "retry");
    const venue = await restored.restore();
    venue.clock.now += CLAIM_MS;
    await restored.rounds(2);
    // The second was requested after the first restore, and sent; the rail still knows of it.
    assertEquals([await restored.state(1), await restored.state(2)], ["errored", "succeed"]);
    assertEquals(venue.rail.sent, []);
    assertEquals(await restored.parked(), [[1, WHY]]);
  });

  it("is the first one's payout where the rail knows of it", async () => {
    await using restored = await RestoredVenue.open();
    const { venue } = restored;
    await venue.withdraw("1");
    // Sent, and not in the log.
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "claim", claims: 0 });
    const payout = {
      id: "withdraw-1",
      currency: "btc",
      address: "x",
      tag: null,
      amount: 10n ** 16n,
    };
    await venue.rail.send(payout);
    const next = await restored.restore({ withdrawals: false });
    next.clock.now += CLAIM_MS;
    await restored.rounds(4);
    assertEquals([await restored.state(), next.rail.sent], ["succeed", []]);
  });

  it("waits where the rail can't tell, and is not parked", async () => {
    await using restored = await RestoredVenue.open();
    await restored.venue.withdraw("1");
    const venue = await restored.restore();
    const find = () => Promise.reject(new Error("no answer"));
    await restored.rounds(2, restored.forgetting({ find }));
    assertEquals([await restored.state(), venue.rail.sent], ["accepted", []]);
  });

  it("waits for its approval first, and then for the operator again", async () => {
    await using restored = await RestoredVenue.open();
    const limits = { withdrawLimit24h: 0n, withdrawLimit72h: 0n };
    await restored.venue.test.must({ kind: "change_currency", id: "btc", changes: limits });
    await restored.venue.withdraw("1");
    const venue = await restored.restore();
    await restored.rounds(2);
    assertEquals(await restored.state(), "accepted");
    await restored.act(1, "approve");
    await restored.rounds(2);
    assertEquals([await restored.state(), venue.rail.sent], ["errored", []]);
  });

  it("is sent where the chain is in the store, and is as old as the copy", async () => {
    await using restored = await RestoredVenue.open();
    await restored.venue.withdraw("1");
    const venue = await restored.restore();
    await venue.wallet().tick();
    assertEquals([await restored.state(), venue.rail.sent], ["confirming", ["withdraw-1"]]);
  });
});

describe("a withdrawal that was requested after a restore", () => {
  it("is sent as ever", async () => {
    await using restored = await RestoredVenue.open();
    const venue = await restored.restore();
    const id = await venue.withdraw("1");
    const { createdAt } = await venue.sent(id);
    await restored.rounds();
    assertEquals([await restored.state(id), venue.rail.sent], [
      "confirming",
      [`withdraw-1-${createdAt}`],
    ]);
  });
});
