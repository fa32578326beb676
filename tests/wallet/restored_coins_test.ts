/** A venue goes back to a copy, and its chain does not: on real nodes. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { addressOfKey as utxoAddress } from "../../src/wallet/utxo/utxo_addresses.ts";
import { utxoNetwork } from "../../src/wallet/utxo/utxo_networks.ts";
import { resumeNetwork } from "../../src/wallet/resume_network.ts";
import { present } from "../../src/domain/assert.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { RestoredCoins, SEED } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";

/** More than a payment's first fee, in wei: it gets into no such block before it has a higher one. */
const DEAR_GAS = `0x${(100n * 10n ** 9n).toString(16)}`;
/** After so many more blocks everything is final, on both networks. */
const FINAL = 14;

interface Life {
  readonly coins: RestoredCoins;
  /** Returns what the payee has received in blocks, in units of 10⁻⁸. */
  readonly received: () => Promise<bigint>;
  /** Returns what the chain has at an address, in its units. */
  readonly held: (address: string) => Promise<bigint>;
  readonly height: () => Promise<number>;
  /** Pays six coins to an address; returns what replaces blocks, so that no payout of them is. */
  readonly payInVain: (address: string) => Promise<(blocks: number) => Promise<unknown>>;
  /** Has the blocks back that were replaced, in place of those that replaced them; or null. */
  readonly bringBack: ((kept: number) => Promise<unknown>) | null;
}

/** What is paid once, and known to the copy in one state each; and what happens after it. */
async function lifeOf({ coins, received }: Life): Promise<void> {
  const alice = await coins.address("alice");
  await coins.chain.pay(alice, "5");
  await coins.mine(2);
  assertEquals(coins.balance(), "5/0");
  const ids = [await coins.withdraw("1")];
  await coins.rounds();
  await coins.mine(FINAL);
  // Sent and in no block yet; requested.
  ids.push(await coins.withdraw("0.5"));
  await coins.rounds();
  ids.push(await coins.withdraw("0.3"));
  const [done = 0, replaced = 0, paid = 0] = ids;
  assertEquals(await coins.state(done), "succeed");
  const first = await coins.txid(replaced);
  await coins.copy();
  assertEquals(await coins.state(paid), "accepted");

  // The lost time: a replacement, a payout, a deposit, and a withdrawal that the copy lacks.
  for (let block = 1; block <= 5; block++) {
    await coins.chain.pass();
    await coins.rounds(1);
  }
  assertNotEquals(await coins.txid(replaced), first, "it has a higher fee now");
  await coins.chain.pay(alice, "2");
  const lost = await coins.withdraw("0.2");
  await coins.rounds();
  await coins.mine(FINAL + 2);
  for (const id of [replaced, paid, lost]) assertEquals(await coins.state(id), "succeed");
  const txid = await coins.txid(paid);
  assertEquals([coins.balance(), await received()], ["5/0", 200_000_000n]);

  await coins.putBack();
  assertEquals(await coins.state(replaced), "confirming");
  await coins.rounds(4);
  assertEquals(coins.balance(), "5.2/0.3", "the deposit is credited again, once");
  assertEquals([await coins.state(replaced), await coins.state(paid)], ["succeed", "errored"]);
  const again = await coins.withdraw("0.4");
  const other = await coins.withdraw("0.6");
  await coins.act({ id: paid, action: "succeed", txid });
  await coins.rounds();
  await coins.mine(FINAL);
  assertEquals([await coins.state(again), await coins.state(other)], ["succeed", "succeed"]);
  assertEquals(await received(), 300_000_000n, "each of them is paid once");
  assertEquals(coins.balance(), "4.2/0");
  // On a chain of accounts the next ones wait for a block that shows what was forgotten, too.
  assertEquals(coins.logged.filter((one) => one !== "payout_waits"), ["payout_parked"]);
}

/** What an operator has paid again goes out once. */
async function paidAgain({ coins, received }: Life): Promise<void> {
  await coins.chain.pay(await coins.address("alice"), "5");
  await coins.mine(FINAL);
  const id = await coins.withdraw("1");
  await coins.copy();
  await coins.rounds();
  await coins.mine(2);
  assertEquals(await received(), 100_000_000n);
  for (let times = 2; times <= 3; times++) {
    await coins.putBack();
    await coins.rounds(4);
    await coins.mine(2);
    assertEquals([await coins.state(id), await received()], [
      "errored",
      BigInt(times - 1) * 100_000_000n,
    ]);
    await coins.act({ id, action: "retry" });
    coins.clock.now += 60_000;
    await coins.rounds(4);
    await coins.mine(3);
    assertEquals([await coins.state(id), await received()], [
      "succeed",
      BigInt(times) * 100_000_000n,
    ]);
  }
}

