/** The engine as the layers to the right see it: its interface, and the records in it. */
import type { SoughtAct } from "../domain/people/act_names.ts";
import type { Candle, CandlePeriod } from "../domain/trading/candle.ts";
import type { Deposit, DepositState } from "../domain/money/deposit.ts";
import type { PnlRow } from "../domain/pnl/pnl.ts";
import type { Withdraw, WithdrawState } from "../domain/money/withdraw.ts";
import type { Author, Command, Outcome, Receipt } from "../domain/command.ts";
import type { Order, OrderState, OrderType, Side } from "../domain/trading/order.ts";
import type { MessageCounts } from "../domain/message_counts.ts";
import type { MarketTrade, MemberTrade } from "../domain/trading/trade_record.ts";
import type { Venue } from "../domain/venue.ts";
import type { DaySummary } from "./candle_series.ts";
import type { DistributionFigures } from "./distribution.ts";
import type { ReadNonces } from "./read_nonces.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { SidecarKey } from "../store/sidecar_keys.ts";
import type { SidecarListing } from "../store/store.ts";
import type { FundsRecord } from "../domain/money/funds.ts";
import type { CurrencyFunds } from "./read/funds_walk.ts";

export {
  beforehand,
  firstWrite,
  isStoreAway,
  OutcomeUnknownError,
  RowChangedError,
  UnavailableError,
} from "./engine_errors.ts";
export type { SidecarKey } from "../store/sidecar_keys.ts";
export { UnreadableError } from "../store/store.ts";

/** A market's rolling 24 hours and its last price. */
export interface Ticker extends DaySummary {
  /** Price of the last trade, however old; 0 without trades. */
  readonly last: number;
}

/** A sidecar row, written in the commit of a command's entry or on its own. */
export interface SidecarRow {
  readonly key: SidecarKey;
  /** Null deletes the row. */
  readonly value: unknown;
}

/** Builds a command's sidecar rows from its receipt. */
export type Sidecar = (receipt: Receipt) => readonly SidecarRow[];

/** A sidecar row as it was read. */
export interface HeldRow {
  readonly key: SidecarKey;
  readonly value: unknown;
  /** Null if there was no row. */
  readonly versionstamp: string | null;
}

/** Which sidecar rows to list. */
export interface SidecarRange extends SidecarListing {
  /** The rows' keys begin with it. */
  readonly prefix: SidecarKey;
}

/** A page of records. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Number of all matching records if counters tell it, else null. */
  readonly total: number | null;
  /** Whether the scan stopped at its limit, so that there may be more. */
  readonly isScanLimited: boolean;
  /** Number of records looked at to find them. */
  readonly scanned: number;
  /** If the scan stopped at its limit in a list by id: the last id that it has looked at. */
  readonly scannedId?: number;
}

/** Ids of the first and the last record of a part of a list by id, both inclusive. */
export interface IdRange {
  readonly fromId?: number;
  readonly toId?: number;
}

/** Selects a page of a list; its ids are for lists by id. */
export interface PageRequest extends IdRange {
  readonly offset: number;
  readonly limit: number;
  readonly direction: "asc" | "desc";
  /** Only records after the one with this id, in the page's direction. */
  readonly after?: number;
  /**
   * Whether both sides of a trade with oneself are on the page if one is, which may then hold one
   * more than its limit: who continues behind its last id would miss the other one.
   */
  readonly isWhole?: boolean;
}

/** Selects orders; `from` (inclusive) and `to` (exclusive) are `createdAt` times in ms. */
export interface OrderFilter {
  readonly markets?: ReadonlySet<number>;
  readonly states?: ReadonlySet<OrderState>;
  readonly types?: ReadonlySet<OrderType>;
  readonly side?: Side;
  readonly from?: number;
  readonly to?: number;
}

/** Selects trades; `from` (inclusive) and `to` (exclusive) are in ms. */
export interface TradeFilter {
  readonly markets?: ReadonlySet<number>;
  readonly side?: Side;
  readonly from?: number;
  readonly to?: number;
}

/** Selects deposits; `from` (inclusive) and `to` (exclusive) are `createdAt` times in ms. */
export interface DepositFilter {
  readonly currency?: number;
  readonly states?: ReadonlySet<DepositState>;
  readonly txid?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Selects withdrawals; `from` (inclusive) and `to` (exclusive) are `createdAt` times in ms. */
export interface WithdrawFilter {
  readonly currency?: number;
  readonly states?: ReadonlySet<WithdrawState>;
  readonly isApproved?: boolean;
  readonly txid?: string;
  readonly beneficiaries?: ReadonlySet<number>;
  /** Only open ones, of which this is true. */
  readonly waits?: (withdraw: Withdraw) => boolean;
  readonly from?: number;
  readonly to?: number;
}

/** Selects deposits and withdrawals in one list; the states of one kind do not limit the other. */
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
  /** Time stamped on its entry, in ms. */
  readonly at: number;
}

