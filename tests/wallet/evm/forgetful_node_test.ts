/** Nodes that keep the state of late blocks alone, as most do. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import {
  MissingBalanceError,
  UntoldBalanceError,
} from "../../../src/wallet/evm/balance_comparison.ts";
import {
  EvmNodeError,
  LongAnswerError,
  RpcRefusedError,
} from "../../../src/wallet/evm/evm_node_error.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ComparedGround, takeFrom } from "./compared_ground.ts";
import { ETHER, EvmGround, NETWORK, STEP } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";
import { SweepGround } from "./sweep_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
/** So many blocks go by that a node has forgotten the first of them. */
const LONG = 200;

/** Has a node know only what addresses had sent up to late blocks. */
async function forget(node: LyingNode, { anvil }: EvmGround): Promise<void> {
  const known = await anvil.height() - 20;
  node.lies.set("eth_getTransactionCount", (answer, [, block]) => {
    if (typeof block !== "string" || Number(block) >= known) return answer;
    throw new RpcRefusedError("eth_getTransactionCount", -32_000, "missing trie node");
  });
}

describeUnless(NO_ANVIL)("an address of which a node has forgotten what it had sent", () => {
  it("stops no other's comparison, is told of once, and goes on from there", async () => {
    await using compared = await ComparedGround.open();
    const { ground, node, rail, taker, addresses: [first, second] } = compared;
    await takeFrom(ground, first, rail.ownAddress);
    await compared.payBy(second);
    await ground.anvil.mine(LONG);
    await forget(node, ground);
    await compared.live(1);
    assertEquals(taker.sum, 9n * ETHER / (4n * STEP));
    assertEquals(ground.faults.map((one) => one instanceof UntoldBalanceError), [true]);
    await compared.payBy(first);
    await compared.live(NETWORK.finalBlocks + 1);
    assertEquals(taker.sum, 10n * ETHER / (4n * STEP));
    assertEquals(ground.faults.length, 1);
  });

  it("is compared again where it may know later, or contradicts itself, as others are", async () => {
    await using compared = await ComparedGround.open();
    const { ground, node, rail, taker, addresses: [first, second] } = compared;
    await takeFrom(ground, first, rail.ownAddress);
    await compared.payBy(first);
    await compared.payBy(second);
    await ground.anvil.mine(NETWORK.finalBlocks + 20);
    await forget(node, ground);
    await compared.live(1);
    assertEquals(taker.sum, 9n * ETHER / (4n * STEP));
    assert(ground.faults.splice(0).every((one) => one instanceof RpcRefusedError));
    node.lies.set(
      "eth_getTransactionCount",
      (answer, [, block]) => typeof block === "string" ? "0x0" : answer,
    );
    await compared.payBy(second);
    await compared.live(NETWORK.finalBlocks + 1);
    assertEquals(taker.sum, 10n * ETHER / (4n * STEP));
    assert(ground.faults.splice(0).every((one) => String(one).includes("contradicting")));
    node.lies.clear();
    await compared.live(1);
    assertEquals([taker.sum, ground.faults], [11n * ETHER / (4n * STEP), []]);
  });

  it("stops all where the node is away", async () => {
    await using compared = await ComparedGround.open();
    const { ground, node, rail, taker, addresses } = compared;
    for (const address of addresses) await takeFrom(ground, address, rail.ownAddress);
    await compared.payBy(addresses[0]);
    await ground.anvil.mine(NETWORK.finalBlocks + 20);
    node.lies.set("eth_getTransactionCount", (answer, [, block]) => {
      if (typeof block !== "string") return answer;
      throw new EvmNodeError("unreachable", "it is away");
    });
    await taker.watch();
    assertEquals(ground.faults.splice(0).length, 1);
    node.lies.clear();
    await taker.watch();
    assertEquals([taker.sum, ground.faults], [9n * ETHER / (4n * STEP), []]);
  });
});

