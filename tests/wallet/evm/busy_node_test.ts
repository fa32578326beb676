import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { RpcRefusedError } from "../../../src/wallet/evm/evm_node_error.ts";
import type { JsonRpc } from "../../../src/wallet/evm/evm_node.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { LaterClock } from "../../support/later_clock.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, EvmGround, MANNERS, Taker } from "./evm_ground.ts";
import { LyingNode } from "./lying_node.ts";

/** What a member is paid of a token, and that in the ledger. */
const PAID = 1000n;
const CREDITED = PAID * 10n ** 10n;
/** So many tries in a row, each ten seconds after the one before, are within a minute. */
const TRIES = 6;
const TRY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** By a call of it, a node shows that it answers calls. */
const IDENTITY = "0x0000000000000000000000000000000000000004";

/** A token's payments to a member, read by a node that may be too busy to tell balances of it. */
interface Life {
  readonly ground: EvmGround;
  readonly rail: EvmRail;
  readonly taker: Taker;
  readonly clock: LaterClock;
  /** Pays the member, in a block. */
  readonly pay: () => Promise<void>;
  /** From how many questions at once the node takes too long. */
  readonly busyFrom: (questions: number) => void;
}

async function live(work: (life: Life) => Promise<void>): Promise<void> {
  using clock = new LaterClock();
  await using ground = await EvmGround.open();
  const { contract } = await ground.token("token", MANNERS.honest);
  const real = ground.node();
  let least = Infinity;
  const node: JsonRpc = {
    ask(questions, bytesMax) {
      const isToken = questions.some(({ method, params: [call] }) =>
        method === "eth_call" && (call as { to: string }).to === contract
      );
      if (!isToken || questions.length < least) return real.ask(questions, bytesMax);
      const words = "execution aborted (timeout = 5s)";
      return Promise.reject(new RpcRefusedError("eth_call", -32000, words));
    },
  };
  const rail = ground.rail({ node });
  const alice = await ground.address("alice");
  const taker = new Taker(rail, "token", 1);
  await taker.watch();
  const pay = async () => {
    await ground.anvil.call(contract ?? "", CALLS.transfer, [alice, PAID]);
    await ground.anvil.mine();
  };
  await work({ ground, rail, taker, clock, pay, busyFrom: (count) => least = count });
}

async function mustFail({ taker, rail, clock }: Life, tries: number): Promise<void> {
  for (let i = 0; i < tries; i++) {
    await assertRejects(() => taker.watch(), RpcRefusedError, "other");
    assertEquals(rail.health().fault, "contradicting");
    clock.pass(TRY_MS);
  }
}

/** Has a case of its own: each moves the clock of all that run at the same time. */
function itAlone(what: string, work: () => Promise<void>): void {
  describeUnless(NO_ANVIL)("a token of which a node tells no balance in time", () => {
    it(what, work);
  });
}

itAlone("loses no deposit while the node is busy for less than a minute", async () => {
  await live(async (life) => {
    const { ground, rail, taker, pay, busyFrom } = life;
    for (let time = 1n; time <= 2n; time++) {
      await pay();
      await pay();
      busyFrom(1);
      await mustFail(life, TRIES);
      busyFrom(Infinity);
      await taker.watch();
      assertEquals([taker.sum, rail.health().fault], [2n * time * CREDITED, null]);
    }
    assertEquals(ground.faults, []);
  });
});

itAlone("is to blame after a minute, for all blocks until it answers", async () => {
  await live(async (life) => {
    const { ground, rail, taker, pay, busyFrom } = life;
    await pay();
    busyFrom(1);
    await mustFail(life, TRIES);
    for (let block = 1; block <= 3; block++) {
      await taker.watch();
      assertEquals([taker.sum, rail.health().fault], [0n, null]);
      assertEquals(ground.faults.length, block);
      await pay();
    }
    assertMatch(`${ground.faults[0]}`, /^RefusedDepositError: Transfers of token in block/);
    busyFrom(Infinity);
    await taker.watch();
    assertEquals(taker.sum, CREDITED);
    await pay();
    busyFrom(1);
    await mustFail(life, TRIES);
  });
});

itAlone("is not to blame for the time in which nobody has asked", async () => {
  await live(async (life) => {
    const { ground, clock, pay, busyFrom } = life;
    await pay();
    busyFrom(1);
    for (let time = 0; time < TRIES; time++) {
      await mustFail(life, 1);
      clock.pass(HOUR_MS);
    }
    assertEquals(ground.faults, []);
  });
});

itAlone(
  "is to blame at once where it reverts, whatever else the node does not answer",
  async () => {
    await using ground = await EvmGround.open();
    const { contract } = await ground.token("token", MANNERS.honest);
    const node = new LyingNode(ground.node());
    const taker = new Taker(ground.rail({ node }), "token", 1);
    const alice = await ground.address("alice");
    await taker.watch();
    node.lies.set("eth_call", (answer, [call]) => {
      const { to } = call as { readonly to: string };
      if (to === contract) throw new RpcRefusedError("eth_call", 3, "execution reverted");
      if (to === IDENTITY) throw new RpcRefusedError("eth_call", -32000, "aborted");
      return answer;
    });
    await ground.anvil.call(contract ?? "", CALLS.transfer, [alice, PAID]);
    await ground.anvil.mine();
    await taker.watch();
    assertEquals([taker.sum, ground.faults.length], [0n, 1]);
  },
);

itAlone("loses nothing where it tells one balance at a time", async () => {
  await live(async (life) => {
    const { ground, taker, pay, busyFrom } = life;
    for (let time = 1n; time <= 2n; time++) {
      await pay();
      busyFrom(1);
      await mustFail(life, TRIES);
      busyFrom(2);
      await taker.watch();
      assertEquals([taker.sum, ground.faults], [time * CREDITED, []]);
    }
  });
});
