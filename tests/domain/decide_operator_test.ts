import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command, Outcome } from "../../src/domain/command.ts";
import {
  CURRENCIES_MAX,
  KEYS_PER_MEMBER_MAX,
  MARKETS_MAX,
  ORDER_TICKS_MAX,
} from "../../src/domain/limits.ts";
import { type KeyState, type MemberState, OUTSIDE_MEMBER } from "../../src/domain/people/member.ts";
import {
  currencyDefinition,
  DomainVenue,
  marketDefinition,
  units,
} from "../support/domain_venue.ts";

function venue(): DomainVenue {
  return new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
}

/** Returns a refusal as `code field`. */
function refusalOf(outcome: Outcome): string {
  return "rejected" in outcome ? `${outcome.rejected} ${outcome.field ?? ""}`.trim() : "accepted";
}

function assertRefusals(test: DomainVenue, cases: readonly [Command, string][]): void {
  for (const [command, wanted] of cases) {
    assertEquals(refusalOf(test.do(command)), wanted, JSON.stringify(command.kind));
  }
}

describe("an adjustment", () => {
  function adjust(uid: string, currency: string, amount: bigint): Command {
    return { kind: "adjust_balance", uid, currency, amount };
  }

  it("moves funds from or to the outside account", () => {
    const test = venue();
    const receipt = test.must(adjust("ann", "usdt", -units("40")));
    assertEquals(receipt, { kind: "balance_adjusted", id: 2, available: units("60") });
    assertEquals(test.venue.account(OUTSIDE_MEMBER, 1).available, -units("60"));
    test.venue.checkInvariants();
  });

  it("takes neither locked funds nor more than the balance", () => {
    const test = venue();
    test.buy("ann", "1", "70");
    assertRefusals(test, [
      [adjust("ann", "usdt", -units("30.1")), "balance_insufficient amount"],
      [adjust("ann", "usdt", -units("30")), "accepted"],
    ]);
  });

  it("is refused for an unknown member or currency, or an amount off precision", () => {
    const test = venue();
    test.must({ kind: "create_currency", currency: currencyDefinition("eur", 2) });
    assertRefusals(test, [
      [adjust("nobody", "eur", 1n), "member_not_found uid"],
      [adjust("FEES", "eur", 1n), "member_not_found uid"],
      [adjust("ann", "xxx", 1n), "currency_not_found currency"],
      [adjust("ann", "eur", 0n), "amount_off_precision amount"],
      [adjust("ann", "eur", units("0.001")), "amount_off_precision amount"],
      [adjust("ann", "eur", units("0.01")), "accepted"],
    ]);
  });
});

describe("members and keys", () => {
  it("are created once and changed by name", () => {
    const test = venue();
    test.addKey("ann", "key-1");
    test.withMember("ben");
    assertRefusals(test, [
      [
        { kind: "create_member", uid: "x", emailDigest: "digest of ann", level: 1, group: "any" },
        "email_taken email",
      ],
      [{ kind: "change_member", uid: "nobody", changes: {} }, "member_not_found uid"],
      [{ kind: "change_key", uid: "nobody", kid: "key-1" }, "member_not_found uid"],
      [{ kind: "change_key", uid: "ben", kid: "key-1" }, "key_not_found kid"],
      [{ kind: "change_key", uid: "ann", kid: "key-9" }, "key_not_found kid"],
      [{ kind: "change_key", uid: "ann", kid: "key-1", state: "deleted" }, "accepted"],
      [{ kind: "change_key", uid: "ann", kid: "key-1", state: "active" }, "key_not_found kid"],
    ]);
    const key = { role: "member", scopes: [], nonceMode: "single", kind: "create_key" } as const;
    assertRefusals(test, [
      [{ ...key, uid: "ann", kid: "key-1" }, "key_taken kid"],
      [{ ...key, uid: "nobody", kid: "key-2" }, "member_not_found uid"],
    ]);
  });

  it("are limited to a number of keys per member, not counting deleted ones", () => {
    const test = venue();
    const create = (kid: string): Command => ({
      kind: "create_key",
      uid: "ann",
      kid,
      role: "member",
      scopes: [],
      nonceMode: "single",
    });
    for (let count = 1; count <= KEYS_PER_MEMBER_MAX; count++) test.addKey("ann", `key-${count}`);
    assertRefusals(test, [
      [create("one more"), "keys_exceeded uid"],
      [{ kind: "change_key", uid: "ann", kid: "key-7", state: "disabled" }, "accepted"],
      [create("one more"), "keys_exceeded uid"],
      [{ kind: "change_key", uid: "ann", kid: "key-7", state: "deleted" }, "accepted"],
      [create("one more"), "accepted"],
      [create("yet one"), "keys_exceeded uid"],
      [{ ...create("an operator's"), role: "operator" } as Command, "accepted"],
    ]);
  });

  it("keep whatever a change does not name", () => {
    const test = venue();
    test.change("ann", { group: "vip" });
    test.change("ann", { level: 7 });
    const { member } = test.venue.holder(test.member("ann"));
    assertEquals([member.group, member.level, member.state], ["vip", 7, "active"]);
  });
});

