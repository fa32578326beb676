/**
 * The state of the venue at one sequence: everything that `decide` reads and `apply` changes. It is
 * synchronous and closed: no clock, no randomness, no I/O.
 */
import { type Account, emptyAccount } from "./money/account.ts";
import { ActNames } from "./people/act_names.ts";
import { assert, present } from "./assert.ts";
import type { Beneficiary } from "./people/beneficiary.ts";
import {
  type ClientOrderPool,
  type ClientOrders,
  newPool,
  PackedClientOrders,
} from "./trading/client_orders.ts";
import type { Currency } from "./money/currency.ts";
import { type Deposit, depositLocked } from "./money/deposit.ts";
import { DepositNames } from "./money/deposit_names.ts";
import type { Levels, Switches } from "./event.ts";
import { FeeTable } from "./trading/fees.ts";
import { WITHDRAW_SUMS_MS } from "./limits.ts";
import { lockedCurrency, type Market, type MarketState } from "./trading/market.ts";
import type { MarketBook } from "./trading/market_book.ts";
import {
  type ApiKey,
  FEES_MEMBER,
  FIRST_MEMBER,
  type Member,
  OUTSIDE_MEMBER,
  venueMember,
} from "./people/member.ts";
import { type MessageCounts, noMessages } from "./message_counts.ts";
import type { NonceWindow } from "./people/nonce_window.ts";
import { MemberOrders, OpenOrders } from "./trading/open_orders.ts";
import { isOpen, type Order } from "./trading/order.ts";
import { RoundRobin } from "./round_robin.ts";
import { DEFAULT_SETTINGS, type Settings, type StoredSettings } from "./settings.ts";
import { Timers } from "./trading/timers.ts";
import type { UndoLog } from "./undo_log.ts";
import { noUntradedOrders, type UntradedOrders } from "./trading/untraded_orders.ts";
import type { Withdraw } from "./money/withdraw.ts";
import { WithdrawLimits } from "./money/withdraw_limits.ts";

/** A member, its balances and open orders; what most members lack is created on first use. */
export class Holder {
  /** By currency index; absent if the member never had any. */
  readonly accounts: (Account | undefined)[] = [];
  readonly openOrders = new MemberOrders();
  /** Number of open orders by market index. */
  readonly openCounts: number[] = [];
  /** Orders ever accepted, and trades ever made. */
  ordersCount = 0;
  tradesCount = 0;
  /** Deposits and withdrawals ever made. */
  depositsCount = 0;
  withdrawsCount = 0;
  readonly messages: MessageCounts = noMessages();
  readonly untraded: UntradedOrders = noUntradedOrders();
  /** Null from a start until they are first needed, if the member has ever placed an order. */
  clientOrders: ClientOrders | null;
  /** Its newest key, which leads to the others; null if it never had any. */
  lastKey: KeyHolder | null = null;
  #beneficiaries: Map<number, Beneficiary> | null = null;
  #countedWithdraws: Map<number, CountedWithdraw> | null = null;

  constructor(public member: Member, pool: ClientOrderPool) {
    this.clientOrders = new PackedClientOrders(pool);
  }

  /** By id, in order of creation; includes deleted ones. */
  get beneficiaries(): Map<number, Beneficiary> {
    return this.#beneficiaries ??= new Map();
  }

  /** Withdrawals of the last month that count against the limits, by id. */
  get countedWithdraws(): Map<number, CountedWithdraw> {
    return this.#countedWithdraws ??= new Map();
  }

  /** Yields the open orders on a market; the last one yielded may be removed meanwhile. */
  *openOn(market: number): Generator<Order> {
    let left = this.openCounts[market] ?? 0;
    if (left === 0) return;
    for (const order of this.openOrders.values()) {
      if (order.market !== market) continue;
      yield order;
      // Most of a market maker's orders may be on other markets.
      left -= 1;
      if (left === 0) return;
    }
  }

  /** Returns its keys that are not deleted, oldest first. */
  keys(): ApiKey[] {
    const keys: ApiKey[] = [];
    for (let one = this.lastKey; one !== null; one = one.previous) {
      if (one.key.state !== "deleted") keys.push(one.key);
    }
    return keys.reverse();
  }

  /** Forgets what no longer counts at time `at` (ms). */
  forgetExpired(at: number): void {
    this.clientOrders?.forget(at);
    for (const [oldest, { createdAt }] of this.#countedWithdraws ?? []) {
      if (createdAt >= at - WITHDRAW_SUMS_MS) break;
      this.#countedWithdraws?.delete(oldest);
    }
  }
}

