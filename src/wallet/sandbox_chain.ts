/**
 * The sandbox's chains: transactions in rows beside the log, in blocks that
 * the clock makes, one every `blockMs`, without a write.
 */
import type { Engine, SidecarKey, SidecarRow } from "../engine/engine.ts";
import { sidecarRows } from "../engine/sidecar_rows.ts";
import { randomHex } from "../identity/random_text.ts";

/** Time between two blocks, in ms. */
export const SANDBOX_BLOCK_MS = 250;
/** Blocks after which a transaction is final: no reorganisation goes deeper. */
export const SANDBOX_FINAL_BLOCKS = 120;

/** Prefix of the transactions' rows; the currency, the time and the name follow. */
const TRANSACTIONS: SidecarKey = ["sandbox", "transactions"];
/** Hexadecimal digits at the end of a transaction's name that say when it was made. */
const TIME_DIGITS = 12;
const TXID_DIGITS = 64;

/** What the chains need of the engine. */
export type SandboxEngine = Pick<
  Engine,
  "readSidecar" | "writeSidecar" | "createSidecar" | "changeSidecar" | "listSidecar" | "now"
>;

/** A transaction with one output, as it stands in its row. */
export interface SandboxTransaction {
  readonly address: string;
  /** In ledger units. */
  readonly amount: bigint;
  /** The block that holds it, or will. */
  readonly block: number;
  /** Gone for good. */
  readonly isDropped: boolean;
  /** In a block, but without effect. */
  readonly isFailed: boolean;
  /** Id of the payout that it is; null for a deposit. */
  readonly payout: string | null;
}

/** A transaction with its name. */
export interface NamedTransaction extends SandboxTransaction {
  readonly txid: string;
}

/** What becomes of the transactions of blocks that are thrown out. */
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

  /** Adds a transaction, which the next block will hold; answers its name. */
  async add(
    currency: string,
    made: Pick<SandboxTransaction, "address" | "amount" | "isFailed" | "payout">,
  ): Promise<string> {
    const txid = createTxid(this.#engine.now());
    const transaction: SandboxTransaction = { ...made, block: this.tip + 1, isDropped: false };
    await this.#engine.createSidecar({ key: transactionKey(currency, txid), value: transaction });
    return txid;
  }

  /** A transaction; null where there is none. */
  async transaction(currency: string, txid: string): Promise<NamedTransaction | null> {
    if (!isTxid(txid)) return null;
    const value = await this.#engine.readSidecar(transactionKey(currency, txid));
    return value === null ? null : { ...(value as SandboxTransaction), txid };
  }

  /** Blocks from the transaction's own on, its own among them; none for one that was dropped. */
  confirmations(transaction: SandboxTransaction): number {
    return transaction.isDropped ? 0 : Math.max(0, this.tip - transaction.block + 1);
  }

  /** Whether no reorganisation reaches it any more. */
  isFinal(txid: string): boolean {
    return madeAt(txid) < this.#engine.now() - (SANDBOX_FINAL_BLOCKS + 1) * this.#blockMs;
  }

  /** Transactions made after the one named, oldest first. */
  async *since(currency: string, txid: string | null): AsyncGenerator<NamedTransaction> {
    const after = txid === null ? {} : { after: transactionKey(currency, txid) };
    const rows = sidecarRows(this.#engine, { prefix: [...TRANSACTIONS, currency], ...after });
    for await (const row of rows) yield namedTransaction(row);
  }

  /**
   * Throws the last blocks out. Their transactions, and those that wait for a block, are gone for
   * good, or wait for the next block.
   *
   * @returns the names of those transactions
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

  /** Transactions that are not final, newest first. */
  async *#latest(currency: string): AsyncGenerator<NamedTransaction> {
    const prefix = [...TRANSACTIONS, currency];
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

/** Random, with the time at its end, so that the name leads to the row. */
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
  return [...TRANSACTIONS, currency, madeAt(txid), txid];
}
