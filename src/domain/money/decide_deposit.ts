/** Deposits: observed, accepted, collected; each output of a chain once. */
import type { Outcome } from "../command.ts";
import { type Currency, dustOf, networkIn, recordedNetwork } from "./currency.ts";
import {
  ANY_OUTPUT,
  type Deposit,
  DEPOSIT_ACTIONS,
  depositLocked,
  type DepositState,
  soughtDeposit,
  transactionName,
} from "./deposit.ts";
import type { EventSink } from "../event_sink.ts";
import { formatDecimal } from "./money.ts";
import { type BalanceChanges, balancesAfter } from "./money_balances.ts";
import type { ChangeDeposit, NoteDepositAddress, ObserveDeposit } from "../money_command.ts";
import { reject, rejectAmount } from "../rejection.ts";
import type { Venue } from "../venue.ts";

/** Records a deposit, unless its output is already known. */
export function decideObserveDeposit(
  venue: Venue,
  command: ObserveDeposit,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const currency = venue.currencyById.get(command.currency);
  if (currency === undefined) return reject("currency_not_found", "currency");
  if (command.network !== undefined && networkIn(currency, command.network) === undefined) {
    return reject("currency_network_not_found", "network");
  }
  const { network, ...observed } = command;
  const { amount, txid, output, confirmations } = observed;
  const recorded = recordedNetwork(currency, network);
  const known = findKnown(venue, { ...observed, ...recorded }, currency);
  if (known === "stale") return reject("deposit_check_stale", "txid");
  if (known !== null) return { kind: "deposit_known", id: known };
  // Chains have amounts as fine as they like: the ledger has all that came.
  const dust = dustOf(currency, amount);
  if (dust > 0n && currency.networks === undefined) {
    return rejectAmount("deposit_amount_invalid", "amount", "precision", currency.precision);
  }
  const fee = currency.depositFee + dust;
  if (amount <= fee) {
    const least = formatDecimal(currency.depositFee);
    return rejectAmount("deposit_amount_invalid", "amount", "fee", least);
  }

  const deposit: Deposit = {
    id: venue.counters.deposits + 1,
    member: holder.member.index,
    currency: currency.index,
    ...recorded,
    amount,
    fee,
    txid,
    output,
    confirmations,
    state: "submitted",
    createdAt: sink.at,
    updatedAt: sink.at,
    completedAt: 0,
  };
  const transaction = transactionName(currency, txid, recorded.network);
  const named = transaction === txid ? {} : { transaction };
  sink.emit({ kind: "deposit_set", deposit, ...balancesAfter(venue, deposit, {}), ...named });
  return { kind: "deposit_set", deposit };
}

/**
 * Returns the deposit that has a name already, null if there is none, or whether what was looked up is
 * too old to tell. Its network is given as records name it.
 */
export function findKnown(
  venue: Venue,
  { txid, output, network, knownId, checkedAt, freedId = 0 }: Pick<
    ObserveDeposit,
    "txid" | "output" | "network" | "knownId" | "checkedAt" | "freedId"
  >,
  currency: Currency,
): number | "stale" | null {
  if (txid === "") return null;
  if (knownId !== 0 && knownId !== freedId) return knownId;
  const { depositNames } = venue;
  const known = depositNames.get(soughtDeposit(currency, txid, output, network));
  const mayBeForgotten = checkedAt < depositNames.knownSince;
  // The first of a transaction may be one that this process has forgotten and others have not.
  if (known === freedId) return null;
  if (mayBeForgotten && (known === undefined || output === ANY_OUTPUT)) return "stale";
  return known ?? null;
}

/** Records a deposit address; a repeated one is recorded again. */
export function decideNoteDepositAddress(
  venue: Venue,
  command: NoteDepositAddress,
  sink: EventSink,
): Outcome {
  const holder = venue.holderByUid.get(command.uid);
  if (holder === undefined) return reject("member_not_found", "uid");
  const currency = venue.currencyById.get(command.currency);
  if (currency === undefined) return reject("currency_not_found", "currency");
  if (command.network !== undefined && networkIn(currency, command.network) === undefined) {
    return reject("currency_network_not_found", "network");
  }

  const { index: member } = holder.member;
  const recorded = recordedNetwork(currency, command.network);
  sink.emit({ kind: "deposit_address_made", member, currency: currency.index, ...recorded });
  return { kind: "deposit_address_made" };
}

/** Advances a deposit; refuses an action that its state does not allow. */
export function decideChangeDeposit(
  venue: Venue,
  command: ChangeDeposit,
  sink: EventSink,
): Outcome {
  const deposit = venue.deposits.get(command.id);
  if (deposit === undefined) {
    const isEnded = command.id >= 1 && command.id <= venue.counters.deposits;
    return isEnded ? reject("deposit_state_invalid", "state") : reject("deposit_not_found", "id");
  }
  const states: readonly DepositState[] = DEPOSIT_ACTIONS[command.action];
  if (!states.includes(deposit.state)) {
    return reject("deposit_state_invalid", "state", deposit.state);
  }
  const confirmations = command.confirmations ?? deposit.confirmations;
  const isCoin = venue.isCoin(deposit.currency);

  const next = { ...deposit, ...stateAfter(command, deposit, sink.at), confirmations };
  return emit(venue, sink, next, balanceChanges(command, deposit, isCoin));
}

function stateAfter(
  { action }: ChangeDeposit,
  { state, completedAt }: Deposit,
  at: number,
): Pick<Deposit, "state" | "updatedAt" | "completedAt"> {
  switch (action) {
    case "confirm":
      return { state, updatedAt: at, completedAt };
    case "accept":
      return { state: "accepted", updatedAt: at, completedAt: at };
    case "process":
      return { state: "processing", updatedAt: at, completedAt };
    case "collect":
      return { state: "collected", updatedAt: at, completedAt };
    case "cancel":
      return { state: "canceled", updatedAt: at, completedAt: at };
    case "reject":
      return { state: "rejected", updatedAt: at, completedAt: at };
    case "drop":
      return { state: "errored", updatedAt: at, completedAt };
  }
}

function balanceChanges(
  { action }: ChangeDeposit,
  deposit: Deposit,
  isCoin: boolean,
): BalanceChanges {
  const { amount, fee } = deposit;
  const locked = depositLocked(deposit, isCoin);
  switch (action) {
    case "accept":
      return isCoin
        ? { locked: amount, outside: -amount }
        : { available: amount - fee, fees: fee, outside: -amount };
    case "collect":
      return { locked: -locked, available: amount - fee, fees: fee };
    case "drop":
      return { locked: -locked, outside: amount };
    default:
      return {};
  }
}

function emit(venue: Venue, sink: EventSink, deposit: Deposit, changes: BalanceChanges): Outcome {
  sink.emit({ kind: "deposit_set", deposit, ...balancesAfter(venue, deposit, changes) });
  return { kind: "deposit_set", deposit };
}
