import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  BENEFICIARIES_PER_MEMBER_MAX,
  PIN_LIFE_MS,
  PIN_RESEND_MS,
  PIN_TRIES_MAX,
} from "../../../src/domain/limits.ts";
import { type MoneyVenue, moneyVenue, refusalOf } from "../../support/money_venue.ts";

function tryPin(test: MoneyVenue, id: number, options: { pin?: number; isRight?: boolean } = {}) {
  const { pin = 1, isRight = true } = options;
  return test.do({ kind: "try_pin", member: test.member("ann"), id, pin, isRight });
}

function resend(test: MoneyVenue, id: number) {
  return test.do({ kind: "resend_pin", member: test.member("ann"), id });
}

describe("a beneficiary", () => {
  it("is activated by its pin, once", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ann", "btc", "a");
    const outcome = tryPin(test, id);
    assertEquals("kind" in outcome && outcome.kind, "beneficiary_set");
    const active = test.venue.holder(test.member("ann")).beneficiaries.get(id);
    assertEquals([active?.state, active?.activatedAt], ["active", test.sink.at]);
    assertEquals(refusalOf(tryPin(test, id)), "beneficiary_not_pending");
  });

  it("counts wrong pins, and accepts none after the last try until a new pin is sent", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ann", "btc", "a");
    for (let tries = 1; tries <= PIN_TRIES_MAX; tries++) {
      const outcome = tryPin(test, id, { isRight: false });
      assertEquals("kind" in outcome && outcome.kind, "pin_wrong");
    }
    assertEquals(refusalOf(tryPin(test, id)), "pin_invalid");
    test.sink.at += PIN_RESEND_MS;
    assertEquals(refusalOf(resend(test, id)), null);
    assertEquals(refusalOf(tryPin(test, id, { pin: 1 })), "pin_invalid");
    assertEquals(refusalOf(tryPin(test, id, { pin: 2 })), null);
  });

  it("has a pin that expires", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ann", "btc", "a");
    test.sink.at += PIN_LIFE_MS;
    assertEquals(refusalOf(tryPin(test, id, { isRight: false })), null);
    test.sink.at += 1;
    assertEquals(refusalOf(tryPin(test, id)), "pin_invalid");
  });

  it("gets at most one pin a minute", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ann", "btc", "a");
    test.sink.at += PIN_RESEND_MS - 1;
    assertEquals(refusalOf(resend(test, id)), "pin_sent_recently");
    test.sink.at += 1;
    assertEquals(refusalOf(resend(test, id)), null);
    tryPin(test, id, { pin: 2 });
    assertEquals(refusalOf(resend(test, id)), "beneficiary_not_pending");
  });

  it("is unique per address until deleted", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ann", "btc", "a");
    const create = (uid: string, currency: string, addressDigest: string) =>
      refusalOf(
        test.do({ kind: "create_beneficiary", member: test.member(uid), currency, addressDigest }),
      );
    assertEquals(create("ann", "btc", "a"), "beneficiary_address_taken");
    assertEquals(create("ann", "usdt", "a"), null);
    assertEquals(create("ben", "btc", "a"), null);
    assertEquals([create("ann", "eur", ""), create("ann", "eur", "")], [null, null]);
    assertEquals(create("ann", "btc", "a"), "beneficiary_address_taken", "though not the last one");
    test.must({ kind: "archive_beneficiary", member: test.member("ann"), id });
    assertEquals(create("ann", "btc", "a"), null);
  });

  it("is unique per address, also where older digests are of other spellings", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    const id = test.beneficiary("ann", "btc", "a");
    const create = (currency: string, addressDigest: string, respelledIds: readonly number[]) =>
      refusalOf(
        test.do({ kind: "create_beneficiary", member, currency, addressDigest, respelledIds }),
      );
    assertEquals(create("btc", "A", [id]), "beneficiary_address_taken");
    assertEquals(create("usdt", "A", [id]), null);
    test.must({ kind: "archive_beneficiary", member, id });
    assertEquals(create("btc", "A", [id]), null);
    const made = [...test.venue.holder(member).beneficiaries.values()];
    assertEquals(made.map(({ isCanonical }) => isCanonical), [true, true, true]);
    assertEquals(create("eur", "", []), null);
  });

  it("of another member looks nonexistent", () => {
    const test = moneyVenue();
    const id = test.beneficiary("ben", "btc", "a");
    assertEquals(refusalOf(tryPin(test, id)), "beneficiary_not_found");
    assertEquals(refusalOf(resend(test, id)), "beneficiary_not_found");
    const archived = test.do({ kind: "archive_beneficiary", member: test.member("ann"), id });
    assertEquals(refusalOf(archived), "beneficiary_not_found");
  });

  it("looks nonexistent to every command once deleted", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    const id = test.activeBeneficiary("ann", "btc");
    test.must({ kind: "archive_beneficiary", member, id });
    const outcomes = [
      tryPin(test, id),
      resend(test, id),
      test.do({ kind: "archive_beneficiary", member, id }),
      test.requestWithdraw("ann", "btc", "1", { beneficiary: id }),
    ];
    assertEquals(outcomes.map(refusalOf), Array(4).fill("beneficiary_not_found"));
  });

  it("counts towards a limit per member unless deleted", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    const create = () =>
      test.do({ kind: "create_beneficiary", member, currency: "eur", addressDigest: "" });
    for (let count = 1; count <= BENEFICIARIES_PER_MEMBER_MAX; count++) {
      assertEquals(refusalOf(create()), null);
    }
    assertEquals(create(), {
      rejected: "beneficiaries_exceeded",
      field: "name",
      limit: String(BENEFICIARIES_PER_MEMBER_MAX),
    });
    test.must({ kind: "archive_beneficiary", member, id: 7 });
    assertEquals(refusalOf(create()), null);
  });

  it("requires the level for withdrawals, and a currency that allows them", () => {
    const test = moneyVenue();
    test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading: 1 } });
    assertEquals(test.activeBeneficiary("ann", "btc", "at the level"), 1);
    const create = () =>
      refusalOf(test.do({
        kind: "create_beneficiary",
        member: test.member("ann"),
        currency: "btc",
        addressDigest: "x",
      }));
    test.must({ kind: "change_currency", id: "btc", changes: { withdrawalEnabled: false } });
    assertEquals(create(), "withdrawal_disabled");
    test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 4, trading: 1 } });
    assertEquals(create(), "withdraw_level_too_low");
  });
});

