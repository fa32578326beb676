/**
 * The sandbox's chains: transactions in sidecar rows. The clock makes a block every `blockMs`,
 * without a write.
 */
import { canonicalName } from "../../domain/money/chain_name.ts";
import type { Engine, SidecarKey, SidecarRow } from "../../engine/engine.ts";
import {
  sandboxTransactionKey,
  sandboxTransactionRowsOf,
  sidecarRows,
} from "../../engine/sidecar_rows.ts";
import { randomHex } from "../../identity/random_text.ts";

/** Time between two blocks, in ms. */
export const SANDBOX_BLOCK_MS = 250;
/** Blocks after which a transaction is final: no reorganisation goes deeper. */
export const SANDBOX_FINAL_BLOCKS = 120;

/** Hexadecimal digits at the end of a txid that hold the time of its creation. */
const TIME_DIGITS = 12;
const TXID_DIGITS = 64;

/** What the chains need of the engine. */
export type SandboxEngine = Pick<
  Engine,
  | "venue"
  | "readSidecar"
  | "writeSidecar"
  | "createSidecar"
  | "changeSidecar"
  | "listSidecar"
  | "now"
>;

/** A transaction with one output, as stored. */
export interface SandboxTransaction {
  readonly address: string;
  /** Absent without one. */
  readonly tag?: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** The block that holds it, or will. */
  readonly block: number;
  /** Gone for good. */
  readonly isDropped: boolean;
  /** In a block, but without effect. */
  readonly isFailed: boolean;
  /** Id of the payout; null for a deposit. */
  readonly payout: string | null;
}

/** A transaction with its txid. */
export interface NamedTransaction extends SandboxTransaction {
  readonly txid: string;
}

/** What happens to the transactions of removed blocks. */
export const REORGANISATIONS = ["drop", "replay"] as const;
export type Reorganisation = typeof REORGANISATIONS[number];

/** Chains by currency. */
export class SandboxChain {
  readonly #engine: SandboxEngine;
  readonly #blockMs: number;

  constructor(engine: SandboxEngine, blockMs: number) {
    this.#engine = engine;
    this.#blockMs = blockMs;
  }

  /** The last block. */
  get tip(): number {
    return Math.floor(this.#engine.now() / this.#blockMs);
  }

  /** Adds a transaction, which the next block will hold; returns its txid. */
  async add(
    currency: string,
    made: Pick<SandboxTransaction, "address" | "tag" | "amount" | "isFailed" | "payout">,
  ): Promise<string> {
    const txid = createTxid(this.#engine.now());
    const transaction: SandboxTransaction = { ...made, block: this.tip + 1, isDropped: false };
    await this.#engine.createSidecar({ key: transactionKey(currency, txid), value: transaction });
    return txid;
  }

  /** Returns a transaction, however its txid is spelled; null if there is none. */
  async transaction(currency: string, spelled: string): Promise<NamedTransaction | null> {
    const txid = canonicalName("common", spelled);
    if (!isTxid(txid)) return null;
    const value = await this.#engine.readSidecar(transactionKey(currency, txid));
    return value === null ? null : { ...(value as SandboxTransaction), txid };
  }

  /** Counts the blocks from the transaction's own to the last; 0 for a dropped one. */
  confirmations(transaction: SandboxTransaction): number {
    return transaction.isDropped ? 0 : Math.max(0, this.tip - transaction.block + 1);
  }

  /** Returns whether no reorganisation can reach a transaction any more. */
  isFinal(txid: string): boolean {
    return madeAt(txid) < this.#engine.now() - (SANDBOX_FINAL_BLOCKS + 1) * this.#blockMs;
  }

  /** Yields the transactions made after the given one, oldest first. */
  async *since(currency: string, txid: string | null): AsyncGenerator<NamedTransaction> {
    const after = txid === null ? {} : { after: transactionKey(currency, txid) };
    const rows = sidecarRows(this.#engine, {
      prefix: sandboxTransactionRowsOf(currency),
      ...after,
    });
    for await (const row of rows) yield namedTransaction(row);
  }

  /**
   * Removes the last blocks. Their transactions, and those not yet in a block, are either gone for
   * good or wait for the next block.
   *
   * @returns the txids of those transactions
   */
  async reorganise(currency: string, blocks: number, how: Reorganisation): Promise<string[]> {
    const lowest = this.tip - Math.min(blocks, SANDBOX_FINAL_BLOCKS);
    const changed: string[] = [];
    for await (const { txid, block, isDropped } of this.#latest(currency)) {
      if (block <= lowest || isDropped) continue;
      await this.#engine.changeSidecar(transactionKey(currency, txid), (old) => {
        const transaction = old as SandboxTransaction;
        return how === "drop"
          ? { ...transaction, isDropped: true }
          : { ...transaction, block: this.tip + 1 };
      });
      changed.push(txid);
    }
    return changed;
  }

  /** Yields the transactions that are not final, newest first. */
  async *#latest(currency: string): AsyncGenerator<NamedTransaction> {
    const prefix = sandboxTransactionRowsOf(currency);
    for await (const row of sidecarRows(this.#engine, { prefix, isReverse: true })) {
      const transaction = namedTransaction(row);
      if (this.isFinal(transaction.txid)) return;
      yield transaction;
    }
  }
}

function namedTransaction({ key, value }: SidecarRow): NamedTransaction {
  return { ...(value as SandboxTransaction), txid: String(key.at(-1)) };
}

/** Returns random digits that end with the time, so that the txid leads to the row. */
function createTxid(at: number): string {
  return randomHex((TXID_DIGITS - TIME_DIGITS) / 2) + at.toString(16).padStart(TIME_DIGITS, "0");
}

function isTxid(txid: string): boolean {
  return txid.length === TXID_DIGITS && /^[0-9a-f]+$/.test(txid);
}

function madeAt(txid: string): number {
  return parseInt(txid.slice(-TIME_DIGITS), 16);
}

function transactionKey(currency: string, txid: string): SidecarKey {
  return sandboxTransactionKey(currency, madeAt(txid), txid);
}
