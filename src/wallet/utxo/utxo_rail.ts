/** A rail to one network of Bitcoin's family: keys here, blocks and the way out from a node. */
import { hex } from "@scure/base";
import { FinalBlocks } from "../rails/final_blocks.ts";
import type {
  NetworkBalances,
  NetworkCoin,
  NetworkFault,
  NetworkHealth,
  NetworkRail,
  NetworkRailParts,
  ReplacedBlock,
  SettledOutput,
} from "../rails/network_rail.ts";
import { nodeText, PayoutWaitsError } from "../rails/payout_waits.ts";
import { InsidePayments } from "../rails/inside_payments.ts";
import type {
  FindOutcome,
  Payout,
  SeenOutput,
  SendOutcome,
  WatchedOutputs,
} from "../rails/rail.ts";
import { ChainWalk, type WalkedBlock } from "./chain_walk.ts";
import { NodeChain } from "./node_chain.ts";
import {
  addressOfKey,
  canonicalAddress,
  keyAddressOfScript,
  scriptOfAddress,
} from "./utxo_addresses.ts";
import { balancesOf, countedCoins } from "./utxo_balances.ts";
import { type AskedPayout, CHANGE, PaymentPlans } from "./payment_plans.ts";
import { blockOfCursor, cursorOf, UNIT } from "./seen_outputs.ts";
import { UtxoCoins } from "./utxo_coins.ts";
import { UtxoDeposits } from "./utxo_deposits.ts";
import {
  CoinsMissingError,
  NodeRefusalError,
  ReplacedBlockError,
  UtxoFaultError,
} from "./utxo_faults.ts";
import type { BlockName, UtxoNetwork } from "./utxo_networks.ts";
import { UTXO_DIGITS } from "./utxo_networks.ts";
import type { JsonRpc } from "./utxo_node.ts";
import { lastOf, UtxoPayouts } from "./utxo_payouts.ts";
import { type CoinPlace, type PayoutRow, UtxoRows } from "./utxo_rows.ts";
import { UtxoUpkeep } from "./utxo_upkeep.ts";

/** What a rail is built of. */
export interface UtxoRailParts extends NetworkRailParts {
  readonly network: UtxoNetwork;
  readonly node: JsonRpc;
  /** Height after which addresses were first given out; by default where the node is at first. */
  readonly startHeight?: number;
  /** How long one call follows the chain, in ms. */
  readonly followMsMax?: number;
  /** More final coins than this are combined while that is cheap. */
  readonly coinsMax?: number;
  /** Coins that one payment is made of. */
  readonly inputsMax?: number;
}

/** How long one call follows the chain by default, in ms. */
const FOLLOW_MS_MAX = 4_000;
/** Why a payout has failed. */
const SPENT = "other transactions have spent its coins, or what they were made of, " +
  "or blocks that made them are gone";
const COINS_MAX = 100;
/**
 * A payment's row has room for some seventy coins, and nodes pass on more than a thousand; but each
 * takes 3 ms to sign, on the thread that matches orders.
 */
const INPUTS_MAX = 40;
/** Payouts are looked after with each block, and after this time without one, in ms. */
const TEND_MS = 10_000;

/** A rail to bitcoin, litecoin, dogecoin or bitcoin cash. */
export class UtxoRail implements NetworkRail {
  readonly network: string;
  readonly #parts: UtxoRailParts;
  readonly #rows: UtxoRows;
  readonly #chain: NodeChain;
  readonly #coins: UtxoCoins;
  readonly #walk: ChainWalk;
  readonly #finals: FinalBlocks;
  readonly #plans: PaymentPlans;
  readonly #payouts: UtxoPayouts;
  readonly #deposits: UtxoDeposits;
  readonly #upkeep: UtxoUpkeep;
  readonly #ownAddress: string;
  /** The last work on the walk: one at a time. */
  #working: Promise<unknown> = Promise.resolve();
  /** The next look at the chain, which has not begun: who comes meanwhile shares it. */
  #nextLook: Promise<void> | null = null;
  #start: BlockName | null = null;
  /** The last block whose coins are rows. */
  #settled: BlockName | null = null;
  #fault: NetworkFault | null = null;
  /** A block that was met where another one had been final; null once a look finds none. */
  #replaced: ReplacedBlock | null = null;
  /** Whether somebody is shown what blocks pay, as long as they are in memory. */
  #isWatched = false;
  /** When payouts were last looked after, and the last block at that time. */
  #tended = { hash: "", at: 0 };

