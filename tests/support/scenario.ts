import { isRejection, type Outcome } from "../../src/domain/command.ts";
import { formatDecimal, formatInteger } from "../../src/domain/money/money.ts";
import type { Order } from "../../src/domain/trading/order.ts";
import type { BookSide } from "../../src/domain/trading/order_book.ts";
import { DomainVenue, type MarketText, type OrderText } from "./domain_venue.ts";

/** A scenario: a title and the lines below it. */
export interface Scenario {
  readonly title: string;
  /** Line number of the title in its file, from 1. */
  readonly line: number;
  readonly steps: readonly { readonly line: number; readonly text: string }[];
}

/** Splits a file into scenarios: a title starts with `== `, a comment with `#`. */
export function readScenarios(text: string): Scenario[] {
  const scenarios: { title: string; line: number; steps: { line: number; text: string }[] }[] = [];
  text.split("\n").forEach((raw, index) => {
    const line = index + 1;
    const step = raw.replace(/(^|\s)# .*$/, "").trim();
    if (step.startsWith("== ")) scenarios.push({ title: step.slice(3), line, steps: [] });
    else if (step !== "") scenarios.at(-1)?.steps.push({ line, text: step });
  });
  return scenarios;
}

/** Plays a scenario; throws at the first line whose outcome differs. */
export function playScenario(scenario: Scenario): DomainVenue {
  const player = new ScenarioPlayer();
  for (const { line, text } of scenario.steps) {
    try {
      player.play(text);
    } catch (error) {
      throw new Error(`Line ${line}: ${text}`, { cause: error });
    }
  }
  player.test.venue.checkInvariants();
  return player.test;
}

type Words = string[];

class ScenarioPlayer {
  readonly test = new DomainVenue();
  #tradesSeen = 0;

  play(text: string): void {
    const [left = "", wanted] = text.split(" -> ");
    const words = left.split(/\s+/);
    const answer = this.#do(words);
    if (answer !== null && answer !== wanted) throw new Error(`It is: ${answer}`);
  }

  /** Runs a line; returns its outcome, or null for lines that have none. */
  #do(words: Words): string | null {
    const [first = "", second = "", ...rest] = words;
    switch (first) {
      case "market":
        return this.#market(second, rest);
      case "fee":
        this.test.withFee(second, rest[0] ?? "any", ppm(rest[1]), ppm(rest[2]));
        return null;
      case "member":
        this.test.withMember(second, pairs(rest), "any");
        return null;
      case "change":
        return this.#change(second, pairs(rest));
      case "book":
        return this.#book(second);
      case "trades":
        return this.#trades();
      case "order":
        return stateOf(this.test.order(Number(second)));
      case "balance":
        return this.test.balance(second, rest[0] ?? "");
    }
    if (second === "cancels") return this.#cancel(first, rest);
    return this.#place(first, second, rest);
  }

  #market(name: string, words: Words): null {
    const [base = "", quote = ""] = name.split("/");
    const { price = "2", amount = "6", ...limits } = pairs(words);
    const text: MarketText = {
      pricePrecision: Number(price),
      amountPrecision: Number(amount),
      ...limits,
    };
    this.test.withMarket(base, quote, text);
    return null;
  }

  #change(name: string, changes: Record<string, string>): null {
    if (this.test.venue.bookById.has(name)) {
      const state = changes.state as "enabled" | "cancel_only" | "halted" | "disabled";
      this.test.must({ kind: "change_market", id: name, changes: { state } });
      return null;
    }
    const { group, openOrdersMax } = changes;
    this.test.change(name, {
      ...(group === undefined ? {} : { group }),
      ...(openOrdersMax === undefined ? {} : { openOrdersMax: Number(openOrdersMax) }),
    });
    return null;
  }

  #cancel(uid: string, words: Words): string {
    if (words[0] === "all") {
      const member = this.test.member(uid);
      return answerOf(
        this.test.do({ kind: "cancel_all_orders", member, market: -1, side: null }),
        (ids) => ["cancelled", ...ids].join(" "),
      );
    }
    const outcome = this.test.cancel(uid, Number(words[0]));
    return answerOf(outcome, (ids) => ids.map((id) => stateOf(this.test.order(id))).join());
  }

  #place(uid: string, verb: string, words: Words): string {
    if (verb !== "buys" && verb !== "sells") throw new Error(`Say "${uid} buys" or "${uid} sells"`);
    const outcome = this.test.place(uid, orderOf(verb === "buys" ? "buy" : "sell", words));
    return answerOf(outcome, (ids) => ids.map((id) => stateOf(this.test.order(id))).join());
  }

  #book(id: string): string {
    const book = this.test.book(id === "" ? undefined : id);
    const { pricePrecision, amountPrecision } = book.market;
    const rows = (side: BookSide) =>
      [...side.levels()].map(({ price, lots }) =>
        `${formatInteger(lots, amountPrecision)}@${formatInteger(price, pricePrecision)}`
      );
    return [...rows(book.bids).reverse(), "|", ...rows(book.asks)].join(" ");
  }

  #trades(): string {
    const trades = this.test.trades().slice(this.#tradesSeen);
    this.#tradesSeen += trades.length;
    const texts = trades.map(({ market, volume, price, maker, taker }) => {
      const { pricePrecision, amountPrecision } = this.test.venue.book(market).market;
      const lots = formatInteger(volume, amountPrecision);
      return `${lots}@${formatInteger(price, pricePrecision)} ${maker}<${taker}`;
    });
    return texts.join(", ") || "none";
  }
}

