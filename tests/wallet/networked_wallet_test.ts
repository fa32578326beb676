/** A wallet of a coin that lives on two networks. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import type { Beneficiary } from "../../src/domain/people/beneficiary.ts";
import { present } from "../../src/domain/assert.ts";
import { ownersOn } from "../../src/wallet/deposit_addresses.ts";
import { networkNamed } from "../../src/wallet/networks.ts";
import { NetworkRails } from "../../src/wallet/network_rails.ts";
import type { NetworkRail } from "../../src/wallet/rails/network_rail.ts";
import type { FindOutcome, Payout, SeenOutput } from "../../src/wallet/rails/rail.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { currencyDefinition, units } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { runAudit } from "../../src/engine/start/audit.ts";

const SECOND = { currency: "usdt", network: "sepolia" };
const FIRST = { currency: "usdt" };

/** A network in memory, with an output for each payment and one block for each sight of it. */
class FakeNetwork implements NetworkRail {
  readonly canPay = true;
  readonly outputs: SeenOutput[] = [];
  readonly sent: Payout[] = [];
  readonly cursors: (string | null)[] = [];
  blocks = 0;
  failure: string | null = null;

  constructor(readonly network: string) {}

  canonicalAddress(address: string): string {
    return address;
  }

  goBack(): Promise<null> {
    return Promise.resolve(null);
  }

  rests(): Promise<bigint> {
    return Promise.resolve(0n);
  }

  health() {
    return { height: null, fault: null };
  }

  balances() {
    return Promise.resolve({ height: this.blocks, hot: 0n, deposits: 0n, cold: null });
  }

  feeOf() {
    return Promise.resolve(0n);
  }

  createAddress(_: string, uid: string) {
    return Promise.resolve({ address: `of ${uid}` });
  }

  pay(address: string, txid: string): void {
    const seen = { address, txid, output: 0, amount: units("5"), confirmations: 0 };
    this.outputs.push({ ...seen, isDropped: false });
  }

  watch(_: string, since: string | null) {
    this.cursors.push(since);
    const outputs = this.outputs.map((one) => ({ ...one, confirmations: this.blocks }));
    return Promise.resolve({ outputs, cursor: `${this.network} ${this.blocks}` });
  }

  look(_: string, txid: string): Promise<SeenOutput | null> {
    const found = this.outputs.find((one) => one.txid === txid);
    return Promise.resolve(found === undefined ? null : { ...found, confirmations: this.blocks });
  }

  send(payout: Payout) {
    this.sent.push(payout);
    return Promise.resolve({ kind: "sent", txid: `paid on ${this.network}` } as const);
  }

  find(id: string): Promise<FindOutcome> {
    const isSent = this.sent.some((payout) => payout.id === id);
    return Promise.resolve(
      isSent
        ? {
          kind: "sent",
          txid: `paid on ${this.network}`,
          confirmations: this.blocks,
          isFailed: false,
          ...this.failure === null ? {} : { isFailed: true, failure: this.failure },
        }
        : { kind: "absent" },
    );
  }
}

interface TwoNetworks {
  readonly test: EngineVenue;
  readonly anvil: FakeNetwork;
  readonly sepolia: FakeNetwork;
  readonly wallet: Wallet;
}

