import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { describeUnless } from "../../support/unless.ts";
import { NoStateError } from "../../../src/wallet/rails/network_rail.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { evmNetwork } from "../../../src/wallet/evm/evm_networks.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { EvmNodeError, RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import { CoinTermsError } from "../../../src/wallet/rails/network_rail.ts";
import { RefusedDepositError } from "../../../src/wallet/evm/found_outputs.ts";
import type { JsonRpc, RpcQuestion } from "../../../src/wallet/evm/evm_node.ts";
import { LyingNode } from "./lying_node.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";

describeUnless(NO_ANVIL)("deposits by the rail", () => {
  it("are seen with their confirmations, and leave the watch when they are final", async () => {
    await using ground = await EvmGround.open();
    const taker = new Taker(ground.rail());
    await taker.watch();
    const address = await ground.address("alice");
    const txid = await ground.anvil.send({ to: address, value: 3n * ETHER + 7n });
    assertEquals(await taker.watch(), []);
    await ground.anvil.mine();
    const amount = (3n * ETHER) / STEP;
    const output = { address, txid, output: 0, amount, isDropped: false };
    assertEquals(await taker.watch(), [{ ...output, confirmations: 1 }]);
    await ground.anvil.mine(2);
    assertEquals(await taker.watch(), [{ ...output, confirmations: 3 }]);
    await ground.anvil.mine(NETWORK.finalBlocks - 2);
    assertEquals(await taker.watch(), [{ ...output, confirmations: NETWORK.finalBlocks + 1 }]);
    assertEquals(await taker.watch(), []);
    const node = ground.node();
    const asked: unknown[] = [];
    const ask: typeof node.ask = (questions) => {
      asked.push(...questions.filter(({ params }) => params[1] === true));
      return node.ask(questions);
    };
    const rail = ground.rail({ node: { ...node, ask } });
    const found = await rail.look("eth", txid.slice(2).toUpperCase(), 0);
    assertEquals(asked, [], "a look at what is where it was reads no whole block");
    assertEquals(found, { ...output, confirmations: NETWORK.finalBlocks + 1 });
    assertEquals(ground.faults, []);
  });

  it("are seen since their address was given, however much later they are looked for", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("usdt", MANNERS.honest);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const address = await ground.address("alice", rail);
    await rail.createAddress("usdt", "alice");
    // As long as nobody can note where a coin begins, nobody is told where to pay it.
    ground.coins.push({ ...token, currency: "usdc" });
    node.lies.set("eth_chainId", () => null);
    const height = rail.health().height;
    await assertRejects(() => rail.createAddress("usdc", "alice"), EvmNodeError);
    assertEquals(rail.health(), { height, fault: "contradicting" });
    assertEquals(
      await rail.createAddress("usdt", "bob"),
      await ground.rail().createAddress("usdt", "bob"),
    );
    ground.coins.pop();
    node.lies.clear();
    await ground.anvil.call(token.contract ?? "", CALLS.transfer, [address, 10n]);
    await ground.anvil.send({ to: address, value: ETHER });
    await ground.anvil.mine(3 * NETWORK.finalBlocks);
    const takers = [new Taker(rail), new Taker(ground.rail(), "usdt")];
    for (const taker of takers) await taker.watch();
    assertEquals(takers.map(({ sum }) => sum), [ETHER / STEP, 10n * 10n ** 10n]);
    assertEquals(rail.health().fault, null);
  });

  it("of tokens are several in one transaction, and none of zero", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("usdt", MANNERS.honest);
    const taker = new Taker(ground.rail(), "usdt");
    await taker.watch();
    const address = await ground.address("alice");
    const contract = token.contract ?? "";
    await ground.anvil.call(contract, CALLS.transferTwice, [address, 5n, 6n]);
    await ground.anvil.call(contract, CALLS.transferTwice, [address, 0n, 7n]);
    await ground.anvil.mine();
    const seen = await taker.watch();
    assertEquals(seen.map(({ output, amount }) => [output, amount]), [
      [0, 5n * 10n ** 10n],
      [1, 6n * 10n ** 10n],
      [1, 7n * 10n ** 10n],
    ]);
    assertEquals(ground.faults, []);
  });

  it("of tokens are only those that arrive in full, of those that are served", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const manners = [MANNERS.lying, MANNERS.fee, MANNERS.hiddenFee, MANNERS.honest];
    const takers: Taker[] = [];
    for (const [i, manner] of manners.entries()) {
      const { contract } = await ground.token(`t${i}`, manner);
      takers.push(new Taker(ground.rail(), `t${i}`, 1));
      await takers[i]?.watch();
      await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 1000n]);
    }
    const served = ground.coins.pop();
    const strange = new Taker(ground.rail(), "eth", 1);
    await ground.anvil.mine();
    for (const taker of [...takers.slice(0, 3), strange]) await taker.watch();
    assertEquals(takers.map(({ sum }) => sum), [0n, 0n, 0n, 0n]);
    assertEquals(strange.sum, 0n);
    const faults = new Set(ground.faults.map((fault) => fault instanceof RefusedDepositError));
    assertEquals(faults, new Set([true]));
    // Once it is served, its last transfers count.
    if (served !== undefined) ground.coins.push(served);
    await takers[3]?.watch();
    assertEquals(takers[3]?.sum, 1000n * 10n ** 10n);
  });

  it("of tokens are those that are there where a node has no old balances", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const manners = [MANNERS.lying, MANNERS.fee, MANNERS.hiddenFee, MANNERS.honest];
    const lying = new LyingNode(ground.node());
    const rail = ground.rail({ node: lying });
    const takers: Taker[] = [];
    for (const [i, manner] of manners.entries()) {
      const { contract } = await ground.token(`t${i}`, manner);
      takers.push(new Taker(rail, `t${i}`, 1));
      await takers[i]?.watch();
      for (const units of [1000n, 2000n]) {
        await ground.anvil.call(contract ?? "", CALLS.transfer, [address, units]);
        await ground.anvil.mine();
      }
    }
    await ground.anvil.mine(2);
    const { hash } = await ground.anvil.rpc("eth_getBlockByNumber", "latest", false) as {
      hash: string;
    };
    lying.lies.set("eth_call", (answer, [, at]) => {
      const of = (at as { blockHash?: string }).blockHash ?? hash;
      if (of !== hash) throw new RpcRefusedError("eth_call", -32000, "missing trie node");
      return answer;
    });
    for (const taker of takers) await taker.watch();
    assertEquals(takers.map(({ sum }) => sum / 10n ** 10n), [0n, 0n, 0n, 3000n]);
  });

  it("of others are seen where a token tells no balances, in whatever words", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const lying = new LyingNode(ground.node());
    const rail = ground.rail({ node: lying });
    const tokens = [await ground.token("bad", 0n), await ground.token("good", 0n)];
    const takers = ["bad", "good", "eth"].map((currency) => new Taker(rail, currency, 1));
    for (const taker of takers) await taker.watch();
    const answers = [
      () => "0x",
      () => {
        throw new RpcRefusedError("eth_call", 3, "execution reverted: already known, pruned");
      },
    ];
    for (const [i, answer] of answers.entries()) {
      const isBad = ({ to }: { to: string }) => to === tokens[0]?.contract;
      lying.lies.set("eth_call", (real, [call]) => isBad(call as { to: string }) ? answer() : real);
      for (const { contract } of tokens) {
        await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 1000n]);
      }
      await ground.anvil.send({ to: address, value: ETHER });
      await ground.anvil.mine();
      for (const taker of takers) await taker.watch();
      const times = BigInt(i + 1);
      assertEquals(takers.map(({ sum }) => sum), [
        0n,
        times * 1000n * 10n ** 10n,
        times * ETHER / STEP,
      ]);
      assertEquals(rail.health().fault, null);
    }
    assert(ground.faults.every((fault) => fault instanceof RefusedDepositError));
  });

  it("are read in fewer blocks at once where those are too many for the node", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const node = ground.node();
    const small: JsonRpc = {
      ask(questions) {
        const blocks = questions.filter(({ params }) => params[1] === true);
        if (blocks.length > 2) throw new EvmNodeError("contradicting", "its answer is too long");
        return node.ask(questions);
      },
    };
    const taker = new Taker(ground.rail({ node: small }), "eth", 1);
    await taker.watch();
    await ground.anvil.mine(20);
    await ground.anvil.send({ to: address, value: ETHER });
    await ground.anvil.mine(20);
    await taker.watch();
    assertEquals(taker.sum, ETHER / STEP);
    assertEquals(taker.rail.health().fault, null);
  });

  it("of tokens count whoever called, unless it was in vain", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const token = await ground.token("usdt", MANNERS.honest);
    const payer = await ground.anvil.deploy(PAYER_CODE);
    const [contract, taker] = [token.contract ?? "", new Taker(ground.rail(), "usdt", 1)];
    await taker.watch();
    await ground.anvil.call(contract, CALLS.transfer, [payer, 500n]);
    await ground.anvil.call(payer, CALLS.payToken, [contract, address, 200n]);
    await ground.anvil.call(payer, CALLS.payToken, [contract, address, 301n]);
    await ground.anvil.mine();
    await taker.watch();
    assertEquals(taker.sum, 200n * 10n ** 10n);
    assertEquals(ground.faults, []);
  });

  it("that are too much for the ledger are refused", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const token = await ground.token("big", MANNERS.honest, 0);
    const taker = new Taker(ground.rail(), "big", 1);
    await taker.watch();
    await ground.anvil.call(token.contract ?? "", CALLS.transfer, [address, 10n ** 20n]);
    await ground.anvil.call(token.contract ?? "", CALLS.transfer, [address, 10n ** 20n - 1n]);
    await ground.anvil.mine();
    await taker.watch();
    assertEquals(taker.sum, (10n ** 20n - 1n) * 10n ** 16n);
    assertEquals(ground.faults.length, 1);
  });

  it("are read on from where another process is, not from where one was last", async () => {
    await using ground = await EvmGround.open();
    const node = new LyingNode(ground.node());
    const idle = ground.rail({ node });
    const other = new Taker(ground.rail());
    await idle.watch("eth", null);
    await ground.anvil.mine(100);
    await other.watch();
    const heights: unknown[] = [];
    node.lies.set("eth_getBlockByNumber", (answer, [height, isFull]) => {
      if (isFull === true) heights.push(height);
      return answer;
    });
    await idle.watch("eth", other.cursor);
    assertEquals(heights.length, NETWORK.finalBlocks);
  });

  it("of a token are not taken while it is served with other digits than it has", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("usdt", MANNERS.honest, 6);
    ground.coins[1] = { ...token, digits: 18 };
    const rail = ground.rail();
    await assertRejects(() => rail.watch("usdt", null), CoinTermsError);
    const amount = 10n ** 16n;
    const payout = {
      id: "withdraw-1",
      currency: "usdt",
      address: ground.anvil.funder,
      tag: null,
      amount,
    };
    await assertRejects(() => rail.send(payout), CoinTermsError);
    await rail.watch("eth", null);
    ground.coins[1] = token;
    await rail.watch("usdt", null);
  });

  it("and payouts of a token are refused while its contract has no code", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("usdt", MANNERS.honest, 6);
    ground.coins[1] = { ...token, contract: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" };
    const [real, down] = [ground.node(), new EvmNodeError("unreachable", "it is down")];
    let isDown = true;
    const node = {
      ask: (all: readonly RpcQuestion[]) => isDown ? Promise.reject(down) : real.ask(all),
    };
    const rail = ground.rail({ node });
    await assertRejects(() => rail.watch("usdt", null), EvmNodeError);
    assertEquals(rail.health().fault, "unreachable");
    isDown = false;
    await assertRejects(() => rail.watch("usdt", null), CoinTermsError, "has no code");
    assertEquals(rail.health().fault, null, "the node is well");
    await assertRejects(() => rail.createAddress("usdt", "alice"), CoinTermsError);
    await assertRejects(() => rail.balances("usdt"), CoinTermsError);
    const payout = { id: "withdraw-1", currency: "usdt", address: ground.anvil.funder, tag: null };
    await assertRejects(() => rail.send({ ...payout, amount: 10n ** 16n }), CoinTermsError);
    await rail.watch("eth", null);
    ground.coins[1] = token;
    await rail.watch("usdt", null);
  });

  it("by contracts are found by balances, once by two processes", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const payer = await ground.anvil.deploy(PAYER_CODE);
    // Without the seed, so that the address keeps what it was paid.
    const keys = ground.watchingKeys();
    const takers = [new Taker(ground.rail({ keys })), new Taker(ground.rail({ keys }))];
    for (const taker of takers) await taker.watch();
    await ground.anvil.send({ to: address, value: 5n * ETHER });
    await ground.anvil.call(payer, CALLS.pay, [address], 2n * ETHER + 1n);
    await ground.anvil.call(payer, CALLS.payInVain, [address], ETHER);
    for (let block = 0; block < 2 * NETWORK.finalBlocks; block++) {
      if (block === 3) await ground.anvil.call(payer, CALLS.pay, [address], 3n * ETHER);
      if (block === 4) await ground.anvil.send({ to: address, value: ETHER });
      await ground.anvil.mine();
      await Promise.all(takers.map((taker) => taker.watch()));
    }
    for (const taker of takers) {
      const amounts = [...taker.credited.values()].map((one) => one * STEP / ETHER);
      assertEquals(amounts.toSorted(), [1n, 2n, 3n, 5n]);
      assertEquals([...taker.credited].toSorted(), [...takers[0]?.credited ?? []].toSorted());
    }
    assertEquals(await ground.anvil.balance(address), 11n * ETHER + 1n);
    const [name = ""] = [...takers[0]?.credited.keys() ?? []].filter((one) => one.includes("-"));
    const found = await ground.rail().look("eth", name.split(":")[0] ?? "", 1);
    assertEquals(found?.address, address);
    assertEquals(ground.faults, []);
  });
});

