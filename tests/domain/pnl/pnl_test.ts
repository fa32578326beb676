import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Deposit } from "../../../src/domain/money/deposit.ts";
import type { Trade } from "../../../src/domain/event.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import { type PnlRow, pnlRowOf } from "../../../src/domain/pnl/pnl.ts";
import {
  addContribution,
  emptyAccumulator,
  type PnlAccumulator,
  type PnlContribution,
} from "../../../src/domain/pnl/pnl_accumulator.ts";
import {
  adjustmentContribution,
  depositContribution,
  tradeContributions,
  withdrawContribution,
} from "../../../src/domain/pnl/pnl_contribution.ts";
import {
  divideNearest,
  firstPrice,
  lastPrice,
  marketPrice,
  notePrice,
  type Price,
  PRICE_ONE,
  ratioPrice,
  worth,
} from "../../../src/domain/pnl/pnl_price.ts";
import type { Withdraw } from "../../../src/domain/money/withdraw.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";

const NO_PRICE = ratioPrice(0n, 0n);

function at(price: string): Price {
  return marketPrice(units(price), "direct");
}

function credit(amount: string): PnlContribution {
  return { credit: units(amount), debit: 0n, debitFees: 0n };
}

function debit(amount: string, fees: string = "0"): PnlContribution {
  return { credit: 0n, debit: units(amount), debitFees: units(fees) };
}

/** Returns an accumulator after contributions at their prices; null if no price was known. */
function after(
  steps: readonly (readonly [PnlContribution, string | null])[],
  isSame: boolean = false,
): PnlAccumulator {
  const accumulator = emptyAccumulator();
  let first: Price | null = null;
  for (const [contribution, price] of steps) {
    const current = price === null ? null : at(price);
    first ??= current;
    addContribution(accumulator, contribution, { isSame, current, first });
  }
  return accumulator;
}

/** Returns a row's figures as text, in the order of the answer. */
function figures(accumulator: PnlAccumulator, price: Price = NO_PRICE): (string | null)[] {
  const row = pnlRowOf({ currency: "btc", pnlCurrency: "usdt" }, accumulator, price);
  const names: (keyof PnlRow)[] = [
    "totalCredit",
    "totalDebit",
    "totalCreditValue",
    "totalDebitValue",
    "averageBuyPrice",
    "averageSellPrice",
    "averageBalancePrice",
    "totalBalanceValue",
  ];
  return names.map((name) => {
    const value = row[name];
    return typeof value === "bigint" ? formatDecimal(value) : value;
  });
}

