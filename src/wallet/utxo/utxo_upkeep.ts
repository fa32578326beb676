/**
 * What the wallet does with its coins by itself, and what is told of all that it pays: it makes one
 * coin of many small ones, and pays what is beyond its limit to the cold address. Both are payments of the journal, with ids of their own, so
 * that they are made once whoever dies and whoever else thinks of it; the next one waits until a
 * block has the one before.
 */
import { present } from "../../domain/assert.ts";
import type { InsidePayments } from "../rails/inside_payments.ts";
import type { LostPayment, NetworkRailParts } from "../rails/network_rail.ts";
import type { ChainWalk } from "./chain_walk.ts";
import { payeeOf, type PaymentPlans, type PlanParts, sumOf } from "./payment_plans.ts";
import type { FreeCoin } from "./utxo_coins.ts";
import { CoinsMissingError, CoinsScatteredError } from "./utxo_faults.ts";
import { lastOf, type UtxoPayouts } from "./utxo_payouts.ts";
import type { JournalRow, PayoutRow } from "./utxo_rows.ts";

/** What the upkeep works with. */
export interface UtxoUpkeepParts extends PlanParts {
  readonly plans: PaymentPlans;
  readonly payouts: UtxoPayouts;
  readonly inside: Pick<InsidePayments, "txids">;
  readonly walk: ChainWalk;
  /** More final coins than this are combined. */
  readonly coinsMax: number;
  /** Script of the cold address; null if there is none. */
  readonly cold: Uint8Array | null;
  readonly onMoved: NetworkRailParts["onMoved"];
  readonly onLost: NetworkRailParts["onLost"];
  readonly onReturned: NetworkRailParts["onReturned"];
  readonly owedOf: NetworkRailParts["owedOf"];
}

/** When a payout last lacked coins, in ms. */
interface ShortRow {
  readonly at: number;
}

/** A coin is combined by the way if it is worth as often what that costs. */
const WORTH_COMBINING = 10n;
/** The cold address is paid what is over the limit by this part of it, and worth as often its fee. */
const OVER_PART = 10n;
const WORTH_MOVING = 100n;
/** After a payout has lacked coins, none are moved away for so long, in ms; it asks more often. */
const SHORT_MS = 600_000;
/** What the ids of these payments begin with: no withdrawal's does. */
const COMBINED = "combine-";
const MOVED = "cold-";

/** Keeps the coins of a wallet few, and what it has of them within its limit. */
export class UtxoUpkeep {
  readonly #parts: UtxoUpkeepParts;

  constructor(parts: UtxoUpkeepParts) {
    this.#parts = parts;
  }

