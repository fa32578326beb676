/**
 * Payouts, each of which the chain takes once. What is decided on goes into the journal with its
 * signed bytes, in one atomic change of one row: that takes its coins, and from then on the payout is
 * what those bytes say. Whoever comes next, in any process, writes it out into rows of its own, and
 * sends it until a block has it.
 */
import { present } from "../../domain/assert.ts";
import { type SidecarKey, sidecarRows } from "../../engine/sidecar_rows.ts";
import type { InsidePayments } from "../rails/inside_payments.ts";
import type { PaymentDoubt } from "../rails/network_rail.ts";
import type { ChainWalk } from "./chain_walk.ts";
import { LostCoins } from "./lost_coins.ts";
import { isProven, outpoint } from "./node_chain.ts";
import {
  type AskedPayout,
  CHANGE,
  isArrived,
  payeeOf,
  type PaymentPlans,
  type PlanParts,
} from "./payment_plans.ts";
import { RefusedPayouts } from "./refused_payouts.ts";
import { addressOfKey } from "./utxo_addresses.ts";
import { CoinsMissingError, NodeRefusalError } from "./utxo_faults.ts";
import type { BlockName, UtxoNetwork } from "./utxo_networks.ts";
import type {
  JournalRow,
  OutputName,
  OwnOutput,
  PayoutEnd,
  PayoutRow,
  PayoutVersion,
} from "./utxo_rows.ts";

/** What payouts work with. */
export interface UtxoPayoutParts extends PlanParts {
  readonly plans: PaymentPlans;
  readonly walk: ChainWalk;
  readonly inside: Pick<InsidePayments, "note">;
  /** Called with what is decided on, before anything is known of it elsewhere; perhaps again. */
  readonly onDecided: (payout: PayoutRow) => Promise<void>;
  /** Called with what never arrives, before its end is noted; perhaps again. */
  readonly onLost: (payout: PayoutRow) => Promise<void>;
  /** Called with what nobody knows of whether it arrives; perhaps again. */
  readonly onDoubted: (payout: PayoutRow, doubt: PaymentDoubt) => Promise<void>;
  /** Called with what the node has not taken for long, and what that is made of; perhaps again. */
  readonly onRefused: (payout: PayoutRow, made: PaymentDoubt) => Promise<void>;
  /** Called with what has arrived after it had failed, before that is noted; perhaps again. */
  readonly onReturned: (payout: PayoutRow, txid: string) => Promise<void>;
}

/** Makes a payment of what no payout has taken; null for none. */
export type PaymentPlan = (journal: JournalRow) => Promise<PayoutRow | null>;

/** The output that pays the payee, where there is one. */
const PAYEE = 0;
const EMPTY_JOURNAL: JournalRow = { left: 0, payouts: [] };
/** Transactions of one payout; its row has to have room for their bytes. */
const VERSIONS_MAX = 4;
/** Payouts that the journal has room for, each of the most coins. */
const JOURNAL_MAX = 2;
/** How often others may change a payout while it is listed, or not any more. */
const LIST_TRIES_MAX = 20;
/** How often others may take the coins that were chosen. */
const DECIDE_TRIES_MAX = 20;

/** Somebody else has changed the journal since coins were chosen. */
class JournalChangedError extends Error {}

/** The payouts of a network. */
export class UtxoPayouts {
  readonly #parts: UtxoPayoutParts;
  readonly #lost: LostCoins;
  readonly #refused: RefusedPayouts;
  /** The last decision of this process: they come one after the other. */
  #deciding: Promise<unknown> = Promise.resolve();
  /** The block after which a payout was last sent, by its id. */
  #sentAfter = new Map<string, string>();

  constructor(parts: UtxoPayoutParts) {
    this.#parts = parts;
    this.#lost = new LostCoins(parts);
    this.#refused = new RefusedPayouts(parts);
  }

  /** Returns what is decided on a payout; null if nothing is. */
  async row(id: string): Promise<PayoutRow | null> {
    const { engine, rows } = this.#parts;
    // In this order: what leaves the journal is in its own row before.
    const { payouts } = await this.#journal();
    const waiting = payouts.find((payout) => payout.id === id);
    return waiting ?? await engine.readSidecar(rows.payout(id)) as PayoutRow | null;
  }

  /** Returns the coins of payouts that may have to be sent again, or have not given them back yet. */
  async taken(): Promise<readonly OwnOutput[]> {
    // In this order: what leaves the journal is in its own row before.
    const { payouts } = await this.#journal();
    const open = await this.#open();
    return [...payouts, ...open].flatMap(({ inputs, end }) =>
      end?.isFailed === false ? [] : inputs
    );
  }

