/**
 * Finds what contracts pay in the network's own coin. No transaction or log shows that, but the
 * balance does: what it has gained beyond the transactions that are known, and beside what sweeps took.
 * Addresses are compared one after the other, so many at a time, at blocks that are final.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { hex } from "@scure/base";
import { assert } from "../../domain/assert.ts";
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import type { Booking } from "../rails/network_rail.ts";
import type { BlockPlace } from "./block_place.ts";
import type { EvmChain } from "./evm_chain.ts";
import { EvmNodeError } from "./evm_node_error.ts";
import {
  findSpender,
  ForgottenStateError,
  type SpentNonce,
  STATE_BLOCKS,
} from "./forgotten_payment.ts";
import type { KnownPayout } from "./payouts/evm_nonces.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import type {
  ComparedBalance,
  DirectPayment,
  ExplainedBalance,
  GonePayment,
} from "./noted_outputs.ts";
import { takenBy } from "./sweep_terms.ts";

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
  /** Up to where the balance was explained before; absent from older ones. */
  readonly since?: ExplainedBalance;
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
  /** Where sweeps go. */
  readonly walletAddress: string;
  /** Notes a payment, so that it can be looked up. */
  readonly note: (payment: ComparedPayment) => Promise<void>;
  /** Returns what the ledger has of a payment. */
  readonly bookingOf: (payment: Pick<ComparedPayment, "hash" | "address">) => Promise<Booking>;
  /** Told beforehand of payments at blocks that are gone, of which a block of this height has more. */
  readonly onCame: (
    payments: readonly Pick<ComparedPayment, "hash" | "address">[],
    height: number,
  ) => Promise<void>;
  /** Final blocks from one round over all addresses to the next. */
  readonly everyBlocks: number;
  readonly onFault: (error: unknown) => void;
}

/** An address has less than it was paid, beyond what sweeps have taken. */
export class MissingBalanceError extends Error {
  override name = "MissingBalanceError";
}

/** What contracts have paid to an address is not credited: the node has forgotten what was there. */
export class UntoldBalanceError extends Error {
  override name = "UntoldBalanceError";
  constructor(from: number, to: number) {
    super(
      `What contracts paid to an address in blocks ${from + 1} to ${to} can't be told and is not ` +
        "credited: the node has forgotten what it had sent",
    );
  }
}

/** What an address has at a final block. */
interface FoundBalance extends BlockPlace {
  readonly balance: bigint;
  readonly sent: number;
}

/** What comparisons have found of an address, and what was explained before the first of them. */
interface FoundSince extends Found {
  readonly since?: ExplainedBalance;
  /** Height of the last of those that are where they were found; -1 if none is. */
  readonly countedTo: number;
}

/** An address that was compared in blocks that may be replaced. */
interface Replaced {
  readonly address: string;
  readonly anew: ComparedBalance["anew"] | undefined;
}

/** What comparisons have found that is not to be found again. */
interface Found {
  readonly credited: bigint;
  readonly gone: readonly GonePayment[];
}

/** What an address was paid beyond all that is known. */
interface BeyondKnown extends Found {
  readonly units: bigint;
  /** Those of what is gone of which some has come again now. */
  readonly came: readonly GonePayment[];
}

const NOTHING_FOUND: FoundSince = { credited: 0n, gone: [], countedTo: -1 };

