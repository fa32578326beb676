/** Begins and ends members' sessions. */
import type { Member } from "../domain/member.ts";
import { addressParty, AddressThrottle } from "./address_throttle.ts";
import type { Origin, SessionCaller, SignedIn, SignIn } from "./identity.ts";
import { IdentityError, type IdentityRefusal } from "./identity_error.ts";
import {
  type IdentityParts,
  memberOfDigest,
  recordActivity,
  sendNotice,
} from "./identity_parts.ts";
import type { NewSession } from "./member_sessions.ts";
import { NOBODY, type Verdict } from "./passwords.ts";
import { ADDRESS_RULE } from "./throttle.ts";

/** Actions that take a member's password; the member has been at their addresses. */
const BEGINNINGS: ReadonlySet<string> = new Set(["login", "email_confirmed"]);

const STATE_REFUSALS: Readonly<Record<Member["state"], IdentityRefusal | null>> = {
  active: null,
  pending: "member_pending",
  locked: "member_locked",
  banned: "member_banned",
};

/** Signs members in and out. */
export class SignIns {
  readonly #parts: IdentityParts;
  readonly #addressThrottle: AddressThrottle;

  constructor(parts: IdentityParts) {
    this.#parts = parts;
    this.#addressThrottle = new AddressThrottle(parts.engine, ADDRESS_RULE);
  }

  /** See {@linkcode Identity.signIn}. */
  async signIn(request: SignIn, origin: Origin): Promise<SignedIn> {
    const release = await this.#addressThrottle.take(origin.address);
    const { member, verdict } = await this.#identify(request, origin, release);
    const refusal = this.#refuse(member, request);
    if (refusal !== null) {
      // Who may not sign in at all could otherwise have passwords hashed without end.
      if (refusal === "sign_in_code_missing") await release();
      throw new IdentityError(refusal);
    }
    const hasSpentCode = await this.#checkCode(member, request, origin);
    await release();
    const party = addressParty(origin.address);
    await this.#parts.passwords.renew(member.uid, request.password, verdict.version, party);
    const session = await this.#begin(member, verdict, { origin, hasSpentCode });
    await this.#tellOfNewAddress(member.uid, origin);
    await recordActivity(this.#parts, member.uid, origin, ["session", "login", "succeed"]);
    const { cookie, csrfToken, expiresAt } = session;
    return { member, cookie, csrfToken, expiresAt };
  }

  /** See {@linkcode Identity.signOut}. */
  async signOut({ member, sessionId }: SessionCaller, origin: Origin): Promise<void> {
    await this.#parts.sessions.end(member.uid, sessionId);
    await recordActivity(this.#parts, member.uid, origin, ["session", "logout", "succeed"]);
  }

  /** Finds the member and verifies the password; takes as long for an unknown address. */
  async #identify(
    { email, password }: SignIn,
    origin: Origin,
    release: () => Promise<void>,
  ): Promise<{ member: Member; verdict: Verdict }> {
    const { contacts, engine, passwords, passwordThrottle } = this.#parts;
    await engine.fresh();
    const emailDigest = await contacts.emailDigest(email);
    const member = memberOfDigest(this.#parts, emailDigest);
    const taken = await passwordThrottle.take(emailDigest);
    const uid = member?.uid ?? NOBODY;
    const party = addressParty(origin.address);
    const verdict = await passwords.verify(uid, password, party).catch(async (error) => {
      await Promise.all([passwordThrottle.release(emailDigest, taken), release()]);
      throw error;
    });
    if (member === null || !verdict.isRight) {
      await recordActivity(this.#parts, member?.uid ?? null, origin, [
        "session",
        "login",
        "failed",
      ]);
      throw new IdentityError("credentials_wrong");
    }
    await passwordThrottle.pass(emailDigest, taken);
    // The comparison takes time, and the member may have turned on two-factor meanwhile.
    await engine.fresh();
    return { member: engine.venue.holder(member.index).member, verdict };
  }

  /** Returns what prevents a sign-in with the right password, before a code is verified. */
  #refuse(member: Member, { code }: SignIn): IdentityRefusal | null {
    const isCodeMissing = member.hasTwoFactor && (code === undefined || code === "");
    return STATE_REFUSALS[member.state] ?? (isCodeMissing ? "sign_in_code_missing" : null);
  }

  /** Uses up the code if the member needs one; returns whether it did. */
  async #checkCode(member: Member, { code }: SignIn, origin: Origin): Promise<boolean> {
    if (!member.hasTwoFactor || code === undefined) return false;
    if (await this.#parts.twoFactor.spend(member.index, code)) return true;
    await recordActivity(this.#parts, member.uid, origin, ["session", "login", "failed"]);
    throw new IdentityError("sign_in_code_wrong");
  }

  /** Begins a session, unless the credentials have changed and no longer suffice. */
  async #begin(
    { uid, index }: Member,
    { version }: Verdict,
    { origin, hasSpentCode }: { readonly origin: Origin; readonly hasSpentCode: boolean },
  ): Promise<NewSession> {
    const { engine, passwords, sessions } = this.#parts;
    const session = await sessions.begin(uid, origin);
    // A password change ends all sessions afterwards: it ends this one, or it is noticed here.
    if (!await passwords.isCurrent(uid, version)) {
      await sessions.endIfThere(uid, session.id);
      throw new IdentityError("credentials_wrong");
    }
    // An operator who shuts the member out ends all sessions afterwards, too. And once the second
    // factor is on, no session begins without its code, or with that of one that was turned off.
    await engine.fresh();
    const { state, hasTwoFactor } = engine.venue.holder(index).member;
    const refusal = STATE_REFUSALS[state] ?? refuseFactor(hasTwoFactor, hasSpentCode);
    if (refusal === null) return session;
    await sessions.endIfThere(uid, session.id);
    throw new IdentityError(refusal);
  }

  async #tellOfNewAddress(uid: string, { address, userAgent }: Origin): Promise<void> {
    const past = { result: "succeed", offset: 0, limit: Infinity } as const;
    const { items } = await this.#parts.activity.list(uid, past);
    if (items.some((item) => BEGINNINGS.has(item.action) && item.address === address)) return;
    await sendNotice(this.#parts, uid, { kind: "sign_in", address, userAgent });
  }
}

/** Returns what is wrong if the second factor was turned on or off during a sign-in. */
function refuseFactor(hasTwoFactor: boolean, hasSpentCode: boolean): IdentityRefusal | null {
  if (hasTwoFactor === hasSpentCode) return null;
  return hasTwoFactor ? "sign_in_code_missing" : "credentials_wrong";
}