/** Called with each entry once it is part of the published state. */
export type EntryListener = (
  events: readonly VenueEvent[],
  firstSequence: number,
  at: number,
) => void;

/**
 * Called with each event while the published state is exactly at its sequence: an order that the
 * event ended is the last of `venue.endedOrders`.
 */
export type EventListener = (event: VenueEvent, sequence: number, at: number) => void;

/** How many messages each private stream of a member has carried. */
export type MemberCounts = Readonly<MessageCounts> & { readonly trade: number };

/** A member's events in the log, read back from its end until they are enough. */
export interface MemberEvents {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** The member's message and trade counts before the first of them. */
  readonly before: MemberCounts;
  /** Whether the log was too long to be read back far enough. */
  readonly isCut: boolean;
}

/** A deposit or a withdrawal, in a list of both. */
export type Transaction = { readonly deposit: Deposit } | { readonly withdraw: Withdraw };

/**
 * How far a list of both was read: the id of the last deposit and of the last withdrawal; 0 if none
 * was read yet.
 */
export interface TransactionPosition {
  readonly deposit: number;
  readonly withdraw: number;
}

/** A page of a list of both, and where the next one begins. */
export interface TransactionPage extends Page<Transaction> {
  readonly end: TransactionPosition;
}

/** What the rows know of a deposit's name, see `ObserveDeposit`. */
export interface DepositLookup {
  /** Id of its deposit; 0 if they know none. */
  readonly knownId: number;
  /** The rows were true at this sequence or a later one. */
  readonly checkedAt: number;
}

/** What is known of the name of an operator's call, see `SoughtAct`. */
export type ActLookup = Pick<SoughtAct, "known" | "checkedAt">;

/** Selects a market's trades; `from` (inclusive) and `to` (exclusive) are in ms. */
export interface MarketTradesRequest extends IdRange {
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly direction: "asc" | "desc";
}

