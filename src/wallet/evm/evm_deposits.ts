/** Deposits: what the venue has to know of payments to its members. */
import { present } from "../../domain/assert.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type {
  Booking,
  CoinOutput,
  CoinTerms,
  NetworkCoin,
  NetworkRailParts,
  SettledOutput,
} from "../rails/network_rail.ts";
import type { InsidePayments } from "../rails/inside_payments.ts";
import type { SeenOutput, WatchedOutputs } from "../rails/rail.ts";
import { type LastLook, LastLooks } from "../rails/last_looks.ts";
import {
  BalanceComparison,
  COMPARED_OUTPUT,
  type ComparedPayment,
  comparedTxid,
} from "./balance_comparison.ts";
import { type BlockPlace, cursorOf, placeOf, type ReadPlace } from "./block_place.ts";
import { BlockWalk } from "./block_walk.ts";
import { addressOfKey } from "./evm_address.ts";
import { ledgerAmount } from "./evm_amounts.ts";
import type { EvmBlock, EvmHeader } from "./evm_chain.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import { EvmNodeError, ReplacedBlockError } from "./evm_node_error.ts";
import { WALLET_KEY } from "./evm_payments.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import { type FinderParts, type FoundOutput, nameOf, OutputFinder } from "./found_outputs.ts";
import {
  type NotedOutput,
  NotedOutputs,
  noteHeld,
  noteOutput,
  type NoteParts,
  onlyThose,
} from "./noted_outputs.ts";
import { checkDigits } from "./token_checks.ts";

/** A txid as the rail spells it. */
const TXID = /^0x[0-9a-f]{64}$/;

/** What deposits work with. */
export interface DepositParts extends Omit<FinderParts, "walletAddress"> {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  readonly network: EvmNetwork;
  readonly keys: AccountKeys;
  readonly bookingOf: NetworkRailParts["bookingOf"];
  readonly isInside: NoteParts["isInside"];
  /** The wallet's payments of withdrawals. */
  readonly inside: Pick<InsidePayments, "named" | "looked" | "credited">;
}

/** The last block of the chain. */
type ChainEnd = Pick<EvmHeader, "height">;

/** A payment to a member, in whatever way it was found. */
type Payment =
  & Pick<NotedOutput, "address" | "units" | "height">
  & Partial<Pick<NotedOutput, "sender"> & Pick<FoundOutput, "from">>;

