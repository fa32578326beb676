import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { NotedOutput } from "../../../src/wallet/evm/noted_outputs.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import type { NetworkCoin } from "../../../src/wallet/rails/network_rail.ts";
import type { Payout } from "../../../src/wallet/rails/rail.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { Prng } from "../../support/prng.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETH, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";
import { KilledError, MortalProcess } from "./mortal_process.ts";

const STEPS = 140;
const MEMBERS = ["alice", "bob", "carol"];
const PAYEES = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}`);
const DEPTH_MAX = 8;
const FUNDS = 1_000n * ETHER;

/** A life of deposits and payouts, with reorganisations and processes that are killed. */
class RandomLife {
  readonly addresses: string[] = [];
  readonly payouts: Payout[] = [];
  readonly takers: Taker[];
  #payer = "";
  /** Transactions from outside that may be in blocks which are replaced. */
  #outside: { readonly raw: unknown; readonly height: number }[] = [];

  private constructor(
    readonly ground: EvmGround,
    readonly usdt: NetworkCoin,
    readonly rails: readonly EvmRail[],
    readonly random: Prng,
  ) {
    const wanted = DEPTH_MAX + 1;
    const [rail = ground.rail()] = rails;
    this.takers = [new Taker(rail, "eth", wanted), new Taker(rail, "usdt", wanted)];
  }

  static async begin(ground: EvmGround, seed: number): Promise<RandomLife> {
    const usdt = await ground.token("usdt", MANNERS.honest);
    const life = new RandomLife(ground, usdt, [ground.rail(), ground.rail()], new Prng(seed));
    life.#payer = await ground.anvil.deploy(PAYER_CODE);
    await ground.fund(FUNDS, usdt);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await life.watch();
    for (const uid of MEMBERS) life.addresses.push(await ground.address(uid));
    return life;
  }

  async step(): Promise<void> {
    const { random } = this;
    const steps = [
      () => this.#deposit(),
      () => this.#deposit(),
      () => this.#pay(),
      () => this.#mine(random.between(1, 3)),
      () => this.#mine(1),
      () => this.watch(),
      () => this.#reorganise(random.between(1, DEPTH_MAX)),
      () => this.#dieWatching(),
    ];
    await random.pick(steps)();
  }

  /** Lets everything come to its end: what was ever sent again is sent. */
  async end(): Promise<void> {
    for (let round = 0; round < 6 * NETWORK.finalBlocks; round++) {
      for (const payout of round < 2 ? this.payouts : []) await this.rails[0]?.send(payout);
      await this.#mine(1);
      await this.watch();
    }
  }

  async watch(rail: EvmRail = this.random.pick(this.rails)): Promise<void> {
    for (const taker of this.takers) {
      taker.rail = rail;
      await taker.watch();
    }
  }

  async #deposit(): Promise<void> {
    const { ground: { anvil }, random, usdt: { contract } } = this;
    const to = random.pick(this.addresses);
    const token = contract ?? "";
    const wei = BigInt(random.between(100, 1_000_000_000)) ** 2n;
    const units = BigInt(random.between(1, 1_000_000));
    const txid = await random.pick([
      () => anvil.send({ to, value: wei }),
      () => anvil.call(this.#payer, CALLS.pay, [to], wei),
      () => anvil.call(token, CALLS.transfer, [to, units]),
      () => anvil.call(token, CALLS.transferTwice, [to, units, 0n]),
      () => anvil.call(token, CALLS.transferTwice, [to, units, units]),
    ])();
    const raw = await anvil.rpc("eth_getRawTransactionByHash", txid);
    this.#outside.push({ raw, height: await anvil.height() + 1 });
  }

  /** Pays; a process may be killed at it, or another may do the same. */
  async #pay(): Promise<void> {
    const { random, ground } = this;
    const isToken = random.chance(0.4);
    const payout = {
      id: `withdraw-${this.payouts.length}`,
      currency: isToken ? "usdt" : "eth",
      address: random.pick(PAYEES),
      amount: isToken ? BigInt(random.between(1, 1000)) * 10n ** 10n : ETHER / STEP,
    };
    this.payouts.push(payout);
    if (random.chance(0.5)) {
      const { engine, node } = this.#dying();
      await ground.rail({ engine, node }).send(payout).catch(() => {});
    } else {
      await Promise.all(this.rails.map((rail) => rail.send(payout)));
    }
  }

  async #mine(blocks: number): Promise<void> {
    await this.ground.anvil.mine(blocks);
  }

  async #reorganise(depth: number): Promise<void> {
    const { anvil } = this.ground;
    await anvil.mine();
    const kept = await anvil.height() - depth;
    await anvil.reorganise(depth);
    const lost = this.#outside.filter(({ height }) => height > kept);
    this.#outside = this.#outside.filter(({ height }) => height <= kept);
    await this.watch();
    if (this.random.chance(0.3)) return;
    for (const { raw } of lost) {
      await anvil.rpc("eth_sendRawTransaction", raw);
      this.#outside.push({ raw, height: await anvil.height() + 1 });
    }
  }

  async #dieWatching(): Promise<void> {
    const { engine, node } = this.#dying();
    await this.watch(this.ground.rail({ engine, node })).catch(() => {});
  }

  #dying(): MortalProcess {
    const kill = {
      step: this.random.between(1, 14),
      when: this.random.pick(["before", "after"] as const),
    };
    return new MortalProcess(kill, this.ground.venue.engine, this.ground.node());
  }
}

describeUnless(NO_ANVIL)("a random life of a wallet", () => {
  for (const seed of [1, 2]) {
    it(`ends with a chain that agrees to the last unit, by seed ${seed}`, async () => {
      await using ground = await EvmGround.open();
      const life = await RandomLife.begin(ground, seed);
      for (let i = 0; i < STEPS; i++) await life.step();
      await life.end();
      await mustAgreeWithDeposits(life);
      await mustAgreeWithPayouts(life);
      assert(ground.faults.every((fault) => fault instanceof KilledError));
    });
  }
});

/** What members have been credited is exactly what is on their addresses. */
async function mustAgreeWithDeposits(life: RandomLife): Promise<void> {
  const { ground: { anvil, venue }, takers, addresses, usdt } = life;
  const rows = new EvmRows(NETWORK.name);
  for (const [i, { digits, currency }] of [ETH, usdt].entries()) {
    let [credited, units] = [0n, 0n];
    for (const [name, amount] of takers[i]?.credited ?? []) {
      const [txid = "", output] = name.split(":");
      const key = rows.output(currency, txid, Number(output));
      const noted = await venue.engine.readSidecar(key) as NotedOutput;
      credited += amount;
      units += noted.units;
      const exact = digits > 16 ? amount * STEP + noted.rest : amount / 10n ** 10n;
      assertEquals(exact, noted.units);
    }
    let held = 0n;
    for (const address of addresses) {
      held += currency === "eth"
        ? await anvil.balance(address)
        : await anvil.tokens(usdt.contract ?? "", address);
    }
    assert(credited > 0n);
    assertEquals([currency, units], [currency, held]);
  }
}

/** Each payout was paid once, and the wallet has what is left, but for the gas. */
async function mustAgreeWithPayouts(life: RandomLife): Promise<void> {
  const { ground: { anvil }, payouts, rails: [rail], usdt } = life;
  if (rail === undefined) throw new Error("There are rails");
  let gas = 0n;
  for (const { id } of payouts) {
    const found = await rail.find(id);
    if (found.kind !== "sent") throw new Error(`There is no ${id}`);
    assert(!found.isFailed && found.confirmations > NETWORK.finalBlocks);
    const receipt = await anvil.rpc("eth_getTransactionReceipt", found.txid);
    const { gasUsed, effectiveGasPrice } = receipt as Record<string, string>;
    gas += BigInt(gasUsed ?? "") * BigInt(effectiveGasPrice ?? "");
  }
  const paid = (currency: string, address: string) =>
    payouts.filter((one) => one.currency === currency && one.address === address)
      .reduce((sum, { amount }) => sum + amount, 0n);
  let [ether, tokens] = [0n, 0n];
  for (const payee of PAYEES) {
    assertEquals(await anvil.balance(payee), paid("eth", payee) * STEP);
    assertEquals(await anvil.tokens(usdt.contract ?? "", payee), paid("usdt", payee) / 10n ** 10n);
    ether += await anvil.balance(payee);
    tokens += await anvil.tokens(usdt.contract ?? "", payee);
  }
  assertEquals(await anvil.balance(rail.walletAddress), FUNDS - ether - gas);
  assertEquals(await anvil.tokens(usdt.contract ?? "", rail.walletAddress), FUNDS - tokens);
  const sent = await anvil.rpc("eth_getTransactionCount", rail.walletAddress, "latest");
  assertEquals(Number(sent), payouts.length);
}
