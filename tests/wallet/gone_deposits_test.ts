/** Blocks with credited deposits are replaced, and the operator is told of them: on real nodes. */
import { assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { networkKey } from "../../src/engine/sidecar_rows.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { PAYER_CODE } from "../support/evm_contracts.ts";
import { LitecoinNode, NO_LITECOIN } from "../support/litecoin_node.ts";
import { RestoredCoins } from "../support/restored_coins.ts";
import { itUnless } from "../support/unless.ts";
import {
  depositsOf,
  DUST,
  FINAL,
  HALVE,
  LOG,
  openOn,
  PASSER,
  passing,
  PAYEE,
  resume,
  reverse,
  told,
  withPasser,
  withPayer,
} from "../support/gone_deposits.ts";

/** So many make one final on Litecoin. */
const FINAL_DEPTH = 12;
/** Longer than a process waits for another one. */
const LATER_MS = 40_000;

function openOnLitecoin(node: LitecoinNode, payee: string): Promise<RestoredCoins> {
  return RestoredCoins.open({
    network: "litecoin-regtest",
    url: node.url,
    digits: 8,
    pay: (to, amount) => node.pay(to, amount),
    mine: (blocks) => node.mine(blocks),
    pass: () => node.mineOnly(),
    payee,
  });
}

describe("a credited deposit whose block was final and is gone", () => {
  itUnless(NO_ANVIL)("is told once it is certain, if it has not come again", async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    const alice = await coins.address("alice");
    await coins.chain.pay(alice, "3");
    await coins.mine(FINAL);
    const kept = await node.height();
    const txids: string[] = [];
    for (const amount of ["5", "6", "7", "8"]) {
      txids.push(String(await coins.chain.pay(alice, amount)));
    }
    const again = await node.rpc("eth_getRawTransactionByHash", txids[0]);
    await coins.mine(2 * FINAL);
    assertEquals(coins.balance(), "29/0");
    await node.reorganise(await node.height() - kept);
    await node.mine(2);
    await coins.rounds(1);
    // The operator knows of one; the first comes again, in another block than it was in.
    await reverse(coins, 3);
    await resume(coins, kept);
    await coins.mine(3);
    await node.rpc("eth_sendRawTransaction", again);
    // Another transaction takes the place of one, whose nonce is the next.
    await node.send({ to: PAYEE, value: 1n });
    await coins.mine(3 * FINAL);
    assertEquals(await told(coins), [
      "deposit_lost 4 dropped_after_collection",
      "deposit_lost 5 dropped_after_collection",
    ]);
    assertEquals(coins.logged, ["deposit_lost", "deposit_lost"]);
    assertEquals((await depositsOf(coins)).map(({ state }) => state).slice(0, 5), [
      "collected",
      "collected",
      "collected",
      "collected",
      "collected",
    ]);
  });
});

describe("a credited deposit of what contracts paid by blocks that are gone", () => {
  for (
    const [amounts, again, expected] of [
      [[8n, 2n], [2n], ["deposit_lost 1 dropped_after_collection"]],
      [[8n, 2n], [8n, 2n], []],
      [[8n, 2n], [10n], []],
      [[8n, 2n], [], [
        "deposit_lost 1 dropped_after_collection",
        "deposit_lost 2 dropped_after_collection",
      ]],
      [[8n], [5n], ["deposit_mismatched 1 another_amount"]],
    ] as const
  ) {
    const what = `what contracts paid, ${amounts.join(" and ")}, and then ${again.join(" and ")}`;
    itUnless(NO_ANVIL)(`is told of ${what}`, async () => {
      await using node = await AnvilNode.start();
      await using coins = await openOn(node);
      const payer = await node.deploy(PAYER_CODE);
      const alice = await coins.address("alice");
      const payBy = async (amount: bigint) => {
        await node.call(payer, "0c11dedd", [alice], amount * 10n ** 18n);
        await coins.mine(2);
      };
      await coins.mine(FINAL);
      const kept = await node.height();
      for (const amount of amounts) await payBy(amount);
      await coins.mine(FINAL);
      const credited = coins.balance();
      await node.reorganise(await node.height() - kept);
      await coins.rounds(1);
      await resume(coins, kept);
      await coins.mine(1);
      for (const amount of again) await payBy(amount);
      await coins.mine(3 * FINAL);
      assertEquals([await told(coins), coins.balance()], [expected, credited]);
    });
  }
});

