/**
 * Payouts that the node does not take. One that is open again may be too cheap by now, and one whose
 * change is spent can't be raised: it waits until nodes take it, and what is made of it waits behind
 * it. Both are told once that takes long. What merely waits for its block is none of these.
 */
import type { PaymentDoubt } from "../rails/network_rail.ts";
import type { ChainWalk } from "./chain_walk.ts";
import { outpoint } from "./node_chain.ts";
import type { UtxoCoins } from "./utxo_coins.ts";
import type { UtxoNetwork } from "./utxo_networks.ts";
import type { CoinRow, PayoutRow } from "./utxo_rows.ts";

/** What this works with. */
export interface RefusedPayoutParts {
  readonly network: UtxoNetwork;
  readonly coins: Pick<UtxoCoins, "rows">;
  readonly walk: Pick<ChainWalk, "height" | "blockOf">;
  /** Called with what was long refused, and the coins that it is made of; perhaps again. */
  readonly onRefused: (payout: PayoutRow, made: PaymentDoubt) => Promise<void>;
}

/** A payout that the node has refused since it last took it. */
interface Refusal {
  /** The last block when it was first refused. */
  readonly since: number;
  isTold: boolean;
}

/** The payouts that the node does not take. */
export class RefusedPayouts {
  readonly #parts: RefusedPayoutParts;
  readonly #refusals = new Map<string, Refusal>();

  constructor(parts: RefusedPayoutParts) {
    this.#parts = parts;
  }

  /** Takes note that the node has refused a payout. */
  refused(id: string): void {
    if (this.#refusals.has(id)) return;
    this.#refusals.set(id, { since: this.#parts.walk.height, isTold: false });
  }

  /** Takes note that the node has taken a payout. */
  taken(id: string): void {
    this.#refusals.delete(id);
  }

  /** Tells of those that were long refused, out of the payouts that wait; forgets all others. */
  async tell(payouts: readonly PayoutRow[]): Promise<void> {
    const waiting = new Set(payouts.map(({ id }) => id));
    for (const id of this.#refusals.keys()) if (!waiting.has(id)) this.#refusals.delete(id);
    for (const payout of payouts) {
      const refusal = this.#refusals.get(payout.id);
      if (refusal === undefined || refusal.isTold || !this.#isLong(refusal)) continue;
      const rows = await this.#parts.coins.rows(payout.inputs);
      const missing = rows.filter((row) => this.#isMissing(row));
      // Others have a doubt of their own, or wait for what is sent.
      if (!missing.every((row) => this.#isBehindTold(row))) continue;
      const others = rows.filter((row) => !missing.includes(row));
      await this.#parts.onRefused(payout, {
        missing: missing.map(nameOf),
        others: others.map(nameOf),
      });
      refusal.isTold = true;
    }
  }

  #isLong({ since }: Refusal): boolean {
    const { network: { finalDepth }, walk } = this.#parts;
    return walk.height - since > finalDepth;
  }

  #isMissing({ txid, height }: CoinRow): boolean {
    return height === null && this.#parts.walk.blockOf(txid) === null;
  }

  #isBehindTold({ changeOf }: CoinRow): boolean {
    return changeOf !== null && this.#refusals.get(changeOf)?.isTold === true;
  }
}

function nameOf({ txid, index }: CoinRow): string {
  return outpoint(txid, index);
}
