/** The one façade of this layer: people, their passwords, sessions and second factors. */
import type { Member } from "../domain/member.ts";
import type { OtpProof } from "../domain/identity_command.ts";

/** Characters of a browser's name that are kept. */
export const USER_AGENT_LENGTH_MAX = 256;

/** Where a person's call comes from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

/** What a person signs up with. */
export interface SignUp {
  readonly email: string;
  readonly password: string;
}

/** What a person signs in with. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** A one-time code or a recovery code. */
  readonly code?: string | number;
}

/** A session that has begun. */
export interface SignedIn {
  readonly member: Member;
  /** For the cookie; stored nowhere. */
  readonly cookie: string;
  /** What calls with the cookie send back in a header. */
  readonly csrfToken: string;
  /** When it ends at the latest, in ms. */
  readonly expiresAt: number;
}

/** Who calls with a cookie. */
export interface SessionCaller {
  readonly member: Member;
  /** Names the session in lists; does not open it. */
  readonly sessionId: string;
  readonly csrfToken: string;
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
  readonly action?: string;
  readonly result?: Activity["result"];
  readonly offset: number;
  readonly limit: number;
}

/** What happened to accounts. */
export interface ActivityLog {
  /** Writes one down. */
  record(
    uid: string,
    origin: Origin,
    activity: Pick<Activity, "topic" | "action" | "result">,
  ): Promise<void>;
  /** A member's, newest first. */
  list(
    uid: string,
    request: ActivityRequest,
  ): Promise<{ readonly items: readonly Activity[]; readonly total: number }>;
}

/** Second factors: one-time codes, their throttle, and the codes for a lost authenticator. */
export interface TwoFactor {
  /**
   * Verifies a code outside the log and counts it if it is wrong. What is answered goes into
   * the command that needs it, which uses the code up; a step of null says that it was wrong, or
   * used before, which is not counted.
   *
   * @param member index
   * @param code as typed; a number has lost its leading zeros
   * @throws {IdentityError} `code_throttled` or `code_locked`: no code is looked at now
   */
  prove(member: number, code: string | number): Promise<OtpProof>;
  /**
   * Makes a secret for a member without a second factor; the one made before dies.
   *
   * @throws {IdentityError} `two_factor_on`
   */
  generate(member: number): Promise<TwoFactorSecret>;
  /**
   * Turns the second factor on by a code of the generated secret, and ends all of the member's
   * sessions but one (null: all): they were begun without it.
   *
   * @returns the recovery codes, shown this once
   * @throws {IdentityError} `two_factor_on`, `two_factor_not_generated`, `code_wrong`
   * @throws {ThrottledError}
   */
  enable(
    member: number,
    code: string | number,
    origin: Origin,
    sessionId: string | null,
  ): Promise<readonly string[]>;
  /**
   * Turns it off by a one-time code or a recovery code.
   *
   * @throws {IdentityError} `two_factor_off`, `code_wrong`
   * @throws {ThrottledError}
   */
  disable(member: number, code: string | number, origin: Origin): Promise<void>;
}

/** Cookies and what they open. */
export interface Sessions {
  /**
   * Who calls with a cookie; null where it opens nothing. An ended session and a frozen
   * member are seen within a second on every process.
   */
  authenticate(cookie: string): Promise<SessionCaller | null>;
  /** Notes, behind the call, that a session is used over a connection that it has opened. */
  use(session: Pick<SessionCaller, "member" | "sessionId">): void;
  /** A member's sessions, newest first. */
  list(uid: string): Promise<readonly SessionInfo[]>;
  /**
   * Ends one of a member's sessions.
   *
   * @throws {IdentityError} `session_not_found`
   */
  end(uid: string, sessionId: string): Promise<void>;
  /** Ends all of a member's sessions but one (null: all); answers how many. */
  endOthers(uid: string, sessionId: string | null): Promise<number>;
}

/** What the layers above see of people. */
export interface Identity {
  readonly sessions: Sessions;
  readonly twoFactor: TwoFactor;
  readonly activity: ActivityLog;
  /**
   * Makes a pending member, sends the code that confirms its address and begins a
   * session, which opens nothing until the address is confirmed.
   *
   * @throws {IdentityError} `password_weak`, `email_taken`, `unavailable`
   * @throws {ThrottledError} `sign_in_throttled`: too many from this address
   */
  signUp(request: SignUp, origin: Origin): Promise<SignedIn>;
  /**
   * Sends a pending member another code, the one before dies; answers alike for any address.
   *
   * @throws {IdentityError} `unavailable`
   * @throws {ThrottledError} `messages_throttled`: too many for this mailbox, or from this address
   */
  resendEmailCode(email: string, origin: Origin): Promise<void>;
  /**
   * Confirms an address by the code that was sent there: the member is active, of level 1.
   *
   * @throws {IdentityError} `email_code_invalid`
   */
  confirmEmail(code: string, origin: Origin): Promise<Member>;
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
   * Changes the caller's password and ends its other sessions.
   *
   * @throws {IdentityError} `password_weak`, `password_wrong`, `password_unchanged`, `unavailable`
   * @throws {ThrottledError} `sign_in_throttled`
   */
  changePassword(
    caller: SessionCaller,
    passwords: { readonly oldPassword: string; readonly newPassword: string },
    origin: Origin,
  ): Promise<void>;
  /**
   * Sends a code for a new password; answers alike for any address.
   *
   * @throws {IdentityError} `unavailable`
   * @throws {ThrottledError} `messages_throttled`: too many for this mailbox, or from this address
   */
  sendResetCode(email: string, origin: Origin): Promise<void>;
  /**
   * Sets a new password by the code that was sent, ends all sessions and lifts the
   * locks of wrong passwords; those of wrong one-time codes stay.
   *
   * @throws {IdentityError} `password_weak`, `reset_code_invalid`, `unavailable`
   */
  resetPassword(code: string, password: string, origin: Origin): Promise<void>;
  /**
   * Lifts the locks of a member's password and second factor, and of the codes sent to its mailbox:
   * the operator's act.
   */
  unlock(uid: string): Promise<void>;
  /** A member's address; null where it has none. */
  email(uid: string): Promise<string | null>;
  /** Sets the password of a member that has none: what the process does at its own start. */
  seedPassword(uid: string, password: string): Promise<void>;
  /** Turns the second factor on with a secret in base32, where it is off: at its own start, too. */
  seedTwoFactor(uid: string, secret: string): Promise<void>;
  /**
   * Seals anew every secret that stands under an older master key.
   *
   * @returns how many it was
   */
  resealAll(): Promise<number>;
  /** Ends the work in the background. */
  close(): Promise<void>;
}
