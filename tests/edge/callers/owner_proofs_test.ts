import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { Person } from "../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const KEYS = "/api/v2/auth/resource/api_keys";
const HOUR_MS = 3_600_000;

type Fields = Record<string, unknown>;

/** A call that changes what protects an account, without its proof. */
type Act = (person: Person, proof: Fields, kid: string) => Promise<Answer>;

/** Each such call, made with a right code. */
const ACTS: Readonly<Record<string, Act>> = {
  "turn the second factor off": (person, proof) =>
    person.post("/resource/otp/disable", { code: person.nextOtp(), ...proof }),
  "make a key": (person, proof) =>
    person.call("POST", KEYS, { json: { totp_code: person.nextOtp(), ...proof } }),
  "change a key": (person, proof, kid) =>
    person.call("PATCH", `${KEYS}/${kid}`, {
      json: { totp_code: person.nextOtp(), state: "disabled", ...proof },
    }),
  "delete a key": (person, proof, kid) =>
    person.call("DELETE", `${KEYS}/${kid}?totp_code=${person.nextOtp()}`, { json: proof }),
};

const UNPROVEN: readonly [Fields, string][] = [
  [{}, "missing_password"],
  [{ password: "Tr0ub4dor&4" }, "invalid_password"],
  [{ email_code: "ID0000000001.0123456789abcdef" }, "invalid_email_code"],
  [{ password: "Tr0ub4dor&4", email_code: "any" }, "invalid_password"],
];

async function stateOf(person: Person): Promise<unknown> {
  const [me, keys] = [await person.get("/resource/users/me"), await person.call("GET", KEYS)];
  return [me.body.otp, keys.body];
}

/** Sends a code in the session; returns it. */
async function emailCode(person: Person): Promise<string> {
  const { status, text } = await person.post("/resource/users/generate_code");
  assertEquals([status, text], [201, "{}"]);
  return await person.code("owner_code");
}

function reset(person: Person, token: string, more: Fields = {}): Promise<Answer> {
  const password = "C0rrect-h0rse";
  return person.post("/identity/users/password/confirm_code", {
    reset_password_token: token,
    password,
    confirm_password: password,
    ...more,
  });
}

async function resetCode(person: Person): Promise<string> {
  await person.post("/identity/users/password/generate_code", { email: person.email });
  return await person.code("password_reset");
}

describe("a stolen session", () => {
  it("can't turn a second factor on", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const { body } = await carol.post("/resource/otp/generate_qrcode");
      carol.otpSecret = body.data.secret;
      for (const [proof, reason] of UNPROVEN) {
        const code = carol.nextOtp();
        const answer = await carol.post("/resource/otp/enable", { code, ...proof });
        assertError(answer, 422, `resource.user.${reason}`);
      }
      assertEquals((await carol.get("/resource/users/me")).body.otp, false);
      assertEquals((await carol.enableOtp(carol.nextOtp())).status, 201);
    }));

  for (const [what, act] of Object.entries(ACTS)) {
    it(`can't ${what}, even with a code of it, but its member can`, () =>
      withVenue(async (venue) => {
        const carol = await Person.joinWithTwoFactor(venue);
        const { kid } = (await carol.makeKey()).body;
        const before = await stateOf(carol);
        for (const [proof, reason] of UNPROVEN) {
          const answer = await act(carol, proof, kid);
          assertError(answer, 422, `resource.user.${reason}`);
          assertEquals(answer.body.details.field, reason.replace(/^[a-z]+_/, ""));
        }
        assertEquals(await stateOf(carol), before);
        const { status } = await act(carol, { email_code: await emailCode(carol) }, kid);
        assertEquals(Math.floor(status / 100), 2);
      }));
  }

  it("guesses passwords as rarely as at a sign-in, and leaves a trace", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      for (let count = 0; count < 5; count++) {
        const answer = await carol.makeKey({ password: `Tr0ub4dor&${count}` });
        assertError(answer, 422, "resource.user.invalid_password");
      }
      const throttled = await carol.makeKey();
      assertError(throttled, 429, "identity.session.too_many_failures");
      const { body } = await carol.get("/resource/users/activity/account");
      assertEquals([body[0].action, body[0].result], ["confirm", "failed"]);
    }));
});

