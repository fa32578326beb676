/** Begins and ends members' sessions. */
import type { Member } from "../domain/people/member.ts";
import type { HashParty } from "./proofs/hash_queue.ts";
import type { Origin, SessionCaller, SignedIn, SignIn } from "./identity.ts";
import { IdentityError, type IdentityRefusal } from "./identity_error.ts";
import {
  type IdentityParts,
  memberOfDigest,
  recordActivity,
  sendNotice,
} from "./identity_parts.ts";
import type { NewSession } from "./member_sessions.ts";
import { NOBODY, type Verdict } from "./proofs/passwords.ts";
import type { EnteredGuess } from "./walls/sign_in_walls.ts";

/** Actions that take a member's password; the member has been at their addresses. */
const BEGINNINGS: ReadonlySet<string> = new Set(["login", "email_confirmed"]);

const STATE_REFUSALS: Readonly<Record<Member["state"], IdentityRefusal | null>> = {
  active: null,
  pending: "member_pending",
  locked: "member_locked",
  banned: "member_banned",
};

/** A guess under judgement. */
interface Judged {
  /** As it is now; null for an address that is no member's. */
  readonly member: Member | null;
  readonly guess: EnteredGuess;
  readonly verdict: Verdict;
}

/** Signs members in and out. */
export class SignIns {
  readonly #parts: IdentityParts;

  constructor(parts: IdentityParts) {
    this.#parts = parts;
  }

  /** See {@linkcode Identity.signIn}. */
  async signIn(request: SignIn, origin: Origin): Promise<SignedIn> {
    const judged = await this.#compare(request, origin);
    const { guess: { guard, pass, party }, verdict } = judged;
    const { member, hasSpentCode } = await this.#judge(judged, request, origin).catch((error) => {
      // On guard, nothing tells whether the password was right.
      throw guard !== null && error instanceof IdentityError ? guard : error;
    });
    await pass();
    const { uid } = member;
    await this.#parts.passwords.renew(uid, request.password, verdict.version, party);
    const session = await this.#begin(member, verdict, { origin, hasSpentCode });
    await this.#tellOfNewAddress(uid, origin);
    await recordActivity(this.#parts, uid, origin, ["session", "login", "succeed"]);
    const { cookie, csrfToken, expiresAt } = session;
    return { member, cookie, csrfToken, expiresAt };
  }

  /** See {@linkcode Identity.signOut}. */
  async signOut({ member, sessionId }: SessionCaller, origin: Origin): Promise<void> {
    await this.#parts.sessions.end(member.uid, sessionId);
    await recordActivity(this.#parts, member.uid, origin, ["session", "logout", "succeed"]);
  }

  /** Compares the password, if the guess may be judged; takes as long for an unknown address. */
  async #compare(request: SignIn, origin: Origin): Promise<Judged> {
    const { email, code } = request;
    const { contacts, devices, engine, signInWalls } = this.#parts;
    await engine.fresh();
    const emailDigest = await contacts.emailDigest(email);
    const known = memberOfDigest(this.#parts, emailDigest);
    const name = known === null ? null : await devices.recognise(known, origin.device ?? "");
    const device = known === null || name === null ? null : { uid: known.uid, name };
    const { address } = origin;
    const guess = await signInWalls.enter({ emailDigest, address, device });
    if (guess.guard !== null && isMissing(code)) throw guess.guard;
    const verdict = await this.#verify(known, request, guess.party).catch(async (error) => {
      await guess.release();
      throw error;
    });
    // The comparison takes time, and the member may have turned on two-factor meanwhile.
    await engine.fresh();
    const member = known === null ? null : engine.venue.holder(known.index).member;
    return { member, guess, verdict };
  }

  /**
   * Compares the password. Where others are ahead, its code is looked at first, only to let the
   * member past a queue of strangers: as late as can be, since a burst has yet to reach the queue. That
   * the answer comes soon tells that the code is right, which a wrong password therefore uses up.
   */
  async #verify(
    member: Member | null,
    { password, code }: SignIn,
    party: HashParty,
  ): Promise<Verdict> {
    const { passwords, twoFactor } = this.#parts;
    const mayWait = passwords.isBusy && party.lane !== "proven";
    const foreseen = mayWait && member !== null && code !== undefined && !isMissing(code)
      ? await twoFactor.foresee(member.index, code)
      : null;
    const lane = foreseen === null ? party.lane : "proven";
    const verdict = await passwords.verify(member?.uid ?? NOBODY, password, { ...party, lane });
    if (foreseen !== null && !verdict.isRight) await twoFactor.forgo(foreseen);
    return verdict;
  }

  /**
   * Returns the member if password and code are right. A right password without a code still counts
   * as a guess, or who knows one could have it hashed without end.
   */
  async #judge(
    { member, guess: { guard }, verdict }: Judged,
    { code }: SignIn,
    origin: Origin,
  ): Promise<{ member: Member; hasSpentCode: boolean }> {
    if (member === null || !verdict.isRight) {
      if (guard !== null) await this.#parts.twoFactor.feign(member?.uid ?? NOBODY);
      await this.#recordFailure(member, origin);
      throw new IdentityError("credentials_wrong");
    }
    const refusal = STATE_REFUSALS[member.state];
    if (refusal !== null) throw new IdentityError(refusal);
    if (!member.hasTwoFactor) {
      if (guard !== null) throw guard;
      return { member, hasSpentCode: false };
    }
    if (code === undefined || isMissing(code)) throw new IdentityError("sign_in_code_missing");
    if (await this.#parts.twoFactor.spend(member.index, code)) {
      return { member, hasSpentCode: true };
    }
    await this.#recordFailure(member, origin);
    throw new IdentityError("sign_in_code_wrong");
  }

  async #recordFailure(member: Member | null, origin: Origin): Promise<void> {
    const uid = member?.uid ?? null;
    await recordActivity(this.#parts, uid, origin, ["session", "login", "failed"]);
  }

  /** Begins a session, unless the credentials have changed and no longer suffice. */
  async #begin(
    { uid, index, emailDigest }: Member,
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
    // An operator who shuts the member out, or moves it to another mailbox, ends all sessions
    // afterwards, too. And once the second factor is on, no session begins without its code, or with
    // that of one that was turned off.
    await engine.fresh();
    const now = engine.venue.holder(index).member;
    const refusal = STATE_REFUSALS[now.state] ?? refuseFactor(now.hasTwoFactor, hasSpentCode) ??
      (now.emailDigest === emailDigest ? null : "credentials_wrong");
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

function isMissing(code: string | undefined): boolean {
  return code === undefined || code === "";
}
