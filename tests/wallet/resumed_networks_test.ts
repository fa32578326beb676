/** Blocks are replaced that counted as final, and an operator says where to go on: on real nodes. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import type { NetworkFault } from "../../src/wallet/rails/network_rail.ts";
import { resumeNetwork, type ResumeOutcome } from "../../src/wallet/resume_network.ts";
import { addressOfKey as utxoAddress } from "../../src/wallet/utxo/utxo_addresses.ts";
import { utxoNetwork } from "../../src/wallet/utxo/utxo_networks.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { PAYER_CODE } from "../support/evm_contracts.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { RestoredCoins, SEED } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";

const PAYEE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** After so many more blocks everything is final, on both networks. */
const FINAL = 16;

interface Life {
  readonly coins: RestoredCoins;
  readonly height: () => Promise<number>;
  /** Replaces the last blocks by others, of which there are more, without what they held. */
  readonly replace: (blocks: number) => Promise<unknown>;
  /** What the payee has received in blocks, in units of 10⁻⁸. */
  readonly received: () => Promise<bigint>;
}

async function lifeOf({ coins, height, replace, received }: Life): Promise<void> {
  const { network } = coins.chain;
  const fault = (): NetworkFault | null =>
    present(coins.networks, "it has rails").states()[0]?.fault ?? null;
  const resume = (from: number, name: string = network): Promise<ResumeOutcome> => {
    const { test: { engine }, networks } = coins;
    const onFault = (error: unknown) => void coins.faults.push(error);
    return resumeNetwork({ engine, networks, onFault }, name, from, () => Promise.resolve());
  };
  const alice = await coins.address("alice");
  const start = await height();
  await coins.chain.pay(alice, "3");
  await coins.mine(FINAL);
  const kept = await height();
  await coins.chain.pay(alice, "5");
  const id = await coins.withdraw("1");
  await coins.rounds();
  await coins.mine(FINAL);
  assertEquals([coins.balance(), await coins.state(id)], ["7/0", "succeed"]);
  assertEquals([await resume(kept), fault()], ["not_reorganised", null]);

  await replace(await height() - kept);
  await coins.rounds(1);
  assertEquals([fault(), await received()], ["reorganised", 0n]);
  await coins.chain.pay(alice, "2");
  await coins.mine(4);
  assertEquals([coins.balance(), fault()], ["7/0", "reorganised"], "nothing is read");
  assertEquals(await resume(kept, "moon"), "no_node");
  assertEquals([await resume(10_000), fault()], ["unread_block", "reorganised"]);

  // The operator has taken back what is gone, and names a block before all that was paid.
  await coins.test.must({
    kind: "adjust_balance",
    uid: "alice",
    currency: "coin",
    amount: -5n * 10n ** 16n,
  });
  assertEquals(await resume(start), "resumed");
  await coins.rounds(2);
  assertEquals(fault(), null);
  await coins.mine(4);
  assertEquals(coins.balance(), "4/0", "the new one is credited, and the first one not again");
  assertEquals(await received(), 100_000_000n, "the payout is sent again");
  await coins.chain.pay(alice, "1");
  const next = await coins.withdraw("2");
  await coins.rounds();
  await coins.mine(FINAL);
  assertEquals([coins.balance(), await coins.state(next)], ["3/0", "succeed"]);
  assertEquals(await received(), 300_000_000n);
  assertEquals(fault(), null);
}

/** A node in front of another one, which takes no payments while it is full. */
class FullNode implements AsyncDisposable {
  isFull = false;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(url: string) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
      const body = await request.text();
      if (this.isFull && body.includes("sendrawtransaction")) {
        const { id } = JSON.parse(body) as { readonly id: number };
        return Response.json({ id, result: null, error: { code: -26, message: "" } });
      }
      const { username, password, origin } = new URL(url);
      const authorization = `Basic ${btoa(`${username}:${password}`)}`;
      return await fetch(origin, { method: "POST", headers: { authorization }, body });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function onListen(): void {}

/** A chain like Ethereum, and a venue with coins on it. */
async function openOn(node: AnvilNode): Promise<RestoredCoins> {
  const own = addressOfKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKeyAt({ own: 0 }));
  await node.send({ to: own, value: 10n ** 19n });
  await node.mine();
  return await RestoredCoins.open({
    network: "anvil",
    url: node.url,
    digits: 18,
    pay: (to, amount) => node.send({ to, value: BigInt(amount) * 10n ** 18n }),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mine(),
    payee: PAYEE,
  });
}

function openOnLitecoin(
  node: LitecoinNode,
  payee: string,
  url: string = node.url,
): Promise<RestoredCoins> {
  return RestoredCoins.open({
    network: "litecoin-regtest",
    url,
    digits: 8,
    pay: (to, amount) => node.pay(to, amount),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mineOnly(),
    payee,
  });
}

