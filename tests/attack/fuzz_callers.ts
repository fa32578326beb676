/** The callers of fuzzed requests: members, an operator, a person with a browser, and intruders. */
import { Secret, TOTP } from "otpauth";
import { giveRole, OperatorPerson } from "../support/operator_person.ts";
import type { Prng } from "../support/prng.ts";
import type { Signer, TestVenue } from "../support/with_venue.ts";
import type { DocumentedAccess } from "./documented_operation.ts";
import type { KnownValues } from "./known_values.ts";
import { signedHeaders } from "../support/signed_headers.ts";

/** Names of callers. */
export type Caller = "alice" | "bob" | "operator" | "person" | "nobody" | "forger" | "reader";

const OTP_SECRET = "JBSWY3DPEHPK3PXP";
const HOUR_MS = 60 * 60 * 1000;
const ADMIN = "/api/v2/admin";
const FUNDS = [["btc", "50"], ["usdt", "50000"], ["eth", "100"]] as const;

/** The callers of one venue, which occasionally regain what fuzzing has taken from them. */
export class FuzzCallers {
  readonly #venue: TestVenue;
  readonly #keys = new Map<string, Exclude<Signer, string | null>>();
  /** Also operates the venue, as long as it has its role. */
  #person: OperatorPerson | null = null;
  #people = 0;

  constructor(venue: TestVenue) {
    this.#venue = venue;
  }

  /** Returns a caller of an operation, usually one that is allowed to call it. */
  choose(prng: Prng, access: DocumentedAccess): Caller {
    if (prng.chance(0.07)) {
      return prng.pick(["alice", "operator", "person", "nobody", "forger", "reader"]);
    }
    switch (access) {
      case "public":
        return "nobody";
      case "member":
        return prng.pick(["alice", "bob", "alice", "bob", "person"]);
      case "session":
        return "person";
      case "operator":
        return prng.pick(["operator", "operator", "person"]);
    }
  }

