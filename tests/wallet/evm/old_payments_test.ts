import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import { RefusedDepositError } from "../../../src/wallet/evm/found_outputs.ts";
import type { KnownPayout } from "../../../src/wallet/evm/payouts/evm_nonces.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { TEST_TOKEN_CODE } from "../../support/evm_contracts.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";

/** Ledger units in one of a token's. */
const UNIT = 10n ** 10n;
const PAYEE = "0x1111111111111111111111111111111111111111";

/** A token's payments to a member, read by a node that keeps the state of the last block alone. */
interface Life {
  readonly ground: EvmGround;
  readonly rail: EvmRail;
  readonly node: LyingNode;
  readonly contract: string;
  readonly alice: string;
  readonly taker: Taker;
  /** Pays units of the token to the member, in a block. */
  readonly pay: (units: bigint) => Promise<void>;
  /** Moves units of a token away from the member's address, in a block; returns the txid. */
  readonly leave: (units: bigint, contract?: string) => Promise<string>;
  /** Notes a transaction of that address as the venue's sweep. */
  readonly noteSweep: (nonce: number, txid: string) => Promise<void>;
  /** Has the node keep all states from now on, or none but the last. */
  readonly keepsStates: (isArchive: boolean) => void;
  readonly refused: () => number;
}

async function live(manner: bigint, work: (life: Life) => Promise<void>): Promise<void> {
  await using ground = await EvmGround.open();
  const { contract: deployed } = await ground.token("token", manner);
  const contract = present(deployed, "a token has a contract");
  const { anvil } = ground;
  const node = new LyingNode(ground.node());
  const rail = ground.rail({ node });
  const alice = await ground.address("alice");
  await anvil.rpc("anvil_setBalance", alice, `0x${ETHER.toString(16)}`);
  await anvil.rpc("anvil_impersonateAccount", alice);
  const taker = new Taker(rail, "token", 1);
  await taker.watch();
  let last = "";
  const keepsStates = (isArchive: boolean) => {
    node.lies.set("eth_getBlockByNumber", (block, [at]) => {
      if (at === "latest") ({ hash: last } = block as { hash: string });
      return block;
    });
    node.lies.set("eth_call", (answer, [, at]) => {
      const { blockHash = last } = at as { blockHash?: string };
      if (isArchive || blockHash === last) return answer;
      throw new RpcRefusedError("eth_call", -32000, "missing trie node");
    });
  };
  keepsStates(false);
  await work({
    ground,
    rail,
    node,
    contract,
    alice,
    taker,
    keepsStates,
    pay: async (units) => {
      await anvil.call(contract, CALLS.transfer, [alice, units]);
      await anvil.mine();
    },
    leave: async (units, of = contract) => {
      const words = [PAYEE.slice(2), units.toString(16)].map((word) => word.padStart(64, "0"));
      const data = `0x${CALLS.transfer}${words.join("")}`;
      const txid = await anvil.rpc("eth_sendTransaction", { from: alice, to: of, data });
      await anvil.mine();
      return String(txid);
    },
    noteSweep: async (nonce, txid) => {
      const attempt = { txid, signed: "0x", feeMax: 1n, tip: 1n, height: 1 };
      const payment = { currency: "token", address: rail.ownAddress, contract, units: 0n };
      const value: KnownPayout = { ...payment, nonce, gas: 1n, attempts: [attempt] };
      const key = new EvmRows(NETWORK.name).sweep(alice, nonce);
      await ground.venue.engine.createSidecar({ key, value });
    },
    refused: () => {
      assert(ground.faults.every((fault) => fault instanceof RefusedDepositError));
      return ground.faults.length;
    },
  });
}

async function mustStop({ rail, taker }: Life): Promise<void> {
  for (const currency of ["token", "eth"]) {
    const error = await assertRejects(
      () => rail.watch(currency, taker.cursor),
      RpcRefusedError,
    );
    assertEquals([error.reason, rail.health().fault], ["no_state", "contradicting"]);
  }
}

