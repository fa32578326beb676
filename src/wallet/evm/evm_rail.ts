/** A rail to Ethereum or a network like it: its own coin, and tokens by their contracts. */
import { FinalBlocks } from "../rails/final_blocks.ts";
import {
  type CoinTerms,
  CoinTermsError,
  type NetworkBalances,
  type NetworkCoin,
  type NetworkFault,
  type NetworkHealth,
  type NetworkRail,
  type NetworkRailParts,
  NoStateError,
  type ReplacedBlock,
  type SettledOutput,
} from "../rails/network_rail.ts";
import { nodeText, PayoutWaitsError } from "../rails/payout_waits.ts";
import type {
  FindOutcome,
  Payout,
  SeenOutput,
  SendOutcome,
  WatchedOutputs,
} from "../rails/rail.ts";
import { present } from "../../domain/assert.ts";
import { type BlockPlace, cursorOf, placeOf } from "./block_place.ts";
import { addressOfKey, canonicalEvmAddress } from "./evm_address.ts";
import { EvmBalances } from "./evm_balances.ts";
import { EvmChain, type EvmHeader } from "./evm_chain.ts";
import { EvmDeposits } from "./evm_deposits.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import type { JsonRpc } from "./evm_node.ts";
import {
  EvmNodeError,
  isOfNode,
  refusalOf,
  ReplacedBlockError,
  RpcRefusedError,
} from "./evm_node_error.ts";
import { EvmPayouts } from "./payouts/evm_payouts.ts";
import { EvmRows } from "./evm_rows.ts";
import type { NoteParts } from "./noted_outputs.ts";
import { EvmSweeps } from "./evm_sweeps.ts";

/** What a rail is built of. Its keys are of the account at `EVM_PATH`. */
export interface EvmRailParts extends NetworkRailParts {
  readonly network: EvmNetwork;
  readonly node: JsonRpc;
}

/** A rail to one network. */
export class EvmRail implements NetworkRail {
  readonly network: string;
  readonly #parts: EvmRailParts;
  readonly #rows: EvmRows;
  readonly #finals: FinalBlocks;
  readonly #chain: EvmChain;
  readonly #deposits: EvmDeposits;
  readonly #payouts: EvmPayouts;
  readonly #sweeps: EvmSweeps;
  readonly #balances: EvmBalances;
  /** Hash of the last block at which addresses were swept. */
  #sweptAt: string | null = null;
  #fault: NetworkFault | null = null;
  /** The last block that was met where another one had been final. */
  #replaced: ReplacedBlock | null = null;
  /** What watching each coin has met last, by currency. */
  readonly #watchFaults = new Map<string, NetworkFault>();

