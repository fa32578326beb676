import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { ChangeCurrency } from "../../src/domain/command.ts";
import { units } from "../support/domain_venue.ts";
import { moneyVenue, refusalOf } from "../support/money_venue.ts";

describe("the operator's settings", () => {
  it("stop trading on the whole venue or in one currency, but not cancels", () => {
    const test = moneyVenue().withMarket("btc", "usdt");
    const order = { amount: "1", price: "10", side: "sell" } as const;
    const { id } = test.sell("ann", "1", "10");
    const place = () => refusalOf(test.place("ann", order));
    test.must({ kind: "set_switches", switches: { trading: false } });
    assertEquals(place(), "trading_stopped");
    test.must({ kind: "set_switches", switches: { trading: true } });
    for (const currency of ["btc", "usdt"]) {
      test.must({ kind: "change_currency", id: currency, changes: { tradingEnabled: false } });
      assertEquals(place(), "market_not_enabled");
      test.must({ kind: "change_currency", id: currency, changes: { tradingEnabled: true } });
    }
    assertEquals(place(), null);
    test.must({ kind: "set_switches", switches: { trading: false } });
    assertEquals(refusalOf(test.cancel("ann", id)), null);
  });

  it("refuse limits of a month or of 72 hours below those of a day", () => {
    const test = moneyVenue();
    const row = (limit24h: bigint | null, limit1m: bigint | null) =>
      test.do({
        kind: "set_withdraw_limit",
        row: { level: 1, group: "any", limit24h, limit1m },
      });
    const rejected = "withdraw_limit_contradicted";
    assertEquals(row(units("5"), units("4")), {
      rejected,
      field: "limit_1_month",
      limit: "5",
      rule: "minimum",
    });
    for (const [daily, monthly] of [[5n, 5n], [5n, null], [null, 5n], [0n, 0n], [null, null]]) {
      assertEquals(refusalOf(row(daily ?? null, monthly ?? null)), null);
    }
    const change = (changes: ChangeCurrency["changes"]) =>
      test.do({ kind: "change_currency", id: "btc", changes });
    const [one, two] = [units("1"), units("2")];
    const both = { withdrawLimit24h: two, withdrawLimit72h: one };
    const least = { rejected, field: "withdraw_limit_72h", limit: "2", rule: "minimum" } as const;
    assertEquals(change(both), least);
    const currency = { ...test.venue.currency(0), id: "new", ...both };
    assertEquals(test.do({ kind: "create_currency", currency }), least);
    assertEquals(refusalOf(change({ withdrawLimit24h: two })), null);
    assertEquals(change({ withdrawLimit72h: one }), least);
    assertEquals(refusalOf(change({ withdrawLimit72h: two })), null);
    assertEquals(change({ withdrawLimit24h: two + 1n }), {
      rejected,
      field: "withdraw_limit_24h",
      limit: "2",
      rule: "maximum",
    });
    assertEquals(refusalOf(change({ withdrawLimit24h: null })), null);
  });

  it("keep a currency with limits of an older program open to other changes", () => {
    const test = moneyVenue();
    const currency = { ...test.venue.currency(0), withdrawLimit24h: 2n, withdrawLimit72h: 1n };
    test.sink.emit({ kind: "currency_set", currency });
    const changes = { name: "other" };
    assertEquals(refusalOf(test.do({ kind: "change_currency", id: "btc", changes })), null);
  });

  it("are deleted row by row, after which the next less specific row applies", () => {
    const test = moneyVenue();
    for (const level of [-1, 3]) {
      const row = { level, group: "any", limit24h: BigInt(level + 2), limit1m: null };
      test.must({ kind: "set_withdraw_limit", row });
    }
    const { withdrawLimits } = test.venue;
    const remove = (level: number, group = "any") =>
      test.do({ kind: "delete_withdraw_limit", row: { level, group } });
    assertEquals(refusalOf(remove(2)), "table_row_not_found");
    assertEquals(refusalOf(remove(3, "vip")), "table_row_not_found");
    const row = { level: 3, group: "any", limit24h: 5n, limit1m: null };
    assertEquals(remove(3), { kind: "withdraw_limit_deleted", row });
    assertEquals(withdrawLimits.choose(3, "any")?.limit24h, 1n);
    assertEquals(refusalOf(remove(3)), "table_row_not_found");
    assertEquals(refusalOf(remove(-1)), null);
    assertEquals([withdrawLimits.rows(), withdrawLimits.choose(3, "any")], [[], null]);
  });
});
