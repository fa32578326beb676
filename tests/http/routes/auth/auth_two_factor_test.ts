import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { OTP_SECRET } from "../../../../src/edge/schemas/identity.ts";
import { assertError } from "../../../support/assert_error.ts";
import { Person } from "../../../support/person.ts";
import { withVenue } from "../../../support/with_venue.ts";

const OTP = "/resource/otp";
const STEP_MS = 30_000;

describe("the secret of an authenticator", () => {
  it("comes as text, uri and QR code", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const { status, body } = await carol.post(`${OTP}/generate_qrcode`);
      assertEquals(status, 201);
      OTP_SECRET.parse(body);
      const { secret, url, svg, barcode } = body.data;
      assertMatch(secret, /^[A-Z2-7]{32}$/);
      const uri = new URL(url);
      assertEquals([uri.protocol, uri.host], ["otpauth:", "totp"]);
      assertEquals(uri.searchParams.get("secret"), secret);
      assert(decodeURIComponent(uri.pathname).endsWith("carol@example.org"));
      assert(svg.startsWith("<svg"));
      assertEquals(atob(barcode.replace("data:image/svg+xml;base64,", "")), svg);
    }));

  it("is not in force until one of its codes is given", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      await carol.post(`${OTP}/generate_qrcode`);
      assertEquals((await carol.get("/resource/users/me")).body.otp, false);
      assertEquals((await carol.signIn()).status, 200);
    }));
});

describe("turning the second factor on", () => {
  it("returns recovery codes and shows in the account and the log", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const codes = await carol.turnTwoFactorOn();
      assert(codes.length >= 8);
      assertEquals(new Set(codes).size, codes.length);
      assertEquals((await carol.get("/resource/users/me")).body.otp, true);
      assertEquals(venue.engine.venue.holderByUid.get(carol.uid)?.member.hasTwoFactor, true);
      const activity = await carol.get("/resource/users/activity/otp");
      assertEquals([activity.body[0].action, activity.body[0].result], ["enable", "succeed"]);
    }));

  it("ends the other sessions that were begun without it", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const elsewhere = new Person(venue, carol.email);
      await elsewhere.signIn();
      await carol.turnTwoFactorOn();
      assertEquals((await carol.get("/resource/users/me")).status, 200);
      assertEquals((await carol.get("/resource/users/sessions")).body.length, 1);
      assertError(await elsewhere.get("/resource/users/me"), 401, "authz.invalid_session");
    }));

  it("can be undone by the operator if it is lost, of which the member hears", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const path = `/api/v2/admin/members/${carol.uid}`;
      const change = (json: unknown) => venue.call("operator", "PATCH", path, { json });
      const kinds = async () => (await venue.outbox.list(carol.uid)).map(({ kind }) => kind);
      const before = await kinds();
      await change({ level: 2 });
      const answer = await change({ otp: false, reason: "lost phone" });
      assertEquals([answer.status, answer.body.otp], [200, false]);
      await change({ otp: false });
      assertEquals(await kinds(), ["two_factor_changed", ...before]);
      await carol.signIn();
      assertEquals((await carol.get("/resource/users/me")).body.otp, false);
      assertEquals((await carol.turnTwoFactorOn()).length >= 8, true);
    }));

  it("needs a secret and a right code", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const enable = (json: Record<string, unknown>) =>
        carol.post(`${OTP}/enable`, carol.proven(json));
      assertError(await enable({}), 422, "resource.otp.missing_code");
      assertError(await enable({ code: "" }), 422, "resource.otp.invalid_code");
      assertError(await enable({ code: "1".repeat(65) }), 422, "resource.otp.too_long_code");
      assertError(await enable({ code: "123456" }), 422, "resource.otp.not_generated");
      await carol.post(`${OTP}/generate_qrcode`);
      const wrong = await enable({ code: "12345" });
      assertError(wrong, 422, "resource.otp.invalid");
      assertEquals(wrong.body.details.field, "code");
    }));

  it("happens once", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const generated = await carol.post(`${OTP}/generate_qrcode`);
      assertError(generated, 400, "resource.otp.already_enabled");
      const enabled = await carol.enableOtp(carol.nextOtp());
      assertError(enabled, 400, "resource.otp.already_enabled");
    }));
});

