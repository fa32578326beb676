/** Changes of a member's password, by the old one or by a code. */
import { isRejection } from "../../domain/command.ts";
import { generationOf, type Member } from "../../domain/people/member.ts";
import type { KeptKeys, NotePasswordChange } from "../../domain/identity_command.ts";
import type { RejectionCode } from "../../domain/rejection.ts";
import type { HeldRow, SidecarRow } from "../../engine/engine.ts";
import { addressParty } from "../walls/address_throttle.ts";
import { EmailCodes } from "../email_codes.ts";
import type { HashParty } from "./hash_queue.ts";
import type { Origin, PasswordChange, SessionCaller } from "../identity.ts";
import { IdentityError, type IdentityRefusal } from "../identity_error.ts";
import {
  type IdentityParts,
  memberOfDigest,
  recordActivity,
  requireMessages,
  sendNotice,
} from "../identity_parts.ts";
import { disabledKeysIn } from "../notices.ts";
import { plainPassword } from "./password_hasher.ts";
import { isStrongPassword } from "./password_strength.ts";
import { claimedName } from "../random_text.ts";
import { MAILBOX_RULE, Throttle } from "../walls/throttle.ts";

/** What a refusal of the log means to whoever changes a password. */
const REFUSALS: Readonly<Partial<Record<RejectionCode, IdentityRefusal>>> = {
  // Another change was faster, so the given old password may be outdated.
  credentials_changed: "password_wrong",
  key_not_found: "kept_key_unknown",
  otp_invalid: "key_code_wrong",
  two_factor_off: "key_factor_off",
};

/** Changes passwords. */
export class PasswordChanges {
  readonly #parts: IdentityParts;
  readonly #codes: EmailCodes;
  /** By digest of the address; what it stops goes unsaid. */
  readonly #mailboxThrottle: Throttle;

  constructor(parts: IdentityParts) {
    const { engine } = parts;
    this.#parts = parts;
    this.#codes = new EmailCodes(engine, "password_reset");
    this.#mailboxThrottle = new Throttle(engine, { ...MAILBOX_RULE, name: "password_reset" });
  }

  /** See {@linkcode Identity.changePassword}. */
  async change(
    caller: SessionCaller,
    request: PasswordChange,
    origin: Origin,
  ): Promise<void> {
    const { member, sessionId } = caller;
    const { oldPassword, newPassword } = request;
    if (!isStrongPassword(newPassword)) throw new IdentityError("password_weak");
    const { uid, emailDigest } = member;
    const party = addressParty(origin.address, "proven");
    // Read before the password is compared: the log notices any change from here on.
    const knownGeneration = generationOf(this.#parts.engine.venue.holder(member.index).member);
    if (!await this.#parts.currentPassword.isRight(caller, oldPassword, origin)) {
      await recordActivity(this.#parts, uid, origin, ["password", "change", "failed"]);
      throw new IdentityError("password_wrong");
    }
    if (plainPassword(oldPassword) === plainPassword(newPassword)) {
      throw new IdentityError("password_unchanged");
    }
    const kept = await this.#kept(caller, request, knownGeneration);
    const change = {
      uid,
      knownGeneration,
      keepsRole: true,
      ...(kept === null ? {} : { kept }),
    } as const;
    const disabled = await this.#write(change, newPassword, { emailDigest, party, caller });
    await this.#parts.sessions.endOthers(uid, sessionId);
    await this.#note(uid, origin, "change", disabled);
  }

  /** Proves that the member itself keeps keys; null if it keeps none. */
  async #kept(
    { member: { index }, sessionId }: SessionCaller,
    { keptKeys = [], code }: PasswordChange,
    knownGeneration: number,
  ): Promise<KeptKeys | null> {
    if (keptKeys.length === 0) return null;
    if (code === undefined) throw new IdentityError("key_code_missing");
    const otp = await this.#parts.twoFactor.prove(index, code, { sessionId }, knownGeneration);
    return { kids: keptKeys, otp };
  }

  /** See {@linkcode Identity.sendResetCode}. */
  async sendCode(email: string, origin: Origin): Promise<void> {
    requireMessages(this.#parts, "password_reset");
    await this.#parts.codeRequestThrottle.take(origin.address);
    const emailDigest = await this.#parts.contacts.emailDigest(email);
    await this.#parts.engine.fresh();
    const uid = memberOfDigest(this.#parts, emailDigest)?.uid ?? null;
    // Nobody's mailbox costs no rows, but as many writes, so that the time tells nothing.
    const hasRoom = uid !== null
      ? await this.#mailboxThrottle.admits(emailDigest)
      : await this.#mailboxThrottle.feign(emailDigest);
    const code = await this.#codes.renew(uid, emailDigest, !hasRoom);
    await recordActivity(this.#parts, uid, origin, ["password", "reset_code", "succeed"]);
    if (uid !== null && code !== null) {
      await this.#parts.messages.send(uid, { kind: "password_reset", code });
    }
  }

  /** See {@linkcode Identity.resetPassword}. */
  async reset(
    code: string,
    password: string,
    origin: Origin,
    turnsFactorOff: boolean,
  ): Promise<Member> {
    const { engine } = this.#parts;
    if (!isStrongPassword(password)) throw new IdentityError("password_weak");
    await engine.fresh();
    const member = engine.venue.holderByUid.get(claimedName(code))?.member;
    if (member === undefined) return await this.#refuseCode(origin);
    const used = await this.#codes.use(code, member.emailDigest, async () => {
      if (turnsFactorOff) await this.#requireNewFactor(member.index);
    });
    if (used === null) return await this.#refuseCode(origin);
    try {
      await this.replace(member, password, origin, turnsFactorOff);
    } catch (error) {
      if (isOutdated(error)) throw new IdentityError("reset_code_invalid");
      await used.restore();
      throw error;
    }
    return engine.venue.holder(member.index).member;
  }

  /** Counted only now: whoever enters wrong ones keeps no neighbour from entering its own. */
  async #refuseCode({ address }: Origin): Promise<never> {
    await this.#parts.mailedCodeThrottle.take(address);
    throw new IdentityError("reset_code_invalid");
  }

  /** A mailbox alone turns off no factor of which its member could have read a notice. */
  async #requireNewFactor(index: number): Promise<void> {
    const { engine, twoFactor } = this.#parts;
    const { member } = engine.venue.holder(index);
    const isOld = member.hasTwoFactor && !await twoFactor.isNew(member);
    if (isOld) throw new IdentityError("factor_not_new");
  }

