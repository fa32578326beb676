/** Makes people members: a sign-up becomes one when its address is confirmed, by code and password. */
import { present } from "../domain/assert.ts";
import { isRejection } from "../domain/command.ts";
import { ANY_GROUP } from "../domain/group_table.ts";
import type { Member } from "../domain/people/member.ts";
import { sidecarRows, SIGN_UP_ROWS } from "../engine/sidecar_rows.ts";
import { addressParty, AddressThrottle, siteSubject } from "./walls/address_throttle.ts";
import type { EmailConfirmation, Origin, SignedUp, SignUp } from "./identity.ts";
import { IdentityError } from "./identity_error.ts";
import {
  type IdentityParts,
  memberOfDigest,
  recordActivity,
  requireMessages,
} from "./identity_parts.ts";
import { isOutdated, type PasswordChanges } from "./proofs/password_changes.ts";
import { isStrongPassword } from "./proofs/password_strength.ts";
import type { ClaimedSignUp, PendingSignUp, SignUpPlace } from "./pending_sign_ups.ts";
import { createUid } from "./random_names.ts";
import { MAILBOX_RULE, OWN_MAIL_RULE, SIGN_UP_RULE, Throttle } from "./walls/throttle.ts";

/** Level of a member with a confirmed address. */
const CONFIRMED_LEVEL = 1;

/** The place of the sign-ups from one network at one mailbox. */
type OwnPlace = SignUpPlace & { readonly networkDigest: string };

/** Who may be mailed at an address. */
interface Room {
  readonly forMember: boolean;
  readonly forSignUp: boolean;
}

/** Signs people up and confirms their addresses. */
export class SignUps {
  readonly #parts: IdentityParts;
  readonly #passwordChanges: PasswordChanges;
  /** By digest of the address; what it stops goes unsaid. */
  readonly #mailboxThrottle: Throttle;
  /** By digests of the address and of the network, where the mailbox was sent too much. */
  readonly #ownMailThrottle: Throttle;
  readonly #addressThrottle: AddressThrottle;

  constructor(parts: IdentityParts, passwordChanges: PasswordChanges) {
    const { engine } = parts;
    this.#parts = parts;
    this.#passwordChanges = passwordChanges;
    this.#mailboxThrottle = new Throttle(engine, { ...MAILBOX_RULE, name: "email_confirmation" });
    this.#ownMailThrottle = new Throttle(engine, { ...OWN_MAIL_RULE, name: "own_confirmation" });
    this.#addressThrottle = new AddressThrottle(engine, SIGN_UP_RULE);
  }

  /** See {@linkcode Identity.signUp}. */
  async signUp({ email, password }: SignUp, origin: Origin): Promise<SignedUp> {
    const { contacts, engine, passwords } = this.#parts;
    if (!isStrongPassword(password)) throw new IdentityError("password_weak");
    requireMessages(this.#parts, "email_confirmation");
    await this.#addressThrottle.take(origin.address);
    // Hashed for a member's address too: the answer must not tell by its time.
    const hash = await passwords.hash(password, addressParty(origin.address, "other"));
    const emailDigest = await contacts.emailDigest(email);
    await engine.fresh();
    const uid = createUid(engine.venue);
    const { value: contact } = await contacts.contactRow(uid, { email });
    const place = await this.#placeOf(emailDigest, origin);
    await this.#keep(place, { uid, contact, hash });
    return { uid, email, createdAt: engine.now() };
  }

  async #placeOf(emailDigest: string, { address }: Origin): Promise<OwnPlace> {
    // Keyed, since it is part of the code, and whoever reads the mail must not learn the address.
    const networkDigest = await this.#parts.contacts.networkDigest(siteSubject(address));
    return { emailDigest, networkDigest };
  }