describe("a credited deposit whose transaction does something else by now", () => {
  itUnless(NO_ANVIL)(
    "is told where its transaction pays as another output",
    () =>
      withPasser(async ({ node, coins, token, pay }) => {
        await coins.mine(FINAL);
        const kept = await node.height();
        const raw = await node.rpc("eth_getRawTransactionByHash", await pay(5n));
        await coins.mine(FINAL);
        assertEquals(coins.balance(), "5/0");
        await node.reorganise(await node.height() - kept);
        await node.rpc("anvil_setCode", PASSER, passing(token, LOG));
        await node.rpc("eth_sendRawTransaction", raw);
        await node.mine(2);
        await coins.rounds(1);
        await resume(coins, kept);
        await coins.mine(2 * FINAL);
        assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
        const deposits = await depositsOf(coins);
        assertEquals(deposits.map(({ output, txid }) => [output, txid === deposits[0]?.txid]), [
          [0, true],
          [1, true],
        ]);
      }),
  );

  for (
    const [depth, code, expected] of [
      ["deep", HALVE, "deposit_mismatched 1 another_amount"],
      ["shallow", HALVE, "deposit_mismatched 1 another_amount"],
      ["deep", DUST, "deposit_lost 1 dropped_after_collection"],
      ["shallow", DUST, "deposit_lost 1 dropped_after_collection"],
    ] as const
  ) {
    const less = code === HALVE ? "less" : "next to nothing";
    itUnless(NO_ANVIL)(
      `is told where its transaction pays ${less}, ${depth}`,
      () =>
        withPasser(async ({ node, coins, token, pay }) => {
          await coins.mine(FINAL);
          const kept = await node.height();
          const raw = await node.rpc("eth_getRawTransactionByHash", await pay(6n));
          await coins.mine(depth === "deep" ? FINAL : 4);
          assertEquals(coins.balance(), "6/0");
          await node.reorganise(await node.height() - kept);
          await node.rpc("anvil_setCode", PASSER, passing(token, code));
          await node.rpc("eth_sendRawTransaction", raw);
          await node.mine(1);
          await coins.rounds(1);
          if (depth === "deep") await resume(coins, kept);
          await coins.mine(2 * FINAL);
          assertEquals([await told(coins), coins.balance()], [[expected], "6/0"]);
        }),
    );
  }
});