describe("turning the second factor off", () => {
  it("needs an unused code", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const disable = (code: string) => carol.disableOtp(code);
      assertError(await disable(carol.otp()), 422, "resource.otp.invalid");
      const done = await disable(carol.nextOtp());
      assertEquals([done.status, done.text], [201, "{}"]);
      assertEquals((await carol.get("/resource/users/me")).body.otp, false);
      assertError(await disable(carol.nextOtp()), 400, "resource.otp.not_enabled");
    }));

  it("takes a recovery code", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const [code] = await carol.turnTwoFactorOn();
      assertEquals((await carol.disableOtp(code ?? "")).status, 201);
    }));
});

describe("a code of the second factor", () => {
  it("can be verified, which uses it up", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const verify = (code: unknown) => carol.post(`${OTP}/verify`, { code });
      const code = carol.nextOtp();
      const done = await verify(code);
      assertEquals([done.status, done.text], [201, "{}"]);
      assertError(await verify(code), 422, "resource.otp.invalid");
      assertError(await verify("000000"), 422, "resource.otp.invalid");
      assertError(await carol.makeKey({ totp_code: code }), 422, "resource.api_key.invalid_totp");
    }));

  it("may be sent as a number, which has lost its leading zeros", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      let code = carol.nextOtp();
      for (let steps = 0; !code.startsWith("0") && steps < 200; steps++) code = carol.nextOtp();
      assert(code.startsWith("0"));
      assertEquals((await carol.post(`${OTP}/verify`, { code: Number(code) })).status, 201);
    }));

  it("is valid one step early or late, and no further", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const code = carol.nextOtp();
      venue.clock.now += STEP_MS;
      assertEquals((await carol.post(`${OTP}/verify`, { code })).status, 201);
      const late = carol.nextOtp();
      venue.clock.now += 2 * STEP_MS;
      assertError(await carol.post(`${OTP}/verify`, { code: late }), 422, "resource.otp.invalid");
    }));

  it("cannot be tried without a second factor", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const answer = await carol.post(`${OTP}/verify`, { code: "123456" });
      assertError(answer, 400, "resource.otp.not_enabled");
    }));

  it("is no longer checked after too many wrong ones, wherever given in the session", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      let answer = await carol.post(`${OTP}/verify`, { code: "000000" });
      for (let tries = 1; tries < 50 && answer.status === 422; tries++) {
        answer = await carol.post(`${OTP}/verify`, { code: "000000" });
      }
      assertError(answer, 429, "identity.otp.too_many_failures");
      assert(Number(answer.headers.get("retry-after")) >= 1);
      const key = await carol.makeKey();
      assertError(key, 429, "identity.otp.too_many_failures");
      const disabled = await carol.disableOtp(carol.nextOtp());
      assertError(disabled, 429, "identity.otp.too_many_failures");
      await venue.post("operator", `/api/v2/admin/members/${carol.uid}/unlock`);
      assertEquals((await carol.post(`${OTP}/verify`, { code: carol.nextOtp() })).status, 201);
    }));

  it("lets its member in whatever wrong ones a stolen session or a leaked key has sent", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      for (let tries = 0; tries < 6; tries++) await carol.post(`${OTP}/verify`, { code: "000000" });
      const verified = await carol.post(`${OTP}/verify`, { code: carol.nextOtp() });
      assertError(verified, 429, "identity.otp.too_many_failures");
      const owner = new Person(venue, carol.email);
      assertEquals((await owner.signIn(carol.nextOtp())).status, 200);
      assertEquals((await owner.post(`${OTP}/verify`, { code: carol.nextOtp() })).status, 201);
    }));

  it("turned on or off, like a new password, leaves its device known to the member", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const renewed = async (act: () => Promise<unknown>) => {
        const before = carol.device;
        await act();
        return carol.device !== null && carol.device !== before;
      };
      assertEquals(await renewed(() => carol.turnTwoFactorOn()), true);
      assertEquals(await renewed(() => carol.disableOtp(carol.nextOtp())), true);
    }));

  it("is locked after twenty wrong ones in a day until an operator unlocks it", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      let wrong = 0;
      let answer = await carol.post(`${OTP}/verify`, { code: "000000" });
      while (answer.body.errors[0] !== "identity.otp.locked" && wrong < 25) {
        if (answer.status === 422) wrong++;
        else venue.clock.now += Number(answer.headers.get("retry-after")) * 1000;
        answer = await carol.post(`${OTP}/verify`, { code: "000000" });
      }
      assertError(answer, 429, "identity.otp.locked");
      assertEquals(wrong, 20);
      assertEquals(answer.headers.get("retry-after"), null);
      await venue.post("operator", `/api/v2/admin/members/${carol.uid}/unlock`);
      assertEquals((await carol.post(`${OTP}/verify`, { code: carol.nextOtp() })).status, 201);
    }));
});