describeUnless(NO_ANVIL)("a payment of which a node has forgotten the receipt", () => {
  for (const isMoved of [false, true]) {
    const what = isMoved ? ", though another block had it before" : "";
    it(`is not found a second time where its address is compared${what}`, async () => {
      await using compared = await ComparedGround.open();
      const { ground: { anvil, faults }, node, taker, addresses: [to, other] } = compared;
      const txid = await anvil.send({ to, value: ETHER });
      const raw = await anvil.rpc("eth_getRawTransactionByHash", txid);
      await anvil.mine(1);
      await taker.watch();
      if (isMoved) {
        await anvil.reorganise(1);
        await anvil.mine(1);
        await anvil.rpc("eth_sendRawTransaction", raw);
      }
      await anvil.mine(1);
      await taker.watch();
      node.lies.set(
        "eth_getTransactionReceipt",
        (answer, [asked]) => asked === txid ? null : answer,
      );
      await compared.payBy(to);
      await compared.payBy(other);
      await compared.live(NETWORK.finalBlocks + 2);
      assertEquals([taker.sum, faults], [14n * ETHER / (4n * STEP), []]);
    });
  }

  it("is one of many in blocks that fill an answer each", async () => {
    await using compared = await ComparedGround.open();
    const { ground, node, taker, addresses: [to] } = compared;
    const honest = node.node;
    node.node = {
      ask(questions, bytesMax) {
        const long = questions.filter(({ method, params }) =>
          method === "eth_getTransactionReceipt" || params[1] === true
        );
        if (long.length > 1) throw new LongAnswerError();
        return honest.ask(questions, bytesMax);
      },
    };
    const paid: string[] = [];
    for (let i = 0; i < 4; i++) paid.push(await ground.anvil.send({ to, value: ETHER }));
    await ground.anvil.mine(2);
    await taker.watch();
    // The last is told, but its block is full of others'.
    const forgotten = new Set<unknown>(paid.slice(0, -1));
    node.lies.set(
      "eth_getTransactionReceipt",
      (answer, [asked]) => forgotten.has(asked) ? null : answer,
    );
    await compared.payBy(to);
    await compared.live(NETWORK.finalBlocks + 2);
    assertEquals([taker.sum, ground.faults], [25n * ETHER / (4n * STEP), []]);
  });

  it("stops its address where that has sent it, as long as the node may know again", async () => {
    await using compared = await ComparedGround.open();
    const { ground, node, rail, taker, addresses: [from] } = compared;
    await takeFrom(ground, from, rail.ownAddress);
    await compared.payBy(from);
    node.lies.set("eth_getTransactionReceipt", () => null);
    await compared.live(NETWORK.finalBlocks + 20);
    assertEquals(taker.sum, 2n * ETHER / STEP);
    assert(ground.faults.splice(0).every((one) => one instanceof MissingBalanceError));
    await compared.live(LONG);
    assertEquals(taker.sum, 2n * ETHER / STEP);
    assertEquals(ground.faults.splice(0).map((one) => one instanceof UntoldBalanceError), [true]);
    await compared.payBy(from);
    await compared.live(NETWORK.finalBlocks + 1);
    assertEquals([taker.sum, ground.faults], [9n * ETHER / (4n * STEP), []]);
  });
});

describeUnless(NO_ANVIL)("a nonce of which a node has forgotten what took it", () => {
  it("leaves its payout to the operator, who is told that it may be paid", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const amount = ETHER / STEP;
    const payout = { id: "withdraw-1", currency: "eth", address: PAYEE, tag: null, amount };
    const sent = await rail.send(payout);
    const txid = sent.kind === "sent" ? sent.txid : "";
    await ground.anvil.rpc("anvil_dropTransaction", txid);
    await takeFrom(ground, rail.ownAddress, PAYEE);
    await ground.anvil.mine(LONG);
    await forget(node, ground);
    const failure = "another transaction has taken its place, and may have paid it: " +
      "the node can't show it";
    const found = { kind: "sent" as const, txid, confirmations: 0, isFailed: true, failure };
    assertEquals(await rail.find("withdraw-1"), found);
  });

  it("ends its sweep, which is told, and others follow", async () => {
    await using swept = await SweepGround.open();
    const { ground } = swept;
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.live(NETWORK.finalBlocks + 1);
    const [attempt] = (await swept.sweep(alice, 0))?.attempts ?? [];
    await ground.anvil.rpc("anvil_dropTransaction", attempt?.txid);
    await takeFrom(ground, alice, PAYEE);
    await ground.anvil.mine(LONG);
    const node = new LyingNode(ground.node());
    await forget(node, ground);
    const rail = ground.rail({ node });
    await swept.watch(rail);
    assertEquals((await swept.sweeping()).open.filter(({ nonce }) => nonce === 0), []);
    const told = ground.faults.splice(0).map(String);
    assert(told.includes("SweepError: A sweep of eth was replaced by what the node can't show"));
    await swept.live(2 * NETWORK.finalBlocks + 4, rail);
    assertEquals([await swept.held("eth", alice), await swept.sentBy(alice)], [0n, 2]);
    assert(ground.faults.every((one) => one instanceof MissingBalanceError));
  });
});
