import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_TEXTS_MAX, BookOrderTexts } from "../../../src/edge/orders/book_order_texts.ts";
import { bookOrderJson, type Fraction, type WireSource } from "../../../src/edge/wire/wire.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Two markets, their asks' texts, and the number of orders that were serialized. */
class ReadBook {
  readonly test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "usdt")
    .withMember("ann", { btc: "1000", eth: "1000" })
    .withMember("ben", { usdt: "100000" });
  readonly #texts: BookOrderTexts;
  readonly #source: WireSource;
  made = 0;

  constructor(textsMax?: number) {
    this.#texts = new BookOrderTexts(textsMax);
    const { venue } = this.test;
    const uuidOf = (id: number) => {
      this.made += 1;
      return `uuid ${id}`;
    };
    this.#source = { venue, uuidOf };
  }

  /** Reads and checks the best asks; returns how many orders were serialized. */
  asks(limit: number, fraction: Fraction = 1, market: string = "btcusdt"): number {
    const book = this.test.book(market);
    const before = this.made;
    const text = this.#texts.list(this.#source, book, book.asks, limit, {
      fraction,
      isPeatio: false,
    });
    const made = this.made - before;
    const orders: Order[] = [];
    for (const level of book.asks.levels()) {
      for (let order = level.first; order !== null; order = order.next) orders.push(order);
    }
    const wanted = orders.slice(0, limit)
      .map((order) => bookOrderJson(this.#source, order, fraction));
    assertEquals(JSON.parse(text), wanted);
    return made;
  }
}

describe("the texts of a book's orders", () => {
  it("are made once, whatever orders come and go and whatever limit is asked for", () => {
    const read = new ReadBook();
    const { test } = read;
    const orders = Array.from({ length: 20 }, (_, i) => test.sell("ann", "2", String(10 + i % 7)));
    assertEquals(read.asks(15), 15);
    assertEquals(read.asks(15), 0);
    assertEquals(read.asks(1000), 5);
    for (let limit = 1; limit <= 20; limit++) assertEquals(read.asks(limit), 0);
    test.sell("ann", "1", "9");
    test.cancel("ann", orders[3]?.id ?? 0);
    assertEquals(read.asks(1000), 1);
    assertEquals(read.asks(1000, 0), 20, "in the other form");
  });

  it("are remade only for an order that has traded", () => {
    const read = new ReadBook();
    const { test } = read;
    for (let i = 0; i < 10; i++) test.sell("ann", "2", "10");
    assertEquals(read.asks(1000), 10);
    test.buy("ben", "0.5", "10");
    assertEquals(read.asks(1000), 1);
    test.buy("ben", "2", "10");
    assertEquals(read.asks(1000), 1, "the first has gone, the second is left in part");
  });

  it("are no more than twice the best orders of both sides", () => {
    const read = new ReadBook();
    const { test } = read;
    const first = test.sell("ann", "0.01", "10");
    assertEquals(read.asks(1), 1);
    for (let i = 1; i <= BOOK_TEXTS_MAX; i++) {
      const better = test.sell("ann", "0.01", "9");
      read.asks(1);
      test.cancel("ann", better.id);
    }
    assertEquals([read.asks(1), first.state], [1, "wait"]);
  });

  it("are dropped for the least recently read book when there are too many", () => {
    const read = new ReadBook(25);
    for (const market of ["btcusdt", "ethusdt"]) {
      for (let i = 0; i < 15; i++) read.test.sell("ann", "1", String(10 + i), { market });
    }
    assertEquals(read.asks(15), 15);
    assertEquals(read.asks(10, 1, "ethusdt"), 10);
    assertEquals(read.asks(15), 0);
    assertEquals(read.asks(11, 1, "ethusdt"), 1);
    assertEquals(read.asks(15, 1, "ethusdt"), 4);
    assertEquals(read.asks(15), 15);
  });
});
