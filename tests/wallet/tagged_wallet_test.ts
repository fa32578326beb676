/** A wallet of a coin whose members share an address, by tags. */
import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { TagKind } from "../../src/domain/money/tag.ts";
import { DepositAddresses } from "../../src/wallet/deposit_addresses.ts";
import { RailAnswerError } from "../../src/wallet/rails/rail_answers.ts";
import type { Wallet } from "../../src/wallet/wallet.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";
import { PAYEE, WalletVenue } from "../support/wallet_venue.ts";

const XRP = { currency: "xrp" };
/** How long a test waits for an address, in ms: a busy machine is slow. */
const WAIT_MS = 10_000;

interface Tagged {
  readonly venue: WalletVenue;
  readonly wallet: Wallet;
}

/** Runs a test on a venue whose xrp, its second currency, has tags. */
async function withTags(
  run: (parts: Tagged) => Promise<void>,
  kind: TagKind = "number",
): Promise<void> {
  await using venue = await WalletVenue.open();
  const tag = { name: "destination_tag", kind } as const;
  const currency = { ...currencyDefinition("xrp", 6), tag };
  await venue.test.must({ kind: "create_currency", currency });
  await run({ venue, wallet: venue.wallet() });
  assertEquals(venue.faults, []);
}

async function addressOf(
  wallet: Wallet,
  uid: string,
): Promise<{ readonly address: string; readonly tag: string }> {
  const found = await wallet.addressOf(uid, XRP, WAIT_MS);
  assertEquals(found?.state, "active");
  return { address: found?.address ?? "", tag: found?.tag ?? "" };
}

function coins({ test }: WalletVenue, uid: string): bigint {
  return test.venue.holder(test.member(uid)).accounts[1]?.available ?? 0n;
}

async function notices(wallet: Wallet): Promise<unknown[]> {
  return (await wallet.notices.list()).map(({ kind, txid, reason }) => [kind, txid, reason]);
}

