/** Chains on real nodes whose blocks with credited deposits are replaced, and what the operator is told. */
import { assertEquals } from "@std/assert";
import { present } from "../../src/domain/assert.ts";
import type { Deposit } from "../../src/domain/money/deposit.ts";
import { addressOfKey } from "../../src/wallet/evm/evm_address.ts";
import { EVM_PATH } from "../../src/wallet/evm/evm_networks.ts";
import { AccountKeys } from "../../src/wallet/keys/account_keys.ts";
import { resumeNetwork } from "../../src/wallet/resume_network.ts";
import { AnvilNode } from "./anvil_node.ts";
import { PAYER_CODE, TEST_TOKEN_CODE } from "./evm_contracts.ts";
import { RestoredCoins, SEED } from "./restored_coins.ts";

export const PAYEE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** A contract that passes calls on to a token. */
export const PASSER = "0x00000000000000000000000000000000000aA55e";
/** After so many more blocks everything is final, on both networks. */
export const FINAL = 14;
export const DIGITS = 18;

/** A chain like Ethereum, and a venue with its coin or a token. */
export async function openOn(node: AnvilNode, contract?: string): Promise<RestoredCoins> {
  const own = addressOfKey(AccountKeys.ofSeed(SEED, EVM_PATH).publicKeyAt({ own: 0 }));
  await node.send({ to: own, value: 10n ** 19n });
  await node.mine();
  return await RestoredCoins.open({
    network: "anvil",
    url: node.url,
    digits: DIGITS,
    pay: (to, amount) => node.send({ to, value: BigInt(amount) * 10n ** 18n }),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mine(),
    payee: PAYEE,
    ...contract === undefined ? {} : { contract },
  });
}

export async function resume(coins: RestoredCoins, kept: number): Promise<void> {
  const { test: { engine }, networks, chain: { network } } = coins;
  const onFault = (error: unknown) => void coins.faults.push(error);
  const outcome = await resumeNetwork(
    { engine, networks, onFault },
    network,
    kept,
    () => Promise.resolve(),
  );
  assertEquals(outcome, "resumed");
}

export async function depositsOf({ test: { engine } }: RestoredCoins): Promise<readonly Deposit[]> {
  const { items } = await engine.allDeposits({}, { offset: 0, limit: 99, direction: "asc" });
  return items;
}

export async function reverse({ test }: RestoredCoins, id: number): Promise<void> {
  const record = present(await test.engine.deposit(id), "it was credited");
  const lookup = { knownId: 0, checkedAt: test.engine.venue.sequence };
  await test.must({ kind: "reverse", reversed: { type: "deposit", record }, ...lookup });
}

/** Returns what the operator is told of deposits: kind, id and reason. */
export async function told({ wallet }: RestoredCoins): Promise<readonly string[]> {
  const notices = (await wallet.notices.list()).filter(({ kind }) => kind.startsWith("deposit_"));
  return notices.map(({ kind, id, reason }) => `${kind} ${id} ${reason}`).toSorted();
}

/** Returns a contract that passes what it is called with on to a token, after some other code. */
export function passing(token: string, first: string = ""): string {
  const copy = "3660006000" + "37";
  const call = `600060003660006000${"73" + token.slice(2)}5af15000`;
  return `0x${copy}${first}${call}`;
}

/** Writes an empty log. */
export const LOG = "60006000a0";
/** Halves the amount that is passed on. */
export const HALVE = "60245160011c602452";
/** Leaves a part in 2⁴⁰ of it, which is too little for the ledger. */
export const DUST = "60245160281c602452";

/** A token whose transfers a contract passes on: what it does may change with the chain. */
export async function withPasser(
  work: (life: {
    readonly node: AnvilNode;
    readonly coins: RestoredCoins;
    readonly token: string;
    readonly pay: (coins: bigint) => Promise<string>;
  }) => Promise<void>,
): Promise<void> {
  await using node = await AnvilNode.start();
  const token = await node.deploy(TEST_TOKEN_CODE, 0n, BigInt(DIGITS));
  await node.call(token, "a9059cbb", [PASSER, 10n ** 24n]);
  await node.rpc("anvil_setCode", PASSER, passing(token));
  await node.mine();
  await using coins = await openOn(node, token);
  const alice = await coins.address("alice");
  const pay = (amount: bigint) =>
    node.call(PASSER, "a9059cbb", [alice, amount * 10n ** BigInt(DIGITS)]);
  await work({ node, coins, token, pay });
}

/** The chain's own coin, and a contract that pays it to a member. */
export async function withPayer(
  work: (life: {
    readonly node: AnvilNode;
    readonly coins: RestoredCoins;
    readonly pay: (wei: bigint) => Promise<string>;
    /** Replaces blocks by as many, and has all be read anew. */
    readonly replaceAbove: (kept: number) => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  await using node = await AnvilNode.start();
  await using coins = await openOn(node);
  const payer = await node.deploy(PAYER_CODE);
  const alice = await coins.address("alice");
  await coins.mine(FINAL);
  const replaceAbove = async (kept: number) => {
    await node.reorganise(await node.height() - kept);
    await coins.rounds(1);
    await resume(coins, kept);
  };
  const pay = (wei: bigint) => node.call(payer, "0c11dedd", [alice], wei);
  await work({ node, coins, pay, replaceAbove });
}
