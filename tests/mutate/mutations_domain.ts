import type { MutatedFile } from "./mutation.ts";

const STREAMS = ["domain/random_streams", "domain/money_streams"];

/** Breaks of books, matching and what a trade comes to. */
export const DOMAIN_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/candle.ts",
    quick: ["engine/candle_series"],
    broad: ["engine/fold_window", "engine/queries"],
    mutations: [
      ["seconds - seconds % length", "seconds - seconds % length + length"],
      ["Math.max(candle.high, price)", "price"],
      ["Math.min(candle.low, price)", "Math.min(candle.open, price)"],
      ["open: candle.open", "open: price"],
      ["total: candle.total + total", "total: candle.total"],
      ["candle.volume + volume", "BigInt(Number(candle.volume + volume))"],
    ],
  },
  {
    file: "src/domain/market.ts",
    quick: ["domain/decide_operator", "domain/settlement"],
    broad: STREAMS,
    mutations: [
      ["<= MARKET_PRECISION_MAX", "< MARKET_PRECISION_MAX"],
      [
        "LEDGER_DIGITS - market.pricePrecision - market.amountPrecision",
        "LEDGER_DIGITS - market.pricePrecision",
      ],
    ],
  },
  {
    file: "src/domain/market_book.ts",
    quick: [
      "domain/venue_invariants",
      "domain/matching",
      "domain/stop_orders",
      "domain/settlement",
    ],
    broad: ["domain/scenarios", "domain/decide_operator", ...STREAMS],
    mutations: [
      ["buy.price <= this.triggerHigh", "buy.price < this.triggerHigh"],
      ["sell.price >= this.triggerLow", "sell.price > this.triggerLow"],
      ["sell.price >= this.triggerLow", "sell.price >= this.lastPrice"],
      ['this.market.state !== "enabled" || ', ""],
      ["product <= Number.MAX_SAFE_INTEGER", "product > 0"],
      ['return side === "buy" ? this.asks : this.bids;', "return this.asks;"],
      ["bid.price < ask.price", "bid.price <= ask.price"],
      ['new BookSide("highest", "triggerPrice")', 'new BookSide("lowest", "triggerPrice")'],
    ],
  },
  {
    file: "src/domain/matching.ts",
    quick: ["domain/matching", "domain/stop_orders", "domain/scenarios"],
    broad: STREAMS,
    mutations: [
      ['side === "buy" ? price <= limit', 'side === "buy" ? price < limit'],
      ["price >= limit", "price > limit"],
      ["(isPriceless(taker) || reaches", "(reaches"],
      ["if (taker.tradesCount === 0) {", "if (taker.tradesCount >= 0) {"],
      ['taker.type === "post_only" && meets', 'taker.type === "post_only" && !meets'],
      [' && taker.selfTrade !== "none") {\n    return prevent', ") {\n    return prevent"],
      ['if (taker.selfTrade !== "cancel_oldest") return false;', "return false;"],
      ["        continue;\n      }\n      wanted -=", "      }\n      wanted -="],
      ["if (wanted <= 0) return true", "if (wanted < 0) return true"],
      ["if (lots === 0) {", "if (lots < 0) {"],
      ['taker.tradesCount === 0 ? "reject" : "cancel"', '"cancel"'],
      ["Number(taker.locked / book.total(maker.price, 1))", "lots"],
      ['taker.selfTrade !== "cancel_newest"', 'taker.selfTrade === "cancel_oldest"'],
      ['if (taker.timeInForce !== "gtc") {', 'if (taker.timeInForce === "fok") {'],
      ["level.lots > LEVEL_LOTS_MAX - lots", "level.lots >= LEVEL_LOTS_MAX - lots"],
      ["if (isLevelFull(book.sideOf(taker.side)", "if (isLevelFull(book.oppositeOf(taker.side)"],
      ["account.available + order.locked", "account.available"],
      [
        "takerBuys ? taker.takerFee : maker.makerFee",
        "takerBuys ? maker.makerFee : taker.takerFee",
      ],
      [
        "takerBuys ? maker.makerFee : taker.takerFee",
        "takerBuys ? taker.takerFee : maker.makerFee",
      ],
      ["sellerQuote === buyerQuote ? buyerQuoteAvailable :", ""],
      ["settle(book, buy, sell, maker.price,", "settle(book, buy, sell, taker.price,"],
      ["takerBuys ? money.sellLocked : money.buyLocked", "money.sellLocked"],
      ["- money.total - money.released", "- money.total"],
      ["return !book.hasWork();", "return true;"],
      ["while (!sink.isFull()) {", "while (true) {"],
    ],
  },
  {
    file: "src/domain/order_book.ts",
    quick: ["domain/order_book", "domain/matching"],
    broad: STREAMS,
    mutations: [
      ["level.price * this.#sign < key) low", "level.price * this.#sign <= key) low"],
      ["if (level.count === 0) this.#close(level);", ""],
      ["this.#link(order, level, level.last, null)", "this.#link(order, level, null, level.first)"],
      ["level.lots -= order.remaining;", ""],
      ["if (order.next === null) level.last = order.previous;", "if (order.next === null);"],
      ["place.previous, place.next", "level.last, null"],
      ["this.#sorted.splice(this.#position(level.price), 1)", "this.#sorted.pop()"],
      ["lots === level.lots && count === level.count", "count === level.count"],
      ["previous.priority < order.priority", "previous.priority <= order.priority + 1e9"],
    ],
  },
  {
    file: "src/domain/settlement.ts",
    quick: ["domain/settlement"],
    broad: STREAMS,
    mutations: [
      ["if (buyRemaining === 0) buyLocked = 0n;\n  else if", "if"],
      ["price !== buy.price && !isPriceless(buy)", "price !== buy.price"],
      ["price !== buy.price && ", "price === buy.price && "],
      ["multiply(lots, buyRate)", "multiply(lots, sellRate)"],
      ["BigInt(sellRate) * book.totalFeeUnit", "BigInt(buyRate) * book.totalFeeUnit"],
      ["buyLocked === left ? 0n : left - buyLocked", "0n"],
    ],
  },
  {
    file: "src/domain/trade_record.ts",
    quick: ["domain/trade_record"],
    broad: [],
    mutations: [
      ['side: trade.takerSide === "buy" ? "sell" : "buy"', "side: trade.takerSide"],
      ["feeRate: trade.takerFee", "feeRate: trade.makerFee"],
    ],
  },
];
