/**
 * Reversals: a deposit that was credited by mistake or has left its chain, and a payment that came
 * back. Each is a deposit of its own, linked to what it reverses, so that histories, statements and
 * sums hold both.
 */
import type { Outcome } from "../command.ts";
import { findKnown } from "./decide_deposit.ts";
import { ANY_OUTPUT, type Deposit, type Reversed, transactionName } from "./deposit.ts";
import type { EventSink } from "../event_sink.ts";
import { balancesAfter } from "./money_balances.ts";
import type { Reverse } from "../money_command.ts";
import { reject, rejectFunds } from "../rejection.ts";
import type { Venue } from "../venue.ts";
import { withdrawNetwork } from "./withdraw_network.ts";

/** Returns the name that a reversal has among deposits, so that there is one; no txid has blanks. */
export function reversalName({ type, id }: Reversed): string {
  return `reversal of ${type} ${id}`;
}

/** Reverses a deposit or a withdrawal that has ended, once; a member never owes the venue. */
export function decideReverse(venue: Venue, command: Reverse, sink: EventSink): Outcome {
  const { reversed, knownId, checkedAt, payment } = command;
  const { type, record: { id, member, currency } } = reversed;
  const isCoin = venue.isCoin(currency);
  const { txid = "" } = type === "withdraw" ? payment ?? {} : {};
  const ended = isCoin ? "collected" : "accepted";
  if (type === "deposit") {
    const { record } = reversed;
    if (record.state !== ended || record.reverses !== undefined) {
      return reject("deposit_state_invalid", "state", record.state);
    }
  } else if (reversed.record.state !== "succeed") {
    return reject("withdraw_state_invalid", "state", reversed.record.state);
  }
  const { depositNames } = venue;
  const transaction = reversalName({ type, id });
  const name = { currency, transactions: [transaction], output: ANY_OUTPUT };
  if (knownId !== 0 || depositNames.get(name) !== undefined) return reject("reversal_made", "id");
  if (checkedAt < depositNames.knownSince) return reject("deposit_check_stale", "id");

  // It came back the way that it went.
  const network = type === "deposit"
    ? reversed.record.network
    : withdrawNetwork(venue, reversed.record);
  const recorded = network === undefined ? {} : { network };
  const known = payment === undefined || txid === ""
    ? null
    : findKnown(venue, { ...payment, ...recorded, output: ANY_OUTPUT }, venue.currency(currency));
  if (known === "stale") return reject("deposit_check_stale", "txid");
  if (known !== null) return reject("payment_known", "txid");

  const { amount, fee } = reversed.record;
  // What came back of a payment is what was sent. A credit is taken back with its fee.
  const moved = type === "deposit"
    ? { amount: -amount, fee: -fee }
    : { amount: amount - fee, fee: 0n };
  const available = venue.holder(member).accounts[currency]?.available ?? 0n;
  const change = moved.amount - moved.fee;
  if (available + change < 0n) {
    return rejectFunds("balance_insufficient", "id", -change, available);
  }
  const deposit: Deposit = {
    id: venue.counters.deposits + 1,
    member,
    currency,
    ...recorded,
    ...moved,
    txid: type === "deposit" ? reversed.record.txid : txid,
    output: ANY_OUTPUT,
    confirmations: 0,
    state: ended,
    createdAt: sink.at,
    updatedAt: sink.at,
    completedAt: sink.at,
    reverses: { type, id },
  };
  const changes = { available: change, fees: moved.fee, outside: -moved.amount };
  const balances = balancesAfter(venue, deposit, changes);
  sink.emit({
    kind: "deposit_set",
    deposit,
    ...balances,
    transaction,
    ...(txid === "" ? {} : { payment: transactionName(venue.currency(currency), txid, network) }),
  });
  return { kind: "deposit_set", deposit };
}