describe("a second factor", () => {
  it("accepts each step once, and none before the last one used", () => {
    const test = moneyVenue();
    const member = test.member("ann");
    const spend = (step: number | null) =>
      refusalOf(test.do({ kind: "spend_otp", otp: { member, step, generation: 1 } }));
    assertEquals(
      [spend(700), spend(700), spend(699), spend(null), spend(701)],
      [null, "otp_invalid", "otp_invalid", "otp_invalid", null],
    );
    const other = test.withMember("eve").member("eve");
    const without = test.do({
      kind: "spend_otp",
      otp: { member: other, step: 900, generation: 0 },
    });
    assertEquals(refusalOf(without), "two_factor_off");
  });

  it("is turned on by a right code, off by a later one, and not on twice", () => {
    const test = moneyVenue().withMember("eve");
    const member = test.member("eve");
    const set = (isOn: boolean, step: number | null) => {
      const generation = test.generation("eve");
      return refusalOf(test.do({ kind: "set_two_factor", member, step, generation, isOn }));
    };
    assertEquals(set(false, 1), "two_factor_off");
    assertEquals(set(true, null), "otp_invalid");
    assertEquals(set(true, 10), null);
    assertEquals(set(true, 11), "two_factor_on");
    assertEquals(set(false, 10), "otp_invalid");
    assertEquals(set(false, 11), null);
    const unproven = { kind: "set_two_factor", member, generation: 2, isOn: true } as const;
    assertEquals(refusalOf(test.do(unproven)), "otp_invalid");
  });

  it("is turned on even by a code from before the last one used, which it uses up", () => {
    const test = moneyVenue().withMember("eve");
    const member = test.member("eve");
    const set = (isOn: boolean, step: number) => {
      const generation = test.generation("eve");
      return refusalOf(test.do({ kind: "set_two_factor", member, step, generation, isOn }));
    };
    assertEquals([set(true, 10), set(false, 12), set(true, 11)], [null, null, null]);
    const spend = (step: number) =>
      refusalOf(test.do({ kind: "spend_otp", otp: { member, step, generation: 3 } }));
    assertEquals([spend(11), spend(12), spend(13)], ["otp_invalid", "otp_invalid", null]);
  });

  it("is required for a member's own keys", () => {
    const test = moneyVenue();
    const create = (uid: string, otpOf: string, step: number | null) =>
      refusalOf(test.do({
        kind: "create_key",
        uid,
        kid: `${uid} ${step}`,
        role: "member",
        scopes: ["read"],
        nonceMode: "single",
        otp: { member: test.member(otpOf), step, generation: 1 },
      }));
    assertEquals(create("ann", "ann", null), "otp_invalid");
    assertEquals(create("ann", "ben", 900), "otp_invalid");
    assertEquals(create("ann", "ann", 900), null);
    assertEquals(create("ann", "ann", 900), "key_taken");
    assertEquals(test.venue.keys.length, 1);
  });
});
