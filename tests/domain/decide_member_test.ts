import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command } from "../../src/domain/command.ts";
import { DomainVenue } from "../support/domain_venue.ts";

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
