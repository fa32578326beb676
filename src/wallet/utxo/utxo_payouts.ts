/**
 * Payouts, each of which the chain takes once. What is decided on goes into the journal with its
 * signed bytes, in one atomic change of one row: that takes its coins, and from then on the payout is
 * what those bytes say. Whoever comes next, in any process, writes it out into rows of its own, and
 * sends it until a block has it.
 */
import { hex } from "@scure/base";
import { assert, present } from "../../domain/assert.ts";
import { sidecarRows } from "../../engine/sidecar_rows.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type { ChainWalk } from "./chain_walk.ts";
import type { NodeChain } from "./node_chain.ts";
import { areProven, outpoint } from "./node_chain.ts";
import { addressOfKey, scriptOfKey } from "./utxo_addresses.ts";
import { type FreeCoin, isSameCoin, type UtxoCoins, type UtxoEngine } from "./utxo_coins.ts";
import { CoinsMissingError, NodeRefusalError, UtxoFaultError } from "./utxo_faults.ts";
import type { BlockName, UtxoNetwork } from "./utxo_networks.ts";
import type {
  JournalRow,
  OwnOutput,
  PayoutEnd,
  PayoutRow,
  PayoutVersion,
  UtxoRows,
} from "./utxo_rows.ts";
import { feeAt, signTransaction, transactionBytes } from "./utxo_signing.ts";

/** What payouts work with. */
export interface UtxoPayoutParts {
  readonly network: UtxoNetwork;
  readonly engine: UtxoEngine;
  readonly rows: UtxoRows;
  readonly coins: UtxoCoins;
  readonly chain: NodeChain;
  readonly walk: ChainWalk;
  readonly keys: Pick<AccountKeys, "canSign" | "publicKeyAt" | "privateKeyAt">;
  /** Called with each fault of what is tried again anyway. */
  readonly onFault: (error: unknown) => void;
}

/** A payout that is asked for. */
export interface AskedPayout {
  readonly id: string;
  /** Of the payee. */
  readonly script: Uint8Array;
  /** In the network's unit. */
  readonly amount: bigint;
  /** The node's last block. */
  readonly height: number;
}

/** The key that change goes to. */
export const CHANGE = { own: 0 } as const;

const EMPTY_JOURNAL: JournalRow = { left: 0, payouts: [] };
/** Coins that one payout is made of. */
const INPUTS_MAX = 40;
/** Transactions of one payout; its row has to have room for their bytes. */
const VERSIONS_MAX = 4;
/** Payouts that the journal has room for, each of the most coins. */
const JOURNAL_MAX = 2;
/** How often others may take the coins that were chosen. */
const DECIDE_TRIES_MAX = 20;

/** Somebody else has changed the journal since coins were chosen. */
class JournalChangedError extends Error {}

/** The payouts of a network. */
export class UtxoPayouts {
  readonly #parts: UtxoPayoutParts;
  /** The last decision of this process: they come one after the other. */
  #deciding: Promise<unknown> = Promise.resolve();
  /** The block after which a payout was last sent, by its id. */
  #sentAfter = new Map<string, string>();