  /** Takes note that a payout lacks coins; if they are too many, it combines the largest. */
  async heed(error: CoinsMissingError, height: number): Promise<void> {
    const { engine, rows, chain, payouts } = this.#parts;
    const at = engine.now();
    await engine.changeSidecar(rows.short, (old): ShortRow => {
      const known = old as ShortRow | null;
      return known !== null && known.at > at ? known : { at };
    });
    if (!(error instanceof CoinsScatteredError)) return;
    const rate = await chain.feeRate();
    const made = await payouts.plan((journal) => this.#combination(journal, { rate, height }));
    if (made !== null) await payouts.broadcast(made);
  }

  /** Combines coins while that is cheap, and moves what is too much; what it decides is sent later. */
  async turn(): Promise<void> {
    const { keys, payouts, walk: { height } } = this.#parts;
    if (!keys.canSign) return;
    await payouts.plan((journal) => this.#cheapCombination(journal, height));
    await payouts.plan((journal) => this.#surplus(journal, height));
  }

  /** Tells of what is decided on if it goes to the cold address. */
  async tellDecided({ id, amount, versions: [first] }: PayoutRow): Promise<void> {
    const coin = this.#parts.coin();
    if (!id.startsWith(MOVED) || coin === null) return;
    const { txid } = present(first, "a payout has a transaction");
    await this.#parts.onMoved({ coin, units: amount, txid });
  }

  /**
   * Tells of a payment that never arrives, or may not; what only combined coins is nobody's loss, but
   * may keep them.
   */
  async tellLost(
    { id: payoutId, amount, versions, returns = 0 }: PayoutRow,
    why: Pick<LostPayment, "doubt" | "fate"> = {},
  ): Promise<void> {
    const coin = this.#parts.coin();
    if (coin === null || (amount === 0n && why.doubt === undefined)) return;
    const earlier = versions.slice(0, -1).map(({ txid }) => txid);
    const others = [...earlier, ...await this.#parts.inside.txids(payoutId)];
    const lost = { coin, payoutId, txids: [lastOf(versions).txid, ...others], returns } as const;
    await this.#parts.onLost({ ...lost, ...why });
  }

  /** Tells of one that has arrived after all, by this transaction. */
  async tellReturned(
    { id: payoutId, amount, returns = 0 }: PayoutRow,
    txid: string,
  ): Promise<void> {
    const coin = this.#parts.coin();
    if (amount === 0n || coin === null) return;
    await this.#parts.onReturned({ coin, payoutId, txid, returns });
  }

  /** Returns the highest fee that a payment is raised to: what is done by the way can wait. */
  async feeMax(payout: PayoutRow): Promise<bigint> {
    const { network: { fees: { cheap, max } }, plans } = this.#parts;
    const { id, amount, inputs } = payout;
    const isByTheWay = id.startsWith(COMBINED) && !await this.#isShort();
    const most = plans.fee(isByTheWay ? cheap : max, inputs.length, payeeOf(payout));
    const worth = amount / WORTH_MOVING;
    return id.startsWith(MOVED) && worth < most ? worth : most;
  }

  async #combination(
    journal: JournalRow,
    terms: { readonly rate: bigint; readonly height: number },
  ): Promise<PayoutRow | null> {
    if (await this.#isWaiting(COMBINED)) return null;
    const coins = await this.#worth(journal, terms.rate, 1n);
    return await this.#parts.plans.combination(`${COMBINED}${journal.left}`, coins, terms);
  }

  async #cheapCombination(journal: JournalRow, height: number): Promise<PayoutRow | null> {
    const { network, chain, coins, plans, coinsMax } = this.#parts;
    const free = await coins.free(journal);
    if (free.length <= coinsMax || await this.#isWaiting(COMBINED)) return null;
    const rate = await chain.feeRate();
    if (rate > network.fees.cheap) return null;
    const worth = await this.#worth(journal, rate, WORTH_COMBINING);
    if (worth.length <= coinsMax) return null;
    // The largest stay what payouts are made of.
    const small = worth.toReversed();
    return await plans.combination(`${COMBINED}${journal.left}`, small, { rate, height });
  }

  /** Returns a payment of what is beyond the limit: nothing while a payout lacks coins. */
  async #surplus(journal: JournalRow, height: number): Promise<PayoutRow | null> {
    const { chain, plans, cold, inputsMax, owedOf } = this.#parts;
    const coin = this.#parts.coin();
    const limit = coin?.hotLimit ?? null;
    if (coin === null || limit === null || cold === null) return null;
    const final = await this.#final(journal);
    const over = sumOf(final) - owedOf(coin) - limit;
    if (over <= 0n || over * OVER_PART < limit) return null;
    if (await this.#isWaiting(MOVED) || await this.#isShort()) return null;
    const rate = await chain.feeRate();
    const largest = final.slice(0, inputsMax);
    const fee = plans.fee(rate, largest.length, cold);
    const most = sumOf(largest) - fee;
    const amount = over < most ? over : most;
    if (amount < fee * WORTH_MOVING) return null;
    const asked = { id: `${MOVED}${journal.left}`, script: cold, amount, height };
    try {
      return await plans.payout(asked, journal);
    } catch (error) {
      // Some of them can't be spent now.
      if (error instanceof CoinsMissingError) return null;
      throw error;
    }
  }

  /** Returns the final coins that are mature. */
  async #final(journal: JournalRow): Promise<FreeCoin[]> {
    const { coins, walk } = this.#parts;
    return (await coins.free(journal)).filter((coin) =>
      coin.height !== null && walk.isMature(coin, coin.height)
    );
  }

  /** Returns those of them that are worth so many times what it costs to spend them. */
  async #worth(journal: JournalRow, rate: bigint, times: bigint): Promise<FreeCoin[]> {
    const { plans } = this.#parts;
    const cost = plans.fee(rate, 2, null) - plans.fee(rate, 1, null);
    return (await this.#final(journal)).filter(({ amount }) => amount > times * cost);
  }

  /** Returns whether a payment of a kind is in no block yet. */
  async #isWaiting(kind: string): Promise<boolean> {
    return (await this.#parts.payouts.waiting()).some(({ id }) => id.startsWith(kind));
  }

  async #isShort(): Promise<boolean> {
    const { engine, rows } = this.#parts;
    const short = await engine.readSidecar(rows.short) as ShortRow | null;
    return short !== null && engine.now() - short.at < SHORT_MS;
  }
}