/** Who joins after a restore has an address that no lost member was given, and may pay from it. */
async function newMembers({ coins, held, received }: Life): Promise<void> {
  const alice = await coins.address("alice");
  await coins.chain.pay(alice, "2");
  await coins.mine(FINAL);
  await coins.copy();
  await coins.test.addMember("lost");
  const addresses = [alice, await coins.address("lost")];
  for (const uid of ["once", "again"]) {
    // Twice from the same copy, not within one second.
    await coins.rounds(1);
    await coins.putBack();
    await coins.test.addMember(uid);
    addresses.push(await coins.address(uid));
  }
  assertEquals(new Set(addresses).size, 4);
  assertEquals(await coins.address("alice"), alice);
  const [, lost = "", once = "", again = ""] = addresses;
  for (const address of [alice, lost, once, again]) await coins.chain.pay(address, "3");
  await coins.mine(FINAL);
  assertEquals([coins.balance(), coins.balance("again")], ["5/0", "3/0"]);
  assertEquals(coins.test.venue.holders.length, 4, "there is nobody else to credit");
  await coins.withdraw("4.5");
  await coins.rounds();
  await coins.mine(FINAL);
  assertEquals(await received(), 450_000_000n);
  assertEquals(await held(again), 0n, "the wallet has the key");
  assert(await held(lost) > 0n && await held(once) > 0n);
}

/** What was forgotten, and the chain has dropped, keeps nothing after it waiting. */
async function droppedToo({ coins, received }: Life): Promise<void> {
  await coins.chain.pay(await coins.address("alice"), "5");
  await coins.mine(FINAL);
  await coins.copy();
  const lost = await coins.withdraw("0.2");
  await coins.rounds();
  await coins.mine(2);
  assertEquals([await coins.state(lost), await received()], ["succeed", 20_000_000n]);
  await coins.putBack();
  await coins.rounds();
  const again = await coins.withdraw("0.4");
  await coins.rounds();
  await coins.mine(2);
  assertEquals([await coins.state(again), await received()], ["confirming", 60_000_000n]);
  await coins.chain.drop?.(4);
  assertEquals(await received(), 0n);
  await coins.mine(8);
  assertEquals([await coins.state(again), await received()], ["succeed", 40_000_000n]);
  await coins.mine(FINAL);
  const told = coins.logged.filter((one) => one !== "payout_waits");
  assertEquals(told, ["payout_missing"], "what it was is to be found out");
}

/** What a forgotten transaction had paid, and no block has any more, is told. */
async function undone({ coins, received, height, payInVain, bringBack }: Life): Promise<void> {
  const alice = await coins.address("alice");
  await coins.mine(FINAL);
  const kept = await height();
  const undo = await payInVain(alice);
  await coins.mine(FINAL);
  const id = await coins.withdraw("5");
  await coins.rounds();
  const first = await coins.txid(id);
  await coins.copy();
  for (let block = 1; block <= 5; block++) {
    await coins.chain.pass();
    await coins.rounds(1);
  }
  await coins.mine(2 * FINAL);
  await coins.putBack();
  await coins.rounds(4);
  assertEquals([await coins.state(id), await received()], ["succeed", 500_000_000n]);
  assertNotEquals(await coins.txid(id), first, "by what the copy lacks");
  assertEquals(coins.logged, []);
  const resume = async (): Promise<void> => {
    await coins.rounds(1);
    const { test: { engine }, networks, chain: { network }, faults } = coins;
    const parts = { engine, networks, onFault: (error: unknown) => faults.push(error) };
    assertEquals(await resumeNetwork(parts, network, kept, () => Promise.resolve()), "resumed");
    await coins.mine(2 * FINAL);
    for (const fault of faults.splice(0)) assert(/where one was|were replaced/.test(`${fault}`));
  };
  const told = () => coins.logged.filter((one) => one.startsWith("payout_"));
  await undo(await height() - kept);
  await resume();
  assertEquals([await coins.state(id), await received()], ["succeed", 0n]);
  assertEquals(told(), ["payout_missing"]);
  if (bringBack === null) return;
  await bringBack(kept);
  await resume();
  assertEquals(await received(), 500_000_000n);
  assertEquals(told(), ["payout_missing", "payout_returned"]);
}

