/** Reads of members' funds at any time, and of what has moved them: memory over rows. */
import { type FundsRecord, totalsOf, tradeMovements } from "../../domain/money/funds.ts";
import { tradePlace } from "../../domain/trading/trade_record.ts";
import {
  type Funds,
  type FundsMoment,
  type FundsPlace,
  type FundsRange,
  type FundsThen,
  type Page,
  type PageRequest,
  UnavailableError,
} from "../engine.ts";
import type { Folder } from "../fold/folder.ts";
import type { CurrencyFunds } from "./funds_walk.ts";
import { FUNDS_HISTORY } from "../fold/funds_fold.ts";
import { HistoryQueries, type QuerySources, rangeOf } from "./history_queries.ts";
import type { ReadableHistory } from "./history_reader.ts";
import type { Queries } from "./queries.ts";

/** Trades that are added up at once. */
const TRADES_PER_READ = 500;
/** Records that are looked at at once for the last note of the funds. */
const NOTES_PER_READ = 50;

/** What is read from. */
export interface FundsSources extends QuerySources {
  readonly queries: Pick<Queries, "trades">;
  readonly folder: Pick<Folder, "hasFunds">;
}

/** Reads of members' funds. */
export class FundsQueries implements Funds {
  readonly #sources: FundsSources;
  readonly #histories: HistoryQueries;

  constructor(sources: FundsSources) {
    this.#sources = sources;
    this.#histories = new HistoryQueries(sources);
  }

  sums(): Promise<readonly CurrencyFunds[]> {
    return this.#sources.published.sumFunds();
  }

  now(member: number): FundsMoment {
    const { venue } = this.#sources.published;
    const { counters: { trades }, sequence, time: at } = venue;
    return { sequence, trades, at, totals: totalsOf(venue.holder(member).accounts) };
  }

  async before(member: number, moment: FundsMoment, time: number): Promise<FundsThen> {
    if (time > moment.at) return { totals: moment.totals, scanned: 0 };
    // Whatever comes after the moment is not before this time.
    const found = await this.#read(member, moment, { to: time }, {
      offset: 0,
      limit: 1,
      direction: "desc",
    }, () => true);
    return await this.#fromRecord(member, found, { to: time }, Infinity);
  }

  async at(member: number, moment: FundsMoment, place: FundsPlace): Promise<FundsThen> {
    const newest = { offset: 0, limit: 1, direction: "desc", toId: place.record } as const;
    let { items: [record], scanned } = await this.#read(member, moment, {}, newest, () => true);
    // Behind it may be some that only note the funds amid the trades, before the next other one.
    for (let hasMore = true; hasMore;) {
      const after = record?.id ?? 0;
      const page = { offset: 0, limit: NOTES_PER_READ, direction: "asc", after } as const;
      const found = await this.#read(member, moment, {}, page, () => true);
      scanned += found.scanned;
      const notes = found.items.filter((one) => !one.moved && one.trades < place.trade);
      record = notes.at(-1) ?? record;
      hasMore = notes.length === NOTES_PER_READ;
    }
    const items = record === undefined ? [] : [record];
    return await this.#fromRecord(member, { items, scanned }, {}, place.trade);
  }

  /** Adds to what a record notes the trades after it, up to a time and a place. */
  async #fromRecord(
    member: number,
    { items: [record], scanned: looked }: Pick<Page<FundsRecord>, "items" | "scanned">,
    range: FundsRange,
    last: number,
  ): Promise<FundsThen> {
    const totals = new Map(record?.totals);
    const scanned = await this.#addTrades(totals, member, record?.trades ?? 0, range, last);
    return { totals, scanned: looked + scanned };
  }

  /** Adds what a member's trades have moved, from those after one to a time and a place; counts them. */
  async #addTrades(
    totals: Map<number, bigint>,
    member: number,
    first: number,
    range: FundsRange,
    last: number,
  ): Promise<number> {
    const { published: { venue }, queries } = this.#sources;
    let scanned = 0;
    for (let after = first;;) {
      const page = { offset: 0, limit: TRADES_PER_READ, direction: "asc", after } as const;
      const { items, scanned: looked } = await queries.trades(member, rangeOf(range), page);
      scanned += looked;
      for (const trade of items) {
        after = tradePlace(trade);
        if (after > last) return scanned;
        for (
          const { currency, gross, fee } of tradeMovements(trade, venue.book(trade.market).market)
        ) {
          totals.set(currency, (totals.get(currency) ?? 0n) + gross - fee);
        }
      }
      if (items.length < TRADES_PER_READ) return scanned;
    }
  }

  moved(
    member: number,
    moment: FundsMoment,
    range: FundsRange,
    page: PageRequest,
  ): Promise<Page<FundsRecord>> {
    return this.#read(member, moment, range, page, ({ moved }) => moved !== undefined);
  }

  async #read(
    member: number,
    { sequence }: FundsMoment,
    range: FundsRange,
    page: PageRequest,
    isMatch: (record: FundsRecord) => boolean,
  ): Promise<Page<FundsRecord>> {
    const { folder, published: { tail } } = this.#sources;
    if (!folder.hasFunds) throw new UnavailableError("fold_behind");
    const history = (): ReadableHistory<FundsRecord> => ({
      ...FUNDS_HISTORY,
      place: [member],
      memory: tail.funds(member).filter(({ id }) => id <= sequence),
      lastId: sequence,
      at: ({ at }) => at,
    });
    return await this.#histories.page(member, history, { ...page, ...rangeOf(range), isMatch });
  }
}
