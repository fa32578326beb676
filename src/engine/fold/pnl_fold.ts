/**
 * The fold of profit and loss. Rows are written in this order: accumulators, prices, kept
 * currencies, and only then currencies and markets. If a crash leaves a window half written, an
 * accumulator that is still to be folded finds prices, currencies and settings as they were.
 */
import { present, unreachable } from "../../domain/assert.ts";
import type { Currency } from "../../domain/money/currency.ts";
import type { Deposit } from "../../domain/money/deposit.ts";
import type { PnlCurrenciesSet, Trade, VenueEvent } from "../../domain/event.ts";
import { isOfPnl } from "../../domain/event_effects.ts";
import { type Market, tickUnit } from "../../domain/trading/market.ts";
import { FIRST_MEMBER } from "../../domain/people/member.ts";
import { PNL_CURRENCIES_MAX } from "../../domain/limits.ts";
import {
  addContribution,
  emptyAccumulator,
  type PnlPrices,
} from "../../domain/pnl/pnl_accumulator.ts";
import {
  adjustmentContribution,
  depositContribution,
  type MemberContribution,
  tradeContributions,
  withdrawContribution,
} from "../../domain/pnl/pnl_contribution.ts";
import {
  firstPrice,
  lastPrice,
  marketPrice,
  notePrice,
  type PairPrices,
  type Price,
  PRICE_ONE,
} from "../../domain/pnl/pnl_price.ts";
import type { Entry } from "../../store/log/entry_codec.ts";
import type { PnlCurrency, PnlRecord } from "../../store/rows/pnl_codec.ts";
import {
  pairName,
  pairPricesSheet,
  pnlCurrenciesSheet,
  pnlRowName,
  pnlSheet,
} from "./pnl_sheets.ts";
import { type KnownMarkets, PnlTouched } from "./pnl_touched.ts";
import type { RowChange, RowSource } from "./row_source.ts";
import type { Sheet } from "./row_sheets.ts";

/** Currencies loaded at once. */
const CURRENCIES_PER_LOOK = 32;
const SETTINGS = 0;

/** What the fold needs of its window, or of a state that holds the same. */
export interface PnlShared {
  readonly rows: RowSource;
  readonly markets: KnownMarkets;
  readonly currencies: Pick<Sheet<number, Currency>, "find" | "load">;
}

/** Keeps members' accumulators. While no currency is kept, it only notes the markets' prices. */
export class PnlFold {
  readonly #shared: PnlShared;
  readonly #member: number | null;
  readonly #accumulators: Sheet<number, PnlRecord>;
  readonly #prices: Sheet<number, PairPrices>;
  readonly #settings: Sheet<number, readonly PnlCurrency[]>;
  #kept: readonly PnlCurrency[] = [];
  /** Sequence of the row of kept currencies; written last, so everything is written up to it. */
  #writtenSequence = 0;
  #currencyCount = 0;

  /** @param member the only member whose accumulators are wanted; null for all */
  constructor(shared: PnlShared, member: number | null = null) {
    this.#shared = shared;
    this.#member = member;
    this.#accumulators = pnlSheet(shared.rows);
    this.#prices = pairPricesSheet(shared.rows);
    this.#settings = pnlCurrenciesSheet(shared.rows);
  }

  async load(entries: readonly Pick<Entry, "events">[], pause: () => Promise<void>): Promise<void> {
    await this.#settings.load([SETTINGS]);
    this.#kept = this.#settings.find(SETTINGS) ?? [];
    this.#writtenSequence = this.#settings.sequenceOf(SETTINGS);
    const touched = new PnlTouched(this.#shared.markets, this.#member);
    await touched.note(entries, this.#kept.length > 0, pause);
    const valued = new Set(this.#kept.map(({ currency }) => currency));
    if (touched.settings.length > 0) {
      const codes = await this.#loadCurrencies(touched.definitions);
      for (const code of touched.settings) {
        const index = codes.get(code);
        if (index !== undefined) valued.add(index);
      }
    }
    // Prices first: if others write meanwhile, accumulators must not be older than prices.
    await this.#prices.load(touched.pairs(valued), pause);
    await this.#accumulators.load(touched.rows, pause);
  }

  /** Loads every currency, and returns the indexes, by code, of those that exist or will exist. */
  async #loadCurrencies(definitions: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const { currencies } = this.#shared;
    const codes = new Map(definitions);
    let count = 0;
    for (let loaded = 0; count === loaded;) {
      await currencies.load(Array.from({ length: CURRENCIES_PER_LOOK }, (_, i) => loaded + i));
      loaded += CURRENCIES_PER_LOOK;
      for (; count < loaded; count++) {
        const currency = currencies.find(count);
        if (currency === undefined) break;
        codes.set(currency.id, count);
      }
    }
    this.#currencyCount = Math.max(count, ...[...definitions.values()].map((index) => index + 1));
    return codes;
  }

  take(event: VenueEvent, sequence: number): void {
    // In a window cut short, the settings may name currencies that were not yet kept at this event.
    if (sequence <= this.#writtenSequence) return;
    if (!isOfPnl(event)) return;
    switch (event.kind) {
      case "trade":
        return this.#trade(event, sequence);
      case "balance_adjusted":
        return this.#contribute(adjustmentContribution(event), sequence);
      case "deposit_set":
        return this.#deposit(event.deposit, sequence);
      case "withdraw_set":
        return this.#contribute(withdrawContribution(event.withdraw), sequence);
      case "pnl_currencies_set":
        return this.#keep(event, sequence);
      case "currency_set":
      case "market_set":
        return;
      default:
        unreachable(event);
    }
  }

  /** Sets the kept currencies. Those kept before go on, and unknown codes are ignored. */
  #keep(event: PnlCurrenciesSet, sequence: number): void {
    const codes = new Map<string, number>();
    for (let index = 0; index < this.#currencyCount; index++) {
      const currency = this.#shared.currencies.find(index);
      if (currency !== undefined) codes.set(currency.id, index);
    }
    const known = new Set(event.kept.flatMap((code) => codes.get(code) ?? []));
    this.#settings.change(
      SETTINGS,
      sequence,
      (old = []) =>
        [...known].slice(0, PNL_CURRENCIES_MAX).map((currency) =>
          old.find((one) => one.currency === currency) ?? { currency, since: sequence }
        ),
    );
    this.#kept = this.#settings.find(SETTINGS) ?? [];
  }

  #trade(event: Trade, sequence: number): void {
    const record = this.#shared.markets.find(event.market);
    const { market } = present(record, `market ${event.market} has a row`);
    const units = BigInt(event.price) * tickUnit(market);
    if (this.#kept.length > 0 && this.#isWanted(event.makerMember, event.takerMember)) {
      this.#contributeTrade(event, market, units, sequence);
    }
    const pair = pairName(market.base, market.quote);
    this.#prices.change(pair, sequence, (old) => notePrice(old, units, sequence));
  }