async function onAnvil(life: (life: Life) => Promise<void>): Promise<void> {
  await using node = await AnvilNode.start();
  const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const own = addressOfKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKeyAt({ own: 0 }));
  await node.send({ to: own, value: 10n ** 19n });
  await node.mine();
  const before = await node.balance(payee);
  await using coins = await RestoredCoins.open({
    network: "anvil",
    url: node.url,
    digits: 18,
    pay: (to, amount) => node.send({ to, value: BigInt(amount) * 10n ** 18n }),
    mine: (blocks) => node.mine(blocks),
    pass: async () => {
      await node.rpc("anvil_setNextBlockBaseFeePerGas", DEAR_GAS);
      await node.mine();
      await node.rpc("anvil_setNextBlockBaseFeePerGas", "0x3b9aca00");
    },
    payee,
    drop: (blocks) => node.reorganise(blocks),
  });
  const received = async () => (await node.balance(payee) - before) / 10n ** 10n;
  const payInVain = async (to: string) => {
    await node.send({ to, value: 6n * 10n ** 18n });
    return async (blocks: number) => {
      await node.reorganise(blocks);
      await node.rpc("anvil_setCode", payee, "0xfe");
      await node.mine(2);
    };
  };
  const held = (address: string) => node.balance(address);
  await life({ coins, received, held, height: () => node.height(), payInVain, bringBack: null });
  // No nonce was used for two payments, or left out.
  const sent = Number(await node.rpc("eth_getTransactionCount", own, "latest"));
  const [, ...blocks] = await Promise.all(
    Array.from(
      { length: await node.height() + 1 },
      (_, height) => node.rpc("eth_getBlockByNumber", `0x${height.toString(16)}`, true),
    ),
  ) as { transactions: { from: string; to: string }[] }[];
  const payments = blocks.flatMap(({ transactions }) => transactions)
    .filter(({ from, to }) => from === own.toLowerCase() && to === payee.toLowerCase());
  assert(payments.length > 0 && sent >= payments.length, `${sent} of ${payments.length}`);
  assertEquals(coins.faults, []);
}

async function onLitecoin(life: (life: Life) => Promise<void>): Promise<void> {
  await using node = await LitecoinNode.start();
  const network = present(utxoNetwork("litecoin-regtest"), "there is such a network");
  const keys = AccountKeys.ofSeed(SEED, network.accountPath);
  const payee = await node.address();
  await using coins = await RestoredCoins.open({
    network: "litecoin-regtest",
    url: node.url,
    digits: 8,
    pay: (to, amount) => node.pay(to, amount),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mineOnly(),
    payee,
  });
  await coins.address("alice");
  for (let coin = 0; coin < 4; coin++) {
    await node.pay(utxoAddress(network, keys.publicKeyAt({ own: 0 })), "1");
  }
  await coins.mine(FINAL);
  const held = (address: string) => node.unspent(address);
  let replaced = "";
  const payInVain = async (to: string) => {
    const { first, second } = await node.doubleSpend(to, 600_000_000n);
    await node.rpc.call("sendrawtransaction", first);
    return async (blocks: number) => {
      replaced = String(await node.rpc.call("getblockhash", await node.height() - blocks + 1));
      await node.reorganise(blocks, async () => {
        await node.mineOnly(second);
        for (let block = 0; block < blocks; block++) await node.mineOnly();
      });
    };
  };
  const received = () => node.received(payee);
  const bringBack = async (kept: number) => {
    const height = await node.height();
    await node.reorganise(height - kept, async () => {
      await node.rpc.call("reconsiderblock", replaced);
      while (await node.height() <= height) await node.mineOnly();
    });
  };
  await life({ coins, received, held, height: () => node.height(), payInVain, bringBack });
}

describe("a venue that goes back to a copy", () => {
  const LOSES = "pays and credits each once, with a chain like Ethereum";
  itUnless(NO_ANVIL)(LOSES, () => onAnvil(lifeOf));
  itUnless(NO_LITECOIN)("pays and credits each once, with Litecoin", () => onLitecoin(lifeOf));
  const AGAIN = "pays once more what an operator has it pay, with a chain like Ethereum";
  itUnless(NO_ANVIL)(AGAIN, () => onAnvil(paidAgain));
  itUnless(NO_LITECOIN)(
    "pays once more what an operator has it pay, with Litecoin",
    () => onLitecoin(paidAgain),
  );
  const DROPPED = "pays what comes after a payment that its chain has dropped too";
  itUnless(NO_ANVIL)(DROPPED, () => onAnvil(droppedToo));
  const UNDONE = "tells what is undone that it had forgotten, with";
  itUnless(NO_ANVIL)(`${UNDONE} a chain like Ethereum`, () => onAnvil(undone));
  itUnless(NO_LITECOIN)(`${UNDONE} Litecoin`, () => onLitecoin(undone));
  const JOINS = "gives new members no address of lost ones, with a chain like Ethereum";
  itUnless(NO_ANVIL)(JOINS, () => onAnvil(newMembers));
  itUnless(NO_LITECOIN)(
    "gives new members no address of lost ones, with Litecoin",
    () => onLitecoin(newMembers),
  );
});
