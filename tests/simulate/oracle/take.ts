/** Applies events other than those of orders and trades to the state. */
import type { Beneficiary } from "../../../src/domain/people/beneficiary.ts";
import type { Deposit } from "../../../src/domain/money/deposit.ts";
import type { MoneyBalances, VenueEvent } from "../../../src/domain/event.ts";
import {
  type ApiKey,
  FEES_MEMBER,
  type Member,
  OUTSIDE_MEMBER,
} from "../../../src/domain/people/member.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";
import { OracleMarket } from "./market.ts";
import { OracleMember, type OracleState } from "./state.ts";

/** Longer than any month. */
const COUNTED_MS = 62 * 86_400_000;

/** Applies one event with the timestamp `at` (ms). */
export function take(state: OracleState, event: VenueEvent, at: number): void {
  state.changes += 1;
  switch (event.kind) {
    case "member_set":
      return takeMember(state, event.member);
    case "key_set":
      return takeKey(state, event.key);
    case "currency_set":
      state.currencies[event.currency.index] = event.currency;
      return;
    case "market_set": {
      const market = state.markets[event.market.index];
      if (market === undefined) state.markets[event.market.index] = new OracleMarket(event.market);
      else market.define(event.market);
      return;
    }
    case "fee_set":
      state.fees.set(`${event.row.market}:${event.row.group}`, event.row);
      return;
    case "fee_deleted":
      state.fees.delete(`${event.row.market}:${event.row.group}`);
      return;
    case "levels_set":
      state.levels = event.levels;
      return;
    case "balance_adjusted": {
      state.counters.adjustments += 1;
      state.member(event.member).told(0, 1);
      state.ledger.add(event.member, event.currency, event.amount, 0n);
      state.ledger.add(OUTSIDE_MEMBER, event.currency, -event.amount, 0n);
      return;
    }
    case "beneficiary_set":
      return takeBeneficiary(state, event.beneficiary);
    case "deposit_set":
      return takeDeposit(state, event.deposit, event);
    case "withdraw_set":
      return takeWithdraw(state, event.withdraw, event, at);
    default:
      takeSetting(state, event);
  }
}

function takeSetting(state: OracleState, event: VenueEvent): void {
  switch (event.kind) {
    case "withdraw_limit_set":
      state.withdrawLimits.set(`${event.row.level}:${event.row.group}`, event.row);
      return;
    case "withdraw_limit_deleted":
      state.withdrawLimits.delete(`${event.row.level}:${event.row.group}`);
      return;
    case "switches_set":
      state.switches = event.switches;
      return;
    case "pnl_currencies_set":
      state.pnlCurrencies = event.currencies;
      state.pnlKept = event.kept;
      return;
    case "settings_set":
      state.settings = event.settings;
      return;
    case "act_noted":
      state.counters.acts += 1;
      if (event.once !== undefined) {
        const { name, request } = event.once;
        state.acts.set(name, { act: event.id, request, after: state.sequence });
      }
      return;
    case "deposit_address_made":
      return;
    default:
      throw new Error(`Nothing takes ${event.kind} here`);
  }
}

function takeMember(state: OracleState, record: Member): void {
  const member = state.members[record.index];
  if (member !== undefined) {
    state.emails.delete(member.record.emailDigest);
    if (record.emailDigest !== "") state.emails.add(record.emailDigest);
    member.record = record;
    return;
  }
  state.members[record.index] = new OracleMember(record);
  state.memberByUid.set(record.uid, record.index);
  if (record.emailDigest !== "") state.emails.add(record.emailDigest);
}

function takeKey(state: OracleState, key: ApiKey): void {
  state.keys[key.index] = key;
  state.keyByKid.set(key.kid, key.index);
  const { cancelTimers } = key;
  if (cancelTimers === undefined) state.timed.delete(key.index);
  else state.timed.set(key.index, Math.min(...cancelTimers.map(({ at }) => at)));
}

function takeBeneficiary(state: OracleState, beneficiary: Beneficiary): void {
  const { beneficiaries } = state.member(beneficiary.member);
  if (!beneficiaries.has(beneficiary.id)) state.counters.beneficiaries += 1;
  beneficiaries.set(beneficiary.id, beneficiary);
}

function takeDeposit(state: OracleState, deposit: Deposit, balances: MoneyBalances): void {
  takeBalances(state, deposit, balances);
  if (deposit.id > state.counters.deposits) {
    state.counters.deposits += 1;
    state.member(deposit.member).depositsCount += 1;
    state.nameDeposit(nameOf(deposit));
    // What came back is one payment, which no other deposit can be.
    if (deposit.reverses?.type === "withdraw") state.nameDeposit(deposit);
  }
  const isCoin = state.currencies[deposit.currency]?.type === "coin";
  const isOpen = deposit.state === "submitted" ||
    (isCoin && (deposit.state === "accepted" || deposit.state === "processing"));
  if (isOpen) state.deposits.set(deposit.id, deposit);
  else {
    state.deposits.delete(deposit.id);
    state.ended.add({ type: "deposit", record: deposit });
  }
}

/** Returns a deposit under its name; that of a reversal is not its transaction's. */
function nameOf(deposit: Deposit): Deposit {
  const { reverses } = deposit;
  if (reverses === undefined) return deposit;
  return { ...deposit, txid: `reversal of ${reverses.type} ${reverses.id}` };
}

function takeWithdraw(
  state: OracleState,
  withdraw: Withdraw,
  balances: MoneyBalances,
  at: number,
): void {
  takeBalances(state, withdraw, balances);
  const member = state.member(withdraw.member);
  const { id, currency, amount, createdAt } = withdraw;
  if (id > state.counters.withdraws) {
    state.counters.withdraws += 1;
    member.withdrawsCount += 1;
    const counted = member.counted.filter((one) => one.createdAt > at - COUNTED_MS);
    member.counted = [...counted, { id, currency, amount, createdAt }];
  }
  if (withdraw.doneAt === 0) {
    state.withdraws.set(id, withdraw);
    return;
  }
  state.withdraws.delete(id);
  state.ended.add({ type: "withdraw", record: withdraw });
  if (withdraw.state === "succeed") return;
  member.counted = member.counted.filter((one) => one.id !== id);
}

function takeBalances(
  state: OracleState,
  { member, currency }: { readonly member: number; readonly currency: number },
  { available, locked, feesAvailable, outsideAvailable }: MoneyBalances,
): void {
  const { ledger } = state;
  state.member(member).told(0, 1);
  const account = ledger.of(member, currency);
  ledger.add(member, currency, available - account.available, locked - account.locked);
  const fees = ledger.of(FEES_MEMBER, currency);
  ledger.add(FEES_MEMBER, currency, feesAvailable - fees.available, 0n);
  const outside = ledger.of(OUTSIDE_MEMBER, currency);
  ledger.add(OUTSIDE_MEMBER, currency, outsideAvailable - outside.available, 0n);
}
