import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { UIDS } from "../support/beneficiaries.ts";
import { withVenue } from "../support/with_venue.ts";

const MEMBERS = "/api/v2/admin/members";

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
