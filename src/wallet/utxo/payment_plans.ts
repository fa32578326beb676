/** What payments are made of: which coins, for which fee, with which signatures. */
import { hex } from "@scure/base";
import { assert, present } from "../../domain/assert.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import { missingText } from "../rails/payout_waits.ts";
import type { NodeChain } from "./node_chain.ts";
import { addressOfKey, scriptOfKey } from "./utxo_addresses.ts";
import {
  FREE_MAX,
  type FreeCoin,
  isSameCoin,
  type UtxoCoins,
  type UtxoEngine,
} from "./utxo_coins.ts";
import { CoinsMissingError, CoinsScatteredError, UtxoFaultError } from "./utxo_faults.ts";
import { UTXO_DIGITS, type UtxoNetwork } from "./utxo_networks.ts";
import type {
  JournalRow,
  OwnOutput,
  PayoutEnd,
  PayoutRow,
  PayoutVersion,
  UtxoRows,
} from "./utxo_rows.ts";
import { feeAt, signTransaction, transactionBytes } from "./utxo_signing.ts";

/** What payments are planned with. */
export interface PlanParts {
  readonly network: UtxoNetwork;
  readonly engine: UtxoEngine;
  readonly rows: UtxoRows;
  readonly coins: UtxoCoins;
  readonly chain: NodeChain;
  readonly keys: Pick<AccountKeys, "canSign" | "publicKeyAt" | "privateKeyAt">;
  /** Coins that one payment is made of. */
  readonly inputsMax: number;
  /** Returns the network's own coin; null while no currency is of it. */
  readonly coin: () => NetworkCoin | null;
  /** Called with each fault of what is tried again anyway. */
  readonly onFault: (error: unknown) => void;
}

/** A payout that is asked for; see {@linkcode PayoutRow}. */
export interface AskedPayout {
  readonly id: string;
  /** Of the payee. */
  readonly script: Uint8Array;
  /** In the network's unit. */
  readonly amount: bigint;
  readonly isInside?: true;
  /** The node's last block. */
  readonly height: number;
}

/** A payment without its transaction: who pays it what, and what comes back. */
type Unsigned =
  & Pick<PayoutRow, "inputs" | "script" | "amount">
  & Pick<PayoutVersion, "change" | "parts" | "height">;

/** The key that change goes to. */
export const CHANGE = { own: 0 } as const;
/**
 * Change waits for its block, so that a wallet pays no more at once than it has coins: while it has
 * fewer than so many, it makes several of its change.
 */
const COINS_ENOUGH = 16;
const PARTS_MAX = 4;
/** Each of them is enough for another payout like theirs, and for its fee so many times. */
const WORTH_PARTING = 10n;

/** Plans payments; nobody knows of one until the journal has it. */
export class PaymentPlans {
  readonly #parts: PlanParts;

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /**
   * Returns the fee of a payment of so many coins, to a payee or to the wallet alone, whose change
   * comes back in so many parts.
   */
  fee(rate: bigint, inputs: number, payee: Uint8Array | null, parts = 1): bigint {
    const { network, keys } = this.#parts;
    const change = scriptOfKey(network, keys.publicKeyAt(CHANGE));
    const scripts = Array.from({ length: parts }, () => change);
    if (payee !== null) scripts.push(payee);
    return feeAt(rate, transactionBytes(network, inputs, scripts));
  }

  /** Returns what a payout of one coin costs now. */
  async usualFee(): Promise<bigint> {
    const { network, chain, keys } = this.#parts;
    return this.fee(await chain.feeRate(), 1, scriptOfKey(network, keys.publicKeyAt(CHANGE)));
  }