describe("a coin with tags", () => {
  for (const kind of ["number", "text"] as const) {
    it(`has one address for all members and a ${kind} for each`, () =>
      withTags(async ({ venue, wallet }) => {
        const [alice, bob] = [await addressOf(wallet, "alice"), await addressOf(wallet, "bob")];
        assertEquals(alice.address, bob.address);
        assertNotEquals(alice.tag, bob.tag);
        assertMatch(alice.tag, /^\d+$/);
        assertEquals(await addressOf(wallet, "bob"), bob);
        const shown = `${bob.address} destination_tag=${bob.tag}`;
        assertEquals(await wallet.givenAddress("bob", XRP), shown);
        const other = await wallet.addressOf("bob", { currency: "btc" }, WAIT_MS);
        assertEquals(other?.tag, undefined);
        assertEquals(await wallet.givenAddress("bob", { currency: "btc" }), other?.address);
        const { address, tag } = bob;
        const txid = await venue.rail.deposit(XRP, address, units("5"), ` ${tag} `);
        await venue.mine(wallet, 3);
        assertEquals([coins(venue, "alice"), coins(venue, "bob")], [0n, units("5")]);
        assertEquals((await venue.deposit()).txid, txid);
        assertEquals(await notices(wallet), []);
      }, kind));
  }

  it("is nobody's without a tag or with an unknown one, and the operator is told once", () =>
    withTags(async ({ venue, wallet }) => {
      const { rail } = venue;
      const { address, tag } = await addressOf(wallet, "bob");
      const pay = (...to: string[]) => rail.deposit(XRP, address, units("5"), ...to);
      const txids = [await pay(), await pay("1"), await pay("not a number")];
      await rail.deposit(XRP, "elsewhere", units("1"));
      await wallet.tick();
      assertEquals(await notices(wallet), [], "no block holds them");
      await venue.mine(wallet, 3);
      const told = [
        ["deposit_untagged", txids[0], "no_tag"],
        ["deposit_untagged", txids[1], "unknown_tag"],
        ["deposit_untagged", txids[2], "unknown_tag"],
      ];
      assertEquals((await notices(wallet)).toSorted(), told.toSorted());
      assertEquals(venue.logged, told.map(([kind]) => kind));
      assertEquals(venue.test.venue.counters.deposits, 0);

      // The operator enters what bob has sent without his tag, and accepts it.
      const outcome = await venue.test.must({
        kind: "observe_deposit",
        uid: "bob",
        currency: "xrp",
        amount: units("5"),
        txid: txids[0] ?? "",
        output: 0,
        confirmations: 0,
        ...await venue.engine.findDeposit(1, txids[0] ?? "", 0),
      });
      assertEquals(outcome.kind, "deposit_set");
      await venue.mine(wallet, 2);
      assertEquals((await venue.deposit()).state, "submitted", "the chain says otherwise");
      await venue.test.must({ kind: "change_deposit", id: 1, action: "accept", confirmations: 1 });
      await venue.mine(wallet, 2);
      assertEquals(coins(venue, "bob"), units("5"));
      await pay(tag);
      await venue.mine(wallet, 2);
      assertEquals(coins(venue, "bob"), units("10"));
    }));

  it("whose transaction is gone is no news", () =>
    withTags(async ({ venue, wallet }) => {
      const { address } = await addressOf(wallet, "bob");
      await venue.rail.deposit(XRP, address, units("5"));
      await venue.rail.reorganise({ currency: "xrp" }, 1, "drop");
      await venue.mine(wallet, 3);
      assertEquals(await notices(wallet), []);
    }));

  it("is one more tag's as soon as its member has it", () =>
    withTags(async ({ venue, wallet }) => {
      const made = await venue.rail.createAddress(XRP, "bob");
      await addressOf(wallet, "alice");
      await venue.rail.deposit(XRP, made.address, units("5"), made.tag);
      await venue.mine(wallet, 2);
      assertEquals(coins(venue, "bob"), 0n);
      assertEquals(await addressOf(wallet, "bob"), { address: made.address, tag: made.tag ?? "" });
      await venue.mine(wallet, 2);
      assertEquals(coins(venue, "bob"), units("5"));
      await assertRejects(() => venue.rail.createAddress(XRP, "nobody"), Error, "Nobody");
    }));

  it("gets no address whose tag is none of its kind", () =>
    withTags(async ({ venue }) => {
      for (const tag of [undefined, "", "seven"]) {
        const faults: unknown[] = [];
        const made = { address: "shared", ...tag === undefined ? {} : { tag } };
        const rail = { createAddress: () => Promise.resolve(made) };
        const addresses = new DepositAddresses(venue.engine, rail, (fault) => faults.push(fault));
        assertEquals((await addresses.addressOf("bob", XRP, WAIT_MS)).address, null);
        assertEquals(faults.map((fault) => fault instanceof RailAnswerError), [true]);
        assertEquals(await addresses.isShared(XRP, "shared"), false);
      }
      const rail = { createAddress: () => Promise.resolve({ address: "shared", tag: "007" }) };
      const addresses = new DepositAddresses(venue.engine, rail, () => {});
      assertEquals((await addresses.addressOf("bob", XRP, WAIT_MS)).tag, "7");
      assertEquals(await addresses.uidOf(XRP, "shared", "07"), "bob");
      assertEquals(await addresses.uidOf(XRP, "shared"), null);
      assertEquals(await addresses.uidOf(XRP, "shared", "8"), null);
      assertEquals(await addresses.isShared(XRP, "shared"), true);
    }));

  it("is paid with the tag, by one payout", () =>
    withTags(async ({ venue, wallet }) => {
      venue.payeeTag = "7";
      await venue.withdraw("1");
      await venue.mine(wallet, 3);
      assertEquals((await venue.payments()).map(({ address, tag }) => [address, tag]), [
        [PAYEE, "7"],
      ]);
      const payout = {
        id: venue.rail.sent[0] ?? "",
        currency: "btc",
        address: PAYEE,
        tag: "7",
        amount: units("1"),
      };
      assertEquals((await venue.rail.send(payout)).kind, "sent");
      await assertRejects(() => venue.rail.send({ ...payout, tag: "8" }), Error, "one tag");
      await assertRejects(() => venue.rail.send({ ...payout, tag: null }), Error, "one tag");
      assertEquals((await venue.payments()).length, 1);
    }));
});
