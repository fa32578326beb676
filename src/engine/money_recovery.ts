/** At start: deposits, withdrawals and what bounds them, as the rows say. */
import type { Beneficiary } from "../domain/beneficiary.ts";
import { WITHDRAW_SUMS_MS } from "../domain/limits.ts";
import type { Venue } from "../domain/venue.ts";
import { isWithdrawCounted } from "../domain/withdraw.ts";
import type { WithdrawLimit } from "../domain/withdraw_limits.ts";
import { readBlock } from "../store/block_codec.ts";
import { rowKey } from "../store/keys.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../store/money_codec.ts";
import { readRecordRow } from "../store/row_codec.ts";
import type { Store } from "../store/store.ts";
import type { StateRows } from "./recovery.ts";

/** The rows of ended withdrawals, newest first, down to those that count against no limit at `at` (ms). */
export async function readRecentWithdraws(store: Store, at: number): Promise<Uint8Array[]> {
  const rows: Uint8Array[] = [];
  const start = rowKey("ended_withdraws", 0);
  const end = rowKey("ended_withdraws", Infinity);
  for await (const { value } of store.list<Uint8Array>(start, end, { reverse: true, batch: 64 })) {
    rows.push(value);
    // Ids grow with time: all before this one are older still.
    const first = readBlock(value, WITHDRAW_CODEC)[0];
    if (first !== undefined && first.createdAt < at - WITHDRAW_SUMS_MS) break;
  }
  return rows;
}

/** Adds them to a venue that has its members already. */
export function addMoney(venue: Venue, rows: StateRows): void {
  for (const row of rows.beneficiaries) {
    for (const beneficiary of readRecordRow<Beneficiary[]>(row).value) {
      venue.holder(beneficiary.member).beneficiaries.set(beneficiary.id, beneficiary);
    }
  }
  for (const row of rows.withdrawLimits) {
    readRecordRow<WithdrawLimit[]>(row).value.forEach((limit) => venue.withdrawLimits.set(limit));
  }
  for (const row of rows.openDeposits) {
    for (const deposit of readBlock(row, DEPOSIT_CODEC)) venue.deposits.set(deposit.id, deposit);
  }
  for (const row of rows.openWithdraws) {
    for (const withdraw of readBlock(row, WITHDRAW_CODEC)) {
      venue.withdraws.set(withdraw.id, withdraw);
    }
  }
  countWithdraws(venue, rows);
  // Names that the rows hold are looked up there.
  venue.depositNames.knownSince = venue.sequence;
}

/** Notes what counts against limits, in the order in which it was asked for. */
function countWithdraws(venue: Venue, rows: StateRows): void {
  const ended = rows.recentWithdraws.flatMap((row) => readBlock(row, WITHDRAW_CODEC));
  const withdraws = [...ended, ...venue.withdraws.values()].sort((a, b) => a.id - b.id);
  for (const withdraw of withdraws) {
    const { id, member, currency, amount, createdAt } = withdraw;
    const isRecent = createdAt >= venue.time - WITHDRAW_SUMS_MS;
    if (!isRecent || !isWithdrawCounted(withdraw)) continue;
    venue.holder(member).countedWithdraws.set(id, { id, currency, amount, createdAt });
  }
}