/** Reads the chain for all coins of a network. */
export class EvmDeposits {
  readonly #parts: DepositParts;
  readonly #walletAddress: string;
  readonly #finder: OutputFinder;
  readonly #noted: NotedOutputs;
  readonly #walk: BlockWalk;
  readonly #comparison: BalanceComparison;
  readonly #lastLooks: LastLooks;
  /** From where each coin reads on, by currency. */
  readonly #places = new Map<string, ReadPlace>();
  /** Where coins begin, by currency. */
  readonly #starts = new Map<string, string>();
  /** The coins that the walk has looked for. */
  #walkedCoins = "";
  /** The coins whose digits are as their contracts say. */
  readonly #checkedDigits = new Set<string>();
  /** The last turn of the walk; turns follow each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: DepositParts) {
    this.#parts = parts;
    const { engine, rows, chain, network, onFault } = parts;
    const walletAddress = this.#walletAddress = addressOfKey(parts.keys.publicKeyAt(WALLET_KEY));
    this.#finder = new OutputFinder({ ...parts, walletAddress });
    this.#noted = new NotedOutputs({
      engine,
      rows,
      walletAddress,
      nativeCurrency: () => this.#native()?.currency ?? null,
      coinOf: (currency) => this.#coin(currency),
      isInside: parts.isInside,
      finalBlocks: network.finalBlocks,
      onFault,
    });
    const find = (blocks: readonly EvmBlock[]) => this.#find(blocks);
    this.#walk = new BlockWalk({ chain, find, lostBlocks: 3 * network.finalBlocks });
    this.#comparison = new BalanceComparison({
      engine,
      rows,
      chain,
      walletAddress,
      everyBlocks: network.compareBlocks,
      note: (payment) => this.#noteCompared(payment),
      bookingOf: (payment) => this.#bookingOf(payment),
      // What comes again may have been told as lost.
      onCame: (payments, height) => this.#lastLooks.expect(this.#comparedOutputs(payments), height),
      onFault,
    });
    this.#lastLooks = new LastLooks({
      engine,
      rows,
      finalDepth: network.finalBlocks,
      look: (output, height) => this.#lookAgain(output, height),
      credited: (output) => parts.inside.credited(output),
      onFault,
    });
  }

  /**
   * Returns where a coin begins: behind what is final now. It is written down once for all; what is
   * paid from then on is noticed.
   */
  async begin(currency: string): Promise<string> {
    const known = this.#starts.get(currency);
    if (known !== undefined) return known;
    const key = this.#parts.rows.start(currency);
    const { engine } = this.#parts;
    const noted = await engine.readSidecar(key);
    if (noted === null) await engine.createSidecar({ key, value: await this.#finalCursor() });
    const start = (noted ?? await engine.readSidecar(key)) as string;
    this.#starts.set(currency, start);
    return start;
  }

  async #finalCursor(): Promise<string> {
    const { chain, network } = this.#parts;
    const head = await chain.head();
    const [found] = await chain.headers([Math.max(0, head.height - network.finalBlocks)]);
    const { height, hash } = present(found, "there are blocks below the last");
    return cursorOf({ height, hash, compared: 0 });
  }

  /** Reads on, see `Rail.watch`. */
  async watch(currency: string, since: string | null): Promise<WatchedOutputs> {
    const turn = this.#turn.then(() => this.#watch(this.#coin(currency), since));
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  /**
   * Has all coins be read again behind a block.
   *
   * @returns the number of the last payment that was found by comparing balances
   */
  async goBack(block: BlockPlace, head: EvmHeader): Promise<number> {
    await this.#lastLooks.expectNow(this.#noted.above(block.height), head.height);
    const expect = (gone: readonly ComparedPayment[]) => {
      return this.#lastLooks.expectNow(this.#comparedOutputs(gone), head.height);
    };
    const turn = this.#turn.then(() => this.#comparison.goBack(block, expect));
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  #comparedOutputs(
    payments: readonly Pick<ComparedPayment, "hash" | "address">[],
  ): readonly CoinOutput[] {
    const currency = this.#native()?.currency;
    return currency === undefined ? [] : payments.map((payment) => ({
      currency,
      txid: comparedTxid(payment),
      output: COMPARED_OUTPUT,
    }));
  }

  /**
   * Yields what has become of payments whose blocks may be gone, see `Rail.settled`.
   *
   * @param head returns the last block of a node of which all is well
   */
  settled(head: () => Promise<EvmHeader>): AsyncIterable<SettledOutput> {
    return this.#lastLooks.settled(head);
  }

  /** Returns how a payment is at this height of the chain; null as long as nobody can tell. */
  async #lookAgain(one: LastLook, height: number): Promise<SeenOutput | null> {
    const { currency, txid, output } = one;
    const coin = this.#parts.coins().find((known) => known.currency === currency);
    if (coin === undefined) return null;
    const noted = await this.#noted.read(currency, txid, output);
    if (noted === null || noted.sender !== null) {
      const isLong = height - one.at >= 2 * this.#parts.network.finalBlocks;
      return await this.#lookAtSent(coin, { txid, output }, noted, { height, isLong });
    }
    const turn = this.#turn.then(() => this.#compareAgain(one, noted));
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  /**
   * Returns what a comparison had found as it is now: what contracts pay again counts to it. Of what
   * they have not paid once so many more blocks are final, nobody expects it any more.
   */
  async #compareAgain(
    { currency, txid, at }: LastLook,
    noted: NotedOutput,
  ): Promise<SeenOutput | null> {
    const coin = this.#coin(currency);
    const head = await this.#parts.chain.head();
    const named = { txid, output: COMPARED_OUTPUT };
    if (await this.#isInPlace(noted, head)) {
      return this.#seen(coin, named, noted, head)[0] ?? null;
    }
    const place = this.#places.get(currency);
    if (place === undefined) return null;
    const final = this.#finalPlace(head, place);
    const left = await this.#comparison.leftOf(noted, final);
    const isEarly = final.height < at + this.#parts.network.finalBlocks;
    if (left === null || (isEarly && left !== 0n)) return null;
    const again = { ...noted, units: noted.units - (left ?? 0n) };
    return this.#seen(coin, named, again, head)[0] ?? this.#missed(coin, named, noted, true);
  }

  /** Looks an output up, see `Rail.look`. */
  async look(currency: string, spelled: string, output: number): Promise<SeenOutput | null> {
    const lower = spelled.toLowerCase();
    const txid = lower.startsWith("0x") ? lower : `0x${lower}`;
    const coin = this.#coin(currency);
    const head = await this.#parts.chain.head();
    const noted = await this.#noted.read(currency, txid, output);
    if (noted !== null && noted.sender === null) {
      return await this.#lookAtCompared(coin, txid, noted, head);
    }
    if (!TXID.test(txid)) return null;
    return await this.#lookAtSent(coin, { txid, output }, noted, head);
  }

  /**
   * Returns an output of a transaction as its deposit is called. After long, one that no block has is
   * gone though nodes have it: while nobody mines it, its coins may be spent otherwise.
   */
  async #lookAtSent(
    coin: NetworkCoin,
    named: { readonly txid: string; readonly output: number },
    noted: NotedOutput | null,
    { isLong = false, ...head }: ChainEnd & { readonly isLong?: boolean },
  ): Promise<SeenOutput | null> {
    const { currency } = coin;
    const { output } = named;
    const shown = await this.#lookAt(coin, named, noted, head);
    const seen = shown ?? (noted === null ? null : this.#tooSmall(named, noted, head));
    if (seen === null) return null;
    const isDropped = seen.isDropped || (isLong && seen.confirmations === 0);
    return await this.#parts.inside.looked(currency, { ...seen, isDropped }, async (txid) => {
      const found = await this.#noted.read(currency, txid, output);
      return await this.#lookAt(coin, { txid, output }, found, head);
    });
  }

  async #watch(coin: NetworkCoin, since: string | null): Promise<WatchedOutputs> {
    const { currency } = coin;
    const last = await this.#parts.chain.head();
    const place = placeOf(since ?? await this.begin(currency));
    await this.#takeCoins();
    await this.#walk.readOn(place, last);
    await this.checkCoin(coin);
    this.#parts.chain.prove(this.#walk.tip.height);
    // Nobody has seen the blocks that are not read yet.
    const head = { ...last, height: Math.min(last.height, this.#walk.tip.height) };
    this.#places.set(currency, place);
    const final = this.#finalPlace(head, place);
    const outputs: SeenOutput[] = [];
    for (const one of this.#walk.outputsAbove(place.height)) {
      if (one.currency !== currency) continue;
      outputs.push(...await this.#named(one, this.#seen(coin, one, one, head)));
    }
    for (const lost of this.#walk.lostOutputs()) {
      if (lost.currency !== currency) continue;
      const seen = await this.#lookAt(coin, lost, await this.#notedOf(lost), head);
      if (seen !== null) outputs.push(...await this.#named(lost, [seen]));
    }
    const compared = coin.contract === null
      ? await this.#compared(coin, place, final, head)
      : { outputs: [], last: 0 };
    this.#walk.forgetBelow(this.#lowestPlace());
    const cursor = cursorOf({ ...final, compared: compared.last });
    return { outputs: [...outputs, ...compared.outputs], cursor };
  }

  /** Returns what is seen of an output as its deposit is called. */
  async #named(found: FoundOutput, seen: readonly SeenOutput[]): Promise<readonly SeenOutput[]> {
    if (!this.#isSent(found)) return seen;
    const { inside } = this.#parts;
    return await Promise.all(seen.map((one) => inside.named(found.currency, one)));
  }

  async #find(blocks: readonly EvmBlock[]): Promise<readonly (readonly FoundOutput[])[]> {
    const found = await this.#finder.find(blocks);
    return onlyThose(found, await this.#noted.note(found.flat()));
  }

  /** Checks a coin by its contract, see `NetworkRail.checkCoin`; once if all is well. */
  async checkCoin(coin: CoinTerms): Promise<void> {
    const name = `${coin.currency}:${coin.contract}:${coin.digits}`;
    if (this.#checkedDigits.has(name)) return;
    await checkDigits(this.#parts.chain, coin);
    this.#checkedDigits.add(name);
  }

  /** Reads again what may hold outputs of a coin that has come since. */
  async #takeCoins(): Promise<void> {
    const coins = this.#parts.coins().map(({ currency, contract }) => `${currency}:${contract}`);
    const names = coins.toSorted().join();
    if (names === this.#walkedCoins) return;
    const lowest = [...this.#places.values()].toSorted((a, b) => a.height - b.height)[0];
    try {
      if (lowest !== undefined) await this.#walk.restart(lowest);
    } catch (error) {
      // An operator may have had all be read anew since then.
      if (error instanceof ReplacedBlockError) this.#places.clear();
      throw error;
    }
    this.#walkedCoins = names;
  }

  /** Returns the last block that was read and is final, or where the coin was if that is later. */
  #finalPlace(head: ChainEnd, place: BlockPlace): BlockPlace {
    const end = Math.min(this.#walk.tip.height, head.height - this.#parts.network.finalBlocks);
    const height = Math.max(place.height, end);
    return { height, hash: present(this.#walk.hashAt(height), "a final block was read") };
  }

  #lowestPlace(): number {
    const served = new Set(this.#parts.coins().map(({ currency }) => currency));
    const heights = [...this.#places].flatMap(([currency, { height }]) =>
      served.has(currency) ? [height] : []
    );
    return Math.min(...heights);
  }

  /** Compares the next balances, and returns what comparisons have found. */
  async #compared(
    coin: NetworkCoin,
    place: ReadPlace,
    final: BlockPlace,
    head: ChainEnd,
  ): Promise<{ readonly outputs: readonly SeenOutput[]; readonly last: number }> {
    try {
      await this.#comparison.turn(final);
    } catch (error) {
      // The transactions that are known don't wait for it.
      this.#parts.onFault(error);
    }
    const outputs: SeenOutput[] = [];
    let last = place.compared;
    for await (const payment of this.#comparison.after(place.compared)) {
      last = payment.number;
      // An operator has had the network go back since then.
      if (!await this.#isInPlace(payment, head)) continue;
      const named = { txid: comparedTxid(payment), output: COMPARED_OUTPUT };
      outputs.push(...this.#seen(coin, named, payment, head));
    }
    return { outputs, last };
  }

  async #bookingOf(payment: Pick<ComparedPayment, "hash" | "address">): Promise<Booking> {
    const { currency } = present(this.#native(), "balances of the network's own coin are compared");
    return await this.#parts.bookingOf(currency, comparedTxid(payment), COMPARED_OUTPUT);
  }

  async #noteCompared({ address, units, height, hash }: ComparedPayment): Promise<void> {
    const { engine, rows } = this.#parts;
    const coin = present(this.#native(), "balances of the network's own coin are compared");
    const rest = ledgerAmount(units, coin)?.rest ?? 0n;
    const place = { height, hash, missingSince: null };
    const value: NotedOutput = { address, units, rest, sender: null, ...place };
    const { currency } = coin;
    const txid = comparedTxid({ hash, address });
    await noteHeld(engine, rows, { currency, address, height });
    await noteOutput(engine, rows, { currency, txid, output: COMPARED_OUTPUT }, value);
  }

  async #lookAtCompared(
    coin: NetworkCoin,
    txid: string,
    noted: NotedOutput,
    head: ChainEnd,
  ): Promise<SeenOutput | null> {
    if (!await this.#isInPlace(noted, head)) {
      // All blocks that counted as final are there: an operator has had it read anew.
      return this.#missed(coin, { txid, output: COMPARED_OUTPUT }, noted, true);
    }
    return this.#seen(coin, { txid, output: COMPARED_OUTPUT }, noted, head)[0] ?? null;
  }

  /** Returns an output of a transaction as the chain has it now; `noted` is how it was. */
  async #lookAt(
    coin: NetworkCoin,
    named: { readonly txid: string; readonly output: number },
    noted: NotedOutput | null,
    head: ChainEnd,
  ): Promise<SeenOutput | null> {
    const { chain, network } = this.#parts;
    const { txid, output } = named;
    if (noted !== null && await this.#isInPlace(noted, head)) {
      if (noted.missingSince !== null) await this.#noted.isFound(coin.currency, txid, output);
      return this.#seen(coin, named, noted, head)[0] ?? null;
    }
    const [receipt = null] = await chain.receipts([txid]);
    if (receipt === null) {
      if (noted === null) return null;
      return this.#missed(coin, named, noted, await this.#isGone(coin, named, noted, head));
    }
    const [block = null] = await chain.blocks([receipt.height]);
    if (block?.hash !== receipt.hash) {
      throw new EvmNodeError("contradicting", "a receipt is of a block that is not there");
    }
    const [found = []] = await this.#find([block]);
    const name = nameOf({ currency: coin.currency, txid, output });
    const same = found.find((one) => nameOf(one) === name);
    if (same !== undefined) return this.#seen(coin, named, same, head)[0] ?? null;
    // The transaction did something else in the block that holds it now.
    const isFinal = head.height - receipt.height >= network.finalBlocks;
    return noted === null ? null : this.#missed(coin, named, noted, isFinal);
  }

  /** Returns whether the chain has the block in which an output was noted, and so its transaction. */
  async #isInPlace({ height, hash }: BlockPlace, head: ChainEnd): Promise<boolean> {
    const [block = null] = await this.#parts.chain.headers([height]);
    if (block !== null || height > head.height) return block?.hash === hash;
    throw new EvmNodeError("behind", "it lacks a block below its last");
  }

  /** Returns whether a transaction that no block holds will come into none any more. */
  async #isGone(
    { currency }: NetworkCoin,
    { txid, output }: { readonly txid: string; readonly output: number },
    { sender }: NotedOutput,
    head: ChainEnd,
  ): Promise<boolean> {
    const { chain, network: { finalBlocks } } = this.#parts;
    const since = await this.#noted.missing(currency, txid, output, head.height);
    if (head.height - since < finalBlocks) return false;
    if (!await chain.knows(txid)) return true;
    // Another transaction may have taken its turn.
    const { from, nonce } = present(sender, "a transaction has a sender");
    return await chain.sentBy(from, head.height - finalBlocks) > nonce;
  }

  #notedOf({ currency, txid, output }: FoundOutput): Promise<NotedOutput | null> {
    return this.#noted.read(currency, txid, output);
  }

  /** Returns a payment in a block; nothing if all of it is too small. */
  #seen(
    coin: NetworkCoin,
    { txid, output }: { readonly txid: string; readonly output: number },
    payment: Payment,
    head: ChainEnd,
  ): SeenOutput[] {
    const { address, units, height } = payment;
    const amount = ledgerAmount(units, coin)?.amount ?? 0n;
    if (amount === 0n) return [];
    const confirmations = Math.max(0, head.height - height + 1);
    const seen = { address, txid, output, amount, confirmations, isDropped: false };
    const isFinal = head.height - height >= this.#parts.network.finalBlocks;
    return this.#isSent(payment) && !isFinal ? [{ ...seen, isReplaceable: true }] : [seen];
  }

  /** Returns a payment of which the ledger has nothing: another block may have had more of it. */
  #tooSmall(
    { txid, output }: { readonly txid: string; readonly output: number },
    { address, height }: NotedOutput,
    head: ChainEnd,
  ): SeenOutput {
    const isDropped = head.height - height >= this.#parts.network.finalBlocks;
    return { address, txid, output, amount: 0n, confirmations: 0, isDropped };
  }

  #isSent(payment: Payment): boolean {
    return senderOf(payment) === this.#walletAddress.toLowerCase();
  }

  #missed(
    coin: NetworkCoin,
    { txid, output }: { readonly txid: string; readonly output: number },
    { address, units }: NotedOutput,
    isDropped: boolean,
  ): SeenOutput | null {
    const amount = ledgerAmount(units, coin)?.amount ?? 0n;
    if (amount === 0n) return null;
    return { address, txid, output, amount, confirmations: 0, isDropped };
  }

  #coin(currency: string): NetworkCoin {
    const coin = this.#parts.coins().find((one) => one.currency === currency);
    return present(coin, "a coin's rail serves it");
  }

  #native(): NetworkCoin | undefined {
    return this.#parts.coins().find(({ contract }) => contract === null);
  }
}

function senderOf({ from, sender }: Payment): string | null {
  return from ?? sender?.from ?? null;
}
