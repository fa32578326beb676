/** What the layers to the right see of the engine: its face, and the records it speaks in. */
import type { Candle, CandlePeriod } from "../domain/candle.ts";
import type { Deposit, DepositState } from "../domain/deposit.ts";
import type { PnlRow } from "../domain/pnl.ts";
import type { Withdraw, WithdrawState } from "../domain/withdraw.ts";
import type { Command, ConnectionKey, Outcome, Receipt, Signature } from "../domain/command.ts";
import type { Order, OrderState, OrderType, Side } from "../domain/order.ts";
import type { MessageCounts } from "../domain/message_counts.ts";
import type { MarketTrade, MemberTrade } from "../domain/trade_record.ts";
import type { Venue } from "../domain/venue.ts";
import type { DaySummary } from "./candle_series.ts";
import type { DistributionFigures } from "./distribution.ts";
import type { VenueEvent } from "../domain/event.ts";
import { type SideListing, UnreadableError } from "../store/store.ts";

/** Rolling 24 hours of a market, and its last price. */
export interface Ticker extends DaySummary {
  /** Last trade price, however old; 0 without trades. */
  readonly last: number;
}

/** The place of a row beside the log. */
export type SidecarKey = readonly (string | number)[];

/** A row beside the log, written in the commit of a command's own entry, or on its own. */
export interface SidecarRow {
  readonly key: SidecarKey;
  /** Null deletes it. */
  readonly value: unknown;
}

/** Builds the rows that stand beside the log from what the command came to. */
export type Sidecar = (receipt: Receipt) => readonly SidecarRow[];

/** Which rows beside the log to list. */
export interface SidecarRange extends SideListing {
  /** All rows whose keys begin with it. */
  readonly prefix: SidecarKey;
}

/** A page of records. */
export interface Page<T> {
  readonly items: readonly T[];
  /** All that match, where counters tell it; else null. */
  readonly total: number | null;
  /** The scan stopped at its bound: there may be more. */
  readonly isScanLimited: boolean;
}

/** Which page of a list. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly direction: "asc" | "desc";
  /** Only records behind the one with this id, in the direction of the page; lists by id take it. */
  readonly after?: number;
}

/** Times in ms on `createdAt`: from inclusive, to exclusive. */
export interface OrderFilter {
  readonly markets?: ReadonlySet<number>;
  readonly states?: ReadonlySet<OrderState>;
  readonly types?: ReadonlySet<OrderType>;
  readonly side?: Side;
  readonly from?: number;
  readonly to?: number;
}

/** Times in ms on when the trade was made: from inclusive, to exclusive. */
export interface TradeFilter {
  readonly markets?: ReadonlySet<number>;
  readonly side?: Side;
  readonly from?: number;
  readonly to?: number;
}