/** Runs a test on a venue whose dollars live on anvil, and on sepolia by terms of their own. */
async function withNetworks(
  run: (parts: TwoNetworks) => Promise<void>,
  nodes: readonly string[] = ["anvil", "sepolia"],
): Promise<void> {
  await using file = await VenueFile.create();
  const test = await EngineVenue.open({ path: file.path });
  const networks = [{ name: "anvil", digits: 6 }, {
    name: "sepolia",
    digits: 6,
    minConfirmations: 3,
    withdrawFee: units("1"),
  }];
  const currency = { ...currencyDefinition("usdt", 6), networks };
  await test.must({ kind: "create_currency", currency });
  const member = await test.addMember("alice", { usdt: "100" });
  await test.addMember("bob");
  const steps: Command[] = [
    { kind: "set_settings", changes: { walletRail: "networks" } },
    { kind: "set_two_factor", member, step: 1, generation: 0, isOn: true },
    { kind: "create_beneficiary", member, currency: "usdt", addressDigest: "a" },
    { kind: "create_beneficiary", member, ...SECOND, addressDigest: "a" },
    { kind: "try_pin", member, id: 1, pin: 1, isRight: true },
    { kind: "try_pin", member, id: 2, pin: 1, isRight: true },
  ];
  for (const step of steps) await test.must(step);
  const [anvil, sepolia] = [new FakeNetwork("anvil"), new FakeNetwork("sepolia")];
  const rails = [anvil, sepolia].filter(({ network }) => nodes.includes(network));
  const faults: unknown[] = [];
  const wallet = new Wallet({
    engine: test.engine,
    rail: new NetworkRails(test.engine, rails),
    payeeOf: ({ id }: Beneficiary) => Promise.resolve({ address: `payee ${id}`, tag: null }),
    memberNotices: { ended: () => Promise.resolve() },
    log: { warn: (_, { error }) => faults.push(error), error: () => {} },
  });
  await run({ test, anvil, sepolia, wallet });
  assertEquals(faults, []);
  test.venue.checkInvariants();
  await test.close();
  assertEquals((await runAudit(file.path)).differences, []);
}

async function withdraw(
  { test, wallet }: TwoNetworks,
  beneficiary: number,
  amount: string,
): Promise<number> {
  const member = test.member("alice");
  const { otpStep } = test.venue.holder(member).member;
  const way = beneficiary === 1 ? FIRST : SECOND;
  const receipt = await test.must({
    kind: "request_withdraw",
    member,
    otp: { member, step: otpStep + 1, generation: 1 },
    beneficiary,
    currency: "usdt",
    amount: units(amount),
    ...wallet.isPaidByHand(way) ? { isByHand: true } : {},
  });
  if (receipt.kind !== "withdraw_set") throw new Error(`It answered ${receipt.kind}`);
  return receipt.withdraw.id;
}

