/** A wallet of a coin that lives on two networks. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import type { Beneficiary } from "../../src/domain/people/beneficiary.ts";
import { present } from "../../src/domain/assert.ts";
import { CLAIM_LIFE_MS } from "../../src/domain/limits.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { ownersOn } from "../../src/wallet/deposit_addresses.ts";
import { networkNamed } from "../../src/wallet/networks.ts";
import { NetworkRails } from "../../src/wallet/network_rails.ts";
import type { NetworkRail, SettledOutput } from "../../src/wallet/rails/network_rail.ts";
import type { FindOutcome, Payout, SeenOutput } from "../../src/wallet/rails/rail.ts";
import { waitingFor } from "../../src/wallet/waiting_withdraws.ts";
import { Wallet } from "../../src/wallet/wallet.ts";
import { currencyDefinition, START, units } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { eventually } from "../support/eventually.ts";
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

  get ownAddress(): string {
    return `own on ${this.network}`;
  }

  readonly coldAddress = null;
  /** What has become of outputs, by their place in the list. */
  readonly became: SeenOutput[] = [];
  readonly forgotten: string[] = [];

  async *settled(): AsyncGenerator<SettledOutput> {
    for (const seen of this.became) {
      const forget = () => Promise.resolve(void this.forgotten.push(seen.txid));
      yield await Promise.resolve({ currency: "usdt", seen, forget });
    }
  }

  isOwn(address: string): boolean {
    return address === `own on ${this.network}`;
  }

  goBack(): Promise<null> {
    return Promise.resolve(null);
  }

  resumableHeight(): Promise<null> {
    return Promise.resolve(null);
  }

  heightOf(): number {
    return 0;
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
  readonly path: string;
  readonly clock: { now: number };
  readonly test: EngineVenue;
  readonly anvil: FakeNetwork;
  readonly sepolia: FakeNetwork;
  readonly wallet: Wallet;
}

/** Returns the wallet of a process that has these nodes. */
function walletOf(
  engine: Engine,
  rails: readonly FakeNetwork[],
  onFault: (error: unknown) => void = (error) => assertEquals(error, null),
): Wallet {
  return new Wallet({
    engine,
    rail: new NetworkRails(engine, rails),
    payeeOf: ({ id }: Beneficiary) => Promise.resolve({ address: `payee ${id}`, tag: null }),
    memberNotices: { ended: () => Promise.resolve() },
    log: { info: () => {}, warn: (_, { error }) => onFault(error), error: () => {} },
  });
}

