import { assertEquals } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import { Browser } from "./browser.ts";
import type { Answer, CallOptions, TestVenue } from "./with_venue.ts";

const AUTH = "/api/v2/auth";
const STEP_MS = 30_000;

/** The password of every person. */
export const PASSWORD = "Tr0ub4dor&3x";

/** A person with a browser, at a venue in this process. */
export class Person extends Browser {
  uid = "";
  /** Secret of the second factor; empty until it is turned on. */
  otpSecret = "";
  password = PASSWORD;

  constructor(readonly venue: TestVenue, readonly email: string) {
    super();
  }

  /** Signs up, confirms the address and signs in. */
  static async join(venue: TestVenue, email = "carol@example.org"): Promise<Person> {
    const person = new Person(venue, email);
    await person.signUp();
    await person.confirm();
    assertEquals((await person.signIn()).status, 200);
    return person;
  }

  /** Does the same and turns on two-factor. */
  static async joinWithTwoFactor(
    venue: TestVenue,
    email = "carol@example.org",
  ): Promise<Person> {
    const person = await Person.join(venue, email);
    await person.turnTwoFactorOn();
    return person;
  }

  /** Makes a call in the session, if there is one. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.venue.call(null, method, path, {
      ...options,
      headers: { ...this.headers(method), ...options.headers },
    });
    this.keep(answer.headers, answer.body);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.call("GET", `${AUTH}${path}`);
  }

  post(path: string, json: unknown = {}): Promise<Answer> {
    return this.call("POST", `${AUTH}${path}`, { json });
  }

  delete(path: string): Promise<Answer> {
    return this.call("DELETE", `${AUTH}${path}`);
  }

  async signUp(): Promise<Answer> {
    const { email, password } = this;
    const answer = await this.post("/identity/users", { email, password });
    assertEquals(answer.status, 201);
    this.uid = answer.body.uid;
    return answer;
  }

  async confirm(): Promise<Answer> {
    const token = await this.code("email_confirmation");
    const { password } = this;
    const answer = await this.post("/identity/users/email/confirm_code", { token, password });
    assertEquals(answer.status, 201);
    return answer;
  }

  async signIn(otp_code?: string): Promise<Answer> {
    const { email, password } = this;
    return await this.post("/identity/sessions", {
      email,
      password,
      ...(otp_code === undefined ? {} : { otp_code }),
    });
  }

  /** Resets the password, as whoever reads the mailbox. */
  async resetPassword(password = `${PASSWORD}y`): Promise<void> {
    const { email } = this;
    await this.post("/identity/users/password/generate_code", { email });
    const answer = await this.post("/identity/users/password/confirm_code", {
      reset_password_token: await this.code("password_reset"),
      password,
      confirm_password: password,
    });
    assertEquals(answer.status, 201, answer.text);
    this.password = password;
  }

  /** Turns on two-factor; returns the recovery codes. */
  async turnTwoFactorOn(): Promise<string[]> {
    const generated = await this.post("/resource/otp/generate_qrcode");
    assertEquals(generated.status, 201);
    this.otpSecret = generated.body.data.secret;
    const enabled = await this.enableOtp(this.nextOtp());
    assertEquals(enabled.status, 201);
    return enabled.body.recovery_codes;
  }

  /** Returns the code or pin of the latest message of a kind. */
  async code(kind: string): Promise<string> {
    const answer = await this.venue.get("operator", `/api/v2/admin/outbox?uid=${this.uid}`);
    const message = answer.body.find((one: { kind: string }) => one.kind === kind);
    return message?.code ?? "";
  }

  /** Advances the clock by one step and returns the code, which is unused. */
  nextOtp(): string {
    this.venue.clock.now += STEP_MS;
    return this.otp();
  }

  /** Returns the present code. */
  otp(): string {
    const secret = Secret.fromBase32(this.otpSecret);
    return new TOTP({ secret }).generate({ timestamp: this.venue.clock.now });
  }

  /** Creates a key. */
  makeKey(fields: Record<string, unknown> = {}): Promise<Answer> {
    return this.post("/resource/api_keys", this.proven({ totp_code: this.nextOtp(), ...fields }));
  }

  /** Turns on two-factor with a code of the generated secret. */
  enableOtp(code: string): Promise<Answer> {
    return this.post("/resource/otp/enable", this.proven({ code }));
  }

  /** Turns off two-factor with a one-time code or a recovery code. */
  disableOtp(code: string): Promise<Answer> {
    return this.post("/resource/otp/disable", this.proven({ code }));
  }

  /** Returns fields with the password, which proves that it is the person itself. */
  proven(fields: Record<string, unknown>): Record<string, unknown> {
    return { password: this.password, ...fields };
  }
}
