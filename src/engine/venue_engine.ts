/** A running engine: what is submitted, read and listened to, handed to its parts. */
import type { Candle, CandlePeriod } from "../domain/trading/candle.ts";
import type { Author, Command, Outcome } from "../domain/command.ts";
import { namesClientOrders } from "../domain/command_rules.ts";
import type { Deposit } from "../domain/money/deposit.ts";
import { ordersNamed } from "../domain/trading/named_orders.ts";
import type { Order } from "../domain/trading/order.ts";
import type { PnlRow } from "../domain/pnl/pnl.ts";
import type { MarketTrade, MemberTrade } from "../domain/trading/trade_record.ts";
import type { Venue } from "../domain/venue.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import type { OwnerLock } from "../store/file/owner_lock.ts";
import { sidecarKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { ClientOrderLoads } from "./commit/client_order_loads.ts";
import {
  type ActLookup,
  type CandleRequest,
  type DepositFilter,
  type DepositLookup,
  type Engine,
  type EntryListener,
  type EventListener,
  type Health,
  type HeldRow,
  type MarketTradesRequest,
  type MemberCounts,
  type MemberEvents,
  type Metrics,
  type NotReadyReason,
  type OrderFilter,
  type Page,
  type PageRequest,
  type Sidecar,
  type SidecarKey,
  type SidecarRange,
  type SidecarRow,
  type Ticker,
  type TradeFilter,
  type TransactionFilter,
  type TransactionPage,
  type TransactionPosition,
  UnavailableError,
  type WithdrawFilter,
} from "./engine.ts";
import type { Folder } from "./fold/folder.ts";
import { UNFOLDED_EVENTS_MAX } from "./commit/batch_pace.ts";
import { FundsQueries } from "./read/funds_queries.ts";
import type { CommitMeter } from "./commit/commit_meter.ts";
import type { LogFollower } from "./shared/log_follower.ts";
import type { OrderUuids } from "./order_uuid.ts";
import { readMemberEvents } from "./read/member_events.ts";
import type { PublishedState } from "./published_state.ts";
import { MoneyQueries } from "./read/money_queries.ts";
import { readPnl } from "./read/pnl_query.ts";
import { ReadingQueue } from "./reading_queue.ts";
import type { ReadNonces } from "./read_nonces.ts";
import { Queries } from "./read/queries.ts";
import { OUTCOME_MS_MAX, QueuedCommand } from "./commit/queued_command.ts";
import type { StoreHealth } from "./store_health.ts";
import type { Turns } from "./shared/turns.ts";
import type { Push } from "./shared/waiting_pushes.ts";
import { COMMANDS_QUEUED_MAX, type Sequencer } from "./commit/sequencer.ts";

/** How often callers whose deadline has passed are told, in ms. */
const EXPIRE_MS = 500;
/** How long others' entries may go unread before the venue counts as not ready, in ms. */
const LAG_MS_MAX = 1_500;
/** Round trips to the store that even the newest knowledge is old: one reading follows another. */
const LAG_TRIPS = 2;

/** The parts of an engine. */
export interface EngineParts {
  readonly store: Store;
  readonly published: PublishedState;
  readonly follower: LogFollower;
  readonly folder: Folder;
  readonly sequencer: Sequencer;
  readonly turns: Turns;
  readonly uuids: OrderUuids;
  readonly meter: CommitMeter;
  readonly isShared: boolean;
  readonly readNonces: ReadNonces;
  /** Held if this process owns its file. */
  readonly lock: OwnerLock | null;
  readonly storeHealth: StoreHealth;
  readonly now: () => number;
  readonly scanRecordsMax: number;
  /** Number of unfolded events, as the sequencer counts them. */
  readonly unfoldedEvents: () => number;
}

/** A running venue. */
export class VenueEngine implements Engine {
  readonly #parts: EngineParts;
  readonly funds: FundsQueries;
  readonly isShared: boolean;
  readonly #queries: Queries;
  readonly #money: MoneyQueries;
  readonly #clientOrders: ClientOrderLoads;
  readonly #pnlTurns = new ReadingQueue();
  #expiry: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.isShared = parts.isShared;
    this.#queries = new Queries(parts);
    this.funds = new FundsQueries({ ...parts, queries: this.#queries });
    this.#money = new MoneyQueries(parts);
    this.#clientOrders = new ClientOrderLoads(parts.store, parts.published);
  }

  /** Starts the background loops. */
  start(): void {
    const { follower, folder, sequencer, storeHealth } = this.#parts;
    sequencer.start();
    folder.start();
    follower.start(() => sequencer.wake());
    storeHealth.start();
    this.#expiry = setInterval(() => {
      sequencer.expire(performance.now());
      this.#clientOrders.forget();
    }, EXPIRE_MS);
  }

  get venue(): Venue {
    return this.#parts.published.venue;
  }

  get readNonces(): ReadNonces {
    return this.#parts.readNonces;
  }

  get lagMs(): number {
    if (!this.isShared) return 0;
    this.#parts.follower.touch();
    return this.#lateMs();
  }

  now(): number {
    return this.#parts.now();
  }

  submit(
    command: Command,
    author: Author | null,
    sidecar: Sidecar | null = null,
    ...held: readonly HeldRow[]
  ): Promise<Outcome> {
    const deadline = performance.now() + OUTCOME_MS_MAX;
    const queued = new QueuedCommand(command, author, sidecar, deadline, held);
    const reading = this.#clientOrders.before(command);
    return reading === null ? this.#enqueue(queued) : this.#enqueueAfter(reading, queued);
  }

  #enqueueAfter(reading: Promise<void>, queued: QueuedCommand): Promise<Outcome> {
    const enqueue = () => this.#enqueue(queued);
    // A command that names no ids does without them.
    return reading.then(enqueue, namesClientOrders(queued.command) ? null : enqueue);
  }

  #enqueue(queued: QueuedCommand): Promise<Outcome> {
    const refusal = this.#refuse(queued);
    if (refusal !== "") return Promise.reject(new UnavailableError(refusal));
    queued.watch = this.#parts.meter.tracer?.queued(queued.command) ?? null;
    this.#parts.sequencer.add(queued);
    return queued.answer;
  }

  #refuse(command: QueuedCommand): NotReadyReason | "" {
    const { sequencer } = this.#parts;
    if (this.#isClosed) return "closing";
    if (sequencer.fault !== "" && sequencer.fault !== "store_failing") return sequencer.fault;
    if (sequencer.isFullFor(command.command) && !command.isBrake) return "queue_full";
    return this.#pressure(command.isBrake);
  }

  /** Returns why commands are refused though the store takes them; empty if they are not. */
  #pressure(isBrake: boolean): NotReadyReason | "" {
    const { sequencer, storeHealth, unfoldedEvents } = this.#parts;
    if (sequencer.size >= COMMANDS_QUEUED_MAX) return "queue_full";
    if (isBrake) return "";
    if (storeHealth.isFull) return "store_full";
    return unfoldedEvents() >= UNFOLDED_EVENTS_MAX ? "fold_behind" : "";
  }

  async fresh(): Promise<void> {
    // What is in memory can no longer be trusted, nor what it would be completed with.
    if (this.#parts.sequencer.fault === "invariant_broken") {
      throw new UnavailableError("invariant_broken");
    }
    if (this.#parts.isShared) await this.#parts.follower.catchUp();
  }

  uuidOf(id: number): string {
    return this.#parts.uuids.toUuid(id);
  }

  idOf(uuid: string): number | null {
    return this.#parts.uuids.toId(uuid);
  }

  order(member: number, id: number): Promise<Order | null> {
    return this.#queries.order(member, id);
  }

  async orderIdByClient(member: number, clientOrderId: string): Promise<number | null> {
    await this.#clientOrders.load(member);
    const ids = ordersNamed(this.venue.holder(member), [clientOrderId], this.now());
    return ids.get(clientOrderId) ?? null;
  }

  orders(member: number, filter: OrderFilter, page: PageRequest): Promise<Page<Order>> {
    return this.#queries.orders(member, filter, page);
  }

  orderTrades<T>(member: number, order: Order, form: (trade: MemberTrade) => T): Promise<T[]> {
    return this.#queries.orderTrades(member, order, form);
  }

  trades(member: number, filter: TradeFilter, page: PageRequest): Promise<Page<MemberTrade>> {
    return this.#queries.trades(member, filter, page);
  }

  marketTrades(market: number, request: MarketTradesRequest): Promise<readonly MarketTrade[]> {
    return this.#queries.marketTrades(market, request);
  }

  candles(
    market: number,
    period: CandlePeriod,
    request: CandleRequest,
  ): Promise<readonly Candle[]> {
    return this.#queries.candles(market, period, request);
  }

  ticker(market: number): Ticker {
    const last = this.venue.book(market).lastPrice;
    return { ...this.#parts.published.candlesOf(market).day(this.now()), last };
  }

  deposit(id: number): Promise<Deposit | null> {
    return this.#money.deposit(id);
  }

  deposits(member: number, filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>> {
    return this.#money.deposits(member, filter, page);
  }

  allDeposits(filter: DepositFilter, page: PageRequest): Promise<Page<Deposit>> {
    return this.#money.deposits(undefined, filter, page);
  }

  findDeposit(...sought: Parameters<Engine["findDeposit"]>): Promise<DepositLookup> {
    return this.#money.findDeposit(...sought);
  }

  findAct(name: string): Promise<ActLookup> {
    return this.#money.findAct(name);
  }

  withdraw(id: number): Promise<Withdraw | null> {
    return this.#money.withdraw(id);
  }

  withdraws(member: number, filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>> {
    return this.#money.withdraws(member, filter, page);
  }

  allWithdraws(filter: WithdrawFilter, page: PageRequest): Promise<Page<Withdraw>> {
    return this.#money.withdraws(undefined, filter, page);
  }

  transactions(
    member: number,
    filter: TransactionFilter,
    page: PageRequest,
    position?: TransactionPosition,
  ): Promise<TransactionPage> {
    return this.#money.transactions(member, filter, page, position);
  }

  async folded(): Promise<void> {
    await this.fresh();
    await this.#parts.folder.reached(this.#parts.published.sequence);
  }

  async pnl(member: number): Promise<readonly PnlRow[]> {
    await this.fresh();
    const { folder, published, store } = this.#parts;
    return await this.#pnlTurns.run(member, () => {
      const entries = published.tail.entriesAfter(published.sequence - folder.unfoldedEvents);
      return readPnl(store, published.venue, { member, entries, catchUp: () => this.fresh() });
    });
  }

  onEntry(listener: EntryListener): void {
    this.#parts.published.onEntry(listener);
  }

  onEvent(listener: EventListener): void {
    this.#parts.published.onEvent(listener);
  }

  whenHeard(push: Push): void {
    const { pushes, sequence } = this.#parts.published;
    pushes.add(sequence, push);
  }

  pushWaiting(): void {
    this.#parts.published.pushes.makeAll();
  }

  async memberEvents(
    member: number,
    isEnough: (before: MemberCounts) => boolean,
  ): Promise<MemberEvents> {
    await this.fresh();
    return await readMemberEvents(this.#parts.store, this.#parts.published, member, isEnough);
  }

  async readSidecar(key: SidecarKey): Promise<unknown> {
    return (await this.#parts.store.get(sidecarKey(key))).value;
  }

  async holdSidecar(key: SidecarKey): Promise<HeldRow> {
    return { key, ...await this.#parts.store.get(sidecarKey(key)) };
  }

  async holdSidecars(keys: readonly SidecarKey[]): Promise<readonly HeldRow[]> {
    const found = await this.#parts.store.getVersions(keys.map(sidecarKey));
    return found.map((row, i) => ({ key: keys[i] ?? [], ...row }));
  }

  readSidecars(keys: readonly SidecarKey[]): Promise<readonly unknown[]> {
    return this.#parts.store.getMany(keys.map(sidecarKey));
  }

  writeSidecar(row: SidecarRow): Promise<void> {
    return this.#parts.store.writeSidecar(row.key, row.value);
  }

  createSidecar(row: SidecarRow): Promise<boolean> {
    return this.#parts.store.createSidecar(row.key, row.value);
  }

  replaceSidecars(groups: readonly (readonly HeldRow[])[]): Promise<readonly boolean[]> {
    return this.#parts.store.replaceSidecars(
      groups.map((rows) => rows.map(({ key, ...row }) => ({ place: key, ...row }))),
    );
  }

  changeSidecar<T>(key: SidecarKey, change: (old: unknown) => T): Promise<T> {
    return this.#parts.store.changeSidecar(key, change);
  }

  async listSidecar({ prefix, ...listing }: SidecarRange): Promise<readonly SidecarRow[]> {
    const rows = await this.#parts.store.listSidecar(prefix, listing);
    return rows.map(({ place, value }) => ({ key: place, value }));
  }

  health(): Health {
    const reason = this.#fault();
    return { isReady: reason === "", reason };
  }

  /** Of several reasons, returns the one that the others may follow from. */
  #fault(): NotReadyReason | "" {
    if (this.#isClosed) return "closing";
    const { folder, sequencer, storeHealth } = this.#parts;
    if (sequencer.fault !== "") return sequencer.fault;
    if (storeHealth.fault !== "") return storeHealth.fault;
    if (this.#lateMs() > LAG_MS_MAX) return "behind";
    if (sequencer.standstill.isLong) return "standstill";
    return folder.isFailing ? "fold_failing" : this.#pressure(false);
  }

  /** How late it is for a process that is so far from the store, in ms. */
  #lateMs(): number {
    const { follower, isShared, turns } = this.#parts;
    return isShared ? Math.max(0, follower.lag.ms - LAG_TRIPS * turns.trip.ms) : 0;
  }

  metrics(): Metrics {
    const { folder, follower, isShared, meter, published, sequencer, store } = this.#parts;
    const lag = isShared ? follower.lag : { events: 0, ms: 0 };
    return {
      commits: store.sent.commits,
      log_mutations: store.sent.mutations.log,
      fold_mutations: store.sent.mutations.fold,
      events: published.sequence,
      unfolded_events: folder.unfoldedEvents,
      unfolded_ms: folder.unfoldedMs(this.now()),
      orders: published.venue.counters.orders,
      trades: published.venue.counters.trades,
      open_orders: published.venue.orders.size,
      batch_size: meter.batchSize.figures(),
      commit_ms: meter.ms.figures(),
      conflicts: meter.conflicts,
      failed_commits: meter.failures,
      unknown_commits: meter.unknown,
      queue: sequencer.size,
      lag_events: lag.events,
      lag_ms: Math.round(lag.ms),
      rss: Deno.memoryUsage().rss,
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { follower, folder, lock, sequencer, store, storeHealth } = this.#parts;
    clearInterval(this.#expiry);
    await sequencer.stop();
    await folder.stop();
    await follower.stop();
    await storeHealth.stop();
    store.close();
    lock?.close();
  }
}
