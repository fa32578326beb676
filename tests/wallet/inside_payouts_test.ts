/** The venue pays to a member's address, and blocks are replaced: on real nodes. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { addressOfKey as utxoAddress } from "../../src/wallet/utxo/utxo_addresses.ts";
import { utxoNetwork } from "../../src/wallet/utxo/utxo_networks.ts";
import { resumeNetwork } from "../../src/wallet/resume_network.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { RestoredCoins, SEED } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";

/** After so many more blocks everything is final, on both networks. */
const FINAL = 14;
/** More than a payment's first fee, in wei: it gets into no such block before it has a higher one. */
const DEAR_GAS = `0x${(100n * 10n ** 9n).toString(16)}`;
/** Blocks that are replaced: more than its coin's confirmations, and fewer than are final. */
const REPLACED = 8;

/**
 * What the venue sends, it may send anew for a higher fee under another name, if its block is gone:
 * credited once it has its coin's confirmations, the same payment would be credited twice.
 */
async function lifeOf(coins: RestoredCoins, replace: () => Promise<unknown>): Promise<void> {
  const alice = await coins.address("alice");
  await coins.chain.pay(alice, "5");
  await coins.mine(FINAL);
  const id = await coins.withdraw("1");
  await coins.rounds();
  await coins.mine(REPLACED);
  assertEquals([coins.balance(), await coins.state(id)], ["4/0", "succeed"], "it is not final");
  const first = await coins.txid(id);
  const { items } = await coins.test.engine.allDeposits({}, {
    offset: 0,
    limit: 9,
    direction: "desc",
  });
  const { output } = present(items.find(({ txid }) => txid === first), "it was seen");
  const rail = present(coins.networks?.railTo(coins.chain.network), "there is a rail");
  assertEquals((await rail.look("coin", first, output))?.isReplaceable, true);
  await replace();
  for (let block = 1; block <= 5; block++) {
    await coins.chain.pass();
    await coins.rounds(1);
  }
  await coins.mine(2 * FINAL);
  await checkCredited(coins, first);
}

/** The copy has forgotten the payment that was sent for a higher fee. */
async function restoredLifeOf(coins: RestoredCoins): Promise<void> {
  const alice = await coins.address("alice");
  await coins.chain.pay(alice, "5");
  await coins.mine(FINAL);
  const id = await coins.withdraw("1");
  await coins.rounds();
  await coins.copy();
  const first = await coins.txid(id);
  for (let block = 1; block <= 5; block++) {
    await coins.chain.pass();
    await coins.rounds(1);
  }
  await coins.mine(2 * FINAL);
  await coins.putBack();
  assertEquals([coins.balance(), await coins.state(id)], ["4/1", "confirming"]);
  await coins.rounds(4);
  await coins.mine(FINAL);
  assertEquals(await coins.state(id), "succeed");
  await checkCredited(coins, first);
  assertEquals([coins.logged, coins.faults], [[], []]);
}

/**
 * The block is gone though it was final, and another transaction of the payout comes: it is the same
 * deposit, unless an operator has taken that back before.
 */
async function deepLifeOf(
  coins: RestoredCoins,
  { height, replace, isReversed }: DeepLife,
): Promise<void> {
  const { test, networks, chain: { network } } = coins;
  const { engine } = test;
  const alice = await coins.address("alice");
  await coins.chain.pay(alice, "5");
  await coins.mine(FINAL);
  const kept = await height();
  const id = await coins.withdraw("1");
  await coins.rounds();
  await coins.mine(FINAL + 2);
  const first = await coins.txid(id);
  assertEquals(coins.balance(), "5/0");
  await replace(await height() - kept);
  await coins.rounds(1);
  if (isReversed) {
    const { items } = await engine.allDeposits({}, { offset: 0, limit: 9, direction: "asc" });
    const record = present(items.find(({ txid }) => txid === first), "it was credited");
    const lookup = { knownId: 0, checkedAt: engine.venue.sequence };
    await test.must({ kind: "reverse", reversed: { type: "deposit", record }, ...lookup });
    assertEquals(coins.balance(), "4/0");
  }
  const parts = { engine, networks, onFault: (error: unknown) => void coins.faults.push(error) };
  assertEquals(await resumeNetwork(parts, network, kept, () => Promise.resolve()), "resumed");
  for (let block = 1; block <= FINAL; block++) {
    await coins.chain.pass();
    await coins.rounds(1);
  }
  await coins.mine(2 * FINAL);
  assertEquals([coins.balance(), coins.logged], ["5/0", []]);
  const rail = present(networks?.railTo(network), "there is a rail");
  const found = await rail.find(`withdraw-${id}`, "coin");
  assertNotEquals(found.kind === "sent" ? found.txid : first, first, "it was raised");
}

