import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { FindOutcome, SeenOutput, SendOutcome } from "../../../src/wallet/rails/rail.ts";
import { RailAnswerError } from "../../../src/wallet/rails/rail_answers.ts";
import type { Wallet } from "../../../src/wallet/wallet.ts";
import { units } from "../../support/domain_venue.ts";
import { WalletVenue } from "../../support/wallet_venue.ts";

/** A rail's answers on deposits and payouts. */
interface Answers {
  readonly seen?: readonly SeenOutput[];
  readonly sent?: SendOutcome;
  readonly found?: FindOutcome;
}

/** Creates a wallet whose rail gives these answers. */
function answered(venue: WalletVenue, answers: () => Answers): Wallet {
  const rail = venue.changedRail({
    watch: () => Promise.resolve({ outputs: answers().seen ?? [], cursor: "end" }),
    look: () => Promise.resolve(answers().seen?.[0] ?? null),
    send: () => Promise.resolve(answers().sent ?? { kind: "sent", txid: "tx" }),
    find: () => Promise.resolve(answers().found ?? { kind: "absent" }),
  });
  return venue.wallet(venue.engine, rail);
}

function isAnswerError(fault: unknown): boolean {
  return fault instanceof RailAnswerError;
}

describe("an impossible output", () => {
  const wrong: readonly [string, Partial<SeenOutput>][] = [
    ["confirmations below zero", { confirmations: -1 }],
    ["a part of a confirmation", { confirmations: 0.5 }],
    ["confirmations that are no number", { confirmations: NaN }],
    ["an output below zero", { output: -1 }],
    ["the output that stands for all", { output: 0xffff_ffff }],
    ["no transaction", { txid: "" }],
    ["a transaction without an end", { txid: "a".repeat(257) }],
    ["a transaction that no bytes can hold", { txid: "a\ud800" }],
    ["an amount below zero", { amount: -units("1") }],
    ["more than any balance holds", { amount: 10n ** 36n }],
    ["a number that is no bigint", { amount: 1.5 as unknown as bigint }],
    ["a number that is none", { amount: NaN as unknown as bigint }],
    ["an amount that is missing", { amount: undefined as unknown as bigint }],
  ];
  for (const [name, part] of wrong) {
    it(`with ${name} changes nothing until it is corrected`, async () => {
      await using venue = await WalletVenue.open();
      const bob = { address: await venue.address("bob"), output: 0, isDropped: false };
      const right = { ...bob, txid: "right", amount: units("1"), confirmations: 2 };
      const other = { ...right, txid: "other", amount: units("2") };
      let seen = [{ ...right, ...part }, other];
      const wallet = answered(venue, () => ({ seen }));
      await venue.mine(wallet, 2);
      assertEquals(await venue.balance("bob"), "2/0", "the other one is not held up");
      assertEquals(venue.faults.filter((fault) => !isAnswerError(fault)), []);
      assertEquals(venue.faults.length > 0, true);

      seen = [right, other];
      await venue.mine(wallet, 2);
      await venue.test.folded();
      assertEquals(await venue.balance("bob"), "3/0");
      assertEquals(venue.test.faults, []);
    });
  }

  it("holds up a known deposit, whose confirmations stay", async () => {
    await using venue = await WalletVenue.open();
    const bob = { address: await venue.address("bob"), output: 0, isDropped: false };
    let seen = { ...bob, txid: "tx", amount: units("1"), confirmations: 1 };
    const wallet = answered(venue, () => ({ seen: [seen] }));
    await venue.mine(wallet, 1);
    seen = { ...seen, confirmations: -1 };
    await venue.mine(wallet, 2);
    await venue.test.folded();
    const { state, confirmations } = await venue.deposit();
    assertEquals([state, confirmations], ["submitted", 1]);
    assertEquals(venue.test.faults, []);
  });
});

describe("an impossible answer about a payout", () => {
  for (const confirmations of [-1, 0.5, NaN]) {
    it(`with ${confirmations} confirmations leaves it as it is`, async () => {
      await using venue = await WalletVenue.open();
      const found = { kind: "sent", txid: "tx", isFailed: false } as const;
      let count = confirmations;
      const answers = () => ({ found: { ...found, confirmations: count } });
      const wallet = answered(venue, answers);
      await venue.withdraw("1");
      await venue.mine(wallet, 3);
      await venue.test.folded();
      const { state, confirmations: counted } = await venue.sent();
      assertEquals([state, counted], ["confirming", 0]);
      assertEquals(venue.test.faults, []);
      assertEquals(venue.faults.every(isAnswerError), true);
      count = 2;
      await venue.mine(wallet, 1);
      assertEquals((await venue.sent()).state, "succeed");
    });
  }

  for (const txid of ["", "a".repeat(257)]) {
    it(`with a transaction of ${txid.length} characters calls the operator`, async () => {
      await using venue = await WalletVenue.open();
      const answers = (): Answers => ({
        sent: { kind: "sent", txid },
        found: { kind: "sent", txid, confirmations: 0, isFailed: false },
      });
      const wallet = answered(venue, answers);
      await venue.withdraw("1");
      await venue.mine(wallet, 3);
      assertEquals((await venue.sent()).state, "errored");
      assertEquals(venue.logged, ["payout_parked"]);
      assertEquals(await venue.balance("alice"), "99/1");
    });
  }
});

describe("an unknown outcome of a payout", () => {
  for (const kind of ["pending", undefined]) {
    it(`such as ${kind} is no refusal: the payout is looked up`, async () => {
      await using venue = await WalletVenue.open();
      const answers = (): Answers => ({
        sent: { kind } as unknown as SendOutcome,
        found: { kind: "sent", txid: "tx", confirmations: 0, isFailed: false },
      });
      const wallet = answered(venue, answers);
      await venue.withdraw("1");
      await venue.mine(wallet, 1);
      assertEquals((await venue.sent()).state, "confirming");
      assertEquals(await venue.balance("alice"), "99/1");
      assertEquals(venue.faults.map(isAnswerError), [true]);
    });
  }

  it("calls the operator if nothing else is known of it", async () => {
    await using venue = await WalletVenue.open();
    const found = { kind: "queued", txid: "tx", confirmations: 9 } as unknown as FindOutcome;
    const sent = { kind: "queued" } as unknown as SendOutcome;
    const wallet = answered(venue, () => ({ sent, found }));
    await venue.withdraw("1");
    await venue.mine(wallet, 1);
    assertEquals((await venue.sent()).state, "errored");
    assertEquals(venue.logged, ["payout_parked"]);
    assertEquals(await venue.balance("alice"), "99/1");
  });
});

describe("a payout whose transaction is replaced", () => {
  it("is known by the one that arrives", async () => {
    await using venue = await WalletVenue.open();
    let [txid, confirmations] = ["first", 0];
    const answers = () => ({
      found: { kind: "sent", txid, confirmations, isFailed: false } as const,
    });
    const wallet = answered(venue, answers);
    const known = async () => {
      await venue.mine(wallet, 1);
      const { state, txid } = await venue.sent();
      return [state, txid];
    };
    await venue.withdraw("1");
    assertEquals(await known(), ["confirming", "first"]);
    txid = "second";
    assertEquals(await known(), ["confirming", "second"]);
    [txid, confirmations] = ["third", 2];
    assertEquals(await known(), ["succeed", "third"]);
    assertEquals(await venue.balance("alice"), "99/0");
  });
});