describe("an accumulator of profit and loss", () => {
  it("adds up credits at their prices", () => {
    assertEquals(figures(after([[credit("2"), "100"], [credit("2"), "300"]])), [
      "4",
      "0",
      "800",
      "0",
      "200",
      null,
      "200",
      "800",
    ]);
  });

  it("loses the cost of a debit, whatever it sold for", () => {
    assertEquals(
      figures(after([[credit("2"), "100"], [credit("2"), "300"], [debit("1"), "1000"]])),
      ["4", "1", "800", "1000", "200", "1000", "200", "600"],
    );
  });

  it("averages the remainder with later credits", () => {
    // 3 are left at a cost of 600; one more at 1000 makes 1600 for 4.
    const steps = [
      [credit("2"), "100"],
      [credit("2"), "300"],
      [debit("1"), "50"],
      [credit("1"), "1000"],
    ] as const;
    assertEquals(figures(after(steps)), ["5", "1", "1800", "50", "360", "50", "400", "1600"]);
  });

  it("deducts a withdrawal's fee with its amount, but counts it separately", () => {
    const steps = [[credit("10"), "5"], [debit("4", "1"), "6"], [credit("5"), "11"]] as const;
    // 5 of 10 are gone, so 25 of 50 are left; 5 more at 11 make 80 for 10.
    assertEquals(figures(after(steps)), ["15", "4", "105", "30", "7", "7.5", "8", "80"]);
  });

  it("deducts a fee even without an amount", () => {
    const alone = after([[credit("10"), "5"], [debit("0", "1"), "6"]]);
    assertEquals(alone.totalDebitFees, units("1"));
    assertEquals(alone.totalBalanceValue, units("45"));
  });

  it("has no cost and no average if debited first", () => {
    assertEquals(figures(after([[debit("3"), "7"]])), ["0", "3", "0", "21", null, "7", "0", "0"]);
  });

  it("keeps its average while debits exceed credits", () => {
    const steps = [[credit("1"), "10"], [debit("5"), "10"], [credit("2"), "40"]] as const;
    assertEquals(figures(after(steps)), ["3", "5", "90", "50", "30", "10", "10", "80"]);
  });

  it("is never worth less than zero", () => {
    assertEquals(
      figures(after([[credit("1"), "10"], [debit("2"), "99"]])).slice(-2),
      ["10", "0"],
    );
  });

  it("has a price of 1 in its own currency", () => {
    const accumulator = emptyAccumulator();
    const same = { isSame: true, current: PRICE_ONE, first: PRICE_ONE };
    addContribution(accumulator, debit("2"), same);
    assertEquals(figures(accumulator).slice(-2), ["1", "0"]);
    addContribution(accumulator, credit("5"), same);
    addContribution(accumulator, debit("1", "1"), same);
    assertEquals(figures(accumulator), ["5", "3", "5", "4", "1", "1.3333333333333333", "1", "3"]);
  });

  it("rounds to the nearest unit, halves up", () => {
    assertEquals(figures(after([[credit("3"), "0.0000000000000001"]])).slice(2, 7), [
      "0.0000000000000003",
      "0",
      "0.0000000000000001",
      null,
      "0.0000000000000001",
    ]);
    assertEquals(figures(after([[credit("0.5"), "0.0000000000000001"]])).slice(2, 5), [
      "0.0000000000000001",
      "0",
      "0.0000000000000002",
    ]);
    assertEquals(figures(after([[credit("0.49"), "0.0000000000000001"]]))[2], "0");
    assertEquals(divideNearest(5n, 2n), 3n);
    assertEquals(divideNearest(7n, 3n), 2n);
    assertEquals(divideNearest(8n, 3n), 3n);
  });

  it("waits for its first price and is valued at it", () => {
    const waiting = [[credit("4"), null], [debit("1"), null]] as const;
    assertEquals(figures(after(waiting), at("7")), ["4", "1", "28", "7", "7", "7", "7", "21"]);
    const priced = after([...waiting, [credit("1"), "9"]]);
    assertEquals(figures(priced, at("1000")), ["5", "1", "45", "9", "9", "9", "9", "36"]);
  });

  it("is worth nothing while no price is known", () => {
    assertEquals(figures(after([[credit("4"), null]])).slice(2), [
      "0",
      "0",
      "0",
      null,
      "0",
      "0",
    ]);
  });
});

describe("prices of profit and loss", () => {
  const old = notePrice(undefined, units("50"), 10);
  const later = notePrice(old, units("40"), 20);

  it("come from the last trade, on the market itself before the reverse one", () => {
    const other = notePrice(undefined, units("0.01"), 5);
    assertEquals(worth(units("3"), lastPrice(later, other) ?? NO_PRICE), units("120"));
    assertEquals(worth(units("3"), lastPrice(undefined, other) ?? NO_PRICE), units("300"));
    assertEquals(lastPrice(undefined, undefined), null);
  });

  it("start with the earliest trade on either market", () => {
    const before = notePrice(undefined, units("0.01"), 5);
    const behind = notePrice(undefined, units("0.01"), 15);
    assertEquals(worth(units("1"), firstPrice(later, undefined) ?? NO_PRICE), units("50"));
    assertEquals(worth(units("1"), firstPrice(later, before) ?? NO_PRICE), units("100"));
    assertEquals(worth(units("1"), firstPrice(later, behind) ?? NO_PRICE), units("50"));
    assertEquals(worth(units("1"), firstPrice(undefined, behind) ?? NO_PRICE), units("100"));
    assertEquals(firstPrice(undefined, undefined), null);
  });

  it("lose nothing when inverted", () => {
    const third = notePrice(undefined, units("3"), 1);
    assertEquals(worth(units("9"), lastPrice(undefined, third) ?? NO_PRICE), units("3"));
  });

  it("are the ratio of the currencies' own prices if there was no trade", () => {
    assertEquals(worth(units("3"), ratioPrice(units("1000"), units("20000"))), units("0.15"));
    assertEquals(worth(units("3"), ratioPrice(units("1000"), 0n)), 0n);
  });
});

