/** Reads of deposits and withdrawals: memory over rows. */
import type { NamedAct } from "../../domain/people/act_names.ts";
import { canonicalName, nameFormOf } from "../../domain/money/chain_name.ts";
import {
  ANY_OUTPUT,
  type Deposit,
  isDepositOpen,
  type SoughtDeposit,
  soughtDeposit,
} from "../../domain/money/deposit.ts";
import type { Venue } from "../../domain/venue.ts";
import { isWithdrawOpen, type Withdraw } from "../../domain/money/withdraw.ts";
import { rowKey, type Table } from "../../store/keys.ts";
import { DEPOSIT_CODEC, WITHDRAW_CODEC } from "../../store/rows/money_codec.ts";
import type { RecordCodec } from "../../store/rows/block_codec.ts";
import { readRecordRow } from "../../store/rows/row_codec.ts";
import type { Store } from "../../store/store.ts";
import { listRows, readRows } from "../../store/rows/stored_rows.ts";
import { readWatermark } from "../../store/rows/watermark.ts";
import type {
  ActLookup,
  DepositFilter,
  DepositLookup,
  Page,
  PageRequest,
  Transaction,
  TransactionFilter,
  TransactionPage,
  TransactionPosition,
  WithdrawFilter,
} from "../engine.ts";
import {
  type DatedRecord,
  HistoryQueries,
  isUnfiltered,
  pageOfOpen,
  type PinnedList,
  type QuerySources,
  rangeOf,
  type RecordsRequest,
} from "./history_queries.ts";
import type { HistoryPage, ReadableHistory } from "./history_reader.ts";
import { depositNamePlace } from "../fold/money_sheets.ts";
import type { PublishedState } from "../published_state.ts";
import { compareTransactions, recordOf } from "./transaction_order.ts";
import { NAME_FORMS } from "../../domain/money/currency.ts";

/** A list of records, of one member or of all members, whose ended ones are rows. */
interface MoneyList<T> {
  readonly table: Table;
  readonly place: readonly number[];
  readonly codec: RecordCodec<T>;
  open(): T[];
  ended(): T[];
  /** Returns the highest id of all members' records. */
  lastId(): number;
}

/** What to read from a list. */
interface ListRequest<T> extends RecordsRequest<T> {
  /** Whether nothing that has ended can match. */
  readonly isOpenOnly: boolean;
  /** Returns how many match; null if no counter tells it. */
  total(): number | null;
}

/** Reads of deposits and withdrawals, open or ended. */
export class MoneyQueries {
  readonly #store: Store;
  readonly #published: PublishedState;
  readonly #histories: HistoryQueries;

  constructor(sources: QuerySources) {
    this.#store = sources.store;
    this.#published = sources.published;
    this.#histories = new HistoryQueries(sources);
  }

  /** Returns a deposit of any member; null if there is none. */
  deposit(id: number): Promise<Deposit | null> {
    const open = this.#published.venue.deposits.get(id);
    return open === undefined ? this.#ended(this.#deposits(), id) : Promise.resolve(open);
  }

  /** Returns a withdrawal of any member; null if there is none. */
  withdraw(id: number): Promise<Withdraw | null> {
    const open = this.#published.venue.withdraws.get(id);
    return open === undefined ? this.#ended(this.#withdraws(), id) : Promise.resolve(open);
  }

  /** Returns a page of a member's deposits, or of all members', by id. */
  deposits(
    member: number | undefined,
    filter: DepositFilter,
    page: PageRequest,
  ): Promise<Page<Deposit>> {
    return this.#read(this.#deposits(member), this.#depositsRequest(member, filter, page));
  }

  /** Returns a page of a member's withdrawals, or of all members', by id. */
  withdraws(
    member: number | undefined,
    filter: WithdrawFilter,
    page: PageRequest,
  ): Promise<Page<Withdraw>> {
    return this.#read(this.#withdraws(member), this.#withdrawsRequest(member, filter, page));
  }