describe("operators", () => {
  const change = (kid: string, state: KeyState, uid = "boss"): Command => ({
    kind: "change_key",
    uid,
    kid,
    state,
  });
  const become = (state: MemberState, uid = "boss"): Command => ({
    kind: "change_member",
    uid,
    changes: { state },
  });

  function operated(...kids: string[]): DomainVenue {
    const test = venue().withMember("boss");
    for (const kid of kids) {
      test.must({
        kind: "create_key",
        uid: "boss",
        kid,
        role: "operator",
        scopes: ["read", "trade"],
        nonceMode: "single",
      });
    }
    return test;
  }

  it("keep their last key that may change the venue", () => {
    const test = operated("one", "two");
    const scoped = (kid: string, ...scopes: ("read" | "trade")[]) => ({
      kind: "change_key" as const,
      uid: "boss",
      kid,
      scopes,
    });
    assertRefusals(test, [
      [scoped("one", "read"), "accepted"],
      [scoped("one", "read"), "accepted"],
      [scoped("two", "read"), "operator_key_last kid"],
      [change("two", "disabled"), "operator_key_last kid"],
      [scoped("one", "trade"), "accepted"],
      [scoped("two", "read"), "accepted"],
    ]);
  });

  it("keep their last key that can sign", () => {
    const test = operated("one", "two");
    test.addKey("boss", "plain");
    assertRefusals(test, [
      [change("one", "disabled"), "accepted"],
      [change("two", "disabled"), "operator_key_last kid"],
      [change("two", "deleted"), "operator_key_last kid"],
      [change("two", "active"), "accepted"],
      [change("plain", "deleted"), "accepted"],
      [change("one", "deleted"), "accepted"],
      [change("two", "deleted"), "operator_key_last kid"],
    ]);
  });

  it("keep their last member whose keys can sign", () => {
    const test = operated("one").withMember("deputy");
    test.addKey("boss", "a member's");
    const deputys = { uid: "deputy", kid: "other", role: "operator" } as const;
    assertRefusals(test, [
      [become("banned"), "operator_key_last state"],
      [become("locked"), "operator_key_last state"],
      [become("pending"), "accepted"],
      [become("banned", "ann"), "accepted"],
      [{ kind: "create_key", ...deputys, scopes: ["trade"], nonceMode: "single" }, "accepted"],
      [become("banned", "deputy"), "accepted"],
      [become("banned"), "operator_key_last state"],
      [change("one", "disabled"), "operator_key_last kid"],
      [become("active", "deputy"), "accepted"],
      [become("banned"), "accepted"],
      [change("one", "disabled"), "accepted"],
      [change("other", "disabled", "deputy"), "operator_key_last kid"],
    ]);
  });
});

