/** Money in and out: the rail, the deposit watch and the payouts. */
import { present } from "../domain/assert.ts";
import type { Beneficiary } from "../domain/people/beneficiary.ts";
import { networkIn, type Way } from "../domain/money/currency.ts";
import { destinationText, type Payee } from "../domain/money/tag.ts";
import type { Deposit } from "../domain/money/deposit.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Engine } from "../engine/engine.ts";
import { type DepositAddress, DepositAddresses, knownAddress } from "./deposit_addresses.ts";
import { DepositWatch } from "./deposit_watch.ts";
import { FaultLog } from "./fault_log.ts";
import { HandPayments, isPaidByHand } from "./hand_payments.ts";
import { Payouts } from "./payouts.ts";
import type { FindOutcome, Rail, SettledPayment } from "./rails/rail.ts";
import { RepeatedWork } from "./repeated_work.ts";
import { UntakenPayouts } from "./untaken_payouts.ts";
import { type WalletLog, WalletNotices } from "./wallet_notices.ts";
import type { WithdrawNotices } from "./withdraw_notices.ts";

/** What a wallet is built from. */
export interface WalletOptions {
  readonly engine: Engine;
  /** Null if there is none: the operator handles deposits and withdrawals. */
  readonly rail: Rail | null;
  /** Returns the coin address of a beneficiary, and its tag. */
  readonly payeeOf: (beneficiary: Beneficiary) => Promise<Payee>;
  /** Told of each withdrawal that this process has ended. */
  readonly memberNotices: Pick<WithdrawNotices, "ended">;
  readonly log: WalletLog;
}

/** For what is on no network that this process has a node of. */
const ELSEWHERE = "";

/** What is done for one network, apart from all others. */
interface NetworkWork {
  readonly network: string;
  readonly watch: DepositWatch;
  readonly payouts: Payouts | null;
}

/** The wallet of a process. Any number of processes may run one on the same venue. */
export class Wallet {
  readonly notices: WalletNotices;
  readonly #engine: Engine;
  readonly #rail: Rail | null;
  readonly #addresses: DepositAddresses | null;
  readonly #handPayments: HandPayments;
  /** By the network's name. */
  readonly #onNetworks: ReadonlyMap<string, NetworkWork>;
  readonly #untaken: UntakenPayouts;
  readonly #onFault: (error: unknown) => void;
  readonly #works: readonly RepeatedWork[];

  constructor(options: WalletOptions) {
    const { engine, rail, log } = options;
    const faults = new FaultLog(log, "wallet_fault");
    const onFault = (error: unknown) => faults.tell(error);
    this.#engine = engine;
    this.#rail = rail;
    this.notices = new WalletNotices(engine, log);
    const { notices } = this;
    this.#addresses = rail === null ? null : new DepositAddresses(engine, rail, onFault);
    this.#handPayments = new HandPayments({ engine, rail, notices, log, onFault });
    this.#untaken = new UntakenPayouts({ engine, notices });
    this.#onFault = onFault;
    this.#onNetworks = new Map(
      [ELSEWHERE, ...rail?.networks ?? []].map((name) => [name, this.#workOn(name, options)]),
    );
    const ticks = [...this.#onNetworks.values()].flatMap(({ network, watch, payouts }) => [
      { tick: () => this.#tend(network) },
      watch,
      { tick: (signal: AbortSignal) => this.#takeSettled({ network, watch }, signal) },
      ...payouts === null ? [] : [payouts],
    ]);
    this.#works = [...ticks, this.#handPayments, this.#untaken]
      .map((work) => new RepeatedWork((signal) => work.tick(signal), onFault));
  }

  #workOn(network: string, options: WalletOptions): NetworkWork {
    const { engine, rail, payeeOf, memberNotices } = options;
    const { notices } = this;
    const onFault = this.#onFault;
    const isOurs = (way: Way) => this.#networkOf(way) === network;
    return {
      network,
      watch: new DepositWatch({
        engine,
        rail,
        isOurs,
        addresses: this.#addresses,
        notices,
        onFault,
      }),
      payouts: rail === null ? null : new Payouts({
        engine,
        rail,
        isOurs,
        isPaidByHand: (way) => this.isPaidByHand(way),
        payeeOf,
        notices,
        memberNotices,
        onFault,
      }),
    };
  }

  /** Returns the name of the network on which a way is worked on. */
  #networkOf({ currency, network }: Way): string {
    const known = this.#engine.venue.currencyById.get(currency);
    const name = known === undefined ? undefined : networkIn(known, network)?.name;
    return name !== undefined && this.#rail?.networks?.includes(name) ? name : ELSEWHERE;
  }

