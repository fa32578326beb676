/**
 * Judges what old blocks tell of payments in tokens, whose balances before and after them most nodes do
 * not keep: by what is there now, and what the venue's sweeps have taken since.
 */
import type { NetworkCoin } from "../rails/network_rail.ts";
import { type EvmChain, type EvmHeader, TRANSFER_TOPIC } from "./evm_chain.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import type { KnownPayout } from "./payouts/evm_nonces.ts";
import { movedBy } from "./sweep_terms.ts";

/** What judging needs. */
export interface OldPaymentParts {
  readonly chain: EvmChain;
  readonly engine: Pick<EvmEngine, "readSidecar">;
  readonly rows: Pick<EvmRows, "sweep">;
}

/** An address in its canonical spelling, with a token that was paid to it. */
export interface PaidPair {
  readonly coin: NetworkCoin;
  readonly address: string;
}

/** What a block tells that an address has received, less what has left it there. */
interface Told {
  readonly height: number;
  readonly units: bigint;
}

/** `untold` where nobody knows what has left the address since. */
export type Arrival = "there" | "lacking" | "untold";

/** Payments of blocks whose balances the node does not know any more. */
export class OldPayments {
  readonly #parts: OldPaymentParts;
  /** What blocks told, by pair and by the blocks' hashes. */
  readonly #told = new Map<string, Map<string, Told>>();

  constructor(parts: OldPaymentParts) {
    this.#parts = parts;
  }

  /** Notes what a block tells: all of these have to be there, so that no more is credited than is. */
  note({ hash, height }: Pick<EvmHeader, "hash" | "height">, pair: PaidPair, units: bigint): void {
    const all = this.#told.get(nameOf(pair)) ?? new Map<string, Told>();
    this.#told.set(nameOf(pair), all.set(hash, { height, units }));
  }

  /** Forgets what was noted: the node knows balances again. */
  clear(): void {
    this.#told.clear();
  }

  /**
   * Returns whether all that was noted of a pair is there, with what a block has told.
   *
   * @param balance what it has after the chain's last block
   */
  async arrival(
    { hash }: Pick<EvmHeader, "hash">,
    pair: PaidPair,
    balance: bigint,
    head: EvmHeader,
  ): Promise<Arrival> {
    const noted = this.#told.get(nameOf(pair)) ?? new Map<string, Told>();
    if (balance >= sumOf(noted)) return "there";
    // Some may have been told by blocks that were replaced since, and again by others.
    const kept = await this.#onChain(noted);
    this.#told.set(nameOf(pair), kept);
    if (!kept.has(hash)) return "untold";
    const due = sumOf(kept);
    const lowest = Math.min(...[...kept.values()].map(({ height }) => height));
    const { chain } = this.#parts;
    const [sent = 0] = await chain.sentByAll([pair.address], head.hash);
    let found = balance;
    // An address's transactions follow each other as their nonces do.
    for (let nonce = sent - 1; nonce >= 0 && found < due; nonce--) {
      const taken = await this.#takenAbove(lowest, pair, nonce);
      if (taken === "below") break;
      if (taken === "unknown") return "untold";
      found += taken;
    }
    return found >= due ? "there" : "lacking";
  }

  /** Returns what the transaction with this nonce took of a pair, if it is a sweep above a block. */
  async #takenAbove(
    height: number,
    { coin: { contract }, address }: PaidPair,
    nonce: number,
  ): Promise<bigint | "below" | "unknown"> {
    const { chain, engine, rows } = this.#parts;
    const sweep = await engine.readSidecar(rows.sweep(address, nonce)) as KnownPayout | null;
    const receipts = await chain.receipts(sweep?.attempts.map(({ txid }) => txid) ?? []);
    const receipt = receipts.find((one) => one !== null);
    // A venue that was restored from a copy has forgotten sweeps, or their last transactions.
    if (receipt === undefined || receipt === null) return "unknown";
    if (receipt.height <= height) return "below";
    const logs = receipt.logs.filter((log) =>
      log.contract === contract?.toLowerCase() && log.topics[0] === TRANSFER_TOPIC
    );
    return movedBy(logs, 1, address);
  }

  /** Returns what blocks told that the chain still has. */
  async #onChain(told: ReadonlyMap<string, Told>): Promise<Map<string, Told>> {
    const all = [...told];
    const found = await this.#parts.chain.headers(all.map(([, { height }]) => height));
    return new Map(all.filter(([hash], i) => found[i]?.hash === hash));
  }
}

function sumOf(told: ReadonlyMap<string, Told>): bigint {
  return [...told.values()].reduce((sum, { units }) => sum + units, 0n);
}

function nameOf({ coin: { currency }, address }: PaidPair): string {
  return `${currency}:${address}`;
}
