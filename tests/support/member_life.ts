/** What a member of a served demo does first, as several tests need it. */
import { assert, assertEquals } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import { eventually } from "./eventually.ts";
import { Person, SignedClient } from "./http_clients.ts";

export const EMAIL = "carol@example.org";
export const PASSWORD = "Correct-horse-7";

/** A member with a second factor and a key. */
export interface LivingMember {
  readonly uid: string;
  /** Of the second factor. */
  readonly secret: string;
  readonly client: SignedClient;
}

/** Repeats a call until its answer is as expected. */
export async function until<T>(
  ask: () => Promise<T>,
  isMet: (answer: T) => boolean,
): Promise<T> {
  const { answer } = await eventually("the answer that is waited for", async () => {
    const answer = await ask();
    return isMet(answer) && { answer };
  });
  return answer;
}

/** Texts that the log must not contain: passwords, codes, pins, secrets and addresses. */
export class HiddenTexts {
  readonly #texts = new Set<string>([EMAIL, PASSWORD]);

  /** Number of texts. */
  get size(): number {
    return this.#texts.size;
  }

  /** Adds a text, and returns it. */
  hide(text: string): string {
    this.#texts.add(text);
    return text;
  }

  /** Asserts that no line has one of them. */
  assertAbsent(lines: readonly string[]): void {
    for (const line of lines) {
      for (const text of this.#texts) assert(!line.includes(text), `${text} in ${line}`);
    }
  }

  /** Returns an authenticator's code some steps from the present one. */
  codeOf(secret: string, stepsAhead: number): string {
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    return this.hide(totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 }));
  }

  /** Returns the latest code sent to a member. */
  async sentCode(operator: SignedClient, uid: string, kind: string): Promise<string> {
    const messages = await operator.must(200, "GET", `/admin/outbox?uid=${uid}`);
    const message = messages.find((one: { kind: string }) => one.kind === kind);
    assert(message !== undefined, `nothing of kind ${kind} was sent: ${JSON.stringify(messages)}`);
    return this.hide(message.code);
  }

  /** Signs up, confirms the address, turns on two-factor and creates a key. */
  async becomeMember(url: string, operator: SignedClient): Promise<LivingMember> {
    const person = new Person(url);
    const password = PASSWORD;
    const { uid } = await person.must(201, "POST", "/auth/identity/users", {
      email: EMAIL,
      password,
    });
    const token = await this.sentCode(operator, uid, "email_confirmation");
    await person.must(201, "POST", "/auth/identity/users/email/confirm_code", { token, password });
    await person.must(200, "POST", "/auth/identity/sessions", { email: EMAIL, password });
    const { data } = await person.must(201, "POST", "/auth/resource/otp/generate_qrcode");
    const secret = this.hide(new URL(data.url).searchParams.get("secret") ?? "");
    // The previous step's code, which leaves the present one unused, is too old if a step ends now.
    const enable = () =>
      person.call("POST", "/auth/resource/otp/enable", {
        code: this.codeOf(secret, -1),
        password,
      });
    const enabled = await enable();
    const { status } = enabled.status === 201 ? enabled : await enable();
    assertEquals(status, 201);
    const key = await person.must(201, "POST", "/auth/resource/api_keys", {
      totp_code: this.codeOf(secret, 0),
      password,
      scopes: ["read", "trade", "withdraw"],
    });
    const me = await person.must(200, "GET", "/auth/resource/users/me");
    assertEquals([me.uid, me.email, me.otp], [uid, EMAIL, true]);
    return { uid, secret, client: new SignedClient(url, key.kid, this.hide(key.secret)) };
  }

  /** Confirms a new beneficiary with its pin, and withdraws to it; returns the withdrawal's id. */
  async withdraw(
    { client, secret, uid }: LivingMember,
    operator: SignedClient,
    { currency, network, address, amount }:
      & Readonly<Record<"currency" | "address" | "amount", string>>
      & { readonly network?: string },
  ): Promise<number> {
    const beneficiary = await client.must(201, "POST", "/backend/account/beneficiaries", {
      currency,
      ...network === undefined ? {} : { network },
      name: "My cold wallet",
      data: JSON.stringify({ address }),
    });
    assertEquals(beneficiary.state, "pending");
    const pin = await this.sentCode(operator, uid, "beneficiary_pin");
    const path = `/backend/account/beneficiaries/${beneficiary.id}/activate`;
    assertEquals((await client.must(200, "PATCH", path, { pin })).state, "active");
    const { id } = await client.must(201, "POST", "/backend/account/withdraws", {
      otp: this.codeOf(secret, 1),
      beneficiary_id: beneficiary.id,
      currency,
      amount,
    });
    return id;
  }
}
