import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import type { SeenOutput } from "../../../src/wallet/rails/rail.ts";
import type { JsonRpc } from "../../../src/wallet/utxo/utxo_node.ts";
import type { UtxoRail } from "../../../src/wallet/utxo/utxo_rail.ts";
import {
  coins,
  type LitecoinNode,
  NO_LITECOIN,
  nobody,
  withLitecoin,
} from "../../support/litecoin_node.ts";
import { itUnless } from "../../support/unless.ts";
import { Prng } from "../../support/prng.ts";
import { settledBooks } from "./books.ts";
import { mortalParts } from "./mortal_parts.ts";
import { estimating, MEMBERS, type RailChanges, RailWorld, UNIT } from "./rail_world.ts";

/** Steps of a life: `UTXO_STEPS=10000` for a longer one, `UTXO_SEED` for another. */
const STEPS = Number(Deno.env.get("UTXO_STEPS") ?? 150);
const SEED = Number(Deno.env.get("UTXO_SEED") ?? 1);
/** In coins for 1,000 bytes. */
const CHEAP = "0.00005";
const FUNDS = ["1", "1", "1", "0.5", "0.5"];
/** What is beyond it goes to the cold address; in units of 10⁻⁸. */
const HOT_LIMIT = 300_000_000n;
const COLD = nobody();
/** Less than a venue's, so that it takes less to meet their bounds. */
const FEW = { coinsMax: 20, inputsMax: 8 };
/** Small coins that come at once, so that they are combined. */
const SHOWER_COINS = 12;
const SHOWER_AMOUNT = 50_000n;
const WINDFALL = 400_000_000n;
/** More than a wallet remembers that a payout lacked coins, in ms. */
const LONG_MS = 3_600_000;
/** Steps from one comparison of the balances to the next. */
const COMPARED_STEPS = 10;
const REORGANISED_MAX = 8;
/** Deposits that a reorganisation may reach. */
const YOUNG_MAX = 40;

/** A payout that somebody has asked for. */
interface AskedPayout {
  readonly payee: string;
  readonly amount: bigint;
}

/** Processes that come and go, a chain that changes its mind, and members who pay and are paid. */
class Life {
  readonly random = new Prng(SEED);
  readonly payouts = new Map<string, AskedPayout>();
  readonly credited = new Map<string, bigint>();
  deposits = 0n;
  showers = 0;
  deaths = 0;
  /** The deposits' transactions, as they were made. */
  readonly made: string[] = [];
  /** As the wallet's row: all processes continue there. */
  cursor: string | null = null;
  /** The node, by which fees are low enough to combine coins whatever the world has paid. */
  readonly rpc: JsonRpc;
  private rails: UtxoRail[] = [];

  constructor(readonly node: LitecoinNode, readonly world: RailWorld) {
    this.rpc = estimating(node, CHEAP);
    this.rails = [this.join(), this.join()];
  }

  async step(): Promise<void> {
    const { random } = this;
    const action = random.below(20);
    if (random.chance(0.03)) await this.shower();
    if (action < 4) await this.deposit();
    else if (action < 8) await this.pay();
    else if (action < 13) await this.watch(this.rail());
    else if (action < 18) await this.mine(random.between(1, 2));
    else if (action < 19) await this.reorganise();
    else this.rails[random.below(2)] = this.join();
  }

  join(changes: RailChanges = {}): UtxoRail {
    const { rpc: node } = this;
    return this.world.join({ ...FEW, node, ...changes, cold: COLD, hotLimit: HOT_LIMIT });
  }

  /** Returns a rail of a process that lives, or of one that soon dies. */
  rail(): UtxoRail {
    const { random, world, rpc } = this;
    if (!random.chance(0.3)) return this.rails[random.below(2)] ?? world.rail;
    this.deaths += 1;
    return this.join(mortalParts(world.test.engine, rpc, random.between(1, 20)));
  }

  async deposit(): Promise<void> {
    const { random, world, node } = this;
    const uid = MEMBERS[random.below(MEMBERS.length)] ?? "alice";
    const amount = BigInt(random.between(10_000, 10_000_000));
    this.deposits += amount;
    this.made.push(await node.pay(await world.address(uid), coins(amount)));
  }

  /** Many small coins for the wallet. */
  async shower(): Promise<void> {
    this.showers += 1;
    this.made.push(
      await this.node.payMany(this.world.rail.ownAddress, SHOWER_AMOUNT, SHOWER_COINS),
    );
  }

