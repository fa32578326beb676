/** Adds deposits, withdrawals and what limits them to a venue, from the rows that a start reads. */
import { assert } from "../../domain/assert.ts";
import type { Beneficiary } from "../../domain/people/beneficiary.ts";
import { WITHDRAW_SUMS_MS } from "../../domain/limits.ts";
import type { Venue } from "../../domain/venue.ts";
import type { WithdrawLimit } from "../../domain/money/withdraw_limits.ts";
import { readBlock } from "../../store/rows/block_codec.ts";
import type { StateTable } from "../../store/keys.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import { LIMIT_RENEWALS } from "../../store/older_records.ts";
import { itemsOf } from "../../store/rows/row_codec.ts";
import { addCounted, type AddRows, type EndedWithdraws, type MemberCounted } from "./state_rows.ts";

/** Checks that no row is missing, which no other row shows: each withdrawal is open or ended. */
export function checkWithdraws(venue: Venue, { firstId, count }: EndedWithdraws): void {
  const open = [...venue.withdraws.keys()].filter((id) => id >= firstId).length;
  const all = venue.counters.withdraws - firstId + 1;
  assert(count + open === all, "every withdrawal of late is among the rows");
}

/** Adds the rows of the money tables to a venue that already has its members. */
export const ADD_MONEY = {
  beneficiaries(venue, rows) {
    for (const beneficiary of itemsOf<Beneficiary>(rows.beneficiaries)) {
      venue.holder(beneficiary.member).beneficiaries.set(beneficiary.id, beneficiary);
    }
  },
  withdraw_limits(venue, rows) {
    const limits = itemsOf<WithdrawLimit>(rows.withdraw_limits, LIMIT_RENEWALS);
    for (const limit of limits) venue.withdrawLimits.set(limit);
  },
  open_deposits(venue, rows) {
    const deposits = rows.open_deposits.flatMap((row) => readBlock(row, DEPOSIT_CODEC));
    for (const deposit of deposits) venue.deposits.set(deposit.id, deposit);
  },
  open_withdraws(venue, rows) {
    const withdraws = rows.open_withdraws.flatMap((row) => readBlock(row, WITHDRAW_CODEC));
    for (const withdraw of withdraws) venue.withdraws.set(withdraw.id, withdraw);
    countWithdraws(venue, rows.endedWithdraws.counted);
  },
} satisfies Partial<Record<StateTable, AddRows>>;

/** Notes the withdrawals that count against limits, in the order in which they were requested. */
function countWithdraws(venue: Venue, ended: readonly MemberCounted[]): void {
  const all = [...ended];
  const since = venue.time - WITHDRAW_SUMS_MS;
  for (const withdraw of venue.withdraws.values()) addCounted(all, withdraw, since);
  all.sort((a, b) => a.counted.id - b.counted.id);
  for (const { member, counted } of all) {
    venue.holder(member).countedWithdraws.set(counted.id, counted);
  }
}
