import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_ADDRESS, SandboxRail } from "../../../src/wallet/rails/sandbox_rail.ts";
import { units } from "../../support/domain_venue.ts";
import { BLOCK_MS, PAYEE, WalletVenue } from "../../support/wallet_venue.ts";

describe("SandboxRail", () => {
  it("pays a payout once, however often it is sent, and answers the same", async () => {
    await using venue = await WalletVenue.open();
    const payout = {
      id: "withdraw-1",
      currency: "btc",
      address: PAYEE,
      tag: null,
      amount: units("1"),
    };
    const rails = [venue.rail, new SandboxRail(venue.engine, BLOCK_MS)];
    const answers = await Promise.all([...rails, ...rails].map((rail) => rail.send(payout)));
    assertEquals(new Set(answers.map((one) => one.kind === "sent" && one.txid)).size, 1);
    assertEquals((await venue.payments()).length, 1);
  });

  it("never sends what it has refused", async () => {
    await using venue = await WalletVenue.open();
    const payout = {
      id: "withdraw-1",
      currency: "btc",
      address: PAYEE,
      tag: null,
      amount: units("1"),
    };
    await venue.rail.setRule("btc", ANY_ADDRESS, { outcome: "refuse", times: 1 });
    assertEquals((await venue.rail.send(payout)).kind, "refused");
    assertEquals((await venue.rail.send(payout)).kind, "refused");
    assertEquals((await venue.rail.send({ ...payout, id: "withdraw-2" })).kind, "sent");
    assertEquals(await venue.rail.find("withdraw-1"), { kind: "absent" });
  });

  it("applies a rule to so many payouts", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.setRule("btc", ANY_ADDRESS, { outcome: "refuse", times: 2 });
    const kinds: string[] = [];
    for (let i = 1; i <= 4; i++) {
      const payout = {
        id: `withdraw-${i}`,
        currency: "btc",
        address: PAYEE,
        tag: null,
        amount: units("1"),
      };
      kinds.push((await venue.rail.send(payout)).kind);
    }
    assertEquals(kinds, ["refused", "refused", "sent", "sent"]);
  });

  it("applies a rule for one address to no other", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.setRule("btc", PAYEE, { outcome: "refuse", times: 0 });
    const payout = {
      id: "withdraw-1",
      currency: "btc",
      address: "btc1qelse",
      tag: null,
      amount: units("1"),
    };
    assertEquals((await venue.rail.send(payout)).kind, "sent");
    const other = { ...payout, id: "withdraw-2", address: PAYEE };
    assertEquals((await venue.rail.send(other)).kind, "refused");
  });

  it("gives each member the same address every time, and no two alike", async () => {
    await using venue = await WalletVenue.open();
    const of = async (currency: string, uid: string) =>
      (await venue.rail.createAddress({ currency }, uid)).address;
    assertEquals(await of("btc", "alice"), await of("btc", "alice"));
    assertEquals(
      new Set([await of("btc", "alice"), await of("btc", "bob"), await of("eth", "bob")]).size,
      3,
    );
    assert(/^btc1q[a-z0-9]{32}$/.test(await of("btc", "alice")));
  });

  it("resumes after what is final, and shows again what is not", async () => {
    await using venue = await WalletVenue.open();
    await venue.rail.deposit({ currency: "btc" }, PAYEE, 1n);
    const young = await venue.rail.watch({ currency: "btc" }, null);
    assertEquals([young.outputs.length, young.cursor], [1, null]);
    venue.clock.now += 500 * BLOCK_MS;
    const old = await venue.rail.watch({ currency: "btc" }, null);
    assertEquals(old.outputs.length, 1);
    assertEquals((await venue.rail.watch({ currency: "btc" }, old.cursor)).outputs, []);
    assertEquals(await venue.rail.reorganise({ currency: "btc" }, 1000, "drop"), []);
    const txid = await venue.rail.deposit({ currency: "btc" }, PAYEE, 2n);
    const next = await venue.rail.watch({ currency: "btc" }, old.cursor);
    assertEquals(next.outputs.map((output) => output.txid), [txid]);
  });

  it("shows more transactions than one reading holds", async () => {
    await using venue = await WalletVenue.open();
    for (let i = 0; i < 250; i++) await venue.rail.deposit({ currency: "btc" }, PAYEE, BigInt(i));
    assertEquals((await venue.payments()).length, 250);
    assertEquals((await venue.rail.reorganise({ currency: "btc" }, 1, "drop")).length, 250);
    assertEquals((await venue.payments()).length, 0);
  });
});
