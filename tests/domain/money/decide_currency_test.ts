import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import { present } from "../../../src/domain/assert.ts";
import type { Currency } from "../../../src/domain/money/currency.ts";
import { moneyVenue, refusalOf } from "../../support/money_venue.ts";

/** A whole step of every currency. */
const UNIT = 10n ** 15n;

describe("a currency", () => {
  it("keeps its precision while a deposit of it is under way", () => {
    const test = moneyVenue();
    const eth = { ...test.venue.currency(1), id: "eth" };
    test.must({ kind: "create_currency", currency: eth });
    const lower = (precision: number) =>
      refusalOf(test.do({ kind: "change_currency", id: "eth", changes: { precision } }));
    const first = test.deposit("ben", "eth", "0.123456789");
    assertEquals(lower(2), "precision_frozen");
    assertEquals(lower(eth.precision), null);
    test.moveDeposit(first.id, "reject");
    assertEquals(lower(10), null);
    const second = test.deposit("ben", "eth", "0.123456789");
    test.moveDeposit(second.id, "accept");
    assertEquals(lower(2), "precision_frozen");
  });

  it("keeps its precision while a withdrawal of it is open", () => {
    const test = moneyVenue();
    test.withdraw("ann", "btc", "10", test.activeBeneficiary("ann", "btc"));
    assertEquals(test.balance("ann", "btc"), "0/10");
    const changes = { precision: 8 };
    const refusal = refusalOf(test.do({ kind: "change_currency", id: "btc", changes }));
    assertEquals(refusal, "precision_frozen");
  });

  it("takes no fee that leaves nothing of its smallest amount, unless an older one stays", () => {
    const test = moneyVenue();
    const change = (changes: Partial<Currency>) =>
      refusalOf(test.do({ kind: "change_currency", id: "btc", changes }));
    const terms = [["depositFee", "minDepositAmount"], ["withdrawFee", "minWithdrawAmount"]];
    for (const [fee, minimum] of terms as ["withdrawFee", "minWithdrawAmount"][]) {
      assertEquals(change({ [fee]: 9n * UNIT, [minimum]: 10n * UNIT }), null);
      assertEquals(change({ [fee]: 10n * UNIT }), "fee_above_minimum");
      assertEquals(change({ [minimum]: 9n * UNIT }), "fee_above_minimum");
      assertEquals(change({ [fee]: 0n, [minimum]: UNIT }), null);
      assertEquals(change({ [fee]: 10n * UNIT, [minimum]: 0n }), null);
    }
    const { btc } = Object.fromEntries(test.venue.currencies.map((one) => [one.id, one]));
    const currency = { ...present(btc, "it is there"), minWithdrawAmount: UNIT };
    apply(test.venue, { kind: "currency_set", currency }, 1);
    assertEquals(change({ withdrawalEnabled: false }), null);
    assertEquals(change({ minWithdrawAmount: 2n * UNIT }), "fee_above_minimum");
  });
});
