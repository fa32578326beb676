import { assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import {
  EvmNodeError,
  LongAnswerError,
  RpcRefusedError,
} from "../../../src/wallet/evm/evm_node_error.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { AnvilNode, NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { HttpNode, type JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import type { NetworkFault } from "../../../src/wallet/rails/network_rail.ts";
import { type Lie, LyingNode } from "./lying_node.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const ONE = { id: "withdraw-1", currency: "eth", address: PAYEE, tag: null, amount: ETHER / STEP };

/** Returns what replaces fields of an answer. */
function changing(fields: Record<string, unknown>): Lie {
  return (answer) => ({ ...answer as object, ...fields });
}

async function mustDoubt(rail: EvmRail, cursor: string | null, fault: NetworkFault): Promise<void> {
  const error = await assertRejects(() => rail.watch("eth", cursor), EvmNodeError);
  assertEquals([error.fault, rail.health().fault], [fault, fault]);
}

const OTHER_HASH = `0x${"5".repeat(64)}`;

/** What an answer has room for: receipts of three payments, and logs of eight. */
const TOLD_BYTES_MAX = 6_000;
/** How it is said that an answer has room for no more. */
const TOO_LONG = {
  "are too long to be read at once": new LongAnswerError(),
  "the node does not tell at once": new RpcRefusedError("of a list", -32003, "response too large"),
};

/** A node that tells little at a time of what some methods are asked. */
class ShortNode implements JsonRpc {
  /** How many such questions it has answered at once. */
  most = 0;
  constructor(readonly node: JsonRpc, readonly methods: RegExp, readonly error: Error) {}

  async ask(...[questions, bytesMax]: Parameters<JsonRpc["ask"]>): Promise<readonly unknown[]> {
    const answers = await this.node.ask(questions, bytesMax);
    if (questions.some(({ method }) => this.methods.test(method))) {
      if (JSON.stringify(answers).length > TOLD_BYTES_MAX) throw this.error;
      this.most = Math.max(this.most, answers.length);
    }
    return answers;
  }
}

/** Blooms that tell nothing of a block's logs. */
const BLOOMS = {
  missing: undefined,
  unreadable: "0x1",
  empty: `0x${"0".repeat(512)}`,
  full: `0x${"f".repeat(512)}`,
};

describeUnless(NO_ANVIL)("a payment that a node does not show for a moment", () => {
  for (const isBehind of [false, true]) {
    const how = isBehind ? "by a node that is behind" : "by another block in its place";
    it(`is not missed since then, ${how}`, async () => {
      await using ground = await EvmGround.open();
      const node = new LyingNode(ground.node());
      const rail = ground.rail({ node });
      const alice = await ground.address("alice");
      const taker = new Taker(rail);
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      await taker.watch();
      const txid = await ground.anvil.send({ to: alice, value: ETHER });
      await ground.anvil.mine();
      const height = await ground.anvil.height();
      await ground.anvil.mine(NETWORK.finalBlocks + 1);
      const [seen] = await taker.watch();
      const { output } = present(seen, "it was seen");
      const look = () => rail.look("eth", txid, output);
      const lie = (isOn: boolean) => {
        node.lies.clear();
        if (!isOn) return;
        node.lies.set("eth_getBlockByNumber", (block, [at]) => {
          if (Number(at) !== height) return block;
          return isBehind ? null : { ...block as object, hash: `0x${"ab".repeat(32)}` };
        });
        node.lies.set("eth_getTransactionReceipt", () => null);
        node.lies.set("eth_getTransactionByHash", () => null);
      };
      for (let time = 0; time < 2; time++) {
        lie(true);
        if (isBehind) await assertRejects(look, EvmNodeError, "behind");
        else assertEquals((await look())?.isDropped, false);
        lie(false);
        assertEquals((await look())?.isDropped, false);
        await ground.anvil.mine(NETWORK.finalBlocks + 1);
      }
    });
  }
});

describeUnless(NO_ANVIL)("a node that is not to be relied on", () => {
  it("credits and sends nothing, until it is again", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(10n * ETHER);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const address = await ground.address("alice");
    const taker = new Taker(rail, "eth", 1);
    await taker.watch();
    const height = await ground.anvil.height();
    assertEquals(rail.health(), { height, fault: null });
    await ground.anvil.send({ to: address, value: ETHER });
    await ground.anvil.mine();
    const lies: [string, Lie, NetworkFault][] = [
      ["eth_chainId", () => "0x1", "other_network"],
      ["eth_chainId", () => null, "contradicting"],
      ["eth_syncing", () => ({ currentBlock: "0x1", highestBlock: "0x9" }), "behind"],
      ["eth_getBlockByNumber", () => null, "contradicting"],
      ["eth_getBlockByNumber", changing({ number: "0x0" }), "behind"],
      ["eth_getBlockByNumber", changing({ hash: "0x12" }), "contradicting"],
    ];
    for (const [method, lie, fault] of lies) {
      node.lies.set(method, lie);
      await mustDoubt(rail, taker.cursor, fault);
      await assertRejects(() => rail.send(ONE), PayoutWaitsError);
      await assertRejects(() => rail.look("eth", OTHER_HASH, 0), EvmNodeError);
      node.lies.clear();
      assertEquals(await rail.find(ONE.id), { kind: "absent" });
    }
    // A height that it never proved is not held against it.
    const tall = changing({ number: "0x10000000" });
    node.lies.set(
      "eth_getBlockByNumber",
      (answer, params) => params[0] === "latest" ? tall(answer, params) : answer,
    );
    await mustDoubt(rail, taker.cursor, "behind");
    node.lies.clear();
    await taker.watch();
    assertEquals([taker.sum, rail.health().fault], [ETHER / STEP, null]);
    assertEquals((await rail.send(ONE)).kind, "sent");
    assertEquals(ground.faults, []);
  });

  it("credits nothing of blocks, receipts or logs that don't fit together", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("usdt", MANNERS.honest);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const address = await ground.address("alice");
    const taker = new Taker(rail, "eth", 1);
    await taker.watch();
    await ground.anvil.send({ to: address, value: ETHER });
    await ground.anvil.call(token.contract ?? "", CALLS.transfer, [address, 9n]);
    await ground.anvil.mine();
    const onFull = (lie: Lie): Lie => (answer, params) =>
      params[1] === true ? lie(answer, params) : answer;
    const inLogs = (fields: Record<string, unknown>): Lie => (answer) =>
      (answer as object[]).map((one) => ({ ...one, ...fields }));
    const inReceipt = (fields: Record<string, unknown>): Lie => (answer, params) => ({
      ...answer as object,
      logs: inLogs(fields)((answer as { logs: unknown }).logs, params),
    });
    const lies: [string, Lie][] = [
      ["eth_getBlockByNumber", onFull(changing({ parentHash: OTHER_HASH }))],
      ["eth_getBlockByNumber", onFull(changing({ number: "0x1" }))],
      ["eth_getBlockByNumber", onFull(changing({ hash: OTHER_HASH }))],
      ["eth_getBlockByNumber", onFull(changing({ transactions: null }))],
      ["eth_getTransactionReceipt", () => null],
      ["eth_getTransactionReceipt", changing({ blockHash: OTHER_HASH })],
      ["eth_getTransactionReceipt", changing({ transactionHash: OTHER_HASH })],
      ["eth_getTransactionReceipt", changing({ status: "yes" })],
      ["eth_getTransactionReceipt", inReceipt({ data: `0x${"0".repeat(64)}` })],
      ["eth_getLogs", inLogs({ removed: true })],
      ["eth_getLogs", inLogs({ blockHash: OTHER_HASH })],
      ["eth_getLogs", inLogs({ transactionHash: OTHER_HASH })],
      ["eth_getLogs", inLogs({ logIndex: "0x7" })],
      ["eth_getLogs", () => "none"],
    ];
    for (const [method, lie] of lies) {
      node.lies.set(method, lie);
      await mustDoubt(rail, taker.cursor, "contradicting");
      node.lies.clear();
    }
    await taker.watch();
    assertEquals(taker.sum, ETHER / STEP);
    assertEquals(ground.faults, []);
  });

  it("credits tokens once its logs are those of its receipts", async () => {
    await using ground = await EvmGround.open();
    const { contract } = await ground.token("usdt", MANNERS.honest);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const address = await ground.address("alice");
    const taker = new Taker(rail, "usdt", 1);
    await taker.watch();
    for (const units of [5n, 6n]) {
      await ground.anvil.call(contract ?? "", CALLS.transfer, [address, units]);
    }
    await ground.anvil.mine();
    const inLogs = (change: (logs: Record<string, unknown>[]) => unknown[]): Lie => (answer) =>
      (answer as unknown[]).length === 0 ? answer : change(answer as Record<string, unknown>[]);
    const lies: Lie[] = [
      // Its index of logs lags.
      () => [],
      inLogs((logs) => logs.slice(1)),
      // Or it has more than its blocks.
      inLogs((logs) => [...logs, { ...logs[0], transactionHash: OTHER_HASH }]),
      inLogs((logs) => [...logs, { ...logs[0], logIndex: "0x9" }]),
    ];
    const mustDoubtAll = async () => {
      for (const lie of lies) {
        node.lies.set("eth_getLogs", lie);
        await mustDoubt(rail, taker.cursor, "contradicting");
      }
      node.lies.delete("eth_getLogs");
    };
    await mustDoubtAll();
    node.lies.set("eth_getBlockReceipts", () => []);
    node.lies.set("eth_getLogs", () => []);
    await mustDoubt(rail, taker.cursor, "contradicting");
    node.lies.set("eth_getBlockReceipts", () => {
      throw new RpcRefusedError("eth_getBlockReceipts", -32601, "the method does not exist");
    });
    await mustDoubtAll();
    node.lies.clear();
    await rail.watch("eth", taker.cursor);
    await taker.watch();
    assertEquals([taker.sum, rail.health().fault], [11n * 10n ** 10n, null]);
    assertEquals(ground.faults, []);
  });

  for (const [name, logsBloom] of Object.entries(BLOOMS)) {
    it(`credits tokens where a block's bloom is ${name}`, async () => {
      await using ground = await EvmGround.open();
      const { contract } = await ground.token("usdt", MANNERS.honest);
      const node = new LyingNode(ground.node());
      node.lies.set("eth_getBlockByNumber", changing({ logsBloom }));
      const taker = new Taker(ground.rail({ node }), "usdt", 1);
      const address = await ground.address("alice");
      await taker.watch();
      await ground.anvil.send({ to: address, value: ETHER });
      await ground.anvil.mine();
      await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 5n]);
      await ground.anvil.mine();
      await taker.watch();
      assertEquals([taker.sum, taker.rail.health().fault], [5n * 10n ** 10n, null]);
      assertEquals(ground.faults, []);
    });
  }

  for (const [name, error] of Object.entries(TOO_LONG)) {
    it(`credits what is in a block whose receipts ${name}`, async () => {
      await using ground = await EvmGround.open();
      const { contract } = await ground.token("usdt", MANNERS.honest);
      await ground.token("usdc", MANNERS.honest);
      const lying = new LyingNode(ground.node());
      // Of the other token, receipts alone tell that there is nothing.
      lying.lies.set("eth_getBlockByNumber", changing({ logsBloom: BLOOMS.full }));
      const node = new ShortNode(lying, /Receipts?$/, error);
      const taker = new Taker(ground.rail({ node }), "usdt", 1);
      await taker.watch();
      const address = await ground.address("alice");
      for (let i = 0; i < 7; i++) {
        await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 5n]);
      }
      await ground.anvil.mine();
      await taker.watch();
      assertEquals([taker.sum, node.most], [35n * 10n ** 10n, 3]);
      assertEquals([taker.rail.health().fault, ground.faults], [null, []]);
    });
  }

  for (const [name, error] of Object.entries(TOO_LONG)) {
    it(`credits what is in a block whose transfers ${name}`, async () => {
      await using ground = await EvmGround.open();
      const { contract } = await ground.token("usdt", MANNERS.honest);
      const node = new ShortNode(ground.node(), /^eth_getLogs$/, error);
      const taker = new Taker(ground.rail({ node }), "usdt", 1);
      await taker.watch();
      const address = await ground.address("alice");
      for (let i = 0; i < 10; i++) {
        await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 5n]);
      }
      await ground.anvil.send({ to: address, value: ETHER });
      await ground.anvil.mine();
      await taker.watch();
      assertEquals(taker.sum, 50n * 10n ** 10n);
      assertEquals([taker.rail.health().fault, ground.faults], [null, []]);
    });
  }

  it("is one of another chain, though it has the same id", async () => {
    await using ground = await EvmGround.open();
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const { cursor } = await rail.watch("eth", null);
    await using other = await AnvilNode.start("--timestamp", "1700000000");
    await other.mine(40);
    node.node = new HttpNode({ url: other.url });
    for (const one of [rail, ground.rail({ node })]) {
      // Whoever was away may come back as another: the first question that fails shows it.
      node.lies.set("eth_chainId", () => null);
      await mustDoubt(one, cursor, "contradicting");
      node.lies.clear();
      await mustDoubt(one, cursor, "other_network");
    }
  });

  it("is behind where it lacks blocks that were read, also by others", async () => {
    await using ground = await EvmGround.open();
    await ground.anvil.mine(20);
    const rail = ground.rail();
    const { cursor } = await rail.watch("eth", null);
    await ground.anvil.rpc("anvil_rollback", 3);
    await mustDoubt(rail, cursor, "behind");
    // Another process has not seen those blocks, which were not final.
    await ground.rail().watch("eth", cursor);
    await ground.anvil.rpc("anvil_rollback", 15);
    await mustDoubt(ground.rail(), cursor, "behind");
    await ground.anvil.mine(1);
    await mustDoubt(ground.rail(), cursor, "behind");
  });

  it("is behind where its last block is old", async () => {
    await using ground = await EvmGround.open();
    const network = { ...NETWORK, staleMs: 60_000 };
    const engine = ground.venue.engine;
    let ahead = 0;
    const clock = {
      now: () => Date.now() + ahead,
      readSidecar: engine.readSidecar.bind(engine),
      readSidecars: engine.readSidecars.bind(engine),
      createSidecar: engine.createSidecar.bind(engine),
      holdSidecars: engine.holdSidecars.bind(engine),
      replaceSidecars: engine.replaceSidecars.bind(engine),
      changeSidecar: engine.changeSidecar.bind(engine),
      listSidecar: engine.listSidecar.bind(engine),
    };
    const rail = ground.rail({ network, engine: clock });
    await rail.watch("eth", null);
    ahead = 120_000;
    await mustDoubt(rail, null, "behind");
  });
});
