import { FEES_MEMBER } from "../../src/domain/people/member.ts";
import { formatDecimal } from "../../src/domain/money/money.ts";
import type { Order, Side } from "../../src/domain/trading/order.ts";
import {
  type RandomCommand,
  STREAM_CURRENCIES,
  STREAM_FUNDS,
  STREAM_MARKETS,
  STREAM_MEMBERS,
  STREAM_OPEN_ORDERS_MAX,
  STREAM_UNTRADED_ORDERS_MAX,
  streamVenue,
} from "../support/random_command.ts";
import { outcomeText, runRandomCommand } from "../support/run_random_command.ts";
import { type DomainVenue, units } from "../support/domain_venue.ts";
import { type ReferenceAnswer, ReferenceVenue } from "./reference_book.ts";
import type { ReferenceOrder } from "./reference_order.ts";

/** The venue and the reference: both get every command, and any difference throws. */
export class TwinVenues {
  readonly test: DomainVenue = streamVenue();
  readonly reference = new ReferenceVenue(STREAM_OPEN_ORDERS_MAX, STREAM_UNTRADED_ORDERS_MAX);
  #tradesCompared = 0;
  #eventsSeen = 0;

  constructor() {
    for (const text of STREAM_MARKETS) {
      this.reference.markets.push({
        base: text.base,
        quote: text.quote,
        lot: 10n ** BigInt(16 - text.amountPrecision),
        tick: 10n ** BigInt(16 - text.pricePrecision),
        minAmount: units(text.minAmount ?? "0"),
        minPrice: units(text.minPrice ?? "0"),
        minTotal: units(text.minTotal ?? "0"),
        state: "enabled",
        makerFee: 0n,
        takerFee: 0n,
        last: null,
        seen: [],
      });
    }
    this.test.sink.onEvent = () => this.#checkSums();
    for (const member of STREAM_MEMBERS) {
      for (const currency of STREAM_CURRENCIES) {
        this.do({ kind: "adjust", member, currency, amount: STREAM_FUNDS[currency] as bigint });
      }
    }
  }

  /** Runs a command on both, compares everything visible, and forgets finished orders. */
  do(command: RandomCommand): void {
    const { test, reference } = this;
    reference.now = test.sink.at;
    same(
      outcomeText(runRandomCommand(test, command)),
      answerText(runOnReference(reference, command, test.sink.at)),
      "the answer",
    );
    this.#compareTrades();
    this.#compareBalances();
    this.#compareOrders();
    STREAM_MARKETS.forEach((_, market) => {
      this.#compareSide(market, "buy");
      this.#compareSide(market, "sell");
    });
    test.venue.endedOrders.length = 0;
    test.sink.forget();
  }

