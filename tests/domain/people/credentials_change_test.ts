import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import type { ApiKey, CancelTimer } from "../../../src/domain/people/member.ts";
import { OWN_TIMER } from "../../../src/domain/people/member.ts";
import { refuseKey } from "../../../src/domain/people/decide_key.ts";
import { type MoneyVenue, moneyVenue, refusalOf } from "../../support/money_venue.ts";

/** Returns ann's venue, where she has made three keys, of which she has disabled the last. */
function keyed(): MoneyVenue {
  const test = moneyVenue();
  for (const kid of ["bot", "desk", "idle"]) make(test, kid);
  test.addKey("ann", "operators");
  test.must({ kind: "change_key", uid: "ann", kid: "idle", state: "disabled" });
  test.sink.at += 1000;
  return test;
}

/** Makes a key for ann, as in a session. */
function make(test: MoneyVenue, kid: string): void {
  test.must({
    kind: "create_key",
    uid: "ann",
    kid,
    role: "member",
    scopes: ["read", "trade"],
    nonceMode: "single",
    otp: test.otp("ann"),
  });
}

function keyOf(test: MoneyVenue, kid: string): ApiKey {
  const key = test.venue.keyByKid.get(kid)?.key;
  if (key === undefined) throw new Error(`No key ${kid}`);
  return key;
}

/** Returns which of ann's keys may be used. */
function usable(test: MoneyVenue): string[] {
  const keys = test.venue.holder(test.member("ann")).keys();
  return keys.filter((key) => refuseKey(test.venue, key) === null).map(({ kid }) => kid);
}

function setTwoFactor(test: MoneyVenue, isOn: boolean): void {
  test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn });
}

/** All ways in which credentials change, each with what has to follow for keys to be made. */
const CHANGES: Readonly<Record<string, (test: MoneyVenue) => void>> = {
  "a password reset": (test) => test.must({ kind: "note_password_change", uid: "ann" }),
  "a change of the password": (test) => {
    const knownGeneration = test.generation("ann");
    test.must({ kind: "note_password_change", uid: "ann", knownGeneration });
  },
  "a factor turned off, and on again": (test) => {
    setTwoFactor(test, false);
    assertEquals(usable(test), ["operators"]);
    setTwoFactor(test, true);
  },
  "a factor turned off by a recovery code": (test) => {
    const { member, generation } = test.otp("ann");
    test.must({ kind: "set_two_factor", member, generation, isOn: false });
    setTwoFactor(test, true);
  },
  "a reset that turns the factor off": (test) => {
    test.must({ kind: "note_password_change", uid: "ann", turnsFactorOff: true });
    assertEquals(usable(test), ["operators"]);
    setTwoFactor(test, true);
  },
  "a factor turned off by an operator": (test) => {
    test.must({ kind: "change_member", uid: "ann", changes: { hasTwoFactor: false } });
    setTwoFactor(test, true);
  },
};

