/** The venue's own commands about a member's second factor, password and address. */

/** Proof of a second factor: the time step of a right code, which counts once; null if wrong. */
export interface OtpProof {
  readonly member: number;
  readonly step: number | null;
  /**
   * Generation of the credentials as the call was checked: if they have changed since, whoever made
   * it may have lost them.
   */
  readonly generation: number;
}

/** Spends a one-time code and does nothing else: a sign-in. */
export interface SpendOtp {
  readonly kind: "spend_otp";
  readonly otp: OtpProof;
}

/**
 * Turns a member's second factor on or off, and spends the code that proves it. Ends the keys that
 * the member made, for good.
 */
export interface SetTwoFactor {
  readonly kind: "set_two_factor";
  readonly member: number;
  /** As in {@linkcode OtpProof}; absent if a recovery code turns it off. */
  readonly step?: number | null;
  /** As in {@linkcode OtpProof}. */
  readonly generation: number;
  readonly isOn: boolean;
}

/**
 * Records a change of password; the same commit writes its row. Ends the keys that the member made,
 * for good, except those that it keeps.
 */
export interface NotePasswordChange {
  readonly kind: "note_password_change";
  readonly uid: string;
  /**
   * Generation of the credentials as the old password was compared; a change since then is a
   * refusal. Absent if no old password was asked for.
   */
  readonly knownGeneration?: number;
  /** Whether its member has entered the old one, and so keeps its role as an operator. */
  readonly keepsRole?: true;
  /** Present if it turns the second factor off too. */
  readonly turnsFactorOff?: true;
  /** Which keys to keep, and the code that proves it is their member who does. */
  readonly kept?: KeptKeys;
}

/** The keys that outlive a change of password. */
export interface KeptKeys {
  /** Their access keys. */
  readonly kids: readonly string[];
  readonly otp: OtpProof;
}

/** Activates a pending member, at this level or higher. */
export interface ConfirmMember {
  readonly kind: "confirm_member";
  readonly uid: string;
  readonly level: number;
}

/** Commands that only the venue gives, on behalf of a person. */
export type IdentityCommand = SpendOtp | SetTwoFactor | ConfirmMember | NotePasswordChange;
