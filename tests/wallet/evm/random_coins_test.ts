import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { NotedOutput } from "../../../src/wallet/evm/noted_outputs.ts";
import type { EvmRail } from "../../../src/wallet/evm/evm_rail.ts";
import type { Sweeping } from "../../../src/wallet/evm/sweep_slots.ts";
import { EvmRows } from "../../../src/wallet/evm/evm_rows.ts";
import type { NetworkCoin } from "../../../src/wallet/rails/network_rail.ts";
import type { Payout } from "../../../src/wallet/rails/rail.ts";
import { present } from "../../../src/domain/assert.ts";
import { NO_ANVIL } from "../../support/anvil_node.ts";
import { PAYER_CODE } from "../../support/evm_contracts.ts";
import { Prng } from "../../support/prng.ts";
import { describeUnless } from "../../support/unless.ts";
import { CALLS, ETH, ETHER, EvmGround, MANNERS, NETWORK, STEP, Taker } from "./evm_ground.ts";
import { KilledError, MortalProcess } from "./mortal_process.ts";

const STEPS = 160;
const MEMBERS = ["alice", "bob", "carol"];
const PAYEES = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}`);
const DEPTH_MAX = 8;
const FUNDS = { eth: 1_000n * ETHER, usdt: 2_000_000_000n };
/** What the wallet keeps of tokens at most. */
const HOT_LIMIT = 1_000_000_000n;
const COLD = "0x4444444444444444444444444444444444444444";

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
    ground.takers.push(...this.takers);
  }

  static async begin(ground: EvmGround, seed: number): Promise<RandomLife> {
    const token = await ground.token("usdt", MANNERS.honest);
    const usdt = { ...token, price: 10n ** 16n, hotLimit: HOT_LIMIT };
    ground.coins.splice(0, 2, { ...ETH, price: 2_000n * 10n ** 16n }, usdt);
    const rails = [ground.rail({ cold: COLD }), ground.rail({ cold: COLD })];
    const life = new RandomLife(ground, usdt, rails, new Prng(seed));
    life.#payer = await ground.anvil.deploy(PAYER_CODE);
    await ground.fund(FUNDS.eth);
    await ground.anvil.call(usdt.contract ?? "", CALLS.transfer, [
      ground.rail().ownAddress,
      FUNDS.usdt,
    ]);
    await ground.anvil.mine(NETWORK.finalBlocks + 1);
    await life.watch();
    for (const uid of MEMBERS) life.addresses.push(await ground.address(uid));
    return life;
  }

  /** The wallet's address, the members', and the cold one. */
  get own(): readonly string[] {
    return [present(this.rails[0], "there are rails").ownAddress, ...this.addresses, COLD];
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
    await rail.tend();
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
    const units = BigInt(random.between(1, 1_000_000)) * 1_000n;
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
      address: random.pick([...PAYEES, ...this.addresses]),
      tag: null,
      amount: isToken ? BigInt(random.between(1, 1000)) * 10n ** 10n : ETHER / STEP,
    };
    this.payouts.push(payout);
    if (random.chance(0.5)) {
      const { engine, node } = this.#dying();
      await ground.rail({ engine, node, cold: COLD }).send(payout).catch(() => {});
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
    await this.watch(this.ground.rail({ engine, node, cold: COLD })).catch(() => {});
  }

  #dying(): MortalProcess {
    const kill = {
      step: this.random.between(1, 40),
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
      await mustAgreeWithChain(life);
      await mustHavePaid(life);
      await mustHaveSwept(life);
      assertEquals(ground.faults.filter((fault) => !(fault instanceof KilledError)), []);
    });
  }
});

/**
 * What there was and what members were credited, less what was paid and the gas for all of it, is
 * exactly what the wallet, the members' addresses and the cold one hold.
 */
async function mustAgreeWithChain(life: RandomLife): Promise<void> {
  const { ground: { anvil, venue }, takers, payouts, usdt, rails: [rail], own } = life;
  const rows = new EvmRows(NETWORK.name);
  const gas = await gasOf(life);
  for (const [i, { digits, currency }] of [ETH, usdt].entries()) {
    let [credited, units, held] = [0n, 0n, 0n];
    for (const [name, amount] of takers[i]?.credited ?? []) {
      const [txid = "", output] = name.split(":");
      const key = rows.output(currency, txid, Number(output));
      const noted = await venue.engine.readSidecar(key) as NotedOutput;
      credited += amount;
      units += noted.units;
      assertEquals(inUnits(amount, digits) + noted.rest, noted.units);
    }
    const isNative = currency === "eth";
    for (const address of own) {
      held += isNative
        ? await anvil.balance(address)
        : await anvil.tokens(usdt.contract ?? "", address);
    }
    const paid = payouts.filter((one) => one.currency === currency)
      .reduce((sum, { amount }) => sum + inUnits(amount, digits), 0n);
    assert(credited > 0n);
    const funds = isNative ? FUNDS.eth : FUNDS.usdt;
    assertEquals([currency, held], [currency, funds + units - paid - (isNative ? gas : 0n)]);
    const { hot, deposits, cold } = present(await rail?.balances(currency), "there is a rail");
    assertEquals([currency, hot + deposits + (cold ?? 0n)], [currency, held]);
    assertEquals(await rail?.rests(currency), units - inUnits(credited, digits));
  }
}

function inUnits(amount: bigint, digits: number): bigint {
  return digits > 16 ? amount * STEP : amount / 10n ** 10n;
}

/** Returns what the wallet and its members' addresses have paid for gas, by the blocks themselves. */
async function gasOf({ ground: { anvil }, own }: RandomLife): Promise<bigint> {
  const lower = new Set(own.map((address) => address.toLowerCase()));
  let gas = 0n;
  for (let height = await anvil.height(); height > 0; height--) {
    const block = await anvil.rpc("eth_getBlockByNumber", `0x${height.toString(16)}`, true);
    for (
      const { from, hash } of (block as { transactions: Record<string, string>[] }).transactions
    ) {
      if (!lower.has(from ?? "")) continue;
      const receipt = await anvil.rpc("eth_getTransactionReceipt", hash);
      const { gasUsed, effectiveGasPrice } = receipt as Record<string, string>;
      gas += BigInt(gasUsed ?? "") * BigInt(effectiveGasPrice ?? "");
    }
  }
  return gas;
}

/** Each payout was paid once. */
async function mustHavePaid(life: RandomLife): Promise<void> {
  const { ground: { anvil }, payouts, rails: [rail], usdt } = life;
  if (rail === undefined) throw new Error("There are rails");
  for (const { id } of payouts) {
    const found = await rail.find(id);
    if (found.kind !== "sent") throw new Error(`There is no ${id}`);
    assert(!found.isFailed && found.confirmations > NETWORK.finalBlocks);
  }
  const paid = (currency: string, address: string) =>
    payouts.filter((one) => one.currency === currency && one.address === address)
      .reduce((sum, { amount }) => sum + amount, 0n);
  for (const payee of PAYEES) {
    assertEquals(await anvil.balance(payee), paid("eth", payee) * STEP);
    assertEquals(await anvil.tokens(usdt.contract ?? "", payee), paid("usdt", payee) / 10n ** 10n);
  }
}

/** Nothing is on its way any more, and what is left at addresses is not worth its gas. */
async function mustHaveSwept(life: RandomLife): Promise<void> {
  const { ground: { anvil, venue }, addresses, usdt, own } = life;
  const rows = new EvmRows(NETWORK.name);
  const { open } = await venue.engine.readSidecar(rows.sweeping()) as Sweeping;
  assertEquals(open, []);
  for (const address of addresses) {
    assert(await anvil.balance(address) < ETHER / 1_000n);
    assert(await anvil.tokens(usdt.contract ?? "", address) < 100_000_000n);
    const sent = await anvil.rpc("eth_getTransactionCount", address, "latest");
    assert(BigInt(String(sent)) > 1n);
  }
  const hot = await anvil.tokens(usdt.contract ?? "", own[0] ?? "");
  assert(hot <= HOT_LIMIT * 11n / 10n, `the wallet has ${hot}`);
  assert(await anvil.tokens(usdt.contract ?? "", COLD) > 2n * HOT_LIMIT);
}