describeUnless(NO_ANVIL)("deposits by contracts", () => {
  it("are found at addresses of other networks, and at those of older versions", async () => {
    await using ground = await EvmGround.open();
    const network = present(evmNetwork("anvil-second"), "there is another network");
    const node = new LyingNode(ground.node());
    node.lies.set("eth_chainId", () => `0x${network.chainId.toString(16)}`);
    const alice = await ground.address("alice", ground.rail({ network, node }));
    const bob = await ground.address("bob");
    const { engine } = ground.venue;
    await engine.changeSidecar(new EvmRows("anvil").address(bob), () => null);
    await engine.createSidecar({ key: ["wallet_networks", "anvil", "address", bob], value: true });
    const payer = await ground.anvil.deploy(PAYER_CODE);
    const taker = new Taker(ground.rail());
    await taker.watch();
    for (const address of [alice, bob]) await ground.anvil.call(payer, CALLS.pay, [address], ETHER);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await taker.watch();
    assertEquals(taker.sum, 2n * ETHER / STEP);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await taker.watch();
    // What is there is the wallet's.
    const swept = async () =>
      (await ground.anvil.balance(alice)) + (await ground.anvil.balance(bob));
    for (let block = 0; block < 3 * NETWORK.finalBlocks && await swept() > 0n; block++) {
      await ground.anvil.mine();
      await taker.rail.tend();
      await taker.watch();
    }
    assertEquals(await swept(), 0n);
    assertEquals(ground.faults, []);
  });
});

