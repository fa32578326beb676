/**
 * What members have traded in the last 30 days, by market. Days are added up once and remembered, so
 * that a read looks only at trades since the last one.
 */
import { type MemberTrade, tradePlace } from "../domain/trading/trade_record.ts";
import { multiply, toBigint } from "../domain/whole_number.ts";
import type { Engine } from "../engine/engine.ts";
import { TwoGenerations } from "../engine/two_generations.ts";

/** How many days are told of, besides today's. */
export const VOLUME_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Trades that are read at once, and by one call. */
const TRADES_PER_READ = 500;
const TRADES_PER_CALL = 100_000;
/** Members who are remembered at least. */
const MEMBERS_MAX = 1_000;

/** What was traded on a market. */
export interface MarketVolume {
  /** Lots. */
  readonly lots: bigint;
  /** In units of 10^-(pricePrecision + amountPrecision) of the quote. */
  readonly total: bigint;
}

/** The volumes of a member, by market index. */
export interface MemberVolumes {
  readonly byMarket: ReadonlyMap<number, MarketVolume>;
  /** Whether there are more trades than one call reads: the next one goes on. */
  readonly isPartial: boolean;
  /** Number of trades looked at. */
  readonly scanned: number;
}

/** What is remembered of a member. */
interface Known {
  /** Place of the last trade that is counted; 0 before the first. */
  place: number;
  /** By day since 1970, then by market. */
  readonly days: Map<number, Map<number, MarketVolume>>;
}

const NOTHING: MarketVolume = { lots: 0n, total: 0n };

/** The volumes of all members who have asked lately. */
export class TradedVolumes {
  readonly #known = new TwoGenerations<Known>();
  #noted = 0;

  /** Returns what a member has traded today and on the 30 days (UTC) before. */
  async of(
    engine: Pick<Engine, "trades" | "now">,
    member: number,
  ): Promise<MemberVolumes> {
    const first = Math.floor(engine.now() / DAY_MS) - VOLUME_DAYS;
    const known = this.#of(member);
    let scanned = 0;
    let isPartial = false;
    for (;;) {
      const after = known.place;
      const page = { offset: 0, limit: TRADES_PER_READ, direction: "asc", after } as const;
      const { items, scanned: looked } = await engine.trades(
        member,
        { from: first * DAY_MS },
        page,
      );
      scanned += looked;
      // Another call of the member may have counted them meanwhile.
      for (const trade of items) if (tradePlace(trade) > known.place) add(known, trade);
      if (items.length < TRADES_PER_READ) break;
      isPartial = scanned >= TRADES_PER_CALL;
      if (isPartial) break;
    }
    for (const day of known.days.keys()) if (day < first) known.days.delete(day);
    return { byMarket: sumOf(known.days.values()), isPartial, scanned };
  }

  #of(member: number): Known {
    const known = this.#known.get(String(member)) ?? { place: 0, days: new Map() };
    this.#known.set(String(member), known);
    this.#noted += 1;
    if (this.#noted >= MEMBERS_MAX) {
      this.#known.turn();
      this.#noted = 0;
    }
    return known;
  }
}

function add(known: Known, trade: MemberTrade): void {
  const day = Math.floor(trade.at / DAY_MS);
  let markets = known.days.get(day);
  if (markets === undefined) known.days.set(day, markets = new Map());
  const { lots, total } = markets.get(trade.market) ?? NOTHING;
  markets.set(trade.market, {
    lots: lots + toBigint(trade.volume),
    total: total + multiply(trade.price, trade.volume),
  });
  known.place = tradePlace(trade);
}

function sumOf(days: Iterable<ReadonlyMap<number, MarketVolume>>): Map<number, MarketVolume> {
  const sums = new Map<number, MarketVolume>();
  for (const markets of days) {
    for (const [market, { lots, total }] of markets) {
      const before = sums.get(market) ?? NOTHING;
      sums.set(market, { lots: before.lots + lots, total: before.total + total });
    }
  }
  return sums;
}
