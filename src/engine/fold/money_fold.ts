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
import type { ActNoted, BeneficiarySet, DepositSet, WithdrawSet } from "../../domain/event.ts";
import { isWithdrawOpen, type Withdraw } from "../../domain/money/withdraw.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import { writeRecordRow } from "../../store/rows/row_codec.ts";
import type { FoldShared } from "./fold_part.ts";
import { addToGroup } from "../grouped_items.ts";
import { foldHistories } from "./history_fold.ts";
import { countRecord } from "./holder_rows.ts";
import {
  beneficiariesSheet,
  depositNamePlace,
  endedDepositsSheet,
  endedWithdrawsSheet,
  openDepositsSheet,
  openWithdrawsSheet,
} from "./money_sheets.ts";
import type { RowChange } from "./row_source.ts";
import type { TouchedItems } from "./touched_items.ts";

/** The rows of these that one window touches. */
export class MoneyFold {
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

  /** Loads the rows of what a window names. */
  async load(touched: TouchedItems, pause: () => Promise<void>): Promise<void> {
    await this.#openDeposits.load(touched.deposits, pause);
    await this.#endedDeposits.load(touched.deposits, pause);
    await this.#openWithdraws.load(touched.withdraws, pause);
    await this.#endedWithdraws.load(touched.withdraws, pause);
    await this.#beneficiaries.load(touched.beneficiaries, pause);
  }

  /** Sets a beneficiary. */
  setBeneficiary({ beneficiary }: BeneficiarySet, sequence: number): void {
    const { counters } = this.#shared;
    counters.beneficiaries = Math.max(counters.beneficiaries, beneficiary.id);
    this.#beneficiaries.put(beneficiary.id, beneficiary, sequence);
  }

  /** Counts an act, and notes its name if it has one. */
  noteAct({ id, once }: ActNoted): void {
    this.#shared.counters.acts = id;
    if (once !== undefined) this.#acts.set(once.name, { act: id, request: once.request });
  }

  /** Sets a deposit. */
  setDeposit(event: DepositSet, sequence: number): void {
    const { deposit } = event;
    const { counters, currencies, members } = this.#shared;
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

  /** Sets a withdrawal. */
  setWithdraw(event: WithdrawSet, sequence: number): void {
    const { withdraw } = event;
    const { counters, members } = this.#shared;
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

  /** Returns the changed rows, true at `end`. */
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
