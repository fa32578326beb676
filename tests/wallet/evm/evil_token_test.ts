import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { EvmNodeError, LongAnswerError } from "../../../src/wallet/evm/evm_node_error.ts";
import { HttpNode } from "../../../src/wallet/evm/evm_node.ts";
import { TRANSFER_TOPIC } from "../../../src/wallet/evm/evm_chain.ts";
import { RefusedDepositError } from "../../../src/wallet/evm/found_outputs.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { describeUnless } from "../../support/unless.ts";
import { LyingNode } from "./lying_node.ts";
import { CALLS, ETHER, EvmGround, MANNERS, STEP, Taker } from "./evm_ground.ts";

/** Members who are paid at once. */
const PAID = 20;
/** What a contract does when it is asked for a balance, as code at {@linkcode ASKED_AT}. */
const ASKED = {
  "never ends": "5b603d56",
  // 450000 bytes, whose memory takes less gas than a call may.
  "answers without end": "5b6206ddd05ff3",
};
const ASKED_AT = 0x3d;

/** Returns the code of a token that tells of any transfer, and then does something when it is asked. */
function tokenCode(asked: string): string {
  // The selector decides; else it tells of a transfer by the caller.
  const transfer = `602435 5f52 600435 33 7f${TRANSFER_TOPIC.slice(2)}60205fa300`.replaceAll(
    " ",
    "",
  );
  const code = `5f3560e01c6370a0823114 603d 57${transfer}`.replaceAll(" ", "") + asked;
  assertEquals(code.indexOf(asked, 2 * ASKED_AT), 2 * ASKED_AT);
  // Behind these nine bytes, which return it.
  return `0x60${(code.length / 2).toString(16).padStart(2, "0")}8060095f395ff3${code}`;
}

describeUnless(NO_ANVIL)("a token that turns evil", () => {
  for (const [name, asked] of Object.entries(ASKED)) {
    it(`stops no others when it ${name}`, async () => {
      await using ground = await EvmGround.open();
      const bad = await ground.anvil.deploy(tokenCode(asked));
      const good = await ground.token("good", MANNERS.honest);
      ground.coins.push({ ...good, currency: "bad", contract: bad });
      const node = new HttpNode({
        url: ground.anvil.url,
        answerMsMax: 2_000,
        answerBytesMax: 4 * 1024 * 1024,
      });
      const rail = ground.rail({ node });
      const takers = ["bad", "good", "eth"].map((currency) => new Taker(rail, currency, 1));
      for (const taker of takers) await taker.watch();
      for (let i = 0; i < PAID; i++) {
        const address = await ground.address(`member${i}`);
        await ground.anvil.call(bad, CALLS.transfer, [address, 1000n]);
        await ground.anvil.call(good.contract ?? "", CALLS.transfer, [address, 1000n]);
      }
      await ground.anvil.send({ to: await ground.address("alice"), value: ETHER });
      await ground.anvil.mine();
      for (const taker of takers) await taker.watch();
      const [none, tokens, coins] = takers.map(({ sum }) => sum);
      assertEquals([none, tokens], [0n, BigInt(PAID) * 1000n * 10n ** 10n]);
      assertEquals([coins, rail.health().fault], [ETHER / STEP, null]);
      await assertRejects(() => rail.balances("bad"));
      assertEquals(rail.health().fault, null, "that is not the node's fault");
      assert(ground.faults.length > 0);
      for (const fault of ground.faults) {
        assert(fault instanceof RefusedDepositError && fault.message.includes("of bad"));
      }
    });
  }

  it("stops no others when the node can't answer in time, unless it answers nothing", async () => {
    await using ground = await EvmGround.open();
    const [bad, good] = [await ground.token("bad", 0n), await ground.token("good", 0n)];
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const address = await ground.address("alice");
    const takers = ["bad", "good", "eth"].map((currency) => new Taker(rail, currency, 1));
    for (const taker of takers) await taker.watch();
    const pay = async () => {
      for (const { contract } of [bad, good]) {
        await ground.anvil.call(contract ?? "", CALLS.transfer, [address, 1000n]);
      }
      await ground.anvil.send({ to: address, value: ETHER });
      await ground.anvil.mine();
    };
    const watch = async () => {
      // Several blocks are read in fewer at once first.
      for (const taker of takers) await taker.watch();
      return takers.map(({ sum }) => sum);
    };
    const late = new EvmNodeError("unreachable", "it gave no answer in time");
    const isBalance = (call: unknown) => (call as { data: string }).data.startsWith("0x70a08231");
    // Nothing is answered at all, or no call.
    for (const method of ["eth_chainId", "eth_call"]) {
      await pay();
      node.lies.set("eth_call", (answer, [call]) => {
        if (isBalance(call) || method === "eth_call") throw late;
        return answer;
      });
      node.lies.set(method, () => {
        throw late;
      });
      for (const { currency } of ground.coins) {
        await assertRejects(() => rail.watch(currency, takers[0]?.cursor ?? null), EvmNodeError);
      }
      assertEquals(rail.health().fault, "unreachable");
      node.lies.clear();
    }
    assertEquals(ground.faults, []);
    assertEquals(await watch(), [2000n * 10n ** 10n, 2000n * 10n ** 10n, 2n * ETHER / STEP]);
    for (const error of [late, new LongAnswerError()]) {
      await pay();
      await pay();
      node.lies.set("eth_call", (answer, [call]) => {
        if ((call as { to: string }).to === bad.contract && isBalance(call)) throw error;
        return answer;
      });
      await watch();
      node.lies.clear();
    }
    assertEquals(await watch(), [2000n * 10n ** 10n, 6000n * 10n ** 10n, 6n * ETHER / STEP]);
    assertEquals(ground.faults.map((fault) => `${fault}`.replace(/block \d+/, "a block")), [
      ...Array(4).fill("RefusedDepositError: Transfers of bad in a block moved another amount"),
    ]);
  });
});
