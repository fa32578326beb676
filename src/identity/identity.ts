/** The façade of this layer: people, their passwords, sessions and second factors. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { generationOf, type Member } from "../domain/people/member.ts";
import type { OtpProof } from "../domain/identity_command.ts";
import type { HeldRow, SidecarRow } from "../engine/engine.ts";

/** How many characters of a user agent are kept. */
export const USER_AGENT_LENGTH_MAX = 256;

/** Where a person's call comes from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  /** What its device holds; see {@linkcode Identity.rememberDevice}. */
  readonly device?: string;
}

/** What a person enters to sign up. */
export interface SignUp {
  readonly email: string;
  readonly password: string;
}

/** A sign-up, whose address is yet to be confirmed. */
export interface SignedUp {
  /** Of the member that it may become. */
  readonly uid: string;
  readonly email: string;
  /** In ms. */
  readonly createdAt: number;
}

/** What confirms the address of a sign-up. */
export interface EmailConfirmation {
  /** As it was mailed. */
  readonly code: string;
  /** Of the sign-up that the code belongs to. */
  readonly password: string;
}

/** What a person enters to sign in. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** A one-time code or a recovery code. */
  readonly code?: string;
}

/** What a person enters to change its password. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  /** Access keys of the keys to keep; all others that the member made end for good. */
  readonly keptKeys?: readonly string[];
  /** A one-time code, without which no key is kept. */
  readonly code?: string;
}

/** What proves in a session that its member is there; the password counts if both are given. */
export interface OwnerProof {
  readonly password?: string;
  /** The code that was last sent by {@linkcode Identity.sendOwnerCode}. */
  readonly emailCode?: string;
}

/** A session in which its member has proven that it is there. */
export interface OwnerSession {
  /** The session that stays open; null if none does. */
  readonly sessionId: string | null;
  /** Generation of the credentials before the proof was judged. */
  readonly generation: number;
}

/**
 * Where a member's code was entered: in a session, by a key (`kid`), or neither. Wrong ones are
 * counted by place, so that whoever has got hold of one locks no other, and no sign-in.
 */
export interface CodePlace {
  readonly sessionId: string | null;
  readonly kid?: string;
}

/** A new session. */
export interface SignedIn {
  readonly member: Member;
  /** For the cookie; stored nowhere. */
  readonly cookie: string;
  /** Sent back in a header by calls with the cookie. */
  readonly csrfToken: string;
  /** The latest end of the session, in ms. */
  readonly expiresAt: number;
}

/** The caller of a session. */
export interface SessionCaller {
  readonly member: Member;
  /** Names the session in lists; does not open it. */
  readonly sessionId: string;
  readonly csrfToken: string;
  /** The code that it was given last; absent if none was. */
  readonly freshCode?: FreshCode;
}

/** How long a session counts as one whose member has just given a code, in ms. */
export const CODE_FRESH_MS = 10 * MINUTE_MS;

/** A one-time code that a session was given, so that its member may act as an operator. */
export interface FreshCode {
  /** In ms. */
  readonly until: number;
  /** Generation of the member's credentials then: it ends with them. */
  readonly generation: number;
}

/** Whether a code that a session was given still counts. */
export function isCodeFresh(
  code: FreshCode | undefined,
  member: Pick<Member, "generation">,
  now: number,
): code is FreshCode {
  return code !== undefined && now < code.until && code.generation === generationOf(member);
}

/** A session as its member sees it. Times in ms. */
export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
}

/** A secret for an authenticator, not in force yet. */
export interface TwoFactorSecret {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://…`. */
  readonly uri: string;
  /** The uri as a QR code. */
  readonly svg: string;
}

/** What an activity is about. */
export const ACTIVITY_TOPICS = [
  "account",
  "session",
  "password",
  "otp",
  "api_key",
  "beneficiary",
  "withdraw",
] as const;
export type ActivityTopic = typeof ACTIVITY_TOPICS[number];

/** Something that happened to an account. */
export interface Activity {
  readonly topic: ActivityTopic;
  /** `signup`, `login`, `logout`, `change`, `enable`, `create`, … */
  readonly action: string;
  readonly result: "succeed" | "failed";
  readonly address: string;
  readonly userAgent: string;
  /** In ms. */
  readonly createdAt: number;
}

/** Which activities to list. */
export interface ActivityRequest {
  readonly topic?: ActivityTopic;
  readonly result?: Activity["result"];
  readonly offset: number;
  readonly limit: number;
}

/** The record of what happened to accounts. */
export interface ActivityLog {
  /** Records an activity. */
  record(
    uid: string,
    origin: Origin,
    activity: Pick<Activity, "topic" | "action" | "result">,
  ): Promise<void>;
  /** Lists a member's activities, newest first. */
  list(
    uid: string,
    request: ActivityRequest,
  ): Promise<{ readonly items: readonly Activity[]; readonly total: number }>;
}