  /**
   * Returns whether the mailbox, or this network's sign-up at it, may be mailed. What a mailbox is
   * sent for others bounds what more of them have sent to it, but keeps no network from its code.
   */
  async #admits({ emailDigest, networkDigest }: OwnPlace): Promise<Room> {
    const isOwn = await this.#ownMailThrottle.admits([emailDigest, networkDigest]);
    const isShared = await this.#mailboxThrottle.admits(emailDigest);
    return { forMember: isShared, forSignUp: isShared || isOwn };
  }

  /**
   * Keeps a sign-up and mails its code, or tells a member that its address was used. Where the
   * mailbox was sent too much lately, neither: the network's last code and its password stay good.
   */
  async #keep(place: OwnPlace, signUp: PendingSignUp): Promise<void> {
    const { notices, pendingSignUps } = this.#parts;
    const { emailDigest } = place;
    const room = await this.#admits(place);
    const member = this.#confirmedMember(emailDigest);
    if (member !== null) {
      // Takes as long as a row that is written.
      await pendingSignUps.renewCode(place, true);
      if (room.forMember) await notices.send(member.uid, { kind: "address_in_use" });
    } else if (room.forSignUp) {
      const code = await pendingSignUps.put(place, signUp);
      await this.#mail(signUp, code);
    }
  }

  async #mail({ uid, contact }: PendingSignUp, code: string): Promise<void> {
    const { contacts, messages } = this.#parts;
    const { email: to } = await contacts.read(uid, contact);
    await messages.sendTo({ uid, to }, { kind: "email_confirmation", code });
  }

  /** Returns the member of an address; null if there is none, or it has yet to confirm it. */
  #confirmedMember(emailDigest: string): Member | null {
    const member = memberOfDigest(this.#parts, emailDigest);
    return member?.state === "pending" ? null : member;
  }

  /** See {@linkcode Identity.resendEmailCode}. */
  async resend(email: string, origin: Origin): Promise<void> {
    const { codeRequestThrottle, contacts, engine, pendingSignUps } = this.#parts;
    requireMessages(this.#parts, "email_confirmation");
    await codeRequestThrottle.take(origin.address);
    const emailDigest = await contacts.emailDigest(email);
    await engine.fresh();
    const isMember = this.#confirmedMember(emailDigest) !== null;
    const place = await this.#placeOf(emailDigest, origin);
    const signUp = isMember ? null : await pendingSignUps.read(place);
    const room = signUp !== null ? await this.#admits(place) : await this.#feign(place);
    const code = await pendingSignUps.renewCode(place, !room.forSignUp);
    if (signUp !== null && code !== null) await this.#mail(signUp, code);
  }

  /** Takes as long as counting a code, and counts none. */
  async #feign({ emailDigest, networkDigest }: OwnPlace): Promise<Room> {
    await this.#ownMailThrottle.feign([emailDigest, networkDigest]);
    await this.#mailboxThrottle.feign(emailDigest);
    return { forMember: false, forSignUp: false };
  }

  /** Lifts the bounds on the codes for an address. */
  async unlock(emailDigest: string): Promise<void> {
    await this.#ownMailThrottle.unlock([emailDigest]);
    await this.#mailboxThrottle.unlock(emailDigest);
  }

  /** See {@linkcode Identity.confirmEmail}. */
  async confirm({ code, password }: EmailConfirmation, origin: Origin): Promise<Member> {
    const { engine, mailedCodeThrottle, passwords, pendingSignUps } = this.#parts;
    const signUp = await pendingSignUps.claim(code);
    if (signUp === null) {
      // Counted only now: whoever enters wrong ones keeps no neighbour from confirming its own.
      await mailedCodeThrottle.take(origin.address);
      throw new IdentityError("email_code_invalid");
    }
    const party = addressParty(origin.address, "proven");
    const isRight = await passwords.isHashed(password, signUp.hash, party).catch(async (error) => {
      await signUp.release();
      throw error;
    });
    if (!isRight) throw new IdentityError("sign_up_password_wrong");
    await engine.fresh();
    const pending = memberOfDigest(this.#parts, signUp.emailDigest);
    const member = pending === null
      ? await this.#create(signUp)
      : await this.#takeOver(pending, password, origin);
    await recordActivity(this.#parts, member.uid, origin, [
      "account",
      "email_confirmed",
      "succeed",
    ]);
    return member;
  }

  async #create({ uid: proposed, emailDigest, contact, hash }: ClaimedSignUp): Promise<Member> {
    const { contacts, engine, passwords, pendingSignUps } = this.#parts;
    const isFree = !engine.venue.holderByUid.has(proposed);
    const uid = isFree ? proposed : createUid(engine.venue);
    const rows = [
      await contacts.contactRow(uid, await contacts.read(proposed, contact)),
      passwords.rowOf(uid, hash),
      ...await pendingSignUps.endingRows(emailDigest),
    ];
    const [level, state] = [CONFIRMED_LEVEL, "active"] as const;
    const outcome = await engine.submit(
      { kind: "create_member", uid, emailDigest, level, group: ANY_GROUP, state },
      null,
      () => rows,
    );
    // Another confirmation was faster, or an operator has created the member.
    if (isRejection(outcome)) throw new IdentityError("email_code_invalid");
    return present(engine.venue.holderByUid.get(uid), `member ${uid} exists`).member;
  }

  /**
   * Activates a member that has yet to confirm its address: an operator has made it `pending`, or
   * an older version, which made a member of each sign-up. Whoever had a part in it is put out.
   */
  async #takeOver(member: Member, password: string, origin: Origin): Promise<Member> {
    const { engine } = this.#parts;
    const { uid, state } = member;
    if (state !== "pending") throw new IdentityError("email_code_invalid");
    await this.#passwordChanges.replace(member, password, origin).catch((error) => {
      throw isOutdated(error) ? new IdentityError("email_code_invalid") : error;
    });
    const outcome = await engine.submit(
      { kind: "confirm_member", uid, level: CONFIRMED_LEVEL },
      null,
    );
    // An operator has changed the member's state meanwhile.
    if (isRejection(outcome)) throw new IdentityError("email_code_invalid");
    return engine.venue.holder(member.index).member;
  }

  /**
   * Reseals the addresses of sign-ups that an older master key has sealed.
   *
   * @returns how many there were
   */
  async resealAll(): Promise<number> {
    const { contacts, engine } = this.#parts;
    let count = 0;
    for await (const { key, value } of sidecarRows(engine, { prefix: SIGN_UP_ROWS })) {
      const { uid, contact } = value as PendingSignUp;
      const sealed = await contacts.reseal(uid, contact);
      if (sealed === null) continue;
      count += 1;
      // One that has replaced it meanwhile is sealed with the new key.
      await engine.changeSidecar(
        key,
        (old) =>
          (old as PendingSignUp | null)?.uid === uid
            ? { ...old as PendingSignUp, contact: sealed }
            : old,
      );
    }
    return count;
  }
}