/** Times in ms on `createdAt`: from inclusive, to exclusive. */
export interface DepositFilter {
  readonly currency?: number;
  readonly states?: ReadonlySet<DepositState>;
  readonly txid?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Times in ms on `createdAt`: from inclusive, to exclusive. */
export interface WithdrawFilter {
  readonly currency?: number;
  readonly states?: ReadonlySet<WithdrawState>;
  readonly txid?: string;
  readonly beneficiaries?: ReadonlySet<number>;
  readonly from?: number;
  readonly to?: number;
}

/** A member's deposits and withdrawals in one list; a filter of one kind leaves the other whole. */
export interface TransactionFilter {
  readonly currency?: number;
  readonly depositStates?: ReadonlySet<DepositState>;
  readonly withdrawStates?: ReadonlySet<WithdrawState>;
  readonly txid?: string;
  readonly from?: number;
  readonly to?: number;
}

/** An event with its place in the log. */
export interface LoggedEvent {
  readonly event: VenueEvent;
  readonly sequence: number;
  /** Stamped time, in ms. */
  readonly at: number;
}

/** Told of each entry when it has become part of the published state. */
export type EntryListener = (
  events: readonly VenueEvent[],
  firstSequence: number,
  at: number,
) => void;

/** Told of each event when the published state is exactly at its sequence: an order that it ended is the last of `venue.finished`. */
export type EventListener = (event: VenueEvent, sequence: number, at: number) => void;

/** How many messages each private stream of a member has carried. */
export type MemberCounts = Readonly<MessageCounts> & { readonly trade: number };

/** What of the log touches a member, read back from the end until it is enough. */
export interface MemberEvents {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** The member's message counts and trades before the first of them. */
  readonly before: MemberCounts;
  /** The log was not read far enough back: it would have been too long. */
  readonly isCut: boolean;
}

/** A deposit or a withdrawal, in a list of both. */
export type Transaction = { readonly deposit: Deposit } | { readonly withdraw: Withdraw };

/** What the rows know of a deposit's name, see `ObserveDeposit`. */
export interface DepositLookup {
  /** 0 where they know none. */
  readonly knownId: number;
  /** Sequence that the rows were true at, at least. */
  readonly checkedAt: number;
}

/** Which of a market's trades: executed before `before` (ms), if given. */
export interface MarketTradesRequest {
  readonly before?: number;
  readonly limit: number;
  readonly direction: "asc" | "desc";
}

/** Which candles: `from` and `to` in seconds, inclusive on the period's start. */
export interface CandleRequest {
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

/** What the engine has done since it was opened. */
export interface Metrics {
  /** Commits sent, of the log and of the fold. */
  readonly commits: number;
  /** Mutations of commits of the log: what an answer waits for. */
  readonly log_mutations: number;
  /** Mutations written behind the log. */
  readonly fold_mutations: number;
  /** Sequence of the published state, and how far the rows are behind it. */
  readonly events: number;
  readonly unfolded_events: number;
  readonly orders: number;
  readonly trades: number;
  readonly open_orders: number;
  /** Commands of each entry of this process that became durable. */
  readonly batch_size: DistributionFigures;
  /** Times until the fate of an entry of this process was known. */
  readonly commit_ms: DistributionFigures;
  /** Entries that another process's came before: they are decided again. */
  readonly conflicts: number;
  /** Entries that the store did not take. */
  readonly failed_commits: number;
  /** Sends of entries whose fate had to be looked up. */
  readonly unknown_commits: number;
  /** Commands that wait or are in flight. */
  readonly queue: number;
  /** Durable events that are not published yet, and the time since there were none; 0 where the process owns its store. */
  readonly lag_events: number;
  readonly lag_ms: number;
  /** Resident set size in bytes. */
  readonly rss: number;
}

/**
 * Why a venue is not ready. It is ending, or has found itself broken for good; its clock is behind
 * the log's; its store takes nothing, or has room for cancels alone; it can't read what others
 * write; its rows stand still because folding fails; orders wait in too great a number, or the rows
 * are too far behind the log to take any.
 */
export const NOT_READY_REASONS = [
  "closing",
  "invariant_broken",
  "clock_behind",
  "store_failing",
  "store_full",
  "behind",
  "fold_failing",
  "queue_full",
  "fold_behind",
] as const;
export type NotReadyReason = typeof NOT_READY_REASONS[number];

/** Whether an engine is caught up with the log, folds it, and takes orders. */
export interface Health {
  readonly isReady: boolean;
  /** Why not; empty where it is. */
  readonly reason: NotReadyReason | "";
}

/** The store cannot take the command now; nothing has happened. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

export { UnreadableError };

/** A reading before anything is asked of the venue: where it fails, nothing has happened. */
export async function beforehand<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UnavailableError("The store cannot be read", { cause: error });
  }
}

/** It is not known whether the command took effect; `orderIds` are those it would have made. */
export class OutcomeUnknownError extends Error {
  override name = "OutcomeUnknownError";
  constructor(readonly orderIds: readonly number[]) {
    super("The outcome of the command is unknown");
  }
}

