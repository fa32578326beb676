/** What the venue itself asks about who a member is: its second factor, password and address. */

/**
 * Proof of a second factor: the time step of a code that was found right.
 * Each step counts once; null stands for a code that was wrong.
 */
export interface OtpProof {
  readonly member: number;
  readonly step: number | null;
}

/** Uses up a one-time code and does nothing else: a sign-in. */
export interface SpendOtp {
  readonly kind: "spend_otp";
  readonly otp: OtpProof;
}

/** Turns a member's second factor on or off; the code that proves it is used up. */
export interface SetTwoFactor {
  readonly kind: "set_two_factor";
  readonly member: number;
  /** Absent where it is turned off by a recovery code. */
  readonly otp?: OtpProof;
  readonly isOn: boolean;
}

/** Takes note that a password has changed; its row is written in the same commit. */
export interface NotePasswordChange {
  readonly kind: "note_password_change";
  readonly uid: string;
  /**
   * When the member's credentials had changed last as the old password was compared, 0 for never:
   * refused where they have changed since. Absent where no old one was asked for.
   */
  readonly knownChangedAt?: number;
}

/** Makes a pending member active, of this level at least. */
export interface ConfirmMember {
  readonly kind: "confirm_member";
  readonly uid: string;
  readonly level: number;
}

/** What only the venue itself asks: the session of a person stands behind it. */
export type IdentityCommand = SpendOtp | SetTwoFactor | ConfirmMember | NotePasswordChange;
