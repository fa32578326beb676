/** Tokens that take a fee of what they move, always or from some time on. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { TRANSFER_TOPIC } from "../../../src/wallet/evm/evm_chain.ts";
import { RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import { RefusedDepositError } from "../../../src/wallet/evm/found_outputs.ts";
import { SweepError } from "../../../src/wallet/evm/evm_sweeps.ts";
import { UntriedTokenError } from "../../../src/wallet/evm/token_checks.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETHER, EvmGround, MANNERS, NETWORK, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";
import { SweepGround } from "./sweep_ground.ts";

const COLD = "0x4444444444444444444444444444444444444444";
const ROUND = NETWORK.finalBlocks + 1;
const TOKEN = 10n ** 6n;
/** Ledger units in one of a token with six digits. */
const STEP = 10n ** 10n;

/** Code of a token that takes a hundredth beside what is sent, and tells of what is sent alone. */
const FEE_BESIDE = "0x" + [
  // Tells balances, makes transfers, and answers nothing else.
  "60003560e01c806370a0823114601a57" + "63a9059cbb14602757" + "00",
  "5b6004355460005260206000f3",
  // What is sent, with a hundredth of it, leaves the caller, or it fails.
  "5b60243580600052806064900401" + "3354818110607757" + "033355",
  "600435546000510160043555" + `600435337f${TRANSFER_TOPIC.slice(2)}60206000a300`,
  "5b60006000fd",
].join("");

/** Returns the faults so far, once each, without their blocks. */
function told(ground: EvmGround): readonly string[] {
  const texts = ground.faults.splice(0).map((one) => String(one).replace(/block \d+/, "a block"));
  return [...new Set(texts)];
}

describeUnless(NO_ANVIL)("a token that takes a fee", () => {
  for (const manner of ["fee", "beside"] as const) {
    it(`is not credited, whoever sends it, and others are: ${manner}`, async () => {
      await using ground = await EvmGround.open();
      const { contract } = await ground.token("bad", MANNERS.fee);
      const good = await ground.token("good", MANNERS.honest);
      const { anvil, rail } = { anvil: ground.anvil, rail: ground.rail() };
      if (manner === "beside") {
        await anvil.rpc("anvil_setCode", contract, FEE_BESIDE);
        const slot = `0x${anvil.funder.slice(2).padStart(64, "0")}`;
        await anvil.rpc("anvil_setStorageAt", contract, slot, `0x${"0f".repeat(32)}`);
      }
      const takers = ["bad", "good"].map((currency) => new Taker(rail, currency, 1));
      for (const taker of takers) await taker.watch();
      const addresses = [await ground.address("alice"), await ground.address("bob")];
      for (const address of addresses) {
        await anvil.call(contract ?? "", CALLS.transfer, [address, 1_000n * TOKEN]);
        await anvil.call(good.contract ?? "", CALLS.transfer, [address, 500n * TOKEN]);
      }
      await anvil.mine();
      for (const taker of takers) await taker.watch();
      assertEquals(takers.map(({ sum }) => sum), [0n, 1_000n * TOKEN * STEP]);
      const arrived = manner === "fee" ? 990n : 1_000n;
      assertEquals(await anvil.tokens(contract ?? "", addresses[0] ?? ""), arrived * TOKEN);
      assert(ground.faults.every((one) => one instanceof RefusedDepositError));
      assertEquals(told(ground), [
        "RefusedDepositError: bad takes a fee of each transfer: its deposit in a block is not credited",
      ]);
    });
  }

  it("is credited where the node can't tell, which is told", async () => {
    await using ground = await EvmGround.open();
    const { contract } = await ground.token("bad", MANNERS.fee);
    const node = new LyingNode(ground.node());
    const taker = new Taker(ground.rail({ node }), "bad", 1);
    await taker.watch();
    const address = await ground.address("alice");
    const answers = [() => "0x", () => {
      throw new RpcRefusedError("eth_call", -32602, "too many arguments, want at most 2");
    }];
    for (const [i, answer] of answers.entries()) {
      node.lies.set("eth_call", (real, { length }) => length === 3 ? answer() : real);
      await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 1_000n * TOKEN]);
      await ground.anvil.mine();
      await taker.watch();
      assertEquals(taker.sum, BigInt(i + 1) * 990n * TOKEN * STEP);
      assert(ground.faults.length > 0);
      assert(ground.faults.splice(0).every((one) => one instanceof UntriedTokenError));
    }
    assertEquals(taker.rail.health().fault, null, "that is not the node's fault");
  });
});