  constructor(parts: UtxoPayoutParts) {
    this.#parts = parts;
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

  /** Returns what a payout of one coin costs now. */
  async usualFee(): Promise<bigint> {
    const { network, chain, keys } = this.#parts;
    const script = scriptOfKey(network, keys.publicKeyAt(CHANGE));
    return feeAt(await chain.feeRate(), transactionBytes(network, 1, [script, script]));
  }

  /**
   * Decides on a payout unless that is done already.
   *
   * @throws {CoinsMissingError} too few coins are free now
   */
  async decide(asked: AskedPayout): Promise<PayoutRow> {
    const decided = this.#deciding.then(() => this.#decide(asked));
    this.#deciding = decided.catch(() => {});
    return await decided;
  }

  /**
   * Sends a payout to the node: its last transaction, or an earlier one to a node that takes no
   * replacement.
   *
   * @throws {NodeRefusalError} the node takes none
   */
  async broadcast({ id, versions }: PayoutRow): Promise<void> {
    const { chain, walk } = this.#parts;
    let refusal: NodeRefusalError | null = null;
    for (const { bytes } of versions.toReversed()) {
      try {
        await chain.send(bytes);
        this.#sentAfter.set(id, walk.last?.hash ?? "");
        return;
      } catch (error) {
        if (!(error instanceof NodeRefusalError)) throw error;
        refusal ??= error;
      }
    }
    throw present(refusal, "a payout has a transaction");
  }

  /** Writes out what the journal holds; returns the journal without it. */
  async writeOut(): Promise<JournalRow> {
    const { payouts } = await this.#journal();
    for (const payout of payouts) await this.#writeOut(payout);
    return await this.#journal();
  }

  /** Notes how payouts have ended in blocks that are final. */
  async noteEnds(): Promise<void> {
    for (const payout of await this.#open()) {
      const end = payout.end ?? await this.#endOf(payout);
      if (end !== null) await this.#end(payout, end);
    }
  }

  /** Sends again what is in no block, with a higher fee where it has waited for long. */
  async tend(): Promise<void> {
    const { walk, onFault } = this.#parts;
    const sentAfter = new Map<string, string>();
    for (const payout of await this.#open()) {
      const { id, inputs, versions } = payout;
      const txids = versions.map(({ txid }) => txid);
      const isIn = txids.some((txid) => walk.blockOf(txid) !== null);
      const isLost = walk.conflictOf(inputs.map(nameOf), txids) !== null;
      if (payout.end !== null || isIn || isLost) continue;
      const before = this.#sentAfter.get(id);
      if (before !== undefined) sentAfter.set(id, before);
      try {
        const bumped = await this.#bumped(payout);
        const isDue = bumped !== null || before !== walk.last?.hash;
        if (isDue) await this.broadcast(bumped ?? payout);
        sentAfter.set(id, walk.last?.hash ?? "");
      } catch (error) {
        onFault(error);
      }
    }
    this.#sentAfter = sentAfter;
  }

  async #decide(asked: AskedPayout): Promise<PayoutRow> {
    const { engine, rows } = this.#parts;
    const { id } = asked;
    for (let tries = 1; tries <= DECIDE_TRIES_MAX; tries++) {
      const journal = await this.writeOut();
      const known = await this.row(id);
      if (known !== null) return known;
      try {
        const planned = await this.#plan(asked, journal);
        const changed = await engine.changeSidecar(
          rows.journal,
          (old) => withPayout(old as JournalRow | null ?? EMPTY_JOURNAL, journal, planned),
        );
        const decided = present(changed.payouts.find((one) => one.id === id), "it is decided");
        await this.#writeOut(decided);
        return decided;
      } catch (error) {
        const isPassing = error instanceof JournalChangedError;
        // Another process may have taken the last coins for this very payout.
        const isTaken = error instanceof CoinsMissingError && await this.row(id) !== null;
        if (!isPassing && !isTaken) throw error;
      }
    }
    throw new CoinsMissingError("Others have taken all coins that were chosen");
  }