/** What a life is given of its chain. */
interface DeepLife {
  readonly height: () => Promise<number>;
  /** Takes so many blocks away, and makes more without what the wallet has sent. */
  readonly replace: (blocks: number) => Promise<unknown>;
  readonly isReversed: boolean;
}

/** Checks that a payment of 5 and one by the venue of 1 were credited, once each. */
async function checkCredited(coins: RestoredCoins, first: string): Promise<void> {
  assertEquals(coins.balance(), "5/0");
  const page = { offset: 0, limit: 10, direction: "asc" as const };
  const { items } = await coins.test.engine.allDeposits({}, page);
  const credited = items.filter(({ state }) => state === "collected");
  assertEquals(credited.map(({ amount }) => amount / 10n ** 16n).toSorted(), [1n, 5n]);
  const inside = credited.find(({ amount }) => amount === 10n ** 16n);
  assertNotEquals(inside?.txid, first, "it was raised");
}

async function onAnvil(
  life: (coins: RestoredCoins, node: AnvilNode) => Promise<void>,
): Promise<void> {
  await using node = await AnvilNode.start();
  const keys = AccountKeys.ofSeed(SEED, EVM_PATH);
  await node.send({ to: addressOfKey(keys.publicKeyAt({ own: 0 })), value: 10n ** 19n });
  await node.mine();
  let payee = "";
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
    get payee() {
      return payee;
    },
  });
  payee = await coins.address("alice");
  await life(coins, node);
}

async function onLitecoin(
  life: (coins: RestoredCoins, node: LitecoinNode) => Promise<void>,
): Promise<void> {
  await using node = await LitecoinNode.start();
  const network = present(utxoNetwork("litecoin-regtest"), "there is such a network");
  const keys = AccountKeys.ofSeed(SEED, network.accountPath);
  let payee = "";
  await using coins = await RestoredCoins.open({
    network: "litecoin-regtest",
    url: node.url,
    digits: 8,
    pay: (to, amount) => node.pay(to, amount),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mineOnly(),
    get payee() {
      return payee;
    },
  });
  payee = await coins.address("alice");
  await node.pay(utxoAddress(network, keys.publicKeyAt({ own: 0 })), "3");
  await coins.mine(FINAL);
  await life(coins, node);
}

async function replacedOn(node: AnvilNode, blocks: number): Promise<void> {
  await node.reorganise(blocks);
  await node.mine(2);
}

/** Replaces blocks by two more of nothing. */
async function emptied(node: LitecoinNode, blocks: number): Promise<void> {
  await node.reorganise(blocks, async () => {
    for (let block = 0; block < blocks + 2; block++) await node.mineOnly();
  });
}

describe("a payout to a member's address", () => {
  itUnless(NO_ANVIL)(
    "is credited once it is final, on a chain like Ethereum",
    () => onAnvil((coins, node) => lifeOf(coins, () => replacedOn(node, REPLACED))),
  );

  itUnless(NO_LITECOIN)(
    "is credited once it is final, on Litecoin",
    () => onLitecoin((coins, node) => lifeOf(coins, () => emptied(node, REPLACED))),
  );

  const FORGOTTEN = "is credited once though a copy has forgotten it";
  itUnless(NO_ANVIL)(`${FORGOTTEN}, on a chain like Ethereum`, () => onAnvil(restoredLifeOf));
  itUnless(NO_LITECOIN)(`${FORGOTTEN}, on Litecoin`, () => onLitecoin(restoredLifeOf));

  for (const isReversed of [false, true]) {
    const taken = isReversed ? "anew, after it was taken back" : "once";
    const name = `is credited ${taken}, where another of its transactions comes after a deep ` +
      "reorganisation";
    itUnless(NO_ANVIL)(
      `${name}, on a chain like Ethereum`,
      () =>
        onAnvil((coins, node) =>
          deepLifeOf(coins, {
            height: () => node.height(),
            replace: (blocks) => replacedOn(node, blocks),
            isReversed,
          })
        ),
    );
    itUnless(NO_LITECOIN)(
      `${name}, on Litecoin`,
      () =>
        onLitecoin((coins, node) =>
          deepLifeOf(coins, {
            height: () => node.height(),
            replace: (blocks) => emptied(node, blocks),
            isReversed,
          })
        ),
    );
  }
});
