import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { parseDecimal } from "../../../src/domain/money/money.ts";
import { MissingBalanceError } from "../../../src/wallet/evm/balance_comparison.ts";
import type { JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import { RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import { SweepError } from "../../../src/wallet/evm/evm_sweeps.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";
import { SweepGround } from "./sweep_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const ROUND = NETWORK.finalBlocks + 1;
const TOKEN = 10n ** 6n;

/** Changes after which nobody knows what a token's sweep is worth beside its gas. */
const UNPRICED: readonly (readonly [string, (swept: SweepGround) => void])[] = [
  ["that nobody knows the price of", ({ ground: { coins } }) => {
    coins[1] = { ...present(coins[1], "the token"), price: 0n };
  }],
  ["whose network's own coin is no currency", ({ ground: { coins }, takers }) => {
    coins.shift();
    takers.delete("eth");
  }],
];

describeUnless(NO_ANVIL)("sweeps", () => {
  it("empty addresses once their deposits are final, where they are worth their fee", async () => {
    await using swept = await SweepGround.open();
    const { ground, rail } = swept;
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await ground.anvil.send({ to: alice, value: ETHER });
    await ground.anvil.send({ to: bob, value: 10n ** 14n });
    await swept.live(ROUND - 1);
    assertEquals([await swept.sentBy(alice), await swept.held("eth", alice)], [0, ETHER]);
    await swept.live(2);
    assertEquals(await swept.held("eth", alice), 0n);
    const [fee] = (await swept.sweep(alice, 0))?.attempts ?? [];
    // Its block may still be replaced.
    assertEquals((await swept.sweeping()).open, [{ currency: "eth", address: alice, nonce: 0 }]);
    const hot = ETHER - 21_000n * (fee?.feeMax ?? 0n);
    assertEquals(await swept.held("eth", rail.ownAddress), hot);
    await swept.live(ROUND);
    assertEquals((await swept.sweeping()).open, []);
    // A twentieth of what bob has would be its fee.
    assertEquals([await swept.sentBy(bob), await swept.holders("eth")], [0, [bob]]);
    const { deposits } = await rail.balances("eth");
    assertEquals(deposits, 10n ** 14n);
    // What comes later is found and swept again.
    await ground.anvil.send({ to: alice, value: 2n * ETHER });
    await swept.live(2 * ROUND);
    assertEquals([await swept.sentBy(alice), await swept.held("eth", alice)], [2, 0n]);
    assertEquals(swept.takers.get("eth")?.sum, (3n * ETHER + 10n ** 14n) / STEP);
    assertEquals(ground.faults, []);
  });

  it("of tokens get gas once, which is no deposit, though withdrawals of members are", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await ground.fund(10n * ETHER);
    await swept.payTokens("usdt", alice, 500n * TOKEN);
    await swept.payTokens("usdt", bob, TOKEN / 10n);
    await swept.live(ROUND);
    const payout = {
      id: "withdraw-1",
      currency: "eth",
      address: alice,
      tag: null,
      amount: ETHER / STEP,
    };
    await rail.send(payout);
    await swept.live(3);
    assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
    await swept.live(4 * ROUND);
    assertEquals([await swept.held("usdt", alice), await swept.held("usdt", bob)], [
      0n,
      TOKEN / 10n,
    ]);
    // One that paid gas, one that paid the withdrawal.
    assertEquals(await swept.sentBy(rail.ownAddress), 2);
    assertEquals(await swept.sentBy(alice), 2);
    assertEquals([...swept.takers.get("eth")?.credited.values() ?? []], [ETHER / STEP]);
    assertEquals(swept.takers.get("usdt")?.credited.size, 2);
    assertEquals(await swept.held("eth", alice), 0n);
    assertEquals((await swept.sweeping()).coins["usdt"]?.failures, 0);
    assertEquals(ground.faults, []);
  });

  it("go down to what is worth its fee when payouts wait", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    const addresses = [await ground.address("alice"), await ground.address("bob")];
    for (const to of addresses) await ground.anvil.send({ to, value: 10n ** 14n });
    await swept.live(2 * ROUND);
    assertEquals(await swept.held("eth", rail.ownAddress), 0n);
    // More than one of them has.
    const payout = {
      id: "withdraw-1",
      currency: "eth",
      address: PAYEE,
      tag: null,
      amount: 10n ** 14n / STEP,
    };
    for (let block = 0; block < 3 * ROUND; block++) {
      await assertRejects(() => rail.send(payout), PayoutWaitsError, "too little");
      await swept.live(1);
      if (await swept.held("eth", rail.ownAddress) > 14n * 10n ** 13n) break;
    }
    assertEquals(await rail.send(payout).then(({ kind }) => kind), "sent");
    for (const address of addresses) assertEquals(await swept.held("eth", address), 0n);
    assertEquals(ground.faults, []);
  });

  for (const [which, change] of UNPRICED) {
    it(`of tokens ${which} are made when payouts wait`, async () => {
      await using swept = await SweepGround.open({ usdt: "honest" });
      const { ground, rail } = swept;
      const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
      change(swept);
      await ground.fund(ETHER);
      await swept.payTokens("usdt", alice, 1_000_000n * TOKEN);
      await swept.payTokens("usdt", bob, 1n * TOKEN);
      await swept.live(2 * ROUND);
      assertEquals(await swept.held("usdt", rail.ownAddress), 0n);
      const payout = {
        id: "withdraw-1",
        currency: "usdt",
        address: PAYEE,
        tag: null,
        amount: 10n ** 18n,
      };
      await assertRejects(() => rail.send(payout), PayoutWaitsError);
      await swept.live(4);
      assertEquals(await rail.send(payout).then(({ kind }) => kind), "sent");
      await swept.live(2 * ROUND);
      assertEquals([await swept.held("usdt", alice), await swept.held("usdt", bob)], [0n, TOKEN]);
      assertEquals(ground.faults, []);
    });
  }

  it("of tokens wait for gas that the wallet does not have, and get it from other sweeps", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await swept.payTokens("usdt", alice, 500n * TOKEN);
    await swept.live(2 * ROUND);
    assertEquals(await swept.held("usdt", alice), 500n * TOKEN);
    assertEquals((await swept.sweeping()).open, []);
    await ground.anvil.send({ to: bob, value: 3n * 10n ** 15n });
    await swept.live(3 * ROUND);
    assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
    assertEquals(ground.faults, []);
  });

  it("keep no deposit waiting, however long they take", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const [node, held] = [ground.node(), Promise.withResolvers<void>()];
    const slow: JsonRpc = {
      ask: async (questions) => {
        if (questions.some(({ method }) => method === "eth_maxPriorityFeePerGas")) {
          await held.promise;
        }
        return await node.ask(questions);
      },
    };
    const rail = ground.rail({ node: slow });
    const tended = rail.tend();
    await ground.anvil.send({ to: await ground.address("alice"), value: ETHER });
    await ground.anvil.mine();
    const taker = present(swept.takers.get("eth"), "ether is taken");
    taker.rail = rail;
    await taker.watch();
    assertEquals(taker.sum, ETHER / STEP);
    held.resolve();
    await tended;
    assertEquals(ground.faults, []);
  });

  it("are made by nobody without the seed", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER });
    const watching = ground.rail({ keys: ground.watchingKeys() });
    await swept.live(2 * ROUND, watching);
    assertEquals([await swept.held("eth", alice), await swept.sweeping()], [ETHER, {
      open: [],
      coins: {},
    }]);
    await swept.live(1);
    assertEquals((await swept.sweeping()).open.length, 1);
  });

  it("go for a payout once as much gas is there as that has told, and then it goes", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    for (const [uid, units] of [["alice", 3n], ["bob", 2n], ["carol", 1n]] as const) {
      await swept.payTokens("usdt", await ground.address(uid), units * TOKEN);
    }
    await swept.live(ROUND);
    const amount = 5n * 10n ** 16n;
    const payout = { id: "withdraw-1", currency: "usdt", address: PAYEE, tag: null, amount };
    const { message } = await assertRejects(() => rail.send(payout), PayoutWaitsError);
    const [, told = ""] = /send 5 usdt .*; also send (\S+) eth to/.exec(message) ?? [];
    await ground.anvil.send({ to: rail.ownAddress, value: parseDecimal(told, 18) ?? 0n });
    for (let block = 0; block < 6 * ROUND; block++) {
      await swept.live(1);
      if (await swept.held("usdt", rail.ownAddress) >= 5n * TOKEN) break;
      const wait = await assertRejects(() => rail.send(payout), PayoutWaitsError);
      assert(!wait.message.includes("also"), wait.message);
    }
    assertEquals((await rail.send(payout)).kind, "sent");
    await swept.live(1);
    assertEquals([await swept.held("usdt", PAYEE), ground.faults], [5n * TOKEN, []]);
  });

  it("wait for a token to be older than the last final block", async () => {
    await using swept = await SweepGround.open();
    const { ground, rail } = swept;
    ground.coins[1] = { ...await ground.token("usdt", MANNERS.honest), price: 10n ** 16n };
    swept.takers.set("usdt", new Taker(rail, "usdt", 1));
    await ground.fund(ETHER);
    await swept.payTokens("usdt", await ground.address("alice"), 500n * TOKEN);
    await swept.live(4 * ROUND);
    assertEquals([await swept.holders("usdt"), ground.faults], [[], []]);
  });

  it("are sent for more when they wait, with the same nonce", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await ground.fund(ETHER);
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.payTokens("usdt", bob, 500n * TOKEN);
    await swept.live(ROUND);
    const drop = async () => {
      for (const address of [alice, bob]) {
        const last = (await swept.sweep(address, 0))?.attempts.at(-1)?.txid;
        if (last !== undefined) await ground.anvil.rpc("anvil_dropTransaction", last);
      }
    };
    // What they were sent for is not enough: no block takes them.
    for (let block = 0; block < 6 * NETWORK.bumpBlocks; block++) {
      await drop();
      await swept.live(1);
    }
    for (const address of [alice, bob]) {
      const attempts = (await swept.sweep(address, 0))?.attempts ?? [];
      assert(attempts.length > 1);
      for (const [i, { feeMax, tip }] of attempts.entries()) {
        const before = attempts[i - 1];
        if (before === undefined) continue;
        assert(feeMax * 8n >= before.feeMax * 9n && tip * 8n >= before.tip * 9n);
      }
    }
    await swept.live(2 * ROUND);
    assertEquals([await swept.held("eth", alice), await swept.held("usdt", bob)], [0n, 0n]);
    assertEquals([await swept.sentBy(alice), await swept.sentBy(bob)], [1, 1]);
    // Gas is sent three times at most.
    assertEquals(await swept.sentBy(rail.ownAddress), 3);
    assertEquals(ground.faults, []);
  });

  it("are sixteen at once", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const first = await ground.address("alice");
    await ground.anvil.send({ to: first, value: ETHER });
    // A coin first shows that it moves.
    await swept.live(2 * ROUND + 1);
    const uids = Array.from({ length: 20 }, (_, i) => `member${i}`);
    for (const uid of uids) {
      await ground.anvil.send({ to: await ground.address(uid), value: ETHER });
    }
    await swept.live(ROUND);
    assertEquals((await swept.sweeping()).open.length, 16);
    await swept.live(2 * ROUND);
    assertEquals(await swept.holders("eth"), []);
    assertEquals(swept.takers.get("eth")?.credited.size, 21);
    assertEquals(ground.faults, []);
  });
});

