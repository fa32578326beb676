import type {
  Author,
  Command,
  CurrencyDefinition,
  MarketDefinition,
  OrderRequest,
  Outcome,
  Receipt,
} from "../../src/domain/command.ts";
import { isRejection } from "../../src/domain/command.ts";
import { decide } from "../../src/domain/decide.ts";
import type { Trade } from "../../src/domain/event.ts";
import type { MarketBook } from "../../src/domain/trading/market_book.ts";
import { runMarket } from "../../src/domain/trading/matching.ts";
import { generationOf, type Member } from "../../src/domain/people/member.ts";
import { formatDecimal, parseDecimal } from "../../src/domain/money/money.ts";
import type { Order } from "../../src/domain/trading/order.ts";
import type { Rejection } from "../../src/domain/rejection.ts";
import type { Settings } from "../../src/domain/settings.ts";
import { UndoLog } from "../../src/domain/undo_log.ts";
import { Venue } from "../../src/domain/venue.ts";
import { TestSink } from "./test_sink.ts";
import { TEST_SETTINGS } from "./test_settings.ts";

/** First timestamp of a test venue, in ms. */
export const START = Date.UTC(2030, 0, 1);

/** An order in decimals; by default a plain gtc limit order. */
export interface OrderText extends
  Partial<
    Pick<OrderRequest, "side" | "type" | "timeInForce" | "selfTrade" | "clientOrderId">
  > {
  readonly market?: string;
  readonly amount: string;
  readonly price?: string;
  readonly trigger?: string;
}

/** Settings of a market under test, in decimals. */
export interface MarketText {
  readonly pricePrecision?: number;
  readonly amountPrecision?: number;
  readonly minPrice?: string;
  readonly maxPrice?: string;
  readonly minAmount?: string;
  readonly minTotal?: string;
}

/** Parses a decimal into ledger units. */
export function units(text: string): bigint {
  const amount = parseDecimal(text);
  if (amount === null) throw new Error(`"${text}" is no decimal: write it like 12.5`);
  return amount;
}

/** Returns the usual currency of tests. */
export function currencyDefinition(id: string, precision: number = 16): CurrencyDefinition {
  return {
    id,
    name: id.toUpperCase(),
    description: "",
    homepage: "",
    type: "coin",
    precision,
    price: units("1"),
    position: 1,
    visible: true,
    depositEnabled: true,
    withdrawalEnabled: true,
    tradingEnabled: true,
    depositFee: 0n,
    minDepositAmount: 0n,
    withdrawFee: 0n,
    minWithdrawAmount: 0n,
    withdrawLimit24h: null,
    withdrawLimit72h: null,
    minConfirmations: 1,
    explorerTransaction: "",
    explorerAddress: "",
    iconUrl: "",
  };
}

/** Returns the usual market of tests: two price digits, six amount digits, no limits. */
export function marketDefinition(
  base: string,
  quote: string,
  text: MarketText = {},
): MarketDefinition {
  return {
    base,
    quote,
    pricePrecision: text.pricePrecision ?? 2,
    amountPrecision: text.amountPrecision ?? 6,
    minPrice: units(text.minPrice ?? "0"),
    maxPrice: units(text.maxPrice ?? "0"),
    minAmount: units(text.minAmount ?? "0"),
    minTotal: units(text.minTotal ?? "0"),
    state: "enabled",
    position: 1,
  };
}

/** Returns the request for an order on the market with this index. */
export function orderRequest(order: OrderText, market: number): OrderRequest {
  return {
    market,
    side: order.side ?? "buy",
    type: order.type ?? "limit",
    timeInForce: order.timeInForce ?? "gtc",
    selfTrade: order.selfTrade ?? "cancel_newest",
    amount: units(order.amount),
    price: units(order.price ?? "0"),
    triggerPrice: units(order.trigger ?? "0"),
    clientOrderId: order.clientOrderId ?? "",
  };
}

/**
 * The bare domain of a venue with a sink, driven as by the engine: each command is followed by all
 * pending work of the markets, over as many batches as needed. Timers are run by their own tests.
 */
export class DomainVenue {
  readonly undo = new UndoLog();
  readonly venue: Venue = new Venue({
    nonceWindowMs: 5000,
    undo: this.undo,
    settings: TEST_SETTINGS,
  });
  readonly sink: TestSink;

  constructor(capacity: number = Infinity) {
    this.sink = new TestSink(this.venue, this.undo, capacity);
    this.sink.at = START;
  }

  /** Adds currencies. */
  withCurrencies(...ids: string[]): this {
    for (const id of ids) {
      this.must({ kind: "create_currency", currency: currencyDefinition(id) });
    }
    return this;
  }

  /** Adds a market and those of its currencies that are missing. */
  withMarket(base: string, quote: string, text: MarketText = {}): this {
    for (const id of [base, quote]) {
      if (!this.venue.currencyById.has(id)) this.withCurrencies(id);
    }
    this.must({ kind: "create_market", market: marketDefinition(base, quote, text) });
    return this;
  }

  /** Adds a member named `uid`, with funds such as `{ btc: "10" }`. */
  withMember(uid: string, funds: Record<string, string> = {}, group: string = "any"): this {
    this.must({ kind: "create_member", uid, emailDigest: `digest of ${uid}`, level: 3, group });
    for (const [currency, amount] of Object.entries(funds)) this.fund(uid, currency, amount);
    return this;
  }

