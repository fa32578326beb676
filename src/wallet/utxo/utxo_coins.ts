/**
 * The wallet's coins: which there are, and which are free. A coin's row is the truth; the index of
 * free ones may name some that are taken, and is corrected by whoever notices.
 */
import { present } from "../../domain/assert.ts";
import { powerOfTen } from "../../domain/money/money.ts";
import type { NetworkRailParts } from "../rails/network_rail.ts";
import { createSidecars, type SidecarKey, sidecarRows } from "../../engine/sidecar_rows.ts";
import { outpoint, readOutpoint, type UnspentOutput } from "./node_chain.ts";
import type { WalkedBlock, WalkedOutput } from "./chain_walk.ts";
import { UTXO_DIGITS } from "./utxo_networks.ts";
import type {
  CoinRow,
  JournalRow,
  OutputName,
  OwnOutput,
  PlacedOutput,
  RestRow,
  SentOutput,
  UtxoRows,
} from "./utxo_rows.ts";

/** What a rail needs of the engine. */
export type UtxoEngine = NetworkRailParts["engine"];

/** A coin that the wallet can spend. */
export type FreeCoin = CoinRow & OwnOutput;

/** Where an output comes from, as far as that is known. */
interface Origin {
  readonly isSent?: true;
  readonly isCoinbase?: boolean;
}

/** Outputs that a coin's row names as spent by its transaction. */
const SPENDS_MAX = 32;
/** Rows that are written at once. */
const ROWS_AT_ONCE = 16;
/** Free coins that are looked at to make a payment of. */
export const FREE_MAX = 200;

/** The coins of a wallet on one network. */
export class UtxoCoins {
  readonly #engine: UtxoEngine;
  readonly #rows: UtxoRows;
  /** Names of those outputs that were last to be noted of which there are rows. */
  #noted = new Set<string>();

  constructor(engine: UtxoEngine, rows: UtxoRows) {
    this.#engine = engine;
    this.#rows = rows;
  }

  /** Returns a coin's row; null if there is none. */
  async coin(name: OutputName): Promise<CoinRow | null> {
    return await this.#engine.readSidecar(this.#rows.coin(name)) as CoinRow | null;
  }

  /** Writes that outputs were seen, once for as long as they are among those that it is called with. */
  async note(outputs: readonly WalkedOutput[]): Promise<void> {
    this.#noted = this.#noted.intersection(new Set(outputs.map(nameOf)));
    const unknown = outputs.filter((output) => !this.#noted.has(nameOf(output)));
    const rows = unknown.map((output) => ({
      key: this.#rows.coin(output),
      value: coinOf(output, null, null),
    }));
    await createSidecars(this.#engine, rows);
    for (const output of unknown) this.#noted.add(nameOf(output));
  }

  /** Writes that outputs are final, so that they are the wallet's to spend, once they are mature. */
  async settle(outputs: readonly WalkedOutput[], height: number): Promise<void> {
    await inBatches(outputs, (output) => this.#settle(output, height));
  }

  async #settle(output: WalkedOutput, height: number): Promise<void> {
    const coin = await this.#engine.changeSidecar(this.#rows.coin(output), (old) => {
      const known = old as CoinRow | null;
      const coin = known ?? coinOf(output, height, null);
      return { ...coin, ...originOf(output), height, changeOf: null };
    });
    await this.#list(coin);
  }

  /** Returns which of these outputs, by their names, are coins that the wallet can spend. */
  async own(names: readonly string[]): Promise<ReadonlySet<string>> {
    const coins = await this.rows(names.map(readOutpoint));
    return new Set(coins.filter(({ place }) => !("cold" in place)).map(nameOf));
  }

  /**
   * Returns which of these outputs are deposits of members. What the wallet itself has sent is one if
   * its withdrawal is known: of what a restored venue has forgotten, nobody has taken the amount from
   * its sender.
   */
  async deposits<T extends SentOutput>(outputs: readonly T[]): Promise<T[]> {
    const txids = new Set(outputs.filter(({ isSent }) => isSent).map(({ txid }) => txid));
    const sent = [...txids];
    const known = await this.#engine.readSidecars(sent.map((txid) => this.#rows.inside(txid)));
    const forgotten = new Set(sent.filter((_, i) => known[i] === null));
    return outputs.filter(({ place, txid }) => "member" in place && !forgotten.has(txid));
  }

  /** Writes which outputs of members, which are final, are below a precision. */
  async noteRests(outputs: readonly WalkedOutput[], precision: number): Promise<void> {
    const small = (await this.deposits(outputs))
      .filter(({ amount }) => isRest(amount, UTXO_DIGITS - precision));
    await inBatches(small, async ({ txid, index, amount }) => {
      const value: RestRow = { txid, index, units: amount };
      await this.#engine.createSidecar({ key: this.#rows.rest(value), value });
    });
  }

