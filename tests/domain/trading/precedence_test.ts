import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type {
  ChangeMarket,
  Command,
  CreateMarket,
  MarketDefinition,
} from "../../../src/domain/command.ts";
import type { RequestWithdraw } from "../../../src/domain/money_command.ts";
import { REJECTION_CODES, type RejectionCode } from "../../../src/domain/rejection.ts";
import { type MoneyVenue, moneyVenue, refusalOf } from "../../support/money_venue.ts";
import { DomainVenue, marketDefinition, units } from "../../support/domain_venue.ts";

/** A refusal, and the change that removes its cause from the venue or from the command. */
type Step<T extends DomainVenue, C> = readonly [RejectionCode, Partial<C> | ((test: T) => unknown)];

/** Repeats a command with one cause less each time; refusals must come in the list's order. */
function assertPrecedence<T extends DomainVenue, C extends Command>(
  test: T,
  wrong: C,
  steps: readonly Step<T, C>[],
): void {
  let command = wrong;
  let place = -1;
  for (const [code, mend] of steps) {
    assertEquals(refusalOf(test.do(command)), code);
    assert(REJECTION_CODES.indexOf(code) > place, `${code} is listed where it is checked`);
    place = REJECTION_CODES.indexOf(code);
    if (typeof mend === "function") mend(test);
    else command = { ...command, ...mend };
  }
  assertEquals(refusalOf(test.do(command)), null, "nothing is wrong with it any more");
}

describe("with everything wrong, refusals come in order of precedence for", () => {
  it("a withdrawal", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    const active = test.activeBeneficiary("ann", "btc", "a");
    const pending = test.beneficiary("ann", "btc", "b");
    test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 4, trading: 0 } });
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: false });
    test.set({ beneficiaryHoldMs: 1000 });
    const proof = test.otp("ann");
    const wrong: RequestWithdraw = {
      kind: "request_withdraw",
      member,
      otp: { ...proof, step: null },
      beneficiary: 999,
      currency: "xxx",
      amount: units("99.0000000000000001"),
    };
    assertPrecedence<MoneyVenue, RequestWithdraw>(test, wrong, [
      ["currency_not_found", { currency: "btc" }],
      [
        "withdraw_level_too_low",
        () => test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 3, trading: 0 } }),
      ],
      [
        "withdrawals_stopped",
        () => test.must({ kind: "set_switches", switches: { withdrawals: true } }),
      ],
      ["beneficiary_not_found", { beneficiary: pending }],
      ["beneficiary_not_active", { beneficiary: active }],
      ["beneficiary_on_hold", () => test.set({ beneficiaryHoldMs: 0 })],
      [
        "two_factor_off",
        () => test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: true }),
      ],
      ["otp_invalid", {
        otp: { ...proof, step: proof.step + 10, generation: proof.generation + 1 },
      }],
      [
        "withdrawal_disabled",
        () =>
          test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: true } }),
      ],
      ["withdraw_balance_insufficient", { amount: 1n }],
      ["withdraw_amount_invalid", { amount: units("1") }],
    ]);
  });

  it("a beneficiary", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 4, trading: 0 } });
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    const wrong = { kind: "create_beneficiary", member, addressDigest: "a" } as const;
    assertPrecedence<MoneyVenue, Command>(test, { ...wrong, currency: "xxx" }, [
      ["currency_not_found", { currency: "btc" }],
      [
        "withdraw_level_too_low",
        () => test.must({ kind: "set_levels", levels: { deposit: 0, withdraw: 3, trading: 0 } }),
      ],
      [
        "withdrawal_disabled",
        () => {
          test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: true } });
          test.beneficiary("ann", "btc", "a");
        },
      ],
      ["beneficiary_address_taken", { addressDigest: "b" }],
    ]);
  });

  const payable = (test: MoneyVenue): Step<MoneyVenue, Command>[] => [
    [
      "withdrawals_stopped",
      () => test.must({ kind: "set_switches", switches: { withdrawals: true } }),
    ],
    [
      "withdrawal_disabled",
      () => test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: true } }),
    ],
  ];

  /** Returns a withdrawal above the limits, after which all withdrawals are stopped. */
  function stoppedWithdraw(test: MoneyVenue, isApproved: boolean): number {
    test.must({
      kind: "set_withdraw_limit",
      row: { level: -1, group: "any", limit24h: 1n, limit1m: 1n },
    });
    const { id } = test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
    if (isApproved) test.must({ kind: "change_withdraw", id, action: "approve" });
    test.must({ kind: "set_switches", switches: { withdrawals: false } });
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    return id;
  }

  it("the claim of a withdrawal", () => {
    const test = moneyVenue();
    const id = stoppedWithdraw(test, true);
    const wrong = { kind: "change_withdraw", id, action: "claim", claims: 1 } as const;
    assertPrecedence<MoneyVenue, Command>(test, wrong, [
      ["withdraw_state_invalid", { claims: 0 }],
      ...payable(test),
    ]);
  });

  it("the approval of a withdrawal", () => {
    const test = moneyVenue();
    const id = stoppedWithdraw(test, false);
    const state = (state: "locked" | "active") =>
      test.must({ kind: "change_member", uid: "ann", changes: { state } });
    state("locked");
    const wrong = { kind: "change_withdraw", id, action: "approve" } as const;
    assertPrecedence<MoneyVenue, Command>(test, wrong, [
      ["member_locked", () => state("active")],
      ...payable(test),
    ]);
  });

  /** Steps that are too fine and limits that violate them and each other, corrected one by one. */
  const grid = {
    pricePrecision: 9,
    amountPrecision: 9,
    minPrice: units("10.001"),
    maxPrice: units("1"),
  };

  it("a new market", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withCurrencies("eth");
    const market: MarketDefinition = { ...marketDefinition("xxx", "xxx"), ...grid };
    const mended = (changes: Partial<MarketDefinition>) => {
      Object.assign(market, changes);
      return {};
    };
    assertPrecedence<DomainVenue, CreateMarket>(test, { kind: "create_market", market }, [
      ["currency_not_found", () => mended({ base: "usdt", quote: "usdt" })],
      ["base_equals_quote", () => mended({ quote: "btc" })],
      ["market_reversed", () => mended({ quote: "eth" })],
      ["precision_inexact", () => mended({ pricePrecision: 2, amountPrecision: 2 })],
      ["amount_off_precision", () => mended({ minPrice: units("10") })],
      ["price_bounds_crossed", () => mended({ maxPrice: units("11") })],
    ]);
  });

  it("a change of a market", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
    test.buy("ann", "1", "10");
    const wrong = { kind: "change_market", id: "xxx", changes: grid } as const;
    const precisions = { ...grid, pricePrecision: 2, amountPrecision: 2 };
    const onGrid = { ...precisions, minPrice: units("10") };
    const inOrder = { ...onGrid, maxPrice: units("11") };
    assertPrecedence<DomainVenue, ChangeMarket>(test, wrong, [
      ["market_not_found", { id: "btcusdt" }],
      ["precision_inexact", { changes: precisions }],
      ["amount_off_precision", { changes: onGrid }],
      ["price_bounds_crossed", { changes: inOrder }],
      ["precision_frozen", { changes: { ...inOrder, amountPrecision: 6 } }],
    ]);
  });
});