  #workOf(way: Way): NetworkWork {
    return present(this.#onNetworks.get(this.#networkOf(way)), "each way is worked on");
  }

  /** Returns whether this process has a rail that leads this way. */
  serves(way: Way): boolean {
    const isCoin = this.#engine.venue.currencyById.get(way.currency)?.type === "coin";
    return isCoin && this.#rail !== null && this.#rail.serves(way);
  }

  /** Returns whether an address is known here to be the venue's, which nobody is paid at. */
  isOwn(way: Way, address: string): boolean {
    return this.#rail?.isOwn(way, address) ?? false;
  }

  /** Returns whether the venue has no rail that pays this way, whatever this process has. */
  isPaidByHand(way: Way): boolean {
    const currency = present(this.#engine.venue.currencyById.get(way.currency), "it exists");
    return isPaidByHand(this.#engine, currency, way);
  }

  /**
   * Returns a member's address for a way; null if no rail serves it. A process that can't make one,
   * since the rail is at others, knows those that they have made.
   *
   * @param waitMs how long to wait for one that is being created, in ms
   */
  async addressOf(uid: string, way: Way, waitMs?: number): Promise<DepositAddress | null> {
    if (this.#addresses !== null && this.serves(way)) {
      return await this.#addresses.addressOf(uid, way, waitMs);
    }
    return this.isPaidByHand(way) ? null : await knownAddress(this.#engine, uid, way);
  }

  /**
   * Returns the address that a member already has, with its tag, as one text; null if there is none.
   * What came to it is shown with it also after its rail is gone.
   */
  async givenAddress(uid: string, way: Way): Promise<string | null> {
    const known = await knownAddress(this.#engine, uid, way);
    if (known === null || known.address === null) return null;
    const rule = this.#engine.venue.currencyById.get(way.currency)?.tag;
    return destinationText(rule, { address: known.address, tag: known.tag ?? null });
  }

  /** Returns what the rail says about a payout; null if it can't say or there is no rail. */
  async payoutOf(withdraw: Withdraw): Promise<FindOutcome | null> {
    const { payouts } = this.#workOf(withdrawWay(this.#engine.venue, withdraw));
    return await payouts?.find(withdraw) ?? null;
  }

  /** Notes a transaction now, without waiting for the watch; null if it pays no member. */
  async receive(way: Way, txid: string): Promise<Deposit | null> {
    const seen = await this.#rail?.look(way, txid, 0) ?? null;
    return seen === null ? null : await this.#workOf(way).watch.take(way, seen);
  }

  /** Runs one round of everything, one after the other. */
  async tick(): Promise<void> {
    const { signal } = new AbortController();
    await this.#engine.fresh();
    const works = [...this.#onNetworks.values()];
    for (const { network } of works) await this.#tend(network);
    for (const { watch } of works) await watch.tick(signal);
    for (const work of works) await this.#takeSettled(work, signal);
    await this.#handPayments.tick(signal);
    for (const { payouts } of works) await payouts?.tick(signal);
    await this.#untaken.tick(signal);
  }

  async #tend(network: string): Promise<void> {
    try {
      await this.#rail?.tend?.(network);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Takes note of what has become of credited deposits whose blocks may be gone. */
  async #takeSettled(
    { network, watch }: Pick<NetworkWork, "network" | "watch">,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for await (const settled of this.#rail?.settled?.(network) ?? []) {
        if (signal.aborted) return;
        await this.#takeOne(watch, settled);
      }
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** One stops no other; what was not taken comes again. */
  async #takeOne(watch: DepositWatch, { way, seen, forget }: SettledPayment): Promise<void> {
    try {
      await watch.settle(way, seen);
      await forget();
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Starts the rounds. */
  start(): void {
    for (const work of this.#works) work.start();
  }

  /** Stops after the current step. */
  async stop(): Promise<void> {
    await Promise.all(this.#works.map((work) => work.stop()));
  }
}