  /**
   * Sets the password of a member whose mailbox is proven, and ends whatever came before that.
   *
   * @param member as it was before the proof was judged: the log notices if its credentials have
   *   changed since, as they do when the mailbox is not its own any more; see {@linkcode isOutdated}
   */
  async replace(
    member: Member,
    password: string,
    origin: Origin,
    turnsFactorOff = false,
  ): Promise<void> {
    const { uid, emailDigest } = member;
    const { sessions, signInWalls } = this.#parts;
    const party = addressParty(origin.address, "proven");
    const own = { emailDigest, party, caller: null };
    const knownGeneration = generationOf(member);
    const change = { uid, knownGeneration, ...(turnsFactorOff ? { turnsFactorOff } : {}) };
    const disabled = await this.#write(change, password, own);
    await sessions.endOthers(uid, null);
    // A mailbox must not lift the locks of wrong codes, or each reset would allow more guesses.
    await signInWalls.lift(emailDigest, origin.address);
    if (turnsFactorOff) {
      await this.#parts.notices.send(uid, { kind: "two_factor_changed", isOn: false });
    }
    await this.#note(uid, origin, "reset", disabled);
  }

  /** See {@linkcode Identity.moveRows}. */
  async moveRows(member: Member): Promise<readonly SidecarRow[]> {
    return [this.#parts.passwords.endingRow(member.uid), ...await this.#endedRows(member, null)];
  }

  /** See {@linkcode Identity.hasMoved}. */
  async hasMoved({ uid, emailDigest }: Member): Promise<void> {
    const { messages, notices, sessions } = this.#parts;
    await sessions.endOthers(uid, null);
    if (!messages.hasRoomFor("password_reset")) return;
    const code = await this.#codes.renew(uid, emailDigest, false);
    if (code !== null) await notices.send(uid, { kind: "password_reset", code });
  }

  /** Lifts the bound on the codes for a new password. */
  async unlock(emailDigest: string): Promise<void> {
    await this.#mailboxThrottle.unlock(emailDigest);
  }

  /** Returns the keys that have ended with the old password. */
  async #write(
    change: Omit<NotePasswordChange, "kind">,
    password: string,
    { emailDigest, party, caller }: {
      readonly emailDigest: string;
      readonly party: HashParty;
      /** Whose session stays open; null if none does. */
      readonly caller: SessionCaller | null;
    },
  ): Promise<readonly string[]> {
    const { engine, passwords, sessions, twoFactor } = this.#parts;
    const { uid } = change;
    const rows = [
      await passwords.row(uid, password, party),
      ...(change.turnsFactorOff === true ? twoFactor.erasingRows(uid) : []),
      ...await this.#endedRows({ uid, emailDigest }, caller?.sessionId ?? null),
    ];
    const command = { kind: "note_password_change", ...change } as const;
    const submit = (held?: HeldRow) =>
      engine.submit(command, null, () => rows, ...(held === undefined ? [] : [held]));
    const outcome = caller === null ? await submit() : await sessions.holding(caller, submit);
    if (!isRejection(outcome)) return disabledKeysIn(outcome);
    const refusal = REFUSALS[outcome.rejected];
    if (refusal !== undefined) throw new IdentityError(refusal);
    throw new TypeError(`It was refused: ${outcome.rejected}`);
  }

  /**
   * Returns the rows that end what a password and its mailbox have opened, but for one session. In
   * one commit with the change: nothing outlives its password, even in a crash right behind it.
   */
  async #endedRows(
    { uid, emailDigest }: Pick<Member, "uid" | "emailDigest">,
    sessionId: string | null,
  ): Promise<readonly SidecarRow[]> {
    const { ownerCodes, pendingSignUps, sessions, twoFactor } = this.#parts;
    return [
      this.#codes.revokingRow(emailDigest),
      ...await pendingSignUps.endingRows(emailDigest),
      ownerCodes.revokingRow(emailDigest),
      twoFactor.endingRow(uid),
      ...await sessions.endingRows(uid, sessionId),
    ];
  }

  async #note(
    uid: string,
    origin: Origin,
    action: string,
    disabledKeys: readonly string[],
  ): Promise<void> {
    await recordActivity(this.#parts, uid, origin, ["password", action, "succeed"]);
    await sendNotice(this.#parts, uid, { kind: "password_changed" });
    await this.#parts.notices.tellOfDisabledKeys(uid, disabledKeys);
  }
}

/** Returns whether the log refused a change because the credentials had changed before. */
export function isOutdated(error: unknown): boolean {
  return error instanceof IdentityError && error.refusal === REFUSALS.credentials_changed;
}