  /** Returns the headers that identify a caller. */
  headers(caller: Caller, method: string): Record<string, string> {
    switch (caller) {
      case "nobody":
        return {};
      case "person":
        return this.#person?.headers(method) ?? {};
      case "forger":
        return { ...signedHeaders("demo-alice", "guessed", this.#venue.clock.now) };
      case "reader":
        return this.#venue.sign(this.#keys.get("reader") ?? "bob");
      default:
        return this.#venue.sign(this.#keys.get(caller) ?? caller);
    }
  }

  /** Stores the cookie and token of an answer. */
  keep(caller: Caller, headers: Headers, value: unknown): void {
    if (caller === "person") this.#person?.keep(headers, value);
  }

  /** Returns the present code of the caller's second factor. */
  otp(caller: Caller): string {
    const text = caller === "person" ? this.#person?.otpSecret || OTP_SECRET : OTP_SECRET;
    return new TOTP({ secret: Secret.fromBase32(text) })
      .generate({ timestamp: this.#venue.clock.now });
  }

  /** Signs the person in again. */
  async signIn(): Promise<void> {
    const person = this.#person;
    if (person === null) return;
    await person.signIn(person.otpSecret === "" ? undefined : person.nextOtp());
  }

  /** Re-enables what was disabled; returns false if the operator is locked out, too. */
  async restore(known: KnownValues): Promise<boolean> {
    const venue = this.#venue;
    const listed = await venue.get("operator", `${ADMIN}/members?limit=1000`);
    if (listed.status !== 200) return false;
    await venue.call("operator", "PATCH", `${ADMIN}/switches`, {
      json: { trading: true, withdrawals: true },
    });
    const levels = { deposit: 1, withdraw: 3, trading: 2 };
    await venue.call("operator", "PUT", `${ADMIN}/member_levels`, { json: levels });
    await this.#restoreMarkets();
    for (const [name, uid] of [["alice", "IDA11CE00001"], ["bob", "IDB0B0000001"]] as const) {
      await this.#restoreMember(uid);
      await venue.identity.seedTwoFactor(uid, OTP_SECRET);
      await this.#restoreKey(name, uid, ["read", "trade", "withdraw"]);
      await this.#restoreBeneficiary(name, uid, known);
    }
    await this.#restoreKey("reader", "IDB0B0000001", ["read"]);
    await this.#restorePerson();
    return true;
  }

  async #restoreMarkets(): Promise<void> {
    const venue = this.#venue;
    for (const id of ["btc", "usdt", "eth"]) {
      const json = {
        visible: true,
        deposit_enabled: true,
        withdrawal_enabled: true,
        trading_enabled: true,
        min_withdraw_amount: "0",
        min_deposit_amount: "0",
        withdraw_fee: "0.001",
      };
      await venue.call("operator", "PATCH", `${ADMIN}/currencies/${id}`, { json });
    }
    const json = { state: "enabled", min_price: "0", max_price: "0", min_amount: "0.0001" };
    await venue.call("operator", "PATCH", `${ADMIN}/markets/btcusdt`, { json });
  }

  async #restoreMember(uid: string): Promise<void> {
    const venue = this.#venue;
    const reason = "restored";
    const json = { state: "active", level: 3, bulk_orders_max: 0, open_orders_max: 0, reason };
    await venue.call("operator", "PATCH", `${ADMIN}/members/${uid}`, { json });
    await venue.post("operator", `${ADMIN}/members/${uid}/unlock`, { reason });
    for (const [currency, amount] of FUNDS) {
      await venue.post("operator", `${ADMIN}/adjustments`, { uid, currency, amount, reason });
    }
  }

  /** Creates, activates and remembers a beneficiary for coins. */
  async #restoreBeneficiary(name: string, uid: string, known: KnownValues): Promise<void> {
    const venue = this.#venue;
    const signer = this.#keys.get(name) ?? name as "alice" | "bob";
    const path = "/api/v2/backend/account/beneficiaries";
    const address = `bc1q${String(venue.clock.now).padStart(24, "x")}`;
    const json = { currency: "btc", name: "cold", data: { address } };
    const made = await venue.post(signer, path, json);
    if (made.status !== 201) return;
    const sent = await venue.outbox.list(uid);
    const pin = Number(sent.find(({ code }) => code !== undefined)?.code);
    const { id } = made.body;
    await venue.call(signer, "PATCH", `${path}/${id}/activate`, { json: { pin } });
    known.add(`beneficiaries.id of ${name}`, String(id));
  }

  async #restoreKey(name: string, uid: string, scopes: readonly string[]): Promise<void> {
    const signer = this.#keys.get(name) ?? (name === "reader" ? null : name as "alice" | "bob");
    if (signer !== null) {
      const kid = typeof signer === "string" ? `demo-${signer}` : signer.kid;
      const json = { state: "active", scopes, ip_allow_list: [], reason: "restored" };
      const path = `${ADMIN}/members/${uid}/api_keys/${kid}`;
      if ((await this.#venue.call("operator", "PATCH", path, { json })).status === 200) return;
    }
    const body = { scopes, reason: "restored" };
    const made = await this.#venue.post("operator", `${ADMIN}/members/${uid}/api_keys`, body);
    if (made.status === 201) this.#keys.set(name, made.body);
  }

  async #restorePerson(): Promise<void> {
    const me = await this.#person?.get("/resource/users/me");
    if (this.#person !== null && me?.status === 200) return await this.#restoreRole(this.#person);
    // The number of sign-ups per address and hour is limited.
    this.#venue.clock.now += HOUR_MS;
    this.#people += 1;
    const email = `p${this.#people}@example.org`;
    this.#person = await OperatorPerson.ready(this.#venue, "admin", email);
    await this.#restoreMember(this.#person.uid);
  }

  /** Gives a person its role again, and a fresh code, unless its second factor is off. */
  async #restoreRole(person: OperatorPerson): Promise<void> {
    await giveRole(this.#venue, person.uid, "admin");
    if (person.otpSecret !== "") await person.tryCode();
  }
}
