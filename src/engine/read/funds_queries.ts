/** Reads of members' funds at any time, and of what has moved them: memory over rows. */
import { type FundsRecord, totalsOf, tradeMovements } from "../../domain/money/funds.ts";
import { tradePlace } from "../../domain/trading/trade_record.ts";
import { type Page, type PageRequest, UnavailableError } from "../engine.ts";
import type { Folder } from "../fold/folder.ts";
import type { CurrencyFunds } from "./funds_walk.ts";
import { FUNDS_HISTORY } from "../fold/funds_fold.ts";
import { HistoryQueries, type QuerySources, rangeOf } from "./history_queries.ts";
import type { ReadableHistory } from "./history_reader.ts";
import type { Queries } from "./queries.ts";

/** Trades that are added up at once. */
const TRADES_PER_READ = 500;

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
  /** Returns what has moved a member's funds by sequence, without trades; see `before`. */
  moved(
    member: number,
    moment: FundsMoment,
    range: FundsRange,
    page: PageRequest,
  ): Promise<Page<FundsRecord>>;
}

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
    const [record] = found.items;
    const totals = new Map(record?.totals);
    const scanned = await this.#addTrades(totals, member, record?.trades ?? 0, time);
    return { totals, scanned: found.scanned + scanned };
  }

  /** Adds what a member's trades have moved, from those after one to a time; counts them. */
  async #addTrades(
    totals: Map<number, bigint>,
    member: number,
    first: number,
    to: number,
  ): Promise<number> {
    const { published: { venue }, queries } = this.#sources;
    let scanned = 0;
    for (let after = first;;) {
      const page = { offset: 0, limit: TRADES_PER_READ, direction: "asc", after } as const;
      const { items, scanned: looked } = await queries.trades(member, { to }, page);
      scanned += looked;
      for (const trade of items) {
        after = tradePlace(trade);
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
