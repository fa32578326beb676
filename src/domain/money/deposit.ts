/** Deposits: funds that arrive from outside, and how far they have come. */

import { canonicalName, nameFormOf, spellings } from "./chain_name.ts";
import type { Currency } from "./currency.ts";

/** The states that interfaces of this family have, in their order. */
export const DEPOSIT_STATES = [
  "submitted",
  "canceled",
  "rejected",
  "accepted",
  "aml_processing",
  "aml_suspicious",
  "processing",
  "fee_processing",
  "skipped",
  "collected",
  "errored",
  "refunding",
] as const;
export type DepositState = typeof DEPOSIT_STATES[number];

/** What the log records of a deposit; amounts are in ledger units. */
export interface Deposit {
  readonly id: number;
  /** Member index. */
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
  /** Name of the network that it came by; absent for the currency's first, and if it has none. */
  readonly network?: string;
  /** As received, before the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Transaction on the chain; empty if the operator entered none. */
  readonly txid: string;
  /** Index of the output in its transaction; {@linkcode ANY_OUTPUT} if only that is named. */
  readonly output: number;
  readonly confirmations: number;
  readonly state: DepositState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it left `submitted`, in ms; 0 before. */
  readonly completedAt: number;
  /** What it reverses; its amount and fee are negative if that is a deposit. */
  readonly reverses?: Reversed;
}

/** What may be reversed. */
export const REVERSIBLES = ["deposit", "withdraw"] as const;

/** What was reversed. */
export interface Reversed {
  readonly type: typeof REVERSIBLES[number];
  readonly id: number;
}

const OPEN_STATES: ReadonlySet<DepositState> = new Set(["submitted", "accepted", "processing"]);
/** States in which a coin deposit is among the member's locked funds. */
const LOCKED_STATES: ReadonlySet<DepositState> = new Set(["accepted", "processing"]);

/** Whether the deposit can still change; a fiat one ends with `accepted`. */
export function isDepositOpen(deposit: Pick<Deposit, "state">, isCoin: boolean): boolean {
  return OPEN_STATES.has(deposit.state) && (isCoin || deposit.state === "submitted");
}

/** Returns how much of the deposit is among the member's locked funds. */
export function depositLocked(deposit: Deposit, isCoin: boolean): bigint {
  return isCoin && LOCKED_STATES.has(deposit.state) ? deposit.amount : 0n;
}

/** Stands for all outputs of a transaction; to Bitcoin this index means "no output". */
export const ANY_OUTPUT = 0xffff_ffff;

/** What identifies a deposit: an output of a chain, or a transaction with all of its outputs. */
export interface DepositName extends Pick<Deposit, "currency" | "output"> {
  /** See {@linkcode transactionName}; an older version of the program used any spelling. */
  readonly transaction: string;
}

/**
 * Returns the name of a transaction among those of a currency: its canonical one, behind that of its
 * network if this is not the currency's first. A transaction that was made on one network may be
 * replayed on another, and pays twice then. No txid has blanks.
 *
 * @param network as records name it
 */
export function transactionName(
  currency: Currency,
  txid: string,
  network: string | undefined,
): string {
  return onNetwork(network, canonicalName(nameFormOf(currency), txid));
}

function onNetwork(network: string | undefined, name: string): string {
  return network === undefined || name === "" ? name : `${network} ${name}`;
}

/** Returns the names that a new deposit gets: its own, and that of a payment that came back. */
export function depositNamesOf(
  { deposit, transaction = deposit.txid, payment = "" }: {
    readonly deposit: Pick<Deposit, "currency" | "output" | "txid">;
    readonly transaction?: string;
    readonly payment?: string;
  },
): DepositName[] {
  const { currency, output } = deposit;
  const names = [{ currency, transaction, output }, {
    currency,
    transaction: payment,
    output: ANY_OUTPUT,
  }];
  return names.filter((name) => name.transaction !== "");
}

/** A deposit to look for, by all names that it may have been given. */
export interface SoughtDeposit extends Pick<Deposit, "currency" | "output"> {
  readonly transactions: readonly string[];
}

/**
 * Returns what to look for to find the deposit of an output, or of a whole transaction.
 *
 * @param network as records name it
 */
export function soughtDeposit(
  currency: Currency,
  txid: string,
  output: number,
  network?: string,
): SoughtDeposit {
  const transactions = spellings(nameFormOf(currency), txid)
    .map((name) => onNetwork(network, name));
  return { currency: currency.index, transactions, output };
}

/** Returns a deposit's name as text, which no other deposit shares. */
export function depositKey({ currency, transaction, output }: DepositName): string {
  return `${currency}:${output}:${transaction}`;
}

/** What may be done with a deposit, and in which states. */
export const DEPOSIT_ACTIONS = {
  /** The chain shows more or fewer confirmations. */
  confirm: ["submitted"],
  /** The funds become the member's: coins locked until they are collected, fiat available. */
  accept: ["submitted"],
  /** The rail moves the funds to the venue's own wallet. */
  process: ["accepted"],
  /** They have arrived: the locked funds become available, the fee is taken. */
  collect: ["processing"],
  /** The chain has dropped a transaction that was not yet accepted. */
  cancel: ["submitted"],
  /** The operator turns the deposit down. */
  reject: ["submitted"],
  /** The chain has dropped an accepted transaction: the locked funds are taken back. */
  drop: ["accepted", "processing"],
} as const satisfies Record<string, readonly DepositState[]>;
export type DepositAction = keyof typeof DEPOSIT_ACTIONS;