describe("a credited deposit that is gone, or seems so for long", () => {
  itUnless(NO_ANVIL)("is told where nodes keep its transaction, and no block has it", async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    const alice = await coins.address("alice");
    await coins.mine(FINAL);
    const kept = await node.height();
    await node.send({ to: PAYEE, value: 1n });
    const txid = await coins.chain.pay(alice, "5");
    const raw = await node.rpc("eth_getRawTransactionByHash", txid);
    await coins.mine(FINAL + 2);
    await node.reorganise(await node.height() - kept);
    await coins.rounds(1);
    await resume(coins, kept);
    // The one before it is gone, for which it waits.
    await node.rpc("eth_sendRawTransaction", raw);
    await coins.mine(FINAL + 4);
    assertEquals(await told(coins), []);
    await coins.mine(FINAL);
    assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
    assertEquals(await node.rpc("eth_getTransactionByHash", txid) === null, false);
  });

  itUnless(NO_ANVIL)(
    "is told where contracts pay next to nothing in its place",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * 10n ** 18n);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await pay(1n);
        await coins.mine(3 * FINAL);
        assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
      }),
  );

  itUnless(NO_ANVIL)(
    "is told where it had come again, and blocks are replaced once more",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * 10n ** 18n);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await coins.mine(1);
        const later = await node.height();
        await pay(8n * 10n ** 18n);
        await coins.mine(3 * FINAL);
        assertEquals([await told(coins), coins.balance()], [[], "8/0"]);
        await replaceAbove(later);
        await coins.mine(4 * FINAL);
        assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
      }),
  );

  itUnless(NO_ANVIL)(
    "is waited for as long again, where blocks are replaced once more",
    () =>
      withPayer(async ({ node, coins, pay, replaceAbove }) => {
        const kept = await node.height();
        await pay(8n * 10n ** 18n);
        await coins.mine(FINAL + 2);
        await replaceAbove(kept);
        await coins.mine(FINAL + 1);
        await replaceAbove(await node.height() - FINAL);
        await coins.mine(3);
        await pay(8n * 10n ** 18n);
        await coins.mine(3 * FINAL);
        assertEquals([await told(coins), coins.logged, coins.balance()], [[], [], "8/0"]);
      }),
  );

  for (const isReversed of [false, true]) {
    const what = isReversed ? "and reversed, is told to be there" : "is not lost";
    itUnless(NO_ANVIL)(`that comes again after all ${what}`, async () => {
      await using node = await AnvilNode.start();
      await using coins = await openOn(node);
      const alice = await coins.address("alice");
      await coins.mine(FINAL);
      const kept = await node.height();
      const txid = await coins.chain.pay(alice, "5");
      const raw = await node.rpc("eth_getRawTransactionByHash", txid);
      await coins.mine(FINAL + 2);
      await node.reorganise(await node.height() - kept);
      await coins.rounds(1);
      await resume(coins, kept);
      await coins.mine(2 * FINAL + 2);
      assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
      await node.rpc("eth_sendRawTransaction", raw);
      await coins.mine(4);
      if (isReversed) await reverse(coins, 1);
      await coins.mine(2 * FINAL);
      assertEquals(await told(coins), [
        isReversed ? "deposit_returned 1 reversed" : "deposit_returned 1 lost",
      ]);
    });
  }

  itUnless(NO_ANVIL)(
    "is not credited with what it was in a block before, if it pays less",
    () =>
      withPasser(async ({ node, coins, token, pay }) => {
        const enable = (depositEnabled: boolean) =>
          coins.test.must({ kind: "change_currency", id: "coin", changes: { depositEnabled } });
        await coins.mine(FINAL);
        const kept = await node.height();
        await enable(false);
        const raw = await node.rpc("eth_getRawTransactionByHash", await pay(6n));
        await coins.mine(2);
        await node.reorganise(await node.height() - kept);
        await node.rpc("anvil_setCode", PASSER, passing(token, HALVE));
        await node.rpc("eth_sendRawTransaction", raw);
        await coins.mine(2 * FINAL);
        await enable(true);
        await coins.mine(2);
        assertEquals(await told(coins), ["deposit_mismatched 1 another_amount"]);
        assertEquals(coins.balance(), "0/0", "an operator decides");
      }),
  );

  itUnless(NO_LITECOIN)("is told once it is certain, on Litecoin", async () => {
    await using node = await LitecoinNode.start();
    await using coins = await openOnLitecoin(node, await node.address());
    const alice = await coins.address("alice");
    await node.pay(alice, "3");
    await coins.mine(FINAL);
    const kept = await node.height();
    const again = await node.pay(alice, "5");
    await coins.mine(1);
    const { first, second } = await node.doubleSpend(alice, 600_000_000n);
    const gone = await node.rpc.call("sendrawtransaction", first);
    await coins.mine(FINAL);
    assertEquals(coins.balance(), "14/0");
    const blocks = await node.height() - kept;
    await node.reorganise(blocks, async () => {
      await node.mineOnly(second);
      for (let block = 0; block <= blocks; block++) await node.mineOnly();
    });
    await coins.rounds(1);
    await resume(coins, kept);
    await coins.mine(3);
    await node.resend([again]);
    await coins.mine(3 * FINAL);
    const lost = (await depositsOf(coins)).find(({ txid }) => txid === gone);
    assertEquals([await told(coins), coins.logged], [
      [`deposit_lost ${lost?.id} dropped_after_collection`],
      ["deposit_lost"],
    ]);
    assertEquals([await node.isMined(again), coins.balance()], [true, "14/0"]);
  });
});