  #depositsRequest(
    member: number | undefined,
    filter: DepositFilter,
    page: PageRequest,
  ): ListRequest<Deposit> {
    const { venue } = this.#published;
    const isNamed = transactionTest(venue, filter.txid);
    const isCoin = filter.currency !== undefined && venue.isCoin(filter.currency);
    const count = () =>
      member === undefined ? venue.counters.deposits : venue.holder(member).depositsCount;
    return {
      ...page,
      ...rangeOf(filter),
      isMatch: (deposit) => isNamed(deposit) && matchesDeposit(deposit, filter),
      isOpenOnly: isEach(filter.states, (state) => isDepositOpen({ state }, isCoin)),
      total: () => isUnfiltered(filter) ? count() : null,
    };
  }

  #withdrawsRequest(
    member: number | undefined,
    filter: WithdrawFilter,
    page: PageRequest,
  ): ListRequest<Withdraw> {
    const { venue } = this.#published;
    const isNamed = transactionTest(venue, filter.txid);
    const count = () =>
      member === undefined ? venue.counters.withdraws : venue.holder(member).withdrawsCount;
    return {
      ...page,
      ...rangeOf(filter),
      isMatch: (withdraw) => isNamed(withdraw) && matchesWithdraw(withdraw, filter),
      isOpenOnly: filter.waits !== undefined || filter.beneficiaries?.size === 0 ||
        isEach(filter.states, (state) => isWithdrawOpen({ state })),
      total: () => isUnfiltered(filter) ? count() : null,
    };
  }

  /**
   * Returns a page of a member's deposits and withdrawals by creation time, then id.
   *
   * @param position only what comes after it, in the page's direction
   */
  async transactions(
    member: number,
    filter: TransactionFilter,
    page: PageRequest,
    position: TransactionPosition = { deposit: 0, withdraw: 0 },
  ): Promise<TransactionPage> {
    const { direction, offset, limit } = page;
    const { depositStates, withdrawStates, ...common } = filter;
    // Whatever is on the page is among this many first records of either list.
    const first = { offset: 0, limit: limit === 0 ? 0 : offset + limit, direction };
    const ofDeposits = { ...common, ...states(depositStates) };
    const ofWithdraws = { ...common, ...states(withdrawStates) };
    // Of two moments, an older deposit could be missing beside a newer withdrawal.
    const [deposits, withdraws] = await this.#histories.pages(member, () => [
      pinned(
        this.#deposits(member),
        this.#depositsRequest(member, ofDeposits, { ...first, ...behind(position.deposit) }),
      ),
      pinned(
        this.#withdraws(member),
        this.#withdrawsRequest(member, ofWithdraws, { ...first, ...behind(position.withdraw) }),
      ),
    ]);
    const sign = direction === "asc" ? 1 : -1;
    const all: Transaction[] = [
      ...deposits.items.map((deposit) => ({ deposit })),
      ...withdraws.items.map((withdraw) => ({ withdraw })),
    ];
    all.sort((a, b) => sign * compareTransactions(a, b));
    const total = deposits.total === null || withdraws.total === null
      ? null
      : deposits.total + withdraws.total;
    const items = all.slice(offset, offset + limit);
    const shown = all.slice(0, offset + limit);
    const ofKind = (kind: "deposit" | "withdraw") =>
      shown.flatMap((one) => kind in one ? [recordOf(one).id] : []);
    return {
      items,
      end: {
        deposit: endOf(deposits, ofKind("deposit"), position.deposit),
        withdraw: endOf(withdraws, ofKind("withdraw"), position.withdraw),
      },
      total,
      isScanLimited: deposits.isScanLimited || withdraws.isScanLimited,
      scanned: deposits.scanned + withdraws.scanned,
    };
  }

  /** Returns what the rows know of a deposit's name, and a sequence that they have reached. */
  async findDeposit(
    currency: number,
    txid: string,
    output: number,
    network?: string,
  ): Promise<DepositLookup> {
    const sought = soughtDeposit(this.#published.venue.currency(currency), txid, output, network);
    // The watermark first: a name folded before it is found, one folded after it may be.
    const { value: watermark } = await readWatermark(this.#store);
    const row = output === ANY_OUTPUT ? await this.#firstName(sought) : await this.#nameOf(sought);
    const knownId = row === null ? 0 : readRecordRow<number>(row).value;
    return { knownId, checkedAt: watermark.sequence };
  }

  /** Returns the act of a name, and a sequence that the rows have reached. */
  async findAct(name: string): Promise<ActLookup> {
    // The watermark first, as for deposits.
    const { value: watermark } = await readWatermark(this.#store);
    const [row = null] = await readRows(this.#store, [rowKey("act_names", name)]);
    const stored = row === null ? undefined : readRecordRow<NamedAct>(row).value;
    const known = stored ?? this.#published.venue.actNames.get(name) ?? null;
    return { known, checkedAt: watermark.sequence };
  }

  /** Returns the row of an output's name, or of its whole transaction's name. */
  async #nameOf({ currency, transactions, output }: SoughtDeposit): Promise<Uint8Array | null> {
    const keys = transactions.flatMap((transaction) =>
      [output, ANY_OUTPUT].map((one) =>
        rowKey("deposit_names", ...depositNamePlace({ currency, transaction, output: one }))
      )
    );
    const rows = await readRows(this.#store, keys);
    return rows.find((row) => row !== null) ?? null;
  }

  /** Returns the first row that names an output of a transaction, or the whole of it. */
  async #firstName(
    { currency, transactions }: SoughtDeposit,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    for (const transaction of transactions) {
      const start = rowKey("deposit_names", currency, transaction);
      const end = rowKey("deposit_names", currency, transaction, Infinity);
      for await (const { value } of listRows(this.#store, start, end, { limit: 1 })) return value;
    }
    return null;
  }

  #deposits(member?: number): MoneyList<Deposit> {
    const { openMoney, tail, venue } = this.#published;
    return {
      table: member === undefined ? "ended_deposits" : "member_deposits",
      place: member === undefined ? [] : [member],
      codec: DEPOSIT_CODEC,
      open: () => openMoney.deposits(member),
      ended: () => tail.endedDeposits(member),
      lastId: () => venue.counters.deposits,
    };
  }

  #withdraws(member?: number): MoneyList<Withdraw> {
    const { openMoney, tail, venue } = this.#published;
    return {
      table: member === undefined ? "ended_withdraws" : "member_withdraws",
      place: member === undefined ? [] : [member],
      codec: WITHDRAW_CODEC,
      open: () => openMoney.withdraws(member),
      ended: () => tail.endedWithdraws(member),
      lastId: () => venue.counters.withdraws,
    };
  }

  async #ended<T extends DatedRecord>(list: MoneyList<T>, id: number): Promise<T | null> {
    const recent = list.ended().find((record) => record.id === id);
    return recent ?? await this.#histories.record(list.table, list.place, list.codec, id);
  }

  async #read<T extends DatedRecord>(
    list: MoneyList<T>,
    request: ListRequest<T>,
  ): Promise<Page<T>> {
    const [member] = list.place;
    return request.isOpenOnly
      ? openPage(list, request)
      : await this.#histories.page(member, () => historyOf(list, request), request);
  }
}

