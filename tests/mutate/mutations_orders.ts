import type { MutatedFile } from "./mutation.ts";

const STREAMS = ["domain/random_streams", "domain/money_streams"];

/** Breaks of the venue's decisions on orders. */
export const ORDER_MUTATIONS: readonly MutatedFile[] = [
  {
    file: "src/domain/decide_cancel.ts",
    quick: ["domain/decide_cancel", "domain/client_orders", "api/admin_orders"],
    broad: ["domain/decide_orders", ...STREAMS],
    mutations: [
      ["command.strict && !isSeen", "!isSeen"],
      ["command.strict && !isSeen", "command.strict"],
      ['("clientOrderId" in name && id !== undefined)', "false"],
      ['("clientOrderId" in name && id !== undefined)', '"clientOrderId" in name'],
      ['if (book.market.state === "halted") {', "if (false) {"],
      ['if (command.strict) return reject("market_halted", "market");', ""],
      ['if (command.strict) return reject("market_halted"', 'return reject("market_halted"'],
      ["venue.books[market]?.market.state", "venue.books[-1]?.market.state"],
      ["undefined : venue.openOrder(command.member, id)", "undefined : venue.orders.get(id)"],
      ["if (sink.isFull()) return", "if (false) return"],
      ["(side === null || order.side === side)", "true"],
      ["market < 0 ? holder.openOrders.values() : ", ""],
      ['market.state !== "halted"', 'market.state !== "cancel_only"'],
      ["isDone: false", "isDone: true"],
      ["refuseHalted(venue, book.market.index) ?? swept", "swept"],
    ],
  },
  {
    file: "src/domain/decide_orders.ts",
    quick: [
      "domain/decide_orders",
      "domain/stop_orders",
      "domain/matching",
      "domain/decide_bounds",
    ],
    broad: ["domain/decide_cancel", "domain/decide_operator", "domain/scenarios", ...STREAMS],
    mutations: [
      ["noteFirstOrder(book, sink);", ""],
      ["market.isUsed !== false", "market.isUsed === undefined"],
      ["units > field.max", "units >= field.max"],
      ["holder.member.level < venue.levels.trading", "holder.member.level <= venue.levels.trading"],
      ["command.orders.length > ordersMax", "command.orders.length >= ordersMax"],
      ["holder.member.bulkOrdersMax || command.bulkOrdersMax", "command.bulkOrdersMax"],
      ["?? { ...answer, index };", "?? answer;"],
      ["return firstTermsRefusal(venue, command.orders) ??", "return"],
      ["return { ...terms, index };", "return terms;"],
      ['if (request.clientOrderId !== "") named', "named"],
      [
        "const refusal = refuseMarket(venue, book, holder, terms) ?? refuseTerms(book, terms);",
        "const refusal = refuseTerms(book, terms);",
      ],
      ["request.triggerPrice === 0n) {", "request.triggerPrice < 0n) {"],
      ['&& request.type !== "limit"', '&& request.type === "market"'],
      ["earlier.digest === termsDigest(terms)", "earlier.digest > 0"],
      [
        "isPriceless(terms) && !holder.member.marketOrdersEnabled",
        "!holder.member.marketOrdersEnabled",
      ],
      [
        "terms.volume < Math.max(1, market.minAmount)",
        "terms.volume <= Math.max(1, market.minAmount)",
      ],
      [
        "book.total(terms.price, terms.volume) < market.minTotal",
        "book.total(terms.price, terms.volume) <= market.minTotal",
      ],
      ["ticks < Math.max(1, market.minPrice)", "ticks < 1"],
      ["ticks > market.maxPrice", "ticks >= market.maxPrice"],
      ["if (triggerRefusal !== null) return triggerRefusal;", ""],
      [
        "(holder.openCounts[terms.market] ?? 0) >= openMax",
        "(holder.openCounts[terms.market] ?? 0) > openMax",
      ],
      ["member.openOrdersMax || OPEN", "OPEN"],
      ["lock <= available ? lock", "lock < available ? lock"],
      ["lock <= available ? lock", "true ? lock"],
      ["hasTrigger(terms.type) && book.hasReached(terms)", "false"],
      ["hasTrigger(terms.type) && book.hasReached(terms)", "hasTrigger(terms.type)"],
      ["book.pending.length === 0 &&", ""],
      ["&& !hasTrigger(terms.type) && book", "&& book"],
      ["divideUp(estimate * MARKET_LOCK_TENTHS, 10n)", "estimate"],
      ["lock < available ? lock : available", "lock"],
      [
        "this.#byBook.get(book) ?? new AskForecast(this.#venue, book)",
        "new AskForecast(this.#venue, book)",
        "it only looks at the same asks once more for each order of a bulk",
      ],
      ["venue.currency(market.base).tradingEnabled && ", ""],
      ["venue.switches.trading &&", ""],
      [
        "isLevelFull(book.stopsOf(terms.side), terms.triggerPrice",
        "isLevelFull(book.sideOf(terms.side), terms.triggerPrice",
      ],
      ["available: account.available - lock", "available: account.available"],
    ],
  },
];