describe("a credited deposit that waits for a block again", () => {
  for (const isMined of [false, true]) {
    const what = isMined
      ? "is not told of if it is mined"
      : "is told of after twice as many blocks";
    itUnless(NO_LITECOIN)(what, async () => {
      await using node = await LitecoinNode.start();
      await using coins = await openOnLitecoin(node, await node.address());
      const alice = await coins.address("alice");
      await coins.mine(1);
      const { first } = await node.doubleSpend(alice, 600_000_000n);
      await node.rpc.call("sendrawtransaction", first);
      await coins.mine(2);
      assertEquals(coins.balance(), "6/0");
      await node.reorganise(2, async () => {
        for (let block = 0; block < 3; block++) await node.mineOnly();
      });
      const pass = async (blocks: number) => {
        for (let block = 1; block <= blocks; block++) {
          await node.mineOnly();
          await coins.rounds(1);
        }
      };
      const looks = async () => {
        const prefix = networkKey("litecoin-regtest", "last_look");
        return (await coins.test.engine.listSidecar({ prefix, limit: 9 })).length;
      };
      // Another one that no block ever has.
      await node.pay(alice, "1");
      // Its block was the third last one.
      await pass(2 * FINAL_DEPTH - 3);
      assertEquals([await told(coins), await looks()], [[], 1]);
      if (isMined) await node.mineOnly(first);
      await pass(isMined ? FINAL_DEPTH + 1 : 1);
      const lost = "deposit_lost 1 dropped_after_collection";
      assertEquals([await told(coins), await looks()], [isMined ? [] : [lost], 0]);
      assertEquals(coins.balance(), "6/0", "an operator decides");
    });
  }
});

describe("a deposit that was told as lost and comes again", () => {
  itUnless(NO_LITECOIN)("is told by a process that saw neither", async () => {
    await using node = await LitecoinNode.start();
    await using coins = await openOnLitecoin(node, await node.address());
    const alice = await coins.address("alice");
    await coins.mine(1);
    const { first } = await node.doubleSpend(alice, 600_000_000n);
    await node.rpc.call("sendrawtransaction", first);
    await coins.mine(2);
    assertEquals(coins.balance(), "6/0");
    const still = coins.wallet;
    await coins.restart();
    await coins.rounds(1);
    await node.reorganise(2, async () => {
      for (let block = 0; block < 3; block++) await node.mineOnly();
    });
    for (let block = 0; block < 2 * FINAL_DEPTH + 2; block++) {
      await node.mineOnly();
      await coins.rounds(1);
    }
    assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
    // The process that has told so ends.
    await node.mineOnly(first);
    for (let block = 0; block < 2 * FINAL_DEPTH; block++) {
      await still.tick();
      coins.clock.now += LATER_MS;
      await node.mineOnly();
    }
    assertEquals(await told(coins), ["deposit_returned 1 lost"]);
  });
});

describe("a credited deposit whose block was not final and is gone", () => {
  const name = "is told though the process that saw it has ended";
  itUnless(NO_ANVIL)(`${name}, on a chain like Ethereum`, async () => {
    await using node = await AnvilNode.start();
    await using coins = await openOn(node);
    const alice = await coins.address("alice");
    await coins.mine(FINAL);
    await coins.chain.pay(alice, "5");
    await coins.mine(4);
    assertEquals(coins.balance(), "5/0");
    await node.reorganise(4);
    await coins.mine(6);
    await coins.restart();
    await coins.mine(3 * FINAL);
    assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
  });

  itUnless(NO_LITECOIN)(`${name}, on Litecoin`, async () => {
    await using node = await LitecoinNode.start();
    await using coins = await openOnLitecoin(node, await node.address());
    const alice = await coins.address("alice");
    await coins.mine(FINAL);
    const { first, second } = await node.doubleSpend(alice, 600_000_000n);
    await node.rpc.call("sendrawtransaction", first);
    await coins.mine(4);
    assertEquals(coins.balance(), "6/0");
    await node.reorganise(4, async () => {
      await node.mineOnly(second);
      for (let block = 0; block < 4; block++) await node.mineOnly();
    });
    await coins.mine(2);
    await coins.restart();
    await coins.mine(3 * FINAL);
    assertEquals(await told(coins), ["deposit_lost 1 dropped_after_collection"]);
  });
});