describeUnless(NO_ANVIL)("a token's payment in a block whose balances a node has not", () => {
  it("waits for a node that has them where it may have left since", async () => {
    await live(MANNERS.honest, async (life) => {
      const { ground: { anvil }, rail, taker, pay, leave, keepsStates, refused } = life;
      await anvil.mine(30);
      await pay(1000n);
      await leave(1000n);
      await anvil.mine(30);
      for (let round = 0; round < 3; round++) await mustStop(life);
      assertEquals([taker.sum, refused()], [0n, 0]);
      keepsStates(true);
      await taker.watch();
      await rail.watch("eth", null);
      assertEquals([taker.sum, refused(), rail.health().fault], [1000n * UNIT, 0, null]);
    });
  });

  it("is there with what the venue's sweeps have taken since, and no more", async () => {
    await live(MANNERS.honest, async (life) => {
      const { taker, pay, leave, noteSweep, refused } = life;
      await pay(1000n);
      await noteSweep(0, await leave(400n));
      await noteSweep(1, await leave(600n));
      await taker.watch();
      assertEquals([taker.sum, refused()], [1000n * UNIT, 0]);
      await pay(500n);
      await noteSweep(2, await leave(300n));
      // Nobody knows of these.
      await leave(100n);
      await leave(100n);
      await mustStop(life);
    });
  });

  it("is refused where its token lies, and only the venue's sweeps have left", async () => {
    await live(MANNERS.lying, async (life) => {
      const { ground, taker, pay, leave, noteSweep, refused } = life;
      const moved = await ground.anvil.deploy(TEST_TOKEN_CODE, MANNERS.honest, 6n);
      await ground.anvil.call(moved, CALLS.transfer, [life.alice, 5000n]);
      // What was sent before, by whomever, takes nothing of it; nor does a sweep of another coin.
      await leave(1000n, moved);
      await noteSweep(1, await leave(1000n, moved));
      await pay(1000n);
      const forgotten = await leave(1000n, moved);
      await mustStop(life);
      await noteSweep(2, forgotten);
      await taker.watch();
      assertEquals([taker.sum, refused()], [0n, 1]);
    });
  });

  it("is refused where less is there than all such blocks tell, however many are between", async () => {
    await live(MANNERS.honest, async ({ ground: { anvil }, contract, alice, ...life }) => {
      const { taker, pay, refused, keepsStates } = life;
      await pay(1000n);
      await taker.watch();
      await anvil.mine();
      await taker.watch();
      const before = await anvil.tokens(contract, alice);
      await pay(1000n);
      await anvil.rpc("anvil_dealERC20", alice, contract, `0x${before.toString(16)}`);
      assertEquals(await anvil.tokens(contract, alice), before);
      await anvil.mine();
      await taker.watch();
      assertEquals([taker.sum, refused()], [1000n * UNIT, 1]);
      keepsStates(true);
      await pay(1000n);
      await taker.watch();
      assertEquals([taker.sum, refused()], [2000n * UNIT, 1]);
    });
  });

  it("is refused where its token tells no balance any more", async () => {
    await live(MANNERS.honest, async (life) => {
      const { ground: { anvil }, contract, taker, pay, leave, refused } = life;
      await pay(1000n);
      await leave(1000n);
      await anvil.rpc("anvil_setCode", contract, "0xfe");
      await anvil.mine();
      await taker.watch();
      assertEquals([taker.sum, refused()], [0n, 1]);
    });
  });

  it("waits where its block was replaced meanwhile", async () => {
    await live(MANNERS.lying, async (life) => {
      const { ground: { anvil }, node, taker, pay, refused } = life;
      await pay(1000n);
      const height = await anvil.height();
      await anvil.mine();
      const shown = present(node.lies.get("eth_getBlockByNumber"), "it remembers the last block");
      node.lies.set("eth_getBlockByNumber", (block, params) => {
        if (Number(params[0]) !== height || params[1] === true) return shown(block, params);
        return { ...block as object, hash: `0x${"ab".repeat(32)}` };
      });
      await mustStop(life);
      assertEquals([taker.sum, refused()], [0n, 0]);
    });
  });

  it("is credited again by another block, where the first one was replaced", async () => {
    await live(MANNERS.honest, async ({ ground: { anvil }, taker, pay, refused }) => {
      await anvil.mine();
      await pay(1000n);
      await anvil.mine();
      await taker.watch();
      await anvil.reorganise(2);
      await anvil.rpc("anvil_dropAllTransactions");
      await anvil.mine(2);
      await taker.watch();
      await pay(1000n);
      await taker.watch();
      assertEquals([taker.sum, refused()], [2000n * UNIT, 0]);
    });
  });
});