  constructor(parts: UtxoRailParts) {
    const { network, engine, keys, cold, node, onFault } = parts;
    this.network = network.name;
    this.#parts = parts;
    this.#rows = new UtxoRows(network.name);
    this.#chain = new NodeChain(network, node);
    this.#coins = new UtxoCoins(engine, this.#rows);
    this.#ownAddress = addressOfKey(network, keys.publicKeyAt(CHANGE));
    const coldScript = cold === null ? null : scriptOfAddress(network, cold);
    const coldHex = coldScript === null ? null : hex.encode(coldScript);
    this.#walk = new ChainWalk({
      network,
      chain: this.#chain,
      addressOf: (script) => script === coldHex ? cold : keyAddressOfScript(network, script),
      placesOf: (addresses) => this.#placesOf(addresses),
      ownOf: (names) => this.#coins.own(names),
      coins: async () =>
        (await countedCoins({ coins: this.#coins, payouts: this.#payouts })).keys(),
      onFault,
    });
    this.#finals = this.#finalBlocks();
    const [rows, coins, chain, walk] = [this.#rows, this.#coins, this.#chain, this.#walk];
    const { inputsMax = INPUTS_MAX, coinsMax = COINS_MAX } = parts;
    const coin = () => parts.coins().find(isOwnCoin) ?? null;
    const planned = { network, engine, rows, coins, chain, keys, inputsMax, coin, onFault };
    const plans = this.#plans = new PaymentPlans(planned);
    const isLost = async (id: string) => (await this.#payouts.row(id))?.end?.isFailed === true;
    const inside = new InsidePayments({ ...parts, rows, isLost });
    const payouts = this.#payouts = new UtxoPayouts({
      ...planned,
      inside,
      plans,
      walk,
      onDecided: (payout) => this.#upkeep.tellDecided(payout),
      onLost: (payout) => this.#upkeep.tellLost(payout),
      onDoubted: (payout, doubt) => this.#upkeep.tellLost(payout, { doubt }),
      onRefused: (payout, doubt) => this.#upkeep.tellLost(payout, { doubt, fate: "refused" }),
      onReturned: (payout, txid) => this.#upkeep.tellReturned(payout, txid),
    });
    this.#deposits = new UtxoDeposits({
      ...parts,
      ...planned,
      inside,
      walk,
      looked: () => this.#looked(),
    });
    this.#upkeep = new UtxoUpkeep({
      ...parts,
      ...planned,
      plans,
      payouts,
      inside,
      walk,
      coinsMax,
      cold: cold === this.#ownAddress ? null : coldScript,
    });
  }

  #finalBlocks(): FinalBlocks {
    const { engine, network, cursors } = this.#parts;
    return new FinalBlocks({
      engine,
      key: this.#rows.final,
      others: async () => {
        const walked = await this.#walked();
        return [...walked === null ? [] : [walked], ...(await cursors()).map(blockOfCursor)];
      },
      depth: network.finalDepth,
      hashesAt: (heights) => Promise.all(heights.map((height) => this.#chain.hashAt(height))),
      replaced: (block) => new ReplacedBlockError(block),
      behind: () => new UtxoFaultError("behind", "The node lacks a block that was final"),
    });
  }

  get ownAddress(): string {
    return this.#ownAddress;
  }

  get coldAddress(): string | null {
    return this.#parts.cold;
  }

  get canPay(): boolean {
    return this.#parts.keys.canSign;
  }

  canonicalAddress(address: string): string | null {
    return canonicalAddress(this.#parts.network, address);
  }

  isOwn(address: string): boolean {
    return address === this.#ownAddress || address === this.#parts.cold;
  }

  health(): NetworkHealth {
    const height = this.#walk.last?.height ?? null;
    if (this.#replaced === null) return { height, fault: this.#fault };
    return { height, fault: "reorganised", replaced: this.#replaced };
  }

  async createAddress(currency: string, uid: string): Promise<{ readonly address: string }> {
    this.#served(currency);
    const { network, keys, placeOf } = this.#parts;
    // What is paid to an address is noticed from here on.
    if (this.#start === null) await this.#told(() => this.#startBlock());
    return { address: addressOfKey(network, keys.publicKeyAt(placeOf(uid))) };
  }

  async watch(currency: string, since: string | null): Promise<WatchedOutputs> {
    const coin = this.#served(currency);
    this.#isWatched = true;
    return await this.#alone(async () => {
      this.#walk.beginAfter(await this.#baseOf(since));
      await this.#follow();
      const { blocks } = this.#walk;
      const isPassed = this.#settled !== null &&
        blocks.some(({ hash }) => hash === this.#settled?.hash);
      return {
        outputs: await this.#deposits.watched(coin),
        cursor: isPassed && this.#settled !== null ? cursorOf(this.#settled) : since,
      };
    });
  }

  /** Returns the block after which a watch begins: no later than up to where coins are rows. */
  async #baseOf(since: string | null): Promise<BlockName> {
    if (since === null) return await this.#startBlock();
    const [base, walked] = [blockOfCursor(since), await this.#walked()];
    if (walked === null) return base;
    // An operator has had the network go back, by another process.
    if (walked.height < (this.#settled?.height ?? 0)) this.#settled = null;
    return walked.height < base.height ? walked : base;
  }

  async #walked(): Promise<BlockName | null> {
    return await this.#parts.engine.readSidecar(this.#rows.walked) as BlockName | null;
  }

  async look(currency: string, spelled: string, output: number): Promise<SeenOutput | null> {
    return await this.#deposits.look(this.#served(currency), spelled, output);
  }

  settled(): AsyncIterable<SettledOutput> {
    return this.#deposits.settled();
  }

  /**
   * Returns what the chain holds at the wallet's addresses: `hot` is what is final, what payouts
   * have taken that no block holds yet, their change, and what was paid to the wallet's own address;
   * `deposits` is what blocks have paid to members until it is final. All of it pays where it is: it
   * has not to be moved. `cold` is counted since that address was first given.
   *
   * @throws {UtxoFaultError} the node can't be relied on, or the walk is not at its last block
   */
  async balances(currency: string): Promise<NetworkBalances> {
    this.#served(currency);
    await this.#looked();
    return await this.#alone(() =>
      balancesOf({
        walk: this.#walk,
        coins: this.#coins,
        payouts: this.#payouts,
        cold: this.#parts.cold,
      })
    );
  }

  /**
   * Returns what a payout costs now, in the network's unit.
   *
   * @throws {UtxoFaultError} the node can't be relied on
   */
  async feeOf(currency: string): Promise<bigint> {
    this.#served(currency);
    return await this.#told(() => this.#plans.usualFee());
  }

  /**
   * Returns what members have paid, in final blocks, by payments all of which were below the
   * currency's precision: the ledger has none of them. In the network's unit.
   */
  async rests(currency: string): Promise<bigint> {
    this.#served(currency);
    await this.#looked();
    return await this.#coins.rests();
  }

  async goBack(height: number): Promise<string | null> {
    const fault = this.#fault;
    const cursor = await this.#alone(async () => {
      const tip = await this.#walk.tip();
      // First, so that whoever is killed here is followed by one that goes back as far.
      const block = height > tip.height ? null : await this.#unwalk(height);
      if (block === null) return null;
      await this.#deposits.goBack(block.height, tip.height);
      // What is decided on, but stands in the journal alone, may spend the change of what is reopened.
      await this.#payouts.writeOut();
      await this.#payouts.reopen(block.height, tip.height);
      await this.#coins.unsettle(block.height);
      const noted = await this.#finals.goBack(block);
      this.#walk.beginAfter(noted);
      this.#settled = null;
      return cursorOf(noted);
    });
    // That the node has answered mends nothing.
    if (cursor === null) this.#fault = fault;
    return cursor;
  }

  /**
   * Writes that nothing above a height is read. Another call may have gone back further, perhaps at the
   * same time, and may have been killed after that: then this one goes back as far.
   *
   * @returns the block up to which all is read; null if the chain has none there
   */
  async #unwalk(height: number): Promise<BlockName | null> {
    const hash = await this.#chain.hashAt(height);
    if (hash === null) return null;
    const walked = await this.#parts.engine.changeSidecar(this.#rows.walked, (old) => {
      const known = old as BlockName | null;
      return known !== null && known.height < height ? known : { height, hash };
    });
    return walked.height < height ? await this.#unwalk(walked.height) : walked;
  }

  async resumableHeight(): Promise<number | null> {
    return await this.#finals.resumableHeight();
  }

  heightOf(cursor: string): number {
    return blockOfCursor(cursor).height;
  }

  send(payout: Payout): Promise<SendOutcome> {
    return this.#paying(() => this.#send(payout));
  }

  find(payoutId: string): Promise<FindOutcome> {
    return this.#paying(() => this.#find(payoutId));
  }

  /** Has payouts wait while the node is not to be relied on. */
  async #paying<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UtxoFaultError)) throw error;
      const { fault, message } = error;
      const text = nodeText(this.network, fault, message);
      throw new PayoutWaitsError(fault, text, { cause: error });
    }
  }

  async #send(payout: Payout): Promise<SendOutcome> {
    const { id, currency, address, amount } = payout;
    const { network, keys, onFault } = this.#parts;
    // While the network has a fault, nothing is sent; nor before the chain was looked at.
    if (this.health().fault !== null || this.#walk.last === null) await this.#looked();
    const decided = await this.#payouts.row(id);
    if (decided !== null) {
      if (decided.end === null) await this.#payouts.broadcast(decided).catch(onFault);
      return { kind: "sent", txid: decided.end?.txid ?? lastOf(decided.versions).txid };
    }
    this.#served(currency);
    if (!keys.canSign) throw new Error("This process only watches: it has no seed to sign with");
    const script = scriptOfAddress(network, address);
    const isOwn = canonicalAddress(network, address) === this.#ownAddress;
    const reason = script === null
      ? "it is no address of the network"
      : isOwn
      ? "it is the wallet's own address"
      : refusalOf(network, amount);
    if (script === null || reason !== null) return { kind: "refused", reason: reason ?? "" };
    const tip = await this.#told(() => this.#walk.tip());
    // What is written of its time has to be true: by it a payout waits for its fee to be raised.
    if (tip.hash !== this.#walk.last?.hash) await this.#looked();
    const { height } = this.#walk;
    const made = await this.#decide({ id, script, amount: amount / UNIT, isInside: true, height });
    // It is decided: whoever follows the chain sends it again until it is there.
    await this.#payouts.broadcast(made).catch(onFault);
    return { kind: "sent", txid: lastOf(made.versions).txid };
  }

  /** Decides on a payout; one that lacks coins may find them in blocks that are not read yet. */
  async #decide(asked: AskedPayout): Promise<PayoutRow> {
    try {
      return await this.#payouts.decide(asked);
    } catch (error) {
      if (!(error instanceof CoinsMissingError)) throw error;
      await this.#looked();
    }
    try {
      return await this.#payouts.decide(asked);
    } catch (error) {
      if (error instanceof CoinsMissingError) {
        await this.#upkeep.heed(error, asked.height).catch(this.#parts.onFault);
      }
      throw error;
    }
  }

  async #find(payoutId: string): Promise<FindOutcome> {
    const decided = await this.#payouts.row(payoutId);
    if (decided === null) return { kind: "absent" };
    await this.#looked();
    // Its end may be noted by now, and its block forgotten.
    const payout = await this.#payouts.row(payoutId) ?? decided;
    const { end, versions } = payout;
    if (end !== null) {
      const { txid, isFailed } = end;
      const confirmations = isFailed ? 0 : this.#walk.confirmationsOf(end.height);
      return { kind: "sent", txid, confirmations, isFailed, ...isFailed ? { failure: SPENT } : {} };
    }
    for (const { txid } of versions) {
      const block = this.#walk.blockOf(txid);
      if (block === null) continue;
      const confirmations = this.#walk.confirmationsOf(block.height);
      return { kind: "sent", txid, confirmations, isFailed: false };
    }
    return { kind: "sent", txid: lastOf(versions).txid, confirmations: 0, isFailed: false };
  }

  /** Returns the network's own coin, whose currency this has to be. */
  #served(currency: string): NetworkCoin {
    const coin = this.#parts.coins().find((one) => one.currency === currency);
    if (coin === undefined || !isOwnCoin(coin)) {
      throw new Error(`${this.network} has no coin ${currency}`);
    }
    return coin;
  }

  async #placesOf(addresses: readonly string[]): Promise<ReadonlyMap<string, CoinPlace>> {
    const { ownersOf, placeOf, cold } = this.#parts;
    const places = new Map<string, CoinPlace>();
    if (addresses.length === 0) return places;
    const owners = await ownersOf(addresses);
    addresses.forEach((address, i) => {
      const owner = owners[i] ?? null;
      if (address === this.#ownAddress) places.set(address, CHANGE);
      else if (owner !== null) places.set(address, placeOf(owner));
      else if (address === cold) places.set(address, { cold: true });
    });
    return places;
  }

  /** Looks at the chain, after whatever happens on it now. */
  #looked(): Promise<void> {
    this.#nextLook ??= this.#alone(async () => {
      this.#nextLook = null;
      if (this.#walk.base === null) {
        this.#walk.beginAfter(await this.#walked() ?? await this.#startBlock());
      }
      if (!await this.#follow()) {
        // Of many blocks, all would not fit into memory: of these, the rows say all.
        if (!this.#isWatched && this.#settled !== null) this.#walk.beginAfter(this.#settled);
        throw new UtxoFaultError("behind", "The blocks since the last look are not all read yet");
      }
    });
    return this.#nextLook;
  }

  /** Follows the node, and writes down what has become final; returns whether it is at the end. */
  async #follow(): Promise<boolean> {
    const { followMsMax = FOLLOW_MS_MAX } = this.#parts;
    const isThere = await this.#walk.follow(performance.now() + followMsMax);
    if (this.#walk.last !== null) await this.#finals.check(this.#walk.last);
    this.#replaced = null;
    const settled = this.#settled?.height ?? 0;
    const young = this.#walk.blocks.filter(({ height }) => height > settled);
    const loose = [...this.#walk.loose].map(({ output }) => output);
    await this.#coins.note([...young.flatMap(({ outputs }) => outputs), ...loose]);
    await this.#deposits.expect();
    const { hash = "" } = this.#walk.last ?? {};
    const at = this.#parts.engine.now();
    if (hash === this.#tended.hash && at - this.#tended.at < TEND_MS) return isThere;
    await this.#payouts.writeOut();
    await this.#payouts.noteEnds();
    await this.#settle();
    if (isThere) {
      const { onFault } = this.#parts;
      await this.#upkeep.turn().catch(onFault);
      await this.#payouts.tend((payout) => this.#upkeep.feeMax(payout)).catch(onFault);
    }
    this.#tended = { hash, at };
    return isThere;
  }

  /** Makes coins of the outputs of final blocks, in the blocks' order. */
  async #settle(): Promise<void> {
    const { engine } = this.#parts;
    let last: BlockName | null = null;
    const blocks: WalkedBlock[] = [];
    const coin = this.#parts.coins().find(isOwnCoin);
    const before = this.#settled;
    // An operator has had the network go back, by another process.
    const isReplaced = this.#walk.blocks.some(({ height, hash }) =>
      height === before?.height && hash !== before.hash
    );
    if (isReplaced) this.#settled = null;
    for (const block of this.#walk.blocks) {
      if (!this.#walk.isFinal(block)) break;
      if (this.#settled !== null && block.height <= this.#settled.height) {
        if (block.hash === this.#settled.hash) last = this.#settled;
        continue;
      }
      await this.#coins.settle(block.outputs, block.height);
      if (coin !== undefined) await this.#coins.noteRests(block.outputs, coin.precision);
      blocks.push(block);
      last = { height: block.height, hash: block.hash };
    }
    if (last === null || last === this.#settled) return;
    await this.#coins.noteSpent(blocks);
    const settled = last;
    this.#settled = settled;
    const base = this.#walk.base?.height ?? 0;
    await engine.changeSidecar(this.#rows.walked, (old) => {
      const known = old as BlockName | null;
      // Where another process has gone back meanwhile, this one has not read what comes next.
      const isNext = known === null || (known.height >= base && known.height < settled.height);
      return isNext ? settled : known;
    });
  }

  /** Returns the block after which the walk begins; the first process to reach a node decides. */
  async #startBlock(): Promise<BlockName> {
    if (this.#start !== null) return this.#start;
    const { engine, network, startHeight } = this.#parts;
    const key = this.#rows.start;
    let start = await engine.readSidecar(key) as BlockName | null;
    if (start === null) {
      const { height: tip } = await this.#walk.tip();
      const height = Math.max(0, startHeight ?? tip - network.finalDepth);
      const hash = await this.#chain.hashAt(height);
      if (hash === null) throw new UtxoFaultError("behind", "The chain ends before its start");
      await engine.createSidecar({ key, value: { height, hash } });
      start = await engine.readSidecar(key) as BlockName;
    }
    this.#start = start;
    return start;
  }

  /** Works on the walk alone. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(() => this.#told(work));
    this.#working = done.catch(() => {});
    return await done;
  }

  /** Remembers whether the network could be relied on. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#fault = null;
      return result;
    } catch (error) {
      if (error instanceof UtxoFaultError) this.#fault = error.fault;
      else if (error instanceof NodeRefusalError) this.#fault = "contradicting";
      if (error instanceof ReplacedBlockError) {
        this.#replaced = await this.#finals.replacedBy(error.block);
      }
      throw error;
    }
  }
}

function isOwnCoin({ contract, digits }: NetworkCoin): boolean {
  return contract === null && digits === UTXO_DIGITS;
}

function refusalOf({ dust, amountMax }: UtxoNetwork, amount: bigint): string | null {
  if (amount % UNIT !== 0n) return "the amount is finer than the network's unit";
  if (amount / UNIT < dust) return "the amount is too small for the network";
  return amount / UNIT > amountMax ? "there are not that many coins" : null;
}