  /** More than the wallet may hold, in coins small and large, long after a payout lacked any. */
  async windfall(): Promise<void> {
    this.world.clock.now += LONG_MS;
    for (let i = 0; i < 2; i++) await this.shower();
    this.made.push(await this.node.pay(this.world.rail.ownAddress, coins(WINDFALL)));
  }

  async mine(blocks: number): Promise<void> {
    await this.node.mine(blocks);
    const waiting: string[] = [];
    for (const txid of this.made.slice(-YOUNG_MAX)) {
      if (!await this.node.isMined(txid)) waiting.push(txid);
    }
    await this.node.resend(waiting);
  }

  async pay(): Promise<void> {
    const { random, world } = this;
    const isNew = this.payouts.size === 0 || random.chance(0.6);
    const id = `withdraw-${isNew ? this.payouts.size + 1 : random.between(1, this.payouts.size)}`;
    const asked = this.payouts.get(id) ??
      // The world spends none of them: what it pays with stays when a payout is replaced.
      { payee: nobody(), amount: BigInt(random.between(6_000, 20_000_000)) };
    this.payouts.set(id, asked);
    const { payee, amount } = asked;
    const sent = [this.rail(), ...(random.chance(0.3) ? [this.rail()] : [])]
      .map((rail) => world.send(id, payee, amount, rail).catch(() => null));
    const txids = (await Promise.all(sent)).flatMap((one) => one?.kind === "sent" ? one.txid : []);
    assert(new Set(txids).size < 2, "two processes send the same");
  }

  async watch(rail: UtxoRail): Promise<readonly SeenOutput[]> {
    const since = this.cursor;
    const answer = await rail.watch("ltc", since).catch(() => null);
    if (answer === null) return [];
    for (const { txid, output, amount, confirmations, isDropped } of answer.outputs) {
      assert(!isDropped, "nobody spends twice here");
      if (confirmations >= 9) this.credited.set(`${txid}:${output}`, amount);
    }
    if (this.cursor === since) this.cursor = answer.cursor;
    return answer.outputs;
  }

  /** Whatever has happened, a rail that is at the last block knows what the chain holds. */
  async compare(): Promise<void> {
    const { hot, deposits, cold } = await this.join().balances("ltc");
    assertEquals(hot + deposits, await this.world.onChain());
    assertEquals(cold, await this.node.unspent(COLD));
  }

  async reorganise(): Promise<void> {
    const depth = this.random.between(1, REORGANISED_MAX);
    await this.node.reorganise(depth, async () => {
      for (let i = 0; i <= depth; i++) await this.node.mineOnly();
    });
  }
}

describe("a rail of Bitcoin's family through a life of accidents", () => {
  itUnless(NO_LITECOIN)(
    "credits each deposit and pays each payout once, to the last unit",
    () =>
      withLitecoin(async (node) => {
        await using world = await RailWorld.open(node);
        await world.fund(...FUNDS);
        const life = new Life(node, world);
        for (let i = 0; i < 2; i++) await life.shower();
        for (let step = 1; step <= STEPS; step++) {
          await life.step();
          if (step % COMPARED_STEPS === 0) await life.compare();
        }
        const rail = life.join();
        await life.windfall();
        for (let i = 0; i < 6; i++) {
          await life.mine(3);
          await life.watch(rail);
          await life.watch(rail);
        }
        const { received, paid, payouts } = await settledBooks(world);
        const credited = [...life.credited.values()].reduce((sum, one) => sum + one, 0n);
        assertEquals(credited, life.deposits * UNIT);
        const showers = BigInt(life.showers * SHOWER_COINS) * SHOWER_AMOUNT;
        assertEquals(received, life.deposits + 400_000_000n + WINDFALL + showers);
        assert(payouts.every(({ end }) => end?.isFailed === false));
        const moved = payouts.filter(({ id }) => id.startsWith("cold-"));
        const toCold = moved.reduce((sum, { amount }) => sum + amount, 0n);
        assertEquals(await node.unspent(COLD), toCold);
        assert(moved.length > 0 && payouts.some(({ id }) => id.startsWith("combine-")));
        for (const { id } of payouts) {
          if (!id.startsWith("withdraw-")) continue;
          const { payee, amount } = life.payouts.get(id) ?? { payee: "", amount: 0n };
          assertEquals(await node.unspent(payee), amount);
        }
        const sent = new Set(payouts.map(({ id }) => id));
        for (const [id, { payee }] of life.payouts) {
          if (!sent.has(id)) assertEquals(await node.unspent(payee), 0n);
        }
        assert(paid > 0n && life.deaths > 0);
      }),
  );
});