describe("currencies", () => {
  it("are refused for a bad code, precision or amount", () => {
    const test = venue();
    const create = (id: string, precision = 8, more = {}): Command => ({
      kind: "create_currency",
      currency: { ...currencyDefinition(id, precision), ...more },
    });
    assertRefusals(test, [
      [create("btc"), "currency_taken id"],
      [create("BTC"), "currency_code_invalid id"],
      [create("x"), "currency_code_invalid id"],
      [create("c".repeat(17)), "currency_code_invalid id"],
      [create("c".repeat(16)), "accepted"],
      [create("eur", 17), "precision_inexact precision"],
      [create("eur", -1), "precision_inexact precision"],
      [create("eur", 2, { withdrawFee: units("0.001") }), "amount_off_precision withdraw_fee"],
      [create("eur", 2, { withdrawFee: units("0.01") }), "accepted"],
      [{ kind: "change_currency", id: "xxx", changes: {} }, "currency_not_found id"],
    ]);
  });

  it("keep their precision once anybody holds any", () => {
    const test = venue();
    assertRefusals(test, [
      [
        { kind: "change_currency", id: "usdt", changes: { precision: 2 } },
        "precision_frozen precision",
      ],
      [{ kind: "change_currency", id: "usdt", changes: { name: "Tether" } }, "accepted"],
      [{ kind: "change_currency", id: "btc", changes: { precision: 2 } }, "accepted"],
    ]);
    test.withMember("zoe", { btc: "1" });
    test.sell("zoe", "1", "100");
    assertEquals(test.balance("zoe", "btc"), "0/1");
    assertRefusals(test, [
      [
        { kind: "change_currency", id: "btc", changes: { precision: 3 } },
        "precision_frozen precision",
      ],
    ]);
  });

  it("are limited in number, and so are markets", () => {
    const test = new DomainVenue();
    const codes = Array.from({ length: CURRENCIES_MAX }, (_, i) => `c${i}`);
    test.withCurrencies(...codes);
    const one: Command = { kind: "create_currency", currency: currencyDefinition("more") };
    assertEquals(refusalOf(test.do(one)), "currency_limit_exceeded id");
    for (let i = 1; i < MARKETS_MAX; i++) test.withMarket("c0", `c${i}`);
    test.withMarket("c1", "c2");
    const market: Command = { kind: "create_market", market: marketDefinition("c1", "c3") };
    assertEquals(refusalOf(test.do(market)), "market_limit_exceeded id");
  });
});

