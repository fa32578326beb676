/** What strangers do with somebody else's email address. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../support/assert_error.ts";
import { PASSWORD, Person } from "../support/person.ts";
import { type TestVenue, withVenue } from "../support/with_venue.ts";

const EMAIL = "carol@example.org";
const SESSIONS = "/api/v2/auth/identity/sessions";
const USERS = "/identity/users";
const HOME = "192.0.2.77";
const NEW_PASSWORD = "C0rrect-h0rse-2";

/** Guesses passwords from many networks, and asks for a reset from each; then the member is home. */
async function besiege(venue: TestVenue): Promise<void> {
  for (let place = 0; place < 40; place++) {
    venue.address = `2001:db8:${place.toString(16)}::1`;
    await venue.post(null, SESSIONS, { email: EMAIL, password: "Wr0ng-one", otp_code: "123456" });
    await venue.post(null, `/api/v2/auth${USERS}/password/generate_code`, { email: EMAIL });
  }
  venue.address = HOME;
}

describe("a stranger who signs up with somebody's address", () => {
  it("is in no session when the owner confirms, nor with what it has kept", () =>
    withVenue(async (venue) => {
      const stranger = new Person(venue, EMAIL);
      stranger.password = "Str4nger-here";
      await stranger.signUp();
      const token = await stranger.code("email_confirmation");
      const owner = new Person(venue, EMAIL);
      await owner.signUp();
      await owner.confirm();
      assertEquals((await owner.signIn()).status, 200);
      for (const path of ["/resource/otp/generate_qrcode", "/resource/api_keys"]) {
        assertError(await stranger.post(path), 401, "authz.invalid_session");
      }
      assertError(await stranger.signIn(), 401, "identity.session.invalid_params");
      const { password } = stranger;
      const confirmed = await stranger.post(`${USERS}/email/confirm_code`, { token, password });
      assertError(confirmed, 422, "identity.user.invalid_token");
    }));
});

describe("strangers who guess and ask for resets from many networks", () => {
  it("keep out neither a member with its code nor its session", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      await besiege(venue);
      const started = performance.now();
      const elsewhere = new Person(venue, EMAIL);
      const throttled = "identity.session.too_many_failures";
      assertError(await elsewhere.signIn(), 429, throttled);
      assertError(await elsewhere.signIn("000000"), 429, throttled);
      assertEquals((await elsewhere.signIn(carol.nextOtp())).status, 200);
      assert(performance.now() - started < 5_000);
      const changed = await carol.call("PUT", "/api/v2/auth/resource/users/password", {
        json: {
          old_password: PASSWORD,
          new_password: NEW_PASSWORD,
          confirm_password: NEW_PASSWORD,
        },
      });
      assertEquals(changed.status, 201);
    }));

  it("leave the mailbox's owner a code that lets it in, and a device that stays known", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      await besiege(venue);
      const elsewhere = new Person(venue, EMAIL);
      assertError(await elsewhere.signIn(), 429, "identity.session.too_many_failures");
      elsewhere.uid = carol.uid;
      elsewhere.password = NEW_PASSWORD;
      const reset = await elsewhere.post(`${USERS}/password/confirm_code`, {
        reset_password_token: await elsewhere.code("password_reset"),
        password: NEW_PASSWORD,
        confirm_password: NEW_PASSWORD,
      });
      assertEquals(reset.status, 201);
      await besiege(venue);
      assertEquals((await elsewhere.signIn()).status, 200);
    }));
});