describeUnless(NO_ANVIL)("sweeps that go wrong", () => {
  for (const manner of ["lying", "refusing"] as const) {
    it(`cost gas no more where a token is ${manner}, and others go on`, async () => {
      await using swept = await SweepGround.open({ bad: "honest", usdt: "honest" });
      const { ground, rail } = swept;
      const addresses = [];
      for (const uid of ["alice", "bob", "carol", "member0", "member1"]) {
        const address = await ground.address(uid);
        addresses.push(address);
        await swept.payTokens("bad", address, 500n * TOKEN);
      }
      await ground.fund(10n * ETHER);
      await swept.payTokens("usdt", addresses[4] ?? "", 500n * TOKEN);
      await swept.change("bad", manner);
      await swept.live(6 * ROUND);
      const sent = await Promise.all(addresses.map((one) => swept.sentBy(one)));
      const isCostly = manner === "lying";
      assertEquals(sent.reduce((sum, one) => sum + one), isCostly ? 4 : 1);
      assertEquals(await swept.sentBy(rail.ownAddress), isCostly ? 4 : 1);
      assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
      assertEquals((await swept.sweeping()).open, []);
      assert(ground.faults.every((one) => one instanceof SweepError));
      assertEquals(ground.faults.length, isCostly ? 3 : 5);
      assertEquals(String(ground.faults[2]).includes("left where it is"), isCostly);
    });
  }

  it("go on where a token has frozen the address with most, which is tried again later", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground } = swept;
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await ground.fund(10n * ETHER);
    const [alice, bob, carol] = [
      await ground.address("alice"),
      await ground.address("bob"),
      await ground.address("carol"),
    ];
    await swept.payTokens("usdt", alice, 900n * TOKEN);
    for (const address of [bob, carol]) await swept.payTokens("usdt", address, 500n * TOKEN);
    let tried = 0;
    node.lies.set("eth_estimateGas", (answer, [call]) => {
      if ((call as { from: string }).from !== alice) return answer;
      tried += 1;
      throw new RpcRefusedError("eth_estimateGas", 3, "execution reverted: frozen");
    });
    await swept.live(4 * ROUND, rail);
    const held = async () => [
      await swept.held("usdt", alice),
      await swept.held("usdt", bob),
      await swept.held("usdt", carol),
    ];
    assertEquals([await held(), tried], [[900n * TOKEN, 0n, 0n], 1]);
    assertEquals((await swept.sweeping()).coins["usdt"]?.failures, 0);
    assertEquals(ground.faults.splice(0).map(String), [
      "SweepError: A sweep of usdt can't be: its recipient or token refuses it",
    ]);
    // What it gets in between is not tried alone.
    await swept.payTokens("usdt", alice, 100n * TOKEN);
    await swept.live(ROUND, rail);
    const row = await swept.heldCoin("usdt", alice);
    const left = (row?.restsUntil ?? 0) - await ground.anvil.height();
    assertEquals([tried, left > 7_000 && left < 7_200], [1, true]);
    await swept.rest("usdt", alice, await ground.anvil.height() + 3);
    await swept.live(1, rail);
    assertEquals(tried, 1);
    node.lies.clear();
    await swept.live(2 * ROUND, rail);
    assertEquals(await held(), [0n, 0n, 0n]);
    assertEquals(ground.faults, []);
  });

  it("go on where a node can't tell what one takes, which is tried again at once", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground } = swept;
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await ground.fund(10n * ETHER);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await swept.payTokens("usdt", alice, 900n * TOKEN);
    await swept.payTokens("usdt", bob, 500n * TOKEN);
    node.lies.set("eth_estimateGas", (answer, [call]) => {
      if ((call as { from: string }).from !== alice) return answer;
      throw new RpcRefusedError("eth_estimateGas", 1, "who knows");
    });
    await swept.live(3 * ROUND, rail);
    const held = async () => [await swept.held("usdt", alice), await swept.held("usdt", bob)];
    assertEquals(await held(), [900n * TOKEN, 0n]);
    const { open, coins } = await swept.sweeping();
    assertEquals([open, coins["usdt"]?.failures], [[], 0]);
    node.lies.clear();
    await swept.live(4, rail);
    assertEquals([await held(), ground.faults], [[0n, 0n], []]);
  });

  it("send gas three times at most where a token always takes more than there is", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail: { ownAddress } } = swept;
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await ground.fund(10n * ETHER);
    const alice = await ground.address("alice");
    await swept.payTokens("usdt", alice, 900n * TOKEN);
    let gas = 40_000;
    node.lies.set("eth_estimateGas", (answer, [call]) => {
      if ((call as { from: string }).from !== alice) return answer;
      gas += 30_000;
      return `0x${gas.toString(16)}`;
    });
    await swept.live(3 * ROUND, rail);
    assertEquals([await swept.sentBy(alice), await swept.sentBy(ownAddress)], [0, 3]);
    const { open, coins } = await swept.sweeping();
    assertEquals([open, coins["usdt"]?.failures], [[], 1]);
    assertEquals(ground.faults.map(String), [
      "SweepError: A sweep of usdt has used up the gas that it was sent",
    ]);
  });

  it("are given up where a token burns its gas or has no balances, and others go on", async () => {
    await using swept = await SweepGround.open({ bad: "honest", usdt: "honest" });
    const { ground, rail } = swept;
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await ground.fund(10n * ETHER);
    await swept.payTokens("bad", alice, 500n * TOKEN);
    await swept.payTokens("usdt", bob, 500n * TOKEN);
    await swept.live(ROUND + 1);
    // Its sweep waits for its block as its contract breaks.
    assertEquals((await swept.sweep(alice, 0))?.attempts.length, 1);
    await ground.anvil.rpc("anvil_setCode", swept.coin("bad").contract, "0xfe");
    await swept.live(3 * ROUND);
    assertEquals(await swept.sentBy(alice), 1);
    assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
    assert(ground.faults.some((one) => String(one).includes("A sweep of bad moved nothing")));
  });

  it("are told of where something else took an address's coins", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.live(2);
    await ground.anvil.rpc("anvil_impersonateAccount", alice);
    await ground.anvil.rpc("eth_sendTransaction", { from: alice, to: PAYEE, value: "0x1" });
    await swept.live(3 * ROUND);
    assert(ground.faults.length > 0);
    assert(ground.faults.every((one) => one instanceof MissingBalanceError));
    // It is swept all the same.
    assertEquals(await swept.held("eth", alice), 0n);
  });

  it("explain what an address has though no row tells of them, as in a restored venue", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    const alice = await ground.address("alice");
    const payer = await ground.anvil.deploy(PAYER_CODE);
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.live(2);
    await ground.anvil.rpc("anvil_impersonateAccount", alice);
    const sent = { from: alice, to: rail.ownAddress, value: `0x${(ETHER / 2n).toString(16)}` };
    await ground.anvil.rpc("eth_sendTransaction", sent);
    const contract = swept.coin("usdt").contract;
    await ground.anvil.rpc("eth_sendTransaction", { from: alice, to: contract, gas: "0x20000" });
    await ground.anvil.call(payer, CALLS.pay, [alice], ETHER / 4n);
    await swept.live(4 * ROUND);
    assertEquals(swept.takers.get("eth")?.sum, 5n * ETHER / (4n * STEP));
    assertEquals(await swept.held("eth", alice), 0n);
    assertEquals(ground.faults, []);
  });

  it("are told of where another transaction has their nonce for good", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.live(ROUND);
    const [attempt] = (await swept.sweep(alice, 0))?.attempts ?? [];
    await ground.anvil.rpc("anvil_dropTransaction", attempt?.txid);
    await ground.anvil.rpc("anvil_impersonateAccount", alice);
    await ground.anvil.rpc("eth_sendTransaction", { from: alice, to: PAYEE, value: "0x1" });
    await swept.live(3 * ROUND);
    assert(ground.faults.some((one) => String(one).includes("foreign transaction")));
    assertEquals([await swept.held("eth", alice), await swept.sentBy(alice)], [0n, 2]);
  });
});

