/** How the states of money are named. */
import { t } from "../shared/language.ts";
import { plain } from "../shared/amounts.ts";
import type { Deposit, MoneyWords, Withdraw } from "./money.ts";

/** How a state looks: done, not done for good, or under way. */
export type Tone = "good" | "bad" | "wait";

const DONE: readonly string[] = ["collected", "accepted", "succeed"];
const OVER: readonly string[] = [
  "canceled",
  "rejected",
  "failed",
  "errored",
  "skipped",
  "refunding",
  "aml_suspicious",
];

/** Returns what the state of a deposit is called. */
export function depositState({ state }: Pick<Deposit, "state">): string {
  return t.wallet.depositStates[state];
}

/** Returns what the state of a withdrawal is called, and what it waits for. */
export function withdrawState(
  { state, waits_for: waitsFor }: Pick<Withdraw, "state"> & Partial<Pick<Withdraw, "waits_for">>,
): string {
  if (state === "accepted" && waitsFor === "approval") return t.wallet.waitsForApproval;
  return t.wallet.withdrawStates[state];
}

/** Returns how the state of a deposit looks. */
export function depositTone({ state }: Pick<Deposit, "state">): Tone {
  return DONE.includes(state) ? "good" : OVER.includes(state) ? "bad" : "wait";
}

/** Returns how the state of a withdrawal looks. */
export function withdrawTone({ state }: Pick<Withdraw, "state">): Tone {
  return state === "succeed" ? "good" : OVER.includes(state) ? "bad" : "wait";
}

/** Returns a currency's code as people write it. */
export function code(currency: string): string {
  return currency.toUpperCase();
}

/** Returns an amount with its currency. */
export function amountOf(amount: string, currency: string): string {
  return `${plain(amount)} ${code(currency)}`;
}

/** Whether an amount is zero. */
export function isNothing(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/** What is said when money has moved on. */
export const told: MoneyWords = {
  deposit: (deposit) =>
    `${t.wallet.deposit}: ${amountOf(deposit.amount, deposit.currency)} – ${depositState(deposit)}`,
  withdraw: (withdraw) =>
    `${t.wallet.withdrawal}: ${amountOf(withdraw.amount, withdraw.currency)} – ` +
    withdrawState(withdraw),
};
