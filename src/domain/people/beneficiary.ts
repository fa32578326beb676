/** Where a member may withdraw to. Names and bank data are in the sidecar. */

/** Members see `pending` and `active`; a deleted one is `archived`. */
export const BENEFICIARY_STATES = ["pending", "active", "archived"] as const;
export type BeneficiaryState = typeof BENEFICIARY_STATES[number];

/** What the log records of a beneficiary. */
export interface Beneficiary {
  readonly id: number;
  /** Member index. */
  readonly member: number;
  /** Currency index. */
  readonly currency: number;
  /** Name of the network that it is on; absent for the currency's first, and if it has none. */
  readonly network?: string;
  readonly state: BeneficiaryState;
  /** Whether an operator has deleted it, as somebody else's: nothing is paid to it any more. */
  readonly isDisabled?: true;
  /** Keyed digest of a coin address, so that it is not entered twice; empty for fiat. */
  readonly addressDigest: string;
  /** Whether the digest is of the address's canonical name: not if an older version made it. */
  readonly isCanonical?: true;
  /** How many pins were sent; only the last one counts. */
  readonly pinsSent: number;
  /** Wrong attempts at that pin. */
  readonly pinTries: number;
  /** When that pin was sent, in ms. */
  readonly pinSentAt: number;
  /** When it became active, in ms; 0 before. Its hold starts then. */
  readonly activatedAt: number;
  readonly createdAt: number;
}