  #contributeTrade(event: Trade, market: Market, units: bigint, sequence: number): void {
    const own = { quote: market.quote, price: marketPrice(units, "direct") };
    const basePrices = this.#pricesOf(market.base, own);
    const quotePrices = this.#pricesOf(market.quote, null);
    for (const contribution of tradeContributions(event, market)) {
      const isBase = contribution.currency === market.base;
      this.#add(contribution, isBase ? basePrices : quotePrices, sequence);
    }
  }

  #deposit(deposit: Deposit, sequence: number): void {
    if (this.#kept.length === 0) return;
    const currency = this.#shared.currencies.find(deposit.currency);
    const { type } = present(currency, `currency ${deposit.currency} has a row`);
    this.#contribute(depositContribution(deposit, type === "coin"), sequence);
  }

  #contribute(contribution: MemberContribution | null, sequence: number): void {
    if (contribution === null || this.#kept.length === 0) return;
    if (!this.#isWanted(contribution.member)) return;
    this.#add(contribution, this.#pricesOf(contribution.currency, null), sequence);
  }

  /** Returns a currency's prices in each kept one; `own` is the price of the current trade. */
  #pricesOf(currency: number, own: OwnPrice | null): PnlPrices[] {
    return this.#kept.map(({ currency: valued }) => {
      if (currency === valued) return { isSame: true, current: PRICE_ONE, first: PRICE_ONE };
      const direct = this.#prices.find(pairName(currency, valued));
      const inverse = this.#prices.find(pairName(valued, currency));
      const first = firstPrice(direct, inverse);
      if (own?.quote === valued) {
        return { isSame: false, current: own.price, first: first ?? own.price };
      }
      return { isSame: false, current: lastPrice(direct, inverse), first };
    });
  }

  #add(contribution: MemberContribution, prices: readonly PnlPrices[], sequence: number): void {
    const { member, currency } = contribution;
    if (member < FIRST_MEMBER || !this.#isWanted(member)) return;
    this.#accumulators.change(pnlRowName(member, currency), sequence, (old) => {
      const record = old ?? { ledgers: [] };
      refresh(record, this.#kept);
      record.ledgers.forEach(({ accumulators }, i) => {
        let accumulator = accumulators.get(currency);
        if (accumulator === undefined) accumulators.set(currency, accumulator = emptyAccumulator());
        const known = present(prices[i], "each currency that is kept has its prices");
        addContribution(accumulator, contribution, known);
      });
      return record;
    });
  }

  #isWanted(...members: readonly number[]): boolean {
    return this.#member === null || members.includes(this.#member);
  }

  /** The kept currencies after the events taken. */
  get kept(): readonly PnlCurrency[] {
    return this.#kept;
  }

  /** Returns the records of these rows, with the events taken. */
  async records(names: readonly number[]): Promise<PnlRecord[]> {
    await this.#accumulators.load(names);
    return names.flatMap((name) => this.#accumulators.find(name) ?? []);
  }

  /** Returns the first price ever of a currency in another; null if there was none. */
  async firstPrice(currency: number, valued: number): Promise<Price | null> {
    const names = [pairName(currency, valued), pairName(valued, currency)] as const;
    await this.#prices.load(names);
    const [direct, inverse] = names;
    return firstPrice(this.#prices.find(direct), this.#prices.find(inverse));
  }

  async changes(end: number, pause: () => Promise<void>): Promise<RowChange[]> {
    return [
      ...await this.#accumulators.changes(end, pause),
      ...await this.#prices.changes(end, pause),
      ...await this.#settings.changes(end, pause),
    ];
  }
}

/** The price that a trade gives its base in its quote. */
interface OwnPrice {
  readonly quote: number;
  readonly price: Price;
}

/** Gives a record a ledger for each kept currency, in their order, and no others. */
function refresh(record: PnlRecord, kept: readonly PnlCurrency[]): void {
  const { ledgers } = record;
  const isSame = ledgers.length === kept.length && kept.every(({ currency, since }, i) => {
    const ledger = ledgers[i];
    return ledger?.currency === currency && ledger.since === since;
  });
  if (isSame) return;
  record.ledgers = kept.map(({ currency, since }) =>
    ledgers.find((one) => one.currency === currency && one.since === since) ??
      { currency, since, accumulators: new Map() }
  );
}