  constructor(parts: EvmRailParts) {
    const { engine, network, node } = parts;
    this.network = network.name;
    this.#parts = parts;
    this.#rows = new EvmRows(network.name);
    const genesis = (found: string) => this.#genesis(found);
    const finals = this.#finals = this.#finalBlocks();
    const checkFinal = (head: EvmHeader) => finals.check(head);
    this.#chain = new EvmChain(node, network, genesis, () => engine.now(), checkFinal);
    const shared = { ...parts, rows: this.#rows, chain: this.#chain };
    const payouts = this.#payouts = new EvmPayouts(shared);
    const isInside: NoteParts["isInside"] = (one) => payouts.isInside(one);
    this.#deposits = new EvmDeposits({ ...shared, isInside, inside: payouts.inside });
    this.#sweeps = new EvmSweeps({ ...shared, payouts });
    this.#balances = new EvmBalances(shared);
  }

  #finalBlocks(): FinalBlocks {
    const { engine, network, cursors } = this.#parts;
    return new FinalBlocks({
      engine,
      key: this.#rows.final(),
      others: async () => (await cursors()).map(placeOf),
      depth: network.finalBlocks,
      hashesAt: async (heights) =>
        (await this.#chain.headers(heights)).map((header) => header?.hash ?? null),
      replaced: (block) => new ReplacedBlockError(block),
      behind: () => new EvmNodeError("behind", "it lacks a block that was final"),
    });
  }

  get ownAddress(): string {
    return this.#payouts.address;
  }

  get coldAddress(): string | null {
    return this.#parts.cold;
  }

  get canPay(): boolean {
    return this.#parts.keys.canSign;
  }

  canonicalAddress(address: string): string | null {
    return canonicalEvmAddress(address);
  }

  isOwn(address: string): boolean {
    return address === this.ownAddress || address === this.coldAddress;
  }

  health(): NetworkHealth {
    const fault = this.#isReplaced ? "reorganised" : this.#fault ?? this.#anyWatchFault;
    const { height } = this.#chain;
    const replaced = fault === "reorganised" ? this.#replaced : null;
    return { height, fault, ...replaced === null ? {} : { replaced } };
  }

  async checkCoin(coin: CoinTerms): Promise<void> {
    await this.#heeding(() => this.#deposits.checkCoin(coin));
  }

  /** Returns the member's address, which is the same for all coins of the network. */
  async createAddress(currency: string, uid: string): Promise<{ readonly address: string }> {
    const { engine, keys, placeOf } = this.#parts;
    // A payment to it would not be seen.
    await this.checkCoin(this.#coin(currency));
    // What is paid to an address is noticed from here on.
    await this.#heeding(() => this.#deposits.begin(currency));
    const address = addressOfKey(keys.publicKeyAt(placeOf(uid)));
    await engine.createSidecar({ key: this.#rows.address(address), value: true });
    return { address };
  }

  /** Returns what the chain holds of a coin, in units. */
  async balances(currency: string): Promise<NetworkBalances> {
    const coin = this.#coin(currency);
    await this.checkCoin(coin);
    return await this.#heeding(() => this.#balances.balances(coin));
  }

  /** Returns what one payout of a coin costs now, in wei. */
  async feeOf(currency: string): Promise<bigint> {
    return await this.#heeding(() => this.#balances.feeOf(this.#coin(currency)));
  }

  /** Returns what the ledger does not have of members' payments in final blocks, in units. */
  async rests(currency: string): Promise<bigint> {
    return await this.#heeding(() => this.#balances.rests(this.#coin(currency)));
  }

  async goBack(height: number): Promise<string | null> {
    return await this.#heeding(async () => {
      const head = await this.#chain.latest();
      if (height > head.height) return null;
      const [block = null] = await this.#chain.headers([height]);
      const { hash } = present(block, "there are blocks below the last");
      // First, since it may be refused.
      const { compared, sent } = await this.#goBackBehind({ height, hash }, head);
      await this.#payouts.reopen(head, sent);
      // Another call may have gone back further, and may have been killed after that.
      const from = await this.#finals.goBack({ height, hash });
      return cursorOf({ ...from, compared });
    });
  }

  async resumableHeight(): Promise<number | null> {
    return await this.#finals.resumableHeight();
  }

  heightOf(cursor: string): number {
    return placeOf(cursor).height;
  }

  /** Also returns how many transactions the wallet had sent up to that block. */
  async #goBackBehind(block: BlockPlace, head: EvmHeader) {
    try {
      const sent = await this.#chain.sentBy(this.ownAddress, block.height);
      const compared = await this.#deposits.goBack(block, head);
      await this.#sweeps.goBack(block, head);
      return { compared, sent };
    } catch (error) {
      if (refusalOf(error) !== "no_state") throw error;
      throw new NoStateError("The node has no balances of that block", { cause: error });
    }
  }

  async watch(currency: string, since: string | null): Promise<WatchedOutputs> {
    try {
      const watched = await this.#heeding(() => this.#deposits.watch(currency, since));
      this.#watchFaults.delete(currency);
      return watched;
    } catch (error) {
      // Its blocks were read, and all of them are as they were.
      if (error instanceof CoinTermsError) this.#watchFaults.delete(currency);
      const fault = faultOf(error);
      // That blocks were replaced stays, until a look finds them in order.
      const isReplaced = this.#watchFaults.get(currency) === "reorganised";
      if (fault !== null && !isReplaced) this.#watchFaults.set(currency, fault);
      throw error;
    }
  }

  async look(currency: string, txid: string, output: number): Promise<SeenOutput | null> {
    return await this.#heeding(() => this.#deposits.look(currency, txid, output));
  }

  settled(): AsyncIterable<SettledOutput> {
    return this.#deposits.settled(() => this.#heeding(() => this.#chain.head()));
  }

  async send(payout: Payout): Promise<SendOutcome> {
    return await this.#paying(() => this.#payouts.send(payout));
  }

  async find(payoutId: string): Promise<FindOutcome> {
    return await this.#paying(() => this.#payouts.find(payoutId));
  }

  /** Brings further what is on its way, and once for each block what is to be moved. */
  async tend(): Promise<void> {
    if (this.#parts.coins().length > 0) await this.#heeding(() => this.#tend());
  }

  async #tend(): Promise<void> {
    const head = await this.#chain.head();
    try {
      await this.#payouts.tend(head);
    } catch (error) {
      // One payout stops no sweeps, for which it may even wait.
      if (!isOfNode(error)) await this.#sweep(head);
      throw error;
    }
    await this.#sweep(head);
  }

  /** Sweeps once for each block. */
  async #sweep(head: EvmHeader): Promise<void> {
    if (!this.canPay || this.#isReplaced || head.hash === this.#sweptAt) return;
    try {
      await this.#sweeps.turn(head);
      this.#sweptAt = head.hash;
    } catch (error) {
      // What only sweeps want of a node does not count as its fault.
      this.#parts.onFault(error);
    }
  }

  /** Has payouts wait while the node is not to be relied on. */
  async #paying<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#checkUnreplaced();
      return await this.#heeding(work);
    } catch (error) {
      if (!(error instanceof EvmNodeError)) throw error;
      const { fault, message } = error;
      const text = nodeText(this.network, fault, message);
      throw new PayoutWaitsError(fault, text, { cause: error });
    }
  }

  /** Nothing is sent, or said of what was, while deposits that were final may be gone. */
  #checkUnreplaced(): void {
    if (!this.#isReplaced) return;
    throw new EvmNodeError("reorganised", "an operator has to look");
  }

  #coin(currency: string): NetworkCoin {
    const coin = this.#parts.coins().find((one) => one.currency === currency);
    return present(coin, "a coin's rail serves it");
  }

  async #genesis(found: string): Promise<string> {
    const { engine, network: { genesis } } = this.#parts;
    if (genesis !== null) return genesis;
    const key = this.#rows.genesis();
    return await engine.createSidecar({ key, value: found })
      ? found
      : await engine.readSidecar(key) as string;
  }

  /** Whether blocks were replaced that counted as final. */
  get #isReplaced(): boolean {
    return [this.#fault, ...this.#watchFaults.values()].includes("reorganised");
  }

  /** What a coin's watch has met, of coins that are still served. */
  get #anyWatchFault(): NetworkFault | null {
    const found = this.#parts.coins().flatMap(({ currency }) =>
      this.#watchFaults.get(currency) ?? []
    );
    return found[0] ?? null;
  }

  /** Remembers what a call has shown of the node. */
  async #heeding<T>(work: () => Promise<T>): Promise<T> {
    const read = this.#chain.reads;
    let isWell = true;
    try {
      return await work();
    } catch (error) {
      // A coin that is another is no fault of the node.
      isWell = error instanceof CoinTermsError;
      if (!isWell) {
        this.#chain.doubt();
        if (this.#fault !== "reorganised") this.#fault = faultOf(error) ?? this.#fault;
        if (error instanceof ReplacedBlockError) {
          this.#replaced = await this.#finals.replacedBy(error.block);
        }
      }
      throw error;
    } finally {
      // What was answered by rows alone says nothing of the node.
      if (isWell && this.#chain.reads > read) this.#fault = null;
    }
  }
}

/** Returns what an error tells of the node; null if nothing. */
function faultOf(error: unknown): NetworkFault | null {
  if (error instanceof EvmNodeError) return error.fault;
  return error instanceof RpcRefusedError ? "contradicting" : null;
}