/** The part of a withdrawal that counts against the limits. */
export interface CountedWithdraw {
  readonly id: number;
  /** Currency index. */
  readonly currency: number;
  readonly amount: bigint;
  readonly createdAt: number;
}

/** A key and the nonces that it has used. */
export interface KeyHolder {
  key: ApiKey;
  readonly nonces: NonceWindow;
  /** The key that its member had made before, even if it is deleted; null if it is the first. */
  readonly previous: KeyHolder | null;
}

/** Ids given out so far. */
export interface Counters {
  orders: number;
  trades: number;
  adjustments: number;
  deposits: number;
  withdraws: number;
  beneficiaries: number;
  /** Acts of operators. */
  acts: number;
}

/** Options of a state. */
export interface VenueOptions {
  /** How far a nonce may be from the present, in ms. */
  readonly nonceWindowMs: number;
  /** Where inverse changes go; null for a state that is never undone. */
  readonly undo: UndoLog | null;
  /** What the client order ids share; by default a pool of its own. */
  readonly clientOrders?: ClientOrderPool;
  /** The settings in force where the log holds none; by default the usual ones. */
  readonly settings?: Settings;
}

/** The state machine that the log drives. */
export class Venue {
  /** Sequence of the last event applied. */
  sequence = 0;
  /** Stamped time of the last entry applied, in ms. */
  time = 0;
  readonly counters: Counters = noCounters();
  readonly currencies: Currency[] = [];
  readonly currencyById = new Map<string, Currency>();
  readonly books: MarketBook[] = [];
  readonly bookById = new Map<string, MarketBook>();
  readonly fees = new FeeTable();
  levels: Levels = { deposit: 0, withdraw: 0, trading: 0 };
  switches: Switches = { trading: true, withdrawals: true };
  /** Codes of the currencies that profit and loss is kept in. */
  pnlCurrencies: readonly string[] = [];
  /** Those and the ones that it was kept in before, in which it is kept on. */
  pnlKept: readonly string[] = [];
  #storedSettings: StoredSettings = {};
  readonly #unset: Settings;
  #settings: Settings;
  readonly withdrawLimits = new WithdrawLimits();
  /** Deposits and withdrawals that can still change, by id. */
  readonly deposits = new Map<number, Deposit>();
  readonly withdraws = new Map<number, Withdraw>();
  /** Deposits and withdrawals that have ended, until somebody takes them. */
  readonly endedDeposits: Deposit[] = [];
  readonly endedWithdraws: Withdraw[] = [];
  readonly depositNames = new DepositNames();
  readonly actNames = new ActNames();
  readonly holders: Holder[] = [];
  readonly holderByUid = new Map<string, Holder>();
  readonly emailDigests = new Map<string, number>();
  readonly keys: KeyHolder[] = [];
  readonly keyByKid = new Map<string, KeyHolder>();
  /** When the keys' cancel timers fire. */
  readonly timers = new Timers();
  /** Open orders by id. */
  readonly orders = new OpenOrders();
  /** Orders that have ended, until somebody takes them. */
  readonly endedOrders: Order[] = [];
  readonly nonceWindowMs: number;
  readonly undo: UndoLog | null;
  readonly clientOrderPool: ClientOrderPool;
  readonly #keyTurns = new RoundRobin();
  readonly #holderTurns = new RoundRobin();

  constructor(options: VenueOptions) {
    this.nonceWindowMs = options.nonceWindowMs;
    this.undo = options.undo;
    this.#unset = this.#settings = options.settings ?? DEFAULT_SETTINGS;
    this.clientOrderPool = options.clientOrders ?? newPool();
    for (const member of [FEES_MEMBER, OUTSIDE_MEMBER]) {
      this.holders[member] = new Holder(venueMember(member), this.clientOrderPool);
    }
  }

  /** The settings that the log holds. */
  get storedSettings(): StoredSettings {
    return this.#storedSettings;
  }

  set storedSettings(stored: StoredSettings) {
    this.#storedSettings = stored;
    const { memberClasses: _, ...settings } = stored;
    this.#settings = { ...this.#unset, ...settings };
  }

  /** The settings in force: those of the log, and the options' where it holds none. */
  get settings(): Settings {
    return this.#settings;
  }

  /** The holder with this index. */
  holder(member: number): Holder {
    return present(this.holders[member], `member ${member} exists`);
  }

  /** The book of the market with this index. */
  book(market: number): MarketBook {
    return present(this.books[market], `market ${market} exists`);
  }

  /** The open order with this id. */
  order(id: number): Order {
    return present(this.orders.get(id), `order ${id} is open`);
  }

  /** The open order with this id, if it is the member's. */
  openOrder(member: number, id: number): Order | undefined {
    const order = this.orders.get(id);
    return order?.member === member ? order : undefined;
  }