  /** Adds up what was noted of rests, of those outputs that still are final. */
  async rests(): Promise<bigint> {
    const prefix = this.#rows.allRests;
    const rows = await Array.fromAsync(sidecarRows(this.#engine, { prefix }));
    const rests = rows.map(({ value }) => value as RestRow);
    const final = (await this.rows(rests)).filter(({ height }) => height !== null).map(nameOf);
    const names = new Set(final);
    return rests.reduce((sum, rest) => names.has(nameOf(rest)) ? sum + rest.units : sum, 0n);
  }

  /**
   * Writes which coins others have spent in blocks that are final: they have the same keys, or are
   * this venue before it was restored from a copy.
   */
  async noteSpent(blocks: readonly WalkedBlock[]): Promise<void> {
    for (const name of await this.listed()) {
      const block = blocks.find(({ spenders }) => spenders.has(nameOf(name)));
      if (block === undefined) continue;
      const coin = await this.#engine.changeSidecar(this.#rows.coin(name), (old) => {
        const known = present(old as CoinRow | null, "a coin's row stays");
        return known.takenBy === null ? { ...known, spentAt: block.height } : known;
      });
      await this.#unlist(coin);
    }
  }

  /** Returns the names of what no payout has taken, at the cold address as well. */
  async listed(): Promise<OutputName[]> {
    const names: OutputName[] = [];
    for (const prefix of [this.#rows.allFree, this.#rows.allCold]) {
      for await (const { value } of sidecarRows(this.#engine, { prefix })) {
        names.push(value as OutputName);
      }
    }
    return names;
  }

  /** Returns the rows of these coins that there are. */
  async rows(names: readonly OutputName[]): Promise<CoinRow[]> {
    const rows = await this.#engine.readSidecars(names.map((name) => this.#rows.coin(name)));
    return (rows as readonly (CoinRow | null)[]).filter((row) => row !== null);
  }

  /** Writes that a payout's change comes back to the wallet. */
  async expectChange(change: OwnOutput, payout: string): Promise<void> {
    const value = coinOf({ ...change, spends: [] }, null, payout);
    const key = this.#rows.coin(change);
    const coin = await this.#engine.createSidecar({ key, value })
      ? value
      : present(await this.coin(change), "a coin's row stays");
    await this.#list(coin);
  }

  /**
   * Has outputs wait for their payout again, whose block was replaced; returns whether any of them was
   * spent: by another payout, or by others.
   */
  async awaitAgain(outputs: readonly OutputName[], payout: string): Promise<boolean> {
    let isSpent = false;
    for (const output of outputs) {
      const coin = await this.#engine.changeSidecar(this.#rows.coin(output), (old) => {
        const known = old as CoinRow | null;
        return known === null ? null : { ...known, changeOf: payout };
      });
      // What never was is against nothing.
      isSpent ||= coin !== null && isGone(coin) && (coin.takenBy !== null || coin.height !== null);
    }
    return isSpent;
  }

