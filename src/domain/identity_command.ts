/** The venue's own commands about a member's second factor, password and address. */

/** Proof of a second factor: the time step of a right code, which counts once; null if wrong. */
export interface OtpProof {
  readonly member: number;
  readonly step: number | null;
}

/** Spends a one-time code and does nothing else: a sign-in. */
export interface SpendOtp {
  readonly kind: "spend_otp";
  readonly otp: OtpProof;
}

/** Turns a member's second factor on or off, and spends the code that proves it. */
export interface SetTwoFactor {
  readonly kind: "set_two_factor";
  readonly member: number;
  /** Absent if a recovery code turns it off. */
  readonly otp?: OtpProof;
  readonly isOn: boolean;
}

/** Records a change of password; the same commit writes its row. */
export interface NotePasswordChange {
  readonly kind: "note_password_change";
  readonly uid: string;
  /**
   * When the credentials had last changed as the old password was compared, 0 for never; a change
   * since then is a refusal. Absent if no old password was asked for.
   */
  readonly knownChangedAt?: number;
}

/** Activates a pending member, at this level or higher. */
export interface ConfirmMember {
  readonly kind: "confirm_member";
  readonly uid: string;
  readonly level: number;
}

/** Commands that only the venue gives, on behalf of a person. */
export type IdentityCommand = SpendOtp | SetTwoFactor | ConfirmMember | NotePasswordChange;
