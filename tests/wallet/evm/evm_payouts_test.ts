import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { present } from "../../../src/domain/assert.ts";
import { parseDecimal } from "../../../src/domain/money/money.ts";
import { PayoutWaitsError } from "../../../src/wallet/rails/payout_waits.ts";
import { gasFee } from "../../../src/wallet/evm/evm_payments.ts";
import { OtherPayoutError } from "../../../src/wallet/evm/payouts/evm_payouts.ts";
import type { Payout, SendOutcome } from "../../../src/wallet/rails/rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { describeUnless } from "../../support/unless.ts";
import { LyingNode } from "./lying_node.ts";
import { ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";
const OTHER = "0x2222222222222222222222222222222222222222";
const ONE: Payout = {
  id: "withdraw-1",
  currency: "eth",
  address: PAYEE,
  tag: null,
  amount: ETHER / STEP,
};

/** Returns for what a payment is sent now, in wei for a unit of gas. */
async function usualFee({ anvil }: EvmGround): Promise<bigint> {
  const block = await anvil.rpc("eth_getBlockByNumber", "latest", false);
  const { baseFeePerGas } = block as { readonly baseFeePerGas: string };
  const tip = BigInt(String(await anvil.rpc("eth_maxPriorityFeePerGas")));
  return gasFee(NETWORK, { baseFee: BigInt(baseFeePerGas), tip })?.feeMax ?? 0n;
}

describeUnless(NO_ANVIL)("payouts by the rail", () => {
  it("are sent, confirmed and final", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(10n * ETHER);
    const rail = ground.rail();
    assertEquals(await rail.find(ONE.id), { kind: "absent" });
    const txid = txidOf(await rail.send(ONE));
    const found = { kind: "sent" as const, txid, isFailed: false };
    assertEquals(await rail.find(ONE.id), { ...found, confirmations: 0 });
    await ground.anvil.mine();
    assertEquals(await rail.find(ONE.id), { ...found, confirmations: 1 });
    await ground.anvil.mine(4);
    assertEquals(await ground.rail().find(ONE.id), { ...found, confirmations: 5 });
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals(ground.faults, []);
  });

  it("are the same however often they are sent, before and after their block", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(10n * ETHER);
    const [one, other] = [ground.rail(), ground.rail()];
    const first = await one.send(ONE);
    await ground.anvil.rpc("anvil_dropTransaction", txidOf(first));
    assertEquals(await other.send(ONE), first);
    await ground.anvil.mine();
    assertEquals(await one.send(ONE), first);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    assertEquals(await other.send(ONE), first);
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    await assertRejects(() => one.send({ ...ONE, amount: 1n }), OtherPayoutError);
    await assertRejects(() => one.send({ ...ONE, address: OTHER }), OtherPayoutError);
    assertEquals(ground.faults, []);
  });

  it("to members are deposits, unless nobody knows of the withdrawal any more", async () => {
    await using ground = await EvmGround.open();
    await using forgotten = await EngineVenue.open();
    const usdt = await ground.token("usdt", MANNERS.honest);
    await ground.fund(10n * ETHER, usdt);
    const address = await ground.address("alice");
    const node = new LyingNode(ground.node());
    // What the venue has sent and knows, it doesn't ask for by its name.
    node.lies.set("eth_getTransactionByHash", () => null);
    const takers = ["eth", "usdt"].map((one) => new Taker(ground.rail({ node }), one, 1));
    for (const taker of takers) await taker.watch();
    for (const { engine } of [forgotten, ground.venue]) {
      const rail = ground.rail({ engine });
      if (engine === ground.venue.engine) {
        // What its address has sent without it, two blocks have to show.
        await assertRejects(() => rail.send({ ...ONE, address }), PayoutWaitsError, "more than");
        await ground.anvil.mine();
      }
      await rail.send({ ...ONE, address });
      await rail.send({
        id: "withdraw-2",
        currency: "usdt",
        address,
        tag: null,
        amount: 7n * 10n ** 16n,
      });
      await ground.anvil.mine();
      for (const taker of takers) await taker.watch();
      const isKnown = engine === ground.venue.engine;
      const [ether, tokens] = takers.map(({ sum }) => sum);
      assertEquals([ether, tokens], isKnown ? [ONE.amount, 7n * 10n ** 16n] : [0n, 0n]);
    }
    assertEquals(ground.faults, []);
  });

  it("are deposits of who asks for the recipient's address before the block", async () => {
    await using ground = await EvmGround.open();
    const usdt = await ground.token("usdt", MANNERS.honest);
    await ground.fund(10n * ETHER, usdt);
    const takers = ["eth", "usdt"].map((currency) => new Taker(ground.rail(), currency, 1));
    for (const taker of takers) await taker.watch();
    const { address } = await ground.rail().createAddress("eth", "alice");
    await ground.rail().send({ ...ONE, address });
    await ground.rail().send({ ...ONE, id: "withdraw-2", currency: "usdt", address });
    assertEquals(await ground.address("alice"), address);
    await ground.anvil.mine();
    for (const taker of takers) await taker.watch();
    assertEquals(takers.map(({ sum }) => sum), [ONE.amount, ONE.amount]);
  });

  it("take their nonces in turn, by whichever of two processes", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(100n * ETHER);
    const rails = [ground.rail(), ground.rail()];
    const payouts = Array.from({ length: 12 }, (_, i) => ({ ...ONE, id: `withdraw-${i}` }));
    const sent = await Promise.all(
      payouts.flatMap((payout) => rails.map(async (rail) => txidOf(await rail.send(payout)))),
    );
    assertEquals(new Set(sent).size, payouts.length);
    await ground.anvil.mine();
    assertEquals(await ground.anvil.balance(PAYEE), 12n * ETHER);
    for (const { id } of payouts) {
      const found = await rails[0]?.find(id);
      assert(found?.kind === "sent" && found.confirmations === 1);
    }
    assertEquals(ground.faults, []);
  });

  it("of tokens arrive, also of one that answers nothing", async () => {
    await using ground = await EvmGround.open();
    const usdt = await ground.token("usdt", MANNERS.silent);
    await ground.fund(10n * ETHER, usdt);
    const rail = ground.rail();
    const payout = { ...ONE, currency: "usdt", amount: 1_500_000n * 10n ** 10n };
    const txid = txidOf(await rail.send(payout));
    await ground.anvil.mine();
    const found = { kind: "sent" as const, txid, confirmations: 1, isFailed: false };
    assertEquals(await rail.find(ONE.id), found);
    assertEquals(await ground.anvil.tokens(usdt.contract ?? "", PAYEE), 1_500_000n);
  });

  it("are refused where they can't arrive, with nothing reserved", async () => {
    await using ground = await EvmGround.open();
    const refusing = await ground.token("bad", MANNERS.refusing);
    const fine = await ground.token("usdt", MANNERS.honest);
    await ground.fund(10n * ETHER, fine);
    await ground.anvil.rpc("anvil_setCode", OTHER, "0xfe");
    const rail = ground.rail();
    // The deployer holds all of it; that the wallet holds some is told by nobody else.
    const tokens = { ...ONE, currency: "usdt" };
    const wrong: Payout[] = [
      { ...ONE, address: "0x1234" },
      { ...ONE, address: "0x0000000000000000000000000000000000000000" },
      { ...ONE, address: rail.ownAddress },
      { ...ONE, amount: 0n },
      { ...tokens, amount: 1n },
      { ...tokens, address: fine.contract ?? "", amount: 10n ** 12n },
      { ...ONE, address: OTHER },
    ];
    for (const payout of wrong) assertEquals((await rail.send(payout)).kind, "refused");
    assertEquals(await rail.find(ONE.id), { kind: "absent" });
    await assertRejects(() => rail.send({ ...ONE, currency: refusing.currency }), PayoutWaitsError);
    const txid = txidOf(await rail.send(ONE));
    await ground.anvil.mine();
    assertEquals(await rail.find(ONE.id), {
      kind: "sent",
      txid,
      confirmations: 1,
      isFailed: false,
    });
    assertEquals(
      await ground.anvil.rpc("eth_getTransactionCount", rail.ownAddress, "latest"),
      "0x1",
    );
  });

  it("wait for money, also for what others are about to take", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(2n * ETHER);
    const rail = ground.rail();
    await assertRejects(() => rail.send({ ...ONE, amount: 3n * ONE.amount }), PayoutWaitsError);
    txidOf(await rail.send(ONE));
    const second = { ...ONE, id: "withdraw-2" };
    await assertRejects(() => rail.send(second), PayoutWaitsError);
    assertEquals(await rail.find(second.id), { kind: "absent" });
    await ground.fund(2n * ETHER);
    txidOf(await rail.send(second));
  });

  it("wait for tokens, also for what others are about to take of the same", async () => {
    await using ground = await EvmGround.open();
    const tokens = [await ground.token("usdt", MANNERS.honest), await ground.token("dai", 0n)];
    await ground.fund(ETHER);
    await ground.fund(3n * 10n ** 6n, ...tokens);
    const rail = ground.rail();
    const send = (number: number, currency: string, amount: bigint) =>
      rail.send({ ...ONE, id: `withdraw-${number}`, currency, amount: amount * 10n ** 16n });
    txidOf(await send(1, "usdt", 1n));
    txidOf(await send(2, "usdt", 1n));
    await assertRejects(() => send(3, "usdt", 2n), PayoutWaitsError, "for all that waits: send 1 ");
    txidOf(await send(4, "dai", 2n));
  });

  it("that wait for money say how much is to be sent where, which is enough", async () => {
    await using ground = await EvmGround.open();
    const usdt = await ground.token("usdt", MANNERS.honest);
    const rail = ground.rail();
    const wanted = async (payout: Payout, currency: string) => {
      const wait = await assertRejects(() => rail.send(payout), PayoutWaitsError);
      const [, amount = "", address = ""] = present(
        new RegExp(`: send (\\S+) ${currency} to (\\S+) on anvil, unless`).exec(wait.message),
        wait.message,
      );
      assertEquals([wait.reason, address], ["too_little", rail.ownAddress]);
      return amount;
    };
    await ground.anvil.send({ to: rail.ownAddress, value: ETHER / 2n });
    await ground.anvil.mine();
    // Twice the gas of a payment.
    const gasNow = async () => 42_000n * await usualFee(ground);
    const all = parseDecimal(await wanted(ONE, "eth"), 18);
    assertEquals(all, ETHER / 2n + await gasNow());
    await ground.anvil.send({ to: rail.ownAddress, value: ETHER / 2n });
    await ground.anvil.mine();
    const gas = parseDecimal(await wanted(ONE, "eth"), 18) ?? 0n;
    assertEquals(gas, await gasNow());
    const tokens = { ...ONE, id: "withdraw-2", currency: "usdt", amount: 3n * 10n ** 16n };
    assertEquals(await wanted(tokens, "usdt"), "3");
    const also = async (by = rail) => {
      const { message } = await assertRejects(() => by.send(tokens), PayoutWaitsError);
      return parseDecimal(/sweeps bring it; also send (\S+) eth to/.exec(message)?.[1] ?? "0", 18);
    };
    assertEquals(await also(), 0n, "there is enough of it");
    await ground.anvil.send({ to: rail.ownAddress, value: gas });
    await ground.anvil.mine();
    const sent = await ground.anvil.rpc("eth_getTransactionByHash", txidOf(await rail.send(ONE)));
    const { gas: limit, maxFeePerGas } = sent as Record<string, string>;
    const left = gas - BigInt(limit ?? 0) * BigInt(maxFeePerGas ?? 0);
    // Twice the gas of a token's payment, with what is left beside that which waits.
    assertEquals(await also(), 200_000n * await usualFee(ground) - left);
    const dear = ground.rail({ network: { ...NETWORK, feeMax: 1n } });
    assertEquals(await also(dear), 0n, "how much it is, nobody knows");
    await ground.anvil.mine();
    await ground.fund(ETHER, usdt);
    txidOf(await rail.send(tokens));
    assertEquals(ground.faults, []);
  });

  it("wait while gas costs too much, and say so", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(2n * ETHER);
    const rail = ground.rail({ network: { ...NETWORK, feeMax: 10n ** 8n } });
    const wait = await assertRejects(() => rail.send(ONE), PayoutWaitsError, "than 0.1 gwei");
    assertEquals([wait.reason, ground.faults], ["dear", []]);
  });

  it("are sent by nobody without the seed, who can look them up", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(2n * ETHER);
    const watching = ground.rail({ keys: ground.watchingKeys() });
    await assertRejects(() => watching.send(ONE), Error, "WALLET_SEED");
    const txid = txidOf(await ground.rail().send(ONE));
    await ground.anvil.rpc("anvil_dropTransaction", txid);
    const waiting = { kind: "sent", txid, confirmations: 0, isFailed: false } as const;
    const isKnown = async () => await ground.anvil.rpc("eth_getTransactionByHash", txid) !== null;
    assertEquals(await watching.find(ONE.id), waiting);
    await watching.watch("eth", null);
    assertEquals(await isKnown(), false);
    assertEquals([await ground.rail().find(ONE.id), await isKnown()], [waiting, true]);
  });

  it("are sent for more when they wait, with the same nonce", async () => {
    await using ground = await EvmGround.open();
    await ground.fund(10n * ETHER);
    const rail = ground.rail();
    const first = txidOf(await rail.send(ONE));
    await ground.anvil.rpc("anvil_dropTransaction", first);
    await ground.anvil.mine(NETWORK.bumpBlocks);
    const found = await rail.find(ONE.id);
    assert(found.kind === "sent" && found.txid !== first && found.confirmations === 0);
    assertEquals(await ground.rail().find(ONE.id), found);
    await ground.anvil.mine();
    assertEquals(await rail.find(ONE.id), { ...found, confirmations: 1 });
    assertEquals(await ground.anvil.balance(PAYEE), ETHER);
    assertEquals(ground.faults, []);
  });

  it("are sent for no more than the wallet has, which is told once they have waited", async () => {
    await using ground = await EvmGround.open();
    const { anvil } = ground;
    const baseFee = async (gwei: number): Promise<void> => {
      const wei = `0x${(BigInt(gwei) * 10n ** 9n).toString(16)}`;
      await anvil.rpc("anvil_setNextBlockBaseFeePerGas", wei);
    };
    await baseFee(1);
    const rail = ground.rail();
    // For the payout and its gas, in the block before and in this one.
    await anvil.send({ to: rail.ownAddress, value: ETHER + 10n ** 14n });
    await anvil.mine();
    const txid = txidOf(await rail.send(ONE));
    for (let block = 1; block <= 2 * NETWORK.bumpBlocks; block++) {
      await baseFee(100);
      await anvil.mine();
      assertEquals(ground.lost, []);
      // As a node does that is full.
      await anvil.rpc("anvil_dropAllTransactions");
      await rail.tend();
    }
    assertEquals(ground.lost, ["held_back withdraw-1"]);
    assert(ground.lostPayments[0]?.detail?.includes("for gas, which costs more by now: send 0.0"));
    const found = { kind: "sent" as const, txid, isFailed: false };
    assertEquals(await rail.find(ONE.id), { ...found, confirmations: 0 });
    await baseFee(1);
    await anvil.mine();
    await rail.tend();
    await anvil.mine();
    assertEquals([await anvil.balance(PAYEE), ground.faults], [ETHER, []]);
  });

  it("are refused where a recipient takes them only as long as gas costs nothing", async () => {
    await using ground = await EvmGround.open();
    // GASPRICE PUSH1 5 JUMPI STOP JUMPDEST INVALID
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x3a600557005bfe");
    await ground.fund(10n * ETHER);
    const reason = "its recipient or token refuses it";
    assertEquals(await ground.rail().send(ONE), { kind: "refused", reason });
    // Of one that uses up all that there is, nobody can tell.
    const rest = { ...ONE, id: "withdraw-2", amount: (10n * ETHER) / STEP - 10n ** 12n };
    await assertRejects(() => ground.rail().send(rest), PayoutWaitsError, "too little for gas");
  });

  it("are refused where a recipient takes too much gas, which is not tried out", async () => {
    await using ground = await EvmGround.open();
    // PUSH3 0FFFFF PUSH0 KECCAK256 STOP
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x620fffff5f2000");
    await ground.fund(10n * ETHER);
    const node = new LyingNode(ground.node());
    const given: unknown[] = [];
    node.lies.set("eth_estimateGas", (answer, [call]) => {
      given.push((call as { gas?: string }).gas);
      return answer;
    });
    const reason = "it takes too much gas";
    assertEquals(await ground.rail({ node }).send(ONE), { kind: "refused", reason });
    // What is refused is not in the list.
    await ground.anvil.rpc("anvil_setCode", PAYEE, "0x");
    txidOf(await ground.rail({ node }).send({ ...ONE, id: "withdraw-2" }));
    assertEquals(given, [`0x${NETWORK.gasMax.toString(16)}`]);
  });

  it("that are mined without effect fail once no reorganisation can undo it", async () => {
    await using ground = await EvmGround.open();
    const payer = await ground.anvil.deploy(PAYER_CODE);
    await ground.fund(10n * ETHER);
    const rail = ground.rail();
    const txid = txidOf(await rail.send(ONE));
    // The recipient becomes a contract that takes nothing.
    await ground.anvil.rpc(
      "anvil_setCode",
      PAYEE,
      await ground.anvil.rpc("eth_getCode", payer, "latest"),
    );
    await ground.anvil.mine();
    const found = { kind: "sent" as const, txid, confirmations: 0 };
    assertEquals(await rail.find(ONE.id), { ...found, isFailed: false });
    await ground.anvil.mine(NETWORK.finalBlocks);
    const failure = "its transaction was mined without effect";
    assertEquals(await rail.find(ONE.id), { ...found, isFailed: true, failure });
    assertEquals(await ground.anvil.balance(PAYEE), 0n);
  });
});

function txidOf(outcome: SendOutcome): string {
  if (outcome.kind !== "sent") throw new Error(`It is refused: ${outcome.reason}`);
  return outcome.txid;
}
