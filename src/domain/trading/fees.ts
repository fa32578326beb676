/** The table of trading fees, the choice of an order's rates, and the fee at a rate. */
import { assert } from "../assert.ts";
import { ANY_GROUP, GroupTable } from "../group_table.ts";
import { lotUnit, type Market, totalUnit } from "./market.ts";

/** Market index that stands for every market. */
export const ANY_MARKET = -1;

/** Rates in parts per million. */
export interface FeeRates {
  readonly maker: number;
  readonly taker: number;
}

/** What a row is for. */
export interface FeeName {
  /** Market index, or {@linkcode ANY_MARKET}. */
  readonly market: number;
  readonly group: string;
}

/** One row of the table. */
export interface FeeRow extends FeeName, FeeRates {}

/** The fee on one unit of money. Nearly all orders of a market have one rate, which is cached. */
export class UnitFee {
  readonly #millionth: bigint;
  #rate = 0;
  #fee = 0n;

  /** @param unit in ledger units, a multiple of 1,000,000 */
  constructor(unit: bigint) {
    assert(unit % 1_000_000n === 0n, "a fee of one part per million is whole");
    this.#millionth = unit / 1_000_000n;
  }

  /** Returns the fee at a rate in parts per million, in ledger units. */
  at(rate: number): bigint {
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#fee = BigInt(rate) * this.#millionth;
    }
    return this.#fee;
  }
}

/** The fees of a market. */
export interface UnitFees {
  /** On one lot of the base. */
  readonly lotFee: UnitFee;
  /** On one tick × lot of the quote. */
  readonly totalFee: UnitFee;
}

/** Returns the fees of a market. */
export function unitFees(market: Market): UnitFees {
  return { lotFee: new UnitFee(lotUnit(market)), totalFee: new UnitFee(totalUnit(market)) };
}

const FREE: FeeRates = { maker: 0, taker: 0 };

/** Rows by market and group; a group outweighs a market. */
export class FeeTable extends GroupTable<FeeName, FeeRow> {
  constructor() {
    super(({ market }) => market);
  }

  /**
   * Returns the rates for an order: (group, market), (group, any), (any, market), (any, any), else
   * free.
   */
  choose(market: number, group: string): FeeRates {
    return this.get(market, group) ?? this.get(ANY_MARKET, group) ??
      this.get(market, ANY_GROUP) ?? this.get(ANY_MARKET, ANY_GROUP) ?? FREE;
  }
}
