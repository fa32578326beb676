/** What events of money in and out, and of its bounds, do to the state. */
import { assert, unreachable } from "./assert.ts";
import { type Deposit, isDepositOpen } from "./deposit.ts";
import { WITHDRAW_SUMS_MS } from "./limits.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "./member.ts";
import type {
  ActNoted,
  BeneficiarySet,
  DepositSet,
  MoneyBalances,
  MoneyEvent,
  PnlCurrenciesSet,
  SwitchesSet,
  WithdrawLimitSet,
  WithdrawSet,
} from "./money_event.ts";
import { countMessages, setAccount, setAvailable } from "./undoable_change.ts";
import type { Counters, Holder, Venue } from "./venue.ts";
import { isWithdrawCounted, isWithdrawOpen, type Withdraw } from "./withdraw.ts";

/** Applies one event of this kind, stamped `at` (ms). */
export function applyMoneyEvent(venue: Venue, event: MoneyEvent, at: number): void {
  switch (event.kind) {
    case "deposit_set":
      return applyDepositSet(venue, event);
    case "withdraw_set":
      return applyWithdrawSet(venue, event, at);
    case "beneficiary_set":
      return applyBeneficiarySet(venue, event);
    case "withdraw_limit_set":
      return applyWithdrawLimitSet(venue, event);
    case "switches_set":
      return applySwitchesSet(venue, event);
    case "pnl_currencies_set":
      return applyPnlCurrenciesSet(venue, event);
    case "act_noted":
      return applyActNoted(venue, event);
    case "deposit_address_made":
      return;
    default:
      unreachable(event);
  }
}

function applyDepositSet(venue: Venue, event: DepositSet): void {
  const { deposit } = event;
  const holder = venue.holder(deposit.member);
  const old = venue.deposits.get(deposit.id);
  setBalances(venue, deposit.member, deposit.currency, event);
  if (old === undefined) {
    count(venue, "deposits", deposit.id);
    holder.depositsCount += 1;
    nameDeposit(venue, deposit);
  }
  const isEnded = !isDepositOpen(deposit, venue.isCoin(deposit.currency));
  if (isEnded) {
    venue.deposits.delete(deposit.id);
    venue.endedDeposits.push(deposit);
  } else venue.deposits.set(deposit.id, deposit);
  venue.undo?.push(() => {
    if (isEnded) venue.endedDeposits.pop();
    if (old !== undefined) venue.deposits.set(old.id, old);
    else {
      venue.deposits.delete(deposit.id);
      holder.depositsCount -= 1;
    }
  });
}

function nameDeposit(venue: Venue, { id, currency, txid, output }: Deposit): void {
  if (txid === "") return;
  const name = { currency, txid, output };
  venue.depositNames.add(name, id, venue.sequence);
  venue.undo?.push(() => venue.depositNames.remove(name));
}

function applyWithdrawSet(venue: Venue, event: WithdrawSet, at: number): void {
  const { withdraw } = event;
  const holder = venue.holder(withdraw.member);
  const old = venue.withdraws.get(withdraw.id);
  setBalances(venue, withdraw.member, withdraw.currency, event);
  if (old === undefined) {
    count(venue, "withdraws", withdraw.id);
    holder.withdrawsCount += 1;
  }
  const isEnded = !isWithdrawOpen(withdraw);
  if (isEnded) {
    venue.withdraws.delete(withdraw.id);
    venue.endedWithdraws.push(withdraw);
  } else venue.withdraws.set(withdraw.id, withdraw);
  countForLimits(venue, holder, withdraw, at);
  venue.undo?.push(() => {
    if (isEnded) venue.endedWithdraws.pop();
    if (old !== undefined) venue.withdraws.set(old.id, old);
    else {
      venue.withdraws.delete(withdraw.id);
      holder.withdrawsCount -= 1;
    }
  });
}

function countForLimits(venue: Venue, holder: Holder, withdraw: Withdraw, at: number): void {
  const { countedWithdraws } = holder;
  const { id, currency, amount, createdAt } = withdraw;
  const old = countedWithdraws.get(id);
  if (isWithdrawCounted(withdraw)) {
    for (const [oldest, { createdAt }] of countedWithdraws) {
      if (createdAt >= at - WITHDRAW_SUMS_MS) break;
      countedWithdraws.delete(oldest);
    }
    countedWithdraws.set(id, { id, currency, amount, createdAt });
  } else countedWithdraws.delete(id);
  venue.undo?.push(() => {
    if (old === undefined) countedWithdraws.delete(id);
    else countedWithdraws.set(id, old);
  });
}

function applyBeneficiarySet(venue: Venue, { beneficiary }: BeneficiarySet): void {
  const { beneficiaries } = venue.holder(beneficiary.member);
  const old = beneficiaries.get(beneficiary.id);
  if (old === undefined) count(venue, "beneficiaries", beneficiary.id);
  beneficiaries.set(beneficiary.id, beneficiary);
  venue.undo?.push(() => {
    if (old === undefined) beneficiaries.delete(beneficiary.id);
    else beneficiaries.set(old.id, old);
  });
}

function applyWithdrawLimitSet(venue: Venue, event: WithdrawLimitSet): void {
  const limits = venue.withdrawLimits;
  const old = limits.set(event.row);
  venue.undo?.push(() => old === undefined ? limits.delete(event.row) : limits.set(old));
}

function applySwitchesSet(venue: Venue, event: SwitchesSet): void {
  const old = venue.switches;
  venue.switches = event.switches;
  venue.undo?.push(() => venue.switches = old);
}

function applyPnlCurrenciesSet(venue: Venue, event: PnlCurrenciesSet): void {
  const old = venue.pnlCurrencies;
  venue.pnlCurrencies = event.currencies;
  venue.undo?.push(() => venue.pnlCurrencies = old);
}

function applyActNoted(venue: Venue, event: ActNoted): void {
  count(venue, "acts", event.id);
}

/** The record with this id is new: ids have no gap. */
function count(venue: Venue, counter: keyof Counters, id: number): void {
  assert(id === venue.counters[counter] + 1, `ids of ${counter} have no gap`);
  venue.counters[counter] = id;
  venue.undo?.push(() => venue.counters[counter] -= 1);
}

function setBalances(
  venue: Venue,
  member: number,
  currency: number,
  balances: MoneyBalances,
): void {
  setAccount(venue, member, currency, balances.available, balances.locked);
  countMessages(venue, member, 0, 1);
  setAvailable(venue, FEES_MEMBER, currency, balances.feesAvailable);
  setAvailable(venue, OUTSIDE_MEMBER, currency, balances.outsideAvailable);
}