  /**
   * Decides on a payout unless that is done already.
   *
   * @throws {CoinsMissingError} too few coins are free now
   */
  async decide(asked: AskedPayout): Promise<PayoutRow> {
    const { plans } = this.#parts;
    try {
      const decided = await this.plan(async (journal) =>
        await this.row(asked.id) ?? await plans.payout(asked, journal)
      );
      return present(decided, "a payout is decided");
    } catch (error) {
      // Another process may have taken the last coins for this very payout.
      const known = error instanceof CoinsMissingError ? await this.row(asked.id) : null;
      if (known === null) throw error;
      return known;
    }
  }

  /** Decides on what a plan makes of the free coins; null if it makes nothing. */
  async plan(plan: PaymentPlan): Promise<PayoutRow | null> {
    const decided = this.#deciding.then(() => this.#decide(plan));
    this.#deciding = decided.catch(() => {});
    return await decided;
  }

  /**
   * Returns the payouts that have not ended and are in no block, those of the journal aside, and those
   * of which nobody knows whether they arrive.
   */
  async waiting(): Promise<readonly PayoutRow[]> {
    return (await this.#waiting()).filter(({ id }) => !this.#lost.isDoubted(id));
  }

  /**
   * Sends a payout to the node: its last transaction, or an earlier one to a node that takes no
   * replacement, unless its change is spent. A process that only watches sends nothing.
   *
   * @throws {NodeRefusalError} the node takes none
   */
  async broadcast({ id, isInside, isSealed, versions }: PayoutRow): Promise<void> {
    const { inside, chain, walk, keys } = this.#parts;
    if (!keys.canSign) return;
    // Before anybody can see it: a member whose address it is would not be credited.
    if (isInside) await inside.note(id, versions.map(({ txid }) => txid));
    let refusal: NodeRefusalError | null = null;
    for (const { bytes } of isSealed ? versions.slice(-1) : versions.toReversed()) {
      try {
        await chain.send(bytes);
        this.#sentAfter.set(id, walk.last?.hash ?? "");
        this.#refused.taken(id);
        return;
      } catch (error) {
        if (!(error instanceof NodeRefusalError)) throw error;
        refusal ??= error;
      }
    }
    this.#refused.refused(id);
    throw present(refusal, "a payout has a transaction");
  }

  /** Writes out what the journal holds; returns the journal without it. */
  async writeOut(): Promise<JournalRow> {
    const { payouts } = await this.#journal();
    for (const payout of payouts) await this.#writeOut(payout);
    return await this.#journal();
  }

  /** Notes how payouts have ended in blocks that are final, and which free coins never will be. */
  async noteEnds(): Promise<void> {
    // Change ends with its payout.
    const gone = (await this.#parts.coins.free(await this.#journal()))
      .filter(({ height, changeOf }) => height === null && changeOf === null);
    const inputs = (await this.#waiting()).flatMap((payout) => payout.inputs);
    await this.#lost.learn([...inputs, ...gone]);
    await this.#lost.lostAt(gone);
    for (const payout of await this.#open()) {
      const end = payout.end ?? await this.#endOf(payout);
      if (end !== null) await this.#end(payout, end);
    }
    for (const payout of await this.#listed(this.#parts.rows.allFailed)) {
      await this.#noteReturn(payout);
    }
  }

  /**
   * Sends again what is in no block, with a higher fee where it has waited for long.
   *
   * @param feeMax returns the highest fee that a payment is worth
   */
  async tend(feeMax: (payout: PayoutRow) => Promise<bigint>): Promise<void> {
    const { walk, onFault } = this.#parts;
    const sentAfter = new Map<string, string>();
    const unspent = (await this.#waiting()).filter(({ inputs, versions }) =>
      walk.conflictOf(inputs.map(nameOf), versions.map(({ txid }) => txid)) === null
    );
    await this.#lost.doubt(unspent).catch(onFault);
    for (const payout of unspent) {
      const { id } = payout;
      const before = this.#sentAfter.get(id);
      if (before !== undefined) sentAfter.set(id, before);
      try {
        const bumped = await this.#bumped(payout, feeMax);
        const isDue = bumped !== null || before !== walk.last?.hash;
        if (isDue) await this.broadcast(bumped ?? payout);
        sentAfter.set(id, walk.last?.hash ?? "");
      } catch (error) {
        onFault(error);
      }
    }
    this.#sentAfter = sentAfter;
    await this.#refused.tell(unspent).catch(onFault);
  }

  /**
   * Sends again what had arrived in blocks above a height, until a block has it: they were replaced.
   * It is sent as it was, and with a higher fee once it has waited for as long behind the last block,
   * unless another one spends its change, or what a member was paid: that could never arrive then.
   *
   * @param tip height of the last block
   */
  async reopen(height: number, tip: number): Promise<void> {
    const { engine, rows } = this.#parts;
    for await (const { value } of sidecarRows(engine, { prefix: rows.allPayouts })) {
      const payout = value as PayoutRow;
      const { id, end } = payout;
      // Older programs could leave one that nobody was to send.
      if (end === null) await engine.createSidecar({ key: rows.open(id), value: id });
      if (end === null || end.height <= height) continue;
      // What had failed is not the payee's any more: it is not sent, but whoever has it may do so.
      if (end.isFailed) await engine.createSidecar({ key: rows.failed(id), value: id });
      else await this.#reopen(payout, end, tip);
    }
  }

  async #reopen(payout: PayoutRow, end: PayoutEnd, tip: number): Promise<void> {
    const outputs = payout.versions.flatMap((version) => this.#outputsOf(payout, version));
    const isSpent = await this.#parts.coins.awaitAgain(outputs, payout.id);
    await this.#changeListed(payout.id, true, (known) => {
      if (known.end === null) return known;
      // What spends its outputs is made of the one that had arrived.
      const isLast = ({ txid }: PayoutVersion) => isSpent && txid === end.txid;
      const versions = known.versions.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
      const last = { ...lastOf(versions), height: tip };
      const isSealed = known.isSealed || isSpent;
      return { ...known, end: null, isSealed, versions: versions.with(-1, last) };
    });
  }

  /**
   * Changes a payout together with whether it is listed as open: one without an end is, whatever two
   * processes do at the same time.
   *
   * @param change returns null to leave both as they are
   */
  async #changeListed(
    id: string,
    isOpen: boolean,
    change: (known: PayoutRow) => PayoutRow | null,
  ): Promise<void> {
    const { engine, rows } = this.#parts;
    const keys = [rows.payout(id), rows.open(id)];
    for (let tries = 1; tries <= LIST_TRIES_MAX; tries++) {
      const held = await engine.holdSidecars(keys);
      const value = change(present(held[0]?.value as PayoutRow | null, "a payout's row stays"));
      if (value === null) return;
      const values = [value, isOpen ? id : null];
      const together = [held.map((row, i) => ({ ...row, value: values[i] ?? null }))];
      const [isDone] = await engine.replaceSidecars(together);
      if (isDone) return;
    }
    throw new Error("Others change a payout again and again");
  }