  /**
   * Chooses coins for a payout and signs it.
   *
   * @throws {CoinsMissingError} too few coins are free now, or they are too many
   */
  async payout(asked: AskedPayout, journal: JournalRow): Promise<PayoutRow> {
    const { chain, coins } = this.#parts;
    const { id, script, amount, isInside, height } = asked;
    const rate = await chain.feeRate();
    const free = await coins.free(journal);
    const costOf = (inputs: number, parts = 1) => amount + this.fee(rate, inputs, script, parts);
    const chosen = await this.#chosen(free, costOf);
    const least = costOf(1) + WORTH_PARTING * this.fee(rate, 1, script);
    const others = free.filter((coin) => coin.amount >= least && !chosen.includes(coin)).length;
    const planned = this.#planned(id, {
      inputs: chosen.map(inputOf),
      script: hex.encode(script),
      amount,
      ...this.#change((parts) => sumOf(chosen) - costOf(chosen.length, parts), least, others),
      height,
    });
    return isInside ? { ...planned, isInside } : planned;
  }

  /**
   * Returns how change comes back.
   *
   * @param restOf what is left for change if it comes back in so many parts
   * @param least what each of several has to be worth
   * @param others other coins of as much
   */
  #change(
    restOf: (parts: number) => bigint,
    least: bigint,
    others: number,
  ): Pick<PayoutVersion, "change" | "parts"> {
    const { network, inputsMax } = this.#parts;
    // All of them still make one payment.
    const wanted = Math.min(COINS_ENOUGH, inputsMax) - others;
    for (let parts = Math.min(PARTS_MAX, wanted); parts > 1; parts--) {
      const change = restOf(parts) / BigInt(parts);
      if (change >= least) return { change, parts };
    }
    const rest = restOf(1);
    return { change: rest >= network.dust ? rest : 0n };
  }

  /**
   * Makes one coin of the first of these that can be spent: a payment without a payee, all of which
   * is change.
   *
   * @returns null if there are too few
   */
  async combination(
    id: string,
    coins: readonly FreeCoin[],
    { rate, height }: { readonly rate: bigint; readonly height: number },
  ): Promise<PayoutRow | null> {
    const inputs: OwnOutput[] = [];
    for (const coin of coins) {
      if (inputs.length === this.#parts.inputsMax) break;
      if (await this.#isUsable(coin)) inputs.push(inputOf(coin));
    }
    const change = sumOf(inputs) - this.fee(rate, inputs.length, null);
    if (inputs.length < 2 || change < this.#parts.network.dust) return null;
    return this.#planned(id, { inputs, script: "", amount: 0n, change, height });
  }

  /** Signs a payment. */
  signed({ inputs, script, amount, change, parts = 1, height }: Unsigned): PayoutVersion {
    const { network, keys } = this.#parts;
    const payee = payeeOf({ script, amount });
    const outputs = payee === null ? [] : [{ script: payee, amount }];
    const own = scriptOfKey(network, keys.publicKeyAt(CHANGE));
    const backs = change > 0n ? parts : 0;
    for (let i = 0; i < backs; i++) outputs.push({ script: own, amount: change });
    const fee = sumOf(inputs) - amount - BigInt(backs) * change;
    const bytes = transactionBytes(network, inputs.length, outputs.map((one) => one.script));
    assert(fee >= 0n, "a payout's coins pay for it");
    // What is too little to be change, or to be parted, is in the fee.
    assert(fee <= feeAt(network.fees.max, bytes) + network.dust, "a fee is within its bound");
    const version = { ...signTransaction(network, keys, inputs, outputs), fee, change, height };
    return backs > 1 ? { ...version, parts } : version;
  }

  #planned(id: string, unsigned: Unsigned): PayoutRow {
    const { script, amount, inputs } = unsigned;
    const versions = [this.signed(unsigned)];
    return { id, script, amount, inputs, versions, isSealed: false, end: null };
  }

  /**
   * Chooses coins that pay what so many of them cost: the smallest final one that is enough, so that
   * larger ones don't wait for this payout's block; else final ones, the largest first, and then the
   * smallest other one that is enough, or the largest others; if those are too many, the largest of
   * all.
   */
  async #chosen(
    free: readonly FreeCoin[],
    costOf: (inputs: number) => bigint,
  ): Promise<readonly FreeCoin[]> {
    const { inputsMax } = this.#parts;
    // A coin has to be worth more than it costs to spend.
    const cost = costOf(1) - costOf(0);
    const worth = free.filter(({ amount }) => amount > cost);
    const final = worth.filter(({ height }) => height !== null);
    const other = worth.filter(({ height }) => height === null);
    const isEnough = ({ amount }: FreeCoin) => amount >= costOf(1);
    const enough = final.filter(isEnough).toReversed();
    const large = other.filter(isEnough);
    const all = [...final, ...large.toReversed(), ...other.slice(large.length)];
    let missing = costOf(1);
    for (const coins of [enough, all, worth]) {
      const chosen: FreeCoin[] = [];
      for (const coin of coins) {
        if (chosen.length === inputsMax) break;
        if (!await this.#isUsable(coin)) continue;
        chosen.push(coin);
        if (sumOf(chosen) >= costOf(chosen.length)) return chosen;
      }
      // With one more coin of that much it is enough.
      missing = costOf(chosen.length + 1) - sumOf(chosen);
    }
    // Smaller ones may follow.
    const areMore = free.length === FREE_MAX || sumOf(worth) >= costOf(worth.length);
    if (worth.length > inputsMax && areMore) {
      const what = "The payout takes too many coins: they are combined first, which takes a block";
      throw new CoinsScatteredError("crowded", what);
    }
    throw new CoinsMissingError("too_little", this.#missingText(missing));
  }

  #missingText(units: bigint): string {
    const { network, keys, coin } = this.#parts;
    const address = addressOfKey(network, keys.publicKeyAt(CHANGE));
    const named = { coin: coin() ?? undefined, digits: UTXO_DIGITS, network: network.name };
    const text = missingText({ ...named, units, address });
    return `The wallet has too few coins now: ${text}, unless as much is about to be final`;
  }

  /** Returns whether a coin can be spent now; its payout can't be replaced from then on. */
  async #isUsable(coin: FreeCoin): Promise<boolean> {
    const { network, keys, chain, coins, onFault } = this.#parts;
    const publicKey = keys.publicKeyAt(coin.place);
    if (addressOfKey(network, publicKey) !== coin.address) {
      onFault(new Error("A coin belongs to another account than the wallet's"));
      return false;
    }
    // Its block was replaced: whoever has paid it may spend it otherwise.
    if (coin.height === null && coin.changeOf === null) return false;
    const shown = await chain.unspent(coin.txid, coin.index);
    const age = coin.isCoinbase ? network.coinbaseMaturity : 1;
    if (shown === null) await this.#forgetLost(coin);
    // In no block yet, or too young; or somebody else has the keys.
    if (shown === null || shown.confirmations < age) return false;
    if (!isSameCoin(coin, hex.encode(scriptOfKey(network, publicKey)), shown)) {
      throw new UtxoFaultError("contradicting", "The node shows a coin that is not as it was");
    }
    if (coin.changeOf === null || await this.#isSealed(coin.changeOf)) return true;
    await coins.forget(coin);
    return false;
  }

  /** Takes change out of the index whose payout has ended without it. */
  async #forgetLost(coin: FreeCoin): Promise<void> {
    const { engine, rows, coins } = this.#parts;
    if (coin.changeOf === null) return;
    const payout = await engine.readSidecar(rows.payout(coin.changeOf)) as PayoutRow | null;
    const end = payout?.end ?? null;
    if (end !== null && !isArrived(end, coin)) await coins.forget(coin);
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
}

/** Returns the script that a payment goes to; null where all goes back to the wallet. */
export function payeeOf(
  { script, amount }: Pick<PayoutRow, "script" | "amount">,
): Uint8Array | null {
  return amount > 0n ? hex.decode(script) : null;
}

/** Returns whether a transaction is the one by which its payout has arrived. */
export function isArrived(end: PayoutEnd, { txid }: { readonly txid: string }): boolean {
  return !end.isFailed && end.txid === txid;
}

/** Adds up coins. */
export function sumOf(coins: readonly { readonly amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n);
}

function inputOf({ txid, index, amount, address, place }: OwnOutput): OwnOutput {
  return { txid, index, amount, address, place };
}
