/** The parts of this layer, put together. */
import { present } from "../domain/assert.ts";
import type { Member } from "../domain/people/member.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import type { Vault } from "../secrets/vault.ts";
import type { MemberMessages } from "../messages/member_messages.ts";
import { ActivityRows } from "./activity_rows.ts";
import { AddressThrottle } from "./walls/address_throttle.ts";
import type {
  EmailConfirmation,
  Identity,
  Origin,
  OwnerProof,
  PasswordChange,
  SessionCaller,
  SignedIn,
  SignedUp,
  SignIn,
  SignUp,
} from "./identity.ts";
import { CurrentPassword } from "./proofs/current_password.ts";
import { EmailCodes } from "./email_codes.ts";
import type { IdentityContacts, IdentityParts } from "./identity_parts.ts";
import { KnownDevices } from "./known_devices.ts";
import { MemberSessions } from "./member_sessions.ts";
import { MemberTwoFactor } from "./member_two_factor.ts";
import type { Notices } from "./notices.ts";
import { OwnerProofs } from "./proofs/owner_proofs.ts";
import { PasswordChanges } from "./proofs/password_changes.ts";
import { PasswordHasher, SCRYPT_COST } from "./proofs/password_hasher.ts";
import { Passwords } from "./proofs/passwords.ts";
import { PendingSignUps } from "./pending_sign_ups.ts";
import { Reaper } from "./reaper.ts";
import { SignInWalls } from "./walls/sign_in_walls.ts";
import { SignIns } from "./sign_in.ts";
import { SignUps } from "./sign_up.ts";
import { CODE_REQUEST_RULE, MAILED_CODE_RULE, NOTICE_RULE, Throttle } from "./walls/throttle.ts";

/** What a venue's identity works with. */
export interface IdentityOptions {
  readonly engine: Engine;
  readonly contacts: IdentityContacts;
  readonly vault: Vault;
  readonly messages: MemberMessages;
  readonly notices: Notices;
  /** Cost of a password hash, a power of two; tests use a small one. */
  readonly passwordCost?: number;
  /** Called with faults of the background work. */
  readonly onFault: (error: unknown) => void;
}

/** The identity of a venue. */
export class VenueIdentity implements Identity {
  readonly sessions: MemberSessions;
  readonly twoFactor: MemberTwoFactor;
  readonly activity: ActivityRows;
  readonly #parts: IdentityParts;
  readonly #signUps: SignUps;
  readonly #signIns: SignIns;
  readonly #passwordChanges: PasswordChanges;
  readonly #ownerProofs: OwnerProofs;
  readonly #reaper: Reaper;

  constructor(options: IdentityOptions) {
    const { engine, contacts, vault, messages, notices, onFault } = options;
    const { passwordCost = SCRYPT_COST } = options;
    const activity = this.activity = new ActivityRows(engine);
    const sessions = this.sessions = new MemberSessions(engine);
    this.twoFactor = new MemberTwoFactor({ engine, vault, contacts, notices, activity, sessions });
    const passwords = new Passwords(engine, new PasswordHasher(passwordCost));
    this.#parts = {
      engine,
      contacts,
      messages,
      notices,
      activity,
      passwords,
      currentPassword: new CurrentPassword(engine, passwords),
      signInWalls: new SignInWalls(engine),
      devices: new KnownDevices(engine, vault),
      ownerCodes: new EmailCodes(engine, "owner"),
      pendingSignUps: new PendingSignUps(engine),
      noticeThrottle: new Throttle(engine, NOTICE_RULE),
      codeRequestThrottle: new AddressThrottle(engine, CODE_REQUEST_RULE),
      mailedCodeThrottle: new AddressThrottle(engine, MAILED_CODE_RULE),
      sessions,
      twoFactor: this.twoFactor,
    };
    this.#passwordChanges = new PasswordChanges(this.#parts);
    this.#signUps = new SignUps(this.#parts, this.#passwordChanges);
    this.#signIns = new SignIns(this.#parts);
    this.#ownerProofs = new OwnerProofs(this.#parts);
    this.#reaper = new Reaper(engine, onFault);
  }

  /** Starts the background work. */
  start(): void {
    this.#reaper.start();
  }

  signUp(request: SignUp, origin: Origin): Promise<SignedUp> {
    return this.#signUps.signUp(request, origin);
  }

  resendEmailCode(email: string, origin: Origin): Promise<void> {
    return this.#signUps.resend(email, origin);
  }

  confirmEmail(confirmation: EmailConfirmation, origin: Origin): Promise<Member> {
    return this.#signUps.confirm(confirmation, origin);
  }

  signIn(request: SignIn, origin: Origin): Promise<SignedIn> {
    return this.#signIns.signIn(request, origin);
  }

  signOut(caller: SessionCaller, origin: Origin): Promise<void> {
    return this.#signIns.signOut(caller, origin);
  }

  changePassword(caller: SessionCaller, request: PasswordChange, origin: Origin): Promise<void> {
    return this.#passwordChanges.change(caller, request, origin);
  }

  sendResetCode(email: string, origin: Origin): Promise<void> {
    return this.#passwordChanges.sendCode(email, origin);
  }

  resetPassword(
    code: string,
    password: string,
    origin: Origin,
    turnsFactorOff = false,
  ): Promise<Member> {
    return this.#passwordChanges.reset(code, password, origin, turnsFactorOff);
  }

  sendOwnerCode({ member }: SessionCaller, origin: Origin): Promise<void> {
    return this.#ownerProofs.sendCode(member, origin);
  }

  asOwner<T>(
    caller: SessionCaller,
    proof: OwnerProof,
    origin: Origin,
    act: (generation: number) => Promise<T>,
  ): Promise<T> {
    return this.#ownerProofs.act(caller, proof, origin, act);
  }

  rememberDevice(member: Member, held: string): Promise<string> {
    return this.#parts.devices.remember(member, held);
  }

  async unlock(uid: string): Promise<void> {
    const member = this.#parts.engine.venue.holderByUid.get(uid)?.member;
    if (member === undefined) return;
    await this.#parts.signInWalls.unlock(member);
    await this.#parts.currentPassword.unlock(uid);
    await this.#passwordChanges.unlock(member.emailDigest);
    await this.#signUps.unlock(member.emailDigest);
    await this.#ownerProofs.unlock(uid);
    await this.twoFactor.unlock(uid);
  }

  moveRows(uid: string): Promise<readonly SidecarRow[]> {
    return this.#passwordChanges.moveRows(this.#member(uid));
  }

  hasMoved(uid: string): Promise<void> {
    return this.#passwordChanges.hasMoved(this.#member(uid));
  }

  #member(uid: string): Member {
    return present(this.#parts.engine.venue.holderByUid.get(uid), `member ${uid} exists`).member;
  }

  async email(uid: string): Promise<string | null> {
    return (await this.#parts.contacts.contact(uid))?.email ?? null;
  }

  seedPassword(uid: string, password: string): Promise<void> {
    return this.#parts.passwords.seed(uid, password);
  }

  seedTwoFactor(uid: string, secret: string): Promise<void> {
    return this.twoFactor.seed(uid, secret);
  }

  async resealAll(): Promise<number> {
    const parts = [this.twoFactor, this.#signUps, this.#parts.devices];
    let count = 0;
    for (const part of parts) count += await part.resealAll();
    return count;
  }

  close(): Promise<void> {
    return this.#reaper.close();
  }
}
