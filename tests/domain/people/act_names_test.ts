import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ActNames, type NamedAct } from "../../../src/domain/people/act_names.ts";
import { decide } from "../../../src/domain/decide.ts";
import { ACT_NAMES_MAX } from "../../../src/domain/limits.ts";
import { type MoneyVenue, moneyVenue } from "../../support/money_venue.ts";
import { units } from "../../support/domain_venue.ts";

/** Returns the index of an operator's key, which is created if there is none. */
function operatorKey(test: MoneyVenue): number {
  const known = test.venue.keyByKid.get("operator");
  if (known !== undefined) return known.key.index;
  const receipt = test.must({
    kind: "create_key",
    uid: "ben",
    kid: "operator",
    role: "operator",
    scopes: ["read", "trade"],
    nonceMode: "single",
  });
  return receipt.kind === "key_set" ? receipt.key.index : -1;
}

/** Adjusts ann's balance by a call signed with an operator's key. */
function adjust(
  test: MoneyVenue,
  more: { request?: string; known?: NamedAct | null; checkedAt?: number } = {},
) {
  const { venue, sink } = test;
  const { request = "one", known = null, checkedAt = venue.sequence } = more;
  const once = { name: "key", request, known, checkedAt };
  const command = {
    kind: "adjust_balance",
    uid: "ann",
    currency: "btc",
    amount: units("1"),
    once,
  } as const;
  return decide(venue, { key: operatorKey(test), nonce: null }, command, sink).outcome;
}

describe("a named act", () => {
  it("takes effect once, and tells of the first time", () => {
    const test = moneyVenue();
    const { venue } = test;
    const first = adjust(test);
    assertEquals(first, { kind: "balance_adjusted", id: 4, available: units("11"), act: 1 });
    assertEquals(adjust(test), { kind: "act_repeated", earlier: 1 });
    const taken = { rejected: "act_name_taken", field: "idempotency_key" } as const;
    assertEquals(adjust(test, { request: "other" }), taken);
    assertEquals(venue.counters.acts, 1);
    assertEquals(venue.account(test.member("ann"), 0).available, units("11"));
  });

  it("is known by the rows, or has to be looked up again", () => {
    const test = moneyVenue();
    adjust(test);
    const { actNames } = test.venue;
    actNames.remove({ name: "key", request: "one" });
    actNames.knownSince = test.venue.sequence;
    const known = { act: 1, request: "one" };
    assertEquals(adjust(test, { known, checkedAt: 0 }), { kind: "act_repeated", earlier: 1 });
    const { knownSince } = actNames;
    assertEquals(adjust(test, { checkedAt: knownSince - 1 }), { rejected: "act_check_stale" });
    assertEquals("kind" in adjust(test, { checkedAt: knownSince }), true);
  });

  it("is forgotten with its batch", () => {
    const test = moneyVenue();
    const mark = test.sink.mark();
    adjust(test);
    test.sink.rollback(mark);
    assertEquals(test.venue.actNames.get("key"), undefined);
    assertEquals("kind" in adjust(test), true);
  });
});

describe("the latest names", () => {
  it("are bounded, and tell since when they are all", () => {
    const names = new ActNames();
    for (let i = 1; i <= ACT_NAMES_MAX + 2; i++) {
      names.add({ name: `${i}`, request: "" }, i, 10 * i);
    }
    assertEquals([names.get("1"), names.get("2"), names.knownSince], [undefined, undefined, 20]);
    assertEquals(names.get("3"), { act: 3, request: "" });
  });
});
