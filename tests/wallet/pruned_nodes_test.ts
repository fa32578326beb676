/** Old blocks are read anew by a node that has not their state: on a real chain. */
import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { resumeNetwork } from "../../src/wallet/resume_network.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { TEST_TOKEN_CODE } from "../support/evm_contracts.ts";
import { PrunedNode } from "../support/pruned_node.ts";
import { RestoredCoins, SEED } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";

const PAYEE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** After so many more blocks everything is final, and a withdrawal has been paid. */
const FINAL = 14;
const DIGITS = 18;
const TRANSFER = "a9059cbb";
const NO_STATE = "RpcRefusedError: The node refuses eth_call: no_state (-32000)";

interface Life {
  readonly node: AnvilNode;
  readonly pruned: PrunedNode;
  readonly coins: RestoredCoins;
  readonly tokens: (address: string) => Promise<bigint>;
  /** Pays coins of the token to the member, and makes them final. */
  readonly pay: (coins: bigint) => Promise<void>;
}

/** A venue with a token, whose node keeps the state of the last blocks alone. */
async function live(work: (life: Life) => Promise<void>): Promise<void> {
  await using node = await AnvilNode.start();
  await using pruned = new PrunedNode(node.url);
  const contract = await node.deploy(TEST_TOKEN_CODE, 0n, BigInt(DIGITS));
  const own = addressOfKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKeyAt({ own: 0 }));
  await node.send({ to: own, value: 10n ** 19n });
  await node.mine();
  await using coins = await RestoredCoins.open({
    network: "anvil",
    url: pruned.url,
    digits: DIGITS,
    pay: (to, amount) => node.send({ to, value: BigInt(amount) * 10n ** 18n }),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mine(),
    payee: PAYEE,
    contract,
  });
  const alice = await coins.address("alice");
  await coins.mine(FINAL);
  const pay = async (amount: bigint) => {
    await node.call(contract, TRANSFER, [alice, amount * 10n ** BigInt(DIGITS)]);
    await coins.mine(FINAL);
  };
  await work({ node, pruned, coins, pay, tokens: (address) => node.tokens(contract, address) });
}

/** Pays a withdrawal, for which all that a member has paid is swept. */
async function withdraw({ coins, tokens }: Life, amount: string): Promise<void> {
  const id = await coins.withdraw(amount);
  await coins.mine(2 * FINAL);
  assertEquals(await coins.state(id), "succeed");
  assertEquals(await tokens(await coins.address("alice")), 0n);
}

/** Replaces all blocks above one by others that hold the same transactions, and many more. */
async function mineAgain(node: AnvilNode, kept: number): Promise<void> {
  const tip = await node.height();
  const blocks: string[][] = [];
  for (let height = kept + 1; height <= tip; height++) {
    const at = `0x${height.toString(16)}`;
    const block = await node.rpc("eth_getBlockByNumber", at, false);
    const { transactions } = block as { readonly transactions: readonly string[] };
    blocks.push(
      await Promise.all(
        transactions.map(async (txid) =>
          String(await node.rpc("eth_getRawTransactionByHash", txid))
        ),
      ),
    );
  }
  await node.reorganise(tip - kept);
  await node.rpc("anvil_dropAllTransactions");
  for (const signed of blocks.filter(({ length }) => length > 0)) {
    for (const one of signed) await node.rpc("eth_sendRawTransaction", one);
    await node.mine();
  }
  await node.mine(2 * FINAL);
}

async function noticesOf({ wallet }: RestoredCoins): Promise<readonly string[]> {
  const notices = (await wallet.notices.list()).filter(({ kind }) => kind.startsWith("deposit_"));
  return notices.map(({ kind }) => kind);
}

describe("a token's deposit that was swept before a node without its block's state reads it", () => {
  itUnless(NO_ANVIL)(
    "is credited after a restore, once an archive node answers",
    () =>
      live(async (life) => {
        const { node, pruned, coins, pay } = life;
        await pay(1n);
        await coins.copy();
        await pay(5n);
        await withdraw(life, "4");
        await node.mine(2 * FINAL);
        await coins.putBack();
        coins.faults.length = 0;
        await coins.mine(FINAL);
        assertEquals(coins.balance(), "1/0");
        assertEquals([...new Set(coins.faults.map(String))], [NO_STATE]);
        assertEquals(coins.networks?.railTo("anvil")?.health().fault, "contradicting");
        pruned.isArchive = true;
        await coins.mine(3);
        assertEquals([coins.balance(), await noticesOf(coins)], ["6/0", []]);
        assertEquals(coins.networks?.railTo("anvil")?.health().fault, null);
        // Blocks that it has caught up with need none.
        pruned.isArchive = false;
        await pay(2n);
        assertEquals(coins.balance(), "8/0");
      }),
  );

  itUnless(NO_ANVIL)(
    "stands after a resume, where its sweep is known and mined again",
    () =>
      live(async (life) => {
        const { node, pruned, coins, pay } = life;
        const kept = await node.height();
        await pay(5n);
        await withdraw(life, "4");
        await mineAgain(node, kept);
        await coins.rounds(1);
        const { test: { engine }, networks } = coins;
        const parts = { engine, networks, onFault: (error: unknown) => coins.faults.push(error) };
        pruned.isArchive = true;
        const begin = () => Promise.resolve();
        assertEquals(await resumeNetwork(parts, "anvil", kept, begin), "resumed");
        pruned.isArchive = false;
        coins.faults.length = 0;
        await coins.mine(3 * FINAL);
        assertEquals([coins.balance(), await noticesOf(coins), coins.faults], ["1/0", [], []]);
      }),
  );
});