  async #decide(plan: PaymentPlan): Promise<PayoutRow | null> {
    const { engine, rows } = this.#parts;
    for (let tries = 1; tries <= DECIDE_TRIES_MAX; tries++) {
      const journal = await this.writeOut();
      const planned = await plan(journal);
      if (planned === null) return null;
      const { id } = planned;
      const known = await engine.readSidecar(rows.payout(id)) as PayoutRow | null;
      if (known !== null) return known;
      try {
        const changed = await engine.changeSidecar(
          rows.journal,
          (old) => withPayout(old as JournalRow | null ?? EMPTY_JOURNAL, journal, planned),
        );
        const decided = present(changed.payouts.find((one) => one.id === id), "it is decided");
        await this.#writeOut(decided);
        return decided;
      } catch (error) {
        if (!(error instanceof JournalChangedError)) throw error;
      }
    }
    throw new CoinsMissingError("crowded", "Others have taken all coins that were chosen");
  }

  /** Writes a payout of the journal into rows of its own; every step can be done again. */
  async #writeOut(payout: PayoutRow): Promise<void> {
    const { engine, rows, coins, onDecided } = this.#parts;
    const { id, inputs, versions } = payout;
    await onDecided(payout);
    await engine.createSidecar({ key: rows.payout(id), value: payout });
    await engine.createSidecar({ key: rows.open(id), value: id });
    for (const input of inputs) await coins.take(input, id);
    for (const change of this.#changeOf(payout, lastOf(versions))) {
      await coins.expectChange(change, id);
    }
    await engine.changeSidecar(rows.journal, (old) => {
      const { left, payouts } = old as JournalRow | null ?? EMPTY_JOURNAL;
      const others = payouts.filter((one) => one.id !== id);
      return { left: left + payouts.length - others.length, payouts: others };
    });
  }

  /** Returns the coins that are to come back by a payout's transaction. */
  #changeOf({ amount }: PayoutRow, { txid, change, parts = 1 }: PayoutVersion): OwnOutput[] {
    const { network, keys } = this.#parts;
    if (change === 0n) return [];
    const address = addressOfKey(network, keys.publicKeyAt(CHANGE));
    const first = amount > 0n ? PAYEE + 1 : 0;
    const coin = { txid, amount: change, address, place: CHANGE };
    return Array.from({ length: parts }, (_, i) => ({ ...coin, index: first + i }));
  }

  /** Names the outputs that may be the wallet's coins: that to the payee, who may be a member, too. */
  #outputsOf(payout: PayoutRow, version: PayoutVersion): OutputName[] {
    const { txid } = version;
    return [{ txid, index: PAYEE }, ...this.#changeOf(payout, version)];
  }

  /** Signs a payout anew with a higher fee if it has waited for long; null if it stays as it is. */
  async #bumped(
    payout: PayoutRow,
    feeMax: (payout: PayoutRow) => Promise<bigint>,
  ): Promise<PayoutRow | null> {
    const { network, engine, rows, walk, keys, plans } = this.#parts;
    const { id, versions, isSealed } = payout;
    const last = lastOf(versions);
    const hasWaited = network.bumpBlocks !== null &&
      walk.height - last.height >= network.bumpBlocks;
    if (!hasWaited || isSealed || !keys.canSign || versions.length >= VERSIONS_MAX) return null;
    const raise = await this.#raise(payout, last, await feeMax(payout));
    const change = raise === 0n ? null : raisedChange(network, last, raise);
    if (change === null) return null;
    const version = plans.signed({ ...payout, ...change, height: walk.height });
    return await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "an open payout has its row");
      const isSame = known.versions.length === versions.length && !known.isSealed &&
        known.end === null;
      return isSame ? { ...known, versions: [...versions, version] } : known;
    });
  }

  /** Returns by how much a fee is raised: by a quarter, or more where more is needed; 0 at its bound. */
  async #raise(
    payout: PayoutRow,
    { fee, parts = 1 }: PayoutVersion,
    feeMax: bigint,
  ): Promise<bigint> {
    const { network, chain, plans } = this.#parts;
    const feeAt = (rate: bigint) => plans.fee(rate, payout.inputs.length, payeeOf(payout), parts);
    // What change can't be parted into evenly is in the fee as well.
    const most = feeMax - BigInt(parts - 1);
    // A node wants to be paid for passing on the replacement, too.
    const least = fee + feeAt(network.fees.min);
    const wanted = [fee + fee / 4n, feeAt(await chain.feeRate())]
      .reduce((most, one) => one > most ? one : most, least);
    const raised = wanted < most ? wanted : most;
    return raised < least ? 0n : raised - fee;
  }

  async #endOf(payout: PayoutRow): Promise<PayoutEnd | null> {
    const { walk, inside } = this.#parts;
    const { inputs, versions } = payout;
    const txids = versions.map(({ txid }) => txid);
    for (const txid of txids) {
      const block = walk.blockOf(txid);
      if (block !== null) {
        return walk.isFinal(block) ? { txid, height: block.height, isFailed: false } : null;
      }
    }
    const block = walk.conflictOf(inputs.map(nameOf), txids);
    if (block === null) {
      // What has failed stays so unless a block has it.
      const height = payout.end === null ? await this.#lost.lostAt(inputs) : null;
      return height === null ? null : { txid: lastOf(versions).txid, height, isFailed: true };
    }
    if (!walk.isFinal(block)) return null;
    const { height } = block;
    const paid = await this.#forgotten(payout, block);
    if (paid !== null && payout.isInside) await inside.note(payout.id, [paid]);
    return paid === null
      ? { txid: lastOf(versions).txid, height, isFailed: true }
      : { txid: paid, height, isFailed: false };
  }

  /**
   * Returns the transaction in a block that spends a payout's coins and pays the same; null if there
   * is none. A venue that was restored from a copy has forgotten what it has replaced since.
   *
   * @throws {UtxoFaultError} the node shows another block
   */
  async #forgotten(
    { inputs, script, amount }: PayoutRow,
    block: BlockName,
  ): Promise<string | null> {
    const coins = new Set(inputs.map(nameOf));
    const found = (await this.#parts.chain.transactionsOf(block)).find((one) =>
      one.spends.some((name) => coins.has(name)) &&
      one.outputs.some((output) =>
        output.script === script && output.amount === amount && isProven(one, [output])
      )
    );
    return found?.txid ?? null;
  }

  async #end(payout: PayoutRow, end: PayoutEnd): Promise<void> {
    const { engine, rows, coins, walk, onLost } = this.#parts;
    const { id, isInside, inputs, versions } = payout;
    if (end.isFailed) await onLost(payout);
    const noted = await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "an open payout has its row");
      return isSameEnd(known.end, payout.end) ? { ...known, end } : known;
    });
    // Another process has opened it again meanwhile, or knows of another end.
    if (!isSameEnd(noted.end, end)) return;
    if (end.isFailed) {
      for (const input of inputs) {
        const block = walk.spentIn(nameOf(input));
        await coins.release(input, id, block !== null && walk.isFinal(block) ? block : null);
      }
      // A member who was credited for it is told to have lost it once it is given up.
      const payments = versions.map(({ txid }) => ({ txid, index: PAYEE }));
      for (const paid of isInside ? await coins.rows(payments) : []) {
        walk.addLoose({ isCoinbase: false, ...paid });
      }
    }
    // What all others pay never comes.
    for (const version of versions) {
      if (isArrived(end, version)) continue;
      for (const name of this.#outputsOf(payout, version)) await coins.lose(name, end.height);
    }
    await this.#changeListed(id, false, (known) => isSameEnd(known.end, end) ? known : null);
  }

  /** Returns the payouts of no end that are in no block, those of the journal aside. */
  async #waiting(): Promise<PayoutRow[]> {
    const { walk } = this.#parts;
    return (await this.#open()).filter(({ end, versions }) =>
      end === null && versions.every(({ txid }) => walk.blockOf(txid) === null)
    );
  }

  /** Notes that a payout which had failed is in a final block, and has spent its coins. */
  async #noteReturn(payout: PayoutRow): Promise<void> {
    const { engine, rows, coins, onReturned } = this.#parts;
    const { id, inputs, returns = 0 } = payout;
    const unlist = () => engine.changeSidecar(rows.failed(id), () => null);
    if (!payout.end?.isFailed) return void await unlist();
    const end = await this.#endOf(payout);
    if (end === null || end.isFailed) return;
    await onReturned(payout, end.txid);
    for (const input of inputs) await coins.restore(input, id);
    await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "a payout's row stays");
      return known.end?.isFailed ? { ...known, end, returns: returns + 1 } : known;
    });
    await unlist();
  }

  /** Returns the payouts without an end, and those whose end is noted only in part. */
  async #open(): Promise<PayoutRow[]> {
    return await this.#listed(this.#parts.rows.allOpen);
  }

  /** Returns the payouts of an index. */
  async #listed(prefix: SidecarKey): Promise<PayoutRow[]> {
    const { engine, rows } = this.#parts;
    const ids: string[] = [];
    for await (const { value } of sidecarRows(engine, { prefix })) {
      ids.push(value as string);
    }
    const found = await engine.readSidecars(ids.map((id) => rows.payout(id)));
    return (found as readonly (PayoutRow | null)[]).filter((row) => row !== null);
  }

  async #journal(): Promise<JournalRow> {
    const { engine, rows } = this.#parts;
    return await engine.readSidecar(rows.journal) as JournalRow | null ?? EMPTY_JOURNAL;
  }
}