/** Returns the part of a page's request that continues a list; 0 if nothing was read yet. */
function behind(id: number): { readonly after?: number } {
  return id === 0 ? {} : { after: id };
}

/** Returns the id at which a list continues behind those of its records that are shown. */
function endOf<T>(
  { items, scannedId }: HistoryPage<T>,
  shown: readonly number[],
  earlier: number,
): number {
  // Where the search stopped, and all that it found is shown, it goes on behind what it looked at.
  const isCut = shown.length < items.length;
  return (isCut ? undefined : scannedId) ?? shown.at(-1) ?? earlier;
}

/** Returns a list as it is now. */
function pinned<T extends DatedRecord>(
  list: MoneyList<T>,
  request: ListRequest<T>,
): PinnedList<T> {
  if (request.isOpenOnly) return { page: openPage(list, request) };
  return { history: historyOf(list, request), request };
}

function openPage<T extends DatedRecord>(list: MoneyList<T>, request: ListRequest<T>): Page<T> {
  const sign = request.direction === "asc" ? 1 : -1;
  return pageOfOpen(list.open().sort((a, b) => sign * (a.id - b.id)), request);
}

function historyOf<T extends DatedRecord>(
  { table, place, codec, ended, open, lastId }: MoneyList<T>,
  { total }: ListRequest<T>,
): ReadableHistory<T> {
  return {
    table,
    place,
    codec,
    memory: [...ended(), ...open()],
    lastId: lastId(),
    total: total(),
    at: ({ createdAt }) => createdAt,
  };
}

function matchesDeposit(deposit: Deposit, filter: DepositFilter): boolean {
  return (filter.currency === undefined || deposit.currency === filter.currency) &&
    (filter.states?.has(deposit.state) ?? true);
}

function matchesWithdraw(withdraw: Withdraw, filter: WithdrawFilter): boolean {
  return (filter.currency === undefined || withdraw.currency === filter.currency) &&
    (filter.states?.has(withdraw.state) ?? true) &&
    (filter.isApproved === undefined || withdraw.isApproved === filter.isApproved) &&
    (filter.beneficiaries?.has(withdraw.beneficiary) ?? true) &&
    (filter.waits?.(withdraw) ?? true);
}

/** Returns a test of whether a record is of a transaction; without one, all are. */
function transactionTest(
  venue: Venue,
  sought: string | undefined,
): (record: Pick<Deposit, "currency" | "txid">) => boolean {
  if (sought === undefined) return () => true;
  // Spelled once, not for each record of a long history.
  const names = new Map(NAME_FORMS.map((form) => [form, canonicalName(form, sought)]));
  return ({ currency, txid }) => {
    const form = nameFormOf(venue.currency(currency));
    return txid === sought || canonicalName(form, txid) === names.get(form);
  };
}

function isEach<T>(states: ReadonlySet<T> | undefined, test: (state: T) => boolean): boolean {
  return states !== undefined && [...states].every(test);
}

function states<T>(states: ReadonlySet<T> | undefined): { readonly states?: ReadonlySet<T> } {
  return states === undefined ? {} : { states };
}
