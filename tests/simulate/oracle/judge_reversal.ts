import type { Deposit } from "../../../src/domain/money/deposit.ts";
import type { Reverse } from "../../../src/domain/money_command.ts";
import { type OracleState, WHOLE } from "./state.ts";
import { balancesAfter, no, short, type Verdict, yes } from "./verdict.ts";

/** Judges the reversal of what has ended; for `isStale` see `observeDeposit`. */
export function reverse(
  state: OracleState,
  { reversed: { type, record }, payment, knownId, checkedAt: _ }: Reverse,
  at: number,
  isStale: boolean,
): Verdict {
  const { id, member, currency, amount, fee } = record;
  const isCoin = state.currencies[currency]?.type === "coin";
  const credited = isCoin ? "collected" : "accepted";
  const isReversible = type === "withdraw"
    ? record.state === "succeed"
    : record.state === credited && !("reverses" in record);
  if (!isReversible) return no(`${type}_state_invalid`, "state", record.state);
  const name = `reversal of ${type} ${id}`;
  if (knownId !== 0) return no("reversal_made", "id");
  if (isStale) return no("deposit_check_stale", "id");
  const isMade = state.depositOf(currency, name, WHOLE) !== undefined;
  if (isMade) return no("reversal_made", "id");
  const isCredit = type === "withdraw";
  const txid = isCredit ? payment?.txid ?? "" : "";
  const { knownId: told = 0, freedId = 0 } = payment ?? {};
  if (txid !== "") {
    const known = state.depositOf(currency, txid, WHOLE)?.id ?? 0;
    // Its name may be that of a deposit that has given it up, and of no other.
    if ([told, known].some((one) => one !== 0 && one !== freedId)) {
      return no("payment_known", "txid");
    }
  }
  // A payment comes back without the fee that was paid for it; a credit is taken back whole.
  const net = amount - fee;
  const { available } = state.ledger.of(member, currency);
  if (!isCredit && net > available) {
    return short("balance_insufficient", "id", net, available);
  }
  const deposit: Deposit = {
    id: state.counters.deposits + 1,
    member,
    currency,
    amount: isCredit ? net : -amount,
    fee: isCredit ? 0n : -fee,
    txid: isCredit ? txid : record.txid,
    output: WHOLE,
    confirmations: 0,
    state: credited,
    createdAt: at,
    updatedAt: at,
    completedAt: at,
    reverses: { type, id },
  };
  const moves = isCredit
    ? { available: net, outside: -net }
    : { available: -net, fees: -fee, outside: amount };
  return yes({ kind: "deposit_set", deposit }, {
    kind: "deposit_set",
    deposit,
    ...balancesAfter(state, deposit, moves),
    transaction: name,
    ...(txid === "" ? {} : { payment: state.plainTxid(currency, txid) }),
  });
}
