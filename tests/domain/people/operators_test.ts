import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Author, Command, Outcome, PersonCall } from "../../../src/domain/command.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { OPERATOR_ROLES, type OperatorRole } from "../../../src/domain/people/member.ts";
import { NO_KEY } from "../../../src/domain/event.ts";
import { includesRole, operatorRoleOf } from "../../../src/domain/people/operators.ts";
import { type MoneyVenue, moneyVenue } from "../../support/money_venue.ts";
import { units } from "../../support/domain_venue.ts";

const NOTE: Command = { kind: "note_act" };

function setRole(test: MoneyVenue, uid: string, role: OperatorRole | null): Outcome {
  return test.do({ kind: "set_operator_role", uid, role });
}

/** Returns a venue where ann has a role. */
function operated(role: OperatorRole): MoneyVenue {
  const test = moneyVenue();
  assert(!isRejection(setRole(test, "ann", role)));
  return test;
}

function byPerson(test: MoneyVenue, fields: Partial<PersonCall> = {}): Author {
  return { key: null, nonce: null, person: test.member("ann"), role: "viewer", ...fields };
}

function codeOf(outcome: Outcome): string {
  return isRejection(outcome) ? outcome.rejected : "accepted";
}

function roleOf(test: MoneyVenue, uid: string): OperatorRole | null {
  return operatorRoleOf(test.venue.holder(test.member(uid)).member);
}

describe("a role as an operator", () => {
  it("includes itself and viewer, and admin includes all", () => {
    const included = OPERATOR_ROLES.map((role) =>
      OPERATOR_ROLES.filter((needed) => includesRole(role, needed))
    );
    assertEquals(included, [
      ["viewer"],
      ["viewer", "support"],
      ["viewer", "finance"],
      [...OPERATOR_ROLES],
    ]);
  });

  it("is given to active members with a second factor, and taken from any", () => {
    const test = moneyVenue();
    test.withMember("carol");
    assertEquals(codeOf(setRole(test, "nobody", "viewer")), "member_not_found");
    assertEquals(setRole(test, "carol", "viewer"), {
      rejected: "role_without_factor",
      field: "otp",
    });
    test.change("ann", { state: "locked" });
    assertEquals(setRole(test, "ann", "viewer"), {
      rejected: "role_state_invalid",
      field: "state",
      limit: "locked",
    });
    assertEquals(codeOf(setRole(test, "ann", null)), "accepted");
    test.change("ann", { state: "active" });
    assertEquals(codeOf(setRole(test, "ann", "viewer")), "accepted");
    assertEquals(codeOf(setRole(test, "ann", "finance")), "accepted");
    assertEquals(roleOf(test, "ann"), "finance");
    setRole(test, "ann", null);
    assertEquals(roleOf(test, "ann"), null);
    assertEquals("operator" in test.venue.holder(test.member("ann")).member, false);
  });

  it("ends with a reset, another mailbox and another factor, and is in force once given again", () => {
    const changes: readonly ((test: MoneyVenue) => void)[] = [
      (test) => test.must({ kind: "note_password_change", uid: "ann" }),
      (test) => test.change("ann", { emailDigest: "other" }),
      (test) => {
        test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: false });
        assertEquals(roleOf(test, "ann"), null);
        test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: true });
      },
    ];
    for (const change of changes) {
      const test = operated("admin");
      change(test);
      assertEquals(roleOf(test, "ann"), null);
      assertEquals(codeOf(test.do(NOTE, byPerson(test))), "operator_role_over");
      setRole(test, "ann", "admin");
      assertEquals(codeOf(test.do(NOTE, byPerson(test))), "accepted");
    }
  });

  it("outlives a change of the password by its member, if it was in force", () => {
    const change = { kind: "note_password_change", uid: "ann", keepsRole: true } as const;
    const test = operated("finance");
    test.must(change);
    assertEquals(roleOf(test, "ann"), "finance");
    test.must({ ...change, kept: { kids: [], otp: test.otp("ann") } });
    assertEquals(roleOf(test, "ann"), "finance");
    test.must({ kind: "note_password_change", uid: "ann" });
    test.must(change);
    assertEquals(roleOf(test, "ann"), null);
  });
});