  /** Asserts after every event that each currency sums to zero over all accounts. */
  #checkSums(): void {
    const { holders } = this.test.venue;
    this.#eventsSeen += 1;
    for (let currency = 0; currency < STREAM_CURRENCIES.length; currency++) {
      let sum = 0n;
      for (const holder of holders) {
        const account = holder.accounts[currency];
        if (account !== undefined) sum += account.available + account.locked;
      }
      same(sum, 0n, `the sum of ${currency} after event ${this.#eventsSeen}`);
    }
  }

  #compareTrades(): void {
    const trades = this.test.trades();
    const expected = this.reference.trades;
    same(trades.length, expected.length - this.#tradesCompared, "the number of new trades");
    for (const [index, trade] of trades.entries()) {
      const wanted = expected[this.#tradesCompared + index];
      if (wanted === undefined) throw new Error("The reference has no such trade");
      const book = this.test.venue.book(trade.market);
      same(trade.id, this.#tradesCompared + index + 1, "the id of a trade");
      same(trade.market, wanted.market, "the market of a trade");
      same(trade.maker, wanted.maker, "the maker of a trade");
      same(trade.taker, wanted.taker, "the taker of a trade");
      same(trade.takerSide, wanted.takerSide, "the taker's side of a trade");
      same(book.base(trade.volume), wanted.volume, "the volume of a trade");
      same(
        priceOf(this.reference, trade.market, trade.price),
        wanted.price,
        "the price of a trade",
      );
    }
    this.#tradesCompared = expected.length;
    this.test.sink.events.length = 0;
  }

  #compareBalances(): void {
    const { venue } = this.test;
    STREAM_CURRENCIES.forEach((code) => {
      const currency = venue.currencyById.get(code)?.index ?? -1;
      const fees = venue.holder(FEES_MEMBER).accounts[currency]?.available ?? 0n;
      same(fees, this.reference.balance("FEES", code).available, `fees in ${code}`);
      for (const member of STREAM_MEMBERS) {
        const account = venue.holder(this.test.member(member)).accounts[currency];
        const wanted = this.reference.balance(member, code);
        same(account?.available ?? 0n, wanted.available, `available ${code} of ${member}`);
        same(account?.locked ?? 0n, wanted.locked, `locked ${code} of ${member}`);
      }
    });
  }

  #compareOrders(): void {
    const { venue } = this.test;
    same(venue.counters.orders, this.reference.orders.length, "the number of orders");
    same(venue.orders.size, this.reference.open.length, "the number of open orders");
    for (const order of venue.orders.values()) this.#compareOrder(order);
    for (const order of venue.endedOrders) this.#compareOrder(order);
  }

  #compareOrder(order: Order): void {
    const wanted = this.reference.orders[order.id - 1];
    if (wanted === undefined) throw new Error(`The reference has no order ${order.id}`);
    same(order.state, wanted.state, `state of order ${order.id}`);
    same(order.reason, wanted.reason, `reason of order ${order.id}`);
    same(order.tradesCount, wanted.tradesCount, `trades of order ${order.id}`);
    same(order.locked, wanted.locked, `lock of order ${order.id}`);
    same(order.quoteMoved, wanted.quoteMoved, `quote moved by order ${order.id}`);
    const remaining = this.test.venue.book(order.market).base(order.remaining);
    same(remaining, wanted.remaining, `remaining of order ${order.id}`);
  }

  #compareSide(market: number, side: Side): void {
    const wanted: ReferenceOrder[] = this.reference.resting(market, side);
    let position = 0;
    for (const level of this.test.venue.book(market).sideOf(side).levels()) {
      let lots = 0;
      for (let order = level.first; order !== null; order = order.next) {
        same(order.id, wanted[position]?.id, `place ${position} among the ${side}s of ${market}`);
        lots += order.remaining;
        position += 1;
      }
      same(level.lots, lots, `the sum of level ${level.price}`);
    }
    same(position, wanted.length, `orders among the ${side}s of ${market}`);
  }
}

function runOnReference(
  reference: ReferenceVenue,
  command: RandomCommand,
  now: number,
): ReferenceAnswer {
  switch (command.kind) {
    case "place":
      return reference.place(command.member, command.orders, now);
    case "cancel":
      return reference.cancel(command.member, command.id);
    case "cancel_all":
      return reference.cancelAll(command.member, command.market, command.side);
    case "adjust":
      return reference.adjust(command.member, command.currency, command.amount);
    case "set_state":
      reference.market(command).state = command.state;
      return { ids: [] };
    case "set_fee":
      reference.market(command).makerFee = BigInt(command.maker);
      reference.market(command).takerFee = BigInt(command.taker);
      return { ids: [] };
  }
}

function priceOf(reference: ReferenceVenue, market: number, ticks: number): bigint {
  return BigInt(ticks) * reference.market({ market }).tick;
}

function answerText(answer: ReferenceAnswer): string {
  if ("rejected" in answer) return answer.rejected;
  return `ids ${answer.ids}`;
}

function same<T>(actual: T, expected: T, what: string): void {
  if (actual !== expected) {
    throw new Error(
      `Venue and reference differ in ${what}: ${show(actual)}, not ${show(expected)}`,
    );
  }
}

function show(value: unknown): string {
  return typeof value === "bigint" ? formatDecimal(value) : String(value);
}