/** Adds a payout to the journal, if its coins are still free there. */
function withPayout(now: JournalRow, seen: JournalRow, payout: PayoutRow): JournalRow {
  if (now.payouts.some(({ id }) => id === payout.id)) return now;
  // Coins that have left the journal are marked as taken only in rows that were read before.
  if (now.left !== seen.left) throw new JournalChangedError();
  if (now.payouts.length >= JOURNAL_MAX) throw new JournalChangedError();
  const taken = new Set(now.payouts.flatMap(({ inputs }) => inputs.map(nameOf)));
  if (payout.inputs.some((input) => taken.has(nameOf(input)))) throw new JournalChangedError();
  return { ...now, payouts: [...now.payouts, payout] };
}

/** Returns what is left of change that pays for a higher fee, in fewer parts if they get too small. */
function raisedChange(
  { dust }: UtxoNetwork,
  { change, parts = 1 }: PayoutVersion,
  raise: bigint,
): Pick<PayoutVersion, "change" | "parts"> | null {
  const rest = change * BigInt(parts) - raise;
  if (rest < dust) return null;
  const left = Math.min(parts, Number(rest / dust));
  return { change: rest / BigInt(left), parts: left };
}

/** Returns the transaction that is sent. */
export function lastOf(versions: readonly PayoutVersion[]): PayoutVersion {
  return present(versions.at(-1), "a payout has a transaction");
}

function isSameEnd(one: PayoutEnd | null, other: PayoutEnd | null): boolean {
  return one?.txid === other?.txid && one?.height === other?.height &&
    one?.isFailed === other?.isFailed;
}

function nameOf({ txid, index }: OwnOutput): string {
  return outpoint(txid, index);
}
