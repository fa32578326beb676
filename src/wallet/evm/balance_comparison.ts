/**
 * Finds what contracts pay in the network's own coin. No transaction or log shows that, but the
 * balance does: what it has gained beyond the transactions that are known. Addresses are compared
 * one after the other, so many at a time, at blocks that are final.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { hex } from "@scure/base";
import { assert } from "../../domain/assert.ts";
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import type { BlockPlace } from "./block_place.ts";
import type { EvmChain } from "./evm_chain.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import type { ComparedBalance, DirectPayment } from "./noted_outputs.ts";

/** Addresses that are compared in one turn. */
const ADDRESSES_AT_ONCE = 100;

/** Output of what a comparison finds, beside those of transactions. */
export const COMPARED_OUTPUT = 1;

/** A payment that a comparison found; it is final. */
export interface ComparedPayment {
  readonly address: string;
  readonly height: number;
  readonly hash: string;
  readonly units: bigint;
}

/** Bytes that tell a block's addresses apart. */
const NAME_BYTES = 16;

/** A payment with its number, which grows. */
export type NumberedPayment = ComparedPayment & { readonly number: number };

/**
 * Returns the name of such a payment in the place of a txid: its block, and what tells its address
 * from others. Names of transactions are logged, addresses are not.
 */
export function comparedTxid({ hash, address }: Pick<ComparedPayment, "hash" | "address">): string {
  const digest = sha256(utf8ToBytes(`${hash} ${address.toLowerCase()}`));
  return `${hash}-${hex.encode(digest.subarray(0, NAME_BYTES))}`;
}

/** What comparing works with. */
export interface ComparisonParts {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  readonly chain: EvmChain;
  /** Notes a payment, so that it can be looked up. */
  readonly note: (payment: ComparedPayment) => Promise<void>;
  /** Final blocks from one round over all addresses to the next. */
  readonly everyBlocks: number;
  readonly onFault: (error: unknown) => void;
}

/** An address has less than it was paid, though nothing leaves it. */
export class MissingBalanceError extends Error {
  override name = "MissingBalanceError";
}

/** Compares balances with what explains them. */
export class BalanceComparison {
  readonly #parts: ComparisonParts;
  /** The last address of this round; null before the first. */
  #last: string | null = null;
  /** The block at which the round began; the next one waits for a later one. */
  #roundAt: number | null = null;
  #isRoundOver = false;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /**
   * Compares the next addresses.
   *
   * @param final a final block; all payments up to it have been noted
   */
  async turn(final: BlockPlace): Promise<void> {
    const { engine, rows, chain, everyBlocks } = this.#parts;
    const start = this.#roundAt;
    if (this.#isRoundOver && start !== null && final.height < start + everyBlocks) return;
    if (this.#isRoundOver || start === null) this.#roundAt = final.height;
    this.#isRoundOver = false;
    const found = await engine.listSidecar({
      prefix: rows.addresses(),
      limit: ADDRESSES_AT_ONCE,
      ...(this.#last === null ? {} : { after: rows.address(this.#last) }),
    });
    const addresses = found.map(({ key }) => String(key.at(-1)));
    const known = await engine.readSidecars(addresses.map((one) => rows.balance(one)));
    const asked = addresses.map((address) => ({ address, contract: null, hash: final.hash }));
    const balances = await chain.balances(asked);
    for (const [i, address] of addresses.entries()) {
      const before = (known[i] ?? null) as ComparedBalance | null;
      await this.#compare(address, balances[i] ?? 0n, before, final);
    }
    this.#isRoundOver = addresses.length < ADDRESSES_AT_ONCE;
    this.#last = this.#isRoundOver ? null : addresses.at(-1) ?? null;
  }

  /** Yields the payments after one with this number. */
  async *after(number: number): AsyncGenerator<NumberedPayment> {
    const { engine, rows } = this.#parts;
    const range = { prefix: rows.allCompared(), after: rows.compared(number) };
    for await (const { key, value } of sidecarRows(engine, range)) {
      yield { ...value as ComparedPayment, number: Number(key.at(-1)) };
    }
  }

  async #compare(
    address: string,
    balance: bigint,
    before: ComparedBalance | null,
    final: BlockPlace,
  ): Promise<void> {
    // Another process may have left in between.
    if (before !== null && before.pending !== null) return await this.#number(address, before);
    const [height, explained] = [before?.height ?? -1, before?.balance ?? 0n];
    if (height >= final.height || balance === explained) return;
    const direct = await this.#directPayments(address, height, final.height);
    const surplus = balance - explained - direct;
    if (surplus < 0n) {
      this.#parts.onFault(new MissingBalanceError("An address has less than it was paid"));
      return;
    }
    const { engine, rows } = this.#parts;
    const pending = surplus === 0n ? null : { hash: final.hash, units: surplus };
    const next: ComparedBalance = { height: final.height, balance, pending };
    // Only one comparison follows another: what two processes find at two blocks is one payment.
    const now = await engine.changeSidecar(rows.balance(address), (old) => {
      const current = old as ComparedBalance | null;
      return (current?.height ?? -1) === height ? next : current;
    });
    if (now !== null && now.pending !== null) await this.#number(address, now);
  }

  /** Returns the sum of the transactions that paid to an address above one height, up to another. */
  async #directPayments(address: string, above: number, upTo: number): Promise<bigint> {
    const { engine, rows, chain } = this.#parts;
    const payments: { txid: string; height: number; units: bigint }[] = [];
    const after = above < 0 ? {} : { after: rows.lastDirect(address, above) };
    for await (
      const { key, value } of sidecarRows(engine, { prefix: rows.directs(address), ...after })
    ) {
      const [height, txid] = [Number(key.at(-2)), String(key.at(-1))];
      if (height > upTo) break;
      payments.push({ height, txid, units: (value as DirectPayment).units });
    }
    const receipts = await chain.receipts(payments.map(({ txid }) => txid));
    return payments
      // The others were in a block that has been replaced.
      .filter(({ height }, i) => receipts[i]?.isSuccess && receipts[i].height === height)
      .reduce((sum, { units }) => sum + units, 0n);
  }

  /** Gives a found payment its number. It may get two, of which the venue books one by its name. */
  async #number(address: string, { height, pending }: ComparedBalance): Promise<void> {
    const { engine, rows } = this.#parts;
    if (pending === null) return;
    const value: ComparedPayment = { address, height, ...pending };
    await this.#parts.note(value);
    const [last] = await engine.listSidecar({
      prefix: rows.allCompared(),
      limit: 1,
      isReverse: true,
    });
    let number = last === undefined ? 1 : Number(last.key.at(-1)) + 1;
    while (!await engine.createSidecar({ key: rows.compared(number), value })) number += 1;
    await engine.changeSidecar(rows.balance(address), (old) => {
      const current = old as ComparedBalance | null;
      assert(current !== null, "a compared balance stays");
      return current.height === height ? { ...current, pending: null } : current;
    });
  }
}
