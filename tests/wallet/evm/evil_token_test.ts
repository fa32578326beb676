import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import {
  EvmNodeError,
  LongAnswerError,
  RpcRefusedError,
} from "../../../src/wallet/evm/evm_node_error.ts";
import { HttpNode } from "../../../src/wallet/evm/evm_node.ts";
import { TRANSFER_TOPIC } from "../../../src/wallet/evm/evm_chain.ts";
import { RefusedDepositError } from "../../../src/wallet/evm/found_outputs.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { LaterClock } from "../../support/later_clock.ts";
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
});

// By itself, since it moves the clock of all that run at the same time.
describeUnless(NO_ANVIL)("a token that takes its node too long", () => {
  it("stops others for a minute at most while the node answers other calls", async () => {
    using clock = new LaterClock();
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
      // However long that is, no token is to blame.
      for (let tries = 1; tries <= 15; tries++) {
        for (const { currency } of ground.coins) {
          await assertRejects(() => rail.watch(currency, takers[0]?.cursor ?? null), EvmNodeError);
        }
        clock.pass(10_000);
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
      // The node may be busy, for a minute.
      for (let tries = error === late ? 6 : 0; tries > 0; tries--) {
        for (const taker of takers) await assertRejects(() => taker.watch(), EvmNodeError);
        clock.pass(10_000);
      }
      await watch();
      node.lies.clear();
    }
    assertEquals(await watch(), [2000n * 10n ** 10n, 6000n * 10n ** 10n, 6n * ETHER / STEP]);
    assertEquals(ground.faults.map((fault) => `${fault}`.replace(/block \d+/, "a block")), [
      ...Array(4).fill("RefusedDepositError: Transfers of bad in a block moved another amount"),
    ]);
  });
});

describeUnless(NO_ANVIL)("a token that turns evil in its words", () => {
  it("loses nobody else anything by what it does not tell, or tells in another shape", async () => {
    await using ground = await EvmGround.open();
    const { contract } = await ground.token("bad", MANNERS.honest);
    const node = new LyingNode(ground.node());
    const rail = ground.rail({ node });
    const [alice, bob] = [await ground.address("alice"), await ground.address("bob")];
    const [bad, eth] = ["bad", "eth"].map((currency) => new Taker(rail, currency, 1)) as [
      Taker,
      Taker,
    ];
    const watched = async () => {
      await ground.anvil.mine();
      for (const taker of [bad, eth]) await taker.watch();
      return [bad.sum / 10n ** 10n, eth.sum * STEP / ETHER];
    };
    assertEquals(await watched(), [0n, 0n]);
    const pay = (to: string) => ground.anvil.call(contract ?? "", CALLS.transfer, [to, 1000n]);
    for (const data of ["0x", `0x${"0".repeat(126)}64`]) {
      node.lies.set("eth_getLogs", (logs) => (logs as object[]).map((log) => ({ ...log, data })));
      await pay(alice);
      await ground.anvil.send({ to: alice, value: ETHER });
      // Of nothing, nobody is told.
      await ground.anvil.send({ to: alice, value: 0n });
      await watched();
    }
    assertEquals([await watched(), eth.seen.size, ground.faults], [[0n, 2n], 2, []]);
    node.lies.clear();
    for (const to of [alice, bob]) await pay(to);
    node.lies.set("eth_call", (answer, [call]) => {
      const { data } = call as { readonly data: string };
      const isAsked = data.startsWith("0x70a08231") && data.endsWith(bob.slice(2).toLowerCase());
      if (isAsked) throw new RpcRefusedError("eth_call", 3, "execution reverted");
      return answer;
    });
    assertEquals([await watched(), ground.faults.length], [[1000n, 2n], 1]);
    assertMatch(String(ground.faults), /^RefusedDepositError: Transfers of bad in block/);
    // What a block holds may have failed.
    node.lies.set("eth_getTransactionReceipt", (one) => ({ ...one as object, status: "0x0" }));
    await ground.anvil.send({ to: alice, value: ETHER });
    assertEquals(await watched(), [1000n, 2n]);
    node.lies.clear();
    // A sweep leaves in the block in which more arrives.
    await pay(alice);
    await ground.anvil.rpc("anvil_impersonateAccount", alice);
    const words = [bob.slice(2), "190"].map((word) => word.padStart(64, "0"));
    const data = `0x${CALLS.transfer}${words.join("")}`;
    await ground.anvil.rpc("eth_sendTransaction", { from: alice, to: contract, data });
    assertEquals(await watched(), [2400n, 2n]);
  });
});
