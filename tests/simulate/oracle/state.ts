import type { Beneficiary } from "../../../src/domain/beneficiary.ts";
import type { Currency } from "../../../src/domain/currency.ts";
import type { Deposit } from "../../../src/domain/deposit.ts";
import type { Levels } from "../../../src/domain/event.ts";
import type { OrderTerms } from "../../../src/domain/order.ts";
import {
  type ApiKey,
  FEES_MEMBER,
  type Member,
  OUTSIDE_MEMBER,
} from "../../../src/domain/member.ts";
import type { Switches } from "../../../src/domain/money_event.ts";
import type { Withdraw } from "../../../src/domain/withdraw.ts";
import type { WithdrawLimit } from "../../../src/domain/withdraw_limits.ts";
import { Ledger } from "./ledger.ts";
import type { OracleMarket, OracleOrder } from "./market.ts";

/** The order that a member gave a name to. */
export interface NamedOrder {
  readonly id: number;
  readonly terms: OrderTerms;
  readonly at: number;
}

/** The deposit that an output of a chain became. */
export interface NamedDeposit {
  readonly id: number;
  /** The sequence before its entry: whoever looked by then saw nothing. */
  readonly after: number;
}

/** A withdrawal that counts against limits. */
export interface CountedWithdraw {
  readonly id: number;
  readonly currency: number;
  readonly amount: bigint;
  readonly createdAt: number;
}

/** A member as the oracle sees it. */
export class OracleMember {
  readonly open: OracleOrder[] = [];
  /** By market. */
  readonly openCounts: number[] = [];
  readonly named = new Map<string, NamedOrder>();
  /** Deleted ones, too. */
  readonly beneficiaries = new Map<number, Beneficiary>();
  counted: CountedWithdraw[] = [];
  ordersCount = 0;
  tradesCount = 0;
  depositsCount = 0;
  withdrawsCount = 0;
  /** How many messages its private streams have carried: they number them. */
  readonly messages = { order: 0, balances: 0, balance: 0 };

  constructor(public record: Member) {}

  /** An event has changed so many of its orders, and touched so many of its accounts. */
  told(orders: number, accounts: number): void {
    this.messages.order += orders;
    this.messages.balance += accounts;
    this.messages.balances += Math.sign(accounts);
  }
}

/** Deposit names that are remembered; older ones are not asked for again. */
const NAMES_MAX = 50_000;
/** The number of no output: a deposit's that has a whole transaction. */
export const WHOLE = 2 ** 32 - 1;

/** All that the oracle knows of the venue after the last entry. */
export class OracleState {
  sequence = 0;
  /** Stamped time of the last entry, in ms. */
  time = 0;
  /** Events so far that were neither of orders nor of trades. */
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
  /** `market:group` → maker and taker rate. */
  readonly fees = new Map<string, { readonly maker: number; readonly taker: number }>();
  /** `level:group`. */
  readonly withdrawLimits = new Map<string, WithdrawLimit>();
  levels: Levels = { deposit: 0, withdraw: 0, trading: 0 };
  switches: Switches = { trading: true, withdrawals: true };
  pnlCurrencies: readonly string[] = [];
  readonly members: OracleMember[] = [];
  readonly memberByUid = new Map<string, number>();
  readonly emails = new Set<string>();
  readonly keys: ApiKey[] = [];
  readonly keyByKid = new Map<string, number>();
  /** The soonest timer of each key that has one, in ms. */
  readonly timed = new Map<number, number>();
  /** Those that can still change. */
  readonly deposits = new Map<number, Deposit>();
  readonly withdraws = new Map<number, Withdraw>();
  readonly #depositNames = new Map<string, NamedDeposit>();
  /** The outputs that are known of a transaction. */
  readonly #outputs = new Map<string, readonly number[]>();

  constructor() {
    for (const index of [FEES_MEMBER, OUTSIDE_MEMBER]) {
      this.members[index] = new OracleMember(ownAccount(index));
    }
  }

  /** The member with this index. */
  member(index: number): OracleMember {
    const member = this.members[index];
    if (member === undefined) throw new Error(`The oracle knows no member ${index}`);
    return member;
  }

  /** The currency with this code. */
  currency(code: string): Currency | undefined {
    return this.currencies.find(({ id }) => id === code);
  }

  /** The market with this id. */
  market(id: string): OracleMarket | undefined {
    return this.markets.find(({ definition }) => definition.id === id);
  }

  /** The deposit that has this output of a chain, or its whole transaction; of all, the first. */
  depositOf(currency: number, txid: string, output: number): NamedDeposit | undefined {
    const whole = this.#depositNames.get(`${currency} ${txid} ${WHOLE}`);
    if (output !== WHOLE) return this.#depositNames.get(`${currency} ${txid} ${output}`) ?? whole;
    const outputs = this.#outputs.get(`${currency} ${txid}`) ?? [];
    return whole ?? this.#depositNames.get(`${currency} ${txid} ${outputs[0]}`);
  }

  /** Notes the name of a deposit that came with an entry that begins after this state. */
  nameDeposit({ id, currency, txid, output }: Deposit): void {
    if (txid === "") return;
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

  /** An order is new. */
  open(order: OracleOrder): void {
    const { open, openCounts } = this.member(order.member);
    order.index = open.length;
    open.push(order);
    openCounts[order.market] = (openCounts[order.market] ?? 0) + 1;
  }

  /** An order has ended. */
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

/** The record of one of the venue's own accounts; nobody can ask for it by its uid. */
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
