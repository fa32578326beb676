/** Applies the events of deposits, withdrawals, beneficiaries, limits and switches. */
import { unreachable } from "./assert.ts";
import { type DepositName, depositNamesOf, isDepositOpen } from "./money/deposit.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "./people/member.ts";
import type {
  ActNoted,
  BeneficiarySet,
  DepositSet,
  MoneyBalances,
  MoneyEvent,
  WithdrawSet,
} from "./money_event.ts";
import {
  append,
  countMessages,
  countUp,
  drop,
  dropRow,
  put,
  replace,
  setAccount,
  setAvailable,
  setRow,
} from "./undoable_change.ts";
import type { Holder, Venue } from "./venue.ts";
import { isWithdrawCounted, isWithdrawOpen, type Withdraw } from "./money/withdraw.ts";

/** Applies one money event, stamped `at` (ms). */
export function applyMoneyEvent(venue: Venue, event: MoneyEvent, at: number): void {
  switch (event.kind) {
    case "deposit_set":
      return applyDepositSet(venue, event);
    case "withdraw_set":
      return applyWithdrawSet(venue, event, at);
    case "beneficiary_set":
      return applyBeneficiarySet(venue, event);
    case "withdraw_limit_set":
      return setRow(venue, venue.withdrawLimits, event.row);
    case "withdraw_limit_deleted":
      return dropRow(venue, venue.withdrawLimits, event.row);
    case "switches_set":
      return replace(venue, venue, "switches", event.switches);
    case "pnl_currencies_set":
      replace(venue, venue, "pnlKept", event.kept);
      return replace(venue, venue, "pnlCurrencies", event.currencies);
    case "settings_set":
      return replace(venue, venue, "storedSettings", event.settings);
    case "act_noted":
      return applyActNoted(venue, event);
    case "deposit_address_made":
      return;
    default:
      unreachable(event);
  }
}

function applyActNoted(venue: Venue, { id, once }: ActNoted): void {
  countUp(venue, "acts", id);
  if (once === undefined) return;
  venue.actNames.add(once, id, venue.sequence);
  venue.undo?.push(() => venue.actNames.remove(once));
}

function applyDepositSet(venue: Venue, event: DepositSet): void {
  const { deposit } = event;
  const { id, member, currency } = deposit;
  setBalances(venue, member, currency, event);
  if (!venue.deposits.has(id)) {
    const holder = venue.holder(member);
    countUp(venue, "deposits", id);
    replace(venue, holder, "depositsCount", holder.depositsCount + 1);
    nameDeposits(venue, event);
  }
  if (isDepositOpen(deposit, venue.isCoin(currency))) put(venue, venue.deposits, id, deposit);
  else {
    drop(venue, venue.deposits, id);
    append(venue, venue.endedDeposits, deposit);
  }
}

function nameDeposits(venue: Venue, event: DepositSet): void {
  for (const name of depositNamesOf(event)) nameDeposit(venue, name, event.deposit.id);
}

function nameDeposit(venue: Venue, name: DepositName, id: number): void {
  const { depositNames } = venue;
  const freed = depositNames.add(name, id, venue.sequence);
  venue.undo?.push(() => {
    depositNames.remove(name);
    if (freed !== undefined) depositNames.add(name, freed.id, freed.sequence);
  });
}

function applyWithdrawSet(venue: Venue, event: WithdrawSet, at: number): void {
  const { withdraw } = event;
  const { id, member, currency } = withdraw;
  const holder = venue.holder(member);
  setBalances(venue, member, currency, event);
  if (!venue.withdraws.has(id)) {
    countUp(venue, "withdraws", id);
    replace(venue, holder, "withdrawsCount", holder.withdrawsCount + 1);
  }
  if (isWithdrawOpen(withdraw)) put(venue, venue.withdraws, id, withdraw);
  else {
    drop(venue, venue.withdraws, id);
    append(venue, venue.endedWithdraws, withdraw);
  }
  countForLimits(venue, holder, withdraw, at);
}

function countForLimits(venue: Venue, holder: Holder, withdraw: Withdraw, at: number): void {
  const { id, currency, amount, createdAt } = withdraw;
  const { countedWithdraws } = holder;
  if (!isWithdrawCounted(withdraw)) return drop(venue, countedWithdraws, id);
  holder.forgetExpired(venue.durableAt(at));
  venue.forgetExpired(at);
  put(venue, countedWithdraws, id, { id, currency, amount, createdAt });
}

function applyBeneficiarySet(venue: Venue, { beneficiary }: BeneficiarySet): void {
  const { beneficiaries } = venue.holder(beneficiary.member);
  const { id } = beneficiary;
  if (!beneficiaries.has(id)) countUp(venue, "beneficiaries", id);
  put(venue, beneficiaries, id, beneficiary);
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