/**
 * Parses `1 @ 100 post_only`, `2 market`, `1 stop 90` or `1 @ 89 stop 90`, then `ioc`, `fok`, `stp
 * <mode>`, `as <id>` or `on <market>`.
 */
function orderOf(side: "buy" | "sell", words: Words): OrderText {
  const [amount = "", ...rest] = words;
  const after = (word: string) => {
    const at = rest.indexOf(word);
    return at < 0 ? undefined : rest[at + 1];
  };
  const price = after("@");
  const trigger = after("stop");
  const clientOrderId = after("as");
  const market = after("on");
  const named = rest.includes("market")
    ? "market"
    : rest.includes("post_only")
    ? "post_only"
    : null;
  const stop = price === undefined ? "stop" : "stop_limit";
  return {
    side,
    amount,
    type: named ?? (trigger === undefined ? "limit" : stop),
    timeInForce: rest.includes("ioc") ? "ioc" : rest.includes("fok") ? "fok" : "gtc",
    selfTrade: (after("stp") ?? "cancel_newest") as NonNullable<OrderText["selfTrade"]>,
    ...(price === undefined ? {} : { price }),
    ...(trigger === undefined ? {} : { trigger }),
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
    ...(market === undefined ? {} : { market }),
  };
}

function answerOf(outcome: Outcome, text: (ids: number[]) => string): string {
  if (isRejection(outcome)) {
    return ["refused", outcome.rejected, outcome.limit].filter(Boolean).join(" ");
  }
  if (outcome.kind === "orders_cancelled") return text([...outcome.ids]);
  if (outcome.kind !== "orders_placed") throw new Error(`No such answer: ${outcome.kind}`);
  return text(outcome.orders.map((one) => "repeats" in one ? one.repeats : one.accepted.id));
}

/** Formats an order as `#3 wait 5/8 locks 50`, `#4 done` or `#5 cancel self_trade 1/8`. */
function stateOf(order: Order): string {
  const parts = [`#${order.id}`, order.state, order.reason];
  if (order.remaining > 0) parts.push(`${order.remaining}/${order.volume}`);
  if (order.locked > 0n) parts.push(`locks ${formatDecimal(order.locked)}`);
  return parts.filter(Boolean).join(" ");
}

function pairs(words: Words): Record<string, string> {
  return Object.fromEntries(words.map((word) => word.split("=") as [string, string]));
}

function ppm(text: string | undefined): number {
  if (!text?.endsWith("%")) throw new Error(`"${text}" is no rate: write it like 0.2%`);
  return Math.round(Number(text.slice(0, -1)) * 10_000);
}
