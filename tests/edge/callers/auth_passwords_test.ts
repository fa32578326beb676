import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { Person } from "../../support/person.ts";
import { withVenue } from "../../support/with_venue.ts";

const USERS = "/identity/users";
const EMAIL = "carol@example.org";
const NEW_PASSWORD = "C0rrect-h0rse-2";

describe("a forgotten password", () => {
  it("is replaced using a mailed code, which ends the sessions", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const sent = await carol.post(`${USERS}/password/generate_code`, { email: EMAIL });
      assertEquals([sent.status, sent.text], [201, "{}"]);
      const reset_password_token = await carol.code("password_reset");
      const reset = { reset_password_token, password: NEW_PASSWORD };
      const done = await carol.post(`${USERS}/password/confirm_code`, {
        ...reset,
        confirm_password: NEW_PASSWORD,
      });
      assertEquals([done.status, done.text], [201, "{}"]);
      assertError(await carol.get("/resource/users/me"), 401, "authz.invalid_session");
      assertError(await carol.signIn(), 401, "identity.session.invalid_params");
      carol.password = NEW_PASSWORD;
      assertEquals((await carol.signIn()).status, 200);
      const again = await carol.post(`${USERS}/password/confirm_code`, {
        ...reset,
        confirm_password: NEW_PASSWORD,
      });
      assertError(again, 422, "identity.password.invalid_token");
    }));

  it("is requested alike for an unknown address", () =>
    withVenue(async (venue) => {
      const nobody = new Person(venue, "nobody@example.org");
      const { email } = nobody;
      const sent = await nobody.post(`${USERS}/password/generate_code`, { email });
      assertEquals([sent.status, sent.text], [201, "{}"]);
    }));

  it("needs a strong one, given twice, and a code", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      await carol.post(`${USERS}/password/generate_code`, { email: EMAIL });
      const reset_password_token = await carol.code("password_reset");
      const good = { reset_password_token, password: NEW_PASSWORD, confirm_password: NEW_PASSWORD };
      const refused: [Record<string, unknown>, string][] = [
        [{ reset_password_token: null }, "identity.user.missing_pass_token"],
        [{ password: null }, "identity.user.missing_password"],
        [{ confirm_password: null }, "identity.user.missing_confirm_password"],
        [{ confirm_password: "Other-1-pass" }, "identity.user.passwords_doesnt_match"],
        [{ password: "weak", confirm_password: "weak" }, "password.requirements"],
        [{ reset_password_token: `${carol.uid}.0` }, "identity.password.invalid_token"],
      ];
      for (const [changes, identifier] of refused) {
        const answer = await carol.post(`${USERS}/password/confirm_code`, { ...good, ...changes });
        assertError(answer, 422, identifier);
      }
      assertEquals((await carol.post(`${USERS}/password/confirm_code`, good)).status, 201);
    }));
});

describe("a password", () => {
  it("is changed, ending the other sessions", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const elsewhere = new Person(venue, EMAIL);
      assertEquals((await elsewhere.signIn()).status, 200);
      const changed = await carol.call("PUT", "/api/v2/auth/resource/users/password", {
        json: {
          old_password: carol.password,
          new_password: NEW_PASSWORD,
          confirm_password: NEW_PASSWORD,
        },
      });
      assertEquals([changed.status, changed.text], [201, "{}"]);
      assertEquals((await carol.get("/resource/users/me")).status, 200);
      assertError(await elsewhere.get("/resource/users/me"), 401, "authz.invalid_session");
      assertError(await elsewhere.signIn(), 401, "identity.session.invalid_params");
      elsewhere.password = NEW_PASSWORD;
      assertEquals((await elsewhere.signIn()).status, 200);
    }));

  it("stays if the change is invalid, naming the field", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const good = {
        old_password: carol.password,
        new_password: NEW_PASSWORD,
        confirm_password: NEW_PASSWORD,
      };
      const { password } = carol;
      const refused: [Record<string, unknown>, string, string][] = [
        [{ old_password: null }, "missing_old_password", "old_password"],
        [{ new_password: null }, "missing_new_password", "new_password"],
        [{ confirm_password: null }, "missing_confirm_password", "confirm_password"],
        [{ confirm_password: "Other-1-pass" }, "doesnt_match", "confirm_password"],
        [{ old_password: "Wr0ng-password" }, "prev_pass_not_correct", "old_password"],
        [
          { new_password: password, confirm_password: password },
          "no_change_provided",
          "new_password",
        ],
      ];
      const change = (json: unknown) =>
        carol.call("PUT", "/api/v2/auth/resource/users/password", { json });
      for (const [changes, reason, field] of refused) {
        const answer = await change({ ...good, ...changes });
        assertError(answer, 422, `resource.password.${reason}`);
        assertEquals(answer.body.details.field, field);
      }
      const weak = await change({ ...good, new_password: "weak", confirm_password: "weak" });
      assertError(weak, 422, "password.requirements");
      assertEquals(weak.body.details.field, "new_password");
    }));
});