/** Compares balances with what explains them. */
export class BalanceComparison {
  readonly #parts: ComparisonParts;
  /** The last address of this round; null before the first. */
  #last: string | null = null;
  /** The block at which the round began; the next one waits for a later one. */
  #roundAt: number | null = null;
  #isRoundOver = false;
  #hasOldAddresses = true;

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
    await this.#takeOldAddresses();
    const found = await engine.listSidecar({
      prefix: rows.addresses(),
      limit: ADDRESSES_AT_ONCE,
      ...(this.#last === null ? {} : { after: rows.address(this.#last) }),
    });
    const addresses = found.map(({ key }) => String(key.at(-1)));
    const known = await engine.readSidecars(addresses.map((one) => rows.balance(one)));
    const asked = addresses.map((address) => ({ address, contract: null, hash: final.hash }));
    const balances = await chain.balances(asked);
    const sent = await chain.sentByAll(addresses, final.hash);
    for (const [i, address] of addresses.entries()) {
      const before = (known[i] ?? null) as ComparedBalance | null;
      const now = { ...final, balance: balances[i] ?? 0n, sent: sent[i] ?? 0 };
      await this.#compareOne(address, now, before);
    }
    this.#isRoundOver = addresses.length < ADDRESSES_AT_ONCE;
    this.#last = this.#isRoundOver ? null : addresses.at(-1) ?? null;
  }