describe("a coin on two networks", () => {
  it("is received by each, a replayed transaction twice", () =>
    withNetworks(async ({ test, anvil, sepolia, wallet }) => {
      const one = await wallet.addressOf("bob", FIRST);
      const other = await wallet.addressOf("bob", SECOND);
      assertEquals([one?.address, other?.address], ["of bob", "of bob"]);
      const rows = [["usdt", "bob"], ["usdt", "bob", "sepolia"]].map((key) =>
        test.engine.readSidecar(["deposit_addresses", ...key])
      );
      assertEquals(await Promise.all(rows), [one, other]);
      for (const network of [anvil, sepolia]) {
        network.pay("of bob", "replayed");
        network.blocks = 1;
      }
      await wallet.tick();
      const states = async () =>
        (await test.engine.allDeposits({}, { offset: 0, limit: 9, direction: "asc" })).items
          .map(({ network, txid, state }) => [network, txid, state]);
      assertEquals(await states(), [
        [undefined, "replayed", "collected"],
        ["sepolia", "replayed", "submitted"],
      ]);
      sepolia.blocks = 3;
      await wallet.tick();
      assertEquals((await states())[1], ["sepolia", "replayed", "collected"]);
      await wallet.tick();
      assertEquals((await states()).length, 2);
      assertEquals(test.venue.holder(test.member("bob")).accounts[0]?.available, units("10"));
      assertEquals(anvil.cursors, [null, "anvil 1", "anvil 1"]);
      assertEquals(sepolia.cursors, [null, "sepolia 1", "sepolia 3"]);
    }));

  it("is its member's as soon as one of those has given it that share their addresses", () =>
    withNetworks(async ({ test, anvil, sepolia, wallet }) => {
      await wallet.addressOf("bob", FIRST);
      sepolia.pay("of bob", "early");
      await wallet.tick();
      assertEquals((await wallet.receive(SECOND, "early"))?.network, "sepolia");
      const owners = async (name: string) => {
        const network = present(networkNamed(name), "there is a network");
        return await ownersOn(network, test.engine, ["of alice", "of bob"]);
      };
      assertEquals(await owners("anvil-second"), [null, "bob"]);
      assertEquals(await owners("litecoin"), [null, null]);
      // As an older version of the program has noted it.
      const key = ["deposit_address_owners", "network:anvil", "of alice"];
      await test.engine.createSidecar({ key, value: "alice" });
      assertEquals(await owners("anvil"), ["alice", "bob"]);
      anvil.pay("of alice", "old");
      await wallet.tick();
      const { member } = present(await wallet.receive(FIRST, "old"), "it is known");
      assertEquals(member, test.member("alice"));
    }));

  it("is paid over the network of its beneficiary", () =>
    withNetworks(async (parts) => {
      const { test, anvil, sepolia, wallet } = parts;
      const ids = [await withdraw(parts, 1, "10"), await withdraw(parts, 2, "10")];
      await wallet.tick();
      const paid = [anvil, sepolia].map(({ sent }) =>
        sent.map(({ address, amount }) => [address, amount])
      );
      assertEquals(paid, [[["payee 1", units("10")]], [["payee 2", units("9")]]]);
      [anvil.blocks, sepolia.blocks] = [2, 2];
      await wallet.tick();
      const states = () =>
        Promise.all(ids.map(async (id) => (await test.engine.withdraw(id))?.state));
      assertEquals(await states(), ["succeed", "confirming"]);
      sepolia.blocks = 3;
      await wallet.tick();
      assertEquals(await states(), ["succeed", "succeed"]);
    }));

  it("comes back to the operator where its payment has failed on the chain", () =>
    withNetworks(async (parts) => {
      const { test, sepolia, wallet } = parts;
      const id = await withdraw(parts, 2, "10");
      await wallet.tick();
      sepolia.failure = "it was mined without effect";
      await wallet.tick();
      const { state, txid: paid } = present(test.venue.withdraws.get(id), "it is open");
      assertEquals([state, paid], ["errored", "paid on sepolia"]);
      await wallet.tick();
      assertEquals(sepolia.sent.length, 1);
      const [notice] = await wallet.notices.list();
      const { kind, txid, reason } = present(notice, "the operator is told");
      assertEquals([kind, txid, reason], ["payout_parked", "paid on sepolia", sepolia.failure]);
      const { available } = present(test.venue.holder(test.member("alice")).accounts[0], "hers");
      assertEquals(available, units("90"));
      await test.must({ kind: "change_withdraw", id, action: "fail" });
    }));

  it("is paid by hand where no rail leads", () =>
    withNetworks(async (parts) => {
      const { test, anvil, sepolia, wallet } = parts;
      assertEquals([FIRST, SECOND].map((way) => wallet.isPaidByHand(way)), [false, true]);
      assertEquals([FIRST, SECOND].map((way) => wallet.serves(way)), [true, false]);
      assertEquals(await wallet.addressOf("bob", SECOND), null);
      const ids = [await withdraw(parts, 1, "10"), await withdraw(parts, 2, "10")];
      await wallet.tick();
      assertEquals([anvil.sent.length, sepolia.sent.length], [1, 0]);
      const byHand = ids.map((id) => test.venue.withdraws.get(id)?.isByHand);
      assertEquals(byHand, [false, true]);
    }, ["anvil"]));

  it("never goes out with a tag, which no network carries", () =>
    withNetworks(async ({ test, anvil }) => {
      const rails = new NetworkRails(test.engine, [anvil]);
      const payout = { id: "withdraw-9", ...FIRST, address: "x", amount: units("1") };
      assertEquals((await rails.send({ ...payout, tag: "7" })).kind, "refused");
      assertEquals(anvil.sent, []);
      assertEquals((await rails.send({ ...payout, tag: null })).kind, "sent");
    }));

  it("waits where its withdrawals are stopped", () =>
    withNetworks(async (parts) => {
      const { test, anvil, sepolia, wallet } = parts;
      const ids = [await withdraw(parts, 1, "10"), await withdraw(parts, 2, "10")];
      const stop = (withdrawalEnabled: boolean) =>
        test.must({
          kind: "change_network",
          id: "usdt",
          network: "sepolia",
          changes: { withdrawalEnabled },
        });
      await stop(false);
      await wallet.tick();
      assertEquals([anvil.sent.length, sepolia.sent.length], [1, 0]);
      assertEquals(test.venue.withdraws.get(ids[1] ?? 0)?.state, "accepted");
      await stop(true);
      await wallet.tick();
      assertEquals(sepolia.sent.length, 1);
    }));
});
