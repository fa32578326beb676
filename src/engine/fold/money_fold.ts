/** The fold of deposits and withdrawals, of beneficiaries, and of names that count once. */
import type { NamedAct } from "../../domain/people/act_names.ts";
import { present } from "../../domain/assert.ts";
import {
  type Deposit,
  depositKey,
  type DepositName,
  depositNamesOf,
  isDepositOpen,
} from "../../domain/money/deposit.ts";
import type { VenueEvent } from "../../domain/event.ts";
import { FEES_MEMBER, OUTSIDE_MEMBER } from "../../domain/people/member.ts";
import type { DepositSet, MoneyBalances, WithdrawSet } from "../../domain/money_event.ts";
import { isWithdrawOpen, type Withdraw } from "../../domain/money/withdraw.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import { writeRecordRow } from "../../store/rows/row_codec.ts";
import { type FoldPart, type FoldShared, noteEvents } from "./fold_part.ts";
import { addToGroup } from "../grouped_items.ts";
import { foldHistories } from "./history_fold.ts";
import { countMessages, countRecord, setBalances } from "./holder_rows.ts";
import {
  beneficiariesSheet,
  depositNamePlace,
  endedDepositsSheet,
  endedWithdrawsSheet,
  openDepositsSheet,
  openWithdrawsSheet,
} from "./money_sheets.ts";
import type { RowChange } from "./row_source.ts";

/** Folds the money events of one window. */
export class MoneyFold implements FoldPart {
  readonly #shared: FoldShared;
  readonly #openDeposits;
  readonly #endedDeposits;
  readonly #openWithdraws;
  readonly #endedWithdraws;
  readonly #beneficiaries;
  /** Ended records of this window, by member. */
  readonly #depositsOf = new Map<number, Deposit[]>();
  readonly #withdrawsOf = new Map<number, Withdraw[]>();
  /** Deposits that got a name in this window, by name. */
  readonly #named = new Map<string, { readonly name: DepositName; readonly id: number }>();
  /** Acts of this window that have a name, by it. */
  readonly #acts = new Map<string, NamedAct>();

  constructor(shared: FoldShared) {
    this.#shared = shared;
    this.#openDeposits = openDepositsSheet(shared.rows);
    this.#endedDeposits = endedDepositsSheet(shared.rows);
    this.#openWithdraws = openWithdrawsSheet(shared.rows);
    this.#endedWithdraws = endedWithdrawsSheet(shared.rows);
    this.#beneficiaries = beneficiariesSheet(shared.rows);
  }

  async load(entries: readonly Entry[], pause: () => Promise<void>): Promise<void> {
    const deposits = new Set<number>();
    const withdraws = new Set<number>();
    const beneficiaries = new Set<number>();
    const note = (event: VenueEvent) => {
      if (event.kind === "deposit_set") deposits.add(event.deposit.id);
      else if (event.kind === "withdraw_set") withdraws.add(event.withdraw.id);
      else if (event.kind === "beneficiary_set") beneficiaries.add(event.beneficiary.id);
    };
    await noteEvents(entries, note, pause);
    await this.#openDeposits.load(deposits, pause);
    await this.#endedDeposits.load(deposits, pause);
    await this.#openWithdraws.load(withdraws, pause);
    await this.#endedWithdraws.load(withdraws, pause);
    await this.#beneficiaries.load(beneficiaries, pause);
  }

  take(event: VenueEvent, sequence: number): void {
    const { counters } = this.#shared;
    switch (event.kind) {
      case "deposit_set":
        return this.#setDeposit(event, sequence);
      case "withdraw_set":
        return this.#setWithdraw(event, sequence);
      case "beneficiary_set": {
        const { beneficiary } = event;
        counters.beneficiaries = Math.max(counters.beneficiaries, beneficiary.id);
        return this.#beneficiaries.put(beneficiary.id, beneficiary, sequence);
      }
      case "act_noted":
        counters.acts = event.id;
        if (event.once !== undefined) {
          const { name, request } = event.once;
          this.#acts.set(name, { act: event.id, request });
        }
        return;
      default:
    }
  }

  #setDeposit(event: DepositSet, sequence: number): void {
    const { deposit } = event;
    const { counters, currencies, members } = this.#shared;
    this.#setBalances(deposit, event, sequence);
    if (deposit.id > counters.deposits) {
      counters.deposits = deposit.id;
      countRecord(members, deposit.member, sequence, "depositsCount");
      const { id } = deposit;
      for (const name of depositNamesOf(event)) this.#named.set(depositKey(name), { name, id });
    }
    const currency = present(currencies.find(deposit.currency), "a deposit's currency has a row");
    if (isDepositOpen(deposit, currency.type === "coin")) {
      this.#openDeposits.put(deposit.id, deposit, sequence);
      return;
    }
    this.#openDeposits.remove(deposit.id, sequence);
    this.#endedDeposits.put(deposit.id, deposit, sequence);
    addToGroup(this.#depositsOf, deposit.member, deposit);
  }

  #setWithdraw(event: WithdrawSet, sequence: number): void {
    const { withdraw } = event;
    const { counters, members } = this.#shared;
    this.#setBalances(withdraw, event, sequence);
    if (withdraw.id > counters.withdraws) {
      counters.withdraws = withdraw.id;
      countRecord(members, withdraw.member, sequence, "withdrawsCount");
    }
    if (isWithdrawOpen(withdraw)) {
      this.#openWithdraws.put(withdraw.id, withdraw, sequence);
      return;
    }
    this.#openWithdraws.remove(withdraw.id, sequence);
    this.#endedWithdraws.put(withdraw.id, withdraw, sequence);
    addToGroup(this.#withdrawsOf, withdraw.member, withdraw);
  }

  #setBalances(
    record: { readonly member: number; readonly currency: number },
    balances: MoneyBalances,
    sequence: number,
  ): void {
    const { members } = this.#shared;
    const { currency } = record;
    const { available, locked, feesAvailable, outsideAvailable } = balances;
    setBalances(members, record, sequence, { available, locked });
    countMessages(members, record.member, sequence, { orders: 0, accounts: 1 });
    setBalances(members, { member: FEES_MEMBER, currency }, sequence, {
      available: feesAvailable,
    });
    setBalances(members, { member: OUTSIDE_MEMBER, currency }, sequence, {
      available: outsideAvailable,
    });
  }

  async changes(end: number, pause: () => Promise<void>): Promise<RowChange[]> {
    const { rows } = this.#shared;
    const deposits = { table: "member_deposits", codec: DEPOSIT_CODEC } as const;
    const withdraws = { table: "member_withdraws", codec: WITHDRAW_CODEC } as const;
    const names = Array.from(this.#named.values(), ({ name, id }): RowChange => ({
      table: "deposit_names",
      place: depositNamePlace(name),
      bytes: writeRecordRow(end, id),
    }));
    const acts = Array.from(this.#acts, ([name, act]): RowChange => ({
      table: "act_names",
      place: [name],
      bytes: writeRecordRow(end, act),
    }));
    const changes: RowChange[][] = [
      await foldHistories(rows, deposits, this.#depositsOf, end, pause),
      await foldHistories(rows, withdraws, this.#withdrawsOf, end, pause),
      names,
      acts,
    ];
    const sheets = [
      this.#endedDeposits,
      this.#endedWithdraws,
      this.#beneficiaries,
      this.#openDeposits,
      this.#openWithdraws,
    ];
    for (const sheet of sheets) changes.push(await sheet.changes(end, pause));
    return changes.flat();
  }
}
