/** Judges commands about deposits. */
import type { Deposit, DepositAction, DepositState } from "../../../src/domain/money/deposit.ts";
import type {
  ChangeDeposit,
  NoteDepositAddress,
  ObserveDeposit,
} from "../../../src/domain/money_command.ts";
import { decimal, unitOf } from "./amounts.ts";
import type { OracleState } from "./state.ts";
import { balancesAfter, type MoneyMoves, no, type Verdict, yes } from "./verdict.ts";

/** The states in which an action is allowed, and the state it leads to. */
const STEPS: Readonly<Record<DepositAction, { from: readonly DepositState[]; to?: DepositState }>> =
  {
    confirm: { from: ["submitted"] },
    accept: { from: ["submitted"], to: "accepted" },
    process: { from: ["accepted"], to: "processing" },
    collect: { from: ["processing"], to: "collected" },
    cancel: { from: ["submitted"], to: "canceled" },
    reject: { from: ["submitted"], to: "rejected" },
    drop: { from: ["accepted", "processing"], to: "errored" },
  };
/** Actions that take a deposit out of its first state. */
const COMPLETING: readonly DepositAction[] = ["accept", "cancel", "reject"];

/**
 * Judges an observed deposit. If `isStale`, the venue demands that the deposit be looked up again,
 * because it remembers a limited number of names; the oracle does not know how many.
 */
export function observeDeposit(
  state: OracleState,
  command: ObserveDeposit,
  at: number,
  isStale: boolean,
): Verdict {
  const member = state.memberByUid.get(command.uid);
  if (member === undefined) return no("member_not_found", "uid");
  const currency = state.currency(command.currency);
  if (currency === undefined) return no("currency_not_found", "currency");
  const { amount, txid, output, confirmations } = command;
  const { knownId, freedId = 0 } = command;
  if (txid !== "" && knownId !== 0 && knownId !== freedId) return known(knownId);
  if (isStale && txid !== "") return no("deposit_check_stale", "txid");
  const id = txid === "" ? undefined : state.depositOf(currency.index, txid, output)?.id;
  if (id !== undefined && id !== freedId) return known(id);
  const isWhole = amount % unitOf(currency.precision) === 0n;
  if (!isWhole || amount <= currency.depositFee) {
    const bound = isWhole ? decimal(currency.depositFee) : currency.precision;
    return no("deposit_amount_invalid", "amount", bound, isWhole ? "fee" : "precision");
  }
  const deposit: Deposit = {
    id: state.counters.deposits + 1,
    member,
    currency: currency.index,
    amount,
    fee: currency.depositFee,
    txid,
    output,
    confirmations,
    state: "submitted",
    createdAt: at,
    updatedAt: at,
    completedAt: 0,
  };
  const plain = state.plainTxid(currency.index, txid);
  return yes({ kind: "deposit_set", deposit }, {
    kind: "deposit_set",
    deposit,
    ...balancesAfter(state, deposit, {}),
    ...(plain === txid ? {} : { transaction: plain }),
  });
}

/** Judges the note that an address was created; it may be repeated. */
export function noteDepositAddress(state: OracleState, command: NoteDepositAddress): Verdict {
  const member = state.memberByUid.get(command.uid);
  if (member === undefined) return no("member_not_found", "uid");
  const currency = state.currency(command.currency)?.index;
  if (currency === undefined) return no("currency_not_found", "currency");
  const kind = "deposit_address_made";
  return yes({ kind }, { kind, member, currency });
}

function known(id: number): Verdict {
  return yes({ kind: "deposit_known", id });
}

/** Judges a change of a deposit's state. */
export function changeDeposit(state: OracleState, command: ChangeDeposit, at: number): Verdict {
  const deposit = state.deposits.get(command.id);
  if (deposit === undefined) {
    const isEnded = command.id >= 1 && command.id <= state.counters.deposits;
    return isEnded ? no("deposit_state_invalid", "state") : no("deposit_not_found", "id");
  }
  const { from, to } = STEPS[command.action];
  if (!from.includes(deposit.state)) return no("deposit_state_invalid", "state", deposit.state);
  const isCoin = state.currencies[deposit.currency]?.type === "coin";
  const next: Deposit = {
    ...deposit,
    state: to ?? deposit.state,
    confirmations: command.confirmations ?? deposit.confirmations,
    updatedAt: at,
    completedAt: COMPLETING.includes(command.action) ? at : deposit.completedAt,
  };
  return set(state, next, movesOf(command.action, deposit, isCoin));
}

/** Returns an action's moves: a coin is locked from acceptance to its end, fiat never. */
function movesOf(action: DepositAction, deposit: Deposit, isCoin: boolean): MoneyMoves {
  const { amount, fee } = deposit;
  switch (action) {
    case "accept":
      if (isCoin) return { locked: amount, outside: -amount };
      return { available: amount - fee, fees: fee, outside: -amount };
    case "collect":
      return { locked: -amount, available: amount - fee, fees: fee };
    case "drop":
      return { locked: -amount, outside: amount };
    default:
      return {};
  }
}

function set(state: OracleState, deposit: Deposit, moves: MoneyMoves): Verdict {
  const balances = balancesAfter(state, deposit, moves);
  return yes({ kind: "deposit_set", deposit }, { kind: "deposit_set", deposit, ...balances });
}
