import type { NamedAct } from "../../../src/domain/people/act_names.ts";
import type { Beneficiary } from "../../../src/domain/people/beneficiary.ts";
import type { Currency } from "../../../src/domain/money/currency.ts";
import type { Deposit } from "../../../src/domain/money/deposit.ts";
import type { Levels, Switches } from "../../../src/domain/event.ts";
import type { OrderTerms } from "../../../src/domain/trading/order.ts";
import {
  type ApiKey,
  FEES_MEMBER,
  type Member,
  OUTSIDE_MEMBER,
} from "../../../src/domain/people/member.ts";
import type { StoredSettings } from "../../../src/domain/settings.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";
import type { WithdrawLimit } from "../../../src/domain/money/withdraw_limits.ts";
import { EndedMoney } from "./ended_money.ts";
import { Ledger } from "./ledger.ts";
import type { OracleMarket, OracleOrder } from "./market.ts";
import { UntradedOrders } from "./untraded_orders.ts";

/** The order with one of a member's client order ids. */
export interface NamedOrder {
  readonly id: number;
  readonly terms: OrderTerms;
  readonly at: number;
}

/** The deposit of a transaction's output. */
export interface NamedDeposit {
  readonly id: number;
  /** Sequence before its entry: lookups up to here did not find it. */
  readonly after: number;
}

/** A withdrawal that counts against limits. */
export interface CountedWithdraw {
  readonly id: number;
  readonly currency: number;
  readonly amount: bigint;
  readonly createdAt: number;
}

/** A member in the oracle's state. */
export class OracleMember {
  readonly open: OracleOrder[] = [];
  /** By market. */
  readonly openCounts: number[] = [];
  readonly named = new Map<string, NamedOrder>();
  /** Includes deleted ones. */
  readonly beneficiaries = new Map<number, Beneficiary>();
  counted: CountedWithdraw[] = [];
  ordersCount = 0;
  tradesCount = 0;
  depositsCount = 0;
  withdrawsCount = 0;
  /** Number of messages on its private streams, which number them. */
  readonly messages = { order: 0, balances: 0, balance: 0 };
  readonly untraded = new UntradedOrders();

  constructor(public record: Member) {}

  /** Counts the messages of an event that changed so many of its orders and accounts. */
  told(orders: number, accounts: number): void {
    this.messages.order += orders;
    this.messages.balance += accounts;
    this.messages.balances += Math.sign(accounts);
  }
}

/** Maximum number of remembered deposit names; the workload does not repeat older ones. */
const NAMES_MAX = 50_000;
/** The output number of a deposit that stands for its whole transaction. */
export const WHOLE = 2 ** 32 - 1;

/** The oracle's state of the venue after the last entry. */
export class OracleState {
  sequence = 0;
  /** Timestamp of the last entry, in ms. */
  time = 0;
  /** Number of events so far that concern neither orders nor trades. */
  changes = 0;
  readonly counters = {
    orders: 0,
    trades: 0,
    adjustments: 0,
    deposits: 0,
    withdraws: 0,
    beneficiaries: 0,
    acts: 0,
  };
  readonly ledger = new Ledger();
  readonly currencies: Currency[] = [];
  readonly markets: OracleMarket[] = [];
  /** Maker and taker rates by `market:group`. */
  readonly fees = new Map<string, { readonly maker: number; readonly taker: number }>();
  /** By `level:group`. */
  readonly withdrawLimits = new Map<string, WithdrawLimit>();
  levels: Levels = { deposit: 0, withdraw: 0, trading: 0 };
  switches: Switches = { trading: true, withdrawals: true };
  pnlCurrencies: readonly string[] = [];
  /** Those that profit and loss is kept in beside the ones that are shown, the latest first. */
  pnlKept: readonly string[] = [];
  /** What was ever set of the settings. */
  settings: StoredSettings = {};
  readonly members: OracleMember[] = [];
  readonly memberByUid = new Map<string, number>();
  readonly emails = new Set<string>();
  readonly keys: ApiKey[] = [];
  readonly keyByKid = new Map<string, number>();
  /** The soonest timer of each key that has one, in ms. */
  readonly timed = new Map<number, number>();
  /** Deposits that can still change. */
  readonly deposits = new Map<number, Deposit>();
  readonly withdraws = new Map<number, Withdraw>();
  readonly ended = new EndedMoney();
  /** Operators' acts by the names of their calls, with the sequence before their entries. */
  readonly acts = new Map<string, NamedAct & { readonly after: number }>();
  readonly #depositNames = new Map<string, NamedDeposit>();
  /** The known outputs of each transaction. */
  readonly #outputs = new Map<string, readonly number[]>();