/** Runs a test on a venue whose dollars live on anvil, and on sepolia by terms of their own. */
async function withNetworks(
  run: (parts: TwoNetworks) => Promise<void>,
  nodes: readonly string[] = ["anvil", "sepolia"],
  isShared: boolean = false,
): Promise<void> {
  await using file = await VenueFile.create();
  const clock = { now: START };
  const test = await EngineVenue.open({ path: file.path, clock, isShared });
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
  const wallet = walletOf(test.engine, rails);
  await run({ path: file.path, clock, test, anvil, sepolia, wallet });
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
      const one = await wallet.addressOf("bob", FIRST, 60_000);
      const other = await wallet.addressOf("bob", SECOND, 60_000);
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
      await wallet.addressOf("bob", FIRST, 60_000);
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

  it("waits at a process without a node of its network, and is paid by one that has it", () =>
    withNetworks(
      async (parts) => {
        const { test, anvil, sepolia, wallet, path, clock } = parts;
        assertEquals([FIRST, SECOND].map((way) => wallet.isPaidByHand(way)), [false, false]);
        assertEquals([FIRST, SECOND].map((way) => wallet.serves(way)), [true, false]);
        const ids = [await withdraw(parts, 1, "10"), await withdraw(parts, 2, "10")];
        await using other = await EngineVenue.open({ path, clock, isShared: true });
        const second = walletOf(other.engine, [sepolia]);
        for (let round = 1; round <= 2; round++) await wallet.tick();
        const states = async () => {
          await test.engine.fresh();
          return ids.map((id) => {
            const found = present(test.venue.withdraws.get(id), "it is open");
            return `${found.state} ${found.isByHand} ${waitingFor(test.venue, found)}`;
          });
        };
        const [sent, waits] = ["confirming false rail", "accepted false rail"];
        assertEquals(await states(), [sent, waits]);
        await second.tick();
        assertEquals([anvil.sent.length, sepolia.sent.length], [1, 1]);
        assertEquals(await states(), [sent, sent]);
      },
      ["anvil"],
      true,
    ));

  it("is not given up by processes without a node when its payer has died", () =>
    withNetworks(async (parts) => {
      const { test, sepolia, wallet, clock } = parts;
      const id = await withdraw(parts, 2, "10");
      await test.must({ kind: "change_withdraw", id, action: "claim", claims: 0 });
      clock.now += CLAIM_LIFE_MS + 1;
      await wallet.tick();
      const open = present(test.venue.withdraws.get(id), "it is open");
      assertEquals([open.state, await wallet.payoutOf(open)], ["processing", null]);
      await walletOf(test.engine, [sepolia]).tick();
      assertEquals(sepolia.sent.length, 1);
    }, ["anvil"]));

  it("shows at any process the address that one with a node has given", () =>
    withNetworks(async ({ test, sepolia, wallet }) => {
      assertEquals(await wallet.addressOf("bob", SECOND), null);
      const given = await walletOf(test.engine, [sepolia]).addressOf("bob", SECOND, 60_000);
      assertEquals(given?.address, "of bob");
      assertEquals(await wallet.addressOf("bob", SECOND), given);
    }, ["anvil"]));

  it("tells the operator once of payouts that no process takes up", () =>
    withNetworks(async (parts) => {
      const { test, wallet, clock } = parts;
      const kinds = async () => (await wallet.notices.list()).map(({ kind, id }) => [kind, id]);
      const id = await withdraw(parts, 2, "10");
      const taken = await withdraw(parts, 2, "10");
      await test.must({ kind: "change_withdraw", id: taken, action: "claim", claims: 0 });
      clock.now += 3_600_000;
      await wallet.tick();
      clock.now += 599_999;
      await wallet.tick();
      assertEquals(await kinds(), []);
      clock.now += 1;
      for (let round = 1; round <= 2; round++) await wallet.tick();
      assertEquals(await kinds(), [["payout_waits", id]]);
      await test.must({ kind: "change_withdraw", id, action: "reject" });
    }, ["anvil"]));

  it("is paid by hand on a network that it does not live on", () =>
    withNetworks(({ wallet }) => {
      assertEquals(wallet.isPaidByHand({ currency: "usdt", network: "litecoin" }), true);
      return Promise.resolve();
    }));

  it("is tended, credited and paid on one network while the other's node is silent", () =>
    withNetworks(async (parts) => {
      const { test, anvil, sepolia } = parts;
      const held = Promise.withResolvers<void>();
      const silent = async (): Promise<never> => {
        await held.promise;
        throw new Error("too late");
      };
      const tended: string[] = [];
      const tend = () => Promise.resolve(void tended.push("sepolia"));
      const none = { tend: silent, watch: silent, look: silent, send: silent, find: silent };
      const wallet = walletOf(
        test.engine,
        [Object.assign(anvil, none), Object.assign(sepolia, { tend })],
        () => {},
      );
      await wallet.addressOf("bob", SECOND, 60_000);
      for (let i = 0; i < 20; i++) await withdraw(parts, 1, "1");
      await withdraw(parts, 2, "10");
      sepolia.pay("of bob", "from outside");
      sepolia.blocks = 9;
      const { accounts } = test.venue.holder(test.member("bob"));
      wallet.start();
      try {
        const done = eventually("all that is to be done on the other network", () => {
          const isPaid = sepolia.sent.length > 0 && tended.length > 1;
          return isPaid && accounts[0]?.available === units("5") && "done";
        });
        // One payout that is not answered takes longer.
        assertEquals(await Promise.race([done, sleep(4_000)]), "done");
      } finally {
        held.resolve();
        await wallet.stop();
      }
    }));

  it("is told of what became of it for good, and forgets that once it is taken", () =>
    withNetworks(async (parts) => {
      const { test, anvil, sepolia, wallet } = parts;
      const { address = "" } = await wallet.addressOf("bob", SECOND, 1_000) ?? {};
      sepolia.pay(address ?? "", "b");
      sepolia.pay(address ?? "", "c");
      sepolia.blocks = 9;
      await wallet.tick();
      const [first, second] = sepolia.outputs.splice(0);
      const gone = { ...present(first, "it was paid"), isDropped: true };
      sepolia.became.push(gone, { ...present(second, "it was paid"), amount: units("4") });
      // Of what nobody was credited, there is nothing to tell.
      anvil.became.push(gone);
      await wallet.tick();
      assertEquals([sepolia.forgotten, anvil.forgotten], [["b", "c"], ["b"]]);
      const told = (await wallet.notices.list()).map(({ kind, network, txid }) =>
        [kind, network, txid].join()
      );
      assertEquals(told.toSorted(), ["deposit_lost,sepolia,b", "deposit_mismatched,sepolia,c"]);
      assertEquals((await test.engine.deposit(1))?.state, "collected", "an operator decides");
    }));

  it("never goes out with a tag, which no network carries", () =>
    withNetworks(async ({ test, anvil }) => {
      const rails = new NetworkRails(test.engine, [anvil]);
      const payout = { id: "withdraw-9", ...FIRST, address: "x", amount: units("1") };
      assertEquals((await rails.send({ ...payout, tag: "7" })).kind, "refused");
      assertEquals(anvil.sent, []);
      assertEquals((await rails.send({ ...payout, tag: null })).kind, "sent");
    }));

  it("goes to no address of the venue's own, of its network", () =>
    withNetworks(({ wallet }) => {
      const own = ["anvil", "sepolia"].map((network) => `own on ${network}`);
      assertEquals(own.map((address) => wallet.isOwn(FIRST, address)), [true, false]);
      assertEquals(own.map((address) => wallet.isOwn(SECOND, address)), [false, true]);
      return Promise.resolve();
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