describe("a code that proves a member in its session", () => {
  it("works once, unless what it was for has failed", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const email_code = await emailCode(carol);
      const make = (more: Fields = {}) =>
        carol.call("POST", KEYS, { json: { totp_code: carol.nextOtp(), email_code, ...more } });
      assertError(await make({ totp_code: "000000" }), 422, "resource.api_key.invalid_totp");
      assertEquals((await make()).status, 201);
      assertError(await make(), 422, "resource.user.invalid_email_code");
    }));

  it("is its member's only, and replaced by the next and by a reset", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const dave = await Person.joinWithTwoFactor(venue, "dave@example.org");
      const make = (person: Person, email_code: string) =>
        person.call("POST", KEYS, { json: { totp_code: person.nextOtp(), email_code } });
      const first = await emailCode(carol);
      assertError(await make(dave, first), 422, "resource.user.invalid_email_code");
      const second = await emailCode(carol);
      assertError(await make(carol, first), 422, "resource.user.invalid_email_code");
      assertEquals((await reset(carol, second)).status, 422);
      await carol.resetPassword();
      await carol.signIn(carol.nextOtp());
      assertError(await make(carol, second), 422, "resource.user.invalid_email_code");
    }));

  it("is sent five times an hour", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      for (let count = 0; count < 5; count++) await emailCode(carol);
      const more = await carol.post("/resource/users/generate_code");
      assertError(more, 429, "identity.code.sent_recently");
    }));
});

describe("a password reset", () => {
  /** Returns carol, who turned her second factor on so many hours ago. */
  async function joined(venue: TestVenue, hours: number): Promise<Person> {
    const carol = await Person.joinWithTwoFactor(venue);
    venue.clock.now += hours * HOUR_MS;
    return carol;
  }

  it("turns a new second factor off if it is asked to, with its keys and codes", () =>
    withVenue(async (venue) => {
      const carol = await joined(venue, 47);
      assertEquals((await carol.signIn(carol.nextOtp())).status, 200);
      const key = (await carol.makeKey()).body;
      const done = await reset(carol, await resetCode(carol), { disable_otp: true });
      assertEquals(done.status, 201, done.text);
      carol.password = "C0rrect-h0rse";
      assertEquals((await carol.signIn()).status, 200);
      assertEquals((await carol.get("/resource/users/me")).body.otp, false);
      const balances = await venue.get(key, "/api/v2/backend/account/balances");
      assertError(balances, 401, "authz.apikey_not_active");
      for (const table of ["two_factor", "recovery_codes"]) {
        assertEquals(await venue.engine.readSidecar([table, carol.uid]), null);
      }
      const kinds = (await venue.outbox.list(carol.uid)).map(({ kind }) => kind);
      assertEquals(kinds.filter((kind) => kind === "two_factor_changed").length, 2);
    }));

  it("leaves a new one on unless it is asked to", () =>
    withVenue(async (venue) => {
      const carol = await joined(venue, 0);
      assertEquals((await reset(carol, await resetCode(carol))).status, 201);
      carol.password = "C0rrect-h0rse";
      assertError(await carol.signIn(), 401, "identity.session.missing_otp");
    }));

  it("never turns an older one off, and then leaves its code good and the password", () =>
    withVenue(async (venue) => {
      const carol = await joined(venue, 48);
      const token = await resetCode(carol);
      const refused = await reset(carol, token, { disable_otp: true });
      assertError(refused, 422, "identity.password.otp_not_new");
      assertEquals(refused.body.details.field, "disable_otp");
      assertEquals((await carol.signIn(carol.nextOtp())).status, 200);
      assertEquals((await reset(carol, token)).status, 201);
      carol.password = "C0rrect-h0rse";
      assertError(await carol.signIn(), 401, "identity.session.missing_otp");
    }));

  it("tells nothing of a factor without a right code", () =>
    withVenue(async (venue) => {
      const carol = await joined(venue, 48);
      const wrong = await reset(carol, `${carol.uid}.00`, { disable_otp: true });
      assertError(wrong, 422, "identity.password.invalid_token");
    }));

  it("may be asked to by a member without a second factor", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const done = await reset(carol, await resetCode(carol), { disable_otp: true });
      assertEquals(done.status, 201, done.text);
    }));
});