describe("keys that their member made", () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    it(`are disabled for good by ${what}`, () => {
      const test = keyed();
      assertEquals(usable(test), ["bot", "desk", "operators"]);
      change(test);
      assertEquals(usable(test), ["operators"]);
      assertEquals([keyOf(test, "bot").state, keyOf(test, "bot").updatedAt], [
        "disabled",
        test.sink.at,
      ]);
      for (const kid of ["bot", "idle"]) {
        for (const more of [{ state: "active" }, { scopes: ["read"] }, {}] as const) {
          const outcome = test.do({ kind: "change_key", uid: "ann", kid, ...more });
          assertEquals(refusalOf(outcome), "key_over");
        }
        test.must({ kind: "change_key", uid: "ann", kid, state: "deleted" });
      }
      make(test, "new");
      assertEquals(usable(test), ["operators", "new"]);
      change(test);
      assertEquals(usable(test), ["operators"]);
      assertEquals(test.venue.holder(test.member("ann")).keys().length, 3);
    });
  }

  it("are named by the receipt as far as they were active", () => {
    const test = keyed();
    const disabledIn = () => {
      const receipt = test.must({ kind: "note_password_change", uid: "ann" });
      return receipt.kind === "member_set" ? receipt.disabledKeys : null;
    };
    assertEquals([disabledIn(), disabledIn()], [["bot", "desk"], []]);
  });

  it("stay as they are when anything else of the member changes, or it is locked and let in", () => {
    const test = keyed();
    const changes = [
      { level: 2, hasTwoFactor: true },
      { state: "locked" },
      { state: "active" },
    ] as const;
    for (const one of changes) test.must({ kind: "change_member", uid: "ann", changes: one });
    assertEquals(usable(test), ["bot", "desk", "operators"]);
    test.must({ kind: "change_member", uid: "ann", changes: { state: "locked" } });
    test.must({ kind: "note_password_change", uid: "ann" });
    test.must({ kind: "change_member", uid: "ann", changes: { state: "active" } });
    assertEquals(usable(test), ["operators"]);
  });

  it("outlive a change of the password if a code of their member keeps them", () => {
    const test = keyed();
    const change = (kids: readonly string[], otp = test.otp("ann")) =>
      refusalOf(test.do({
        kind: "note_password_change",
        uid: "ann",
        knownGeneration: test.generation("ann"),
        kept: { kids, otp },
      }));
    const before = test.venue.sequence;
    assertEquals(change(["bot"], test.otp("ben")), "otp_invalid");
    assertEquals(change(["bot"], { ...test.otp("ann"), step: 1 }), "otp_invalid");
    assertEquals(change(["bot", "bens"]), "key_not_found");
    test.addKey("ben", "bens");
    assertEquals(change(["bot", "bens"]), "key_not_found");
    assertEquals(test.venue.sequence, before + 1, "but for ben's key");
    assertEquals(change(["bot", "idle", "operators"]), null);
    assertEquals(usable(test), ["bot", "operators"]);
    test.must({ kind: "change_key", uid: "ann", kid: "idle", state: "active" });
    assertEquals(usable(test), ["bot", "idle", "operators"]);
    assertEquals(change(["desk"]), "key_not_found");
    assertEquals(change([]), null);
    assertEquals(usable(test), ["operators"]);
  });

  it("are not made, kept or changed by a code checked before the credentials changed", () => {
    const test = keyed();
    const early = test.otp("ann");
    test.must({ kind: "note_password_change", uid: "ann" });
    const what = { kid: "late", role: "member", scopes: [], nonceMode: "single" } as const;
    const outcomes = [
      test.do({ kind: "create_key", uid: "ann", ...what, otp: early }),
      test.do({ kind: "note_password_change", uid: "ann", kept: { kids: [], otp: early } }),
      test.do({ kind: "spend_otp", otp: early }),
      test.do({ kind: "set_two_factor", ...early, isOn: false }),
    ];
    assertEquals(outcomes.map(refusalOf), [
      "otp_invalid",
      "otp_invalid",
      "otp_invalid",
      "credentials_changed",
    ]);
  });

  it("lose their own timer when they end, but not those of their sockets", () => {
    const test = keyed();
    const key = keyOf(test, "bot").index;
    for (const timer of [OWN_TIMER, 7]) {
      test.must({ kind: "set_cancel_timer", key, timer, timeoutMs: 20_000 });
    }
    test.must({ kind: "note_password_change", uid: "ann" });
    const left: readonly CancelTimer[] = [{ id: 7, at: test.sink.at + 20_000 }];
    assertEquals(keyOf(test, "bot").cancelTimers, left);
  });

  it("of a store from before are of its members' first generation", () => {
    const test = keyed();
    const { index, member } = keyOf(test, "bot");
    const { generation: _, ...record } = test.venue.holder(member).member;
    apply(test.venue, { kind: "member_set", member: record }, test.sink.at);
    for (const kid of ["bot", "desk", "idle"]) {
      const { generation: _, ...key } = keyOf(test, kid);
      apply(test.venue, { kind: "key_set", key }, test.sink.at);
    }
    assertEquals(usable(test), ["bot", "desk", "operators"]);
    const off = { ...record, hasTwoFactor: false };
    apply(test.venue, { kind: "member_set", member: off }, test.sink.at);
    assertEquals(
      refuseKey(test.venue, test.venue.keys[index]?.key)?.rejected,
      "key_two_factor_off",
    );
    apply(test.venue, { kind: "member_set", member: record }, test.sink.at);
    test.must({ kind: "note_password_change", uid: "ann" });
    assertEquals(usable(test), ["operators"]);
  });
});