  /** Sets fees in parts per million; `market` and `group` may be `any`. */
  withFee(market: string, group: string, maker: number, taker: number): this {
    this.must({ kind: "set_fee", market, group, maker, taker });
    return this;
  }

  /** Adds a key with the access key `kid`; returns its index. */
  addKey(uid: string, kid: string): number {
    const receipt = this.must({
      kind: "create_key",
      uid,
      kid,
      role: "member",
      scopes: ["read", "trade"],
      nonceMode: "single",
    });
    if (receipt.kind !== "key_set") throw new Error(`create_key answered ${receipt.kind}`);
    return receipt.key.index;
  }

  /** Moves funds in, or out if the amount is negative. */
  fund(uid: string, currency: string, amount: string): void {
    this.must({ kind: "adjust_balance", uid, currency, amount: units(amount) });
  }

  /** Changes a member. */
  change(uid: string, changes: Partial<Member>): void {
    this.must({ kind: "change_member", uid, changes });
  }

  /** Changes settings. */
  set(changes: Partial<Settings>): void {
    this.must({ kind: "set_settings", changes });
  }

  /** Returns a member's index. */
  member(uid: string): number {
    const holder = this.venue.holderByUid.get(uid);
    if (holder === undefined) throw new Error(`No member ${uid}: add it by withMember`);
    return holder.member.index;
  }

  /** Returns the generation of a member's credentials. */
  generation(uid: string): number {
    return generationOf(this.venue.holder(this.member(uid)).member);
  }

  /** Returns a market's book; without an id, the first market's. */
  book(id?: string): MarketBook {
    const book = id === undefined ? this.venue.books[0] : this.venue.bookById.get(id);
    if (book === undefined) throw new Error(`No market ${id}: add it by withMarket`);
    return book;
  }

  /** Returns a member's `available/locked`. */
  balance(uid: string, currency: string): string {
    const index = this.venue.currencyById.get(currency)?.index ?? -1;
    const account = this.venue.holder(this.member(uid)).accounts[index];
    return `${formatDecimal(account?.available ?? 0n)}/${formatDecimal(account?.locked ?? 0n)}`;
  }

  /** Decides a command, then runs all pending work of the markets. */
  do(command: Command, signature: Author | null = null): Outcome {
    if (this.sink.isFull()) this.sink.nextBatch();
    let { outcome, complete } = decide(this.venue, signature, command, this.sink);
    while (!complete) {
      this.sink.nextBatch();
      const rest = decide(this.venue, null, command, this.sink);
      outcome = joined(outcome, rest.outcome);
      complete = rest.complete;
    }
    this.run();
    return outcome;
  }

  /** Runs all pending work of the markets. */
  run(): void {
    for (const book of this.venue.books) {
      while (book.hasWork() && !runMarket(this.venue, book, this.sink)) this.sink.nextBatch();
    }
  }

  /** Does the same as {@linkcode DomainVenue.do} for a command that must not be refused. */
  must(command: Command): Receipt {
    const outcome = this.do(command);
    if (isRejection(outcome)) throw new Error(`${command.kind}: ${JSON.stringify(outcome)}`);
    return outcome;
  }

  /** Returns the request for an order, by default on the first market. */
  request(order: OrderText): OrderRequest {
    return orderRequest(order, this.book(order.market).market.index);
  }

  /** Places orders in one request. */
  place(uid: string, ...orders: OrderText[]): Outcome {
    return this.do({
      kind: "place_orders",
      member: this.member(uid),
      orders: orders.map((order) => this.request(order)),
    });
  }

  /** Places orders that must be refused; returns the refusal. */
  refused(uid: string, ...orders: OrderText[]): Rejection {
    const outcome = this.place(uid, ...orders);
    if (isRejection(outcome)) return outcome;
    throw new Error(`Nothing refuses ${JSON.stringify(orders)}`);
  }

  /** Places a buy order; returns it as it is afterwards. */
  buy(uid: string, amount: string, price: string, extra: Partial<OrderText> = {}): Order {
    return this.#placed(uid, { ...extra, side: "buy", amount, price });
  }

  /** Places a sell order; returns it as it is afterwards. */
  sell(uid: string, amount: string, price: string, extra: Partial<OrderText> = {}): Order {
    return this.#placed(uid, { ...extra, side: "sell", amount, price });
  }

  #placed(uid: string, order: OrderText): Order {
    const outcome = this.place(uid, order);
    if (isRejection(outcome)) throw new Error(`The order is refused: ${JSON.stringify(outcome)}`);
    return this.order(this.venue.counters.orders);
  }

  /** Cancels orders by id. */
  cancel(uid: string, ...ids: number[]): Outcome {
    return this.do({
      kind: "cancel_orders",
      member: this.member(uid),
      names: ids.map((id) => ({ id })),
      strict: true,
      isKnown: false,
    });
  }

  /** Returns an order, open or finished. */
  order(id: number): Order {
    const order = this.venue.orders.get(id) ?? this.venue.endedOrders.find((one) => one.id === id);
    if (order === undefined) throw new Error(`No order ${id} was accepted`);
    return order;
  }

  /** Returns all trades since the venue began. */
  trades(): Trade[] {
    return this.sink.events.flatMap(({ event }) => event.kind === "trade" ? [event] : []);
  }
}

function joined(first: Outcome, second: Outcome): Outcome {
  if (isRejection(second) || isRejection(first)) return second;
  if (first.kind !== "orders_cancelled" || second.kind !== "orders_cancelled") return second;
  return { kind: "orders_cancelled", ids: [...first.ids, ...second.ids] };
}
