/**
 * What the venue pays to its own members: a deposit of theirs. The chain takes one of a payout's
 * transactions, and another one in its place where blocks are replaced that had counted as final: all
 * of them are one deposit, by whichever it was credited.
 */
import type { SidecarKey } from "../../engine/engine.ts";
import type { CoinOutput, NetworkRailParts } from "./network_rail.ts";
import type { SeenOutput } from "./rail.ts";

/** The keys of its rows. */
export interface InsideRows {
  /** Of a transaction: the id of its payout, or `true` by an older version of the program. */
  inside(txid: string): SidecarKey;
  /** Of a payout by its id: {@linkcode InsidePayout}. */
  insidePayout(id: string): SidecarKey;
}

/** What this works with. */
export interface InsidePaymentParts extends Pick<NetworkRailParts, "engine" | "bookingOf"> {
  readonly rows: InsideRows;
  /** Returns whether none of a payout's transactions will ever be in a block, by the payout's id. */
  readonly isLost: (payoutId: string) => Promise<boolean>;
}

/** The transactions of a payout, whoever receives them. */
export interface InsidePayout {
  readonly txids: readonly string[];
  /** By which of them it was credited when another one came; absent until then. */
  readonly credited?: string;
}

const NOT_NOTED: InsidePayout = { txids: [] };

/** The payments of a network to members. */
export class InsidePayments {
  constructor(private readonly parts: InsidePaymentParts) {}

  /** Notes transactions of a payout, before anybody can see them. */
  async note(payoutId: string, txids: readonly string[]): Promise<void> {
    const { engine, rows } = this.parts;
    const known = await this.txids(payoutId);
    const others = txids.filter((txid) => !known.includes(txid));
    if (others.length === 0) return;
    for (const txid of others) {
      await engine.changeSidecar(rows.inside(txid), () => payoutId);
    }
    await engine.changeSidecar(rows.insidePayout(payoutId), (old): InsidePayout => {
      const now = old as InsidePayout | null ?? NOT_NOTED;
      return { ...now, txids: [...new Set([...now.txids, ...txids])] };
    });
  }

  /** Returns all transactions of a payout that were noted, also those that a copy had forgotten. */
  async txids(payoutId: string): Promise<readonly string[]> {
    return (await this.#payout(payoutId)).txids;
  }

  /**
   * Returns an output that the wallet has sent as its deposit is called: by another transaction of its
   * payout if it was credited by that. What is credited is not gone as long as its payout is sent.
   */
  async named(currency: string, seen: SeenOutput): Promise<SeenOutput> {
    const { engine, rows } = this.parts;
    const payoutId = await engine.readSidecar(rows.inside(seen.txid));
    if (typeof payoutId !== "string") return seen;
    const { txids, credited } = await this.#payout(payoutId);
    if (txids.length <= 1 && !seen.isDropped) return seen;
    const standing = await this.#standing(currency, seen, txids);
    if (standing !== null && standing !== seen.txid && standing !== credited) {
      await engine.changeSidecar(rows.insidePayout(payoutId), (old): InsidePayout => {
        return { ...old as InsidePayout | null ?? NOT_NOTED, credited: standing };
      });
    }
    const txid = standing ?? credited ?? seen.txid;
    const isKept = standing !== null && seen.isDropped && !await this.parts.isLost(payoutId);
    return { ...seen, txid, isDropped: seen.isDropped && !isKept };
  }

  /**
   * Returns an output as what has its own name: nothing where it is called by another. What is credited
   * is as another transaction of its payout if that is in a block.
   *
   * @param lookAt returns the same output of another transaction; null if there is none
   */
  async looked(
    currency: string,
    seen: SeenOutput,
    lookAt: (txid: string) => Promise<SeenOutput | null>,
  ): Promise<SeenOutput> {
    const { txid, output, confirmations } = seen;
    const named = await this.named(currency, seen);
    if (named.txid !== txid) return { ...seen, confirmations: 0, isDropped: true };
    if (confirmations > 0) return named;
    // What is not credited by this one will be by the other.
    if (await this.parts.bookingOf(currency, txid, output) !== "standing") return named;
    for (const other of await this.#others(txid)) {
      const mined = await lookAt(other);
      if (mined !== null && mined.confirmations > 0) return { ...mined, txid };
    }
    return named;
  }

  /**
   * Returns by which transaction an output is credited, of those of its payout, or by which it was;
   * null if it never was.
   */
  async credited({ currency, txid, output }: CoinOutput): Promise<string | null> {
    const others = await this.#others(txid);
    const standing = await this.#standing(currency, { txid, output }, others);
    if (standing !== null) return standing;
    const booking = await this.parts.bookingOf(currency, txid, output);
    return booking === "taken_back" ? txid : null;
  }

  /** Returns the other transactions of the payout that a transaction pays. */
  async #others(txid: string): Promise<readonly string[]> {
    const payoutId = await this.parts.engine.readSidecar(this.parts.rows.inside(txid));
    if (typeof payoutId !== "string") return [];
    return (await this.#payout(payoutId)).txids.filter((other) => other !== txid);
  }

  /** Returns by which of a payout's transactions a deposit of it stands, by its own if it does. */
  async #standing(
    currency: string,
    { txid: own, output }: Pick<SeenOutput, "txid" | "output">,
    txids: readonly string[],
  ): Promise<string | null> {
    for (const txid of new Set([own, ...txids])) {
      if (await this.parts.bookingOf(currency, txid, output) === "standing") return txid;
    }
    return null;
  }

  async #payout(payoutId: string): Promise<InsidePayout> {
    const { engine, rows } = this.parts;
    return await engine.readSidecar(rows.insidePayout(payoutId)) as InsidePayout | null ??
      NOT_NOTED;
  }
}
