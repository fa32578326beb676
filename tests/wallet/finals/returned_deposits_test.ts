/** Credited deposits whose blocks are gone come again late, in parts or more than once: on real nodes. */
import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { AnvilNode, NO_ANVIL } from "../../support/anvil_node.ts";
import { FINAL, openOn, resume, reverse, told, withPayer } from "../../support/gone_deposits.ts";
import type { RestoredCoins } from "../../support/restored_coins.ts";
import { itUnless } from "../../support/unless.ts";

const ETHER = 10n ** 18n;
const LOST = "deposit_lost 1 dropped_after_collection";
const RETURNED = "deposit_returned 1 lost";

/** A deposit by a transaction, and the block before it. */
async function withDeposit(
  depth: number,
  work: (life: {
    readonly node: AnvilNode;
    readonly coins: RestoredCoins;
    readonly replace: (blocksAfter?: number) => Promise<void>;
    readonly sendAgain: () => Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  await using node = await AnvilNode.start();
  await using coins = await openOn(node);
  const alice = await coins.address("alice");
  await coins.mine(FINAL);
  const kept = await node.height();
  await coins.mine(FINAL + 2 - depth);
  const raw = await node.rpc(
    "eth_getRawTransactionByHash",
    await coins.chain.pay(alice, "5"),
  );
  await coins.mine(depth);
  await work({
    node,
    coins,
    async replace(blocksAfter = 0) {
      await node.reorganise(await node.height() - kept);
      await coins.rounds(1);
      if (blocksAfter > 0) await node.mine(blocksAfter);
      await resume(coins, kept);
    },
    sendAgain: () => node.rpc("eth_sendRawTransaction", raw),
  });
}

describe("what contracts paid, which is told as lost", () => {
  itUnless(NO_ANVIL)(
    "is told to be there once it has come again after all",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * ETHER);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await coins.mine(3 * FINAL);
        assertEquals(await told(coins), [LOST]);
        await pay(8n * ETHER);
        await coins.mine(2 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[RETURNED], "8/0"]);
      }),
  );

  itUnless(NO_ANVIL)(
    "is told to be there once the rest of it has come as well",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * ETHER);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await coins.mine(2);
        await pay(5n * ETHER);
        await coins.mine(3 * FINAL);
        assertEquals(await told(coins), ["deposit_mismatched 1 another_amount"]);
        await pay(3n * ETHER);
        await coins.mine(2 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[RETURNED], "8/0"]);
      }),
  );
});

describe("what contracts paid, which was reversed", () => {
  for (
    const [what, wei, balance] of [["something else", 1n, "0/0"], [
      "as much",
      8n * ETHER,
      "8/0",
    ]] as const
  ) {
    itUnless(NO_ANVIL)(
      `is not told to be there when they pay ${what}`,
      () =>
        withPayer(async ({ node, coins, pay }) => {
          const kept = await node.height();
          await pay(8n * ETHER);
          await coins.mine(FINAL + 2);
          await node.reorganise(await node.height() - kept);
          await coins.rounds(1);
          await reverse(coins, 1);
          await resume(coins, kept);
          await coins.mine(2);
          await pay(wei);
          await coins.mine(4 * FINAL);
          assertEquals([await told(coins), coins.balance()], [[], balance]);
        }),
    );
  }

  itUnless(NO_ANVIL)(
    "is not told to be there after blocks were replaced once more",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * ETHER);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await coins.mine(3 * FINAL);
        assertEquals(await told(coins), [LOST]);
        await reverse(coins, 1);
        await coins.mine(2);
        await replaceAbove(kept);
        await coins.mine(2);
        await pay(1n);
        await coins.mine(4 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[LOST], "0/0"]);
      }),
  );

  itUnless(NO_ANVIL)(
    "is not told to be there where later blocks are replaced",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * ETHER);
        await coins.mine(FINAL + 2);
        await node.reorganise(await node.height() - kept);
        await coins.rounds(1);
        await reverse(coins, 1);
        await resume(coins, kept);
        await coins.mine(2);
        await pay(1n);
        await coins.mine(1);
        const later = await node.height();
        await pay(1n);
        await coins.mine(FINAL);
        await replaceAbove(later);
        await coins.mine(4 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[], "0/0"]);
      }),
  );
});

describe("a credited deposit that comes and goes", () => {
  itUnless(NO_ANVIL)(
    "is told each time, and never as two at once",
    () =>
      withDeposit(FINAL + 2, async ({ coins, replace, sendAgain }) => {
        for (const _ of ["once", "again"]) {
          await replace();
          await coins.mine(2 * FINAL + 2);
          assertEquals(await told(coins), [LOST]);
          await sendAgain();
          await coins.mine(2 * FINAL + 2);
          assertEquals(await told(coins), [RETURNED]);
        }
        const kinds = coins.logged.map((one) => JSON.stringify(one).includes("deposit_returned"));
        assertEquals(kinds.filter((isReturned) => isReturned).length, 2, "both are logged");
      }),
  );

  itUnless(NO_ANVIL)(
    "is waited for as long again after blocks were replaced once more",
    () =>
      withDeposit(FINAL + 2, async ({ coins, replace, sendAgain }) => {
        await replace();
        await coins.mine(11);
        await replace();
        await coins.mine(11);
        assertEquals(await told(coins), []);
        await sendAgain();
        await coins.mine(2 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[], "5/0"]);
      }),
  );

  itUnless(NO_ANVIL)(
    "is waited for as long where the network was resumed late",
    () =>
      withDeposit(4, async ({ coins, replace, sendAgain }) => {
        assertEquals(coins.balance(), "5/0");
        await replace(30);
        await coins.mine(11);
        assertEquals(await told(coins), []);
        await sendAgain();
        await coins.mine(2 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[], "5/0"]);
      }),
  );
});
