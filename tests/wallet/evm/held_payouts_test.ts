import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import { RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { ETHER, EvmGround, MANNERS, NETWORK, STEP } from "./evm_ground.ts";
import { SweepGround } from "./sweep_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
/** Code that fails whatever it is asked. */
const FAILING = "0xfe";
/** Code of a token that tells of no balance. */
const NO_BALANCE = "0x600060005260206000f3";

async function pay(
  rail: EvmRail,
  number: number,
  currency: string,
  amount: bigint = currency === "eth" ? ETHER / STEP : 10n ** 10n,
): Promise<void> {
  await rail.send({ id: `withdraw-${number}`, currency, address: PAYEE, tag: null, amount });
}

/** Returns a node that has other words where a contract fails. */
function otherWords(real: JsonRpc, words: string): JsonRpc {
  return {
    ask: async (questions, bytesMax) => {
      try {
        return await real.ask(questions, bytesMax);
      } catch (error) {
        const isContracts = questions.every(({ method }) => method === "eth_call");
        if (!isContracts || !(error instanceof RpcRefusedError)) throw error;
        throw new RpcRefusedError("eth_call", -32000, words);
      }
    },
  };
}

describeUnless(NO_ANVIL)("payouts that are held back", () => {
  it("are not those of a token that fails in words that nobody knows", async () => {
    await using ground = await EvmGround.open();
    const token = await ground.token("tok", MANNERS.honest);
    await ground.fund(100n * ETHER, token);
    const rail = ground.rail({ node: otherWords(ground.node(), "it is broken") });
    await pay(rail, 1, "tok");
    await pay(rail, 2, "eth");
    await ground.anvil.rpc("anvil_dropAllTransactions");
    await ground.anvil.rpc("anvil_setCode", token.contract, FAILING);
    await rail.tend();
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals([ground.lost, ground.faults], [[], []]);
  });

  it("for several tokens wait at once, and each token is told of by the first", async () => {
    await using ground = await EvmGround.open();
    const tokens = [
      await ground.token("one", MANNERS.honest),
      await ground.token("two", MANNERS.honest),
      await ground.token("three", MANNERS.honest),
    ];
    await ground.fund(100n * ETHER, ...tokens);
    const rail = ground.rail();
    for (const [i, currency] of ["one", "two", "one", "three", "eth"].entries()) {
      await pay(rail, i + 1, currency);
    }
    await ground.anvil.rpc("anvil_dropAllTransactions");
    for (const { contract } of tokens) {
      await ground.anvil.rpc("anvil_setCode", contract, NO_BALANCE);
    }
    for (let block = 0; block < 2 * NETWORK.bumpBlocks; block++) {
      assertEquals(await ground.anvil.rpc("txpool_status"), { pending: "0x0", queued: "0x0" });
      await rail.tend();
      await ground.anvil.mine();
    }
    const first = [1, 2, 4].map((number) => `held_back withdraw-${number}`);
    assertEquals([...new Set(ground.lost)], first);
    await rail.tend();
    await ground.anvil.mine();
    assertEquals([await ground.anvil.balance(PAYEE), ground.faults], [ETHER, []]);
  });

  it("go once sweeps bring what is missing, by gas that is at members' addresses", async () => {
    await using swept = await SweepGround.open({ tok: "honest" });
    const { ground } = swept;
    const { anvil } = ground;
    const token = swept.coin("tok");
    const rail = ground.rail({ network: { ...NETWORK, bumpBlocks: NETWORK.finalBlocks } });
    const alice = await ground.address("alice");
    await ground.fund(ETHER);
    await swept.payTokens("tok", alice, 1_000_000n);
    await swept.live(NETWORK.finalBlocks, rail);
    await ground.fund(500_000n, token);
    await pay(rail, 1, "tok", 500_000n * 10n ** 10n);
    await anvil.mine(2);
    await anvil.reorganise(3);
    for (let block = 0; block <= NETWORK.finalBlocks; block++) {
      await rail.tend();
      await anvil.mine();
    }
    assertEquals(ground.lost, ["held_back withdraw-1"]);
    assert(ground.lostPayments[0]?.detail?.includes("sweeps bring it, by gas that is at members'"));
    await anvil.send({ to: alice, value: ETHER / 100n });
    for (let block = 0; block < 4; block++) {
      await anvil.mine();
      await rail.tend();
    }
    assertEquals(await anvil.tokens(token.contract ?? "", PAYEE), 500_000n);
    assertEquals(ground.faults, []);
  });

  it("are those that were raised, once coins are missing for what they take by then", async () => {
    await using ground = await EvmGround.open();
    const { anvil } = ground;
    await ground.fund(2n * ETHER);
    const rail = ground.rail();
    await pay(rail, 1, "eth");
    await anvil.rpc("anvil_dropAllTransactions");
    await anvil.rpc("anvil_setNextBlockBaseFeePerGas", `0x${(10n ** 11n).toString(16)}`);
    await anvil.mine(NETWORK.bumpBlocks);
    await rail.tend();
    await anvil.rpc("anvil_dropAllTransactions");
    // Enough for the first of its transactions.
    const balance = ETHER + 21_000n * 4n * 10n ** 9n;
    await anvil.rpc("anvil_setBalance", rail.ownAddress, `0x${balance.toString(16)}`);
    for (let block = 0; block < NETWORK.bumpBlocks; block++) {
      await rail.tend();
      await anvil.mine();
    }
    assertEquals(ground.lost, []);
    await rail.tend();
    assertEquals(ground.lost, ["held_back withdraw-1"]);
    await ground.fund(ETHER);
    await rail.tend();
    await anvil.mine();
    assertEquals([await anvil.balance(PAYEE), ground.faults], [ETHER, []]);
  });

  it("are not those after one that can't be looked at, and no sweeps", async () => {
    await using swept = await SweepGround.open({ tok: "honest" });
    const { ground } = swept;
    await ground.fund(100n * ETHER, swept.coin("tok"));
    const rail = ground.rail({ node: otherWords(ground.node(), "missing trie node") });
    const alice = await ground.address("alice");
    await ground.anvil.send({ to: alice, value: ETHER });
    await swept.live(NETWORK.finalBlocks);
    await pay(rail, 1, "tok");
    await pay(rail, 2, "eth");
    await ground.anvil.rpc("anvil_dropAllTransactions");
    await ground.anvil.rpc("anvil_setCode", swept.coin("tok").contract, FAILING);
    await ground.anvil.mine();
    await assertRejects(() => rail.tend(), RpcRefusedError, "no_state");
    // The sweep, and behind the one that is not sent, the other.
    const pool = await ground.anvil.rpc("txpool_status");
    assertEquals(pool, { pending: "0x1", queued: "0x1" });
    assertEquals(rail.health().fault, "contradicting");
  });
});
