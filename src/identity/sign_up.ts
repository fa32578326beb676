/** Makes people members. */
import { isRejection } from "../domain/command.ts";
import { ANY_GROUP } from "../domain/group_table.ts";
import type { Member } from "../domain/member.ts";
import type { Venue } from "../domain/venue.ts";
import { addressParty, AddressThrottle } from "./address_throttle.ts";
import { EmailCodes } from "./email_codes.ts";
import type { Origin, SignedIn, SignUp } from "./identity.ts";
import { IdentityError } from "./identity_error.ts";
import {
  type IdentityParts,
  memberOfDigest,
  recordActivity,
  requireMessages,
} from "./identity_parts.ts";
import { isStrongPassword } from "./password_strength.ts";
import { createUid } from "./random_names.ts";
import { claimedUid } from "./random_text.ts";
import { MESSAGE_RULE, SIGN_UP_RULE, Throttle } from "./throttle.ts";

/** Level of a member with a confirmed address. */
const CONFIRMED_LEVEL = 1;

/** Signs people up and confirms their addresses. */
export class SignUps {
  readonly #parts: IdentityParts;
  readonly #codes: EmailCodes;
  readonly #throttle: Throttle;
  readonly #addressThrottle: AddressThrottle;

  constructor(parts: IdentityParts) {
    const { engine } = parts;
    this.#parts = parts;
    this.#codes = new EmailCodes(engine, "email_confirmation");
    this.#throttle = new Throttle(engine, { ...MESSAGE_RULE, name: "email_confirmation" });
    this.#addressThrottle = new AddressThrottle(engine, SIGN_UP_RULE);
  }

  /** See {@linkcode Identity.signUp}. */
  async signUp({ email, password }: SignUp, origin: Origin): Promise<SignedIn> {
    if (!isStrongPassword(password)) throw new IdentityError("password_weak");
    requireMessages(this.#parts);
    await this.#addressThrottle.take(origin.address);
    const party = addressParty(origin.address);
    const { uid, code } = await this.#create(email, password, party);
    await recordActivity(this.#parts, uid, origin, ["account", "signup", "succeed"]);
    await this.#parts.messages.send(uid, { kind: "email_confirmation", code });
    const { cookie, csrfToken, expiresAt } = await this.#parts.sessions.begin(uid, origin);
    const member = memberOfUid(this.#parts.engine.venue, uid);
    return { member, cookie, csrfToken, expiresAt };
  }

  async #create(
    email: string,
    password: string,
    party: string,
  ): Promise<{ uid: string; code: string }> {
    const { contacts, engine } = this.#parts;
    await engine.fresh();
    const emailDigest = await contacts.emailDigest(email);
    if (memberOfDigest(this.#parts, emailDigest) !== null) throw new IdentityError("email_taken");

    const uid = createUid(engine.venue);
    const { code, row } = this.#codes.create(uid, emailDigest);
    const rows = [
      row,
      await contacts.contactRow(uid, { email }),
      await this.#parts.passwords.row(uid, password, party),
    ];
    const outcome = await engine.submit(
      { kind: "create_member", uid, emailDigest, level: 0, group: ANY_GROUP, state: "pending" },
      null,
      () => rows,
    );
    if (isRejection(outcome)) throw new IdentityError("email_taken");
    return { uid, code };
  }

  /** See {@linkcode Identity.resendEmailCode}. */
  async resend(email: string, origin: Origin): Promise<void> {
    requireMessages(this.#parts);
    await this.#parts.codeRequestThrottle.take(origin.address);
    const emailDigest = await this.#parts.contacts.emailDigest(email);
    await this.#throttle.take(emailDigest);
    await this.#parts.engine.fresh();
    const member = memberOfDigest(this.#parts, emailDigest);
    const uid = member?.state === "pending" ? member.uid : null;
    const code = await this.#codes.issue(uid, emailDigest);
    if (uid !== null) await this.#parts.messages.send(uid, { kind: "email_confirmation", code });
  }

  /** Lifts the lock on the codes for an address. */
  async unlock(emailDigest: string): Promise<void> {
    await this.#throttle.unlock(emailDigest);
  }

  /** See {@linkcode Identity.confirmEmail}. */
  async confirm(code: string, origin: Origin): Promise<Member> {
    const { engine } = this.#parts;
    await engine.fresh();
    const member = engine.venue.holderByUid.get(claimedUid(code))?.member;
    if (member?.state !== "pending") throw new IdentityError("email_code_invalid");
    const used = await this.#codes.use(code, member.emailDigest);
    if (used === null) throw new IdentityError("email_code_invalid");
    const { uid } = used;
    try {
      const level = CONFIRMED_LEVEL;
      const outcome = await engine.submit({ kind: "confirm_member", uid, level }, null);
      // An operator has changed the member's state meanwhile.
      if (isRejection(outcome)) throw new IdentityError("email_code_invalid");
    } catch (error) {
      await used.restore();
      throw error;
    }
    await recordActivity(this.#parts, uid, origin, ["account", "email_confirmed", "succeed"]);
    return memberOfUid(engine.venue, uid);
  }
}

function memberOfUid(venue: Venue, uid: string): Member {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) throw new RangeError(`There is no member ${uid}`);
  return holder.member;
}
