import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KEYS_PER_MEMBER_MAX } from "../../../src/domain/limits.ts";
import type { KeyState } from "../../../src/domain/people/member.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Returns a venue where ann and ben have made keys in turn. */
function keyed(): DomainVenue {
  const test = new DomainVenue().withMember("ann").withMember("ben").withMember("cid");
  for (const kid of ["1", "2", "3"]) {
    for (const uid of ["ann", "ben"]) test.addKey(uid, `${uid}-${kid}`);
  }
  return test;
}

function change(test: DomainVenue, uid: string, kid: string, state: KeyState): void {
  test.must({ kind: "change_key", uid, kid, state });
}

/** Returns the access keys and states of a member's keys. */
function keysOf(test: DomainVenue, uid: string): string[] {
  return test.venue.holder(test.member(uid)).keys().map(({ kid, state }) => `${kid} ${state}`);
}

describe("a member's keys", () => {
  it("are its own, oldest first, whatever their state until they are deleted", () => {
    const test = keyed();
    assertEquals(keysOf(test, "ann"), ["ann-1 active", "ann-2 active", "ann-3 active"]);
    assertEquals(keysOf(test, "cid"), []);
    change(test, "ann", "ann-2", "disabled");
    change(test, "ben", "ben-2", "deleted");
    assertEquals(keysOf(test, "ann"), ["ann-1 active", "ann-2 disabled", "ann-3 active"]);
    assertEquals(keysOf(test, "ben"), ["ben-1 active", "ben-3 active"]);
    for (const kid of ["ben-1", "ben-3"]) change(test, "ben", kid, "deleted");
    assertEquals(keysOf(test, "ben"), []);
    test.addKey("ben", "ben-4");
    assertEquals(keysOf(test, "ben"), ["ben-4 active"]);
    test.venue.checkInvariants();
  });

  it("are as before once their changes are undone", () => {
    const test = keyed();
    const mark = test.sink.mark();
    test.addKey("ann", "ann-4");
    change(test, "ann", "ann-4", "deleted");
    change(test, "ann", "ann-1", "deleted");
    test.addKey("cid", "cid-1");
    test.withMember("dan").addKey("dan", "dan-1");
    assertEquals(keysOf(test, "ann"), ["ann-2 active", "ann-3 active"]);
    test.sink.rollback(mark);
    assertEquals(keysOf(test, "ann"), ["ann-1 active", "ann-2 active", "ann-3 active"]);
    assertEquals(keysOf(test, "cid"), []);
    test.venue.checkInvariants();
    test.addKey("ann", "ann-5");
    assertEquals(keysOf(test, "ann").at(-1), "ann-5 active");
    assertEquals(keysOf(test, "ann").length, 4);
  });

  it("count against its own limit only", () => {
    const test = keyed();
    for (let count = 4; count <= KEYS_PER_MEMBER_MAX; count++) test.addKey("ann", `ann-${count}`);
    const another = () => test.addKey("ann", "ann-more");
    assertThrows(another, Error, "keys_exceeded");
    test.addKey("ben", "ben-4");
    change(test, "ben", "ben-4", "deleted");
    assertThrows(another, Error, "keys_exceeded");
    change(test, "ann", "ann-1", "deleted");
    another();
  });
});