/** Second factors: one-time codes, their throttle, and recovery codes for a lost authenticator. */
export interface TwoFactor {
  /**
   * Verifies a code outside the log and counts a wrong one. The returned proof goes into the
   * command that needs it, which uses up the code; a null step means that the code was wrong, or
   * used before, which is counted apart.
   *
   * @param member index
   * @param code as typed
   * @param place where it was entered
   * @param generation of the credentials as the call was checked; by default the present one
   * @throws {IdentityError} `code_throttled` or `code_locked`: no code is accepted there now
   */
  prove(member: number, code: string, place: CodePlace, generation?: number): Promise<OtpProof>;
  /**
   * Uses up a code to make a session one whose member has just given one, as operators' calls need.
   *
   * @returns until when it is, in ms
   * @throws {IdentityError} `two_factor_off`, `code_wrong`, `session_over`
   * @throws {ThrottledError}
   */
  confirm(session: SessionCaller, code: string, origin: Origin): Promise<number>;
  /**
   * Creates a secret for a member without a second factor, in place of an earlier one.
   *
   * @throws {IdentityError} `two_factor_on`
   */
  generate(member: number): Promise<TwoFactorSecret>;
  /**
   * Turns the second factor on by a code of the generated secret, and ends all of the member's
   * sessions but the owner's, since they began without it, and the keys that it made.
   *
   * @returns the recovery codes, shown only this once
   * @throws {IdentityError} `two_factor_on`, `two_factor_not_generated`, `code_wrong`
   * @throws {ThrottledError}
   */
  enable(
    member: number,
    code: string,
    origin: Origin,
    owner: OwnerSession,
  ): Promise<readonly string[]>;
  /**
   * Turns the second factor off by a one-time code or a recovery code, and ends all of the member's
   * sessions but the owner's and the keys that it made.
   *
   * @throws {IdentityError} `two_factor_off`, `code_wrong`
   * @throws {ThrottledError}
   */
  disable(member: number, code: string, origin: Origin, owner: OwnerSession): Promise<void>;
}

/** Hears that sessions of a member have ended, and which. */
export type SessionsEnded = (uid: string, hasEnded: (sessionId: string) => boolean) => void;

/** Sessions and their cookies. */
export interface Sessions {
  /**
   * Returns who calls with a cookie; null if it opens nothing. Every process notices an ended
   * session or a frozen member within a second; at once where the call may write.
   *
   * @throws {IdentityError} `member_locked`, `member_banned`: the session was open until then
   */
  authenticate(cookie: string, mayWrite: boolean): Promise<SessionCaller | null>;
  /**
   * Does what may only happen while a session lives: `act` submits a command that holds its row, and
   * is told of a code that is fresh. It is called again if the row has changed meanwhile, but the
   * session has not ended.
   *
   * @throws {IdentityError} `session_over`
   */
  holding<T>(
    session: Pick<SessionCaller, "member" | "sessionId">,
    act: (held: HeldRow, code: FreshCode | null) => Promise<T>,
  ): Promise<T>;
  /** Notes, in the background, that a session is in use on a connection that it opened. */
  use(session: Pick<SessionCaller, "member" | "sessionId">): void;
  /** Lists a member's sessions, newest first. */
  list(uid: string): Promise<readonly SessionInfo[]>;
  /**
   * Ends one of a member's sessions.
   *
   * @throws {IdentityError} `session_not_found`
   */
  end(uid: string, sessionId: string): Promise<void>;
  /**
   * Returns the rows that end all of a member's sessions because it is shut out, to be committed
   * with that: their cookies still tell why. {@linkcode endOthers} has to follow.
   */
  shutOutRows(uid: string): Promise<readonly SidecarRow[]>;
  /**
   * Returns the rows that end a member's sessions but one (null: all), to be committed with the
   * reason. More may begin meanwhile, so {@linkcode endOthers} has to follow.
   */
  endingRows(uid: string, sessionId: string | null): Promise<readonly SidecarRow[]>;
  /** Ends all of a member's sessions but one (null: all); returns how many it ended. */
  endOthers(uid: string, sessionId: string | null): Promise<number>;
  /** Calls `listener` whenever this process has ended sessions, before their end is answered. */
  onEnded(listener: SessionsEnded): void;
}

