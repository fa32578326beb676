/** Members, their API keys, and the venue's own accounts. */
import { ANY_GROUP } from "../group_table.ts";

/** Member index of the account that fees are paid into. */
export const FEES_MEMBER = 0;
/** Member index of the account that stands for everything outside the venue; it may be negative. */
export const OUTSIDE_MEMBER = 1;
/** Index of the first real member. */
export const FIRST_MEMBER = 2;

/** States of a member; `locked` and `banned` ones may not call, but their open orders stay. */
export const MEMBER_STATES = ["pending", "active", "locked", "banned"] as const;
export type MemberState = typeof MEMBER_STATES[number];

/** What the log records of a member. Contact data is in the sidecar. */
export interface Member {
  readonly index: number;
  /** `ID` and ten hex digits. */
  readonly uid: string;
  readonly level: number;
  /** Fee group; `any` by default. */
  readonly group: string;
  readonly state: MemberState;
  /** Orders per bulk request; 0 for the venue's setting. */
  readonly bulkOrdersMax: number;
  /** Open orders per market; 0 for the venue's default. */
  readonly openOrdersMax: number;
  /** Orders that may end without a trade on a day; 0 or absent for the venue's setting. */
  readonly untradedOrdersMax?: number;
  readonly marketOrdersEnabled: boolean;
  /** Whether its second factor is on. */
  readonly hasTwoFactor: boolean;
  /** Time step of the last one-time code used; codes of this step or earlier no longer count. */
  readonly otpStep: number;
  /** Keyed digest of the email address, so that one address has one member. */
  readonly emailDigest: string;
  readonly createdAt: number;
  /** When its password or second factor last changed, in ms; absent if they never did. */
  readonly credentialsChangedAt?: number;
  /** How often they have changed; absent for 0, see {@linkcode generationOf}. */
  readonly generation?: number;
  /** What it may do as an operator, in its sessions; absent if it is none. */
  readonly operator?: OperatorGrant;
}

/**
 * Roles of people who operate the venue. A `viewer` reads, `support` cares for members, `finance`
 * moves money, and an `admin` may do everything.
 */
export const OPERATOR_ROLES = ["viewer", "support", "finance", "admin"] as const;
export type OperatorRole = typeof OPERATOR_ROLES[number];

/** A role that a member was given; see {@linkcode operatorRoleOf} for whether it is in force. */
export interface OperatorGrant {
  readonly role: OperatorRole;
  /** Generation of the member's credentials that it was given to: it ends with them. */
  readonly generation: number;
}

/** Whether the member may act at all. */
export function isMemberUsable(member: Member): boolean {
  return member.state === "active" || member.state === "pending";
}

/** What a key may be allowed to do, in the order in which scopes are shown. */
export const SCOPES = ["read", "trade", "withdraw"] as const;
export type Scope = typeof SCOPES[number];

/**
 * States of a key; a `disabled` one may become active again unless it is of an earlier generation
 * of its member's credentials, a `deleted` one never.
 */
export const KEY_STATES = ["active", "disabled", "deleted"] as const;
export type KeyState = typeof KEY_STATES[number];

/** `single`: a nonce is used once per key. `request`: once per key, method, path and body. */
export const NONCE_MODES = ["single", "request"] as const;
export type NonceMode = typeof NONCE_MODES[number];

/** Whom a key is for; only an `operator` key may call what is under `/api/v2/admin`. */
export const ROLES = ["member", "operator"] as const;
export type Role = typeof ROLES[number];

/** What the log records of an API key. Its secret and address list are in the sidecar. */
export interface ApiKey {
  readonly index: number;
  /** The access key. */
  readonly kid: string;
  /** Index of the member that owns it. */
  readonly member: number;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly state: KeyState;
  readonly nonceMode: NonceMode;
  readonly createdAt: number;
  /** Setting a timer does not change it. */
  readonly updatedAt: number;
  /** Present if its member made it: it works only while the member's second factor is on. */
  readonly needsTwoFactor?: true;
  /**
   * Generation of the credentials under which its member made it, or kept it when they changed:
   * under another one it never works again. Absent for 0, and where an operator made it.
   */
  readonly generation?: number;
  /** By id; absent if none is set. */
  readonly cancelTimers?: readonly CancelTimer[];
}

/** Cancels the open orders of the key's member at its time, unless it is set again before. */
export interface CancelTimer {
  /** {@linkcode OWN_TIMER}, or the number of a socket with `cancel_on_disconnect`. */
  readonly id: number;
  /** In ms. */
  readonly at: number;
}

/** Id of the timer that the key's holder sets. */
export const OWN_TIMER = 0;

/** Returns the record of one of the venue's own accounts. */
export function venueMember(index: number): Member {
  return {
    index,
    uid: index === FEES_MEMBER ? "FEES" : "OUTSIDE",
    level: 0,
    group: ANY_GROUP,
    state: "active",
    bulkOrdersMax: 0,
    openOrdersMax: 0,
    marketOrdersEnabled: true,
    hasTwoFactor: false,
    otpStep: 0,
    emailDigest: "",
    createdAt: 0,
  };
}

/** Returns how often a member's password or second factor has changed. */
export function generationOf({ generation = 0 }: Pick<Member, "generation">): number {
  return generation;
}

/** Whether a member made a key under credentials that have changed since: it is over for good. */
export function isKeyOver({ needsTwoFactor, generation = 0 }: ApiKey, member: Member): boolean {
  return needsTwoFactor === true && generation !== generationOf(member);
}

/** Whether a member may withdraw with a key; operators act for others, by calls of their own. */
export function mayWithdraw({ role, scopes }: Pick<ApiKey, "role" | "scopes">): boolean {
  return role === "member" && scopes.includes("withdraw");
}