describe("markets", () => {
  const create = (base: string, quote: string, text = {}): Command => ({
    kind: "create_market",
    market: marketDefinition(base, quote, text),
  });

  it("are refused for bad currencies or a bad grid", () => {
    const test = venue().withCurrencies("eth");
    assertRefusals(test, [
      [create("xxx", "usdt"), "currency_not_found base_unit"],
      [create("btc", "xxx"), "currency_not_found quote_unit"],
      [create("btc", "btc"), "base_equals_quote quote_unit"],
      [create("btc", "usdt"), "market_taken id"],
      [create("usdt", "btc"), "market_reversed id"],
      [create("eth", "usdt", { pricePrecision: 5 }), "precision_inexact amount_precision"],
      [create("eth", "usdt", { minPrice: "0.001" }), "amount_off_precision min_price"],
      [create("eth", "usdt", { maxPrice: "0.001" }), "amount_off_precision max_price"],
      [create("eth", "usdt", { minAmount: "0.0000001" }), "amount_off_precision min_amount"],
      [create("eth", "usdt", { minAmount: "-1" }), "amount_off_precision min_amount"],
      [create("eth", "usdt", { minPrice: "10", maxPrice: "1" }), "price_bounds_crossed max_price"],
      [create("eth", "usdt", { pricePrecision: 4, amountPrecision: 6 }), "accepted"],
    ]);
  });

  it("keep their grid once an order was accepted, but can change everything else", () => {
    const test = venue();
    const change = (changes: object): Command => ({
      kind: "change_market",
      id: "btcusdt",
      changes,
    });
    assertRefusals(test, [[change({ pricePrecision: 3 }), "accepted"]]);
    test.buy("ann", "1", "10.001");
    assertRefusals(test, [
      [change({ pricePrecision: 2 }), "precision_frozen price_precision"],
      [change({ minAmount: units("0.1") }), "accepted"],
      [change({ minPrice: units("0.5"), maxPrice: units("900"), minTotal: 7n }), "accepted"],
      [change({ position: 4 }), "accepted"],
      [change({ maxPrice: units("0.499") }), "price_bounds_crossed max_price"],
      [change({ minPrice: units("900") }), "accepted"],
      [change({ maxPrice: 0n }), "accepted"],
      [change({ minPrice: units("0.5"), maxPrice: units("900") }), "accepted"],
      [{ kind: "change_market", id: "xxx", changes: {} }, "market_not_found id"],
    ]);
    const { minAmount, minPrice, maxPrice, minTotal, position } = test.book().market;
    assertEquals([minAmount, minPrice, maxPrice, minTotal, position], [
      100_000,
      500,
      900_000,
      7n,
      4,
    ]);
    const last = BigInt(ORDER_TICKS_MAX) * units("0.001");
    assertRefusals(test, [
      [change({ maxPrice: last }), "accepted"],
      [change({ maxPrice: last + units("0.001") }), "amount_off_precision max_price"],
    ]);
    test.cancel("ann", 1);
    assertRefusals(test, [[change({ amountPrecision: 2 }), "precision_frozen amount_precision"]]);
  });

  it("can be corrected until their first order, whatever other markets have", () => {
    const test = venue().withMarket("eth", "usdt", { pricePrecision: 4 });
    const regrid = (pricePrecision: number): Command => ({
      kind: "change_market",
      id: "ethusdt",
      changes: { pricePrecision },
    });
    test.buy("ann", "1", "10");
    assertRefusals(test, [[regrid(2), "accepted"], [regrid(3), "accepted"]]);
    const bulk: Command = {
      kind: "place_orders",
      member: 2,
      orders: ["1", "1000000"].map((amount) =>
        test.request({ market: "ethusdt", amount, price: "10.001" })
      ),
    };
    assertRefusals(test, [[bulk, "balance_insufficient amount"], [regrid(1), "accepted"]]);
    test.buy("ann", "1", "10.1", { market: "ethusdt" });
    test.cancel("ann", 2);
    test.buy("ann", "1", "10.1", { market: "ethusdt" });
    assertRefusals(test, [[regrid(2), "precision_frozen price_precision"]]);
    const sets = test.sink.events.filter(({ event }) => event.kind === "market_set");
    assertEquals(sets.length, 2 + 3 + 2);
  });

  it("from an older log keep their grid once the venue has had any order", () => {
    const test = venue().withMarket("eth", "usdt");
    const { isUsed: _, ...older } = test.book("ethusdt").market;
    test.sink.emit({ kind: "market_set", market: older });
    const regrid = (pricePrecision: number): Command => ({
      kind: "change_market",
      id: "ethusdt",
      changes: { pricePrecision },
    });
    assertRefusals(test, [[regrid(3), "accepted"]]);
    test.buy("ann", "1", "10");
    assertRefusals(test, [[regrid(2), "precision_frozen price_precision"]]);
  });

  it("accept fees from zero to a half, for one market or all", () => {
    const test = venue();
    const set = (market: string, maker: number, taker: number): Command => ({
      kind: "set_fee",
      market,
      group: "any",
      maker,
      taker,
    });
    assertRefusals(test, [
      [set("xxx", 0, 0), "market_not_found market_id"],
      [set("any", -1, 0), "fee_rate_invalid maker"],
      [set("any", 0, 500_001), "fee_rate_invalid taker"],
      [set("any", 0.5, 0), "fee_rate_invalid maker"],
      [set("any", 0, 500_000), "accepted"],
      [set("btcusdt", 500_000, 0), "accepted"],
    ]);
    test.withMarket("eth", "usdt");
    assertEquals(test.venue.fees.choose(0, "any").maker, 500_000);
    assertEquals(test.venue.fees.choose(1, "any").taker, 500_000);
  });
});