/** What the layers above see of the venue. */
export interface Engine {
  /**
   * Submits a command; answers when its batch is durable.
   *
   * @throws {UnavailableError} nothing has happened
   * @throws {OutcomeUnknownError} it may have
   */
  submit(
    command: Command,
    signature: Signature | ConnectionKey | null,
    sidecar?: Sidecar,
  ): Promise<Outcome>;
  /** The published state: what is durable. Read only; synchronous. */
  readonly venue: Venue;
  /** Waits until the published state holds everything durable at the time of the call. */
  fresh(): Promise<void>;
  /**
   * Time since the published state was last known to hold everything durable, in ms; 0 where this
   * process owns its store.
   */
  readonly lagMs: number;
  /** Whether reads' nonces must ride in the log (several processes share the store). */
  readonly isShared: boolean;
  /** Order uuid of an id, and back (null where it is none of this venue's). */
  uuidOf(id: number): string;
  idOf(uuid: string): number | null;
  /** A member's order, open or finished. Call {@linkcode Engine.fresh} first, as for all reads of a member. */
  order(member: number, id: number): Promise<Order | null>;
  /** Id of the member's order under a client order id: of the last 24 hours, or else open. */
  orderIdByClient(member: number, clientOrderId: string): Promise<number | null>;
  /** A member's orders by id. */
  orders(member: number, filter: OrderFilter, page: PageRequest): Promise<Page<Order>>;
  /**
   * The trades of a member's order, oldest first, each as `form` has it: there may be any number of
   * them, so that others get their turn between.
   */
  orderTrades<T>(
    member: number,
    order: Order,
    form: (trade: MemberTrade) => T,
  ): Promise<T[]>;
  /** A member's trades by id. */
  trades(member: number, filter: TradeFilter, page: PageRequest): Promise<Page<MemberTrade>>;
  /** Trades executed before `before` (ms), if given. */
  marketTrades(
    market: number,
    request: MarketTradesRequest,
  ): Promise<readonly MarketTrade[]>;
  /** Candles by ascending time; `from` and `to` are in seconds, inclusive on the period's start. */
  candles(
    market: number,
    period: CandlePeriod,
    request: CandleRequest,
  ): Promise<readonly Candle[]>;
  /** A market's last 24 hours, and its last price. */
  ticker(market: number): Ticker;
  /** Calls the listener with each durable entry's events, in order, as they are published. */
  onEntry(listener: EntryListener): void;
  /** A deposit of any member; null where there is none of this id. */
  deposit(id: number): Promise<Deposit | null>;
  /** A member's deposits by id. */
  deposits(member: number, filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>>;
  /** All members' deposits by id: the operator's view. */
  allDeposits(filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>>;
  /**
   * Whether an output of a chain is known already, or any of a transaction (`ANY_OUTPUT`); ask
   * right before `observe_deposit`.
   */
  findDeposit(currency: number, txid: string, output: number): Promise<DepositLookup>;
  /** A withdrawal of any member; null where there is none of this id. */
  withdraw(id: number): Promise<Withdraw | null>;
  /** A member's withdrawals by id. */
  withdraws(member: number, filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>>;
  /** All members' withdrawals by id: the operator's view. */
  allWithdraws(filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>>;
  /** A member's deposits and withdrawals by creation time, then id. */
  transactions(
    member: number,
    filter: TransactionFilter,
    page: PageRequest,
  ): Promise<Page<Transaction>>;
  /** Waits until the rows hold everything that is durable at the time of the call. */
  folded(): Promise<void>;
  /** A member's profit and loss, of everything durable at the time of the call. */
  pnl(member: number): Promise<readonly PnlRow[]>;
  /** Calls the listener after each durable event, in order. */
  onEvent(listener: EventListener): void;
  /**
   * A member's events of late, see {@linkcode MemberEvents}. `isEnough` is asked for the first time
   * while the venue is exactly at the sequence that the events reach up to.
   */
  memberEvents(member: number, isEnough: (before: MemberCounts) => boolean): Promise<MemberEvents>;
  /** Reads a row beside the log; null where there is none. */
  readSidecar(key: SidecarKey): Promise<unknown>;
  /** Writes a row beside the log outside any command. */
  writeSidecar(row: SidecarRow): Promise<void>;
  /** Writes it only where there is none; answers whether it did. */
  createSidecar(row: SidecarRow): Promise<boolean>;
  /**
   * Replaces a row by what `change` makes of it, atomically: `change` may be called again where
   * somebody else was first, and may throw to leave the row alone. That somebody may be this very
   * call: over a network a change may be made whose answer is lost, which `change` has to see by the
   * row. `old` is null where there is no row, and a new value of null leaves none. Answers the new
   * value.
   */
  changeSidecar<T>(key: SidecarKey, change: (old: unknown) => T): Promise<T>;
  /** Rows beside the log by key. */
  listSidecar(range: SidecarRange): Promise<readonly SidecarRow[]>;
  /** Figures since the engine was opened. */
  metrics(): Metrics;
  /** Whether orders are taken, and why not. */
  health(): Health;
  /** The venue's clock, in ms. */
  now(): number;
  /** Answers what is in the queue, folds no more, and closes the store. */
  close(): Promise<void>;
}