describe("a network whose final blocks were replaced", () => {
  itUnless(NO_ANVIL)("goes on from where an operator says, on a chain like Ethereum", async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    const before = await node.balance(PAYEE);
    await lifeOf({
      coins,
      height: () => node.height(),
      replace: async (blocks) => {
        await node.reorganise(blocks);
        await node.mine(2);
      },
      received: async () => (await node.balance(PAYEE) - before) / 10n ** 10n,
    });
  });

  for (const isBefore of [true, false]) {
    const when = isBefore ? "before" : "after";
    itUnless(NO_ANVIL)(`credits what contracts pay later, after a reversal ${when}`, async () => {
      await using node = await AnvilNode.start();
      await using coins = await openOn(node);
      const payer = await node.deploy(PAYER_CODE);
      const { test: { engine }, networks } = coins;
      const alice = await coins.address("alice");
      const payBy = async (amount: bigint) => {
        await node.call(payer, "0c11dedd", [alice], amount * 10n ** 18n);
        await coins.mine(FINAL);
      };
      await coins.mine(FINAL);
      const kept = await node.height();
      await payBy(8n);
      await payBy(2n);
      assertEquals(coins.balance(), "10/0");
      await node.reorganise(await node.height() - kept);
      await coins.rounds(1);
      const reverse = async (id: number) => {
        const record = present(await engine.deposit(id), "it was credited");
        const lookup = { knownId: 0, checkedAt: engine.venue.sequence };
        await coins.test.must({
          kind: "reverse",
          reversed: { type: "deposit", record },
          ...lookup,
        });
      };
      // The first one is gone; the second one comes again.
      if (isBefore) await reverse(1);
      const onFault = (error: unknown) => void coins.faults.push(error);
      const begin = () => Promise.resolve();
      const outcome = await resumeNetwork({ engine, networks, onFault }, "anvil", kept, begin);
      assertEquals(outcome, "resumed");
      await coins.mine(FINAL);
      if (!isBefore) await reverse(1);
      await payBy(2n);
      assertEquals(coins.balance(), "2/0", "it is credited already");
      await payBy(5n);
      assertEquals(coins.balance(), "7/0");
    });
  }

  itUnless(NO_ANVIL)("credits what comes again, where it was not credited before", async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    const payer = await node.deploy(PAYER_CODE);
    const { test: { engine }, networks } = coins;
    const alice = await coins.address("alice");
    const take = (depositEnabled: boolean) =>
      coins.test.must({ kind: "change_currency", id: "coin", changes: { depositEnabled } });
    const pay = () => node.call(payer, "0c11dedd", [alice], 8n * 10n ** 18n);
    await coins.mine(FINAL);
    const kept = await node.height();
    await take(false);
    await pay();
    await coins.mine(FINAL);
    await node.reorganise(await node.height() - kept);
    await coins.rounds(1);
    await pay();
    await node.mine(2 * FINAL);
    const onFault = (error: unknown) => void coins.faults.push(error);
    const begin = () => Promise.resolve();
    const outcome = await resumeNetwork({ engine, networks, onFault }, "anvil", kept, begin);
    assertEquals([outcome, coins.balance()], ["resumed", "0/0"]);
    await coins.mine(4);
    await take(true);
    await coins.mine(4);
    assertEquals(coins.balance(), "8/0");
  });

  for (const isMined of [false, true]) {
    const what = isMined ? "tells what others have mined again" : "never pays again";
    itUnless(NO_ANVIL)(`${what} of what had failed and was given back`, async () => {
      await using node = await AnvilNode.start();
      await using coins = await openOn(node);
      const before = await node.balance(PAYEE);
      const received = async () => (await node.balance(PAYEE) - before) / 10n ** 18n;
      await coins.chain.pay(await coins.address("alice"), "5");
      await coins.mine(FINAL);
      const kept = await node.height();
      const id = await coins.withdraw("1");
      await coins.rounds(1);
      const signed = await node.rpc("eth_getRawTransactionByHash", await coins.txid(id));
      await node.rpc("anvil_setCode", PAYEE, "0xfe");
      await coins.mine(FINAL);
      await coins.act({ id, action: "fail" });
      await node.reorganise(await node.height() - kept);
      await node.rpc("anvil_setCode", PAYEE, "0x");
      if (isMined) await node.rpc("eth_sendRawTransaction", signed);
      await node.mine();
      await coins.rounds(1);
      const { test: { engine }, networks } = coins;
      const onFault = (error: unknown) => void coins.faults.push(error);
      const begin = () => Promise.resolve();
      const outcome = await resumeNetwork({ engine, networks, onFault }, "anvil", kept, begin);
      assertEquals(outcome, "resumed");
      const next = await coins.withdraw("2");
      await coins.rounds();
      await coins.mine(FINAL);
      assertEquals([coins.balance(), await coins.state(next)], ["3/0", "succeed"]);
      assertEquals(await received(), isMined ? 3n : 2n);
      assertEquals(coins.logged, ["payout_parked", ...isMined ? ["payout_returned"] : []]);
    });
  }

  itUnless(NO_ANVIL)("tells what is mined again without effect once it is final", async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    await coins.chain.pay(await coins.address("alice"), "5");
    await coins.mine(FINAL);
    const id = await coins.withdraw("1");
    await coins.rounds(1);
    await coins.mine(2);
    assertEquals(await coins.state(id), "succeed");
    await node.reorganise(2);
    await node.rpc("anvil_setCode", PAYEE, "0xfe");
    await coins.mine(4);
    assertEquals(coins.logged, []);
    await coins.mine(FINAL);
    assertEquals(coins.logged, ["payout_missing"]);
    assertEquals(await coins.state(id), "succeed", "an operator decides about it");
    const [notice] = await coins.wallet.notices.list();
    const what = "its transaction was mined without effect. See what its payee has, and give the " +
      "amount back or pay it by hand";
    assertEquals([notice?.id, notice?.txid, notice?.reason], [id, await coins.txid(id), what]);
  });

  itUnless(NO_LITECOIN)("ends payouts of what was spent otherwise, and says so once", async () => {
    await using node = await LitecoinNode.start();
    const payee = await node.address();
    await using coins = await openOnLitecoin(node, payee);
    const { test: { engine }, networks } = coins;
    const alice = await coins.address("alice");
    for (const amount of ["4", "4"]) await node.pay(alice, amount);
    await coins.mine(FINAL);
    const kept = await node.height();
    await coins.test.addMember("bob");
    const { first, second } = await node.doubleSpend(await coins.address("bob"), 600_000_000n);
    const txid = await node.rpc.call("sendrawtransaction", first);
    await coins.mine(FINAL);
    assertEquals(coins.balance("bob"), "6/0");
    const id = await coins.withdraw("7.5");
    await coins.rounds();
    const payment = await node.rpc.call("getrawtransaction", await coins.txid(id)) as string;
    await coins.mine(FINAL);
    assertEquals([await coins.state(id), coins.balance()], ["succeed", "0.5/0"]);
    const replaceBy = async (...payments: string[]) => {
      const blocks = await node.height() - kept;
      await node.reorganise(blocks, async () => {
        await node.mineOnly(...payments);
        for (let block = 0; block <= blocks; block++) await node.mineOnly();
      });
      await coins.rounds(1);
    };
    await replaceBy(second);
    const { items } = await engine.allDeposits({}, { offset: 0, limit: 9, direction: "asc" });
    const record = present(items.find((one) => one.txid === txid), "it was credited");
    const lookup = { knownId: 0, checkedAt: engine.venue.sequence };
    await coins.test.must({ kind: "reverse", reversed: { type: "deposit", record }, ...lookup });
    const onFault = (error: unknown) => void coins.faults.push(error);
    const begin = () => Promise.resolve();
    const resumed = { engine, networks, onFault };
    assertEquals(await resumeNetwork(resumed, "litecoin-regtest", kept, begin), "resumed");
    await coins.mine(FINAL);
    const [notice] = await coins.wallet.notices.list();
    assertEquals([notice?.kind, notice?.id, notice?.txid], [
      "payout_missing",
      id,
      await coins.txid(id),
    ]);
    assertEquals([coins.logged, await node.received(payee)], [["payout_missing"], 0n]);
    // An operator gives it back; what else it was made of pays.
    await coins.test.must({
      kind: "adjust_balance",
      uid: "alice",
      currency: "coin",
      amount: 75n * 10n ** 15n,
    });
    await coins.withdraw("7.9");
    await coins.rounds();
    await coins.mine(FINAL);
    assertEquals([await node.received(payee), coins.logged.length], [790_000_000n, 1]);
    // Whoever has the first ones brings them back: it is there, and its amount was given back.
    await replaceBy(first, payment);
    assertEquals(await resumeNetwork(resumed, "litecoin-regtest", kept, begin), "resumed");
    await coins.mine(FINAL);
    const returned = (await coins.wallet.notices.list())
      .filter(({ kind }) => kind === "payout_returned");
    assertEquals(returned.map((one) => [one.id, one.txid]), [[id, await coins.txid(id)]]);
    assertStringIncludes(returned[0]?.reason ?? "", "take that back");
  });

  for (
    const [blocks, state, end] of [[FINAL, "succeed", "succeed"], [
      1,
      "confirming",
      "errored",
    ]] as const
  ) {
    itUnless(NO_LITECOIN)(`tells of one that may not arrive, which was ${state}`, async () => {
      await using node = await LitecoinNode.start();
      await using coins = await openOnLitecoin(node, await node.address());
      const { test: { engine }, networks } = coins;
      const alice = await coins.address("alice");
      const kept = await node.height();
      const { first, second } = await node.doubleSpend(await node.address());
      const parent = await node.rpc.call("sendrawtransaction", first) as string;
      await node.mine(1);
      const child = await node.spend([{ txid: parent, vout: 0 }], { [alice]: "49.999" });
      const txid = await node.rpc.call("sendrawtransaction", child);
      await coins.mine(FINAL);
      const id = await coins.withdraw("7.5");
      await coins.rounds();
      await coins.mine(blocks);
      assertEquals(await coins.state(id), state);
      const length = await node.height() - kept;
      await node.reorganise(length, async () => {
        // The node forgets the deposit as soon as a block has something else in its place.
        const hash = await node.mineOnly(second);
        await node.rpc.call("invalidateblock", hash);
        for (let block = 0; block <= length; block++) await node.mineOnly();
      });
      await coins.rounds(1);
      const onFault = (error: unknown) => void coins.faults.push(error);
      const begin = () => Promise.resolve();
      const resumed = { engine, networks, onFault };
      assertEquals(await resumeNetwork(resumed, "litecoin-regtest", kept, begin), "resumed");
      for (let block = 1; block <= FINAL; block++) {
        await node.mineOnly();
        await coins.rounds(1);
      }
      const notices = await coins.wallet.notices.list();
      const notice = notices.find(({ kind }) => kind === "payout_missing");
      const { txid: told, reason } = present(notice, "the operator is told");
      assertEquals([notice?.id, told], [id, await coins.txid(id)]);
      assertEquals([reason.includes("may never arrive"), reason.includes(`${txid}:0`)], [
        true,
        true,
      ]);
      assertEquals(await coins.state(id), state);
      assertEquals(coins.logged.toSorted(), ["deposit_lost", "payout_missing"]);
      // What else the node has of its coin comes into a block.
      await coins.mine(FINAL);
      const last = state === "succeed" ? "payout_missing" : "payout_parked";
      assertEquals([await coins.state(id), coins.logged.slice(2)], [end, [last]]);
    });
  }

  itUnless(NO_LITECOIN)("tells of one that the node does not take again, once", async () => {
    await using node = await LitecoinNode.start();
    await using full = new FullNode(node.url);
    const payee = await node.address();
    await using coins = await openOnLitecoin(node, payee, full.url);
    const { test: { engine }, networks } = coins;
    await node.pay(await coins.address("alice"), "8");
    await coins.mine(FINAL);
    const kept = await node.height();
    const id = await coins.withdraw("7.5");
    await coins.rounds();
    await coins.mine(FINAL);
    assertEquals(await coins.state(id), "succeed");
    full.isFull = true;
    const length = await node.height() - kept;
    await node.reorganise(length, async () => {
      for (let block = 0; block <= length; block++) await node.mineOnly();
    });
    await coins.rounds(1);
    const onFault = (error: unknown) => void coins.faults.push(error);
    const begin = () => Promise.resolve();
    const resumed = { engine, networks, onFault };
    assertEquals(await resumeNetwork(resumed, "litecoin-regtest", kept, begin), "resumed");
    for (let block = 1; block <= FINAL + 1; block++) {
      await node.mineOnly();
      await coins.rounds(1);
    }
    const [notice] = await coins.wallet.notices.list();
    assertEquals([coins.logged, notice?.id], [["payout_missing"], id]);
    assertEquals(notice?.txid, await coins.txid(id));
    assertStringIncludes(notice?.reason ?? "", "the node does not take it");
    assertStringIncludes(notice?.reason ?? "", "have it end: spend its coin");
    full.isFull = false;
    await coins.rounds(1);
    await coins.mine(FINAL);
    assertEquals([coins.logged.length, await node.received(payee)], [1, 750_000_000n]);
  });

  itUnless(NO_LITECOIN)("goes on from where an operator says, on Litecoin", async () => {
    await using node = await LitecoinNode.start();
    const network = present(utxoNetwork("litecoin-regtest"), "there is such a network");
    const keys = AccountKeys.ofSeed(SEED, network.accountPath);
    const payee = await node.address();
    await using coins = await openOnLitecoin(node, payee);
    await coins.address("alice");
    for (let coin = 0; coin < 3; coin++) {
      await node.pay(utxoAddress(network, keys.publicKeyAt({ own: 0 })), "1");
    }
    await coins.mine(FINAL);
    await lifeOf({
      coins,
      height: () => node.height(),
      replace: (blocks) =>
        node.reorganise(blocks, async () => {
          for (let block = 0; block < blocks + 2; block++) await node.mineOnly();
        }),
      received: () => node.received(payee),
    });
  });
});
