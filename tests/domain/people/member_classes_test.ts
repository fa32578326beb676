import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import { memberClasses } from "../../../src/domain/people/member_classes.ts";
import type { SetMemberClasses } from "../../../src/domain/money_command.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

const LIMITS = { limit24h: null, limit1m: null };

function define(groups: readonly string[], levelMax: number, isFirst = false): SetMemberClasses {
  const command = { kind: "set_member_classes", classes: { groups, levelMax } } as const;
  return isFirst ? { ...command, isFirst } : command;
}

/** A venue with a member, on which a command names a class. */
class ClassVenue extends DomainVenue {
  constructor() {
    super();
    this.withCurrencies("btc", "usdt").create("alice", "any", 1);
  }

  create(uid: string, group: string, level: number): Outcome {
    const emailDigest = `mail of ${uid}`;
    return this.do({ kind: "create_member", uid, emailDigest, level, group });
  }

  put(changes: { readonly group?: string; readonly level?: number }): Outcome {
    return this.do({ kind: "change_member", uid: "alice", changes });
  }

  limit(level: number, group: string): Outcome {
    return this.do({ kind: "set_withdraw_limit", row: { level, group, ...LIMITS } });
  }

  fee(group: string): Outcome {
    return this.do({ kind: "set_fee", market: "any", group, maker: 0, taker: 0 });
  }
}

function refusal(outcome: Outcome): readonly (string | undefined)[] {
  return isRejection(outcome) ? [outcome.rejected, outcome.field, outcome.limit] : [];
}

describe("groups and levels", () => {
  it("are not bound until they are defined", () => {
    const test = new ClassVenue();
    for (const outcome of [test.put({ group: "old", level: 7 }), test.fee("older")]) {
      assertEquals(refusal(outcome), []);
    }
    assertEquals(memberClasses(test.venue), { groups: ["old", "older"], levelMax: 7 });
  });

  it("are those that are defined, wherever a command names one", () => {
    const test = new ClassVenue();
    test.must(define(["vip"], 4));
    const group = ["group_not_defined", "group", undefined];
    const level = (name: string) => ["level_not_defined", name, "4"];
    assertEquals(refusal(test.create("bob", "vpi", 1)), group);
    assertEquals(refusal(test.create("bob", "vip", 5)), level("level"));
    assertEquals(refusal(test.put({ group: "vpi" })), group);
    assertEquals(refusal(test.put({ level: 5 })), level("level"));
    assertEquals(refusal(test.limit(-1, "vpi")), group);
    assertEquals(refusal(test.limit(5, "any")), level("kyc_level"));
    assertEquals(refusal(test.fee("vpi")), group);
    const right = [test.create("bob", "vip", 4), test.put({ group: "vip", level: 4 })];
    for (
      const outcome of [...right, test.limit(-1, "vip"), test.limit(4, "any"), test.fee("any")]
    ) {
      assertEquals(refusal(outcome), []);
    }
  });

  it("can't be left out by whoever looked before a member, a fee or a limit had them", () => {
    for (
      const use of [
        (test: ClassVenue) => test.put({ group: "vip" }),
        (test: ClassVenue) => test.fee("vip"),
        (test: ClassVenue) => test.limit(-1, "vip"),
      ]
    ) {
      const test = new ClassVenue();
      test.must(define(["vip"], 4));
      assertEquals(refusal(use(test)), []);
      assertEquals(refusal(test.do(define([], 4))), ["member_class_in_use", "groups", "vip"]);
      // And the other way round.
      const other = new ClassVenue();
      other.must(define(["vip"], 4));
      other.must(define([], 4));
      assertEquals(refusal(use(other)), ["group_not_defined", "group", undefined]);
    }
    const test = new ClassVenue();
    test.must(define([], 4));
    test.put({ level: 4 });
    assertEquals(refusal(test.do(define([], 3))), ["member_class_in_use", "level_max", "4"]);
  });

  it("that stood beside the log are taken once, with those in use", () => {
    const test = new ClassVenue();
    test.put({ group: "old", level: 5 });
    test.must(define(["vip"], 3, true));
    assertEquals(memberClasses(test.venue), { groups: ["vip", "old"], levelMax: 5 });
    const { sequence } = test.venue;
    test.must(define(["other"], 9, true));
    assertEquals(test.venue.sequence, sequence, "nothing has happened");
  });

  it("are no setting, and outlive changes of settings", () => {
    const test = new ClassVenue();
    test.must(define(["vip"], 3));
    test.must({ kind: "set_settings", changes: { priceBandBps: 5 } });
    test.must(define(["vip"], 3));
    assertEquals(test.venue.settings.priceBandBps, 5);
    assertEquals(memberClasses(test.venue), { groups: ["vip"], levelMax: 3 });
    assertEquals("memberClasses" in test.venue.settings, false);
  });
});