  /**
   * Takes the balances at a block as explained, of addresses that were compared after it: blocks were
   * replaced that counted as final. What was found after it is not found again, as far as it stays
   * credited. Where such payments counted in blocks that are replaced now, all begins once more from
   * where it did then: which of them has come before the block is not told.
   *
   * @param expect told of what was found at blocks that are gone, before that is forgotten
   * @returns the number of the last payment that was found: it is credited, or in no block any more
   */
  async goBack(
    { height, hash }: BlockPlace,
    expect: (gone: readonly ComparedPayment[]) => Promise<void>,
  ): Promise<number> {
    const { engine, rows, chain } = this.#parts;
    this.#last = null;
    this.#roundAt = null;
    const begins = await this.#beginsBefore(height);
    const found = await this.#foundAbove(height, begins);
    await expect(
      [...found].flatMap(([address, { gone }]) => gone.map((one) => ({ ...one, address, height }))),
    );
    let addresses: Replaced[] = [];
    const explain = async () => {
      const asked = addresses.map(({ address }) => ({ address, contract: null, hash }));
      const balances = await chain.balances(asked);
      const sent = await chain.sentByAll(addresses.map(({ address }) => address), hash);
      for (const [i, { address, anew }] of addresses.entries()) {
        const at = { height, balance: balances[i] ?? 0n, sent: sent[i] ?? 0 };
        const { since = at, ...counts } = found.get(address) ?? NOTHING_FOUND;
        // What was found after the block may have come before it.
        const explained = begins.get(address) ?? (since.height < height ? since : at);
        const begun = isCarrying(counts)
          ? { anew: { since: explained, upTo: explained.height } }
          : {};
        const value: ComparedBalance = {
          ...explained,
          pending: null,
          ...counts,
          ...anew !== undefined && anew.since.height <= explained.height ? { anew } : begun,
        };
        const names = new Set(counts.gone.map((one) => one.hash));
        await engine.changeSidecar(rows.balance(address), (old) => {
          const { gone = [] } = old as ComparedBalance;
          return {
            ...value,
            gone: [...counts.gone, ...gone.filter((one) => !names.has(one.hash))],
          };
        });
      }
      addresses = [];
    };
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allBalances() })) {
      const { height: comparedTo, anew } = value as ComparedBalance;
      const address = String(key.at(-1));
      if (comparedTo > height || begins.has(address)) addresses.push({ address, anew });
      if (addresses.length >= ADDRESSES_AT_ONCE) await explain();
    }
    await explain();
    return await this.#lastNumber();
  }

  /**
   * Returns what of a payment at a block that is gone has not come again, as of a final block;
   * undefined if it is not known to be gone, and null as long as nothing can be told.
   */
  async leftOf(
    { address, hash }: Pick<ComparedPayment, "address" | "hash">,
    final: BlockPlace,
  ): Promise<bigint | undefined | null> {
    const { engine, rows, chain } = this.#parts;
    const read = async () =>
      await engine.readSidecar(rows.balance(address)) as ComparedBalance | null;
    const [balance = 0n] = await chain.balances([{ address, contract: null, hash: final.hash }]);
    const [sent = 0] = await chain.sentByAll([address], final.hash);
    await this.#compareOne(address, { ...final, balance, sent }, await read());
    const now = await read();
    if (now === null || now.pending !== null) return null;
    const isExplained = now.height >= final.height ||
      (now.balance === balance && now.sent === sent);
    if (!isExplained) return null;
    return now.gone?.find((one) => one.hash === hash)?.units;
  }

  /** Gives those addresses their rows, once, that an older version of the program has created. */
  async #takeOldAddresses(): Promise<void> {
    const { engine, rows } = this.#parts;
    if (!this.#hasOldAddresses) return;
    for await (const { key } of sidecarRows(engine, { prefix: rows.oldAddresses() })) {
      await engine.createSidecar({ key: rows.address(String(key.at(-1))), value: true });
    }
    this.#hasOldAddresses = false;
  }

  /** Yields the payments after one with this number. */
  async *after(number: number): AsyncGenerator<NumberedPayment> {
    const { engine, rows } = this.#parts;
    const range = { prefix: rows.allCompared(), after: rows.compared(number) };
    for await (const { key, value } of sidecarRows(engine, range)) {
      yield { ...value as ComparedPayment, number: Number(key.at(-1)) };
    }
  }

  /** Returns where those addresses begin once more that have to before a height. */
  async #beginsBefore(height: number): Promise<ReadonlyMap<string, ExplainedBalance>> {
    const { engine, rows } = this.#parts;
    const begins = new Map<string, ExplainedBalance>();
    for await (const { key, value } of sidecarRows(engine, { prefix: rows.allBalances() })) {
      const known = value as ComparedBalance;
      if (known.anew === undefined) continue;
      const { since, upTo } = known.anew;
      const isCounting = upTo > height || isCarrying(known);
      if (isCounting && since.height <= height) begins.set(String(key.at(-1)), since);
    }
    return begins;
  }

  /** Returns what comparisons have found above a height, or above where an address begins, by address. */
  async #foundAbove(
    height: number,
    begins: ReadonlyMap<string, ExplainedBalance>,
  ): Promise<ReadonlyMap<string, FoundSince>> {
    const { engine, rows } = this.#parts;
    const found = new Map<string, FoundSince>();
    const names = new Set<string>();
    for await (const { value } of sidecarRows(engine, { prefix: rows.allCompared() })) {
      const payment = value as ComparedPayment;
      const { address, units, since } = payment;
      const name = comparedTxid(payment);
      const above = begins.get(address)?.height ?? height;
      if (payment.height <= above || names.has(name)) continue;
      names.add(name);
      const { credited, gone, countedTo, ...first } = found.get(address) ?? NOTHING_FOUND;
      const isThere = await this.#isBookedInPlace(payment);
      found.set(address, {
        ...since === undefined ? {} : { since },
        ...first,
        credited: isThere ? credited + units : credited,
        gone: isThere ? gone : [...gone, { hash: payment.hash, units }],
        countedTo: isThere ? Math.max(countedTo, payment.height) : countedTo,
      });
    }
    return found;
  }

  /** Returns whether a payment is where it was found, and the ledger has had its deposit. */
  async #isBookedInPlace(payment: ComparedPayment): Promise<boolean> {
    const { chain, bookingOf } = this.#parts;
    const [header = null] = await chain.headers([payment.height]);
    return header?.hash === payment.hash && await bookingOf(payment) !== "none";
  }

  /** One address stops no other; it is compared again in the next round. */
  async #compareOne(
    address: string,
    now: FoundBalance,
    before: ComparedBalance | null,
  ): Promise<void> {
    try {
      await this.#compare(address, now, before);
    } catch (error) {
      if (error instanceof EvmNodeError && error.fault !== "contradicting") throw error;
      this.#parts.onFault(error);
    }
  }

  async #compare(
    address: string,
    { hash, ...final }: FoundBalance,
    before: ComparedBalance | null,
  ): Promise<void> {
    // Another process may have left in between.
    if (before !== null && before.pending !== null) return await this.#number(address, before);
    const since: ExplainedBalance = before ?? { height: -1, balance: 0n };
    const { height, balance: explained, sent = 0 } = since;
    if (height >= final.height || (final.balance === explained && final.sent === sent)) return;
    const later = laterOf(before, final.height);
    const direct = await this.#directPayments(address, height, final.height);
    let swept: bigint | null;
    try {
      swept = await this.#swept(address, { sent, height }, final);
    } catch (error) {
      if (!(error instanceof ForgottenStateError)) throw error;
      this.#parts.onFault(new UntoldBalanceError(height, final.height));
      await this.#explain(address, height, { ...final, pending: null, ...later });
      return;
    }
    const surplus = final.balance - explained - direct + (swept ?? 0n);
    if (swept === null || surplus < 0n) {
      this.#parts.onFault(new MissingBalanceError("An address has less than it was paid"));
      return;
    }
    const beyond = await this.#beyondKnown(address, surplus, before);
    // The next round finds it, once what is gone is credited or given up.
    if (beyond === null) return;
    const { units, came, ...known } = beyond;
    if (came.length > 0) {
      await this.#parts.onCame(came.map(({ hash }) => ({ hash, address })), final.height);
    }
    const pending = units === 0n
      ? null
      : { hash, units, since: { height, balance: explained, sent } };
    const next: ComparedBalance = {
      ...final,
      pending,
      ...known,
      ...later,
    };
    const now = await this.#explain(address, height, next);
    if (now !== null && now.pending !== null) await this.#number(address, now);
  }

  /**
   * Returns what an address was paid that the ledger does not have, and what else may come again.
   * Balances don't tell what has come again from what is new: what came before counts while its
   * deposits stand.
   *
   * @returns also what of that has come again; null as long as the ledger has not decided on what counts
   */
  async #beyondKnown(
    address: string,
    surplus: bigint,
    before: ComparedBalance | null,
  ): Promise<BeyondKnown | null> {
    const { credited = 0n, gone = [] } = before ?? {};
    if (surplus === 0n) return { units: 0n, credited, gone, came: [] };
    let units = surplus > credited ? surplus - credited : 0n;
    const left: GonePayment[] = [];
    const came: GonePayment[] = [];
    // What is as much is likely the same.
    for (
      const one of gone.toSorted((a, b) => Number(b.units === units) - Number(a.units === units))
    ) {
      const booking = isExpected(one) ? await this.#parts.bookingOf({ ...one, address }) : "over";
      if (booking === "open") return null;
      if (booking !== "standing") {
        left.push(isExpected(one) ? { ...one, isOver: true } : one);
        continue;
      }
      const again = units < one.units ? units : one.units;
      units -= again;
      left.push({ ...one, units: one.units - again });
      if (again > 0n) came.push(one);
    }
    const rest = surplus < credited ? credited - surplus : 0n;
    return { units, credited: rest, gone: left, came };
  }

  /** Only one comparison follows another: what two processes find at two blocks is one payment. */
  async #explain(
    address: string,
    height: number,
    next: ComparedBalance,
  ): Promise<ComparedBalance | null> {
    const { engine, rows } = this.#parts;
    return await engine.changeSidecar(rows.balance(address), (old) => {
      const current = old as ComparedBalance | null;
      return (current?.height ?? -1) === height ? next : current;
    });
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
    const receipts = await chain.receiptsInParts(payments.map(({ txid }) => txid));
    const isUntold = (i: number) => (receipts[i] ?? null) === null;
    // Nodes forget old receipts, but not what is in a block.
    const held = new Map<number, ReadonlySet<string>>();
    for (const height of new Set(payments.filter((_, i) => isUntold(i)).map((one) => one.height))) {
      const [block] = await chain.blocks([height]);
      held.set(height, new Set(block?.transactions.map(({ txid }) => txid)));
    }
    return payments
      // The others were in a block that has been replaced.
      .filter(({ txid, height }, i) =>
        isUntold(i)
          ? held.get(height)?.has(txid)
          : receipts[i]?.isSuccess && receipts[i].height === height
      )
      .reduce((sum, { units }) => sum + units, 0n);
  }

  /** Returns what sweeps took since an address was compared; null if not all was taken by such. */
  async #swept(
    address: string,
    before: { readonly sent: number; readonly height: number },
    { sent: end, height: to }: { readonly sent: number; readonly height: number },
  ): Promise<bigint | null> {
    const { engine, rows, chain } = this.#parts;
    let sum = 0n;
    for (let nonce = before.sent; nonce < end; nonce++) {
      const sweep = await engine.readSidecar(rows.sweep(address, nonce)) as KnownPayout | null;
      const receipts = await chain.receipts((sweep?.attempts ?? []).map(({ txid }) => txid));
      const receipt = receipts.find((one) => one !== null) ?? null;
      const spent = { address, nonce, from: Math.max(0, before.height), to };
      const taken = sweep !== null && receipt !== null
        ? takenBy(sweep, receipt)
        : await this.#sweptUnnoted(spent);
      if (taken === null) return null;
      sum += taken;
    }
    return sum;
  }

  /**
   * Returns what a transaction took that no row tells of; null if it paid somebody else. A venue that
   * was restored from a copy has forgotten what it has swept since.
   */
  async #sweptUnnoted(spent: SpentNonce): Promise<bigint | null> {
    const { chain, walletAddress } = this.#parts;
    const txid = await findSpender(chain, spent);
    const [receipt = null] = await chain.receipts([txid]);
    if (receipt === null && spent.to - spent.from > STATE_BLOCKS) {
      throw new ForgottenStateError("The node does not know any more what a transaction took");
    }
    const [block] = await chain.blocks([receipt?.height ?? 0]);
    const found = block?.transactions.find((one) => one.txid === txid);
    if (receipt === null || found === undefined) return null;
    const { to, value } = found;
    if (value > 0n && to !== walletAddress.toLowerCase()) return null;
    return receipt.fee + (receipt.isSuccess ? value : 0n);
  }

  /** Returns the number of the last payment that was found; 0 if there is none. */
  async #lastNumber(): Promise<number> {
    const { engine, rows } = this.#parts;
    const range = { prefix: rows.allCompared(), limit: 1, isReverse: true };
    const [last] = await engine.listSidecar(range);
    return last === undefined ? 0 : Number(last.key.at(-1));
  }

  /** Gives a found payment its number. It may get two, of which the venue books one by its name. */
  async #number(address: string, { height, pending }: ComparedBalance): Promise<void> {
    const { engine, rows } = this.#parts;
    if (pending === null) return;
    const value: ComparedPayment = { address, height, ...pending };
    await this.#parts.note(value);
    let number = await this.#lastNumber() + 1;
    while (!await engine.createSidecar({ key: rows.compared(number), value })) number += 1;
    await engine.changeSidecar(rows.balance(address), (old) => {
      const current = old as ComparedBalance | null;
      assert(current !== null, "a compared balance stays");
      return current.height === height ? { ...current, pending: null } : current;
    });
  }
}

/** Returns whether something counts that was found before all was read anew. */
function isCarrying({ credited = 0n, gone = [] }: Partial<Found>): boolean {
  return credited > 0n || gone.some(isExpected);
}

/** Returns whether what comes may be some of a payment that is gone. */
function isExpected({ units, isOver }: GonePayment): boolean {
  return units > 0n && isOver !== true;
}

/** Returns what stays known of a balance when it is compared at a later height. */
function laterOf(
  before: ComparedBalance | null,
  height: number,
): Pick<ComparedBalance, "countedTo" | "anew"> {
  const { countedTo = -1, anew, ...known } = before ?? {};
  const counted = countedTo > height ? { countedTo } : {};
  if (anew === undefined) return counted;
  return { ...counted, anew: isCarrying(known) ? { ...anew, upTo: height } : anew };
}