describeUnless(NO_ANVIL)("a token that begins to take a fee", () => {
  for (const manner of ["fee", "hiddenFee"] as const) {
    it(`stays where members have paid it, and others are swept: ${manner}`, async () => {
      await using swept = await SweepGround.open({ bad: "honest", usdt: "honest" });
      const { ground, rail } = swept;
      const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
      await ground.fund(10n * ETHER);
      await swept.payTokens("bad", alice, 500n * TOKEN);
      await swept.payTokens("usdt", bob, 500n * TOKEN);
      await swept.live(2);
      await swept.change("bad", manner);
      await swept.live(3 * ROUND);
      assertEquals([await swept.held("bad", alice), await swept.sentBy(alice)], [500n * TOKEN, 0]);
      assertEquals(await swept.held("usdt", rail.ownAddress), 500n * TOKEN);
      assertEquals(told(ground), ["SweepError: A sweep of bad can't be: its token takes a fee"]);
      await swept.payTokens("bad", bob, 500n * TOKEN);
      await swept.live(3 * ROUND);
      assertEquals(swept.takers.get("bad")?.sum, 500n * TOKEN * STEP, "nothing more is credited");
      assertEquals([await swept.held("bad", bob), await swept.sentBy(bob)], [495n * TOKEN, 1]);
      assert(told(ground).every((one) => one.startsWith("RefusedDepositError")));
    });

    it(`is swept no more after it did so with one on its way: ${manner}`, async () => {
      await using swept = await SweepGround.open({ bad: "honest", spare: manner });
      const { ground, rail } = swept;
      const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
      await ground.fund(10n * ETHER);
      // Then taking it needs no more gas than a sweep has.
      await swept.payTokens("bad", swept.coin("bad").contract ?? "", 1n);
      await swept.payTokens("bad", alice, 700n * TOKEN);
      await swept.payTokens("bad", bob, 500n * TOKEN);
      for (let i = 0; i < 3 * ROUND && await swept.sweep(alice, 0) === null; i++) {
        await swept.live(1);
      }
      // No block comes in between.
      const code = await ground.anvil.rpc("eth_getCode", swept.coin("spare").contract, "latest");
      await ground.anvil.rpc("anvil_setCode", swept.coin("bad").contract, code);
      // What else goes to the wallet in its block is told apart.
      await swept.payTokens("bad", rail.ownAddress, 300n);
      await swept.live(3 * ROUND);
      assertEquals(await swept.held("bad", alice), 0n);
      const hot = await swept.held("bad", rail.ownAddress);
      assertEquals(hot, 693n * TOKEN + 297n);
      assertEquals([await swept.held("bad", bob), await swept.sentBy(bob)], [500n * TOKEN, 0]);
      assert(ground.faults.every((one) => one instanceof SweepError));
      const lost = 7n * TOKEN + (manner === "hiddenFee" ? 3n : 0n);
      assertEquals(told(ground), [
        `SweepError: A sweep of bad lost ${lost} of ${
          700n * TOKEN
        } units to its token, which takes a fee`,
        "SweepError: A sweep of bad can't be: its token takes a fee",
      ]);
      const { open, coins } = await swept.sweeping();
      assertEquals([open, coins["bad"]?.failures], [[], 1]);
    });
  }

  it("is not moved to the cold address either", async () => {
    await using swept = await SweepGround.open({ bad: "honest" }, { cold: COLD });
    const { ground, rail } = swept;
    ground.coins[1] = { ...swept.coin("bad"), hotLimit: 100n * TOKEN };
    await ground.fund(10n * ETHER);
    await swept.payTokens("bad", rail.ownAddress, 500n * TOKEN);
    await swept.change("bad", "fee");
    await swept.live(3 * ROUND);
    assertEquals([await swept.held("bad", COLD), await swept.held("bad", rail.ownAddress)], [
      0n,
      500n * TOKEN,
    ]);
    assertEquals(told(ground), [
      "ColdPaymentError: What is beyond the limit of bad can't be moved: its token takes a fee",
    ]);
  });
});