  constructor() {
    for (const index of [FEES_MEMBER, OUTSIDE_MEMBER]) {
      this.members[index] = new OracleMember(ownAccount(index));
    }
  }

  /** Returns the member with this index. */
  member(index: number): OracleMember {
    const member = this.members[index];
    if (member === undefined) throw new Error(`The oracle knows no member ${index}`);
    return member;
  }

  /** Returns the currency with this code. */
  currency(code: string): Currency | undefined {
    return this.currencies.find(({ id }) => id === code);
  }

  /** Returns the market with this id. */
  market(id: string): OracleMarket | undefined {
    return this.markets.find(({ definition }) => definition.id === id);
  }

  /** Returns the one spelling of a coin's transaction; a bank's reference has no other. */
  plainTxid(currency: number, txid: string): string {
    const digits = txid.startsWith("0x") ? txid.slice(2) : txid;
    const isSpelled = this.currencies[currency]?.type === "coin" && digits.length >= 32 &&
      !/[^0-9A-Fa-f]/.test(digits);
    return isSpelled ? digits.toLowerCase() : txid;
  }

  /** Returns the deposit of an output or of its whole transaction; the first of several. */
  depositOf(currency: number, spelled: string, output: number): NamedDeposit | undefined {
    const txid = this.plainTxid(currency, spelled);
    const whole = this.#depositNames.get(`${currency} ${txid} ${WHOLE}`);
    if (output !== WHOLE) return this.#depositNames.get(`${currency} ${txid} ${output}`) ?? whole;
    const outputs = this.#outputs.get(`${currency} ${txid}`) ?? [];
    const named = outputs.flatMap((one) =>
      this.#depositNames.get(`${currency} ${txid} ${one}`) ?? []
    );
    return whole ?? named.sort((a, b) => a.id - b.id)[0];
  }

  /** Notes the name of a deposit whose entry starts after this state. */
  nameDeposit({ id, currency, txid: spelled, output }: Deposit): void {
    if (spelled === "") return;
    const txid = this.plainTxid(currency, spelled);
    const after = this.sequence;
    this.#depositNames.set(`${currency} ${txid} ${output}`, { id, after });
    const outputs = this.#outputs.get(`${currency} ${txid}`) ?? [];
    this.#outputs.set(`${currency} ${txid}`, [...outputs, output]);
    if (this.#depositNames.size <= NAMES_MAX) return;
    for (const oldest of this.#depositNames.keys()) {
      this.#depositNames.delete(oldest);
      return;
    }
  }

  /** Adds a new order. */
  open(order: OracleOrder): void {
    const { open, openCounts } = this.member(order.member);
    order.index = open.length;
    open.push(order);
    openCounts[order.market] = (openCounts[order.market] ?? 0) + 1;
  }

  /** Removes an ended order. */
  end(order: OracleOrder): void {
    const { open, openCounts } = this.member(order.member);
    const last = open.pop();
    if (last !== undefined && last !== order) {
      open[order.index] = last;
      last.index = order.index;
    }
    openCounts[order.market] = (openCounts[order.market] ?? 0) - 1;
    order.place = "gone";
  }
}

/** Returns the record of one of the venue's own accounts, which no uid can name. */
function ownAccount(index: number): Member {
  return {
    index,
    uid: index === FEES_MEMBER ? "FEES" : "OUTSIDE",
    level: 0,
    group: "any",
    state: "active",
    bulkOrdersMax: 0,
    openOrdersMax: 0,
    marketOrdersEnabled: true,
    hasTwoFactor: false,
    otpStep: 0,
    emailDigest: "",
    createdAt: 0,
  };
}