  /**
   * Gives a coin to a payout, however often it is called.
   *
   * @throws {InvariantError} another payout has it
   */
  async take(name: OwnOutput, payout: string): Promise<void> {
    await this.#engine.changeSidecar(this.#rows.coin(name), (old) => {
      const coin = present(old as CoinRow | null, "a coin that is taken has its row");
      const owner = coin.takenBy ?? payout;
      return { ...coin, takenBy: present(owner === payout ? owner : null, "a coin is taken once") };
    });
    await this.#engine.changeSidecar(this.#rows.free(name), () => null);
  }

  /**
   * Takes a coin back from a payout that never arrives.
   *
   * @param spentIn the final block where others have spent it; null if none is known
   */
  async release(name: OwnOutput, payout: string, spentIn: WalkedBlock | null): Promise<void> {
    const spent = spentIn === null ? {} : { spentAt: spentIn.height };
    const coin = await this.#engine.changeSidecar(this.#rows.coin(name), (old) => {
      const known = present(old as CoinRow | null, "a coin's row stays");
      return known.takenBy === payout ? { ...known, ...spent, takenBy: null } : known;
    });
    await this.#list(coin);
  }

  /** Gives a coin back to a payout that has spent it after all, unless another one has it. */
  async restore(name: OwnOutput, payout: string): Promise<void> {
    await this.#engine.changeSidecar(this.#rows.coin(name), (old) => {
      const known = present(old as CoinRow | null, "a coin's row stays");
      return { ...known, takenBy: known.takenBy ?? payout };
    });
    await this.forget(name);
  }

  /** Forgets of all coins what blocks above a height have made of them: those were replaced. */
  async unsettle(height: number): Promise<void> {
    const above = (at: number | null | undefined) => at !== null && at !== undefined && at > height;
    for await (const { value } of sidecarRows(this.#engine, { prefix: this.#rows.allCoins })) {
      const row = value as CoinRow;
      if (!above(row.height) && !above(row.spentAt)) continue;
      const coin = await this.#engine.changeSidecar(this.#rows.coin(row), (old) => {
        const { spentAt, ...known } = present(old as CoinRow | null, "a coin's row stays");
        const spent = spentAt === undefined || above(spentAt) ? {} : { spentAt };
        return { ...known, ...spent, height: above(known.height) ? null : known.height };
      });
      await this.#list(coin);
    }
  }

  /** Yields the outputs to members that are in no final block, or in one above a height. */
  async *membersAbove(height: number): AsyncGenerator<OutputName> {
    for await (const { value } of sidecarRows(this.#engine, { prefix: this.#rows.allCoins })) {
      const { place, txid, index, height: at } = value as CoinRow;
      if ("member" in place && (at === null || at > height)) yield { txid, index };
    }
  }

  /** Takes a coin out of the index that will never be. */
  async forget(name: OwnOutput): Promise<void> {
    await this.#engine.changeSidecar(this.#rows.free(name), () => null);
  }

  /** Writes that a coin never will be, by what is in a final block: payouts of it never arrive. */
  async lose(name: OutputName, height: number): Promise<void> {
    const coin = await this.#engine.changeSidecar(this.#rows.coin(name), (old) => {
      const known = old as CoinRow | null;
      return known?.height === null ? { ...known, spentAt: known.spentAt ?? height } : known;
    });
    if (coin !== null) await this.#unlist(coin);
  }

  /** Returns free coins, the largest first; what others take meanwhile the journal tells. */
  async free({ payouts }: JournalRow): Promise<FreeCoin[]> {
    const prefix = this.#rows.allFree;
    const listed = await this.#engine.listSidecar({ prefix, limit: FREE_MAX });
    const names = listed.map(({ value }) => value as OutputName);
    const rows = await this.#engine.readSidecars(names.map((name) => this.#rows.coin(name)));
    const taken = new Set(payouts.flatMap(({ inputs }) => inputs.map(nameOf)));
    const coins: FreeCoin[] = [];
    for (const coin of rows as readonly (FreeCoin | null)[]) {
      if (coin === null) continue;
      if (isGone(coin)) await this.forget(coin);
      else if (!taken.has(nameOf(coin))) coins.push(coin);
    }
    return coins;
  }

  /** Puts a coin into its index, unless it is taken or spent. */
  async #list(coin: CoinRow): Promise<void> {
    if (isGone(coin)) return;
    const { txid, index } = coin;
    await this.#engine.createSidecar({ key: this.#listKey(coin), value: { txid, index } });
  }

  async #unlist(coin: CoinRow): Promise<void> {
    await this.#engine.changeSidecar(this.#listKey(coin), () => null);
  }

  #listKey(coin: CoinRow): SidecarKey {
    return "cold" in coin.place ? this.#rows.cold(coin) : this.#rows.free(coin);
  }
}

/** Returns whether an amount is all in its last digits. */
export function isRest(amount: bigint, digits: number): boolean {
  return digits > 0 && amount < powerOfTen(digits);
}

/** Returns whether a payout has taken a coin, or others have spent it. */
function isGone({ takenBy, spentAt }: CoinRow): boolean {
  return takenBy !== null || spentAt !== undefined;
}

/** Returns whether the node shows a coin as the wallet knows it. */
export function isSameCoin(coin: OwnOutput, script: string, shown: UnspentOutput): boolean {
  return shown.amount === coin.amount && shown.script === script;
}

function coinOf(
  output: Origin & PlacedOutput & { readonly spends: readonly string[] },
  height: number | null,
  changeOf: string | null,
): CoinRow {
  const { txid, index, amount, address, place } = output;
  const spends = output.spends.slice(0, SPENDS_MAX);
  const coin = { txid, index, amount, address, place, spends, height, changeOf, takenBy: null };
  return { ...coin, ...originOf(output) };
}

function originOf({ isSent, isCoinbase }: Origin): Pick<CoinRow, "isSent" | "isCoinbase"> {
  return { ...(isSent ? { isSent } : {}), ...(isCoinbase ? { isCoinbase } : {}) };
}

/** Works on items, some at a time. */
async function inBatches<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < items.length; i += ROWS_AT_ONCE) {
    await Promise.all(items.slice(i, i + ROWS_AT_ONCE).map(work));
  }
}

function nameOf({ txid, index }: OutputName): string {
  return outpoint(txid, index);
}