describeUnless(NO_ANVIL)("sweeps in reorganisations", () => {
  it("move everything once, at every depth and around each step", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    await ground.fund(10n * ETHER);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    await swept.live(ROUND);
    let [ether, tokens] = [0n, 0n];
    for (let depth = 1; depth <= 8; depth++) {
      await ground.anvil.send({ to: alice, value: ETHER });
      await swept.payTokens("usdt", bob, 500n * TOKEN);
      [ether, tokens] = [ether + ETHER, tokens + 500n * TOKEN];
      await swept.live(ROUND - 1);
      // From before the sweeps are signed, over each of their blocks, to where they are final.
      for (let step = 0; step < 4; step++) {
        await swept.live(step === 0 ? 1 : Math.max(1, depth - 2));
        await ground.anvil.reorganise(depth);
        await swept.watch();
      }
      await swept.live(3 * ROUND);
      assertEquals([await swept.held("eth", alice), await swept.held("usdt", bob)], [0n, 0n]);
      assertEquals(await swept.held("usdt", rail.ownAddress), tokens);
    }
    assertEquals([await swept.sentBy(alice), await swept.sentBy(bob)], [8, 8]);
    assertEquals(swept.takers.get("eth")?.sum, ether / STEP);
    assertEquals(swept.takers.get("usdt")?.sum, tokens * 10n ** 10n);
    assertEquals((await swept.sweeping()).open, []);
    assertEquals(ground.faults, []);
  });

  it("are made again, and counted until then, where all that they took is back for good", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    await ground.fund(10n * ETHER);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    const carol = await ground.address("carol");
    await ground.anvil.send({ to: carol, value: ETHER });
    await swept.live(4 * ROUND);
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.payTokens("usdt", bob, 500n * TOKEN);
    await swept.live(2);
    const before = await ground.anvil.height();
    await swept.live(4 * ROUND);
    assertEquals([await swept.holders("usdt"), await swept.held("eth", alice)], [[], 0n]);
    await ground.anvil.reorganise(await ground.anvil.height() - before);
    await ground.anvil.mine();
    const cursor = await rail.goBack(before);
    for (const taker of swept.takers.values()) taker.cursor = cursor;
    const deposits = async (currency: string) => (await rail.balances(currency)).deposits;
    assertEquals([await deposits("eth"), await deposits("usdt")], [ETHER, 500n * TOKEN]);
    assert(!(await swept.holders("eth")).includes(carol));
    await swept.live(5 * ROUND);
    assertEquals([await swept.held("eth", alice), await swept.held("usdt", bob)], [0n, 0n]);
    assertEquals([await swept.sentBy(alice), await swept.sentBy(bob)], [1, 1]);
    assertEquals(swept.takers.get("eth")?.sum, 2n * ETHER / STEP);
    assertEquals(ground.faults, []);
  });

  it("go for less, with the same nonce, where what they took is gone for good", async () => {
    await using swept = await SweepGround.open({ usdt: "honest" });
    const { ground, rail } = swept;
    await ground.fund(10n * ETHER);
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    const carol = await ground.address("carol");
    const before = await ground.anvil.height();
    for (const to of [alice, carol]) await ground.anvil.send({ to, value: ETHER });
    await swept.payTokens("usdt", bob, 500n * TOKEN);
    await swept.live(4 * ROUND);
    await ground.anvil.reorganise(await ground.anvil.height() - before);
    await ground.anvil.send({ to: alice, value: ETHER / 2n });
    await swept.payTokens("usdt", bob, 200n * TOKEN);
    await swept.payTokens("usdt", carol, 300n * TOKEN);
    await ground.anvil.mine();
    const cursor = await rail.goBack(before);
    for (const taker of swept.takers.values()) taker.cursor = cursor;
    await swept.live(8 * ROUND);
    assertEquals([await swept.held("eth", alice), await swept.held("usdt", bob)], [0n, 0n]);
    assertEquals([await swept.held("usdt", carol), await swept.sentBy(alice)], [0n, 1]);
    assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
    assertEquals((await swept.sweeping()).open, []);
    assertEquals(ground.faults, []);
  });
});
