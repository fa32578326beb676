/** Money in and out: the rail, the deposit watch and the payouts. */
import { present } from "../domain/assert.ts";
import type { Beneficiary } from "../domain/people/beneficiary.ts";
import type { Way } from "../domain/money/currency.ts";
import { destinationText, type Payee } from "../domain/money/tag.ts";
import type { Deposit } from "../domain/money/deposit.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { Engine } from "../engine/engine.ts";
import { type DepositAddress, DepositAddresses, knownAddress } from "./deposit_addresses.ts";
import { DepositWatch } from "./deposit_watch.ts";
import { FaultLog } from "./fault_log.ts";
import { HandPayments, isPaidByHand } from "./hand_payments.ts";
import { Payouts } from "./payouts.ts";
import type { FindOutcome, Rail } from "./rails/rail.ts";
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

/** The wallet of a process. Any number of processes may run one on the same venue. */
export class Wallet {
  readonly notices: WalletNotices;
  readonly #engine: Engine;
  readonly #rail: Rail | null;
  readonly #addresses: DepositAddresses | null;
  readonly #watch: DepositWatch;
  readonly #handPayments: HandPayments;
  readonly #payouts: Payouts | null;
  readonly #untaken: UntakenPayouts;
  readonly #onFault: (error: unknown) => void;
  readonly #works: readonly RepeatedWork[];

  constructor(options: WalletOptions) {
    const { engine, rail, log, payeeOf, memberNotices } = options;
    const faults = new FaultLog(log, "wallet_fault");
    const onFault = (error: unknown) => faults.tell(error);
    this.#engine = engine;
    this.#rail = rail;
    this.notices = new WalletNotices(engine, log);
    const { notices } = this;
    this.#addresses = rail === null ? null : new DepositAddresses(engine, rail, onFault);
    this.#watch = new DepositWatch({ engine, rail, addresses: this.#addresses, notices, onFault });
    this.#handPayments = new HandPayments({ engine, rail, notices, log, onFault });
    this.#payouts = rail === null ? null : new Payouts({
      engine,
      rail,
      isPaidByHand: (way) => this.isPaidByHand(way),
      payeeOf,
      notices,
      memberNotices,
      onFault,
    });
    this.#untaken = new UntakenPayouts({ engine, notices });
    this.#onFault = onFault;
    const tending = { tick: () => this.#tend() };
    const ticks = [tending, this.#watch, this.#handPayments, this.#payouts, this.#untaken]
      .filter((work) => work !== null);
    this.#works = ticks.map((work) => new RepeatedWork((signal) => work.tick(signal), onFault));
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
    return await this.#payouts?.find(withdraw) ?? null;
  }

  /** Notes a transaction now, without waiting for the watch; null if it pays no member. */
  async receive(way: Way, txid: string): Promise<Deposit | null> {
    const seen = await this.#rail?.look(way, txid, 0) ?? null;
    return seen === null ? null : await this.#watch.take(way, seen);
  }

  /** Runs one round of everything. */
  async tick(): Promise<void> {
    const { signal } = new AbortController();
    await this.#engine.fresh();
    await this.#tend();
    await this.#watch.tick(signal);
    await this.#handPayments.tick(signal);
    await this.#payouts?.tick(signal);
    await this.#untaken.tick(signal);
  }

  async #tend(): Promise<void> {
    try {
      await this.#rail?.tend?.();
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