  /** Chooses coins for a payout and signs it; nobody knows of it yet. */
  async #plan(asked: AskedPayout, journal: JournalRow): Promise<PayoutRow> {
    const { network, chain, keys } = this.#parts;
    const { id, script, amount, height } = asked;
    const rate = await chain.feeRate();
    const changeScript = scriptOfKey(network, keys.publicKeyAt(CHANGE));
    const feeOf = (inputs: number, scripts: readonly Uint8Array[]) =>
      feeAt(rate, transactionBytes(network, inputs, scripts));
    const coins = await this.#chosen(
      await this.#parts.coins.free(journal),
      (inputs) => amount + feeOf(inputs, [script]),
    );
    const rest = sumOf(coins) - amount;
    const fee = feeOf(coins.length, [script, changeScript]);
    const change = rest - fee >= network.dust ? rest - fee : 0n;
    const inputs = coins.map(({ txid, index, amount, address, place }) => ({
      txid,
      index,
      amount,
      address,
      place,
    }));
    const version = this.#signed({ inputs, script, amount, change, height });
    return {
      id,
      script: hex.encode(script),
      amount,
      inputs,
      versions: [version],
      isSealed: false,
      end: null,
    };
  }

  #signed({ inputs, script, amount, change, height }: {
    readonly inputs: readonly OwnOutput[];
    readonly script: Uint8Array;
    readonly amount: bigint;
    readonly change: bigint;
    readonly height: number;
  }): PayoutVersion {
    const { network, keys } = this.#parts;
    const changeScript = scriptOfKey(network, keys.publicKeyAt(CHANGE));
    const outputs = [{ script, amount }];
    if (change > 0n) outputs.push({ script: changeScript, amount: change });
    const fee = sumOf(inputs) - amount - change;
    const bytes = transactionBytes(network, inputs.length, outputs.map((one) => one.script));
    assert(fee >= 0n, "a payout's coins pay for it");
    // What is too little to be change is a part of the fee.
    assert(fee <= feeAt(network.fees.max, bytes) + network.dust, "a fee is within its bound");
    return { ...signTransaction(network, keys, inputs, outputs), fee, change, height };
  }

  /**
   * Chooses coins that pay what so many of them cost: final ones first, the largest first; if those
   * are too many, the largest of all.
   */
  async #chosen(
    free: readonly FreeCoin[],
    costOf: (inputs: number) => bigint,
  ): Promise<readonly FreeCoin[]> {
    const final = free.filter(({ height }) => height !== null);
    const other = free.filter(({ height }) => height === null);
    for (const coins of [[...final, ...other], free]) {
      const chosen: FreeCoin[] = [];
      for (const coin of coins) {
        if (chosen.length === INPUTS_MAX) break;
        // A coin has to be worth more than it costs to spend.
        const cost = costOf(chosen.length + 1) - costOf(chosen.length);
        if (coin.amount <= cost || !await this.#isUsable(coin)) continue;
        chosen.push(coin);
        if (sumOf(chosen) >= costOf(chosen.length)) return chosen;
      }
    }
    throw new CoinsMissingError("The wallet has too few coins now");
  }

  /** Returns whether a coin can be spent now; its payout can't be replaced from then on. */
  async #isUsable(coin: FreeCoin): Promise<boolean> {
    const { network, keys, chain, coins, onFault } = this.#parts;
    const publicKey = keys.publicKeyAt(coin.place);
    if (addressOfKey(network, publicKey) !== coin.address) {
      onFault(new Error("A coin belongs to another account than the wallet's"));
      return false;
    }
    const shown = await chain.unspent(coin.txid, coin.index);
    // In no block yet; or somebody else has the keys.
    if (shown === null || shown.confirmations === 0) return false;
    if (!isSameCoin(coin, hex.encode(scriptOfKey(network, publicKey)), shown)) {
      throw new UtxoFaultError("contradicting", "The node shows a coin that is not as it was");
    }
    if (coin.changeOf === null || await this.#isSealed(coin.changeOf)) return true;
    await coins.forget(coin);
    return false;
  }

  /** Sees to it that a payout is not replaced any more; returns false if it has been. */
  async #isSealed(id: string): Promise<boolean> {
    const { engine, rows } = this.#parts;
    const payout = await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "change has its payout");
      return known.versions.length > 1 ? known : { ...known, isSealed: true };
    });
    return payout.isSealed;
  }

  /** Writes a payout of the journal into rows of its own; every step can be done again. */
  async #writeOut(payout: PayoutRow): Promise<void> {
    const { engine, rows, coins } = this.#parts;
    const { id, inputs, versions } = payout;
    await engine.createSidecar({ key: rows.payout(id), value: payout });
    await engine.createSidecar({ key: rows.open(id), value: id });
    for (const input of inputs) await coins.take(input, id);
    await this.#expectChange(payout, lastOf(versions));
    await engine.changeSidecar(rows.journal, (old) => {
      const { left, payouts } = old as JournalRow | null ?? EMPTY_JOURNAL;
      const others = payouts.filter((one) => one.id !== id);
      return { left: left + payouts.length - others.length, payouts: others };
    });
  }

  async #expectChange({ id }: PayoutRow, { txid, change }: PayoutVersion): Promise<void> {
    const { network, keys, coins } = this.#parts;
    if (change === 0n) return;
    const address = addressOfKey(network, keys.publicKeyAt(CHANGE));
    await coins.expectChange({ txid, index: 1, amount: change, address, place: CHANGE }, id);
  }

  /** Signs a payout anew with a higher fee if it has waited for long; null if it stays as it is. */
  async #bumped(payout: PayoutRow): Promise<PayoutRow | null> {
    const { network, engine, rows, walk, keys } = this.#parts;
    const { id, versions, isSealed, inputs, amount } = payout;
    const last = lastOf(versions);
    const hasWaited = network.bumpBlocks !== null &&
      walk.height - last.height >= network.bumpBlocks;
    if (!hasWaited || isSealed || !keys.canSign || versions.length >= VERSIONS_MAX) return null;
    const change = last.change - await this.#raise(payout, last);
    if (change < network.dust || change >= last.change) return null;
    const script = hex.decode(payout.script);
    const version = this.#signed({ inputs, script, amount, change, height: walk.height });
    return await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "an open payout has its row");
      const isSame = known.versions.length === versions.length && !known.isSealed &&
        known.end === null;
      return isSame ? { ...known, versions: [...versions, version] } : known;
    });
  }

  /** Returns by how much a fee is raised: by a quarter, or more where more is needed; 0 at its bound. */
  async #raise({ inputs, script }: PayoutRow, { fee }: PayoutVersion): Promise<bigint> {
    const { network, chain, keys } = this.#parts;
    const scripts = [hex.decode(script), scriptOfKey(network, keys.publicKeyAt(CHANGE))];
    const bytes = transactionBytes(network, inputs.length, scripts);
    // A node wants to be paid for passing on the replacement, too.
    const least = fee + feeAt(network.fees.min, bytes);
    const wanted = [fee + fee / 4n, feeAt(await chain.feeRate(), bytes)]
      .reduce((most, one) => one > most ? one : most, least);
    const most = feeAt(network.fees.max, bytes);
    const raised = wanted < most ? wanted : most;
    return raised < least ? 0n : raised - fee;
  }

  async #endOf(payout: PayoutRow): Promise<PayoutEnd | null> {
    const { walk } = this.#parts;
    const { inputs, versions } = payout;
    const txids = versions.map(({ txid }) => txid);
    for (const txid of txids) {
      const block = walk.blockOf(txid);
      if (block !== null) {
        return walk.isFinal(block) ? { txid, height: block.height, isFailed: false } : null;
      }
    }
    const block = walk.conflictOf(inputs.map(nameOf), txids);
    if (block === null || !walk.isFinal(block)) return null;
    const { height } = block;
    const paid = await this.#forgotten(payout, block);
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
    { height, hash }: BlockName,
  ): Promise<string | null> {
    const block = await this.#parts.chain.blockAt(height);
    if (block?.hash !== hash) throw new UtxoFaultError("behind", "The node shows another block");
    const coins = new Set(inputs.map(nameOf));
    const found = block.transactions.find((one) =>
      one.spends.some((name) => coins.has(name)) &&
      one.outputs.some((output) =>
        output.script === script && output.amount === amount && areProven(one, [output])
      )
    );
    return found?.txid ?? null;
  }

  async #end({ id, inputs }: PayoutRow, end: PayoutEnd): Promise<void> {
    const { engine, rows, coins, walk } = this.#parts;
    await engine.changeSidecar(rows.payout(id), (old) => {
      const known = present(old as PayoutRow | null, "an open payout has its row");
      return { ...known, end: known.end ?? end };
    });
    if (end.isFailed) {
      for (const input of inputs) {
        const block = walk.spentIn(nameOf(input));
        await coins.release(input, id, block !== null && walk.isFinal(block) ? block : null);
      }
    }
    await engine.changeSidecar(rows.open(id), () => null);
  }

  /** Returns the payouts without an end, and those whose end is noted only in part. */
  async #open(): Promise<PayoutRow[]> {
    const { engine, rows } = this.#parts;
    const ids: string[] = [];
    for await (const { value } of sidecarRows(engine, { prefix: rows.allOpen })) {
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

/** Returns the transaction that is sent. */
export function lastOf(versions: readonly PayoutVersion[]): PayoutVersion {
  return present(versions.at(-1), "a payout has a transaction");
}

function sumOf(coins: readonly { readonly amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n);
}

function nameOf({ txid, index }: OwnOutput): string {
  return outpoint(txid, index);
}
