/** Recovers deposits, withdrawals and what limits them from the rows at a start. */
import { assert } from "../domain/assert.ts";
import type { Beneficiary } from "../domain/beneficiary.ts";
import { WITHDRAW_SUMS_MS } from "../domain/limits.ts";
import type { CountedWithdraw, Venue } from "../domain/venue.ts";
import { isWithdrawCounted, type Withdraw } from "../domain/withdraw.ts";
import type { WithdrawLimit } from "../domain/withdraw_limits.ts";
import { readBlock } from "../store/block_codec.ts";
import { rowKey, type StateTable } from "../store/keys.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../store/money_codec.ts";
import { itemsOf } from "../store/row_codec.ts";
import type { Store } from "../store/store.ts";
import { listRows } from "../store/stored_rows.ts";
import type { AddRows } from "./recovery.ts";

/** A member's withdrawal that counts against limits. */
export interface MemberCounted {
  readonly member: number;
  readonly counted: CountedWithdraw;
}

/** Recently ended withdrawals. */
export interface EndedWithdraws {
  /** Those that count against limits. */
  readonly counted: readonly MemberCounted[];
  /** The lowest id that was looked for, and how many withdrawals were found from it on. */
  readonly firstId: number;
  readonly count: number;
}

/** Reads the ended withdrawals that count against limits at `at` (ms). */
export async function readEnded(store: Store, at: number): Promise<EndedWithdraws> {
  const counted: MemberCounted[] = [];
  let firstId = 1;
  let count = 0;
  const since = at - WITHDRAW_SUMS_MS;
  const start = rowKey("ended_withdraws", 0);
  const end = rowKey("ended_withdraws", Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, batch: 64 })) {
    const withdraws = readBlock(value, WITHDRAW_CODEC);
    for (const withdraw of withdraws) addCounted(counted, withdraw, since);
    count += withdraws.length;
    // Ids grow with time, so everything before this block is older.
    const first = withdraws[0];
    if (first !== undefined && first.createdAt < since) {
      firstId = first.id;
      break;
    }
  }
  return { counted, firstId, count };
}

/** Checks that no row is missing, which no other row shows: each withdrawal is open or ended. */
export function checkWithdraws(venue: Venue, { firstId, count }: EndedWithdraws): void {
  const open = [...venue.withdraws.keys()].filter((id) => id >= firstId).length;
  const all = venue.counters.withdraws - firstId + 1;
  assert(count + open === all, "every withdrawal of late is among the rows");
}

function addCounted(counted: MemberCounted[], withdraw: Withdraw, since: number): void {
  const { id, member, currency, amount, createdAt } = withdraw;
  if (createdAt < since || !isWithdrawCounted(withdraw)) return;
  counted.push({ member, counted: { id, currency, amount, createdAt } });
}

/** Adds the rows of the money tables to a venue that already has its members. */
export const ADD_MONEY = {
  beneficiaries(venue, rows) {
    for (const beneficiary of itemsOf<Beneficiary>(rows.beneficiaries)) {
      venue.holder(beneficiary.member).beneficiaries.set(beneficiary.id, beneficiary);
    }
  },
  withdraw_limits(venue, rows) {
    const limits = itemsOf<WithdrawLimit>(rows.withdraw_limits);
    for (const limit of limits) venue.withdrawLimits.set(limit);
  },
  open_deposits(venue, rows) {
    const deposits = rows.open_deposits.flatMap((row) => readBlock(row, DEPOSIT_CODEC));
    for (const deposit of deposits) venue.deposits.set(deposit.id, deposit);
  },
  open_withdraws(venue, rows) {
    const withdraws = rows.open_withdraws.flatMap((row) => readBlock(row, WITHDRAW_CODEC));
    for (const withdraw of withdraws) venue.withdraws.set(withdraw.id, withdraw);
    countWithdraws(venue, rows.ended.counted);
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
