import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { Nonces } from "../../../src/wallet/evm/payouts/evm_nonces.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import type { Payout } from "../../../src/wallet/rails/rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const OTHER = "0x2222222222222222222222222222222222222222";

function payoutOf(number: number): Payout {
  return {
    id: `withdraw-${number}`,
    currency: "eth",
    address: PAYEE,
    tag: null,
    amount: ETHER / STEP,
  };
}

describeUnless(NO_ANVIL)("payouts whose block is gone", () => {
  it("are sent again, the same bytes, at every depth", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    await ground.anvil.mine(9);
    const rail = ground.rail({ network: { ...NETWORK, bumpBlocks: 100 } });
    for (let depth = 1; depth <= 8; depth++) {
      const { id } = payoutOf(depth);
      const sent = await rail.send(payoutOf(depth));
      const txid = sent.kind === "sent" ? sent.txid : "";
      const found = { kind: "sent" as const, txid, isFailed: false };
      await ground.anvil.mine(depth);
      assertEquals(await rail.find(id), { ...found, confirmations: depth });
      await ground.anvil.reorganise(depth);
      assertEquals(await rail.find(id), { ...found, confirmations: 0 });
      await ground.anvil.mine();
      assertEquals(await rail.find(id), { ...found, confirmations: 1 });
      assertEquals(await ground.anvil.balance(PAYEE), BigInt(depth) * ETHER);
    }
    assertEquals(ground.faults, []);
  });

  it("are sent again though nobody asks for them any more", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    for (let number = 1; number <= 3; number++) {
      await ground.rail().send(payoutOf(number));
      await ground.anvil.mine();
    }
    await ground.anvil.mine(2);
    assertEquals(await ground.anvil.balance(PAYEE), 3n * ETHER);
    await ground.anvil.reorganise(6);
    assertEquals(await ground.anvil.balance(PAYEE), 0n);
    await ground.fund(100n * ETHER);
    // A process that only watches sends nothing.
    for (const [keys, paid] of [[ground.watchingKeys(), 0n], [undefined, 3n * ETHER]] as const) {
      await ground.rail(keys === undefined ? {} : { keys }).tend();
      await ground.anvil.mine();
      assertEquals(await ground.anvil.balance(PAYEE), paid);
    }
    assertEquals(ground.faults, []);
  });

  it("are sent again after those before them where they did not fit beside them", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rail = ground.rail();
    for (let number = 1; number <= 2; number++) await rail.send(payoutOf(number));
    await ground.anvil.mine(5);
    await ground.anvil.reorganise(6);
    await ground.fund(100n * ETHER);
    const key = new EvmRows("anvil").nonces(rail.ownAddress);
    await ground.venue.engine.changeSidecar(key, (old) => {
      const { next, open } = old as Nonces;
      return { next, open: open.slice(0, 1), isPartial: true };
    });
    for (let paid = 1n; paid <= 2n; paid++) {
      await assertRejects(() => rail.send(payoutOf(3)), PayoutWaitsError, "Too many");
      await rail.tend();
      await ground.anvil.mine();
      assertEquals(await ground.anvil.balance(PAYEE), paid * ETHER);
    }
    await rail.send(payoutOf(3));
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), 3n * ETHER);
    assertEquals(ground.faults, []);
  });

  it("fail once another transaction has their nonce for good", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    const txid = sent.kind === "sent" ? sent.txid : "";
    await ground.anvil.rpc("anvil_dropTransaction", txid);
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    const foreign = { from: rail.ownAddress, to: OTHER, value: "0x1", nonce: "0x0" };
    await ground.anvil.rpc("eth_sendTransaction", foreign);
    await ground.anvil.mine(NETWORK.finalBlocks);
    const found = { kind: "sent" as const, txid, confirmations: 0 };
    assertEquals(await rail.find("withdraw-1"), { ...found, isFailed: false });
    await ground.anvil.mine();
    const failure = "another transaction has taken its place";
    assertEquals(await rail.find("withdraw-1"), { ...found, isFailed: true, failure });
    await rail.send(payoutOf(2));
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals(ground.faults, []);
  });

  it("of a token are paid by a forgotten transaction of as much, and by no other", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("tok", MANNERS.honest);
    await ground.fund(100n * ETHER, token);
    const rail = ground.rail();
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    const words = (units: bigint) =>
      [PAYEE.slice(2), units.toString(16)].map((one) => one.padStart(64, "0")).join("");
    for (const [nonce, units] of [100n, 1n].entries()) {
      const payout = { ...payoutOf(nonce), currency: "tok", amount: 100n * 10n ** 10n };
      const sent = await rail.send(payout);
      await ground.anvil.rpc("anvil_dropTransaction", sent.kind === "sent" ? sent.txid : "");
      const txid = await ground.anvil.rpc("eth_sendTransaction", {
        from: rail.ownAddress,
        to: token.contract,
        data: `0x${CALLS.transfer}${words(units)}`,
        nonce: `0x${nonce.toString(16)}`,
      });
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      const found = await rail.find(payout.id);
      const state = found.kind === "sent" ? [found.isFailed, found.txid === txid] : [];
      assertEquals(state, [units === 1n, units === 100n]);
    }
  });

  it("of a member to another are credited once a forgotten transaction has paid as much", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const address = await ground.address("alice");
    const rail = ground.rail();
    const taker = new Taker(rail);
    await taker.watch();
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    for (const [nonce, value] of [ETHER / 2n, ETHER, ETHER].entries()) {
      const sent = await rail.send({ ...payoutOf(nonce), address });
      await ground.anvil.rpc("anvil_dropTransaction", sent.kind === "sent" ? sent.txid : "");
      const forgotten = { from: rail.ownAddress, to: address, value: `0x${value.toString(16)}` };
      await ground.anvil.rpc("eth_sendTransaction", { ...forgotten, nonce: `0x${nonce}` });
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      // The last one is read once the next payout has taken its turn among those that are not final.
      if (nonce < 2) await taker.watch();
    }
    await rail.send(payoutOf(3));
    for (let times = 1; times <= 2; times++) await taker.watch();
    assertEquals([...taker.credited.values()], [ETHER / STEP, ETHER / STEP]);
    assertEquals(ground.faults, []);
  });

  it("are not given up because a node has no receipt of them", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await rail.send(payoutOf(1));
    await ground.anvil.mine(NETWORK.finalBlocks + 3);
    node.lies.set("eth_getTransactionReceipt", () => null);
    await assertRejects(() => rail.find("withdraw-1"), PayoutWaitsError, "contradicts");
    node.lies.clear();
    const found = await rail.find("withdraw-1");
    assert(found.kind === "sent" && !found.isFailed && found.confirmations > NETWORK.finalBlocks);
  });

  it("pay in another block what they could not in the first", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    const txid = sent.kind === "sent" ? sent.txid : "";
    const found = { kind: "sent" as const, txid, isFailed: false };
    // The recipient becomes a contract that takes nothing, in a block that is replaced.
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0xfe");
    await ground.anvil.mine(2);
    assertEquals(await rail.find("withdraw-1"), { ...found, confirmations: 0 });
    await ground.anvil.reorganise(2);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    assertEquals(await rail.find("withdraw-1"), { ...found, confirmations: 0 });
    await ground.anvil.mine(2);
    assertEquals(await rail.find("withdraw-1"), { ...found, confirmations: 2 });
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
  });

  it("wait for the tokens that they were paid from, and those after them with them", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("tok", MANNERS.honest);
    await ground.fund(100n * ETHER);
    await ground.anvil.mine(4);
    const units = 100n * 10n ** 6n;
    const fundTokens = () =>
      ground.anvil.call(token.contract ?? "", CALLS.transfer, [rail.ownAddress, units]);
    const paid = () => ground.anvil.tokens(token.contract ?? "", PAYEE);
    const rail = ground.rail();
    await fundTokens();
    await ground.anvil.mine();
    const payout = { ...payoutOf(1), currency: "tok", amount: 60n * 10n ** 16n };
    const sent = await rail.send(payout);
    const txid = sent.kind === "sent" ? sent.txid : "";
    await ground.anvil.mine(2);
    assertEquals(await paid(), 60n * 10n ** 6n);
    await ground.anvil.reorganise(3);
    for (let block = 1; block <= NETWORK.bumpBlocks; block++) {
      await rail.tend();
      await rail.send(payoutOf(2));
      await rail.find("withdraw-1");
      await ground.anvil.mine();
      assertEquals(ground.lost, []);
      const pool = await ground.anvil.rpc("txpool_status");
      assertEquals(pool, { pending: "0x0", queued: "0x0" }, "nor those after it");
    }
    assertEquals([await paid(), await ground.anvil.balance(PAYEE)], [0n, 0n]);
    await rail.tend();
    assertEquals(ground.lost, ["held_back withdraw-1"]);
    const [held] = ground.lostPayments;
    assertEquals(held?.txids[0], txid, "nothing was signed anew");
    assert(held?.detail?.includes(`send 60 tok to ${rail.ownAddress}`));
    await fundTokens();
    await ground.anvil.mine();
    await rail.tend();
    await ground.anvil.mine();
    assertEquals([await paid(), await ground.anvil.balance(PAYEE)], [60n * 10n ** 6n, ETHER]);
    await ground.anvil.mine(NETWORK.finalBlocks);
    await rail.tend();
    assertEquals(ground.lost.length, 1);
    assertEquals(ground.faults, []);
  });

  // It answers nothing, or two to whatever it is asked.
  for (const code of ["0xfe", "0x600260005260206000f3"]) {
    it(`of a token that fails by now keep no others waiting: ${code}`, async () => {
      await using ground = await EvmGround.open();
      const token = await ground.token("tok", MANNERS.honest);
      await ground.fund(100n * ETHER, token);
      const rail = ground.rail();
      await rail.send({ ...payoutOf(1), currency: "tok", amount: 10n ** 10n });
      await ground.anvil.mine(2);
      await ground.anvil.reorganise(2);
      await ground.anvil.rpc("anvil_setCode", token.contract, code);
      await rail.tend();
      await rail.send(payoutOf(2));
      await ground.anvil.mine();
      assertEquals(await ground.anvil.balance(PAYEE), ETHER);
      await ground.anvil.mine(NETWORK.finalBlocks);
      await rail.tend();
      assertEquals(ground.lost, ["without_effect withdraw-1"]);
      assertEquals(ground.faults, []);
    });
  }

  it("that their recipients refuse by now keep no others waiting", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rail = ground.rail();
    const refusing = [1, 2, 3].map((digit) => `0xabc${digit}`.padEnd(42, "4"));
    for (const [i, address] of refusing.entries()) {
      const canonical = rail.canonicalAddress(address) ?? "";
      await rail.send({ ...payoutOf(i + 1), address: canonical });
    }
    await rail.send(payoutOf(4));
    await ground.anvil.rpc("anvil_dropAllTransactions");
    for (const address of refusing) await ground.anvil.rpc("anvil_setCode", address, "0xfe");
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals([ground.lost, ground.faults], [[], []]);
  });

  it("of a token that tells of no balance by now wait for a while, all together", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("tok", MANNERS.honest);
    await ground.fund(100n * ETHER, token);
    const rail = ground.rail();
    const honest = await ground.anvil.rpc("eth_getCode", token.contract, "latest");
    const forget = async (): Promise<void> => {
      await ground.anvil.rpc("anvil_setCode", token.contract, "0x600060005260206000f3");
      await ground.anvil.rpc("anvil_dropAllTransactions");
    };
    const ofToken = (number: number) =>
      rail.send({ ...payoutOf(number), currency: "tok", amount: 10n ** 10n });
    await ofToken(1);
    const second = await ofToken(2);
    await rail.send(payoutOf(3));
    await forget();
    for (let block = 1; block <= 2 * NETWORK.bumpBlocks; block++) {
      await rail.tend();
      await ground.anvil.mine();
    }
    assertEquals([...new Set(ground.lost)], ["held_back withdraw-1"]);
    assertEquals(await ground.anvil.balance(PAYEE), 0n);
    await rail.tend();
    // In the next block there is room for one of them alone.
    const left = second.kind === "sent" ? second.txid : "";
    await ground.anvil.rpc("anvil_dropTransaction", left);
    await ground.anvil.mine();
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    ground.lost.length = 0;
    // Later ones wait as long: for them a sweep may still bring what is missing.
    await ground.anvil.rpc("anvil_setCode", token.contract, honest);
    await ofToken(4);
    await rail.tend();
    await forget();
    await rail.tend();
    await ground.anvil.mine(NETWORK.bumpBlocks);
    await rail.tend();
    assertEquals(ground.lost, ["held_back withdraw-4"]);
    await ground.anvil.mine(NETWORK.finalBlocks);
    await rail.tend();
    assertEquals(ground.lost.slice(1), ["without_effect withdraw-1", "without_effect withdraw-2"]);
    assertEquals(ground.faults, []);
  });

  it("of the network's own coin wait until it is there", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(2n * ETHER);
    const rail = ground.rail();
    await rail.send(payoutOf(1));
    await ground.anvil.rpc("anvil_dropAllTransactions");
    await ground.anvil.rpc("anvil_setBalance", rail.ownAddress, "0x0");
    for (let block = 0; block <= 2 * NETWORK.bumpBlocks; block++) {
      await ground.anvil.mine();
      await rail.tend();
    }
    assertEquals([...new Set(ground.lost)], ["held_back withdraw-1"]);
    await ground.fund(2n * ETHER);
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals(ground.faults, []);
  });

  it("that wait for coins, and that others have mined, keep no others waiting", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    const txid = sent.kind === "sent" ? sent.txid : "";
    const signed = await ground.anvil.rpc("eth_getRawTransactionByHash", txid);
    await ground.anvil.rpc("anvil_dropAllTransactions");
    await ground.anvil.rpc("anvil_setBalance", rail.ownAddress, "0x0");
    await rail.tend();
    await ground.fund(100n * ETHER);
    await ground.anvil.rpc("eth_sendRawTransaction", signed);
    await ground.anvil.mine();
    await rail.send(payoutOf(2));
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), 2n * ETHER);
    assertEquals([ground.lost, ground.faults], [[], []]);
  });

  it("that share too few tokens go one after the other", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("tok", MANNERS.honest);
    await ground.fund(100n * ETHER);
    await ground.anvil.mine(4);
    const rail = ground.rail();
    const fundTokens = (units: bigint) =>
      ground.anvil.call(token.contract ?? "", CALLS.transfer, [rail.ownAddress, units]);
    await fundTokens(10n);
    await ground.anvil.mine();
    for (const number of [1, 2]) {
      await rail.send({ ...payoutOf(number), currency: "tok", amount: 5n * 10n ** 10n });
    }
    await ground.anvil.mine(2);
    await ground.anvil.reorganise(3);
    for (const left of [5n, 10n]) {
      await fundTokens(5n);
      await ground.anvil.mine();
      await rail.tend();
      await ground.anvil.mine();
      await rail.tend();
      assertEquals(await ground.anvil.tokens(token.contract ?? "", PAYEE), left);
    }
    assertEquals(ground.faults, []);
  });

  it("are told once they are mined without effect for good, and are never sent again", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const kept = await ground.anvil.height();
    const rail = ground.rail();
    await rail.send(payoutOf(1));
    await ground.anvil.mine(2);
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    await ground.anvil.reorganise(2);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0xfe");
    await rail.tend();
    await ground.anvil.mine(NETWORK.finalBlocks);
    await rail.tend();
    assertEquals(ground.lost, []);
    await ground.anvil.mine();
    for (let times = 1; times <= 2; times++) await rail.tend();
    assertEquals(ground.lost, ["without_effect withdraw-1"]);
    await ground.anvil.reorganise(await ground.anvil.height() - kept);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    await rail.goBack(kept);
    await rail.send(payoutOf(2));
    await rail.tend();
    await ground.anvil.mine(1);
    assertEquals(await ground.anvil.balance(PAYEE), ETHER, "the second one");
    await ground.anvil.mine(NETWORK.finalBlocks);
    // Before it is left out for good.
    await rail.send(payoutOf(3));
    assertEquals(ground.lost.slice(1), ["without_effect withdraw-1"]);
    assertEquals(ground.faults, []);
  });

  it("are told later where a node has no receipt, and keep no others waiting until then", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await rail.send(payoutOf(1));
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0xfe");
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    node.lies.set("eth_getTransactionReceipt", () => null);
    await rail.send(payoutOf(2));
    assertEquals([ground.lost, ground.faults.length], [[], 1]);
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    node.lies.clear();
    await rail.tend();
    assertEquals(ground.lost, ["without_effect withdraw-1"]);
  });

  it("that had failed for good are replaced in the pool of a node that has them again", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const kept = await ground.anvil.height();
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    const txid = sent.kind === "sent" ? sent.txid : "";
    const signed = await ground.anvil.rpc("eth_getRawTransactionByHash", txid);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0xfe");
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await rail.find("withdraw-1");
    await ground.anvil.reorganise(await ground.anvil.height() - kept);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    await ground.anvil.rpc("eth_sendRawTransaction", signed);
    await rail.goBack(kept);
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), 0n);
    await rail.send(payoutOf(2));
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals(ground.faults, []);
  });

  it("fail where another transaction has their nonce below the block that they were signed at", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    await ground.anvil.mine(4);
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    await ground.anvil.rpc("anvil_dropTransaction", sent.kind === "sent" ? sent.txid : "");
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    const foreign = { from: rail.ownAddress, to: OTHER, value: "0x1", nonce: "0x0", gas: "0x5208" };
    await ground.anvil.rpc("anvil_reorg", 3, [[foreign, 0]]);
    assertEquals(await ground.anvil.balance(OTHER), 1n);
    await ground.anvil.mine(NETWORK.finalBlocks);
    const found = await rail.find("withdraw-1");
    assert(found.kind === "sent" && found.isFailed);
    assertEquals(ground.faults, []);
  });

  it("that had failed for good and are mined again by others are told as paid", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const kept = await ground.anvil.height();
    const rail = ground.rail();
    const sent = await rail.send(payoutOf(1));
    const signed = await ground.anvil.rpc(
      "eth_getRawTransactionByHash",
      sent.kind === "sent" ? sent.txid : "",
    );
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0xfe");
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    const found = await rail.find("withdraw-1");
    assert(found.kind === "sent" && found.isFailed);
    await ground.anvil.reorganise(await ground.anvil.height() - kept);
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    await ground.anvil.rpc("eth_sendRawTransaction", signed);
    await ground.anvil.mine();
    await rail.goBack(kept);
    await ground.anvil.mine(NETWORK.finalBlocks);
    await rail.tend();
    assertEquals([await ground.anvil.balance(PAYEE), ground.lost], [ETHER, [
      "returned withdraw-1",
    ]]);
    assertEquals(ground.faults, []);
  });

  it("with a nonce before them that nobody knows any more wait until it is filled", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    await ground.anvil.rpc("anvil_impersonateAccount", rail.ownAddress);
    const forgotten = { from: rail.ownAddress, to: OTHER, value: "0x1", nonce: "0x0" };
    await ground.anvil.rpc("eth_sendTransaction", forgotten);
    await ground.anvil.mine();
    await assertRejects(() => rail.send(payoutOf(1)), PayoutWaitsError, "more than");
    await ground.anvil.mine();
    await rail.send(payoutOf(1));
    await ground.anvil.mine();
    await ground.anvil.reorganise(3);
    // As long as the node has it, it will be mined.
    node.lies.set(
      "eth_getTransactionCount",
      (count, [, block]) => block === "pending" ? "0x1" : count,
    );
    for (let block = 0; block <= NETWORK.bumpBlocks; block++) {
      await rail.tend();
      await ground.anvil.mine();
    }
    node.lies.clear();
    assertEquals(ground.lost, []);
    for (let block = 0; block <= NETWORK.bumpBlocks; block++) {
      assertEquals(await ground.anvil.balance(PAYEE), 0n);
      await rail.tend();
      await ground.anvil.mine();
    }
    assertEquals([await ground.anvil.balance(PAYEE), await ground.anvil.balance(OTHER)], [
      ETHER,
      0n,
    ]);
    assertEquals(ground.lost, [], "the forgotten one may be mined yet");
    await ground.anvil.mine(NETWORK.finalBlocks);
    for (let times = 1; times <= 2; times++) await rail.tend();
    assertEquals(ground.lost, ["forgotten fill-0"]);
    assertEquals(ground.faults, []);
  });
});