/** What the layers to the right see of people. */
export interface Identity {
  readonly sessions: Sessions;
  readonly twoFactor: TwoFactor;
  readonly activity: ActivityLog;
  /**
   * Keeps a sign-up for a day, in place of an earlier one of its address, and sends the code that
   * confirms the address. Does not reveal whether it is a member's, who is told by mail.
   *
   * @throws {IdentityError} `password_weak`, `unavailable`
   * @throws {ThrottledError} `sign_in_throttled`: too many from this address
   */
  signUp(request: SignUp, origin: Origin): Promise<SignedUp>;
  /**
   * Sends the sign-up of an address a new code in place of the last, unless the mailbox was sent
   * several a moment ago; does not reveal whether there is one.
   *
   * @throws {IdentityError} `unavailable`
   * @throws {ThrottledError} `messages_throttled`: too many from this address
   */
  resendEmailCode(email: string, origin: Origin): Promise<void>;
  /**
   * Confirms an address by the code sent to it and the password of its sign-up, which becomes an
   * active member of level 1.
   *
   * @throws {IdentityError} `email_code_invalid`, `sign_up_password_wrong`, `unavailable`
   * @throws {ThrottledError} `sign_in_throttled`: too many wrong codes from this address
   */
  confirmEmail(confirmation: EmailConfirmation, origin: Origin): Promise<Member>;
  /**
   * Begins a session.
   *
   * @throws {IdentityError} `credentials_wrong`, `member_…`, `sign_in_code_…`, `unavailable`,
   *   `code_locked`
   * @throws {ThrottledError} `sign_in_throttled`, `code_throttled`
   */
  signIn(request: SignIn, origin: Origin): Promise<SignedIn>;
  /** Ends the caller's session. */
  signOut(caller: SessionCaller, origin: Origin): Promise<void>;
  /**
   * Changes the caller's password and ends its other sessions, and the keys that it made and does
   * not keep.
   *
   * @throws {IdentityError} `password_weak`, `password_wrong`, `password_unchanged`, `unavailable`,
   *   `kept_key_unknown`, `key_code_missing`, `key_code_wrong`, `key_factor_off`
   * @throws {ThrottledError} `sign_in_throttled`, `code_throttled`
   */
  changePassword(caller: SessionCaller, request: PasswordChange, origin: Origin): Promise<void>;
  /**
   * Sends a code for a new password, unless the mailbox was sent several a moment ago; does not
   * reveal whether the address is a member's.
   *
   * @throws {IdentityError} `unavailable`
   * @throws {ThrottledError} `messages_throttled`: too many from this address
   */
  sendResetCode(email: string, origin: Origin): Promise<void>;
  /**
   * Sets a new password by the code that was sent, and ends whatever came before it: sessions,
   * codes, a second factor that is not in force yet, keys that the member made. Lifts the locks of
   * wrong passwords, but not those of wrong one-time codes.
   *
   * @param turnsFactorOff whether it turns off the second factor too, which has to be new
   * @throws {IdentityError} `password_weak`, `reset_code_invalid`, `unavailable`, `factor_not_new`
   * @throws {ThrottledError} `sign_in_throttled`: too many wrong codes from this address
   */
  resetPassword(
    code: string,
    password: string,
    origin: Origin,
    turnsFactorOff?: boolean,
  ): Promise<Member>;
  /**
   * Makes a device known to a member that has just proven itself on it: its tries to sign in are
   * counted apart from those of strangers. It lasts for a year, or to the next change of credentials.
   *
   * @param held what the device holds already; empty if nothing
   * @returns what it is to hold
   */
  rememberDevice(member: Member, held: string): Promise<string>;
  /**
   * Sends a code by which a member proves in a session that it is there.
   *
   * @throws {IdentityError} `unavailable`
   * @throws {ThrottledError} `messages_throttled`
   */
  sendOwnerCode(caller: SessionCaller, origin: Origin): Promise<void>;
  /**
   * Does what only the member itself may do in a session.
   *
   * @param act is given the generation of the credentials, which its command has to carry
   * @throws {IdentityError} `owner_unproven`, `owner_password_wrong`, `owner_code_wrong`,
   *   `unavailable`
   * @throws {ThrottledError} `sign_in_throttled`
   */
  asOwner<T>(
    caller: SessionCaller,
    proof: OwnerProof,
    origin: Origin,
    act: (generation: number) => Promise<T>,
  ): Promise<T>;
  /**
   * Lifts the locks on a member's password, second factor and the codes sent to its mailbox; an act
   * of the operator.
   */
  unlock(uid: string): Promise<void>;
  /**
   * Returns the rows that end what a member's mailbox and password have opened, to be committed with
   * its move to another mailbox: whoever reads the old one may know the password too.
   * {@linkcode hasMoved} has to follow.
   */
  moveRows(uid: string): Promise<readonly SidecarRow[]>;
  /**
   * Ends the sessions that have begun meanwhile, and sends the code for a new password to a member's
   * new mailbox. If messages can't be sent now, the member asks for one.
   */
  hasMoved(uid: string): Promise<void>;
  /** Returns a member's address; null if it has none. */
  email(uid: string): Promise<string | null>;
  /** Sets the password of a member that has none, when the process starts. */
  seedPassword(uid: string, password: string): Promise<void>;
  /** Turns on a second factor with a secret in base32 unless one is on, when the process starts. */
  seedTwoFactor(uid: string, secret: string): Promise<void>;
  /**
   * Reseals every secret that an older master key has sealed.
   *
   * @returns how many there were
   */
  resealAll(): Promise<number>;
  /** Ends the background work. */
  close(): Promise<void>;
}
