import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Command, isRejection } from "../../../src/domain/command.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

describe("confirming a member", () => {
  const confirm: Command = { kind: "confirm_member", uid: "carol", level: 1 };

  it("activates a pending one and raises it to at least the level", () => {
    for (const [level, wanted] of [[0, 1], [1, 1], [3, 3]] as const) {
      const test = new DomainVenue().withMember("carol");
      test.change("carol", { state: "pending", level });
      test.must(confirm);
      const { member } = test.venue.holder(test.member("carol"));
      assertEquals([member.state, member.level], ["active", wanted]);
    }
  });

  it("is refused for one that is not pending", () => {
    const test = new DomainVenue().withMember("carol");
    for (const state of ["banned", "locked", "active"] as const) {
      test.change("carol", { state });
      assertEquals(test.do(confirm), { rejected: "member_not_pending", field: "uid" });
    }
    const nobody = test.do({ ...confirm, uid: "nobody" });
    assertEquals(nobody, { rejected: "member_not_found", field: "uid" });
  });
});

describe("a member's address", () => {
  it("moves to one that is free, begins new credentials, and is free again when left", () => {
    const test = new DomainVenue().withMember("ann").withMember("ben");
    const memberOf = (uid: string) => test.venue.holder(test.member(uid)).member;
    const [ann, ben] = [memberOf("ann"), memberOf("ben")];
    const move = (uid: string, emailDigest: string) =>
      test.do({ kind: "change_member", uid, changes: { emailDigest } });
    const taken = move("ann", ben.emailDigest);
    assertEquals(taken, { rejected: "email_taken", field: "email" });
    assertEquals(isRejection(move("ann", "elsewhere")), false);
    const moved = memberOf("ann");
    assertEquals(moved.generation, 1);
    assertEquals(typeof moved.credentialsChangedAt, "number");
    assertEquals(test.venue.emailDigests.get("elsewhere"), moved.index);
    assertEquals(test.venue.emailDigests.has(ann.emailDigest), false);
    assertEquals(isRejection(move("ben", ann.emailDigest)), false);
    assertEquals(isRejection(move("ann", "elsewhere")), false, "its own");
    assertEquals(memberOf("ann").generation, 1);
  });
});
