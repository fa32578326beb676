import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { withVenue } from "../../../support/with_venue.ts";

const MEMBERS = "/api/v2/admin/members";

describe("a member whom an operator makes", () => {
  it("has no other spelling of somebody's address, and leaves it to its owner", () =>
    withVenue(async (venue) => {
      const make = (email: string) => venue.post("operator", MEMBERS, { email });
      const spellings = ["car\ufe0fol@ex.org", "carol@e\ufe0fx.org", "carol@x.ex\u3002org"];
      for (const email of [...spellings, "carol@ex\u00e4mple.org/x.org"]) {
        assertError(await make(email), 422, "admin.member.invalid_email");
      }
      for (const email of ["carol@ex.org", "carol@EX\u00c4MPLE.org"]) {
        const { status, body } = await make(email);
        assertEquals([status, body.email], [201, email]);
      }
      assertError(await make("carol@xn--exmple-cua.org"), 422, "admin.member.duplicate_email");
    }));
});

describe("the operator's list of members", () => {
  it("finds the one with an address, however it is written", () =>
    withVenue(async (venue) => {
      const found = async (email: string) => {
        const answer = await venue.get("operator", `${MEMBERS}?email=${encodeURIComponent(email)}`);
        return [
          answer.body.map(({ uid }: { uid: string }) => uid),
          answer.headers.get("total"),
        ];
      };
      for (const email of ["bob@demo.invalid", "Bob@DEMO.invalid"]) {
        assertEquals(await found(email), [[UIDS.bob], "1"]);
      }
      for (const email of ["bo@demo.invalid", "nobody"]) {
        assertEquals(await found(email), [[], "0"]);
      }
      const long = await venue.get("operator", `${MEMBERS}?email=${"x".repeat(255)}`);
      assertError(long, 422, "admin.member.too_long_email");
    }));

  it("holds those in some states", () =>
    withVenue(async (venue) => {
      const path = `${MEMBERS}/${UIDS.bob}`;
      await venue.call("operator", "PATCH", path, { json: { state: "locked" } });
      const inStates = async (query: string) =>
        (await venue.get("operator", `${MEMBERS}?${query}`)).body
          .map(({ uid, state }: { uid: string; state: string }) => [uid, state]);
      assertEquals(await inStates("state=locked"), [[UIDS.bob, "locked"]]);
      assertEquals((await inStates("state=locked&state=active")).length, 3);
      assertEquals(await inStates("state=active&email=bob@demo.invalid"), []);
      const wrong = await venue.get("operator", `${MEMBERS}?state=asleep`);
      assertError(wrong, 422, "admin.member.invalid_state");
    }));
});
