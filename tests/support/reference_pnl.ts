import type { Trade, VenueEvent } from "../../src/domain/event.ts";
import type { PnlRow } from "../../src/domain/pnl/pnl.ts";
import type { Venue } from "../../src/domain/venue.ts";

const ONE = 10n ** 16n;

/** A credit or debit of a member in one currency, by the event with the sequence. */
interface Item {
  readonly sequence: number;
  readonly currency: number;
  readonly credit: bigint;
  readonly debit: bigint;
  readonly fees: bigint;
  /** The trade that caused it. */
  readonly trade: Trade | null;
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * A reference calculation of profit and loss. It processes all events since the venue began, row by
 * row, and looks up each price in the whole history.
 */
export class ReferencePnl {
  readonly #events: readonly VenueEvent[];
  readonly #venue: Venue;
  readonly #trades: { readonly sequence: number; readonly trade: Trade }[] = [];

  constructor(events: readonly VenueEvent[], venue: Venue) {
    this.#events = events;
    this.#venue = venue;
    events.forEach((event, i) => {
      if (event.kind === "trade") this.#trades.push({ sequence: i + 1, trade: event });
    });
  }

  /** Returns a member's rows in no particular order. */
  rows(member: number): PnlRow[] {
    const items = this.#events.flatMap((event, i) => this.#itemsOf(event, i + 1, member));
    return [...this.#kept()].flatMap(([valued, since]) => {
      const counted = items.filter((item) => item.sequence > since);
      const currencies = new Set(counted.map((item) => item.currency));
      return [...currencies].map((currency) =>
        this.#row(currency, valued, counted.filter((item) => item.currency === currency))
      );
    });
  }