describe("a person's command as an operator", () => {
  it("takes the role, an active member and its second factor", () => {
    const test = operated("support");
    const tried = (fields: Partial<PersonCall> = {}) =>
      codeOf(test.do(NOTE, byPerson(test, fields)));
    assertEquals(tried({ role: "support" }), "accepted");
    assertEquals(test.do(NOTE, byPerson(test, { role: "finance" })), {
      rejected: "operator_role_lacks",
      field: "role",
      limit: "finance",
    });
    assertEquals(tried({ person: test.member("ben") }), "operator_only");
    assertEquals(tried({ person: 999 }), "member_not_active");
    test.change("ann", { state: "pending" });
    assertEquals(tried(), "member_not_active");
    test.change("ann", { state: "active" });
    assertEquals(tried(), "accepted");
    test.must({ kind: "set_two_factor", ...test.otp("ann"), isOn: false });
    assertEquals(tried(), "two_factor_off");
  });

  it("takes a code that was given under the present credentials", () => {
    const test = operated("admin");
    const codeGeneration = test.generation("ann");
    assertEquals(codeOf(test.do(NOTE, byPerson(test, { codeGeneration }))), "accepted");
    test.must({ kind: "note_password_change", uid: "ann", keepsRole: true });
    const outdated = test.do(NOTE, byPerson(test, { codeGeneration }));
    assertEquals(codeOf(outdated), "operator_code_missing");
    assertEquals(codeOf(test.do(NOTE, byPerson(test))), "accepted");
  });

  it("is an operator's: it places no order, and asks for no withdrawal", () => {
    const test = operated("admin");
    const member = test.member("ann");
    const cancel = { kind: "cancel_all_orders", member, market: -1, side: null } as const;
    assertEquals(codeOf(test.do(cancel, byPerson(test))), "operator_only");
  });

  it("is noted as its act, after its effect, under its name", () => {
    const test = operated("finance");
    const once = { name: "n", request: "r", known: null, checkedAt: test.venue.sequence };
    const adjust = {
      kind: "adjust_balance",
      uid: "ben",
      currency: "usdt",
      amount: units("1"),
      once,
    } as const;
    const before = test.sink.events.length;
    const first = test.do(adjust, byPerson(test, { role: "finance" }));
    assertEquals(test.sink.events.slice(before).map(({ event }) => event.kind), [
      "balance_adjusted",
      "act_noted",
    ]);
    assertEquals(test.sink.events.at(-1)?.event, {
      kind: "act_noted",
      id: 1,
      key: NO_KEY,
      person: test.member("ann"),
      once: { name: "n", request: "r" },
    });
    assertEquals("act" in first && first.act, 1);
    const again = test.do(adjust, byPerson(test, { role: "finance" }));
    assertEquals(again, { kind: "act_repeated", earlier: 1 });
  });

  it("takes both who has asked and who approves it, as they are then", () => {
    const test = operated("finance");
    setRole(test, "ben", "finance");
    test.withMember("carol");
    const adjust = { kind: "adjust_balance", uid: "carol", currency: "usdt", amount: 1n } as const;
    const second = byPerson(test, { role: "finance", person: test.member("ben") });
    const approved = (askedBy: NonNullable<Author["askedBy"]>) =>
      codeOf(test.do(adjust, { ...second, askedBy }));
    const asker = { key: null, nonce: null, person: test.member("ann"), role: "finance" } as const;
    assertEquals(approved(asker), "accepted");
    setRole(test, "ann", "support");
    assertEquals(approved(asker), "asker_not_permitted");
    setRole(test, "ann", "finance");
    assertEquals(approved(asker), "accepted");
    assertEquals(approved({ ...asker, touched: "ben" }), "asker_not_permitted");
    test.change("ann", { state: "locked" });
    assertEquals(approved(asker), "asker_not_permitted");
    assertEquals(approved({ key: NO_KEY, nonce: null }), "asker_not_permitted");
    assertEquals(codeOf(test.do(adjust, second)), "accepted");
  });

  it("takes an admin if it touches an operator", () => {
    const test = operated("finance");
    const adjust = (uid: string): Command => ({
      kind: "adjust_balance",
      uid,
      currency: "usdt",
      amount: units("1"),
    });
    const tried = (command: Command, fields: Partial<PersonCall> = {}) =>
      codeOf(test.do(command, byPerson(test, { role: "finance", ...fields })));
    assertEquals(tried(adjust("ben")), "accepted");
    assertEquals(tried(adjust("ann")), "operator_role_lacks");
    assertEquals(tried(NOTE, { touched: "ann" }), "operator_role_lacks");
    assertEquals(tried(NOTE, { touched: "ben" }), "accepted");
    const { id } = test.deposit("ben", "usdt", "1");
    assertEquals(tried({ kind: "change_deposit", id, action: "accept" }), "accepted");
    const bens = test.deposit("ben", "usdt", "1");
    test.must({
      kind: "create_key",
      uid: "ben",
      kid: "bens",
      role: "operator",
      scopes: ["read"],
      nonceMode: "single",
    });
    const accept: Command = { kind: "change_deposit", id: bens.id, action: "accept" };
    assertEquals(tried(accept), "operator_role_lacks");
    assertEquals(tried(adjust("ben")), "operator_role_lacks");
    setRole(test, "ann", "admin");
    assertEquals(tried(accept), "accepted");
    assertEquals(tried(adjust("ann")), "accepted");
  });
});