describe("contributions to profit and loss", () => {
  it("of a trade are two per side, the maker's first, less fees on what is received", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
      .withMember("ann", { usdt: "1000" }).withMember("ben", { btc: "10" });
    test.sell("ben", "2", "50");
    test.buy("ann", "2", "60");
    const { market } = test.book();
    const found = tradeContributions(test.trades()[0] as Trade, market);
    const text = found.map(({ member, currency, credit, debit, debitFees }) =>
      [
        member === test.member("ann") ? "ann" : "ben",
        currency === market.base ? "btc" : "usdt",
        ...[credit, debit, debitFees].map((amount) => formatDecimal(amount)),
      ].join(" ")
    );
    assertEquals(text, [
      "ben usdt 99.9 0 0",
      "ben btc 0 2 0",
      "ann btc 1.996 0 0",
      "ann usdt 0 100 0",
    ]);
  });

  it("of a self-trade are those of both sides", () => {
    const test = new DomainVenue().withMarket("btc", "usdt")
      .withMember("ann", { usdt: "1000", btc: "10" });
    test.sell("ann", "1", "50");
    test.buy("ann", "1", "50", { selfTrade: "none" });
    const { market } = test.book();
    const found = tradeContributions(test.trades()[0] as Trade, market);
    assertEquals(found.map(({ credit, debit }) => formatDecimal(credit - debit)), [
      "50",
      "-1",
      "1",
      "-50",
    ]);
  });

  const deposit: Deposit = {
    id: 1,
    member: 2,
    currency: 0,
    amount: units("5"),
    fee: units("1"),
    txid: "",
    output: 0,
    confirmations: 0,
    state: "submitted",
    createdAt: 0,
    updatedAt: 0,
    completedAt: 0,
  };

  it("of a deposit come once its funds are final", () => {
    const states = ["submitted", "accepted", "processing", "collected", "errored"] as const;
    const credits = (isCoin: boolean) =>
      states.map((state) => depositContribution({ ...deposit, state }, isCoin)?.credit ?? null);
    assertEquals(credits(true), [null, null, null, units("4"), null]);
    assertEquals(credits(false), [null, units("4"), null, null, null]);
  });

  it("of a withdrawal come once it succeeds, with its fee separate", () => {
    const withdraw: Withdraw = {
      id: 1,
      member: 2,
      currency: 0,
      amount: units("5"),
      fee: units("1"),
      beneficiary: 1,
      state: "succeed",
      isApproved: true,
      txid: "",
      confirmations: 0,
      claims: 0,
      createdAt: 0,
      updatedAt: 0,
      doneAt: 0,
    };
    const found = withdrawContribution(withdraw);
    assertEquals([found?.credit, found?.debit, found?.debitFees], [0n, units("4"), units("1")]);
    for (const state of ["accepted", "confirming", "failed", "rejected"] as const) {
      assertEquals(withdrawContribution({ ...withdraw, state }), null);
    }
  });

  it("of an adjustment are those of a deposit or withdrawal without a fee", () => {
    const of = (amount: bigint) =>
      adjustmentContribution({
        kind: "balance_adjusted",
        id: 1,
        member: 2,
        currency: 0,
        amount,
        available: 0n,
        outsideAvailable: 0n,
      });
    const who = { member: 2, currency: 0, debitFees: 0n };
    assertEquals(of(3n), { ...who, credit: 3n, debit: 0n });
    assertEquals(of(-3n), { ...who, credit: 0n, debit: 3n });
  });
});