describeUnless(NO_ANVIL)("deposits in reorganisations", () => {
  it("come again in another block, once, at every depth", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const token = await ground.token("usdt", MANNERS.honest);
    const rail = ground.rail();
    const takers = [new Taker(rail, "eth", 9), new Taker(rail, "usdt", 9)];
    for (const taker of takers) await taker.watch();
    for (let depth = 1; depth <= 8; depth++) {
      const txids = [
        await ground.anvil.send({ to: address, value: ETHER }),
        await ground.anvil.call(token.contract ?? "", CALLS.transfer, [address, 10n]),
      ];
      const raw = await Promise.all(
        txids.map((txid) => ground.anvil.rpc("eth_getRawTransactionByHash", txid)),
      );
      await ground.anvil.mine(depth);
      for (const taker of takers) await taker.watch();
      await ground.anvil.reorganise(depth);
      for (const taker of takers) await taker.watch();
      assertEquals(takers.map((taker) => taker.states().at(-1)), [0, 0]);
      for (const one of raw) await ground.anvil.rpc("eth_sendRawTransaction", one);
      await ground.anvil.mine(2);
      for (const taker of takers) await taker.watch();
      assertEquals(takers.map((taker) => taker.states().at(-1)), [2, 2]);
      await ground.anvil.mine(9);
      for (const taker of takers) await taker.watch();
      assertEquals(takers.map(({ credited }) => credited.size), [depth, depth]);
    }
    assertEquals(takers.map(({ sum }) => sum), [8n * ETHER / STEP, 80n * 10n ** 10n]);
    assertEquals(ground.faults, []);
  });

  it("of tokens keep their names though the block has other logs before them", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const token = await ground.token("usdt", MANNERS.honest);
    const taker = new Taker(ground.rail(), "usdt");
    await taker.watch();
    const contract = token.contract ?? "";
    const txid = await ground.anvil.call(contract, CALLS.transferTwice, [address, 1n, 2n]);
    const raw = await ground.anvil.rpc("eth_getRawTransactionByHash", txid);
    await ground.anvil.mine();
    await taker.watch();
    await ground.anvil.reorganise(1);
    const [, other = ""] = await ground.anvil.rpc("eth_accounts") as string[];
    await ground.anvil.rpc("anvil_impersonateAccount", contract);
    await ground.anvil.rpc("anvil_setBalance", contract, "0xffffffffffffffffff");
    const data = `0x${CALLS.transfer}${other.slice(2).padStart(64, "0")}${"0".repeat(64)}`;
    await ground.anvil.rpc("eth_sendTransaction", { from: contract, to: contract, data });
    await ground.anvil.rpc("eth_sendRawTransaction", raw);
    await ground.anvil.mine(4);
    await taker.watch();
    assertEquals(taker.states(), [4, 4]);
    assertEquals(taker.sum, 3n * 10n ** 10n);
    const receipt = await ground.anvil.rpc("eth_getTransactionReceipt", txid);
    assertEquals((receipt as { logs: { logIndex: string }[] }).logs[0]?.logIndex, "0x1");
  });

  it("that never come again are dropped, also by a process that comes later", async () => {
    await using ground = await EvmGround.open();
    const address = await ground.address("alice");
    const taker = new Taker(ground.rail(), "eth", 5);
    await taker.watch();
    const txid = await ground.anvil.send({ to: address, value: ETHER });
    await ground.anvil.mine(3);
    await taker.watch();
    await ground.anvil.reorganise(3);
    // The watch tells of it by itself: nobody asks for what has been credited.
    assertEquals((await taker.watch()).map(({ confirmations }) => confirmations), [0]);
    assertEquals(taker.states(), [0]);
    const later = ground.rail();
    const missed = { address, txid, output: 0, amount: ETHER / STEP, confirmations: 0 };
    assertEquals(await later.look("eth", txid, 0), { ...missed, isDropped: false });
    await ground.anvil.mine(NETWORK.finalBlocks - 1);
    await taker.watch();
    assertEquals(taker.states(), [0]);
    await ground.anvil.mine();
    await taker.watch();
    assertEquals(taker.states(), ["dropped"]);
    assertEquals(await later.look("eth", txid, 0), { ...missed, isDropped: true });
    assertEquals(taker.sum, 0n);
  });

  for (const back of ["before", "after"]) {
    it(`of before are credited once, read anew from ${back} them`, async () => {
      await using ground = await EvmGround.open();
      const { anvil } = ground;
      const node = new LyingNode(ground.node());
      const taker = new Taker(ground.rail({ node }), "eth", 1);
      await taker.watch();
      const start = await anvil.height();
      const payer = await anvil.deploy(PAYER_CODE);
      // Paid before anybody knows whose address it is: balances show it later.
      const address = ground.addressToBe("alice");
      await anvil.send({ to: address, value: 2n * ETHER });
      await anvil.mine(2);
      await taker.watch();
      await ground.address("alice");
      await anvil.call(payer, CALLS.pay, [address], 3n * ETHER);
      await anvil.mine();
      const paid = await anvil.height();
      await anvil.mine(NETWORK.finalBlocks);
      for (let i = 0; i < 3; i++) await taker.watch();
      await anvil.mine(NETWORK.finalBlocks + 4);
      for (let i = 0; i < 3; i++) await taker.watch();
      assertEquals(taker.sum, (5n * ETHER) / STEP);

      await anvil.reorganise(NETWORK.finalBlocks + 3);
      await anvil.mine(2);
      await assertRejects(() => taker.watch(), EvmNodeError);
      const from = back === "before" ? start : paid + 1;
      // A node that keeps the last balances alone can't tell what was there, if it matters.
      node.lies.set("eth_getBalance", () => {
        throw new RpcRefusedError("eth_getBalance", -32000, "missing trie node 0a (path )");
      });
      if (back === "before") {
        await assertRejects(() => taker.rail.goBack(from), NoStateError);
        assertEquals(taker.rail.health().fault, "reorganised");
        node.lies.clear();
      }
      taker.cursor = await taker.rail.goBack(from);
      node.lies.clear();
      await anvil.mine(NETWORK.finalBlocks);
      for (let i = 0; i < 3; i++) await taker.watch();
      assertEquals(taker.sum, (5n * ETHER) / STEP, "nothing is credited again");
      await anvil.call(payer, CALLS.pay, [address], 7n * ETHER);
      await anvil.send({ to: address, value: 11n * ETHER });
      await anvil.mine(NETWORK.finalBlocks + 2);
      for (let i = 0; i < 3; i++) await taker.watch();
      assertEquals(taker.sum, (23n * ETHER) / STEP);
      assertEquals(ground.faults.filter((fault) => !(fault instanceof RefusedDepositError)), []);
    });
  }

  it("stop the rail where they reach below what is final", async () => {
    await using ground = await EvmGround.open();
    const rail = ground.rail();
    const taker = new Taker(rail);
    await ground.anvil.mine(20);
    await taker.watch();
    await ground.anvil.mine(6);
    await taker.watch();
    await ground.anvil.reorganise(NETWORK.finalBlocks + 2);
    for (const one of [rail, ground.rail()]) {
      const error = await assertRejects(() => one.watch("eth", taker.cursor), EvmNodeError);
      assertEquals(error.fault, "reorganised");
      const { replaced, fault } = one.health();
      assertEquals(fault, "reorganised");
      assertEquals(`${replaced?.height}:${replaced?.hash}`, taker.cursor);
      assertEquals(replaced?.depth, NETWORK.finalBlocks + 1);
      const payout = {
        id: "withdraw-1",
        currency: "eth",
        address: rail.ownAddress,
        tag: null,
        amount: 1n,
      };
      await assertRejects(() => one.send(payout), PayoutWaitsError, "reorganised");
      await assertRejects(() => one.find("withdraw-1"), PayoutWaitsError);
    }
  });
});
