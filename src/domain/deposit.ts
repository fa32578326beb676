/** Deposits: funds that arrive from outside, and how far they have come. */

/** States of the family, in its order. */
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

/** What the log says of a deposit; amounts in ledger units. */
export interface Deposit {
  readonly id: number;
  /** Member index. */
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
  /** As received, with the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** Transaction on the chain; empty where the operator entered none. */
  readonly txid: string;
  /** Place of the output in its transaction; {@linkcode ANY_OUTPUT} where only that is named. */
  readonly output: number;
  readonly confirmations: number;
  readonly state: DepositState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it left `submitted`, in ms; 0 before. */
  readonly completedAt: number;
}

const OPEN_STATES: ReadonlySet<DepositState> = new Set(["submitted", "accepted", "processing"]);
/** States in which a coin deposit is among the member's locked funds. */
const LOCKED_STATES: ReadonlySet<DepositState> = new Set(["accepted", "processing"]);

/** Whether the deposit can still change; one of a fiat currency ends with `accepted`. */
export function isDepositOpen(deposit: Pick<Deposit, "state">, isCoin: boolean): boolean {
  return OPEN_STATES.has(deposit.state) && (isCoin || deposit.state === "submitted");
}

/** What of the deposit is among the member's locked funds. */
export function depositLocked(deposit: Deposit, isCoin: boolean): bigint {
  return isCoin && LOCKED_STATES.has(deposit.state) ? deposit.amount : 0n;
}

/** Stands for all outputs of a transaction: Bitcoin writes "no output" so. */
export const ANY_OUTPUT = 0xffff_ffff;

/** What a deposit is known by: an output of a chain, or a transaction with all of its outputs. */
export type DepositName = Pick<Deposit, "currency" | "txid" | "output">;

/** A deposit's name as a text: no two deposits share one. */
export function depositKey({ currency, txid, output }: DepositName): string {
  return `${currency}:${output}:${txid}`;
}

/** What may be done with a deposit, and the states that it may be done in. */
export const DEPOSIT_ACTIONS = {
  /** The chain shows more or fewer confirmations. */
  confirm: ["submitted"],
  /** Funds are the member's: locked for a coin until they are collected, free for fiat. */
  accept: ["submitted"],
  /** The rail moves them to the venue's own wallet. */
  process: ["accepted"],
  /** They are there: locked funds become free, the fee is taken. */
  collect: ["processing"],
  /** The chain has dropped a transaction that was not accepted yet. */
  cancel: ["submitted"],
  /** The operator does not want them. */
  reject: ["submitted"],
  /** The chain has dropped an accepted transaction: locked funds are taken back. */
  drop: ["accepted", "processing"],
} as const satisfies Record<string, readonly DepositState[]>;
export type DepositAction = keyof typeof DEPOSIT_ACTIONS;