  /** Returns the currencies valued at the end, and the sequences since which they have been. */
  #kept(): Map<number, number> {
    let kept = new Map<number, number>();
    let shown: readonly string[] = [];
    this.#events.forEach((event, i) => {
      if (event.kind !== "pnl_currencies_set") return;
      const before = kept;
      kept = new Map(event.kept.map((code) => {
        const index = this.#venue.currencyById.get(code)?.index ?? -1;
        return [index, before.get(index) ?? i + 1];
      }));
      shown = event.currencies;
    });
    const isShown = (index: number) => shown.includes(this.#venue.currencies[index]?.id ?? "");
    return new Map([...kept].filter(([index]) => isShown(index)));
  }

  #itemsOf(event: VenueEvent, sequence: number, member: number): Item[] {
    const item = (currency: number, parts: Partial<Item>): Item => (
      { sequence, currency, credit: 0n, debit: 0n, fees: 0n, trade: null, ...parts }
    );
    if (event.kind === "balance_adjusted" && event.member === member) {
      const { amount, currency } = event;
      return [
        amount > 0n ? item(currency, { credit: amount }) : item(currency, { debit: -amount }),
      ];
    }
    if (event.kind === "deposit_set" && event.deposit.member === member) {
      const { amount, fee, state, currency } = event.deposit;
      const end = this.#venue.currency(currency).type === "coin" ? "collected" : "accepted";
      return state === end ? [item(currency, { credit: amount - fee })] : [];
    }
    if (event.kind === "withdraw_set" && event.withdraw.member === member) {
      const { amount, fee, state, currency } = event.withdraw;
      return state === "succeed" ? [item(currency, { debit: amount - fee, fees: fee })] : [];
    }
    return event.kind === "trade" ? this.#tradeItems(event, sequence, member) : [];
  }

  #tradeItems(trade: Trade, sequence: number, member: number): Item[] {
    const { market } = this.#venue.book(trade.market);
    const scale = (digits: number) => 10n ** BigInt(16 - digits);
    const base = BigInt(trade.volume) * scale(market.amountPrecision);
    const total = BigInt(trade.volume) * BigInt(trade.price) *
      scale(market.amountPrecision + market.pricePrecision);
    const less = (amount: bigint, ppm: number) => amount * BigInt(1_000_000 - ppm) / 1_000_000n;
    const items: Item[] = [];
    for (const role of ["maker", "taker"] as const) {
      if (trade[`${role}Member`] !== member) continue;
      const buys = (role === "taker") === (trade.takerSide === "buy");
      const [income, got, outcome, gave] = buys
        ? [market.base, base, market.quote, total]
        : [market.quote, total, market.base, base];
      const credit = less(got, trade[`${role}Fee`]);
      items.push({ sequence, currency: income, credit, debit: 0n, fees: 0n, trade });
      items.push({ sequence, currency: outcome, credit: 0n, debit: gave, fees: 0n, trade });
    }
    return items;
  }

  #row(currency: number, valued: number, items: readonly Item[]): PnlRow {
    const row = {
      totalCredit: 0n,
      totalDebit: 0n,
      fees: 0n,
      totalCreditValue: 0n,
      totalDebitValue: 0n,
      averageBalancePrice: 0n,
      totalBalanceValue: 0n,
    };
    const multiply = (price: Fraction) => {
      row.totalCreditValue = times(row.totalCreditValue, price);
      row.totalDebitValue = times(row.totalDebitValue, price);
      row.averageBalancePrice = times(row.averageBalancePrice, price);
      row.totalBalanceValue = times(row.totalBalanceValue, price);
    };
    let isWaiting = false;
    for (const item of items) {
      const price = this.#priceAt(currency, valued, item);
      if (isWaiting && price !== null) {
        multiply(this.#firstPrice(currency, valued) ?? price);
        isWaiting = false;
      }
      isWaiting ||= price === null;
      const value = times(item.credit + item.debit + item.fees, price ?? { over: 1n, under: 1n });
      if (item.credit > 0n) {
        row.totalCreditValue += value;
        row.totalBalanceValue += value;
        const balance = row.totalCredit + item.credit - row.totalDebit - row.fees;
        if (balance > 0n) {
          row.averageBalancePrice = times(row.totalBalanceValue, { over: ONE, under: balance });
        }
      } else {
        row.totalDebitValue += value;
        const cost = times(item.debit + item.fees, { over: row.averageBalancePrice, under: ONE });
        row.totalBalanceValue -= cost;
        if (row.totalBalanceValue < 0n) row.totalBalanceValue = 0n;
      }
      row.totalCredit += item.credit;
      row.totalDebit += item.debit;
      row.fees += item.fees;
      if (currency === valued) row.averageBalancePrice = ONE;
    }
    if (isWaiting) multiply(this.#firstPrice(currency, valued) ?? this.#ratio(currency, valued));
    const { fees: _, ...totals } = row;
    return {
      currency: this.#venue.currency(currency).id,
      pnlCurrency: this.#venue.currency(valued).id,
      ...totals,
      averageBuyPrice: row.totalCredit === 0n
        ? null
        : times(row.totalCreditValue, { over: ONE, under: row.totalCredit }),
      averageSellPrice: row.totalDebit === 0n
        ? null
        : times(row.totalDebitValue, { over: ONE, under: row.totalDebit }),
    };
  }

  /** Returns a currency's price at an item's event; null if no trade had set one by then. */
  #priceAt(currency: number, valued: number, { sequence, trade }: Item): Fraction | null {
    if (currency === valued) return { over: 1n, under: 1n };
    if (trade !== null) {
      const { market } = this.#venue.book(trade.market);
      if (market.quote === valued && market.base === currency) return this.#direct(trade);
    }
    const before = this.#trades.filter((one) => one.sequence < sequence);
    const direct = before.findLast((one) => this.#isOn(one.trade, currency, valued));
    if (direct !== undefined) return this.#direct(direct.trade);
    const inverse = before.findLast((one) => this.#isOn(one.trade, valued, currency));
    return inverse === undefined ? null : turned(this.#direct(inverse.trade));
  }

  #firstPrice(currency: number, valued: number): Fraction | null {
    for (const { trade } of this.#trades) {
      if (this.#isOn(trade, currency, valued)) return this.#direct(trade);
      if (this.#isOn(trade, valued, currency)) return turned(this.#direct(trade));
    }
    return null;
  }

  #ratio(currency: number, valued: number): Fraction {
    const under = this.#venue.currency(valued).price;
    return under === 0n
      ? { over: 0n, under: 1n }
      : { over: this.#venue.currency(currency).price, under };
  }

  #isOn(trade: Trade, base: number, quote: number): boolean {
    const { market } = this.#venue.book(trade.market);
    return market.base === base && market.quote === quote;
  }

  #direct(trade: Trade): Fraction {
    const { pricePrecision } = this.#venue.book(trade.market).market;
    return { over: BigInt(trade.price), under: 10n ** BigInt(pricePrecision) };
  }
}

function turned({ over, under }: Fraction): Fraction {
  return { over: under, under: over };
}

/** Multiplies and rounds to the nearest unit, halves up. */
function times(amount: bigint, { over, under }: Fraction): bigint {
  const product = amount * over;
  const rest = product % under;
  return product / under + (rest * 2n >= under ? 1n : 0n);
}