  /** A member's account of a currency; created on first use. */
  account(member: number, currency: number): Account {
    const accounts = this.holder(member).accounts;
    return accounts[currency] ??= emptyAccount();
  }

  /** The currency with this index. */
  currency(index: number): Currency {
    return present(this.currencies[index], `currency ${index} exists`);
  }

  /** Up to which time (ms) things may be forgotten that expire, at an event of the time `at`. */
  durableAt(at: number): number {
    return this.undo === null ? at : this.undo.durableAt;
  }

  /** Makes one key, another at each call, forget nonces that can't be used again at `at` (ms). */
  forgetNonces(at: number): void {
    const { nonces } = this.keys[this.#keyTurns.next(this.keys.length)] ?? {};
    nonces?.forget(this.durableAt(at), this.nonceWindowMs);
  }

  /** Makes one member, another at each call, forget what no longer counts at `at` (ms). */
  forgetExpired(at: number): void {
    this.holders[this.#holderTurns.next(this.holders.length)]?.forgetExpired(this.durableAt(at));
  }

  /** Whether this currency lives on a chain. */
  isCoin(currency: number): boolean {
    return this.currency(currency).type === "coin";
  }

  /** Returns the real members, in order of creation. */
  members(): Holder[] {
    return this.holders.slice(FIRST_MEMBER);
  }

  /** Asserts what must hold between two batches; walks the whole state. */
  checkInvariants(): void {
    const sums = this.currencies.map(() => 0n);
    const locks = this.#locks();
    this.holders.forEach((holder, member) => {
      holder.accounts.forEach((account, currency) => {
        if (account === undefined) return;
        sums[currency] = (sums[currency] ?? 0n) + account.available + account.locked;
        assert(
          member === OUTSIDE_MEMBER || account.available >= 0n,
          `available of member ${member} in currency ${currency} is not negative`,
        );
        assert(
          account.locked === (locks.get(lockName(member, currency)) ?? 0n),
          `locked of member ${member} in currency ${currency} is what its orders, deposits and withdrawals hold`,
        );
      });
    });
    this.#checkOpenOrders();
    this.#checkKeys();
    sums.forEach((sum, currency) => assert(sum === 0n, `currency ${currency} sums to zero`));
    for (const book of this.books) book.checkInvariants();
  }

  #checkOpenOrders(): void {
    let open = 0;
    for (const { member, openOrders } of this.holders) {
      for (const order of openOrders.values()) {
        assert(
          this.openOrder(member.index, order.id) === order,
          `order ${order.id} of member ${member.index} is among the venue's open ones`,
        );
        open += 1;
      }
    }
    assert(open === this.orders.size, "every open order is its member's");
  }

  #checkKeys(): void {
    let found = 0;
    for (const { member, lastKey } of this.holders) {
      for (let one = lastKey; one !== null; one = one.previous) {
        const { index, member: owner } = one.key;
        assert(
          this.keys[index] === one && owner === member.index,
          `key ${index} of member ${member.index} is among the venue's`,
        );
        found += 1;
      }
    }
    assert(found === this.keys.length, "every key is its member's");
  }

  /** Sums what must be locked, by member and currency. */
  #locks(): Map<string, bigint> {
    const locks = new Map<string, bigint>();
    const add = (member: number, currency: number, amount: bigint) => {
      const name = lockName(member, currency);
      locks.set(name, (locks.get(name) ?? 0n) + amount);
    };
    for (const order of this.orders.values()) {
      assert(isOpen(order), `order ${order.id} among the open ones is open`);
      const { market } = this.book(order.market);
      add(order.member, lockedCurrency(market, order), order.locked);
    }
    for (const deposit of this.deposits.values()) {
      add(deposit.member, deposit.currency, depositLocked(deposit, this.isCoin(deposit.currency)));
    }
    for (const withdraw of this.withdraws.values()) {
      add(withdraw.member, withdraw.currency, withdraw.amount);
    }
    return locks;
  }
}

/** Returns the counters of a venue where nothing has happened. */
export function noCounters(): Counters {
  return {
    orders: 0,
    trades: 0,
    adjustments: 0,
    deposits: 0,
    withdraws: 0,
    beneficiaries: 0,
    acts: 0,
  };
}

function lockName(member: number, currency: number): string {
  return `${member}:${currency}`;
}

/** Returns the state of a market as it is for orders: it also depends on its currencies. */
export function shownState(venue: Venue, { base, quote, state }: Market): MarketState {
  if (state !== "enabled") return state;
  const isTraded = venue.currency(base).tradingEnabled && venue.currency(quote).tradingEnabled;
  return isTraded ? state : "cancel_only";
}