/** Selects candles; `from` and `to` are in seconds and limit the period's start, inclusive. */
export interface CandleRequest {
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

/** Figures since the engine was opened. */
export interface Metrics {
  /** Commits sent, both of the log and of the fold. */
  readonly commits: number;
  /** Mutations in commits of the log, which answers wait for. */
  readonly log_mutations: number;
  /** Mutations in commits of the fold. */
  readonly fold_mutations: number;
  /** Sequence of the published state, and how many events the rows are behind it. */
  readonly events: number;
  readonly unfolded_events: number;
  /** How long the oldest of those has waited for it, in ms. */
  readonly unfolded_ms: number;
  readonly orders: number;
  readonly trades: number;
  readonly open_orders: number;
  /** Commands per entry of this process that became durable. */
  readonly batch_size: DistributionFigures;
  /** Times until the fate of an entry of this process was known, in ms. */
  readonly commit_ms: DistributionFigures;
  /** Entries that another process's entry came before, and that were decided again. */
  readonly conflicts: number;
  /** Entries that the store did not take. */
  readonly failed_commits: number;
  /** Sends of entries whose fate had to be looked up. */
  readonly unknown_commits: number;
  /** Commands that wait or are in flight. */
  readonly queue: number;
  /** Durable events not published yet, and time since there were none; 0 in an unshared store. */
  readonly lag_events: number;
  readonly lag_ms: number;
  /** Resident set size in bytes. */
  readonly rss: number;
}

/**
 * Why a venue is not ready. It is closing, or found an invariant broken; others seal secrets with a
 * master key that it lacks; its clock is behind the log's, or was stepped; its store takes no
 * writes, or has room for cancels only; it can't read what other processes write; nothing of what it
 * is asked for gets into the log; its rows stand still because folding fails; too many orders are
 * waiting, or the rows are too far behind the log to take any.
 */
export const NOT_READY_REASONS = [
  "closing",
  "invariant_broken",
  "master_key_outdated",
  "clock_behind",
  "store_failing",
  "clock_stepped",
  "store_full",
  "behind",
  "standstill",
  "fold_failing",
  "queue_full",
  "fold_behind",
] as const;
export type NotReadyReason = typeof NOT_READY_REASONS[number];

/** How far the log's time may be ahead of a process's clock before it may not write, in ms. */
export const CLOCK_AHEAD_MS_MAX = 2_000;

/** Whether an engine has caught up with the log, folds it, and takes orders. */
export interface Health {
  readonly isReady: boolean;
  /** Why not; empty if it is ready. */
  readonly reason: NotReadyReason | "";
}

/**
 * How far behind the log a process may be, in ms, when it speaks of the published state without
 * catching up first: it may have stood still, or been unable to read.
 */
export const LATE_MS_MAX = 250;

/** The venue as the layers to the right see it. */
export interface Engine {
  /**
   * Submits a command. Resolves when its batch is durable.
   *
   * @param author who gives it: a key, a person as an operator, or the venue itself (null)
   * @param held rows without which the command may not happen: its commit checks that
   * @throws {UnavailableError} if nothing has happened
   * @throws {RowChangedError} if one of them has changed; nothing has happened
   * @throws {OutcomeUnknownError} if something may have
   */
  submit(
    command: Command,
    author: Author | null,
    sidecar?: Sidecar,
    ...held: readonly HeldRow[]
  ): Promise<Outcome>;
  /** The published state: what is durable. Read-only. */
  readonly venue: Venue;
  /** Waits until the published state holds everything that was durable at the time of the call. */
  fresh(): Promise<void>;
  /**
   * Time since the published state was last known to hold everything durable, in ms; 0 if this
   * process owns its store.
   */
  readonly lagMs: number;
  /** Whether several processes share the store, so that reads' nonces must go into the log. */
  readonly isShared: boolean;
  /** The nonces of reads that this process alone remembers, if it owns its store. */
  readonly readNonces: ReadNonces;
  /** Converts an order's id to its uuid, and back (null if it is none of this venue's). */
  uuidOf(id: number): string;
  idOf(uuid: string): number | null;
  /**
   * Returns a member's order, open or ended. Call {@linkcode Engine.fresh} first, as for all
   * reads of a member.
   */
  order(member: number, id: number): Promise<Order | null>;
  /** Returns the id of a member's order by client order id: of the last 24 hours, or still open. */
  orderIdByClient(member: number, clientOrderId: string): Promise<number | null>;
  /** Returns a member's orders by id. */
  orders(member: number, filter: OrderFilter, page: PageRequest): Promise<Page<Order>>;
  /**
   * Returns the trades of a member's order, oldest first, each as `form` makes it. Lets others take
   * turns meanwhile, since there may be any number of trades.
   */
  orderTrades<T>(
    member: number,
    order: Order,
    form: (trade: MemberTrade) => T,
  ): Promise<T[]>;
  /** Members' funds at any time. */
  readonly funds: Funds;
  /** Returns a member's trades by id. */
  trades(member: number, filter: TradeFilter, page: PageRequest): Promise<Page<MemberTrade>>;
  /** Returns a market's trades. */
  marketTrades(
    market: number,
    request: MarketTradesRequest,
  ): Promise<readonly MarketTrade[]>;
  /** Returns candles by ascending time. */
  candles(
    market: number,
    period: CandlePeriod,
    request: CandleRequest,
  ): Promise<readonly Candle[]>;
  /** Returns a market's last 24 hours and its last price. */
  ticker(market: number): Ticker;
  /** Calls the listener with each durable entry's events, in order, as they are published. */
  onEntry(listener: EntryListener): void;
  /** Returns a deposit of any member; null if there is none with this id. */
  deposit(id: number): Promise<Deposit | null>;
  /** Returns a member's deposits by id. */
  deposits(member: number, filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>>;
  /** Returns all members' deposits by id: the operator's view. */
  allDeposits(filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>>;
  /**
   * Returns whether an output of a chain, or any output of a transaction (`ANY_OUTPUT`), is already
   * known. Call it right before `observe_deposit`.
   *
   * @param network as records name it
   */
  findDeposit(
    currency: number,
    txid: string,
    output: number,
    network?: string,
  ): Promise<DepositLookup>;
  /** Returns what is known of a call's name. Use it for a command right after. */
  findAct(name: string): Promise<ActLookup>;
  /** Returns a withdrawal of any member; null if there is none with this id. */
  withdraw(id: number): Promise<Withdraw | null>;
  /** Returns a member's withdrawals by id. */
  withdraws(member: number, filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>>;
  /** Returns all members' withdrawals by id: the operator's view. */
  allWithdraws(filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>>;
  /**
   * Returns a member's deposits and withdrawals by creation time, then id.
   *
   * @param position only what comes after it, in the page's direction
   */
  transactions(
    member: number,
    filter: TransactionFilter,
    page: PageRequest,
    position?: TransactionPosition,
  ): Promise<TransactionPage>;
  /** Waits until the rows hold everything that was durable at the time of the call. */
  folded(): Promise<void>;
  /** Returns a member's profit and loss, of everything durable at the time of the call. */
  pnl(member: number): Promise<readonly PnlRow[]>;
  /** Calls the listener after each durable event, in order. */
  onEvent(listener: EventListener): void;
  /**
   * Makes a push of what is published now, once the watch or the timer beside it has told of that; in
   * the order of the calls. Call it amid an event or an entry: what must hold from the commit on is
   * done at once, and what clients are told of it waits.
   */
  whenHeard(push: () => void): void;
  /** Makes the pushes that still wait, before something is said that is true only after them. */
  pushWaiting(): void;
  /**
   * Returns a member's latest events, see {@linkcode MemberEvents}. `isEnough` is first called
   * while the venue is exactly at the sequence that the events reach up to.
   */
  memberEvents(member: number, isEnough: (before: MemberCounts) => boolean): Promise<MemberEvents>;
  /** Reads a sidecar row; null if there is none. */
  readSidecar(key: SidecarKey): Promise<unknown>;
  /** Reads sidecar rows in the order of their keys, ten at a time; null where there is none. */
  readSidecars(keys: readonly SidecarKey[]): Promise<readonly unknown[]>;
  /** Reads a sidecar row that a command is to hold. */
  holdSidecar(key: SidecarKey): Promise<HeldRow>;
  /** Reads sidecar rows in the order of their keys that are to be replaced. */
  holdSidecars(keys: readonly SidecarKey[]): Promise<readonly HeldRow[]>;
  /** Writes a sidecar row outside any command. */
  writeSidecar(row: SidecarRow): Promise<void>;
  /** Writes a row only if there is none, and returns whether it did. */
  createSidecar(row: SidecarRow): Promise<boolean>;
  /**
   * Writes groups of up to 9 rows by their new values, each whole or not at all, and returns for each
   * whether it did. As many as the store takes are written together: none of those if any of their
   * rows is no longer as it was read.
   */
  replaceSidecars(groups: readonly (readonly HeldRow[])[]): Promise<readonly boolean[]>;
  /**
   * Replaces a row atomically by what `change` makes of it, and returns the new value. `old` is
   * null if there is no row; a new value of null leaves none. `change` may throw to leave the row
   * alone, and is called again if another write came first. Over a network that may be this very
   * call's own write, whose answer was lost: `change` has to recognise it by the row.
   */
  changeSidecar<T>(key: SidecarKey, change: (old: unknown) => T): Promise<T>;
  /** Lists sidecar rows by key. */
  listSidecar(range: SidecarRange): Promise<readonly SidecarRow[]>;
  /** Returns figures since the engine was opened. */
  metrics(): Metrics;
  /** Returns whether orders are taken, and if not, why. */
  health(): Health;
  /** Returns the venue's time, in ms. */
  now(): number;
  /** Answers what is queued, stops folding, and closes the store. */
  close(): Promise<void>;
}

/** Reads of members' funds, all as of a moment. Call `Engine.fresh` first. */
export interface Funds {
  /** Sums what all members have now, by index of the currency, while the venue goes on. */
  sums(): Promise<readonly CurrencyFunds[]>;
  /** Returns the present moment. */
  now(member: number): FundsMoment;
  /**
   * Returns a member's funds before a time (ms), or at the moment if that is earlier. Adds up at most
   * {@linkcode TRADES_PER_FUNDS_RECORD} trades and what is in memory, however many there are.
   *
   * @throws {UnavailableError} if the rows lack them: an older program has folded
   */
  before(member: number, moment: FundsMoment, time: number): Promise<FundsThen>;
  /** Returns a member's funds at a place among what has moved them; see `before`. */
  at(member: number, moment: FundsMoment, place: FundsPlace): Promise<FundsThen>;
  /** Returns what has moved a member's funds by sequence, without trades; see `before`. */
  moved(
    member: number,
    moment: FundsMoment,
    range: FundsRange,
    page: PageRequest,
  ): Promise<Page<FundsRecord>>;
}

/** A moment of the published state; what came after it is not read. */
export interface FundsMoment {
  readonly sequence: number;
  /** Id of the venue's last trade. */
  readonly trades: number;
  /** The venue's time, in ms. */
  readonly at: number;
  /** The member's funds, in ledger units by currency index. */
  readonly totals: ReadonlyMap<number, bigint>;
}

/** A place among what has moved a member's funds, behind a trade and behind another record. */
export interface FundsPlace {
  /** Place of the last trade before it ({@linkcode tradePlace}); 0 if there is none. */
  readonly trade: number;
  /** Id of the last record before it that is no trade; 0 if there is none. */
  readonly record: number;
}

/** Funds at a time. */
export interface FundsThen {
  readonly totals: ReadonlyMap<number, bigint>;
  /** Number of records looked at. */
  readonly scanned: number;
}

/** A range of times in ms; `from` is inclusive, `to` is not. */
export interface FundsRange {
  readonly from?: number;
  readonly to?: number;
}
